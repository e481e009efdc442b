/** Calls of the studio's funnel screens. */
import type { StudioCalls } from "./call.ts";

export const funnelCalls = {} as const satisfies StudioCalls;
