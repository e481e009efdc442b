/** What answers the calls of `studio/contract/operations.ts`. */
import type { operationsCalls } from "#studio/contract/operations.ts";
import type { StudioHandlers } from "../handler.ts";

export const operationsHandlers: StudioHandlers<typeof operationsCalls> = {};
