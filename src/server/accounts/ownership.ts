import type { World } from "../parts.ts";
import type { Queries } from "../store/schema.ts";
import { record } from "./audit.ts";
import type { KnownAccount, KnownDevices } from "./knownDevices.ts";
import type { Sessions } from "./sessions.ts";

/**
 * Somebody has shown that they read the account's mailbox: the address is confirmed. If it was not before, whoever had signed up
 * with it may be somebody else: their password, their sessions and their devices' proofs end, unless this very device is known.
 */
export async function proveOwner(
  queries: Queries,
  { world, sessions }: { readonly world: World; readonly sessions: Sessions },
  accountUuid: string,
  knownAs: (account: KnownAccount) => ReturnType<KnownDevices["knownAs"]>,
): Promise<KnownAccount> {
  const read = () =>
    queries.selectFrom("accounts").select(["uuid", "trust_epoch"]).where("uuid", "=", accountUuid).executeTakeFirstOrThrow();
  const account = await read();
  const now = world.now();
  const samePerson = knownAs(account) !== null;
  const confirmed = await queries
    .updateTable("accounts")
    .set({ email_confirmed_at: now, updated_at: now, ...(samePerson ? {} : { password_hash: null, trust_epoch: world.uuid() }) })
    .where("uuid", "=", accountUuid)
    .where("email_confirmed_at", "is", null)
    .executeTakeFirst();
  if (confirmed.numUpdatedRows === 0n || samePerson) return account;
  await sessions.endAll(queries, accountUuid, "unconfirmed");
  await record(queries, world, accountUuid, "address proven by another device");
  return read();
}
