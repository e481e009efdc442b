/** The funnel's numbers, added up one visitor at a time. The studio and `npm run funnel -- report` use only these. */
import { type Journey, standsAt, type Step } from "./journey.ts";
import { encodeNumbers, type Numbers, numbersIn } from "./numbersCode.ts";
import { binOf, binStarts, medianOf, medianOfBins } from "./seconds.ts";

/** A visitor who is inactive for longer has left, ms. */
export const idleAfter = 30 * 60 * 1000;

export interface StepCounts {
  readonly questionId: number;
  /** Visitors who reached it: always the sum of the next three. */
  readonly entered: number;
  readonly wentOn: number;
  readonly left: number;
  readonly stillThere: number;
  /** Median answering time, seconds; null when nobody answered. */
  readonly medianSeconds: number | null;
}

export interface Counts {
  readonly visitors: number;
  /** Visitors who answered at least one question. */
  readonly began: number;
  /** Visitors who paid or began a trial, from the ledger. */
  readonly purchases: number;
  /** Reached questions, by id. */
  readonly steps: readonly StepCounts[];
}

/** What a visitor did at a question. */
export const fates = ["wentOn", "left", "stillThere"] as const;
export type Fate = (typeof fates)[number];

/** @returns null when the visitor never reached it */
export function fateAt(journey: Journey, questionId: number, now: number): Fate | null {
  if (!journey.steps.has(questionId)) return null;
  return questionId === standsAt(journey) ? fateWhereStanding(journey, now) : "wentOn";
}

function fateWhereStanding({ lastAt }: Journey, now: number): Fate {
  return now - lastAt > idleAfter ? "left" : "stillThere";
}

/** Seconds from the first showing to the first answer; null when either is missing. */
export function secondsAt(journey: Journey, questionId: number): number | null {
  const step = journey.steps.get(questionId);
  return step === undefined ? null : secondsOf(step);
}

function secondsOf({ shownAt, answeredAt }: Step): number | null {
  return shownAt === null || answeredAt === null || answeredAt < shownAt ? null : (answeredAt - shownAt) / 1000;
}

/** The sums of one question. */
export class StepTally implements Record<Fate, number> {
  wentOn = 0;
  left = 0;
  stillThere = 0;
  /** Times of visitors added one by one. Made when needed, like `#chosen`: a count has hundreds of thousands of these objects. */
  #seconds: number[] | null = null;
  #chosen: Map<number, number> | null = null;
  /** Times of stored days, by bin; null when there are none. */
  #bins: Uint32Array | null = null;
  /** The exact median, if it came with binned times; undefined if it did not. */
  #exact: number | null | undefined = undefined;

  get seconds(): readonly number[] {
    return this.#seconds ?? [];
  }

  /** Visitors by the option they chose last. */
  get chosen(): ReadonlyMap<number, number> {
    return this.#chosen ?? new Map();
  }

  get entered(): number {
    return this.wentOn + this.left + this.stillThere;
  }

