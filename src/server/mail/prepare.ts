/** Creates a template's data, with links, from the outbox's data when the mail is sent. */
import type { Theme } from "#core/questionnaire/definition.ts";
import { brand } from "#content/brand.ts";
import { isVersionName, traitsOf } from "#content/questionnaires/known.ts";
import type { Locale } from "#core/locales.ts";
import { buildPath } from "#core/routes.ts";
import { withQuery } from "#core/withQuery.ts";
import * as v from "valibot";
import type { Queries } from "../store/schema.ts";
import { type MailData, type MailTemplate, outboxSchemas, type OutboxTemplate } from "./contents.ts";

/** The secrets of a link, by its id; null once the link is void. */
export interface MailedLinks {
  readonly tokenOf: (queries: Queries, linkId: string) => Promise<string | null>;
  readonly codeOf: (queries: Queries, linkId: string) => Promise<string | null>;
  /** The URL of an operator's link. */
  readonly studioAddressOf: (queries: Queries, linkId: string) => Promise<string | null>;
}

/** A mail's account and locale, and where its links come from. */
export interface MailSource {
  readonly queries: Queries;
  readonly links: MailedLinks;
  /** Origin of the site, from configuration: no mail's link ever depends on a request. */
  readonly publicUrl: string;
  /**
   * The back end that links must name if the site has several, because no other back end knows the account. Null if the site has only one.
   */
  readonly namedBackend: string | null;
  readonly accountUuid: string | null;
  readonly locale: Locale;
}

export type PreparedMail = { readonly [T in MailTemplate]: { readonly template: T; readonly data: MailData<T> } }[MailTemplate];

/** The theme of an account's mails, which is its funnel's. */
export async function lookOf({ queries, accountUuid }: MailSource): Promise<Theme | undefined> {
  const account = await queries
    .selectFrom("accounts")
    .select("questionnaire_version as version")
    .where("uuid", "=", accountUuid)
    .executeTakeFirst();
  return account !== undefined && isVersionName(account.version) ? traitsOf(account.version).theme : undefined;
}

async function isUnconfirmed({ queries, accountUuid }: MailSource): Promise<boolean> {
  const account = await queries.selectFrom("accounts").select("email_confirmed_at").where("uuid", "=", accountUuid).executeTakeFirst();
  return account?.email_confirmed_at === null;
}

const backendOf = ({ namedBackend }: MailSource) => (namedBackend === null ? {} : { "backend-url": namedBackend });

/**
 * Query parameters for what the browser that opens a mail's link may not know: the account's back end, and its funnel's theme
 * (`web/storedTheme.ts`).
 */
async function placeOf(source: MailSource): Promise<{ readonly "backend-url"?: string; readonly look?: Theme }> {
  const look = await lookOf(source);
  return { ...backendOf(source), ...(look === undefined ? {} : { look }) };
}

/** The address of a page without a version. */
async function pageLink(
  source: MailSource,
  page: "handle-your-subscription" | "handle-your-subscription/account" | "forgot-password" | "contract/withdraw",
) {
  return source.publicUrl + withQuery(buildPath(page, source.locale), new URLSearchParams(await placeOf(source)));
}
const subscriptionLink = (source: MailSource) => pageLink(source, "handle-your-subscription");

type Prepare = (source: MailSource, stored: unknown) => PreparedMail | null | Promise<PreparedMail | null>;

