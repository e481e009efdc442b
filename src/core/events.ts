/**
 * Every analytics event and its payload (spec 000 §7). Unknown fields are dropped, and lengths are limited so that an event stays far below 32 KB.
 */
import * as v from "valibot";
import { locales } from "./locales.ts";
import { paymentProviders } from "./products.ts";
import { releaseNamePattern } from "./release.ts";
import { highestQuestionId } from "./routes.ts";
import { momentSchema } from "./validation.ts";

/**
 * Text that may come from a link. Control characters and lone surrogates are removed, because databases cannot store them; the event
 * or call still counts.
 */
export const words = (longest: number) =>
  v.pipe(
    v.string(),
    v.maxLength(longest),
    v.transform((text) => text.replaceAll(/[\p{Cc}\p{Cs}]/gu, "")),
  );
const word = words(255);
/** Above every questionnaire's ids, but low enough to keep a journey small for any input. */
const id = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(highestQuestionId));

/** The dimensions of an event, by which counts can be grouped. Every event may carry them. */
const about = {
  uuid: v.optional(v.pipe(v.string(), v.uuid())),
  /** The questionnaire version. */
  questionnaire: v.optional(word),
  /** The release of the version that the page was rendered from. */
  release: v.optional(v.pipe(v.string(), v.regex(releaseNamePattern))),
  locale: v.optional(v.picklist(locales)),
  /** The visitor's assumed country, ISO 3166 alpha-2. */
  country: v.optional(v.pipe(v.string(), v.regex(/^[A-Z]{2}$/))),
  platform: v.optional(v.picklist(["android", "apple", "other"])),
  theme: v.optional(word),
  campaignId: v.optional(word),
  versionId: v.optional(word),
  advertisementId: v.optional(word),
};

/** The stages of a checkout (spec 001 §4), in order. */
export const purchaseStages = [
  "opened",
  "customer-details",
  "payment-selection",
  "payment-selected",
  "error",
  "completed",
  "closed",
] as const;
export type PurchaseStage = (typeof purchaseStages)[number];

export const events = {
  GetQuestionnaire: v.object({ ...about }),
  QuestionnaireQuestionShown: v.object({ ...about, questionId: id }),
  QuestionnaireAnswer: v.object({ ...about, questionId: id, optionId: id }),
  StudyScheduleSelected: v.object({
    ...about,
    schedule: id,
    months: v.optional(v.number()),
    practiseDaysPerWeek: v.optional(v.number()),
    minutesPerSession: v.optional(v.number()),
  }),
  QuestionnairePopupShown: v.object({ ...about, popupId: word, questionId: v.optional(id) }),
  CampaignEvent: v.object({ ...about, name: v.optional(word) }),
  ChatbotOpen: v.object({ ...about, questionId: v.optional(id) }),
  PaymentMethodSelected: v.object({
    ...about,
    paymentProvider: v.optional(v.picklist(paymentProviders)),
    productId: v.optional(word),
    method: v.optional(word),
    questionId: v.optional(id),
  }),
  PurchaseFlow: v.object({
    ...about,
    stage: v.picklist(purchaseStages),
    error: v.optional(words(2_000)),
    productId: v.optional(word),
    questionId: v.optional(id),
  }),
} as const satisfies Readonly<Record<string, v.GenericSchema>>;

export type EventType = keyof typeof events;
export type EventPayload<T extends EventType> = v.InferOutput<(typeof events)[T]>;
/** An event without id and time, such as the engine's `track` effect. */
export type TrackedEvent = { [T in EventType]: { readonly eventType: T; readonly payload: EventPayload<T> } }[EventType];

const eventId = v.pipe(v.string(), v.uuid());
/** The event's position among those of its device. */
const sequence = v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1)));
/** Any event: its type, its payload and the given fields. */
function anyEvent<const Beside extends v.ObjectEntries>(beside: Beside) {
  const eventOf = <const T extends EventType>(eventType: T) =>
    v.object({ eventType: v.literal(eventType), payload: events[eventType], ...beside });
  return v.variant("eventType", [
    eventOf("GetQuestionnaire"),
    eventOf("QuestionnaireQuestionShown"),
    eventOf("QuestionnaireAnswer"),
    eventOf("StudyScheduleSelected"),
    eventOf("QuestionnairePopupShown"),
    eventOf("CampaignEvent"),
    eventOf("ChatbotOpen"),
    eventOf("PaymentMethodSelected"),
    eventOf("PurchaseFlow"),
  ]);
}
/** One event of a batch. The same `id` counts once; `at` is the device's time, ISO 8601 UTC. */
const sentEventSchema = anyEvent({ id: eventId, at: momentSchema, sequence });
/** A single event (spec 000 §7, send-event). The server adds a missing `id` or time. */
export const singleEventSchema = anyEvent({ id: v.optional(eventId), at: v.optional(momentSchema), sequence });
export type SentEvent = v.InferOutput<typeof sentEventSchema>;
/** The maximum number of events per call. */
export const batchLimit = 100;
/** Events of one device. `sentAt` is the device's clock at sending; the server derives the clock's error from it. */
export const eventBatchSchema = v.object({
  events: v.pipe(v.array(sentEventSchema), v.minLength(1), v.maxLength(batchLimit)),
  device: v.optional(v.pipe(v.string(), v.uuid())),
  sentAt: v.optional(momentSchema),
});
