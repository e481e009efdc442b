/**
 * What a visitor did in a version, as far as the step table needs it. It is folded from events one by one and comes out the same in
 * whatever order and how often they arrive: every part is a minimum, a maximum or a set.
 */
import type { SentEvent } from "#core/events.ts";

/** When a question was first shown and first answered, milliseconds, and what was chosen last; null for never. */
interface Step {
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
  /** Place of the last answer among the device's events; 0 before the first. */
  readonly lastAnswer: number;
  /** When it was given, and 0 before the first: what orders the journeys of two devices. */
  readonly lastAnswerAt: number;
  /** Questions shown after it, each with its place: the first of them is where the visitor stands, later ones are looks back. */
  readonly shownSince: readonly (readonly [place: number, questionId: number])[];
  readonly purchasedAt: number | null;
}

/** An event as it counts: at our time, at its place among the device's. */
export type PlacedEvent = Pick<SentEvent, "eventType" | "payload"> & { readonly happenedAt: number; readonly place: number };

/** Looks that are remembered while no answer follows; more say nothing new. */
const mostLooks = 100;

export function newJourney(at: number): Journey {
  return { startedAt: at, lastAt: at, steps: new Map(), lastAnswer: 0, lastAnswerAt: 0, shownSince: [], purchasedAt: null };
}

/** Least of two times, of which none may be known. */
function earliest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

/** The later of two; of two at the same moment always the same one. */
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

/** The same visitor's journeys on several devices, as one: where they stand is where they went on last. */
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

/** When a visitor came to where they stand. */
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
/** Stands first in what is written; format 1 had no number, and no chosen options. */
const format = 2;

/** As the table keeps it: an array with times from the start on, because a journey has dozens of steps and there are very many. */
export function encodeJourney({ startedAt, steps, lastAnswer, lastAnswerAt, shownSince, purchasedAt }: Journey): string {
  const since = (at: Time) => (at === null ? null : at - startedAt);
  const rows = [...steps].map(([questionId, { shownAt, answeredAt, chosen }]): EncodedStep => {
    const times = [questionId, since(shownAt), since(answeredAt)] as const;
    return chosen === null ? times : [...times, chosen.optionId, chosen.at - startedAt];
  });
  const encoded: Encoded = [rows, lastAnswer, lastAnswerAt, shownSince, since(purchasedAt)];
  return JSON.stringify([format, ...encoded]);
}

/** The reverse. Throws when the text has another format. */
export function decodeJourney(row: { readonly started_at: number; readonly last_at: number; readonly steps: string }): Journey {
  const parsed: unknown = JSON.parse(row.steps);
  if (!isEncoded(parsed)) throw new Error("A journey has a format that this release does not know.");
  const [steps, lastAnswer, lastAnswerAt, shownSince, purchasedAt] = parsed.length === 6 ? withoutFormat(parsed) : parsed;
  const start = row.started_at;
  const at = (since: Time) => (since === null ? null : since + start);
  // Every visitor counted is read here: this loop is most of it.
  const known = new Map<number, Step>();
  for (const [questionId, shownAt, answeredAt, optionId, chosenAt = 0] of steps)
    known.set(questionId, {
      shownAt: at(shownAt),
      answeredAt: at(answeredAt),
      chosen: optionId === undefined ? null : { optionId, at: start + chosenAt },
    });
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

/** Only as far as the format goes: the table holds what `encodeJourney` wrote. */
function isEncoded(parsed: unknown): parsed is Encoded | readonly [typeof format, ...Encoded] {
  return Array.isArray(parsed) && ((parsed.length === 6 && parsed[0] === format) || (parsed.length === 5 && Array.isArray(parsed[0])));
}

const withoutFormat = ([, ...encoded]: readonly [typeof format, ...Encoded]): Encoded => encoded;
