import { knownLocale } from "#core/locales.ts";
import { record } from "../accounts/audit.ts";
import { queueMail } from "../accounts/links.ts";
import { type Handler, refuse } from "../handler.ts";
import { isUniqueViolation } from "../store/store.ts";

/**
 * Changes the account's address, which is then unconfirmed: a new mail goes out, other sessions and older links end, and the old
 * address is told. The same address once more, as long as it is not confirmed, only has the mail sent again.
 */
export const updateEmail: Handler<"updateEmail"> = async (
  { body: { email }, actor: { accountUuid, sessionId } },
  { limits, store, world, accounts, mail },
) => {
  const tooMany = (await limits.take("update-email.account", accountUuid)) ?? (await limits.take("update-email.email", email));
  if (tooMany) return tooMany;
  try {
    const changed = await store.write(async (queries) => {
      const account = await queries
        .selectFrom("accounts")
        .select(["email", "email_confirmed_at", "firstname", "locale"])
        .where("uuid", "=", accountUuid)
        .executeTakeFirst();
      if (!account) return refuse(1002);
      if (account.email === email && account.email_confirmed_at !== null) return null;
      const { firstname } = account;
      const locale = knownLocale(account.locale);
      if (account.email !== email) {
        await queries
          .updateTable("accounts")
          .set({ email, email_confirmed_at: null, updated_at: world.now() })
          .where("uuid", "=", accountUuid)
          .execute();
        await accounts.links.endAll(queries, accountUuid);
        await accounts.sessions.endAll(queries, accountUuid, "email", sessionId);
        await record(queries, world, accountUuid, "email changed");
        await queueMail(queries, world, { template: "emailChanged", locale, recipient: account.email, data: { firstname } });
      }
      const linkId = await accounts.links.create(queries, "confirm", { accountUuid, email });
      await queueMail(queries, world, { template: "confirmEmail", locale, recipient: email, data: { linkId, firstname } });
      return null;
    });
    if (changed) return changed;
  } catch (error) {
    if (isUniqueViolation(error)) return refuse(1101);
    throw error;
  }
  mail.wake();
  return {};
};
