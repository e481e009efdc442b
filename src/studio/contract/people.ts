/** Calls of the People screens. All of them show personal data, so they need the support role. */
import * as codes from "#core/errorCodes.ts";
import * as v from "valibot";
import { locales } from "#core/locales.ts";
import { maxGrantedDays } from "#core/products.ts";
import { reasonSchema } from "./operators.ts";
import type { StudioCalls } from "./call.ts";
import { replayedVisit } from "./funnel.ts";

const uuid = v.pipe(v.string(), v.uuid());
const id = v.pipe(v.string(), v.minLength(1), v.maxLength(200));
const email = v.pipe(v.string(), v.trim(), v.toLowerCase(), v.maxLength(254), v.email("validator_invalid_email"));
const time = v.nullable(v.number());
const nothing = v.object({});
const entitled = v.picklist(["active", "past_due", "paused", "deleted"]);

const foundSchema = v.object({
  uuid: v.string(),
  email: v.string(),
  firstname: v.nullable(v.string()),
  confirmed: v.boolean(),
  locale: v.string(),
  createdAt: v.number(),
  version: v.string(),
  finished: v.boolean(),
  plan: v.nullable(v.object({ status: entitled, end: time, productPlan: v.string() })),
});

/** Kinds of lines on a person's time line. */
export const lineKinds = ["payments", "mails", "visits", "account"] as const;
const lineSchema = v.object({
  id: v.string(),
  at: v.number(),
  kind: v.picklist(lineKinds),
  title: v.string(),
  says: v.nullable(v.string()),
  money: v.nullable(v.object({ minor: v.number(), currency: v.string() })),
  /** An id of ours or the provider's, for copying. */
  reference: v.nullable(v.string()),
  state: v.nullable(v.object({ tone: v.picklist(["good", "bad", "care", "none"]), words: v.string() })),
  /** A mail that can be opened; `again`: whether it can be resent. */
  mail: v.nullable(v.object({ id: v.string(), again: v.boolean() })),
  /** A visit that may be replayed. */
  visit: v.nullable(replayedVisit),
});
export type Line = v.InferOutput<typeof lineSchema>;

const paymentSchema = v.object({
  transaction: v.string(),
  provider: v.string(),
  at: time,
  total: v.number(),
  /** The amount that is not refunded yet. */
  left: v.number(),
  currency: v.string(),
  subscription: v.nullable(v.string()),
  /** A refund that the provider has not carried out yet. */
  asked: v.nullable(v.object({ at: v.number(), error: v.nullable(v.string()), givenUp: v.boolean() })),
});

const personSchema = v.object({
  account: v.object({
    uuid: v.string(),
    email: v.string(),
    firstname: v.nullable(v.string()),
    confirmedAt: time,
    hasPassword: v.boolean(),
    locale: v.string(),
    createdAt: v.number(),
    appVersion: v.string(),
    marketing: v.nullable(v.boolean()),
    newEmail: v.nullable(v.string()),
    /** The address is confirmed, or its owner has an order. A new address then counts only after its mailbox has confirmed it. */
    addressStays: v.boolean(),
  }),
  learning: v.object({ version: v.string(), finished: v.boolean(), level: v.nullable(v.string()), savedAt: time }),
  entitlement: v.object({
    usable: v.boolean(),
    status: v.nullable(entitled),
    end: time,
    /** The reason, as a sentence from the ledger's facts. */
    why: v.string(),
  }),
  /** Possible causes why they cannot log in, the likeliest first. */
  obstacles: v.array(v.object({ title: v.string(), says: v.string() })),
  plan: v.nullable(
    v.object({
      provider: v.string(),
      subscription: v.nullable(v.string()),
      productPlan: v.string(),
      price: v.number(),
      currency: v.string(),
      trialing: v.boolean(),
      nextCharge: time,
      change: v.nullable(v.object({ action: v.picklist(["cancel", "pause", "resume"]), at: v.number() })),
      actions: v.array(v.picklist(["cancel", "pause", "resume", "keep"])),
      moneyBackUntil: v.nullable(v.string()),
    }),
  ),
  payments: v.array(paymentSchema),
  consents: v.array(
    v.object({ at: v.number(), functional: v.boolean(), analytics: v.boolean(), marketing: v.boolean(), source: v.string() }),
  ),
  sessions: v.array(v.object({ startedAt: v.number(), enteredBy: v.string(), endedAt: time, endReason: v.nullable(v.string()) })),
  lines: v.array(lineSchema),
  audit: v.array(v.object({ at: v.number(), who: v.string(), what: v.string(), reason: v.nullable(v.string()) })),
});
export type PersonPage = v.InferOutput<typeof personSchema>;

