import type { Queries } from "./schema.ts";

/**
 * Locks accounts until the write ends, and changes nothing; the caller says which. Every write takes its locks in one sequence, so that none deadlock:
 * a provider's facts by id, then the account, then its orders and its links.
 */
export const lockAccounts = (queries: Queries) => queries.updateTable("accounts").set(({ ref }) => ({ updated_at: ref("updated_at") }));
