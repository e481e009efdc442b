/**
 * The earlier prices of each product. EU law allows a struck-out price beside a lower one only if it is the lowest of the thirty days
 * before the reduction (decision 192).
 */
import type { Queries } from "../store/schema.ts";
import type { Store } from "../store/store.ts";

const periodMs = 30 * 24 * 60 * 60_000;

interface AskedPrice {
  readonly productId: string;
  /** In minor units; null while the product is not sold. */
  readonly price: number | null;
}

/** The prices of these products, oldest first, starting thirty days before each current price. */
async function askedPrices(queries: Queries, productIds: readonly string[]) {
  const rows = await queries
    .selectFrom("asked_prices")
    .selectAll()
    .where("product_id", "in", [...productIds])
    .orderBy("since")
    .execute();
  return Map.groupBy(rows, ({ product_id: id }) => id);
}

/** Records the prices that have changed. */
export async function recordPrices(queries: Queries, prices: readonly AskedPrice[], now: number): Promise<void> {
  const known = await askedPrices(
    queries,
    prices.map(({ productId }) => productId),
  );
  const changed = prices.filter(({ productId, price }) => {
    const last = known.get(productId)?.at(-1);
    return last === undefined ? price !== null : last.price !== price;
  });
  if (changed.length === 0) return;
  await queries
    .insertInto("asked_prices")
    .values(changed.map(({ productId, price }) => ({ product_id: productId, since: now, price })))
    .onConflict((conflict) =>
      conflict.columns(["product_id", "since"]).doUpdateSet((expression) => ({ price: expression.ref("excluded.price") })),
    )
    .execute();
}

/**
 * The price that may be shown struck out beside each product's price, in minor units: the lowest of the thirty days before the reduction. A
 * product has none if its price did not fall in the last thirty days.
 */
export async function priorPrices(store: Store, productIds: readonly string[], now: number): Promise<ReadonlyMap<string, number>> {
  const prior = new Map<string, number>();
  for (const [id, periods] of await askedPrices(store.read, productIds)) {
    const current = periods.at(-1);
    if (current?.price == null || current.since <= now - periodMs) continue;
    const before = periods.filter((_, index) => {
      const end = periods[index + 1]?.since;
      return end !== undefined && end > current.since - periodMs;
    });
    const lowest = Math.min(...before.flatMap(({ price }) => (price === null ? [] : [price])));
    if (Number.isFinite(lowest) && lowest > current.price) prior.set(id, lowest);
  }
  return prior;
}
