/**
 * Paddle Classic: pay links by its HTTP API, and signed alerts. The pay link's passthrough is our order's id. The first payment is
 * identified by its checkout's id, a renewal by its order's id.
 */
import { dayOf } from "#core/questionnaire/calendar.ts";
import { minorUnitsOf } from "#core/formats.ts";
import * as v from "valibot";
import { eventIn, factsOf } from "./paddleClassicAlerts.ts";
import {
  factsOfList,
  id,
  type Listed,
  minorUnits,
  subscriberSchema,
  subscriptionState,
  time,
  transactionSchema,
} from "./paddleClassicFacts.ts";
import { type ListedPrice, type OrderReference, type PaymentProvider, ProviderFailure, type VersionedFact } from "./provider.ts";

export interface PaddleClassicOptions {
  readonly vendorId: string;
  readonly authCode: string;
  /** PEM. Called for each alert, because the stand-in generates its own. */
  readonly publicKey: string | (() => string);
  /** `sandbox`, `production`, or the URL of a server with both of its APIs. */
  readonly environment: string | (() => string);
  readonly now: () => number;
  /** Time limit for an answer. Called for each request. */
  readonly timeoutMs?: () => number;
}

const defaultTimeoutMs = 10_000;
const dayMs = 86_400_000;
/** The time for which an order is reused, plus the rest of that day. */
const linkLifeMs = 2 * dayMs;
/** Pages of a product's transactions that are searched for an order, newest first. */
const searchPages = 10;

const answerSchema = v.union([
  v.object({ success: v.literal(true), response: v.unknown() }),
  v.object({ success: v.literal(false), error: v.object({ code: v.number(), message: v.string() }) }),
]);
const linkSchema = v.object({ url: v.pipe(v.string(), v.url()) });
/** The first payment of a checkout. `total_tax` is included in its total. */
const orderSchema = v.object({ state: v.string(), order: v.nullish(v.object({ total_tax: v.nullish(v.string()) })) });
const planSchema = v.object({
  id,
  billing_type: v.string(),
  billing_period: v.number(),
  trial_days: v.number(),
  recurring_price: v.record(v.string(), v.string()),
});
const productSchema = v.object({ id, base_price: v.union([v.string(), v.number()]), currency: v.string() });

/** 5370 as "53.70". */
const majorUnits = (minor: number, currency: string) => (minor / minorUnitsOf(currency)).toFixed(Math.log10(minorUnitsOf(currency)));

const jsonSchema = v.pipe(v.string(), v.parseJson());

const valueOf = (setting: string | (() => string)) => (typeof setting === "string" ? setting : setting());

/** Calls that check the provider's answers. A failed call throws ProviderFailure. */
function createCalls(options: PaddleClassicOptions) {
  function baseOf(service: "vendors" | "checkout"): string {
    const environment = valueOf(options.environment);
    if (environment === "production") return `https://${service}.paddle.com/api`;
    return environment === "sandbox" ? `https://sandbox-${service}.paddle.com/api` : environment;
  }

  async function fetchJson(what: string, url: string, init: RequestInit): Promise<unknown> {
    const timeoutMs = options.timeoutMs?.() ?? defaultTimeoutMs;
    try {
      const response = await fetch(url, { ...init, redirect: "error", signal: AbortSignal.timeout(timeoutMs) });
      const body = await response.text();
      const parsed = v.safeParse(jsonSchema, body);
      if (!parsed.success) throw new ProviderFailure("unavailable", `The provider answered ${response.status} (not JSON): ${what}`);
      return parsed.output;
    } catch (error) {
      if (error instanceof ProviderFailure) throw error;
      if (error instanceof Error && error.name === "TimeoutError")
        throw new ProviderFailure("timeout", `Paddle did not answer within ${timeoutMs} ms: ${what}`, error);
      throw new ProviderFailure("unavailable", `Paddle did not do it: ${what}: ${String(error)}`, error);
    }
  }
  function read<T>(what: string, schema: v.GenericSchema<unknown, T>, value: unknown): T {
    const parsed = v.safeParse(schema, value);
    if (!parsed.success) throw new ProviderFailure("unavailable", `Paddle answered something else: ${what}: ${parsed.issues[0].message}`);
    return parsed.output;
  }
  /** Calls the vendors' API: form-encoded, answered with 200 on success and failure. */
  async function ask<T>(path: string, fields: Readonly<Record<string, string>>, schema: v.GenericSchema<unknown, T>): Promise<T> {
    const body = new URLSearchParams({ vendor_id: options.vendorId, vendor_auth_code: options.authCode, ...fields });
    const answer = read(path, answerSchema, await fetchJson(path, `${baseOf("vendors")}/2.0/${path}`, { method: "POST", body }));
    if (!answer.success) throw new ProviderFailure("refused", `Paddle refused: ${path}: ${answer.error.code} ${answer.error.message}`);
    return read(path, schema, answer.response);
  }
  const transactionsOf = (entity: "checkout" | "order" | "product", of: string, page = 1) =>
    ask(`${entity}/${encodeURIComponent(of)}/transactions`, { page: String(page) }, v.array(transactionSchema));

  /** A checkout's state, with the tax of the first payment, which the list of its transactions does not have. */
  async function orderOf(checkoutId: string) {
    const url = `${baseOf("checkout")}/1.0/order?checkout_id=${encodeURIComponent(checkoutId)}`;
    const { state, order } = read("order", orderSchema, await fetchJson("order", url, {}));
    return { processed: state === "processed", tax: order?.total_tax ?? null };
  }

  async function subscriber(subscriptionId: string) {
    const [found] = await ask("subscription/users", { subscription_id: subscriptionId }, v.array(subscriberSchema));
    if (found === undefined) throw new ProviderFailure("refused", `Paddle has no subscription ${subscriptionId}`);
    return found;
  }

  return { ask, transactionsOf, orderOf, subscriber };
}
type Calls = ReturnType<typeof createCalls>;

