/** Calls of the studio's operators screens. */
import type { StudioCalls } from "./call.ts";

export const operatorsCalls = {} as const satisfies StudioCalls;
