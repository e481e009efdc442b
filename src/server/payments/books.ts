/** What the parts of the ledger work with, and the lock that keeps two processes from working on one account. */
import type { World } from "../base/world.ts";
import type { Queries } from "../store/schema.ts";
import type { PaymentProvider } from "./provider.ts";
import type { Links } from "../mail/links.ts";
import type { Trials } from "./trials.ts";

export interface LedgerLog {
  readonly warn: (details: object, message: string) => void;
  readonly error: (details: object, message: string) => void;
}

/** One provider's books. */
export interface Books {
  readonly world: World;
  readonly provider: PaymentProvider;
  readonly trials: Trials;
  readonly links: Pick<Links, "create">;
  readonly log: LedgerLog;
}

/**
 * Until the write ends nobody else recomputes an order of the same account. Every write takes its locks in one order, so that none deadlocks:
 * facts by their ids, then the account, then its orders.
 */
export async function lockAccountOf(queries: Queries, orderId: string): Promise<void> {
  await queries
    .updateTable("accounts")
    .set((expression) => ({ updated_at: expression.ref("updated_at") }))
    .where("uuid", "=", (expression) => expression.selectFrom("orders").select("account_uuid").where("id", "=", orderId))
    .execute();
}
