import { hashOf } from "../accounts/keys.ts";
import { type Handler, refuse } from "../handler.ts";

/** Confirms the address the token was sent to; the same token again within its life changes nothing and is no error. */
export const confirmEmail: Handler<"confirmEmail"> = async ({ body }, { store, world }) =>
  store.write(async (queries) => {
    const now = world.now();
    const link = await queries
      .selectFrom("link_tokens")
      .select(["id", "account_uuid", "email"])
      .where("token_hash", "=", hashOf(body.confirmToken))
      .where("purpose", "=", "confirm")
      .where("expires_at", ">", now)
      .executeTakeFirst();
    if (!link) return refuse(1005);
    await queries.updateTable("link_tokens").set({ used_at: now }).where("id", "=", link.id).where("used_at", "is", null).execute();
    await queries
      .updateTable("accounts")
      .set({ email_confirmed_at: now, updated_at: now })
      .where("uuid", "=", link.account_uuid)
      .where("email", "=", link.email)
      .where("email_confirmed_at", "is", null)
      .execute();
    return {};
  });
