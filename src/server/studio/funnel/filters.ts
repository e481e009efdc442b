/** Values of the funnel's filters. */
import { releaseName } from "#core/release.ts";
import type { funnelCalls } from "#studio/contract/funnel.ts";
import type { OutputOf } from "#studio/contract/call.ts";
import { firstStart, keptByTraits, partsOf, startedVersions } from "../../events/funnelDays.ts";
import type { Reading, Started } from "../../events/journeys.ts";
import { type StartTrait, startTraits, type VisitorFilter } from "../../events/visitors.ts";
import { unknownValue } from "./visitorFilter.ts";

type Filters = OutputOf<(typeof funnelCalls)["funnelFilters"]>;
type FilterValues = Omit<Filters, "versions" | "release"> & {
  readonly release: readonly { readonly value: string; readonly visitors: number }[];
  readonly versions: Omit<Filters["versions"][number], "hypothesis">[];
};
/** Without a version, the version with the most matching visitors is used. */
export type VersionsFilter = Omit<VisitorFilter, "version"> & { readonly version: string | undefined };

/** Events can name any campaign and release. More values than this must be made up. */
const mostValues = 200;

/** The values of each filter. Each value counts the visitors who match all other filters. */
export async function filterValues(reading: Reading, { version: asked, ...filter }: VersionsFilter): Promise<FilterValues> {
  const { queries } = reading;
  const facets = new Map<string, Facets>();
  let first = Number.POSITIVE_INFINITY;
  for (const version of await startedVersions(queries)) {
    first = Math.min(first, (await firstStart(queries, version)) ?? first);
    facets.set(version, facetsOf(await startsOf(reading, { ...filter, version }), filter));
  }
  const versions = mostFirst(new Map([...facets].map(([version, { fitting }]) => [version, fitting])));
  const own = facets.get(asked ?? versions[0]?.value ?? "") ?? facetsOf([], filter);
  const shipped = new Set((await queries.selectFrom("releases").select("hash").execute()).map(({ hash }) => releaseName(hash)));
  // When another version is compared, its releases can be chosen too.
  const release = new Map([...facets.values()].flatMap(({ by }) => [...by.release].filter(([value]) => shipped.has(value))));
  for (const [value, visitors] of own.by.release) release.set(value, visitors);
  return {
    versions: versions.map(({ value, visitors }) => ({ version: value, visitors })),
    release: likeliest(release, ({ value }) => shipped.has(value)),
    locale: mostFirst(own.by.locale),
    country: mostFirst(own.by.country),
    platform: mostFirst(own.by.platform),
    campaign: likeliest(own.by.campaign),
    firstDay: Number.isFinite(first) ? new Date(first).toISOString().slice(0, 10) : null,
  };
}

/** Visitors who started on the requested days, counted by trait. Only the filters without a list of values apply. */
async function startsOf({ queries, journeys }: Reading, { version, from, to, came, consent }: VisitorFilter): Promise<readonly Started[]> {
  const filter = { version, from, to, came, consent };
  const { spans } = await partsOf(queries, filter);
  const told: Started[] = [...(await keptByTraits(queries, filter, startTraits))];
  if ((came ?? []).length > 0 || (consent ?? []).length > 0) {
    const { parts } = await journeys.sums({ version, came, consent }, spans, { by: startTraits });
    told.push(...parts.map(({ values, visitors }) => ({ ...values, visitors })));
  } else for (const span of spans) told.push(...(await journeys.startedIn(version, span)));
  return told;
}

interface Facets {
  /** Visitors who match all filters except that of releases. */
  readonly fitting: number;
  readonly by: Readonly<Record<StartTrait, ReadonlyMap<string, number>>>;
}

function facetsOf(starts: readonly Started[], filter: Omit<VisitorFilter, "version">): Facets {
  const by: Record<StartTrait, Map<string, number>> = {
    release: new Map(),
    locale: new Map(),
    country: new Map(),
    platform: new Map(),
    campaign: new Map(),
  };
  const misses = (start: Started) =>
    startTraits.filter((trait) => {
      const wanted = filter[trait] ?? [];
      return wanted.length > 0 && !wanted.includes(start[trait]);
    });
  let fitting = 0;
  for (const start of starts) {
    const missed = misses(start);
    for (const trait of startTraits)
      if (missed.every((each) => each === trait)) add(by[trait], start[trait] || unknownValue, start.visitors);
    if (missed.every((each) => each === "release")) fitting += start.visitors;
  }
  return { fitting, by };
}

function add(counts: Map<string, number>, value: string, visitors: number): void {
  counts.set(value, (counts.get(value) ?? 0) + visitors);
}

const mostFirst = (counts: ReadonlyMap<string, number>) =>
  [...counts].map(([value, visitors]) => ({ value, visitors })).toSorted((a, b) => b.visitors - a.visitors);

/** The known values, and those of the others with the most visitors. */
function likeliest(counts: ReadonlyMap<string, number>, isKnown: (option: { readonly value: string }) => boolean = () => false) {
  const all = mostFirst(counts);
  const kept = new Set([...all.filter(isKnown), ...all.filter((option) => !isKnown(option))].slice(0, mostValues));
  return all.filter((option) => kept.has(option));
}
