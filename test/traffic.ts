/** Invented visitors for tests and benchmarks of the report. Their actions, and so the right numbers, are known. */
import type { SentEvent } from "#core/events.ts";

export interface Walker {
  readonly device: string;
  readonly events: readonly SentEvent[];
  readonly shown: (questionId: number) => Walker;
  readonly answers: (questionId: number, optionId?: number) => Walker;
  readonly buys: (questionId: number) => Walker;
}

export interface WalkerParts {
  readonly device: string;
  /** The visitor's questionnaire uuid, if there is one. */
  readonly uuid?: string;
  readonly version?: string;
  /** Time of the first event by the device's clock, ms. Each further event is a second later. */
  readonly startsAt: number;
  readonly newId: () => string;
}

/** Builds the events of one device, in order. */
export function walker({ device, uuid, version = "76", startsAt, newId }: WalkerParts): Walker {
  const events: SentEvent[] = [];
  const about = {
    questionnaire: version,
    locale: "es-419",
    country: "MX",
    platform: "android",
    ...(uuid === undefined ? {} : { uuid }),
  } as const;
  const envelope = () => ({
    id: newId(),
    at: new Date(startsAt + events.length * 1000).toISOString(),
    sequence: startsAt + events.length * 1000,
  });
  const self: Walker = {
    device,
    events,
    shown(questionId) {
      events.push({ eventType: "QuestionnaireQuestionShown", payload: { ...about, questionId }, ...envelope() });
      return self;
    },
    answers(questionId, optionId = 1) {
      events.push({ eventType: "QuestionnaireAnswer", payload: { ...about, questionId, optionId }, ...envelope() });
      return self;
    },
    buys(questionId) {
      events.push({ eventType: "PurchaseFlow", payload: { ...about, questionId, stage: "completed" }, ...envelope() });
      return self;
    },
  };
  return self;
}
