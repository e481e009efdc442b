/** An account's only open order for a product and coupon. */
import { currencyOf } from "#content/catalog/countries.ts";
import { isTimeZone } from "#core/questionnaire/calendar.ts";
import type { OrdersTable } from "../store/paymentTables.ts";
import { isBeingErased } from "../store/lockAccounts.ts";
import type { Queries } from "../store/schema.ts";
import { lockAccount, ordersOf } from "./accountOrders.ts";
import { type Sale, salesOf } from "./catalogue.ts";
import { lookForLostCheckout } from "./otherOrders.ts";
import { channelOf, type PaymentsWorld } from "./paymentsWorld.ts";
import type { OpenResult, OrderRequest } from "./service.ts";

/** An open order is reused for this time; later a new one is made. */
const orderLifeMs = 86_400_000;

type Wanted = Pick<OrderRequest<never>, "accountUuid" | "productId" | "couponCode" | "country" | "markets" | "timeZone">;

/**
 * Finds or makes the order, and stores it before anything is sent; `paid` when the account has a plan. An order without a checkout needs one of the caller's
 * limited checkouts (`mayCreate`). A refused caller leaves no order, because orders stay, and open ones are read every minute.
 */
export async function openOrder<Refused>(
  payments: PaymentsWorld,
  wanted: Wanted & Pick<OrderRequest<Refused>, "mayCreate">,
): Promise<OrdersTable | "paid" | Exclude<OpenResult<Refused>, { readonly kind: "open" }>> {
  const { store, world } = payments;
  const { accountUuid, timeZone, mayCreate } = wanted;
  const sale = await saleFor(payments, wanted);
  if (sale === null) return notSold;
  const now = world.now();
  const holds = (order: OrdersTable) =>
    order.price === sale.product.price && order.price_id === sale.priceId && now - order.created_at < orderLifeMs;
  const zone = timeZone !== undefined && isTimeZone(timeZone) ? timeZone : null;
  const found = await findOpen(store.read, wanted, sale);
  const known = found !== undefined && holds(found) ? found : null;
  // The account is being erased, but it has many orders, and this order has not been reached yet.
  if (known !== null && (await isBeingErased(store.read, accountUuid))) return notSold;
  const refusal = known !== null && hasCheckout(known) ? null : await mayCreate();
  if (refusal !== null) return { kind: "refused", refusal };
  if (known !== null) {
    // Reopened elsewhere: dates are those of the visitor's present time zone.
    if (zone !== null && zone !== known.time_zone)
      await store.write((queries) => queries.updateTable("orders").set({ time_zone: zone }).where("id", "=", known.id).execute());
    return known;
  }
  const order = newOrder(world.uuid(), wanted, sale, zone, now);
  return store.write(async (queries) => {
    const { hasPlan, erased } = await lockAccount(queries, world, accountUuid);
    if (erased) return notSold;
    if (hasPlan) return "paid";
    const there = await findOpen(queries, wanted, sale);
    // Another process was first: use its order.
    if (there !== undefined && holds(there)) return there;
    if (there !== undefined) {
      await queries.updateTable("orders").set({ status: "cancelled", updated_at: now }).where("id", "=", there.id).execute();
      await lookForLostCheckout(queries, there, `superseded by order ${order.id}`, now);
    }
    await queries.insertInto("orders").values(order).execute();
    return order;
  });
}

const notSold = { kind: "not sold" } as const;

/** Whether the provider's checkout of an order is known. */
export const hasCheckout = ({ transaction_id: transaction, hosted_url: hosted }: OrdersTable): boolean =>
  transaction !== null || hosted !== null;

/** The sale of a product to a visitor; null when it is not sold here, not at that market's price, or not with those free days. */
async function saleFor(payments: PaymentsWorld, { accountUuid, productId, couponCode, markets = null }: Wanted): Promise<Sale | null> {
  const { store, trials } = payments;
  const [sale] = await salesOf(store, [productId], couponCode);
  if (sale === undefined || channelOf(payments, sale.product.paymentProvider) === null) return null;
  const { product } = sale;
  if (markets !== null && !markets.some((country) => currencyOf(country) === product.currency)) return null;
  if (product.trialDays > 0 && !(await trials.freeDaysOf(store.read, accountUuid))(product.productPlan)) return null;
  return sale;
}

function findOpen(queries: Queries, { accountUuid, productId }: Wanted, { couponCode: coupon }: Sale): Promise<OrdersTable | undefined> {
  const query = ordersOf(queries, accountUuid).where("product_id", "=", productId).where("status", "=", "pending");
  return (coupon === null ? query.where("coupon_code", "is", null) : query.where("coupon_code", "=", coupon)).executeTakeFirst();
}

function newOrder(
  id: string,
  { accountUuid, country = null }: Wanted,
  { product, priceId, couponCode }: Sale,
  zone: string | null,
  now: number,
): OrdersTable {
  return {
    id,
    account_uuid: accountUuid,
    product_id: product.productId,
    product_type: product.productType,
    product_plan: product.productPlan,
    trial_days: product.trialDays,
    price_id: priceId,
    quantity: 1,
    currency: product.currency,
    price: product.price,
    coupon_code: couponCode,
    payment_provider: product.paymentProvider,
    status: "pending",
    transaction_id: null,
    hosted_url: null,
    subscription_id: null,
    created_at: now,
    updated_at: now,
    checked_at: null,
    time_zone: zone,
    country,
  };
}
