/** What answers the calls of `studio/contract/funnel.ts`. */
import type { funnelCalls } from "#studio/contract/funnel.ts";
import { refuse } from "../../base/refusal.ts";
import type { StudioHandlers } from "../handler.ts";
import { visitorFilter } from "./asked.ts";
import { occurring } from "./filters.ts";
import { countedScreen } from "./screen.ts";
import { countedSteps } from "./steps.ts";
import { countedToday } from "./today.ts";

export const funnelHandlers: StudioHandlers<typeof funnelCalls> = {
  funnelFilters: (_call, { store }) => occurring(store.read),

  async funnelSteps({ input: { version, beside, ...filter } }, { store, questionnaires, world }) {
    const countedAt = world.now();
    const counted = (of: string) => countedSteps(store.read, questionnaires, visitorFilter(of, filter), countedAt);
    return { countedAt, here: await counted(version), beside: beside === undefined ? null : await counted(beside) };
  },

  async funnelScreen({ input: { version, questionId, ...filter } }, { store, questionnaires, world }) {
    const countedAt = world.now();
    const screen = await countedScreen(store.read, questionnaires, visitorFilter(version, filter), questionId, countedAt);
    return screen === null ? refuse(1404) : { countedAt, ...screen };
  },

  today: (_call, { store, world }) => countedToday(store.read, world.now()),
};