const prepareByTemplate: Readonly<Record<OutboxTemplate, Prepare>> = {
  confirmEmail: async (source, stored) => {
    const { queries, links, publicUrl, locale } = source;
    const { firstname, linkId, changeId } = v.parse(outboxSchemas.confirmEmail, stored);
    const token = await links.tokenOf(queries, linkId);
    if (token === null) return null;
    const code = changeId === undefined ? await links.codeOf(queries, linkId) : null;
    const query = new URLSearchParams({
      platform: "web",
      confirm_token: token,
      // The page then names the code beside the link (decision 224).
      ...(code === null ? {} : { with_code: "on" }),
      ...(await placeOf(source)),
    });
    const link = `${publicUrl}${buildPath("link/confirm-email", locale)}?${query}`;
    return changeId === undefined
      ? { template: "confirmEmail", data: { firstname, link, code } }
      : { template: "confirmChange", data: { link } };
  },
  loginLink: async (source, stored) => {
    const { queries, links, publicUrl, locale } = source;
    const { firstname, linkId, target, discount } = v.parse(outboxSchemas.loginLink, stored);
    const token = await links.tokenOf(queries, linkId);
    const code = await links.codeOf(queries, linkId);
    if (token === null) return null;
    const query = new URLSearchParams({
      token,
      ...(target === null ? {} : { target }),
      ...(discount === null ? {} : { discount }),
      ...(await placeOf(source)),
    });
    const link = `${publicUrl}${buildPath("link/login", locale)}?${query}`;
    return { template: "loginLink", data: { firstname, link, code, unconfirmed: await isUnconfirmed(source) } };
  },
  loginUnknown: ({ publicUrl, locale }) => ({
    template: "loginUnknown",
    data: { link: `${publicUrl}${buildPath("questionnaire/raffle", locale)}` },
  }),
  resetPassword: async (source, stored) => {
    const { queries, links, publicUrl, locale } = source;
    const { firstname, linkId, target } = v.parse(outboxSchemas.resetPassword, stored);
    const token = await links.tokenOf(queries, linkId);
    if (token === null) return null;
    const query = new URLSearchParams({ token, ...(target === null ? {} : { target }), ...backendOf(source) });
    return { template: "resetPassword", data: { firstname, link: `${publicUrl}${buildPath("app/forgot-password", locale)}?${query}` } };
  },
  passwordChanged: async (source, stored) => {
    const { firstname } = v.parse(outboxSchemas.passwordChanged, stored);
    return { template: "passwordChanged", data: { firstname, link: await pageLink(source, "forgot-password") } };
  },
  emailChanged: (_source, stored) => {
    const { firstname } = v.parse(outboxSchemas.emailChanged, stored);
    return { template: "emailChanged", data: { firstname, link: `mailto:${brand.company.email}` } };
  },
  emailChange: async (source, stored) => {
    const { queries, links, publicUrl, locale } = source;
    const { firstname, linkId } = v.parse(outboxSchemas.emailChange, stored);
    const token = await links.tokenOf(queries, linkId);
    if (token === null) return null;
    const query = new URLSearchParams({ token, ...(await placeOf(source)) });
    return { template: "emailChange", data: { firstname, link: `${publicUrl}${buildPath("link/undo-email", locale)}?${query}` } };
  },
  receipt: async (source, stored) => ({
    template: "receipt",
    data: {
      ...v.parse(outboxSchemas.receipt, stored),
      appLink: `${source.publicUrl}${buildPath("app/dashboard", source.locale)}`,
      manageLink: await subscriptionLink(source),
      withdrawLink: await pageLink(source, "contract/withdraw"),
    },
  }),
  cancelled: async (source, stored) => {
    const { queries, links, publicUrl, locale } = source;
    const { linkId, ...data } = v.parse(outboxSchemas.cancelled, stored);
    const token = linkId === null ? null : await links.tokenOf(queries, linkId);
    const query = new URLSearchParams({ token: token ?? "", ...(await placeOf(source)) });
    const keepLink = token === null ? null : `${publicUrl}${buildPath("link/keep-subscription", locale)}?${query}`;
    return { template: "cancelled", data: { ...data, link: await subscriptionLink(source), keepLink } };
  },
  chargeReminder: async (source, stored) => ({
    template: "chargeReminder",
    data: { ...v.parse(outboxSchemas.chargeReminder, stored), link: await subscriptionLink(source) },
  }),
  renewalReminder: async (source, stored) => ({
    template: "renewalReminder",
    data: { ...v.parse(outboxSchemas.renewalReminder, stored), link: await subscriptionLink(source) },
  }),
  contractNotice: (_source, stored) => ({
    template: "contractNotice",
    data: { ...v.parse(outboxSchemas.contractNotice, stored), link: `mailto:${brand.company.email}` },
  }),
  planKept: (source, stored) => {
    const { publicUrl, locale } = source;
    const { version, question, ...data } = v.parse(outboxSchemas.planKept, stored);
    // On a device without a session the question leads to the login.
    const link = withQuery(
      `${publicUrl}${buildPath("questionnaire/question", locale, { version, question })}`,
      new URLSearchParams(backendOf(source)),
    );
    return { template: "planKept", data: { ...data, link } };
  },
  planNews: async (source, stored) => ({
    template: "planNews",
    data: { ...v.parse(outboxSchemas.planNews, stored), link: await subscriptionLink(source) },
  }),
  erased: (_source, stored) => ({ template: "erased", data: v.parse(outboxSchemas.erased, stored) }),
  emailIsNew: async (source, stored) => {
    const { firstname } = v.parse(outboxSchemas.emailIsNew, stored);
    return { template: "emailIsNew", data: { firstname, link: await pageLink(source, "handle-your-subscription/account") } };
  },
  payLink: (_source, stored) => {
    const { firstname, url } = v.parse(outboxSchemas.payLink, stored);
    return { template: "payLink", data: { firstname, link: url } };
  },
  alert: ({ publicUrl }, stored) => ({
    template: "alert",
    data: { ...v.parse(outboxSchemas.alert, stored), link: `${publicUrl}/studio/operations` },
  }),
  operatorPasskey: ({ publicUrl }, stored) => ({
    template: "operatorPasskey",
    data: { ...v.parse(outboxSchemas.operatorPasskey, stored), link: `${publicUrl}/studio/settings?part=me` },
  }),
  operatorLink: async ({ queries, links }, stored) => {
    const data = v.parse(outboxSchemas.operatorLink, stored);
    const link = await links.studioAddressOf(queries, data.linkId);
    return link === null ? null : { template: "operatorLink", data: { ...data, link } };
  },
};

/** Null when the mail's subject no longer exists, for example a link that a newer mail replaced. */
export async function prepareMail(template: OutboxTemplate, source: MailSource, stored: unknown): Promise<PreparedMail | null> {
  return prepareByTemplate[template](source, stored);
}
