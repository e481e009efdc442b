import { record } from "../accounts/audit.ts";
import { erase } from "../accounts/personalData.ts";
import { missingProof } from "../accounts/proof.ts";
import { type Handler, refuse } from "../handler.ts";

/** Erases the account for who knows its password, or has just come in by a link to its mailbox on this device. */
export const accountErase: Handler<"accountErase"> = async (call, services) => {
  const {
    store,
    world,
    accounts: { sessions },
  } = services;
  const { accountUuid } = call.actor;
  const account = await store.read
    .selectFrom("accounts")
    .select(["uuid", "email", "password_hash", "trust_epoch"])
    .where("uuid", "=", accountUuid)
    .executeTakeFirst();
  if (!account) return refuse(1002);

  const missing = await missingProof(call, account, { proof: "owner", password: call.body.password }, services);
  if (missing) return missing;

  await store.write(async (queries) => {
    await sessions.endAll(queries, accountUuid, "erased");
    await erase(queries, world, { accountUuid, email: account.email });
    await record(queries, world, null, "account erased");
  });
  return {};
};
