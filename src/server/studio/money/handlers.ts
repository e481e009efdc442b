/** What answers the calls of `studio/contract/money.ts`. */
import type { moneyCalls } from "#studio/contract/money.ts";
import type { StudioHandlers } from "../handler.ts";

export const moneyHandlers: StudioHandlers<typeof moneyCalls> = {};
