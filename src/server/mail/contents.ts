/** What each mail is filled with: as it lies in the outbox, and as its template takes it. */
import { productTypes } from "#core/products.ts";
import type { Locale } from "#core/locales.ts";
import * as v from "valibot";

const name = v.nullish(v.string(), null);
const date = v.pipe(v.string(), v.isoDate());
const cancelled = {
  firstname: name,
  cancelledOn: date,
  /** Until when what is paid for lasts; null when it ended at once. */
  until: v.nullable(date),
};
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
};

/** In the outbox: never a token in clear (see `accounts/links.ts`). */
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
  cancelled: v.object(cancelled),
  payLink: v.object({ firstname: name, url: v.pipe(v.string(), v.url()) }),
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
  cancelled: v.object({ ...cancelled, link: v.string() }),
  payLink: v.object({ firstname: name, link: v.string() }),
} as const;

/** As the outbox names them: a process of an older release gives up what it does not know. */
export type OutboxTemplate = keyof typeof outboxSchemas;
export type MailTemplate = keyof typeof mailSchemas;
export type MailData<T extends MailTemplate> = v.InferOutput<(typeof mailSchemas)[T]>;

export function isOutboxTemplate(name: string): name is OutboxTemplate {
  return Object.hasOwn(outboxSchemas, name);
}

export interface RenderedMail {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

/** Node cannot run `.tsx`: the site's build gives this, tests import it. Rejects data that is not the template's. */
export type RenderMail = (template: MailTemplate, locale: Locale, data: unknown) => Promise<RenderedMail>;
