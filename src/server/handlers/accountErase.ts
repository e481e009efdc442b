import { record } from "../accounts/audit.ts";
import { busy } from "../accounts/passwords.ts";
import { type Handler, refuse } from "../handler.ts";

/** Erases the account for who knows its password, or has just come in by a link to its mailbox. It is gone for everybody once this is answered. */
export const accountErase: Handler<"accountErase"> = async (
  { body, actor, network },
  { store, world, limits, erasing, accounts: { passwords, sessions } },
) => {
  const { accountUuid, sessionId } = actor;
  const account = await store.read
    .selectFrom("accounts")
    .select(["email", "password_hash"])
    .where("uuid", "=", accountUuid)
    .executeTakeFirst();
  if (!account) return refuse(1002);

  const guess = { email: account.email, guesser: sessionId, proven: true };
  if (body.password !== undefined) {
    const tooMany = await limits.takeLogin(guess);
    if (tooMany) return tooMany;
    const matched = await passwords.matches(account.password_hash, body.password, network);
    if (matched === busy) return refuse(1503);
    if (!matched) return refuse(1001);
  } else if (!(await sessions.isFreshFromLink(sessionId))) {
    return refuse(1000, { fields: { password: "validator_required" } });
  }

  const begun = await store.write(async (queries) => {
    if ((await erasing.begin(queries, accountUuid)) === null) return null;
    await record(queries, world, null, "account erased");
    return "begun";
  });
  sessions.forget(accountUuid);
  if (begun === null) return refuse(1002);
  erasing.wake();
  await limits.loginSucceeded(guess);
  return {};
};
