/** The operator's report of every version: how many came to each question, went on, left, or are still there. */
import type { Queries } from "../store/schema.ts";
import { type Counts, createTally } from "./tally.ts";
import { visitorsOf } from "./visitors.ts";

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
    const tally = createTally(now);
    for await (const { journey, bought } of visitorsOf(queries, { version: each, from, to })) tally.add(journey, bought);
    reports.push({ version: each, ...tally.counts() });
  }
  return reports.filter(({ visitors }) => visitors > 0).toSorted((a, b) => a.version.localeCompare(b.version, "en", { numeric: true }));
}

/** Versions that anybody has ever started. */
export async function startedVersions(queries: Queries): Promise<readonly string[]> {
  return (await queries.selectFrom("journeys").select("version").distinct().execute()).map(({ version }) => version);
}
