/**
 * Whether a payment is what its order costs is judged once, by the prices of that moment, and from then on only read: neither who was entitled
 * nor who was refused is judged anew when the catalogue changes. Somebody who has looked has the last word.
 */
import type { PaymentProviderName } from "#core/products.ts";
import type { Queries } from "../store/schema.ts";
import { possiblePrices } from "./catalogue.ts";
import { isWhatItCosts, type OrderTerms, paymentsFor, type Verdicts } from "./entitlement.ts";
import type { Fact, TransactionFact } from "./provider.ts";
import type { OrdersTable } from "./schema.ts";

/** In place of what was paid: the verdict is about the payment, whatever is told of it. */
const whatever = "";

/** What a verdict is about: a later word that tells of other money is judged anew. */
function paidBy({ currency, total, items }: TransactionFact): string {
  return JSON.stringify([currency, total, ...items.map(({ priceId, quantity }) => [priceId, quantity])]);
}

/** Within a write that holds the order: the verdict on each of its payments, judged now where it has not been. */
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
    // Somebody's word first.
    .orderBy("paid")
    .execute();
  const verdicts = new Map<string, boolean>();
  for (const payment of payments) {
    const paid = paidBy(payment);
    const own = kept.filter((row) => row.transaction_id === payment.id);
    const verdict = own.find((row) => row.paid === whatever || row.paid === paid);
    if (verdict !== undefined) {
      verdicts.set(payment.id, verdict.agreed === 1);
      continue;
    }
    // A process of a version that keeps no verdicts has completed the order by it.
    const completedBy = own.length === 0 && order.status === "completed" && payment.id === order.transaction_id;
    const agreed = completedBy || isWhatItCosts(terms, await possiblePrices(queries, order), payment);
    verdicts.set(payment.id, agreed);
    // Refused before its tax was told, it may agree yet.
    if (!agreed && payment.taxUntold === true) continue;
    await queries
      .insertInto("payment_verdicts")
      .values({ payment_provider: provider, transaction_id: payment.id, paid, agreed: agreed ? 1 : 0, judged_at: now })
      .execute();
  }
  return verdicts;
}

/** Within the caller's write: somebody has looked at a payment, and what they say counts for whatever is told of it. */
export async function pronounce(
  queries: Queries,
  { payment_provider, transaction_id }: { readonly payment_provider: string; readonly transaction_id: string },
  agreed: boolean,
  now: number,
): Promise<void> {
  const word = { agreed: agreed ? 1 : 0, judged_at: now };
  await queries
    .insertInto("payment_verdicts")
    .values({ payment_provider, transaction_id, paid: whatever, ...word })
    .onConflict((conflict) => conflict.columns(["payment_provider", "transaction_id", "paid"]).doUpdateSet(word))
    .execute();
}

/** Orders with a payment that was refused and that somebody has said agrees. */
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
    .where("payment_verdicts.paid", "=", whatever)
    .where("payment_verdicts.agreed", "=", 1)
    .execute();
  return rows.map(({ order_id: id }) => id);
}
