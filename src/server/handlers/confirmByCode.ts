import { proveOwner } from "../accounts/ownership.ts";
import type { Handler } from "./shared/handler.ts";
import { refuse } from "../base/refusal.ts";

/**
 * Confirms the address of the session's account with the code of its confirmation mail. Only a device that the account knows may: a stolen access token
 * does not suffice. A confirmed address is no error, so a repeated call whose answer was lost succeeds.
 */
export const confirmByCode: Handler<"confirmByCode"> = async (
  { body, actor, knownAs },
  { store, world, limits, accounts: { links, sessions } },
) => {
  const account = await store.read
    .selectFrom("accounts")
    .select(["uuid", "email", "email_confirmed_at", "trust_epoch"])
    .where("uuid", "=", actor.accountUuid)
    .executeTakeFirst();
  if (!account) return refuse("invalidAccessToken");
  if (account.email_confirmed_at !== null) return {};
  if (knownAs(account) === null) return refuse("invalidLink");
  const { uuid: accountUuid, email } = account;
  const given = { purpose: "confirm", email, accountUuid, code: body.code, askedBy: "", byKnownDevice: true } as const;
  const confirmed = await limits.guess("confirm-by-code.email", email, async () => {
    const good = await store.write(async (queries) => {
      const owner = await links.useCode(queries, given);
      if (owner === null) return false;
      await proveOwner(queries, { world, sessions }, owner, knownAs);
      return true;
    });
    return { good, found: good };
  });
  // Above the limit a code is refused like a wrong one, and the mail's link still works (decision 046).
  return confirmed === true ? {} : refuse("invalidLink");
};
