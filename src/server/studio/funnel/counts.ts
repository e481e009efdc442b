/** All counts of Funnel, Today, Money and page errors. They read many rows, so they run on a thread (`counting.ts`). */
import { replayedUntil } from "../../store/standby.ts";
import type { Reading } from "../../events/journeys.ts";
import { countVisitors } from "../../events/report.ts";
import type { Queries } from "../../store/schema.ts";
import type { VisitorFilter } from "../../events/visitors.ts";
import { busyHours, countDay, countHour } from "./dayCount.ts";
import { filterValues, type VersionsFilter } from "./filters.ts";
import { countScreen } from "./screen.ts";
import { overview } from "../money/overview.ts";
import { cohortsOf } from "../money/plans.ts";
import { pageErrors } from "../operations/pageErrors.ts";
import { countToday } from "../today/count.ts";
import { endedVisits } from "./visits.ts";

interface Asked {
  readonly filter: VisitorFilter;
  readonly now: number;
}
interface MoneyAsked {
  readonly asked: Parameters<typeof overview>[1];
  readonly base: string;
  readonly now: number;
}
type AskedScreen = Asked & { readonly questionId: number };

/** Counts of journeys, in the database or in ClickHouse. */
const ofJourneys = {
  filters: (reading: Reading, asked: VersionsFilter) => filterValues(reading, asked),
  steps: (reading: Reading, { filter, now }: Asked) => countVisitors(reading, filter, now),
  screen: (reading: Reading, { filter, questionId, now }: AskedScreen) => countScreen(reading, filter, questionId, now),
  visits: (reading: Reading, { filter, questionId, now }: AskedScreen) => endedVisits(reading, filter, questionId, now),
  day: countDay,
  hour: countHour,
  today: countToday,
} as const;
/** Counts that only the database can answer. */
const ofDatabase = {
  pageErrors,
  money: (queries: Queries, { asked, ...at }: MoneyAsked) => overview(queries, asked, at),
  cohorts: (queries: Queries, { now, months }: { readonly now: number; readonly months: number }) => cohortsOf(queries, now, months),
  replayed: replayedUntil,
  busyHours,
  /** Counts nothing. Before this job, the thread copies SQLite's log into the file (`countingThread.ts`). */
  checkpoint: (_queries: Queries, _asked: object) => Promise.resolve(null),
} as const;

export const counts = { ...ofJourneys, ...ofDatabase } as const;
export type Count = keyof typeof counts;
export type CountInput<K extends Count> = Parameters<(typeof counts)[K]>[1];
export type CountOutput<K extends Count> = Awaited<ReturnType<(typeof counts)[K]>>;

export const countsJourneys = (count: Count): count is keyof typeof ofJourneys => count in ofJourneys;
