import type { Queries } from "./schema.ts";

/**
 * Locks accounts until the write ends, and changes nothing; the caller says which. Every write takes its locks in one sequence, so that none deadlock:
 * a provider's facts by id, then the account, then its orders and its links.
 */
export const lockAccounts = (queries: Queries) => queries.updateTable("accounts").set(({ ref }) => ({ updated_at: ref("updated_at") }));

/** Whether the account is closed: its erasure has begun, and may still have much to delete. */
export async function isBeingErased(queries: Queries, accountUuid: string): Promise<boolean> {
  const erasure = await queries.selectFrom("erasures").select("asked_at").where("account_uuid", "=", accountUuid).executeTakeFirst();
  return erasure !== undefined;
}

/** Whether an account is gone or being erased. For a few seconds after an erasure, other processes still accept the account's sessions. */
export async function isErased(queries: Queries, accountUuid: string): Promise<boolean> {
  const account = await queries
    .selectFrom("accounts")
    .leftJoin("erasures", "erasures.account_uuid", "accounts.uuid")
    .select("erasures.asked_at as askedAt")
    .where("accounts.uuid", "=", accountUuid)
    .executeTakeFirst();
  return account === undefined || account.askedAt !== null;
}

/** Locks an account until the write ends; false when it has been erased since the call began, so that nothing may be added to it. */
export async function lockUnlessErased(queries: Queries, accountUuid: string): Promise<boolean> {
  const { numUpdatedRows } = await lockAccounts(queries).where("uuid", "=", accountUuid).executeTakeFirst();
  // This check needs its own statement: on PostgreSQL, the statement that waited for the lock would not see what the other write added.
  return numUpdatedRows > 0n && !(await isBeingErased(queries, accountUuid));
}
