/** The catalogue in the database: loaded at every start, read by every offer. */
import { dutiesIn } from "#core/duties.ts";
import { discounted } from "#core/money.ts";
import { inOfferOrder } from "#core/offers.ts";
import { type PaymentProviderName, type Product, productSchema } from "#core/products.ts";
import { brand } from "#content/brand.ts";
import { coupons } from "#content/catalog/coupons.ts";
import { currencyOf } from "#content/catalog/countries.ts";
import { productId, products } from "#content/catalog/products.ts";
import * as v from "valibot";
import type { CouponsTable } from "../store/paymentTables.ts";
import type { Queries } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { priorPrices, recordPrices } from "./priorPrices.ts";

/** The provider's id of a product's price; null without one. */
export type PriceIdOf = (productId: string) => string | null;

/** The stand-in's id of a product's price. Classic's are numbers. */
export function standinPriceId(id: string): string {
  return id.endsWith("-classic")
    ? String(800_001 + products.findIndex(({ productId: own }) => own === id))
    : `pri_${id.replaceAll("-", "_")}`;
}

const standinPrices = (provider: PaymentProviderName) =>
  products
    .filter(({ paymentProvider }) => paymentProvider === provider)
    .map((product) => ({
      id: standinPriceId(product.productId),
      name: `${brand.name} ${product.productPlan}`,
      amount: product.price,
      currency: product.currency,
      every:
        product.productType === "onetime"
          ? null
          : {
              interval: product.productPlan.includes("W") ? ("week" as const) : ("month" as const),
              frequency: Number.parseInt(product.productPlan, 10),
            },
      trialDays: product.trialDays,
    }));
const standinDiscounts = (provider: PaymentProviderName) =>
  coupons.map((coupon) => ({
    id: `dsc_${coupon.code.toLowerCase()}`,
    code: coupon.code,
    percentage: coupon.percentage,
    recurring: coupon.recurring,
    prices:
      coupon.plans === undefined
        ? null
        : products
            .filter(({ paymentProvider, productPlan }) => paymentProvider === provider && coupon.plans?.includes(productPlan))
            .map((product) => standinPriceId(product.productId)),
  }));

/** The stand-in's catalogue, with the same prices and coupons as ours. */
export const standinCatalogue = { prices: standinPrices("paddlebilling"), discounts: standinDiscounts("paddlebilling") };
export const classicStandinCatalogue = { prices: standinPrices("paddle"), discounts: standinDiscounts("paddle") };

/**
 * Updates the stored products and coupons from the content, and records changed prices. A product without a price at the provider is not
 * sold; returns the ids of these. `now` is in milliseconds since 1970.
 */
export async function loadCatalogue(store: Store, priceIdOf: PriceIdOf, now: number): Promise<readonly string[]> {
  const priced = products.map((product) => ({ product, priceId: priceIdOf(product.productId) }));
  await store.write(async (queries) => {
    await queries.updateTable("products").set({ sold: 0 }).execute();
    await queries
      .insertInto("products")
      .values(
        priced.map(({ product, priceId }) => ({
          product_id: product.productId,
          product_type: product.productType,
          product_plan: product.productPlan,
          currency: product.currency,
          price: product.price,
          list_price: product.listPrice,
          frequency: product.frequency,
          trial_days: product.trialDays,
          payment_provider: product.paymentProvider,
          price_id: priceId ?? "",
          sold: priceId === null ? 0 : 1,
        })),
      )
      .onConflict((conflict) =>
        conflict.column("product_id").doUpdateSet((expression) => ({
          price: expression.ref("excluded.price"),
          list_price: expression.ref("excluded.list_price"),
          frequency: expression.ref("excluded.frequency"),
          trial_days: expression.ref("excluded.trial_days"),
          payment_provider: expression.ref("excluded.payment_provider"),
          price_id: expression.ref("excluded.price_id"),
          sold: expression.ref("excluded.sold"),
        })),
      )
      .execute();
    await recordPrices(
      queries,
      priced.map(({ product: { productId, price }, priceId }) => ({ productId, price: priceId === null ? null : price })),
      now,
    );
    await queries.updateTable("coupons").set({ valid: 0 }).execute();
    await queries
      .insertInto("coupons")
      .values(
        coupons.map(({ code, percentage, recurring, plans }) => ({
          code,
          percentage,
          recurring: recurring ? 1 : 0,
          plans: plans === undefined ? null : JSON.stringify(plans),
          valid: 1,
        })),
      )
      .onConflict((conflict) =>
        conflict.column("code").doUpdateSet((expression) => ({
          percentage: expression.ref("excluded.percentage"),
          recurring: expression.ref("excluded.recurring"),
          plans: expression.ref("excluded.plans"),
          valid: expression.ref("excluded.valid"),
        })),
      )
      .execute();
  });
  return priced.filter(({ priceId }) => priceId === null).map(({ product }) => product.productId);
}

/** A product as it is sold now, with the coupon's price if a coupon applies to it. */
export interface Sale {
  readonly product: Product;
  readonly priceId: string;
  /** The applied coupon; null when none was given or it does not apply to this product. */
  readonly couponCode: string | null;
}

/**
 * All prices that an order may be paid with: its own and its product's current one, without a coupon and with each that the provider's form
 * accepts.
 */
export async function possiblePrices(
  queries: Queries,
  order: { readonly product_id: string; readonly product_plan: string; readonly price: number },
): Promise<readonly number[]> {
  const product = await queries.selectFrom("products").select("price").where("product_id", "=", order.product_id).executeTakeFirst();
  const prices = product === undefined ? [order.price] : [order.price, product.price];
  const coupons = await queries.selectFrom("coupons").select(["percentage", "plans"]).execute();
  const reduced = coupons
    .filter(({ plans }) => holdsFor(plans, order.product_plan))
    .flatMap(({ percentage }) => prices.map((price) => discounted(price, percentage)));
  return [...new Set([...prices, ...reduced])];
}

