/** Whether a provider charges what the catalogue says. */
import type { Product } from "#core/products.ts";
import { productSchema } from "#core/products.ts";
import * as v from "valibot";
import type { Store } from "../store/store.ts";
import type { PriceIdOf } from "./catalogue.ts";
import type { PaymentProvider } from "./provider.ts";

/** One sentence per difference, in the order of the products; none when all prices are the same. Throws ProviderFailure. */
export async function priceDifferences(
  products: readonly Product[],
  provider: Pick<PaymentProvider, "listedPrices">,
  priceIdOf: PriceIdOf,
): Promise<readonly string[]> {
  const mapped = products.map((product) => ({ product, priceId: priceIdOf(product.productId) }));
  const listed = await provider.listedPrices(mapped.flatMap(({ priceId }) => (priceId === null ? [] : [priceId])));
  return mapped.flatMap(({ product, priceId }) => {
    const { productId } = product;
    if (priceId === null) return [`${productId} has no price there: it is not sold`];
    const found = listed.get(priceId);
    if (found === undefined) return [`${productId}: there is no price ${priceId}`];
    const plan = product.productType === "onetime" ? null : product.productPlan;
    return [
      ...(found.currency === product.currency ? [] : [`${productId}: ${priceId} is in ${found.currency}`]),
      ...(found.amount === product.price ? [] : [`${productId}: ${priceId} is ${found.amount}, the catalogue says ${product.price}`]),
      ...(found.plan === plan
        ? []
        : [`${productId}: ${priceId} renews every ${found.plan ?? "never"}, the catalogue says ${plan ?? "never"}`]),
      ...(found.trialDays === product.trialDays
        ? []
        : [`${productId}: ${priceId} has ${found.trialDays} trial days, the catalogue says ${product.trialDays}`]),
    ];
  });
}

/** The differences of the products that this installation sells through the provider. */
export async function soldDifferences(store: Store, provider: Pick<PaymentProvider, "name" | "listedPrices">): Promise<readonly string[]> {
  const rows = await store.read
    .selectFrom("products")
    .selectAll()
    .where("payment_provider", "=", provider.name)
    .where("sold", "=", 1)
    .orderBy("product_id")
    .execute();
  const priceIds = new Map(rows.map((row) => [row.product_id, row.price_id]));
  const products = rows.map((row) =>
    v.parse(productSchema, {
      productId: row.product_id,
      productType: row.product_type,
      productPlan: row.product_plan,
      currency: row.currency,
      price: Number(row.price),
      listPrice: Number(row.list_price),
      frequency: row.frequency,
      trialDays: row.trial_days,
      paymentProvider: row.payment_provider,
    }),
  );
  return priceDifferences(products, provider, (id) => priceIds.get(id) ?? null);
}