export const peopleCalls = {
  /** The newest accounts, or those that match the search. */
  people: {
    method: "GET",
    role: "support",
    input: v.object({
      /** The start of an e-mail address or first name, or the id of an order, transaction or subscription. */
      q: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(254)), ""),
      after: v.optional(v.pipe(v.string(), v.regex(/^\d{1,15}\.[\w-]{1,60}$/))),
    }),
    output: v.object({ rows: v.array(foundSchema), next: v.nullable(v.string()) }),
    errors: [codes.invalidInput],
  },
  person: { method: "GET", role: "support", input: v.object({ uuid }), output: personSchema, errors: [codes.invalidInput, codes.notFound] },
  /** A mail as it was sent, with its links and codes masked. */
  personMail: {
    method: "GET",
    role: "support",
    input: v.object({ uuid, mail: uuid }),
    output: v.object({
      subject: v.string(),
      html: v.string(),
      text: v.string(),
      locale: v.picklist(locales),
      recipient: v.string(),
      createdAt: v.number(),
      sentAt: time,
    }),
    errors: [codes.invalidInput, codes.notFound],
  },

  mailResend: {
    method: "POST",
    role: "support",
    input: v.object({ uuid, mail: uuid, reason: reasonSchema }),
    output: nothing,
    errors: [codes.invalidInput, codes.notFound, codes.tooMany],
  },
  loginLinkSend: {
    method: "POST",
    role: "support",
    input: v.object({ uuid, reason: reasonSchema }),
    output: nothing,
    errors: [codes.invalidInput, codes.notFound, codes.tooMany],
  },
  /** Logs a person out on every device. */
  sessionsEnd: {
    method: "POST",
    role: "support",
    input: v.object({ uuid, reason: reasonSchema }),
    output: nothing,
    errors: [codes.invalidInput, codes.notFound],
  },
  paymentRefund: {
    method: "POST",
    role: "support",
    input: v.object({
      uuid,
      transaction: id,
      /** Minor units; null refunds everything that is left. */
      amount: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1))),
      /** Idempotency key, chosen by the caller. */
      id: uuid,
      andEnd: v.boolean(),
      reason: reasonSchema,
    }),
    output: nothing,
    errors: [codes.invalidInput, codes.notFound, codes.newerExists],
  },
  planChange: {
    method: "POST",
    role: "support",
    input: v.object({ uuid, action: v.picklist(["cancel", "pause", "resume", "keep"]), reason: reasonSchema }),
    output: nothing,
    errors: [codes.invalidInput, codes.notSold, codes.providerFailed, codes.notFound],
  },
  /** Fields of `invalidInput`: `days: too many` (a year's limit), `id: another's` (the id was used for another person). */
  daysGive: {
    method: "POST",
    role: "support",
    input: v.object({
      uuid,
      days: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maxGrantedDays)),
      id: uuid,
      reason: reasonSchema,
    }),
    output: nothing,
    errors: [codes.invalidInput, codes.notSold, codes.notFound],
  },
  /** Corrects an e-mail address. Only an admin may correct a confirmed one, or that of a buyer. */
  addressCorrect: {
    method: "POST",
    role: "support",
    input: v.object({ uuid, email, reason: reasonSchema }),
    output: v.object({ pending: v.boolean() }),
    errors: [codes.invalidInput, codes.invalidAccessToken, codes.forbidden, codes.emailTaken, codes.notFound, codes.tooMany],
  },
  personExport: {
    method: "POST",
    role: "support",
    input: v.object({ uuid, reason: reasonSchema }),
    /** The same JSON as the person's own export. */
    output: v.record(v.string(), v.unknown()),
    errors: [codes.invalidInput, codes.notFound],
  },
  personErase: {
    method: "POST",
    role: "support",
    /** The address, typed to confirm: erasing cannot be undone. */
    input: v.object({ uuid, email, reason: reasonSchema }),
    output: nothing,
    errors: [codes.invalidInput, codes.notFound],
  },
} as const satisfies StudioCalls;
