/** Calls of the studio's money screens. */
import type { StudioCalls } from "./call.ts";

export const moneyCalls = {} as const satisfies StudioCalls;
