import { knownLocale } from "#core/locales.ts";
import type { Services } from "../parts.ts";
import { acceptedLocale } from "../visitor.ts";
import { queueMail } from "./links.ts";

interface LinkMail {
  readonly purpose: "login" | "reset";
  readonly template: "loginLink" | "resetPassword";
  readonly email: string;
  /** What the link carries along. */
  readonly data: Readonly<Record<string, string | null>>;
  readonly acceptLanguage: string | undefined;
}

/** Mails a link to who has an account, or says by mail that there is none: who asks is not told which. */
export async function mailLink(
  { store, world, accounts, mail }: Pick<Services, "store" | "world" | "accounts" | "mail">,
  { purpose, template, email, data, acceptLanguage }: LinkMail,
): Promise<void> {
  await store.write(async (queries) => {
    const account = await queries
      .selectFrom("accounts")
      .select(["uuid", "firstname", "locale"])
      .where("email", "=", email)
      .executeTakeFirst();
    if (!account) {
      const locale = acceptedLocale(acceptLanguage) ?? "es-419";
      return queueMail(queries, world, { template: "loginUnknown", locale, recipient: email, data: {} });
    }
    const linkId = await accounts.links.create(queries, purpose, { accountUuid: account.uuid, email });
    return queueMail(queries, world, {
      template,
      locale: knownLocale(account.locale),
      recipient: email,
      data: { linkId, firstname: account.firstname, ...data },
    });
  });
  mail.wake();
}
