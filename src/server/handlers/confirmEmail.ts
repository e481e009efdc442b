import { applyChange } from "../accounts/emailChanges.ts";
import { hashOf } from "../base/keys.ts";
import { proveOwner } from "../accounts/ownership.ts";
import type { Handler } from "./shared/handler.ts";
import { refuse } from "../base/refusal.ts";
import { isUniqueViolation } from "../store/store.ts";

/**
 * Confirms the address to which the token was sent. A new address that was to replace a confirmed one takes its place now. Using the token again
 * within its life changes nothing and is no error.
 */
export const confirmEmail: Handler<"confirmEmail"> = async ({ body, knownAs }, services) => {
  const {
    store,
    world,
    accounts: { links, sessions },
  } = services;
  try {
    return await store.write(async (queries) => {
      const now = world.now();
      const link = await queries
        .selectFrom("link_tokens")
        .innerJoin("accounts", "accounts.uuid", "link_tokens.account_uuid")
        .select(["link_tokens.id", "purpose", "account_uuid", "link_tokens.email", "used_at", "trust_epoch"])
        .where("token_hash", "=", hashOf(body.confirmToken))
        .where("purpose", "in", ["confirm", "change"])
        .where("expires_at", ">", now)
        .executeTakeFirst();
      if (!link || !links.isOurs(link.id, body.confirmToken)) return refuse("invalidConfirmToken");
      const { account_uuid: accountUuid, email } = link;
      if (link.purpose === "change") {
        const applied = await applyChange(queries, services, { accountUuid, email }, knownAs);
        return applied === null ? refuse("invalidConfirmToken") : { email, ...(applied.passwordEnded && { passwordEnded: true }) };
      }
      if (link.used_at !== null) return {};
      // The account's row before the link's, in the order of a change of address, which may have ended the link since it was read.
      const { trust_epoch: epoch } = await proveOwner(queries, { world, sessions }, { accountUuid, email }, knownAs);
      const used = await queries
        .updateTable("link_tokens")
        .set(({ fn, val }) => ({ used_at: fn.coalesce("used_at", val(now)) }))
        .where("id", "=", link.id)
        .executeTakeFirst();
      return used.numUpdatedRows > 0n ? { email, passwordEnded: epoch !== link.trust_epoch } : refuse("invalidConfirmToken");
    });
  } catch (error) {
    if (isUniqueViolation(error)) return refuse("emailTaken");
    throw error;
  }
};
