/** Calls of the studio's operations screens. */
import type { StudioCalls } from "./call.ts";

export const operationsCalls = {} as const satisfies StudioCalls;