/** Ids that contain `-chre` are checkouts', all others are orders'. */
const entityOf = (transactionId: string) => (transactionId.includes("-chre") ? "checkout" : "order");

function checkoutsBy(
  { ask, transactionsOf, orderOf }: Calls,
  options: PaddleClassicOptions,
): Pick<PaymentProvider, "createCheckout" | "findCheckout" | "hostedLink" | "cancelCheckout" | "readOrder"> {
  return {
    createCheckout: async (order) => {
      const fields: Record<string, string> = {
        product_id: order.priceId,
        quantity: String(order.quantity),
        quantity_variable: "0",
        passthrough: order.id,
        expires: dayOf(options.now() + linkLifeMs),
      };
      if (order.couponCode !== null) fields["coupon_code"] = order.couponCode;
      if (order.returnUrl !== null)
        fields["return_url"] = `${order.returnUrl}${order.returnUrl.includes("?") ? "&" : "?"}checkout={checkout_hash}`;
      const { url } = await ask("product/generate_pay_link", fields, linkSchema);
      return { transactionId: null, hostedUrl: url };
    },
    // A pay link that nobody knows costs nothing and cannot be paid.
    findCheckout: async () => null,
    hostedLink: (hostedUrl, { language }) => {
      const url = new URL(hostedUrl);
      url.searchParams.set("locale", language.slice(0, 2));
      return url.href;
    },
    // Paddle Classic cannot revoke a pay link. A payment by it is refunded.
    cancelCheckout: async () => false,
    readOrder: async ({ id: orderId, priceId, transactionId, since }: OrderReference) => {
      if (transactionId !== null) {
        const { processed, tax } = await orderOf(transactionId);
        return processed ? factsOfList(await transactionsOf(entityOf(transactionId), transactionId), tax, options.now()) : [];
      }
      for (let page = 1; page <= searchPages; page++) {
        const listed = await transactionsOf("product", priceId, page);
        const own = listed.find(({ passthrough }) => passthrough === orderId);
        if (own !== undefined)
          return factsOfList(await transactionsOf("checkout", own.checkout_id), (await orderOf(own.checkout_id)).tax, options.now());
        if (listed.every(({ created_at: at }) => (time(at) ?? 0) < since - dayMs)) return [];
      }
      return [];
    },
  };
}

