import { hashOf } from "../accounts/keys.ts";
import { proveOwner } from "../accounts/ownership.ts";
import { type Handler, refuse } from "../handler.ts";

/** Confirms the address the token was sent to; the same token again within its life changes nothing and is no error. */
export const confirmEmail: Handler<"confirmEmail"> = async ({ body, knownAs }, { store, world, accounts: { sessions } }) =>
  store.write(async (queries) => {
    const now = world.now();
    const link = await queries
      .selectFrom("link_tokens")
      .innerJoin("accounts", "accounts.uuid", "link_tokens.account_uuid")
      .select(["link_tokens.id", "account_uuid", "link_tokens.email", "accounts.email as current"])
      .where("token_hash", "=", hashOf(body.confirmToken))
      .where("purpose", "=", "confirm")
      .where("expires_at", ">", now)
      .executeTakeFirst();
    if (!link) return refuse(1005);
    await queries.updateTable("link_tokens").set({ used_at: now }).where("id", "=", link.id).where("used_at", "is", null).execute();
    if (link.email === link.current) await proveOwner(queries, { world, sessions }, link.account_uuid, knownAs);
    return {};
  });
