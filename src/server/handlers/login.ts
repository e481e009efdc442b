import { type Asker, busy } from "../accounts/passwords.ts";
import { browserNames } from "../base/browser.ts";
import type { Handler } from "./shared/handler.ts";
import { refuse } from "../base/refusal.ts";

/**
 * Logs in with e-mail and password. A wrong address and a wrong password give the same answer in the same time. Other people's tries do not delay a
 * known device. The browser's earlier session, of any account, ends.
 */
export const login: Handler<"login"> = async ({ body, network, knownAs, remember, headers }, { limits, store, accounts, world }) => {
  const account = await store.read
    .selectFrom("accounts")
    .select(["uuid", "password_hash", "trust_epoch"])
    .where("email", "=", body.email)
    .executeTakeFirst();
  const device = account ? knownAs(account) : null;
  const guess = { email: body.email, guesser: device ?? network, proven: device !== null };
  const tooMany = (device === null ? await limits.take("login.network", network) : null) ?? (await limits.takeLogin(guess));
  if (tooMany) return tooMany;
  const asker: Asker =
    account === undefined || device === null ? { network, as: "login" } : { network, as: "known", accountUuid: account.uuid };
  const matched = await accounts.passwords.matches(account?.password_hash ?? null, body.password, asker);
  if (matched === busy) {
    await limits.takeBack(guess);
    return refuse("notReady");
  }
  if (!matched || !account?.password_hash) return refuse("wrongCredentials");

  const newHash = accounts.passwords.isOutdated(account.password_hash)
    ? await accounts.passwords.hash(body.password, { network, as: "known", accountUuid: account.uuid })
    : null;
  const pair = await store.write(async (queries) => {
    // The owner may have changed the password during the comparison. If the hash queue is full, the rehash waits for the next login.
    const held = await queries
      .updateTable("accounts")
      .set(
        newHash === null || newHash === busy ? { trust_epoch: account.trust_epoch } : { password_hash: newHash, updated_at: world.now() },
      )
      .where("uuid", "=", account.uuid)
      .where("password_hash", "=", account.password_hash)
      .where("trust_epoch", "=", account.trust_epoch)
      .executeTakeFirst();
    if (held.numUpdatedRows === 0n) return null;
    if (body.refreshToken !== undefined) await accounts.sessions.endByToken(queries, null, body.refreshToken, "replaced");
    return accounts.sessions.start(queries, account.uuid, "password", browserNames(headers["user-agent"]));
  });
  if (pair === null) return refuse("wrongCredentials");
  await limits.loginSucceeded(guess);
  if (device === null) await limits.giveBack("login.network", network);
  remember(account);
  return (await accounts.describe(pair)) ?? refuse("wrongCredentials");
};
