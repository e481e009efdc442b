/** Handlers of the calls in `studio/contract/today.ts`. */
import type { todayCalls } from "#studio/contract/today.ts";
import type { Services } from "../../handlers/shared/services.ts";
import { runCount, knownUntil } from "../funnel/counting.ts";
import { screensOf } from "../funnel/steps.ts";
import type { StudioHandlers } from "../handler.ts";
import type { TodayAsked } from "./count.ts";
import { liveToday } from "./live.ts";

const asked = ({ questionnaires, settings }: Pick<Services, "questionnaires" | "settings">): Omit<TodayAsked, "now"> => ({
  screens: Object.fromEntries(questionnaires.versions.map((version) => [version, screensOf(questionnaires, version)])),
  currency: settings.reportingCurrency,
});

export const todayHandlers: StudioHandlers<typeof todayCalls> = {
  today: async (_call, services) => {
    const now = await knownUntil(services.store, services.world.now());
    return runCount(services.store, "today", { ...asked(services), now });
  },
  todayLive: async ({ signal }, services) => liveToday(services, asked(services), signal),
};
