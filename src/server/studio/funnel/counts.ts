/** All counts of Funnel and Today, and the errors of pages. They read many rows, so they run on a thread (`counting.ts`). */
import type { Queries } from "../../store/schema.ts";
import { replayedUntil } from "../../store/standby.ts";
import { countVisitors } from "../../events/report.ts";
import type { VisitorFilter } from "../../events/visitors.ts";
import { countDay } from "./dayCount.ts";
import { occurring } from "./filters.ts";
import { countScreen } from "./screen.ts";
import { pageErrors } from "../operations/pageErrors.ts";
import { countToday } from "../today/count.ts";
import { endedVisits } from "./visits.ts";

interface Asked {
  readonly filter: VisitorFilter;
  readonly now: number;
}
type AskedScreen = Asked & { readonly questionId: number };

export const counts = {
  filters: (queries: Queries) => occurring(queries),
  steps: (queries: Queries, { filter, now }: Asked) => countVisitors(queries, filter, now),
  screen: (queries: Queries, { filter, questionId, now }: AskedScreen) => countScreen(queries, filter, questionId, now),
  visits: (queries: Queries, { filter, questionId, now }: AskedScreen) => endedVisits(queries, filter, questionId, now),
  day: countDay,
  today: countToday,
  pageErrors,
  replayed: replayedUntil,
} as const;

export type Count = keyof typeof counts;
export type CountInput<K extends Count> = Parameters<(typeof counts)[K]>[1];
export type CountOutput<K extends Count> = Awaited<ReturnType<(typeof counts)[K]>>;
