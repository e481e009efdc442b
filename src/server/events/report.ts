/** The operator's report of every version: how many visitors reached each question, went on, left, or are still there. */
import type { Queries } from "../store/schema.ts";
import { dayStart, keptCounts, type Parts, partsOf, startedVersions } from "./funnelDays.ts";
import { changedHours } from "./funnelHours.ts";
import type { Reading } from "./journeys.ts";
import type { Counts } from "./tally.ts";
import type { VisitorFilter } from "./visitors.ts";

export interface VersionReport extends Counts {
  readonly version: string;
  /** Stored days that changed after their count. */
  readonly changedDays: number;
}

export interface ReportQuery {
  readonly version?: string | undefined;
  /** Visitors who started at or after `from` and before `to`, ms. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly now: number;
}

/** The database reads some versions while another is added up. Each takes one connection of the pool. */
const versionsAtOnce = 3;

/** A report for each version that was started in the requested time, ordered by version. */
export async function versionReports(reading: Reading, { version, from, to, now }: ReportQuery): Promise<readonly VersionReport[]> {
  const versions = version === undefined ? await startedVersions(reading.queries) : [version];
  const count = async (each: string) => ({ version: each, ...(await countVisitors(reading, { version: each, from, to }, now)) });
  const reports: VersionReport[] = [];
  for (let at = 0; at < versions.length; at += versionsAtOnce) {
    reports.push(...(await Promise.all(versions.slice(at, at + versionsAtOnce).map(count))));
  }
  return reports.filter(({ visitors }) => visitors > 0).toSorted((a, b) => a.version.localeCompare(b.version, "en", { numeric: true }));
}

/** The numbers of the visitors who match the filter. */
export async function countVisitors(
  { queries, journeys }: Reading,
  filter: VisitorFilter,
  now: number,
): Promise<Counts & { readonly changedDays: number }> {
  const parts = await partsOf(queries, filter);
  const { tally } = (await journeys.sums(filter, parts.spans, { steps: { now, medians: true } })).whole;
  for await (const { counts } of keptCounts(queries, filter, parts)) tally.addKept(counts);
  return { ...tally.counts(), changedDays: await changedDaysOf(queries, filter.version, parts) };
}

async function changedDaysOf(queries: Queries, version: string, { days, hours }: Parts): Promise<number> {
  const changed = new Set([...(await changedHours(queries, version, hours))].map(dayStart));
  for (const { day, touchedAt } of days) if (touchedAt !== null) changed.add(day);
  return changed.size;
}
