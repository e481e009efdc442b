/** What a provider's ledger works with, and the lock that keeps two processes from working on one account. */
import type { World } from "../base/world.ts";
import { lockAccounts } from "../store/lockAccounts.ts";
import type { Queries } from "../store/schema.ts";
import type { PaymentProvider } from "./provider.ts";
import type { Links } from "../mail/links.ts";
import type { Trials } from "./trials.ts";

export interface LedgerLog {
  readonly warn: (details: object, message: string) => void;
  readonly error: (details: object, message: string) => void;
}

export interface LedgerParts {
  readonly world: World;
  readonly provider: PaymentProvider;
  readonly trials: Trials;
  readonly links: Pick<Links, "create">;
  readonly log: LedgerLog;
}

/** Locks the account of an order until the write ends, so that nobody else recomputes one of its orders. */
export async function lockAccountOf(queries: Queries, orderId: string): Promise<void> {
  await lockAccounts(queries)
    .where("uuid", "=", (expression) => expression.selectFrom("orders").select("account_uuid").where("id", "=", orderId))
    .execute();
}
