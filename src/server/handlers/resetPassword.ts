import { knownLocale } from "#core/locales.ts";
import { record } from "../store/audit.ts";
import { endPending } from "../accounts/emailChanges.ts";
import { proveOwner } from "../accounts/ownership.ts";
import { queueMail } from "../mail/outbox.ts";
import { busy } from "../accounts/passwords.ts";
import type { Handler } from "./shared/handler.ts";
import { refuse } from "../base/refusal.ts";

/**
 * Sets a new password with a mailed token, once. The token proves the mailbox. All sessions of the account and all its known devices except this one
 * end, and a mail tells the owner.
 */
export const resetPassword: Handler<"resetPassword"> = async (
  { body, network, knownAs, remember },
  { store, world, limits, mail, accounts: { links, passwords, sessions } },
) => {
  if (passwords.isCommon(body.password)) return refuse("invalidInput", { fields: { password: "validator_too_common" } });
  // Checked before hashing, so that a made-up token costs no hash.
  const asked = await links.ownerOf(store.read, "reset", body.token);
  if (asked === null) return refuse("invalidLink");
  const passwordHash = await passwords.hash(body.password, { network, as: "known", accountUuid: asked.accountUuid });
  if (passwordHash === busy) return refuse("notReady");

  const owner = await store.write(async (queries) => {
    const found = await links.use(queries, "reset", body.token);
    if (!found) return null;
    await proveOwner(queries, { world, sessions }, found, knownAs);
    const account = await queries
      .updateTable("accounts")
      .set({ password_hash: passwordHash, trust_epoch: world.uuid(), updated_at: world.now() })
      .where("uuid", "=", found.accountUuid)
      .returning(["uuid", "firstname", "locale", "trust_epoch"])
      .executeTakeFirstOrThrow();
    await links.endAll(queries, found.accountUuid);
    await endPending(queries, world, found.accountUuid, "dropped");
    await sessions.endAll(queries, found.accountUuid, "password");
    await record(queries, world, found.accountUuid, "password reset");
    await queueMail(queries, world, {
      accountUuid: found.accountUuid,
      template: "passwordChanged",
      locale: knownLocale(account.locale),
      recipient: found.email,
      data: { firstname: account.firstname },
    });
    return { email: found.email, account };
  });
  if (!owner) return refuse("invalidLink");
  mail.wake();
  // A device that was known gets a new id.
  await limits.loginSucceeded({ email: owner.email, guesser: network, proven: true });
  remember(owner.account);
  return {};
};
