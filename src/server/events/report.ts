/** The operator's step table: how many came to each question, went on, left, or are still there. */
import type { Queries } from "../store/schema.ts";
import { decodeJourney, type Journey, standsAt, together } from "./journey.ts";

/** Who has done nothing for longer has left, milliseconds. */
export const idleAfter = 30 * 60 * 1000;

export interface StepRow {
  readonly questionId: number;
  /** Visitors who came to it; always the sum of the next three. */
  readonly entered: number;
  readonly wentOn: number;
  readonly left: number;
  readonly stillThere: number;
  /** Half of those who answered did so within this time, seconds; null when nobody did. */
  readonly medianSeconds: number | null;
}

export interface VersionReport {
  readonly version: string;
  readonly visitors: number;
  /** Answered at least one question. */
  readonly began: number;
  readonly purchases: number;
  /** Questions somebody came to, by id. */
  readonly steps: readonly StepRow[];
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
  let asked = queries
    .selectFrom("journeys")
    .leftJoin("event_devices", "event_devices.device_id", "journeys.device_id")
    .select((fields) => [
      "journeys.version",
      "journeys.started_at",
      "journeys.last_at",
      "journeys.steps",
      fields.fn.coalesce("event_devices.visitor", "journeys.device_id").as("visitor"),
    ]);
  if (version !== undefined) asked = asked.where("journeys.version", "=", version);
  if (to !== undefined) asked = asked.where("journeys.started_at", "<", to);

  const versions = new Map<string, Map<string, EncodedJourney[]>>();
  for (const { version: of, visitor, ...journey } of await asked.execute()) {
    const visitors = versions.get(of) ?? new Map<string, EncodedJourney[]>();
    versions.set(of, visitors);
    const onOtherDevices = visitors.get(visitor);
    if (onOtherDevices === undefined) visitors.set(visitor, [journey]);
    else onOtherDevices.push(journey);
  }
  return [...versions]
    .map(([id, visitors]) => reportOf(id, journeysOf(visitors.values(), from), now))
    .filter(({ visitors }) => visitors > 0)
    .toSorted((a, b) => a.version.localeCompare(b.version, "en", { numeric: true }));
}

type EncodedJourney = Parameters<typeof decodeJourney>[0];

/** One journey a visitor, of those who started in the time asked for. Decoded one at a time: all at once they would fill the memory. */
function* journeysOf(visitors: Iterable<readonly EncodedJourney[]>, from: number | undefined): Generator<Journey> {
  for (const devices of visitors) {
    const journey = devices.map(decodeJourney).reduce((all, other) => together(all, other));
    // Looked at only now: on the other device the visitor may have started earlier.
    if (from === undefined || journey.startedAt >= from) yield journey;
  }
}

function reportOf(version: string, journeys: Iterable<Journey>, now: number): VersionReport {
  const steps = new Map<number, { left: number; stillThere: number; wentOn: number; readonly seconds: number[] }>();
  let visitors = 0;
  let began = 0;
  let purchases = 0;
  for (const journey of journeys) {
    visitors += 1;
    if (journey.lastAnswer > 0) began += 1;
    if (journey.purchasedAt !== null) purchases += 1;
    const standing = standsAt(journey);
    const gone = now - journey.lastAt > idleAfter;
    for (const [questionId, { shownAt, answeredAt }] of journey.steps) {
      let step = steps.get(questionId);
      if (step === undefined) steps.set(questionId, (step = { left: 0, stillThere: 0, wentOn: 0, seconds: [] }));
      if (questionId !== standing) step.wentOn += 1;
      else if (gone) step.left += 1;
      else step.stillThere += 1;
      if (shownAt !== null && answeredAt !== null && answeredAt >= shownAt) step.seconds.push((answeredAt - shownAt) / 1000);
    }
  }
  return {
    version,
    visitors,
    began,
    purchases,
    steps: [...steps]
      .toSorted(([a], [b]) => a - b)
      .map(([questionId, { seconds, ...counts }]) => ({
        questionId,
        entered: counts.wentOn + counts.left + counts.stillThere,
        ...counts,
        medianSeconds: median(seconds),
      })),
  };
}

function median(values: readonly number[]): number | null {
  const sorted = Float64Array.from(values).toSorted();
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}
