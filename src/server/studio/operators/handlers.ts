/** What answers the calls of `studio/contract/operators.ts`. */
import type { operatorsCalls } from "#studio/contract/operators.ts";
import type { StudioHandlers } from "../handler.ts";

export const operatorsHandlers: StudioHandlers<typeof operatorsCalls> = {};
