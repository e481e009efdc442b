/** What each mail is filled with: as it lies in the outbox, and as its template takes it. */
import { noticeKinds } from "#core/api.ts";
import { productTypes } from "#core/products.ts";
import * as v from "valibot";

const name = v.nullish(v.string(), null);
const date = v.pipe(v.string(), v.isoDate());
const cancelled = {
  firstname: name,
  cancelledOn: date,
  /** Until when what is paid for lasts; null when it ended at once. */
  until: v.nullable(date),
  /** The last day on which the first payment can be asked back; null when it cannot, missing in mails of older releases. */
  moneyBackUntil: v.nullish(date, null),
  /** What goes back when it ends within a renewed term, minor units. */
  rest: v.nullish(v.object({ total: v.number(), currency: v.string() }), null),
};
/** Of the link that takes a cancellation back, where nobody logged in for it. */
const keepLink = { linkId: v.nullish(v.string(), null) };
const erased = { firstname: name };
const receipt = {
  firstname: name,
  orderId: v.string(),
  plan: v.string(),
  productType: v.picklist(productTypes),
  currency: v.string(),
  /** Minor units, coupon taken off. */
  price: v.number(),
  trialDays: v.number(),
  paidOn: date,
  /** The end of the trial or of what is paid; null where none is known. */
  until: v.nullable(date),
  /** What was charged today, and the tax in it, as the provider told them; not in mails of older releases. */
  paid: v.nullish(v.number(), null),
  tax: v.nullish(v.number(), null),
  /** They had a plan before. */
  isBack: v.optional(v.boolean(), false),
};
/** What can happen to a plan after it was bought; a cancellation has a mail of its own. */
const news = [
  "begun",
  "renewed",
  "failed",
  "recovered",
  "unpaid",
  "kept",
  "pausing",
  "paused",
  "resumed",
  "refunded",
  "partRefunded",
  "returned",
] as const;
export type MailPlanNews = (typeof news)[number];
const planNews = {
  firstname: name,
  news: v.picklist(news),
  on: date,
  /** When what was asked for comes about. */
  at: v.nullable(date),
  orderId: v.string(),
  plan: v.string(),
  productType: v.picklist(productTypes),
  currency: v.string(),
  /** What was charged or given back, minor units, and the tax in it; null where it is not known or nothing was. */
  total: v.nullable(v.number()),
  tax: v.nullable(v.number()),
  /** The next charge: when, if it is known, and how much. */
  next: v.nullable(date),
  price: v.number(),
};
const renewalReminder = {
  firstname: name,
  renewsOn: date,
  currency: v.string(),
  /** Minor units. */
  price: v.number(),
  /** What it renews for; mails of the release before told of years only. */
  months: v.optional(v.number(), 12),
};
const contractNotice = {
  kind: v.picklist(noticeKinds),
  id: v.string(),
  /** When it arrived, milliseconds since 1970, and the zone of whoever sent it. */
  at: v.number(),
  timeZone: v.string(),
  /** As they were typed: anybody may have typed them. */
  name: v.string(),
  contract: v.string(),
  email: v.string(),
  forCause: v.boolean(),
  reason: v.nullable(v.string()),
  notBefore: v.nullable(date),
};
const chargeReminder = {
  firstname: name,
  chargedOn: date,
  currency: v.string(),
  /** Minor units. */
  price: v.number(),
};
const planKept = {
  firstname: name,
  /** What was agreed; null where it was not. Days by name, in the mail's language. */
  days: v.nullable(v.string()),
  minutes: v.nullable(v.number()),
  until: v.nullable(date),
  /** From the answers as they stand; missing before a pace was chosen, and in mails that an older release queued. */
  plan: v.optional(
    v.object({
      hours: v.number(),
      months: v.number(),
      /** In words of the mail's language. */
      chart: v.object({ from: v.string(), to: v.string(), stages: v.pipe(v.number(), v.integer()), stage: v.string(), end: v.string() }),
      /** Null without days. */
      calendar: v.nullable(v.object({ id: v.string(), start: date, end: date, weekdays: v.array(v.number()) })),
    }),
  ),
};
/** Opens the studio to who runs the funnel; in English. */
/** An alert's begin or end, to who runs the funnel. */
const alert = { rule: v.string(), says: v.string(), began: v.boolean(), at: v.number() };
const operatorLink = {
  linkId: v.string(),
  purpose: v.picklist(["invitation", "sign-in"]),
  /** Null where nobody's name is known. */
  invitedBy: v.nullable(v.string()),
};
/** To the operator whose passkey it is or was. */
const operatorPasskey = { done: v.picklist(["added", "removed"]), name: v.string(), browser: v.string(), at: v.number() };

