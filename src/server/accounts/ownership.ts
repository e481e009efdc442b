import type { World } from "../base/world.ts";
import type { Queries } from "../store/schema.ts";
import { record } from "../store/audit.ts";
import type { KnownAccount, KnownDevices } from "./knownDevices.ts";
import type { EndReason, Sessions } from "./sessions.ts";

interface Parts {
  readonly world: World;
  readonly sessions: Sessions;
}
/** The calling device's id for an account, or null when it is unknown there. */
export type KnownAs = (account: KnownAccount) => ReturnType<KnownDevices["knownAs"]>;

/** Ends every way into the account except its mailbox: password, known devices and sessions. */
export async function endWaysIn(queries: Queries, { world, sessions }: Parts, accountUuid: string, reason: EndReason): Promise<void> {
  await queries
    .updateTable("accounts")
    .set({ password_hash: null, trust_epoch: world.uuid(), updated_at: world.now() })
    .where("uuid", "=", accountUuid)
    .execute();
  await sessions.endAll(queries, accountUuid, reason);
}

/** Assigns notices that this address sent before it belonged to an account, within the write that confirms the address. */
export async function takeOverNotices(queries: Queries, accountUuid: string): Promise<void> {
  await queries
    .updateTable("contract_notices")
    .set({ account_uuid: accountUuid })
    .where("account_uuid", "is", null)
    .where("email", "=", ({ selectFrom }) => selectFrom("accounts").select("accounts.email").where("uuid", "=", accountUuid))
    .execute();
}

/**
 * Confirms the address of an account after somebody has proven that they read the mailbox of `email`, unless the account has another address by now.
 * If it was unconfirmed, another person may have signed up with it: password, sessions and known devices end, unless this device is known.
 */
export async function proveOwner(
  queries: Queries,
  parts: Parts,
  { accountUuid, email }: { readonly accountUuid: string; readonly email: string },
  knownAs: KnownAs,
): Promise<KnownAccount> {
  const read = () =>
    queries.selectFrom("accounts").select(["uuid", "trust_epoch"]).where("uuid", "=", accountUuid).executeTakeFirstOrThrow();
  const { world } = parts;
  const account = await read();
  const now = world.now();
  const confirmed = await queries
    .updateTable("accounts")
    .set({ email_confirmed_at: now, updated_at: now })
    .where("uuid", "=", accountUuid)
    .where("email", "=", email)
    .where("email_confirmed_at", "is", null)
    .executeTakeFirst();
  if (confirmed.numUpdatedRows > 0n) await takeOverNotices(queries, accountUuid);
  if (confirmed.numUpdatedRows === 0n || knownAs(account) !== null) return account;
  await endWaysIn(queries, parts, accountUuid, "unconfirmed");
  await record(queries, world, accountUuid, "address proven by another device");
  return read();
}
