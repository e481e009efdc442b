import { pendingChange } from "../accounts/emailChanges.ts";
import { isProven } from "./shared/proof.ts";
import type { Handler } from "./shared/handler.ts";
import { refuse } from "../base/refusal.ts";

/** The account's address, the pending one, and whether a change from this device needs the password. */
export const email: Handler<"email"> = async (call, services) => {
  const { store, world } = services;
  const { accountUuid } = call.actor;
  const account = await store.read
    .selectFrom("accounts")
    .select(["uuid", "email", "email_confirmed_at", "trust_epoch"])
    .where("uuid", "=", accountUuid)
    .executeTakeFirst();
  if (!account) return refuse("invalidAccessToken");
  const confirmed = account.email_confirmed_at !== null;
  const change = await pendingChange(store.read, world, accountUuid);
  return {
    email: account.email,
    confirmed,
    pending: change?.to_email ?? null,
    needsPassword: !(await isProven(call, account, confirmed ? "owner" : "device", services)),
  };
};
