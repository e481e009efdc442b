/**
 * What a visitor did in a version, as far as the step table needs it. It is folded from events, and the result does not depend on their order or
 * repetition: every part is a minimum, a maximum or a set.
 */
import type { SentEvent } from "#core/events.ts";

/** When a question was first shown and first answered, ms, and the option chosen last. Null for never. */
export interface Step {
  readonly shownAt: number | null;
  readonly answeredAt: number | null;
  readonly chosen: Chosen | null;
}
interface Chosen {
  readonly optionId: number;
  readonly at: number;
}

const untouched: Step = { shownAt: null, answeredAt: null, chosen: null };

export interface Journey {
  readonly startedAt: number;
  readonly lastAt: number;
  readonly steps: ReadonlyMap<number, Step>;
  /** The position of the last answer among the device's events; 0 when there is none. */
  readonly lastAnswer: number;
  /** The time of the last answer; 0 when there is none. It orders the journeys of two devices. */
  readonly lastAnswerAt: number;
  /** Questions shown after the last answer, each with its position. The visitor stands at the first of them; later ones are looks back. */
  readonly shownSince: readonly (readonly [place: number, questionId: number])[];
  readonly purchasedAt: number | null;
}

/** An event with its time by our clock and its position among the device's events. */
export type PlacedEvent = Pick<SentEvent, "eventType" | "payload"> & { readonly happenedAt: number; readonly place: number };

/** The most entries of `shownSince`. Further ones would change no number. */
const mostLooks = 100;

export function newJourney(at: number): Journey {
  return { startedAt: at, lastAt: at, steps: new Map(), lastAnswer: 0, lastAnswerAt: 0, shownSince: [], purchasedAt: null };
}

/** The earlier of two times; each may be unknown. */
function earliest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

/** The later of two choices. For equal times the result is the same in either order. */
function latest(a: Chosen | null, b: Chosen | null): Chosen | null {
  if (a === null || b === null) return a ?? b;
  return a.at > b.at || (a.at === b.at && a.optionId >= b.optionId) ? a : b;
}

export function fold(journey: Journey, { eventType, payload, happenedAt, place }: PlacedEvent): Journey {
  const questionId = "questionId" in payload ? payload.questionId : undefined;
  const shown = eventType === "QuestionnaireQuestionShown";
  const purchased = eventType === "PurchaseFlow" && "stage" in payload && payload.stage === "completed";
  const answered = eventType === "QuestionnaireAnswer" || purchased;
  const seen = {
    ...journey,
    startedAt: Math.min(journey.startedAt, happenedAt),
    lastAt: Math.max(journey.lastAt, happenedAt),
    purchasedAt: purchased ? earliest(journey.purchasedAt, happenedAt) : journey.purchasedAt,
  };
  if (questionId === undefined || !(shown || answered)) return seen;
  const before = journey.steps.get(questionId) ?? untouched;
  const chosen = answered && "optionId" in payload ? { optionId: payload.optionId, at: happenedAt } : null;
  const steps = new Map(journey.steps).set(questionId, {
    shownAt: shown ? earliest(before.shownAt, happenedAt) : before.shownAt,
    answeredAt: answered ? earliest(before.answeredAt, happenedAt) : before.answeredAt,
    chosen: latest(before.chosen, chosen),
  });
  const lastAnswer = answered ? Math.max(journey.lastAnswer, place) : journey.lastAnswer;
  const looks = shown ? [...journey.shownSince, [place, questionId] as const] : journey.shownSince;
  const shownSince =
    looks === journey.shownSince && lastAnswer === journey.lastAnswer
      ? looks
      : [...new Map(looks.filter(([at]) => at > lastAnswer))].toSorted(([a], [b]) => a - b).slice(0, mostLooks);
  return {
    ...seen,
    steps,
    lastAnswer,
    lastAnswerAt: answered && place >= journey.lastAnswer ? happenedAt : journey.lastAnswerAt,
    shownSince,
  };
}

/** The question a visitor stands at: the first one shown after the last answer. Null when the last answer led out of the questions. */
export function standsAt({ shownSince }: Journey): number | null {
  return shownSince[0]?.[1] ?? null;
}

