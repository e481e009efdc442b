/** The data of each mail: as the outbox stores it, and as its template receives it. */
import { noticeKinds } from "#core/api.ts";
import { productTypes } from "#core/products.ts";
import * as v from "valibot";

const name = v.nullish(v.string(), null);
const date = v.pipe(v.string(), v.isoDate());
const cancelled = {
  firstname: name,
  cancelledOn: date,
  /** The end of the paid period; null when the plan ended at once. */
  until: v.nullable(date),
  /** The last day on which the buyer can ask for the first payment back. Null when they cannot, and in mails that an older release put into the outbox. */
  moneyBackUntil: v.nullish(date, null),
  /** Whether the contract ended by a withdrawal instead of a cancellation; missing in mails of older releases. */
  withdrawn: v.optional(v.boolean(), false),
  /** The refund when a renewed term ends early, minor units. */
  rest: v.nullish(v.object({ total: v.number(), currency: v.string() }), null),
};
/** The link that undoes a cancellation; only when somebody cancelled without logging in. */
const keepLink = { linkId: v.nullish(v.string(), null) };
const erased = { firstname: name };
const receipt = {
  firstname: name,
  orderId: v.string(),
  plan: v.string(),
  productType: v.picklist(productTypes),
  currency: v.string(),
  /** Minor units, less the coupon. */
  price: v.number(),
  trialDays: v.number(),
  paidOn: date,
  /** The end of the trial or of the paid period; null when unknown. */
  until: v.nullable(date),
  /** Today's charge and its tax, as the provider reported them; missing in mails of older releases. */
  paid: v.nullish(v.number(), null),
  tax: v.nullish(v.number(), null),
  /** Whether the buyer had a plan before. */
  isBack: v.optional(v.boolean(), false),
  /** The last day of the withdrawal period; null where no law demands to tell it, missing in mails of older releases. */
  withdrawUntil: v.nullish(date, null),
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
  /** When a requested change takes effect. */
  at: v.nullable(date),
  orderId: v.string(),
  plan: v.string(),
  productType: v.picklist(productTypes),
  currency: v.string(),
  /** The amount charged or refunded, minor units, and its tax; null when unknown or nothing. */
  total: v.nullable(v.number()),
  tax: v.nullable(v.number()),
  /** The next charge: its day, if known, and its amount. */
  next: v.nullable(date),
  price: v.number(),
  /** The last day on which the buyer can ask for the first payment back; null when they cannot, missing in mails of older releases. */
  moneyBackUntil: v.nullish(date, null),
  /** Whether the plan had ended before this refund; missing in mails of older releases. */
  over: v.optional(v.boolean(), false),
};
const renewalReminder = {
  firstname: name,
  renewsOn: date,
  currency: v.string(),
  /** Minor units. */
  price: v.number(),
  /** The months of the new term. The previous release knows yearly terms only, and omits it. */
  months: v.optional(v.number(), 12),
};
const contractNotice = {
  kind: v.picklist(noticeKinds),
  id: v.string(),
  /** When it arrived, milliseconds since 1970, and the sender's time zone. */
  at: v.number(),
  timeZone: v.string(),
  /** As somebody typed it; it may be anything. */
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
  /** Null when not agreed. Names of days, in the mail's language. */
  days: v.nullable(v.string()),
  minutes: v.nullable(v.number()),
  until: v.nullable(date),
  /** Computed from the answers; missing before a pace was chosen, and in mails queued by an older release. */
  plan: v.optional(
    v.object({
      hours: v.number(),
      months: v.number(),
      /** Words in the mail's language. */
      chart: v.object({ from: v.string(), to: v.string(), stages: v.pipe(v.number(), v.integer()), stage: v.string(), end: v.string() }),
      /** Null without days. */
      calendar: v.nullable(v.object({ id: v.string(), start: date, end: date, weekdays: v.array(v.number()) })),
    }),
  ),
};
/** To operators: an alert has started or ended. */
const alert = { rule: v.string(), says: v.string(), began: v.boolean(), at: v.number() };
/** To operators: a link that opens the studio. */
const operatorLink = {
  linkId: v.string(),
  purpose: v.picklist(["invitation", "sign-in"]),
  /** Null where the name is unknown. */
  invitedBy: v.nullable(v.string()),
};
const operatorPasskey = { done: v.picklist(["added", "removed"]), name: v.string(), browser: v.string(), at: v.number() };

/** The data in the outbox: never a token, only the id of its link (`links.ts`). */
export const outboxSchemas = {
  /** With `changeId` it goes to an account's new address, which may be anybody's: it is sent as `confirmChange`. */
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

/** The data that templates receive: links instead of their ids. */
export const mailSchemas = {
  confirmEmail: v.object({ firstname: name, link: v.string(), code: v.nullable(v.string()) }),
  confirmChange: v.object({ link: v.string() }),
  /** With an unconfirmed address, a login elsewhere ends password and sessions (decision 047). */
  loginLink: v.object({ firstname: name, link: v.string(), code: v.nullable(v.string()), unconfirmed: v.boolean() }),
  loginUnknown: v.object({ link: v.string() }),
  resetPassword: v.object({ firstname: name, link: v.string() }),
  passwordChanged: v.object({ firstname: name, link: v.string() }),
  emailChanged: v.object({ firstname: name, link: v.string() }),
  emailChange: v.object({ firstname: name, link: v.string() }),
  receipt: v.object({ ...receipt, appLink: v.string(), manageLink: v.string(), withdrawLink: v.string() }),
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

/** Names in the outbox. A process of an older release gives up a mail with an unknown name. */
export type OutboxTemplate = keyof typeof outboxSchemas;
export type MailTemplate = keyof typeof mailSchemas;
export type MailData<T extends MailTemplate> = v.InferOutput<(typeof mailSchemas)[T]>;

export function isOutboxTemplate(name: string): name is OutboxTemplate {
  return Object.hasOwn(outboxSchemas, name);
}
