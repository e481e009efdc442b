/** The numbers of the funnel, added up one visitor at a time. The studio and `npm run funnel -- report` count by it and by nothing else. */
import { type Journey, standsAt } from "./journey.ts";

/** Who has done nothing for longer has left, milliseconds. */
export const idleAfter = 30 * 60 * 1000;

export interface StepCounts {
  readonly questionId: number;
  /** Visitors who came to it; always the sum of the next three. */
  readonly entered: number;
  readonly wentOn: number;
  readonly left: number;
  readonly stillThere: number;
  /** Half of those who answered did so within this time, seconds; null when nobody did. */
  readonly medianSeconds: number | null;
}

export interface Counts {
  readonly visitors: number;
  /** Answered at least one question. */
  readonly began: number;
  /** Paid or began a trial, as the ledger has it. */
  readonly purchases: number;
  /** Questions somebody came to, by id. */
  readonly steps: readonly StepCounts[];
}

/** What became of a visitor at one question. */
export type Fate = "wentOn" | "left" | "stillThere";

/** @returns null where the visitor never came to it */
export function fateAt(journey: Journey, questionId: number, now: number): Fate | null {
  if (!journey.steps.has(questionId)) return null;
  if (questionId !== standsAt(journey)) return "wentOn";
  return now - journey.lastAt > idleAfter ? "left" : "stillThere";
}

/** Seconds from the first showing to the first answer; null without both. */
export function secondsAt(journey: Journey, questionId: number): number | null {
  const { shownAt = null, answeredAt = null } = journey.steps.get(questionId) ?? {};
  return shownAt === null || answeredAt === null || answeredAt < shownAt ? null : (answeredAt - shownAt) / 1000;
}

export interface Tally {
  readonly add: (journey: Journey, bought: boolean) => void;
  readonly counts: () => Counts;
}

export function createTally(now: number): Tally {
  const steps = new Map<number, Record<Fate, number> & { readonly seconds: number[] }>();
  let visitors = 0;
  let began = 0;
  let purchases = 0;
  return {
    add(journey, bought) {
      visitors += 1;
      if (journey.lastAnswer > 0) began += 1;
      if (bought) purchases += 1;
      for (const questionId of journey.steps.keys()) {
        let step = steps.get(questionId);
        if (step === undefined) steps.set(questionId, (step = { left: 0, stillThere: 0, wentOn: 0, seconds: [] }));
        const fate = fateAt(journey, questionId, now);
        if (fate !== null) step[fate] += 1;
        const seconds = secondsAt(journey, questionId);
        if (seconds !== null) step.seconds.push(seconds);
      }
    },
    counts: () => ({
      visitors,
      began,
      purchases,
      steps: [...steps]
        .toSorted(([a], [b]) => a - b)
        .map(([questionId, { seconds, ...counts }]) => ({
          questionId,
          entered: counts.wentOn + counts.left + counts.stillThere,
          ...counts,
          medianSeconds: medianOf(seconds),
        })),
    }),
  };
}

/** The upper one where there are two in the middle; null of nothing. */
export function medianOf(values: readonly number[]): number | null {
  const sorted = Float64Array.from(values).toSorted();
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}
