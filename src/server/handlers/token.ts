import { proveOwner } from "../accounts/ownership.ts";
import { browserNames } from "../base/browser.ts";
import { inConstantTime } from "../base/constantTime.ts";
import type { Handler } from "./shared/handler.ts";
import { Refusal, refuse } from "../base/refusal.ts";

/**
 * Exchanges a link's token or its code for a session, once. Its holder can read the account's mailbox. The browser's earlier session ends if it is
 * the same account's. If the browser remembers another address, the link is not used up: the page first asks whether to switch accounts.
 *
 * Wrong codes for an unconfirmed address are also counted per address: a new account with it would have new tries (decision 224). Above the limit
 * a code is refused like a wrong one, and the mail's link still works.
 */
export const token: Handler<"token"> = async (
  { body, device, network, knownAs, remember, headers },
  { store, world, limits, accounts: { links, sessions, describe } },
) => {
  const enter = (by: { readonly token: string } | { readonly email: string; readonly code: string; readonly byKnownDevice: boolean }) =>
    store.write(async (queries) => {
      const owner =
        "token" in by
          ? await links.use(queries, "login", by.token)
          : await links.useCode(queries, { ...by, purpose: "login", askedBy: device ?? network });
      if (!owner) return null;
      const account = await proveOwner(queries, { world, sessions }, owner, knownAs);
      if (body.refreshToken !== undefined) await sessions.endByToken(queries, account.uuid, body.refreshToken, "replaced");
      return { account, pair: await sessions.start(queries, account.uuid, "link", browserNames(headers["user-agent"])) };
    });
  const enterByCode = async ({ email, code }: { readonly email: string; readonly code: string }) => {
    const account = await store.read
      .selectFrom("accounts")
      .select(["uuid", "trust_epoch", "email_confirmed_at"])
      .where("email", "=", email)
      .executeTakeFirst();
    const byKnownDevice = account !== undefined && knownAs(account) !== null;
    if (account?.email_confirmed_at !== null) return enter({ email, code, byKnownDevice });
    const tried = await limits.guess(byKnownDevice ? "confirm-by-code.email" : "login-code.email", email, async () => {
      const found = await enter({ email, code, byKnownDevice });
      return { good: found !== null, found };
    });
    return tried instanceof Refusal ? null : tried;
  };
  if ("token" in body && body.knownAddress !== undefined) {
    const owner = await links.ownerOf(store.read, "login", body.token);
    if (owner !== null && owner.email !== body.knownAddress.toLowerCase()) return refuse("forbidden", { fields: { email: owner.email } });
  }
  const entered = await ("token" in body ? enter(body) : inConstantTime(world, enterByCode(body)));
  const session = entered && (await describe(entered.pair));
  if (!session) return refuse("invalidLink");
  remember(entered.account);
  return session;
};
