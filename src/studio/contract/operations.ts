/** Calls of the Operations screen: outboxes, failures, processes, alerts. */
import * as codes from "#core/errorCodes.ts";
import * as v from "valibot";
import { reasonSchema } from "./operators.ts";
import type { StudioCalls } from "./call.ts";
import { replayedVisit } from "./funnel.ts";

export const boxes = ["mail", "conversions", "webhooks", "duties", "erasures", "alerts", "journeys"] as const;
export type Box = (typeof boxes)[number];
export const alertRuleNames = [
  "no-payments",
  "webhooks-fail",
  "mail-waits",
  "duties-wait",
  "server-errors",
  "page-errors",
  "money-differs",
  "copy-waits",
] as const;
export type AlertRuleName = (typeof alertRuleNames)[number];

const entryState = v.picklist(["waiting", "failed", "done"]);
const entry = {
  id: v.string(),
  /** The mail's template, the webhook's event type, or the duty's action. */
  kind: v.string(),
  /** The kind in words. */
  title: v.string(),
  /** Its recipient or object. */
  subject: v.string(),
  /** The account that it is about, if it still exists. */
  person: v.nullable(v.string()),
  at: v.number(),
  attempts: v.number(),
  nextAt: v.nullable(v.number()),
  doneAt: v.nullable(v.number()),
  error: v.nullable(v.string()),
  state: entryState,
  /** Whether it can be retried now: it was given up, or it has waited longer than an attempt can take. */
  mayRetry: v.boolean(),
};
const boxSchema = v.object({
  box: v.picklist(boxes),
  /** Entries that wait to be sent. */
  waiting: v.number(),
  /** When the oldest waiting entry was added. */
  oldestAt: v.nullable(v.number()),
  /** How many of the waiting entries have failed before. */
  tried: v.number(),
  /** Entries that were given up and are not retried automatically. */
  failed: v.number(),
  nextAt: v.nullable(v.number()),
});
export type BoxState = v.InferOutput<typeof boxSchema>;
const openAlertSchema = v.object({
  id: v.string(),
  rule: v.picklist(alertRuleNames),
  says: v.string(),
  beganAt: v.number(),
  endedAt: v.nullable(v.number()),
  seenBy: v.nullable(v.string()),
  seenAt: v.nullable(v.number()),
});
const alertSchema = v.object({
  ...openAlertSchema.entries,
  /** What operators did about it, oldest first. */
  done: v.array(v.object({ at: v.number(), operator: v.string(), action: v.string(), reason: v.nullable(v.string()) })),
});
const days = v.optional(v.pipe(v.string(), v.regex(/^\d{1,2}$/), v.transform(Number), v.minValue(1), v.maxValue(90)), "7");