/** The amount that a renewal charges: the product's current price, less a coupon that also applies to renewals. */
export async function renewalPrice(
  queries: Queries,
  order: { readonly product_id: string; readonly price: number; readonly coupon_code: string | null },
): Promise<number> {
  const product = await queries.selectFrom("products").select("price").where("product_id", "=", order.product_id).executeTakeFirst();
  const coupon =
    order.coupon_code === null
      ? undefined
      : await queries.selectFrom("coupons").select(["percentage", "recurring"]).where("code", "=", order.coupon_code).executeTakeFirst();
  const full = product?.price ?? order.price;
  return coupon?.recurring === 1 ? discounted(full, coupon.percentage) : full;
}

const plansSchema = v.pipe(v.string(), v.parseJson(), v.array(v.string()));
/** Whether a coupon applies to a plan. `plans` is the stored list; null means all. */
const holdsFor = (plans: string | null, plan: string) => plans === null || v.parse(plansSchema, plans).includes(plan);

/** The coupon that a typed code names, also one that is no longer valid; undefined for a code that none ever had. */
export async function couponOf(store: Store, typed: string | undefined): Promise<CouponsTable | undefined> {
  const code = typed?.trim().toUpperCase();
  return code ? store.read.selectFrom("coupons").selectAll().where("code", "=", code).executeTakeFirst() : undefined;
}

/** The coupon's use for a product: its code as stored, null where it does not apply. Null for a code that no coupon ever had. */
export async function couponUse(store: Store, productId: string, typed: string): Promise<{ readonly code: string | null } | null> {
  const coupon = await couponOf(store, typed);
  if (coupon === undefined) return null;
  const [sale] = await salesWith(store, [productId], coupon);
  return { code: sale?.couponCode ?? null };
}

/** The products that are sold, in no particular order. An unknown coupon changes nothing. */
export async function salesOf(store: Store, ids: readonly string[], couponCode: string | undefined): Promise<readonly Sale[]> {
  return salesWith(store, ids, await couponOf(store, couponCode));
}

async function salesWith(store: Store, ids: readonly string[], coupon: CouponsTable | undefined): Promise<readonly Sale[]> {
  if (ids.length === 0) return [];
  const rows = await store.read
    .selectFrom("products")
    .selectAll()
    .where("product_id", "in", [...ids])
    .where("sold", "=", 1)
    .execute();
  return rows.map((row) => {
    const holds = coupon?.valid === 1 && holdsFor(coupon.plans, row.product_plan);
    const product = v.parse(productSchema, {
      productId: row.product_id,
      productType: row.product_type,
      productPlan: row.product_plan,
      currency: row.currency,
      price: holds ? discounted(row.price, coupon.percentage) : row.price,
      // The coupon lowers the current price, so the current price is shown struck out beside it (decision 103).
      listPrice: holds ? row.price : row.list_price,
      frequency: row.frequency,
      trialDays: row.trial_days,
      paymentProvider: row.payment_provider,
    });
    return { product, priceId: row.price_id, couponCode: holds ? coupon.code : null };
  });
}

/** Ids of products that leave out their plan's trial, for customers who have used it. */
const withoutTrial: ReadonlySet<string> = new Set(
  products.filter(({ productId: id }) => id.includes("-notrial")).map(({ productId: id }) => id),
);

/** The same product in a country's currency, so that nobody in Germany sees Argentina's prices. */
function inCurrencyOf(country: string, id: string): string {
  const [type, plan = "", , ...rest] = id.split("-");
  if (type !== "onetime" && type !== "subscription") return id;
  const provider = rest.includes("classic") ? "paddle" : "paddlebilling";
  return productId(type, plan, currencyOf(country), provider, rest.includes("notrial") ? "without its trial" : "with its trial");
}

/** The visitor that products are offered to. */
export interface OfferedTo {
  /** ISO 3166 alpha-2; decides the currency, and whether a list price may be shown. */
  readonly country: string;
  readonly couponCode?: string | undefined;
}

/**
 * The products with the list price that may be shown in the country. Where the law demands a prior price, it is that price. Without a prior price it is
 * the product's own price, so that no reduction shows (decision 192).
 */
async function withShownListPrices(store: Store, sales: readonly Sale[], to: OfferedTo, now: number): Promise<readonly Product[]> {
  const ids = sales.map(({ product }) => product.productId);
  if (!dutiesIn(to.country).includes("priorPrice") || ids.length === 0) return sales.map(({ product }) => product);
  const prior = await priorPrices(store, ids, now);
  return sales.map(({ product, couponCode }) =>
    couponCode === null ? { ...product, listPrice: prior.get(product.productId) ?? product.price } : product,
  );
}

/** The answer of GET products; null when one of the ids is not sold in the country. */
export async function offer(store: Store, ids: readonly string[], to: OfferedTo, now: number): Promise<readonly Product[] | null> {
  const wanted = [...new Set(ids.map((id) => inCurrencyOf(to.country, id)))];
  const shown = await withShownListPrices(store, await salesOf(store, wanted, to.couponCode), to, now);
  const found = shown.map((product) => (withoutTrial.has(product.productId) ? { ...product, trialUsed: true } : product));
  // A product that the provider does not sell without a trial is omitted; the others are offered.
  const missing = wanted.filter((id) => !withoutTrial.has(id) && !found.some(({ productId: other }) => other === id));
  return found.length > 0 && missing.length === 0 ? inOfferOrder(found) : null;
}
