/** What products cost this visitor, with the coupon that counts (spec 001 §7). */
import type { Product } from "#core/products.ts";
import type { Context } from "#core/questionnaire/context.ts";
import type { Api } from "../api/client.ts";
import type { KeyValueStore } from "../device/storage.ts";

export interface PriceParts {
  readonly api: Api;
  readonly store: KeyValueStore;
  /** What prices depend on, as soon as it is known where the visitor is. */
  readonly context: () => Promise<Pick<Context, "locale" | "country">>;
  /** The offer's own. */
  readonly couponCode: string | undefined;
  /** For someone who comes back: one plan, in one frame (spec 001 §2). */
  readonly reactivate?: boolean;
}

export interface Prices {
  /** Whether a code can be typed: an offer with a code of its own takes no other. */
  readonly takesCoupon: boolean;
  /** The code that was typed and takes something off. */
  readonly typedCode: () => string | undefined;
  /** What the prices have, and so the checkout must: the offer's own code, else the typed one. */
  readonly couponCode: () => string | undefined;
  readonly withCode: (productIds: readonly string[], code: string | undefined) => Promise<readonly Product[]>;
  /** With the code that was typed, as long as it takes something off. */
  readonly now: (productIds: readonly string[]) => Promise<readonly Product[]>;
  /** Whether any product costs less than the same one before. */
  readonly isCheaper: (products: readonly Product[], before: readonly Product[]) => boolean;
}

export function createPrices({ api, store, context, couponCode, reactivate = false }: PriceParts): Prices {
  const takesCoupon = couponCode === undefined && !reactivate;
  const typedCode = () => (takesCoupon ? (store.get("coupon") ?? undefined) : undefined);
  const isCheaper: Prices["isCheaper"] = (products, before) =>
    products.some((product) => before.some(({ productId, price }) => productId === product.productId && product.price < price));
  const withCode: Prices["withCode"] = async (productIds, code) => {
    const { locale, country } = await context();
    const { products } = await api.call("products", {
      query: { productIds: productIds.join(","), customerCountry: country, locale, couponCode: code },
    });
    return products;
  };
  return {
    takesCoupon,
    typedCode,
    couponCode: () => couponCode ?? typedCode(),
    withCode,
    async now(productIds) {
      const plain = await withCode(productIds, couponCode);
      const typed = typedCode();
      if (typed === undefined) return plain;
      const reduced = await withCode(productIds, typed);
      if (isCheaper(reduced, plain)) return reduced;
      store.remove("coupon");
      return plain;
    },
    isCheaper,
  };
}
