import { isLocale } from "#core/locales.ts";
import { queueMail } from "../accounts/links.ts";
import type { Handler } from "../handler.ts";
import { acceptedLocale } from "../visitor.ts";

/** Mails a link and a code to log in with, or says by mail that there is no account: the answer is the same for both. */
export const loginLink: Handler<"loginLink"> = async ({ body, headers }, { limits, store, world, accounts, mail }) => {
  const { email, target, discount } = body;
  for (const limit of ["login-link.email-minute", "login-link.email-hour"] as const) if (await limits.take(limit, email)) return {};
  await store.write(async (queries) => {
    const account = await queries
      .selectFrom("accounts")
      .select(["uuid", "firstname", "locale"])
      .where("email", "=", email)
      .executeTakeFirst();
    if (!account) {
      const locale = acceptedLocale(headers["accept-language"]) ?? "es-419";
      return queueMail(queries, world, { template: "loginUnknown", locale, recipient: email, data: {} });
    }
    const linkId = await accounts.links.create(queries, "login", { accountUuid: account.uuid, email });
    return queueMail(queries, world, {
      template: "loginLink",
      locale: isLocale(account.locale) ? account.locale : "es-419",
      recipient: email,
      data: { linkId, firstname: account.firstname, target: target ?? null, discount: discount ?? null },
    });
  });
  mail.wake();
  return {};
};