/** Merges a visitor's journeys on two devices. The visitor stands where they went on last. */
export function mergeJourneys(a: Journey, b: Journey): Journey {
  const steps = new Map(a.steps);
  for (const [questionId, { shownAt, answeredAt, chosen }] of b.steps) {
    const known = steps.get(questionId) ?? untouched;
    steps.set(questionId, {
      shownAt: earliest(known.shownAt, shownAt),
      answeredAt: earliest(known.answeredAt, answeredAt),
      chosen: latest(known.chosen, chosen),
    });
  }
  const later = arrivedAt(a) >= arrivedAt(b) ? a : b;
  return {
    ...later,
    startedAt: Math.min(a.startedAt, b.startedAt),
    lastAt: Math.max(a.lastAt, b.lastAt),
    steps,
    purchasedAt: earliest(a.purchasedAt, b.purchasedAt),
  };
}

/** When the visitor arrived at the question where they stand. */
function arrivedAt(journey: Journey): number {
  const standing = standsAt(journey);
  return Math.max(journey.lastAnswerAt, (standing === null ? null : journey.steps.get(standing)?.shownAt) ?? 0);
}

type Time = number | null;
type EncodedStep = readonly [questionId: number, shownAt: Time, answeredAt: Time, optionId?: number, chosenAt?: number];
type Encoded = readonly [
  steps: readonly EncodedStep[],
  lastAnswer: number,
  lastAnswerAt: number,
  shownSince: Journey["shownSince"],
  purchasedAt: Time,
];
/** The first element of the encoded form. Format 1 had no number and no chosen options. */
const format = 2;

/**
 * The stored form: an array with times relative to the start. It is compact, because a journey has dozens of steps and there are very many journeys.
 */
export function encodeJourney({ startedAt, steps, lastAnswer, lastAnswerAt, shownSince, purchasedAt }: Journey): string {
  const since = (at: Time) => (at === null ? null : at - startedAt);
  const rows = [...steps].map(([questionId, { shownAt, answeredAt, chosen }]): EncodedStep => {
    const times = [questionId, since(shownAt), since(answeredAt)] as const;
    return chosen === null ? times : [...times, chosen.optionId, chosen.at - startedAt];
  });
  const encoded: Encoded = [rows, lastAnswer, lastAnswerAt, shownSince, since(purchasedAt)];
  return JSON.stringify([format, ...encoded]);
}

/** Decodes a stored journey. Throws when its format is unknown. */
export function decodeJourney(row: { readonly started_at: number; readonly last_at: number; readonly steps: string }): Journey {
  const parsed: unknown = JSON.parse(row.steps);
  if (!isEncoded(parsed)) throw new Error("A journey has a format that this release does not know.");
  const [steps, lastAnswer, lastAnswerAt, shownSince, purchasedAt] = parsed.length === 6 ? withoutFormat(parsed) : parsed;
  const start = row.started_at;
  const at = (since: Time) => (since === null ? null : since + start);
  // Every visitor counted is decoded here, and this loop takes most of the time: reading by index is quicker than by pattern.
  const known = new Map<number, Step>();
  for (const step of steps) {
    const optionId = step[3];
    const chosen = optionId === undefined ? null : { optionId, at: start + (step[4] ?? 0) };
    known.set(step[0], { shownAt: at(step[1]), answeredAt: at(step[2]), chosen });
  }
  return {
    startedAt: start,
    lastAt: row.last_at,
    steps: known,
    lastAnswer,
    lastAnswerAt,
    shownSince,
    purchasedAt: at(purchasedAt),
  };
}

/** Checks the format only, because the table holds only what `encodeJourney` wrote. */
function isEncoded(parsed: unknown): parsed is Encoded | readonly [typeof format, ...Encoded] {
  return Array.isArray(parsed) && ((parsed.length === 6 && parsed[0] === format) || (parsed.length === 5 && Array.isArray(parsed[0])));
}

const withoutFormat = (parsed: readonly [typeof format, ...Encoded]): Encoded => [parsed[1], parsed[2], parsed[3], parsed[4], parsed[5]];
