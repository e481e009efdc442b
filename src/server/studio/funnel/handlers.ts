/** Handlers of the calls in `studio/contract/funnel.ts`. */
import { everyVersion } from "#content/questionnaires/index.ts";
import type { funnelCalls } from "#studio/contract/funnel.ts";
import { releaseName } from "#core/release.ts";
import { refuse } from "../../base/refusal.ts";
import type { StudioHandlers } from "../handler.ts";
import { type FilterInAddress, visitorFilter } from "./visitorFilter.ts";
import { runCount, knownUntil } from "./counting.ts";
import { namedScreen } from "./screen.ts";
import { namedSteps, questionsOf } from "./steps.ts";
import { visitOf } from "./visits.ts";
import { titleOf } from "./words.ts";

const hypothesisOf = (version: string) => everyVersion.find(({ id }) => id === version)?.hypothesis ?? "";

export const funnelHandlers: StudioHandlers<typeof funnelCalls> = {
  async funnelFilters({ input: { version, ...asked } }, { store, releases }) {
    // Registers this process's own releases first.
    await releases.shipped();
    const [filters, known] = await Promise.all([
      runCount(store, "filters", { ...visitorFilter("", asked), version }),
      store.read.selectFrom("releases").select(["hash", "version", "number", "at"]).execute(),
    ]);
    const byName = new Map(known.map(({ hash, at, ...release }) => [releaseName(hash), { ...release, at: Number(at) }]));
    const unknown = { version: null, number: null, at: null };
    return {
      ...filters,
      release: filters.release.map((row) => ({ ...row, ...(byName.get(row.value) ?? unknown) })),
      versions: filters.versions.map((row) => ({ ...row, hypothesis: hypothesisOf(row.version) })),
    };
  },

  async funnelSteps({ input: { version, beside, besideFrom, besideTo, besideRelease, ...filter } }, { store, questionnaires, world }) {
    const now = await knownUntil(store, world.now());
    const stepsOf = async (of: string, asked: FilterInAddress) =>
      namedSteps(questionnaires, of, await runCount(store, "steps", { filter: visitorFilter(of, asked), now }));
    const otherDays = besideFrom === undefined && besideTo === undefined ? {} : { from: besideFrom, to: besideTo };
    // A release belongs to one version, so its filter does not apply to another version.
    const release = besideRelease ?? (beside === undefined || beside === version ? filter.release : undefined);
    const isCompared = beside !== undefined || "from" in otherDays || besideRelease !== undefined;
    const [here, there] = await Promise.all([
      stepsOf(version, filter),
      isCompared ? stepsOf(beside ?? version, { ...filter, ...otherDays, release }) : null,
    ]);
    return { countedAt: now, here, beside: there };
  },

  async funnelScreen({ input: { version, questionId, ...asked } }, { store, questionnaires, world }) {
    const question = questionsOf(questionnaires, version).find(({ id }) => id === questionId);
    if (question === undefined) return refuse("notFound");
    const [filter, now] = [visitorFilter(version, asked), await knownUntil(store, world.now())];
    return { countedAt: now, ...namedScreen(question, filter, await runCount(store, "screen", { filter, questionId, now })) };
  },

  async funnelVisits({ input: { version, questionId, ...asked } }, { store, questionnaires, world }) {
    const question = questionsOf(questionnaires, version).find(({ id }) => id === questionId);
    if (question === undefined) return refuse("notFound");
    const now = await knownUntil(store, world.now());
    const visits = await runCount(store, "visits", { filter: visitorFilter(version, asked), questionId, now });
    return { countedAt: now, title: titleOf(question), ...visits };
  },

  funnelVisit: async ({ input: { version, visit } }, { store, releases, world }) =>
    (await visitOf({ queries: store.read, releases, version, device: visit, now: world.now() })) ?? refuse("notFound"),
};
