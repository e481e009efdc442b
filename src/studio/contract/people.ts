/** Calls of the studio's people screens. */
import type { StudioCalls } from "./call.ts";

export const peopleCalls = {} as const satisfies StudioCalls;
