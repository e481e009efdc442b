import { isLocale } from "#core/locales.ts";
import { record } from "../accounts/audit.ts";
import { queueMail } from "../accounts/links.ts";
import { type Handler, refuse } from "../handler.ts";
import { isUniqueViolation } from "../store/store.ts";

/**
 * Changes the account's address, which is then unconfirmed: a new mail goes out, other sessions and older links end. The same
 * address once more, as long as it is not confirmed, only has the mail sent again.
 */
export const updateEmail: Handler<"updateEmail"> = async (
  { body: { email }, actor: { accountUuid, sessionId } },
  { limits, store, world, accounts, mail },
) => {
  const tooMany = await limits.take("update-email.account", accountUuid);
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
      if (account.email !== email) {
        await queries
          .updateTable("accounts")
          .set({ email, email_confirmed_at: null, updated_at: world.now() })
          .where("uuid", "=", accountUuid)
          .execute();
        await accounts.links.endAll(queries, accountUuid);
        await accounts.sessions.endAll(queries, accountUuid, "email", sessionId);
        await record(queries, world, accountUuid, "email changed");
      }
      const linkId = await accounts.links.create(queries, "confirm", { accountUuid, email });
      await queueMail(queries, world, {
        template: "confirmEmail",
        locale: isLocale(account.locale) ? account.locale : "es-419",
        recipient: email,
        data: { linkId, firstname: account.firstname },
      });
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
