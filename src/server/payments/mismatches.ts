/**
 * Mismatches: payments that are not what their order costs. They entitle to nothing. Each is logged, counted (`/metrics`) and listed by
 * `npm run paddle -- mismatches` until a later fact resolves it or somebody has looked at it.
 */
import type { PaymentProviderName } from "#core/products.ts";
import type { World } from "../base/world.ts";
import { record } from "../store/audit.ts";
import type { Queries } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import type { TransactionFact } from "./provider.ts";
import type { OrdersTable } from "../store/paymentTables.ts";
import { overrule } from "./verdicts.ts";

/** Records an order's new mismatches, and settles those that are resolved, within the caller's write. */
export async function noteMismatches(
  queries: Queries,
  { world, log }: { readonly world: World; readonly log: { readonly error: (details: object, message: string) => void } },
  provider: PaymentProviderName,
  order: Pick<OrdersTable, "id" | "account_uuid" | "currency" | "price">,
  mismatches: readonly TransactionFact[],
): Promise<void> {
  const ofOrder = queries
    .updateTable("payment_mismatches")
    .set({ settled_at: world.now() })
    .where("order_id", "=", order.id)
    .where("settled_at", "is", null);
  const ids = mismatches.map(({ id }) => id);
  await (ids.length === 0 ? ofOrder : ofOrder.where("transaction_id", "not in", ids)).execute();
  for (const { id: transaction, currency, total } of mismatches) {
    const noted = await queries
      .insertInto("payment_mismatches")
      .values({
        payment_provider: provider,
        transaction_id: transaction,
        order_id: order.id,
        currency,
        total,
        noted_at: world.now(),
        settled_at: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning("transaction_id")
      .executeTakeFirst();
    if (noted === undefined) continue;
    log.error(
      { order: order.id, transaction, paid: `${total} ${currency ?? ""}`, ordered: `${order.price} ${order.currency}` },
      "A completed transaction does not match its order: nothing is granted.",
    );
    await record(queries, world, order.account_uuid, "payment-mismatch", { order: order.id, transaction });
  }
}

const unsettled = (store: Store) => store.read.selectFrom("payment_mismatches").where("settled_at", "is", null);

/** The number of mismatches that nobody has looked at. */
export async function countMismatches(store: Store): Promise<number> {
  const { count } = await unsettled(store)
    .select((expression) => expression.fn.countAll<number | string>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Oldest first, with the order and its account where they still exist. */
export function listMismatches(store: Store) {
  return unsettled(store)
    .innerJoin("orders", "orders.id", "payment_mismatches.order_id")
    .leftJoin("accounts", "accounts.uuid", "orders.account_uuid")
    .select([
      "payment_mismatches.payment_provider",
      "payment_mismatches.transaction_id",
      "payment_mismatches.currency",
      "payment_mismatches.total",
      "payment_mismatches.noted_at",
      "orders.id as order_id",
      "orders.product_id",
      "orders.currency as ordered_currency",
      "orders.price",
      "accounts.email",
    ])
    .orderBy("payment_mismatches.noted_at")
    .execute();
}

/**
 * Takes a mismatch off the list after a person has looked at it; the payment stays refused. False when the transaction is not on the list.
 */
export function settleMismatch(store: Store, now: number, transactionId: string): Promise<boolean> {
  return store.write(async (queries) => {
    const settled = await queries
      .updateTable("payment_mismatches")
      .set({ settled_at: now })
      .where("transaction_id", "=", transactionId)
      .where("settled_at", "is", null)
      .returning(["payment_provider", "transaction_id"])
      .execute();
    for (const payment of settled) await overrule(queries, payment, false, now);
    return settled.length > 0;
  });
}

/** Accepts a refused payment: it entitles with the next reconciliation. False when it was never refused. */
export function acceptMismatch(store: Store, now: number, transactionId: string): Promise<boolean> {
  return store.write(async (queries) => {
    const accepted = await queries
      .updateTable("payment_mismatches")
      // It stays on the list until it entitles.
      .set({ settled_at: null })
      .where("transaction_id", "=", transactionId)
      .returning(["payment_provider", "transaction_id"])
      .execute();
    for (const payment of accepted) await overrule(queries, payment, true, now);
    return accepted.length > 0;
  });
}
