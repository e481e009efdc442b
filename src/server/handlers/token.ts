import { proveOwner } from "../accounts/ownership.ts";
import { browserNames } from "../base/browser.ts";
import { inConstantTime } from "../base/constantTime.ts";
import type { Handler } from "./shared/handler.ts";
import { refuse } from "../base/refusal.ts";
import type { Queries } from "../store/schema.ts";

/**
 * Exchanges a link's token or its code for a session, once. Its holder can read the account's mailbox. The browser's earlier session ends if it is
 * the same account's; otherwise the page first asks whether to switch accounts.
 */
export const token: Handler<"token"> = async (
  { body, device, network, knownAs, remember, headers },
  { store, world, accounts: { links, sessions, describe } },
) => {
  const isKnown = async (queries: Queries, email: string): Promise<boolean> => {
    const account = await queries.selectFrom("accounts").select(["uuid", "trust_epoch"]).where("email", "=", email).executeTakeFirst();
    return account !== undefined && knownAs(account) !== null;
  };
  const enter = store.write(async (queries) => {
    const owner =
      "token" in body
        ? await links.use(queries, "login", body.token)
        : await links.useCode(queries, {
            ...body,
            purpose: "login",
            askedBy: device ?? network,
            byKnownDevice: await isKnown(queries, body.email),
          });
    if (!owner) return null;
    const account = await proveOwner(queries, { world, sessions }, owner, knownAs);
    if (body.refreshToken !== undefined) await sessions.endByToken(queries, account.uuid, body.refreshToken, "replaced");
    return { account, pair: await sessions.start(queries, account.uuid, "link", browserNames(headers["user-agent"])) };
  });
  const entered = await ("token" in body ? enter : inConstantTime(world, enter));
  const session = entered && (await describe(entered.pair));
  if (!session) return refuse("invalidLink");
  remember(entered.account);
  return session;
};