  /** Adds a visitor. */
  add(fate: Fate, step: Step): void {
    this[fate] += 1;
    const seconds = secondsOf(step);
    if (seconds !== null) (this.#seconds ??= []).push(seconds);
    this.#exact = undefined;
    if (step.chosen !== null) this.addChosen(step.chosen.optionId, 1);
  }

  addChosen(optionId: number, count: number): void {
    this.#chosen ??= new Map();
    this.#chosen.set(optionId, (this.#chosen.get(optionId) ?? 0) + count);
  }

  addStep(other: StepTally): void {
    const exact = !this.#isTimed() ? other.#exact : !other.#isTimed() ? this.#exact : undefined;
    for (const fate of fates) this[fate] += other[fate];
    if (other.#bins === null) for (const seconds of other.seconds) (this.#seconds ??= []).push(seconds);
    else for (const [bin, count] of other.filledBins()) this.addBin(bin, count);
    for (const [optionId, count] of other.chosen) this.addChosen(optionId, count);
    this.#exact = exact;
  }

  #isTimed(): boolean {
    return this.#bins !== null || this.#seconds !== null;
  }

  /** Adds times that were counted in bins elsewhere, with their exact median if it is known. */
  addBinned(bins: Iterable<readonly [bin: number, count: number]>, exact?: number | null): void {
    for (const [bin, count] of bins) this.addBin(bin, count);
    this.#exact = exact;
  }

  addBin(bin: number, count: number): void {
    this.#exact = undefined;
    this.#bins ??= new Uint32Array(binStarts.length);
    this.#bins[bin] = (this.#bins[bin] ?? 0) + count;
  }

  /** All times, by bin. */
  bins(): Uint32Array {
    const bins = this.#bins?.slice() ?? new Uint32Array(binStarts.length);
    for (const each of this.seconds) {
      const bin = binOf(each);
      bins[bin] = (bins[bin] ?? 0) + 1;
    }
    return bins;
  }

  /** Non-empty bins, in order. */
  filledBins(): readonly (readonly [bin: number, count: number])[] {
    if (this.#bins !== null) return [...this.bins().entries()].filter(([, count]) => count > 0);
    const counts = new Map<number, number>();
    for (const bin of this.seconds.map(binOf)) counts.set(bin, (counts.get(bin) ?? 0) + 1);
    return [...counts].toSorted(([a], [b]) => a - b);
  }

  /** The median. It is exact unless stored days were added; then it is accurate to the width of a bin. */
  median(): number | null {
    if (this.#exact !== undefined) return this.#exact;
    return this.#bins === null ? medianOf(this.seconds) : medianOfBins(this.bins());
  }
}

export interface Tally {
  readonly add: (journey: Journey, bought: boolean) => void;
  /** Adds another tally. */
  readonly addTally: (other: Tally) => void;
  /** Adds totals that were counted elsewhere. */
  readonly addTotals: (more: Omit<Counts, "steps">) => void;
  readonly totals: Omit<Counts, "steps">;
  readonly stepOf: (questionId: number) => StepTally;
  readonly steps: ReadonlyMap<number, StepTally>;
  /** Adds a stored tally. */
  readonly addKept: (kept: string) => void;
  readonly counts: () => Counts;
  /** Encodes the tally for storage. */
  readonly kept: () => string;
}

/** @param only counts this question alone */
export function createTally(now: number, only?: number): Tally {
  const steps = new Map<number, StepTally>();
  const totals = { visitors: 0, began: 0, purchases: 0 };
  const stepOf = (questionId: number) => {
    let step = steps.get(questionId);
    if (step === undefined) steps.set(questionId, (step = new StepTally()));
    return step;
  };
  const addTotals: Tally["addTotals"] = ({ visitors, began, purchases }) => {
    totals.visitors += visitors;
    totals.began += began;
    totals.purchases += purchases;
  };
  return {
    steps,
    stepOf,
    totals,
    addTotals,
    addTally(other) {
      addTotals(other.totals);
      for (const [questionId, step] of other.steps) stepOf(questionId).addStep(step);
    },
    add(journey, bought) {
      totals.visitors += 1;
      if (journey.lastAnswer > 0) totals.began += 1;
      if (bought) totals.purchases += 1;
      const standing = standsAt(journey);
      for (const [questionId, step] of journey.steps)
        if (only === undefined || only === questionId)
          stepOf(questionId).add(questionId === standing ? fateWhereStanding(journey, now) : "wentOn", step);
    },
    addKept(kept) {
      const numbers = numbersIn(kept);
      addTotals({ visitors: numbers.next() ?? 0, began: numbers.next() ?? 0, purchases: numbers.next() ?? 0 });
      for (let questionId = numbers.next(); questionId !== undefined; questionId = numbers.next())
        if (only !== undefined && only !== questionId) skipKeptStep(numbers);
        else {
          addKeptStep(stepOf(questionId), numbers);
          if (only !== undefined) return;
        }
    },
    counts: () => ({
      ...totals,
      steps: [...steps]
        .toSorted(([a], [b]) => a - b)
        .map(([questionId, step]) => ({
          questionId,
          entered: step.entered,
          wentOn: step.wentOn,
          left: step.left,
          stillThere: step.stillThere,
          medianSeconds: step.median(),
        })),
    }),
    kept: () => encodeNumbers(numbersOf(totals, steps)),
  };
}

function addKeptStep(step: StepTally, { next }: Numbers): void {
  const number = () => next() ?? 0;
  for (const fate of fates) step[fate] += number();
  for (let bin = 0, left = number(); left > 0; left -= 1) {
    bin += number();
    step.addBin(bin, number());
  }
  for (let left = number(); left > 0; left -= 1) {
    const optionId = number();
    step.addChosen(optionId, number());
  }
}

function skipKeptStep({ next, skip }: Numbers): void {
  skip(fates.length);
  skip(2 * (next() ?? 0));
  skip(2 * (next() ?? 0));
}

/**
 * The numbers of a stored tally, in this order: the totals; then for each question
 * - its id and its fates,
 * - the number of non-empty bins, then each of these bins as distance and count,
 * - the number of chosen options, then each of these options with its count.
 */
function* numbersOf({ visitors, began, purchases }: Omit<Counts, "steps">, steps: ReadonlyMap<number, StepTally>): Generator<number> {
  yield* [visitors, began, purchases];
  for (const [questionId, step] of steps) {
    yield* [questionId, step.wentOn, step.left, step.stillThere];
    const bins = step.filledBins();
    yield bins.length;
    let last = 0;
    for (const [bin, count] of bins) {
      yield* [bin - last, count];
      last = bin;
    }
    yield step.chosen.size;
    for (const chosen of step.chosen) yield* chosen;
  }
}
