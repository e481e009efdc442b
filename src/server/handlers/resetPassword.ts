import { knownLocale } from "#core/locales.ts";
import { record } from "../accounts/audit.ts";
import { queueMail } from "../accounts/links.ts";
import { busy } from "../accounts/passwords.ts";
import { type Handler, refuse } from "../handler.ts";

/** A new password for a mailed token, once; the mailbox is proven by it. Every session of the account ends, and a mail says so. */
export const resetPassword: Handler<"resetPassword"> = async (
  { body },
  { store, world, limits, mail, accounts: { links, passwords, sessions } },
) => {
  if (passwords.isCommon(body.password)) return refuse(1000, { fields: { password: "validator_too_common" } });
  // Looked at first, so that a made-up token costs no hash.
  if (!(await links.isOpen(store.read, "reset", body.token))) return refuse(1004);
  const passwordHash = await passwords.hash(body.password);
  if (passwordHash === busy) return refuse(1503);

  const owner = await store.write(async (queries) => {
    const found = await links.use(queries, "reset", body.token);
    if (!found) return null;
    const now = world.now();
    const account = await queries
      .updateTable("accounts")
      .set((fields) => ({
        password_hash: passwordHash,
        email_confirmed_at: fields.fn.coalesce("email_confirmed_at", fields.val(now)),
        updated_at: now,
      }))
      .where("uuid", "=", found.accountUuid)
      .returning(["firstname", "locale"])
      .executeTakeFirstOrThrow();
    await links.endAll(queries, found.accountUuid);
    await sessions.endAll(queries, found.accountUuid, "password");
    await record(queries, world, found.accountUuid, "password reset");
    await queueMail(queries, world, {
      template: "passwordChanged",
      locale: knownLocale(account.locale),
      recipient: found.email,
      data: { firstname: account.firstname },
    });
    return found;
  });
  if (!owner) return refuse(1004);
  mail.wake();
  await limits.loginSucceeded(owner.email);
  return {};
};
