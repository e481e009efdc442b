/** The visitor's prices, including the coupon that applies (spec 001 §7). */
import type { Product } from "#core/products.ts";
import type { Context } from "#core/questionnaire/context.ts";
import type { Api } from "../api/client.ts";
import type { KeyValueStore } from "../device/storage.ts";

export interface PriceParts {
  readonly api: Api;
  readonly store: KeyValueStore;
  /** Resolves with locale and country, once the country is known. */
  readonly context: () => Promise<Pick<Context, "locale" | "country">>;
  /** The offer's own coupon. */
  readonly couponCode: string | undefined;
  /** For a returning customer: one plan in one frame (spec 001 §2). */
  readonly reactivate?: boolean;
}

export interface Prices {
  /** Whether visitors can type a coupon. An offer with its own coupon accepts no other. */
  readonly takesCoupon: boolean;
  /** The typed coupon, if it lowers a price. */
  readonly typedCode: () => string | undefined;
  /** The coupon that the prices include, so the checkout must use it too: the offer's own, else the typed one. */
  readonly couponCode: () => string | undefined;
  readonly withCode: (productIds: readonly string[], code: string | undefined) => Promise<readonly Product[]>;
  readonly now: (productIds: readonly string[]) => Promise<CurrentPrices>;
  /** Whether any product costs less than before. */
  readonly isCheaper: (products: readonly Product[], before: readonly Product[]) => boolean;
  /** Whether the chosen product costs less than before, or as much while any other costs less. */
  readonly isBetter: (products: readonly Product[], before: readonly Product[], chosen: string | undefined) => boolean;
}

export interface CurrentPrices {
  /** With the offer's own coupon, and with the typed one as long as it lowers a price. */
  readonly products: readonly Product[];
  /** Without the typed coupon. */
  readonly plain: readonly Product[];
  /** Without any coupon. Only for a returning customer with a coupon: it may be one that does not exist. */
  readonly full?: readonly Product[];
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
      if (reactivate && couponCode !== undefined) {
        const [products, full] = await Promise.all([withCode(productIds, couponCode), withCode(productIds, undefined)]);
        return { products, plain: products, full };
      }
      const plain = await withCode(productIds, couponCode);
      const typed = typedCode();
      if (typed === undefined) return { products: plain, plain };
      const reduced = await withCode(productIds, typed);
      if (isCheaper(reduced, plain)) return { products: reduced, plain };
      store.remove("coupon");
      return { products: plain, plain };
    },
    isCheaper,
    isBetter(products, before, chosen) {
      const priceIn = (all: readonly Product[]) => all.find(({ productId }) => productId === chosen)?.price ?? 0;
      const difference = priceIn(products) - priceIn(before);
      return difference < 0 || (difference === 0 && isCheaper(products, before));
    },
  };
}
