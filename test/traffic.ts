/** Invented visitors for tests and benches of the report: what they do is known, and so are the true numbers. */
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
  /** The questionnaire's uuid for the visitor, if it has come. */
  readonly uuid?: string;
  readonly version?: string;
  /** When the first event happens by the device's clock; each further one is a second later. */
  readonly startsAt: number;
  readonly newId: () => string;
}

/** A device that does one thing after the other. */
export function walker({ device, uuid, version = "76", startsAt, newId }: WalkerParts): Walker {
  const events: SentEvent[] = [];
  const about = {
    questionnaire: version,
    locale: "es-419",
    country: "MX",
    platform: "android",
    ...(uuid === undefined ? {} : { uuid }),
  } as const;
  const envelope = () => ({ id: newId(), at: new Date(startsAt + events.length * 1000).toISOString(), sequence: events.length + 1 });
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
