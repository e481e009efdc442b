/**
 * Verdicts: whether a payment is what its order costs. Each payment is judged once, by the prices at that time, and the verdict is stored.
 * Later price changes do not change it; an operator can overrule it.
 */
import type { PaymentProviderName } from "#core/products.ts";
import type { Queries } from "../store/schema.ts";
import { possiblePrices } from "./catalogue.ts";
import { isWhatItCosts, type OrderTerms, paymentsFor, type Verdicts } from "./entitlement.ts";
import type { Fact, TransactionFact } from "./provider.ts";
import type { OrdersTable } from "../store/paymentTables.ts";

/** Stored as `paid` for an operator's verdict, which holds for any reported amount. */
const anyAmount = "";

/** What a verdict depends on: if the transaction is reported with another amount, it is judged again. */
function paidBy({ currency, total, items }: TransactionFact): string {
  return JSON.stringify([currency, total, ...items.map(({ priceId, quantity }) => [priceId, quantity])]);
}

/** The verdicts on an order's payments. Judges those without one. Call it within a write that has locked the order. */
export async function verdictsOn(
  queries: Queries,
  { provider, now }: { readonly provider: PaymentProviderName; readonly now: number },
  order: Pick<OrdersTable, "status" | "transaction_id" | "product_id" | "product_plan" | "price">,
  terms: OrderTerms,
  facts: readonly Fact[],
): Promise<Verdicts> {
  const payments = paymentsFor(terms, facts);
  if (payments.length === 0) return new Map();
  const kept = await queries
    .selectFrom("payment_verdicts")
    .select(["transaction_id", "paid", "agreed"])
    .where("payment_provider", "=", provider)
    .where(
      "transaction_id",
      "in",
      payments.map(({ id }) => id),
    )
    // The operator's verdict first: its `paid` is empty (`anyAmount`).
    .orderBy("paid")
    .execute();
  const verdicts = new Map<string, boolean>();
  for (const payment of payments) {
    const paid = paidBy(payment);
    const own = kept.filter((row) => row.transaction_id === payment.id);
    const verdict = own.find((row) => row.paid === anyAmount || row.paid === paid);
    if (verdict !== undefined) {
      verdicts.set(payment.id, verdict.agreed === 1);
      continue;
    }
    // A process of an older release, which stores no verdicts, has completed the order by this payment.
    const completedBy = own.length === 0 && order.status === "completed" && payment.id === order.transaction_id;
    const agreed = completedBy || isWhatItCosts(terms, await possiblePrices(queries, order), payment);
    verdicts.set(payment.id, agreed);
    // A payment whose tax is not reported yet is not refused for good.
    if (!agreed && payment.taxUntold === true) continue;
    await queries
      .insertInto("payment_verdicts")
      .values({ payment_provider: provider, transaction_id: payment.id, paid, agreed: agreed ? 1 : 0, judged_at: now })
      .execute();
  }
  return verdicts;
}

/** The stored verdicts. Payments that are not judged yet are missing. */
export async function keptVerdicts(queries: Queries, provider: string, facts: readonly Fact[]): Promise<Verdicts> {
  const payments = facts.filter((fact) => fact.kind === "transaction");
  if (payments.length === 0) return new Map();
  const ids = payments.map(({ id }) => id);
  const kept = await queries
    .selectFrom("payment_verdicts")
    .select(["transaction_id", "paid", "agreed"])
    .where("payment_provider", "=", provider)
    .where("transaction_id", "in", ids)
    .orderBy("paid")
    .execute();
  return new Map(
    payments.flatMap((payment) => {
      const verdict = kept.find((row) => row.transaction_id === payment.id && (row.paid === anyAmount || row.paid === paidBy(payment)));
      return verdict === undefined ? [] : [[payment.id, verdict.agreed === 1] as const];
    }),
  );
}

/** Stores an operator's verdict on a payment, within the caller's write. */
export async function overrule(
  queries: Queries,
  { payment_provider, transaction_id }: { readonly payment_provider: string; readonly transaction_id: string },
  agreed: boolean,
  now: number,
): Promise<void> {
  const verdict = { agreed: agreed ? 1 : 0, judged_at: now };
  await queries
    .insertInto("payment_verdicts")
    .values({ payment_provider, transaction_id, paid: anyAmount, ...verdict })
    .onConflict((conflict) => conflict.columns(["payment_provider", "transaction_id", "paid"]).doUpdateSet(verdict))
    .execute();
}

/** Orders with a refused payment that the operator has accepted. */
export async function acceptedOrders(queries: Queries, provider: PaymentProviderName): Promise<readonly string[]> {
  const rows = await queries
    .selectFrom("payment_mismatches")
    .innerJoin("payment_verdicts", (join) =>
      join
        .onRef("payment_verdicts.payment_provider", "=", "payment_mismatches.payment_provider")
        .onRef("payment_verdicts.transaction_id", "=", "payment_mismatches.transaction_id"),
    )
    .select("payment_mismatches.order_id")
    .distinct()
    .where("payment_mismatches.payment_provider", "=", provider)
    .where("payment_mismatches.settled_at", "is", null)
    .where("payment_verdicts.paid", "=", anyAmount)
    .where("payment_verdicts.agreed", "=", 1)
    .execute();
  return rows.map(({ order_id: id }) => id);
}