/** In the outbox: never a token in clear (see `mail/links.ts`). */
export const outboxSchemas = {
  /** With `changeId` it goes to who may be anybody: the address that an account is to have (`confirmChange`). */
  confirmEmail: v.object({ firstname: name, linkId: v.string(), changeId: v.optional(v.string()) }),
  loginLink: v.object({ firstname: name, linkId: v.string(), target: v.nullable(v.string()), discount: v.nullable(v.string()) }),
  loginUnknown: v.object({}),
  resetPassword: v.object({ firstname: name, linkId: v.string(), target: v.nullable(v.string()) }),
  passwordChanged: v.object({ firstname: name }),
  emailChanged: v.object({ firstname: name }),
  emailChange: v.object({ firstname: name, linkId: v.string() }),
  receipt: v.object(receipt),
  cancelled: v.object({ ...cancelled, ...keepLink }),
  planNews: v.object(planNews),
  erased: v.object(erased),
  emailIsNew: v.object({ firstname: name }),
  payLink: v.object({ firstname: name, url: v.pipe(v.string(), v.url()) }),
  chargeReminder: v.object(chargeReminder),
  contractNotice: v.object(contractNotice),
  renewalReminder: v.object(renewalReminder),
  planKept: v.object({ ...planKept, version: v.string(), question: v.string() }),
  operatorLink: v.object(operatorLink),
  operatorPasskey: v.object(operatorPasskey),
  alert: v.object(alert),
} as const;

/** For the template: with its addresses. */
export const mailSchemas = {
  confirmEmail: v.object({ firstname: name, link: v.string() }),
  confirmChange: v.object({ link: v.string() }),
  loginLink: v.object({ firstname: name, link: v.string(), code: v.nullable(v.string()) }),
  loginUnknown: v.object({ link: v.string() }),
  resetPassword: v.object({ firstname: name, link: v.string() }),
  passwordChanged: v.object({ firstname: name, link: v.string() }),
  emailChanged: v.object({ firstname: name, link: v.string() }),
  emailChange: v.object({ firstname: name, link: v.string() }),
  receipt: v.object({ ...receipt, appLink: v.string(), manageLink: v.string() }),
  cancelled: v.object({ ...cancelled, link: v.string(), keepLink: v.nullish(v.string(), null) }),
  planNews: v.object({ ...planNews, link: v.string() }),
  erased: v.object(erased),
  emailIsNew: v.object({ firstname: name, link: v.string() }),
  payLink: v.object({ firstname: name, link: v.string() }),
  chargeReminder: v.object({ ...chargeReminder, link: v.string() }),
  contractNotice: v.object({ ...contractNotice, link: v.string() }),
  renewalReminder: v.object({ ...renewalReminder, link: v.string() }),
  planKept: v.object({ ...planKept, link: v.string() }),
  operatorLink: v.object({ ...operatorLink, link: v.string() }),
  operatorPasskey: v.object({ ...operatorPasskey, link: v.string() }),
  alert: v.object({ ...alert, link: v.string() }),
} as const;

/** As the outbox names them: a process of an older release gives up what it does not know. */
export type OutboxTemplate = keyof typeof outboxSchemas;
export type MailTemplate = keyof typeof mailSchemas;
export type MailData<T extends MailTemplate> = v.InferOutput<(typeof mailSchemas)[T]>;

export function isOutboxTemplate(name: string): name is OutboxTemplate {
  return Object.hasOwn(outboxSchemas, name);
}
