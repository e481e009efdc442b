/** What answers the calls of `studio/contract/funnel.ts`. */
import type { funnelCalls } from "#studio/contract/funnel.ts";
import type { StudioHandlers } from "../handler.ts";

export const funnelHandlers: StudioHandlers<typeof funnelCalls> = {};
