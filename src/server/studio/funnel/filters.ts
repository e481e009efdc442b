/** Values of the funnel's filters. */
import { releaseName } from "#core/release.ts";
import type { funnelCalls } from "#studio/contract/funnel.ts";
import type { OutputOf } from "#studio/contract/call.ts";
import { firstStart, keptByTraits, partsOf, startedVersions } from "../../events/funnelDays.ts";
import { type Reading, type StartTrait, startTraits } from "../../events/journeys.ts";
import { unknownValue } from "./asked.ts";

type Filters = OutputOf<(typeof funnelCalls)["funnelFilters"]>;
type Occurring = Omit<Filters, "versions" | "release"> & {
  readonly release: readonly { readonly value: string; readonly visitors: number }[];
  readonly versions: Omit<Filters["versions"][number], "hypothesis">[];
};

/** Events may name any campaign and release: more values than this are strangers' inventions. */
const mostValues = 200;

export async function occurring({ queries, journeys }: Reading): Promise<Occurring> {
  const versions = await startedVersions(queries);
  const totals = new Map<string, number>();
  const by: Record<StartTrait, Map<string, number>> = {
    release: new Map(),
    locale: new Map(),
    country: new Map(),
    platform: new Map(),
    campaign: new Map(),
  };
  let first = Number.POSITIVE_INFINITY;
  for (const version of versions) {
    first = Math.min(first, (await firstStart(queries, version)) ?? first);
    const { spans } = await partsOf(queries, { version });
    const told = [...(await keptByTraits(queries, version, startTraits))];
    for (const span of spans) told.push(...(await journeys.startedIn(version, span)));
    for (const { visitors, ...values } of told) {
      add(totals, version, visitors);
      for (const trait of startTraits) add(by[trait], values[trait] || unknownValue, visitors);
    }
  }
  const shipped = new Set((await queries.selectFrom("releases").select("hash").execute()).map(({ hash }) => releaseName(hash)));
  return {
    versions: mostFirst(totals).map(({ value, visitors }) => ({ version: value, visitors })),
    release: likeliest(by.release, ({ value }) => shipped.has(value)),
    locale: mostFirst(by.locale),
    country: mostFirst(by.country),
    platform: mostFirst(by.platform),
    campaign: likeliest(by.campaign),
    firstDay: Number.isFinite(first) ? new Date(first).toISOString().slice(0, 10) : null,
  };
}

function add(counts: Map<string, number>, value: string, visitors: number): void {
  counts.set(value, (counts.get(value) ?? 0) + visitors);
}

const mostFirst = (counts: ReadonlyMap<string, number>) =>
  [...counts].map(([value, visitors]) => ({ value, visitors })).toSorted((a, b) => b.visitors - a.visitors);

/** Known values, and of the others those with the most visitors. */
function likeliest(counts: ReadonlyMap<string, number>, isKnown: (option: { readonly value: string }) => boolean = () => false) {
  const all = mostFirst(counts);
  const kept = new Set([...all.filter(isKnown), ...all.filter((option) => !isKnown(option))].slice(0, mostValues));
  return all.filter((option) => kept.has(option));
}
