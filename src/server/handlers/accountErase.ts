import { record } from "../store/audit.ts";
import { missingProof, stillHolds } from "./shared/proof.ts";
import type { Handler } from "./shared/handler.ts";
import { refuse } from "../base/refusal.ts";

/**
 * Erases the account. The caller must know its password, or have just logged in on this device by a mailed link. Once this answers, nobody can see
 * the account.
 */
export const accountErase: Handler<"accountErase"> = async (call, services) => {
  const {
    store,
    world,
    erasing,
    accounts: { sessions },
  } = services;
  const { accountUuid } = call.actor;
  const account = await store.read
    .selectFrom("accounts")
    .select(["uuid", "email", "password_hash", "trust_epoch"])
    .where("uuid", "=", accountUuid)
    .executeTakeFirst();
  if (!account) return refuse("invalidAccessToken");
  const missing = await missingProof(call, account, { proof: "owner", password: call.body.password }, services);
  if (missing) return missing;

  const begun = await store.write(async (queries) => {
    if (!(await stillHolds(queries, call.actor, account)) || (await erasing.begin(queries, accountUuid)) === null) return null;
    await record(queries, world, null, "account erased");
    return "begun";
  });
  sessions.forget(accountUuid);
  if (begun === null) return refuse("invalidAccessToken");
  erasing.wake();
  return {};
};