function subscriptionsBy(
  { ask, subscriber }: Calls,
  options: PaddleClassicOptions,
): Pick<PaymentProvider, "readSubscription" | "changeSubscription" | "endSubscription" | "cardPage"> {
  return {
    readSubscription: async (subscriptionId) => [subscriptionState(await subscriber(subscriptionId), options.now())],
    changeSubscription: async (subscriptionId, action) => {
      const before = await subscriber(subscriptionId);
      if (action === "cancel") {
        await ask("subscription/users_cancel", { subscription_id: subscriptionId }, v.unknown());
        const at = time(before.next_payment?.date);
        return at === null
          ? [subscriptionState({ ...before, state: "deleted" }, options.now())]
          : [subscriptionState(before, options.now(), { change: { action: "cancel", at }, nextCharge: null, end: at })];
      }
      await ask(
        "subscription/users/update",
        { subscription_id: subscriptionId, pause: action === "pause" ? "true" : "false" },
        v.unknown(),
      );
      return [subscriptionState(await subscriber(subscriptionId), options.now())];
    },
    endSubscription: async (subscriptionId) => {
      if ((await subscriber(subscriptionId)).state === "deleted") return;
      await ask("subscription/users_cancel", { subscription_id: subscriptionId }, v.unknown());
    },
    cardPage: async (subscriptionId) => {
      const { update_url: url } = await subscriber(subscriptionId);
      if (url == null) throw new ProviderFailure("refused", `Paddle gives no card page for subscription ${subscriptionId}`);
      return url;
    },
  };
}

function moneyBy(
  { ask, transactionsOf }: Calls,
  options: PaddleClassicOptions,
): Pick<PaymentProvider, "refund" | "listMoney" | "listedPrices"> {
  return {
    refund: async (transactionId, reason, part) => {
      const [first] = (await transactionsOf(entityOf(transactionId), transactionId)).toSorted((a, b) =>
        a.created_at.localeCompare(b.created_at),
      );
      if (first === undefined) throw new ProviderFailure("refused", `Paddle has no transaction ${transactionId}`);
      if (first.status === "refunded" || Number(first.amount) === 0) return;
      // Its list shows that a part was refunded but not which, so at most one part is requested.
      if (part !== undefined && first.status !== "completed") return;
      const fields = { order_id: first.order_id, reason: reason.slice(0, 255) };
      await ask(
        "payment/refund",
        part === undefined ? fields : { ...fields, amount: majorUnits(part.amount, first.currency) },
        v.unknown(),
      );
    },
    listMoney: async (since, priceIds) => {
      const listed: Listed[] = [];
      for (const priceId of priceIds)
        for (let page = 1; page <= searchPages; page++) {
          const found = await transactionsOf("product", priceId, page);
          listed.push(...found);
          if (found.every(({ created_at: at }) => (time(at) ?? 0) < since)) break;
        }
      const byCheckout = Map.groupBy(listed, ({ checkout_id: checkout }) => checkout);
      const facts: VersionedFact[] = [];
      // The list does not show which payment of a checkout was first; the checkout's own list does.
      for (const checkout of byCheckout.keys()) facts.push(...factsOfList(await transactionsOf("checkout", checkout), null, options.now()));
      return facts;
    },
    listedPrices: async (priceIds) => {
      const found = new Map<string, ListedPrice>();
      for (const plan of await ask("subscription/plans", {}, v.array(planSchema)))
        for (const [currency, amount] of Object.entries(plan.recurring_price))
          if (priceIds.includes(plan.id))
            found.set(plan.id, {
              amount: minorUnits(amount, currency),
              currency,
              plan:
                plan.billing_type === "year"
                  ? `${plan.billing_period * 12}M`
                  : `${plan.billing_period}${plan.billing_type.slice(0, 1).toUpperCase()}`,
              trialDays: plan.trial_days,
            });
      const { products } = await ask("product/get_products", {}, v.object({ products: v.array(productSchema) }));
      for (const product of products)
        if (priceIds.includes(product.id))
          found.set(product.id, {
            amount: minorUnits(product.base_price, product.currency),
            currency: product.currency,
            plan: null,
            trialDays: 0,
          });
      return found;
    },
  };
}

export function createPaddleClassic(options: PaddleClassicOptions): PaymentProvider {
  const calls = createCalls(options);
  return {
    name: "paddle",
    keepsCancelled: false,
    knowsParts: false,
    ...checkoutsBy(calls, options),
    ...subscriptionsBy(calls, options),
    ...moneyBy(calls, options),
    verify: (rawBody) => eventIn(rawBody, valueOf(options.publicKey)),
    factsOf,
  };
}
