/** The handlers of all studio calls, by key. */
import type { studioCalls } from "#studio/contract.ts";
import { funnelHandlers } from "./funnel/handlers.ts";
import type { StudioHandlers } from "./handler.ts";
import { moneyHandlers } from "./money/handlers.ts";
import { operationsHandlers } from "./operations/handlers.ts";
import { operatorsHandlers } from "./operators/handlers.ts";
import { peopleHandlers } from "./people/handlers.ts";
import { todayHandlers } from "./today/handlers.ts";
import { versionsHandlers } from "./versions/handlers.ts";

export const studioHandlers: StudioHandlers<typeof studioCalls> = {
  ...operatorsHandlers,
  ...todayHandlers,
  ...funnelHandlers,
  ...versionsHandlers,
  ...peopleHandlers,
  ...moneyHandlers,
  ...operationsHandlers,
};
