import { record } from "../accounts/audit.ts";
import { busy } from "../accounts/passwords.ts";
import { erase } from "../accounts/personalData.ts";
import { type Handler, refuse } from "../handler.ts";

/** Erases the account for who knows its password, or has just come in by a link to its mailbox. */
export const accountErase: Handler<"accountErase"> = async (
  { body, actor, network },
  { store, world, limits, accounts: { passwords, sessions } },
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

  await store.write(async (queries) => {
    await sessions.endAll(queries, accountUuid, "erased");
    await erase(queries, world, { accountUuid, email: account.email });
    await record(queries, world, null, "account erased");
  });
  await limits.loginSucceeded(guess);
  return {};
};