export const operationsCalls = {
  operations: {
    method: "GET",
    role: "viewer",
    input: v.object({}),
    output: v.object({
      at: v.number(),
      versions: v.object({ code: v.string(), schema: v.string(), content: v.string() }),
      processes: v.array(
        v.object({
          id: v.string(),
          startedAt: v.number(),
          seenAt: v.number(),
          code: v.string(),
          schema: v.string(),
          content: v.string(),
          requests: v.number(),
          failures: v.number(),
          /** 95th percentile of response times, ms. */
          p95: v.nullable(v.number()),
          lives: v.boolean(),
        }),
      ),
      parts: v.array(
        v.object({
          name: v.string(),
          state: v.picklist(["works", "slow", "fails", "unknown"]),
          says: v.string(),
          at: v.nullable(v.number()),
        }),
      ),
      boxes: v.array(boxSchema),
      /** In the last 24 hours. */
      webhooks: v.object({ received: v.number(), applied: v.number(), failed: v.number() }),
      mails: v.object({ queued: v.number(), sent: v.number(), waiting: v.number(), failed: v.number() }),
      limits: v.array(v.object({ rule: v.string(), refused: v.number(), lastAt: v.number(), points: v.number(), seconds: v.number() })),
      alerts: v.array(openAlertSchema),
      actions: v.array(
        v.object({
          at: v.number(),
          operator: v.string(),
          action: v.string(),
          subject: v.string(),
          /** The account that it was about; null for viewers, and once it is erased. */
          person: v.nullable(v.string()),
        }),
      ),
    }),
    errors: [],
  },
  outbox: {
    method: "GET",
    role: "support",
    input: v.object({
      box: v.picklist(boxes),
      state: v.optional(entryState),
      kind: v.optional(v.pipe(v.string(), v.maxLength(100))),
      limit: v.optional(v.pipe(v.string(), v.regex(/^\d{1,3}$/), v.transform(Number), v.minValue(1), v.maxValue(500)), "100"),
    }),
    output: v.object({ rows: v.array(v.object(entry)), more: v.boolean() }),
    errors: [codes.invalidInput],
  },
  /** One entry in full, with secrets masked. */
  outboxEntry: {
    method: "GET",
    role: "support",
    input: v.object({ box: v.picklist(boxes), id: v.pipe(v.string(), v.maxLength(400)) }),
    output: v.object({ ...entry, content: v.string() }),
    errors: [codes.invalidInput, codes.notFound],
  },
  /** Retries an entry at once. It is claimed as usual, so a running attempt is not doubled. */
  outboxRetry: {
    method: "POST",
    role: "support",
    input: v.object({ box: v.picklist(boxes), id: v.pipe(v.string(), v.maxLength(400)), reason: reasonSchema }),
    output: v.object({ retried: v.boolean() }),
    errors: [codes.invalidInput, codes.notFound],
  },
  clientErrors: {
    method: "GET",
    role: "viewer",
    input: v.object({ days }),
    output: v.array(
      v.object({
        cause: v.string(),
        message: v.string(),
        place: v.string(),
        stack: v.string(),
        firstAt: v.number(),
        lastAt: v.number(),
        count: v.number(),
        versions: v.array(v.string()),
        browsers: v.array(v.string()),
        questionnaires: v.array(v.string()),
        routes: v.array(v.string()),
        /** The latest visit with this error that may be replayed; null without one, and for viewers. */
        visit: v.nullable(replayedVisit),
      }),
    ),
    errors: [codes.invalidInput],
  },
  alertSettings: {
    method: "GET",
    role: "viewer",
    input: v.object({}),
    output: v.object({
      rules: v.array(
        v.object({
          name: v.picklist(alertRuleNames),
          title: v.string(),
          /** `{n}` stands for the threshold. */
          sentence: v.string(),
          active: v.boolean(),
          threshold: v.number(),
          usual: v.number(),
        }),
      ),
      mail: v.nullable(v.string()),
      webhook: v.nullable(v.string()),
      alerts: v.array(alertSchema),
    }),
    errors: [],
  },
  alertRuleSet: {
    method: "POST",
    role: "admin",
    input: v.object({
      name: v.picklist(alertRuleNames),
      active: v.boolean(),
      threshold: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000)),
      reason: reasonSchema,
    }),
    output: v.object({}),
    errors: [codes.invalidInput],
  },
  /** An empty target removes the channel. A webhook's signing key is shown once. */
  alertChannelSet: {
    method: "POST",
    role: "admin",
    input: v.variant("name", [
      v.object({
        name: v.literal("mail"),
        target: v.union([v.literal(""), v.pipe(v.string(), v.trim(), v.maxLength(254), v.email("validator_email"))]),
      }),
      v.object({ name: v.literal("webhook"), target: v.union([v.literal(""), v.pipe(v.string(), v.trim(), v.maxLength(500), v.url())]) }),
    ]),
    output: v.object({ secret: v.nullable(v.string()) }),
    errors: [codes.invalidInput],
  },
  /** Marks an alert as seen, or adds what is done about it. A note is kept in the audit with the operator's name. */
  alertSeen: {
    method: "POST",
    role: "support",
    input: v.object({ id: v.pipe(v.string(), v.uuid()), note: v.optional(reasonSchema) }),
    output: v.object({}),
    errors: [codes.invalidInput, codes.notFound],
  },
} as const satisfies StudioCalls;
