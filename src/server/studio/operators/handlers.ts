/** Handlers of the calls in `studio/contract/operators.ts`. */
import type { operatorsCalls } from "#studio/contract/operators.ts";
import type { StudioHandlers } from "../handler.ts";
import { accessHandlers } from "./access.ts";
import { enteringHandlers } from "./entering.ts";
import { staffHandlers } from "./staff.ts";

export const operatorsHandlers: StudioHandlers<typeof operatorsCalls> = { ...enteringHandlers, ...accessHandlers, ...staffHandlers };
