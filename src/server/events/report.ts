/** The operator's report of every version: how many came to each question, went on, left, or are still there. */
import type { Queries } from "../store/schema.ts";
import { type Counts, createTally } from "./tally.ts";
import { type VisitorFilter, visitorsOf } from "./visitors.ts";

export interface VersionReport extends Counts {
  readonly version: string;
}

export interface ReportWish {
  readonly version?: string | undefined;
  /** Visitors who started from this moment on, and before that one; milliseconds. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly now: number;
}

/** One report for each version that somebody started in the time asked for, by version. */
export async function versionReports(queries: Queries, { version, from, to, now }: ReportWish): Promise<readonly VersionReport[]> {
  const versions = version === undefined ? await startedVersions(queries) : [version];
  const reports: VersionReport[] = [];
  for (const each of versions) {
    reports.push({ version: each, ...(await countVisitors(queries, { version: each, from, to }, now)) });
  }
  return reports.filter(({ visitors }) => visitors > 0).toSorted((a, b) => a.version.localeCompare(b.version, "en", { numeric: true }));
}

/** The numbers of those whom the filter lets through. */
export async function countVisitors(queries: Queries, filter: VisitorFilter, now: number): Promise<Counts> {
  const tally = createTally(now);
  for await (const { journey, bought } of visitorsOf(queries, filter)) tally.add(journey, bought);
  return tally.counts();
}

/** Versions that anybody has ever started. */
export async function startedVersions(queries: Queries): Promise<readonly string[]> {
  return (await queries.selectFrom("journeys").select("version").distinct().execute()).map(({ version }) => version);
}
