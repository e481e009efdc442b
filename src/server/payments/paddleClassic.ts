/**
 * Paddle Classic: pay links by its HTTP API, signed alerts. Our order's id travels as the
 * pay link's passthrough; the first payment is known by its checkout's id, a renewal by its order's.
 */
import { dayOf } from "#core/questionnaire/calendar.ts";
import { minorUnitsOf } from "#core/formats.ts";
import * as v from "valibot";
import { signedFields } from "./classicSignature.ts";
import {
  type ListedPrice,
  type OrderReference,
  type PaymentProvider,
  ProviderFailure,
  told,
  type SubscriptionFact,
  type TransactionFact,
  type VersionedFact,
} from "./provider.ts";

export interface PaddleClassicOptions {
  readonly vendorId: string;
  readonly authCode: string;
  /** PEM; asked at each alert, as the stand-in makes its own. */
  readonly publicKey: string | (() => string);
  /** `sandbox`, `production`, or an address that speaks both of its APIs. */
  readonly environment: string | (() => string);
  readonly now: () => number;
  /** How long an answer is waited for; asked at each call. */
  readonly timeoutMs?: () => number;
}

const defaultTimeoutMs = 10_000;
const dayMs = 86_400_000;
/** As long as an order is taken up again, and the rest of that day. */
const linkLifeMs = 2 * dayMs;
/** Pages of a product's transactions that are looked through for an order, newest first. */
const searchPages = 10;

const id = v.pipe(v.union([v.string(), v.number()]), v.transform(String));
const answerSchema = v.union([
  v.object({ success: v.literal(true), response: v.unknown() }),
  v.object({ success: v.literal(false), error: v.object({ code: v.number(), message: v.string() }) }),
]);
const linkSchema = v.object({ url: v.pipe(v.string(), v.url()) });
const transactionSchema = v.object({
  order_id: id,
  checkout_id: id,
  amount: v.string(),
  currency: v.string(),
  status: v.string(),
  created_at: v.string(),
  passthrough: v.nullish(v.string()),
  product_id: id,
  subscription: v.nullish(v.object({ subscription_id: id })),
});
type Listed = v.InferOutput<typeof transactionSchema>;
/** Of a checkout: what was paid first. `total_tax` is part of its total. */
const orderSchema = v.object({ state: v.string(), order: v.nullish(v.object({ total_tax: v.nullish(v.string()) })) });
const subscriberSchema = v.object({
  subscription_id: id,
  state: v.string(),
  update_url: v.nullish(v.string()),
  paused_from: v.nullish(v.string()),
  next_payment: v.nullish(v.object({ date: v.string() })),
});
const planSchema = v.object({
  id,
  billing_type: v.string(),
  billing_period: v.number(),
  trial_days: v.number(),
  recurring_price: v.record(v.string(), v.string()),
});
const productSchema = v.object({ id, base_price: v.union([v.string(), v.number()]), currency: v.string() });

const text = v.pipe(v.string(), v.nonEmpty());
/** "747.00": a number that could not be added up would be tried again for ever. */
const amount = v.pipe(v.string(), v.regex(/^\d{1,12}(?:\.\d{1,6})?$/));
const quantity = v.optional(v.pipe(v.string(), v.regex(/^\d{1,6}$/)), "1");
/** A day of the calendar. */
const moment = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
  v.check((value) => time(value) !== null),
);
const alertSchema = v.looseObject({
  alert_id: v.pipe(v.string(), v.regex(/^\d{1,20}$/)),
  alert_name: v.pipe(v.string(), v.maxLength(100)),
  event_time: moment,
});
const paidSchema = v.object({
  checkout_id: text,
  order_id: text,
  currency: v.string(),
  sale_gross: amount,
  payment_tax: v.optional(amount, "0"),
  fee: v.optional(amount),
  quantity,
  passthrough: v.optional(v.string(), ""),
  product_id: v.optional(v.string()),
});
const subscriptionPaidSchema = v.object({
  ...paidSchema.entries,
  subscription_id: text,
  subscription_plan_id: text,
  initial_payment: v.optional(v.string(), "0"),
  next_bill_date: v.optional(v.string()),
  status: v.optional(v.string(), "active"),
});
const subscriptionSchema = v.object({
  checkout_id: v.optional(v.string()),
  subscription_id: text,
  subscription_plan_id: text,
  status: v.string(),
  next_bill_date: v.optional(v.string()),
  next_retry_date: v.optional(v.string()),
  cancellation_effective_date: v.optional(v.string()),
  paused_from: v.optional(v.string()),
  quantity,
  currency: v.optional(v.string()),
  passthrough: v.optional(v.string(), ""),
});
const refundSchema = v.object({
  checkout_id: text,
  order_id: text,
  subscription_id: v.optional(v.string()),
  initial_payment: v.optional(v.string()),
  refund_type: v.optional(v.string(), "full"),
  gross_refund: v.optional(amount),
  tax_refund: v.optional(amount),
  fee_refund: v.optional(amount),
  currency: v.optional(v.string(), ""),
});

/** `2026-11-20 12:00:00` and `2026-11-20`, both UTC, to milliseconds; null for none. */
function time(value: string | null | undefined): number | null {
  const at = value ? Date.parse(`${value}Z`) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}
const minorUnits = (amount: string | number, currency: string) => Math.round(Number(amount) * minorUnitsOf(currency));
/** 5370 as "53.70". */
const majorUnits = (minor: number, currency: string) => (minor / minorUnitsOf(currency)).toFixed(Math.log10(minorUnitsOf(currency)));
const paidBy = ({ sale_gross: gross, payment_tax: tax, fee, currency }: v.InferOutput<typeof paidSchema>) => ({
  total: minorUnits(gross, currency),
  tax: minorUnits(tax, currency),
  ...told({ fee: fee === undefined ? null : minorUnits(fee, currency) }),
  currency,
  forPeriod: true,
});
const statusOf = (word: string): SubscriptionFact["status"] | null =>
  word === "trialing" || word === "active"
    ? "active"
    : word === "past_due" || word === "paused"
      ? word
      : word === "deleted" || word === "canceled"
        ? "canceled"
        : null;

const jsonSchema = v.pipe(v.string(), v.parseJson());

export function createPaddleClassic(options: PaddleClassicOptions): PaymentProvider {
  const valueOf = (setting: string | (() => string)) => (typeof setting === "string" ? setting : setting());
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
  /** A call of the vendors' API: form-encoded, answered 200 whether it succeeds or not. */
  async function ask<T>(path: string, fields: Readonly<Record<string, string>>, schema: v.GenericSchema<unknown, T>): Promise<T> {
    const body = new URLSearchParams({ vendor_id: options.vendorId, vendor_auth_code: options.authCode, ...fields });
    const answer = read(path, answerSchema, await fetchJson(path, `${baseOf("vendors")}/2.0/${path}`, { method: "POST", body }));
    if (!answer.success) throw new ProviderFailure("refused", `Paddle refused: ${path}: ${answer.error.code} ${answer.error.message}`);
    return read(path, schema, answer.response);
  }
  const transactionsOf = (entity: "checkout" | "order" | "product", of: string, page = 1) =>
    ask(`${entity}/${encodeURIComponent(of)}/transactions`, { page: String(page) }, v.array(transactionSchema));
  /** A checkout's id names it (`…-chre…`), anything else is an order's. */
  const entityOf = (transactionId: string) => (transactionId.includes("-chre") ? "checkout" : "order");

  /** A payment's place in time: what an alert says of a payment outweighs what it says of the subscription it began. */
  const paidVersion = (weight: 0 | 1, at: string) => `2 ${weight} ${at}`;

  /** How a checkout stands, with the tax of what was paid first: the list of its transactions has none. */
  async function orderOf(checkoutId: string) {
    const url = `${baseOf("checkout")}/1.0/order?checkout_id=${encodeURIComponent(checkoutId)}`;
    const { state, order } = read("order", orderSchema, await fetchJson("order", url, {}));
    return { processed: state === "processed", tax: order?.total_tax ?? null };
  }

  /**
   * What the list of a checkout's transactions says; its first is the one that bought, the others are renewals.
   *
   * @param firstTax of the first one, as the provider writes it; null when it was not told
   */
  function factsOfList(all: readonly Listed[], firstTax: string | null): VersionedFact[] {
    const [first, ...renewals] = all.toSorted((a, b) => a.created_at.localeCompare(b.created_at));
    return [first, ...renewals].flatMap((listed) => {
      if (listed === undefined) return [];
      const isFirst = listed === first;
      const transactionId = isFirst ? listed.checkout_id : listed.order_id;
      const subscriptionId = listed.subscription?.subscription_id ?? null;
      const fact: TransactionFact = {
        kind: "transaction",
        id: transactionId,
        status: "completed",
        items: [{ priceId: listed.product_id, quantity: 1 }],
        subscriptionId,
        orderId: isFirst ? (listed.passthrough ?? null) : null,
        total: minorUnits(listed.amount, listed.currency),
        ...(isFirst && firstTax !== null ? { tax: minorUnits(firstTax, listed.currency) } : { tax: 0, taxUntold: true }),
        currency: listed.currency,
        forPeriod: true,
        billedAt: time(listed.created_at),
        periodEnd: null,
      };
      // An alert knows the period's end: it stays in force.
      const paid: VersionedFact = { version: paidVersion(0, listed.created_at), fact };
      if (listed.status !== "refunded") return [paid];
      return [
        paid,
        {
          version: listed.created_at,
          fact: {
            kind: "adjustment",
            id: `refund-${listed.order_id}`,
            transactionId,
            subscriptionId,
            action: "refund",
            full: true,
            approved: true,
            total: null,
            // The list does not say: what is known from now on.
            at: options.now(),
          },
        },
      ];
    });
  }

  async function subscriber(subscriptionId: string) {
    const [found] = await ask("subscription/users", { subscription_id: subscriptionId }, v.array(subscriberSchema));
    if (found === undefined) throw new ProviderFailure("refused", `Paddle has no subscription ${subscriptionId}`);
    return found;
  }
  /** What was asked for or done just now is newer than every alert so far. */
  const now = () => `${new Date(options.now()).toISOString().slice(0, 19).replace("T", " ")} ~`;
  function subscriptionState(found: v.InferOutput<typeof subscriberSchema>, changes: Partial<SubscriptionFact> = {}): VersionedFact {
    const status = statusOf(found.state);
    if (status === null) throw new ProviderFailure("unavailable", `subscription ${found.subscription_id} is ${found.state}`);
    const next = time(found.next_payment?.date);
    const pausedFrom = time(found.paused_from);
    const fact: SubscriptionFact = {
      kind: "subscription",
      id: found.subscription_id,
      status,
      transactionId: null,
      // A subscription that is deleted says no more until when it was paid: it is asked after that only.
      end: status === "canceled" ? options.now() : status === "paused" ? (pausedFrom ?? options.now()) : next,
      trialing: found.state === "trialing",
      nextCharge: status === "active" || status === "past_due" ? next : null,
      change: status === "active" && pausedFrom !== null ? { action: "pause", at: pausedFrom } : null,
    };
    return { version: now(), fact: { ...fact, ...changes } };
  }

  function subscriptionAlert(alert: v.InferOutput<typeof subscriptionSchema>, at: string, version: string): VersionedFact[] {
    const happened = time(at) ?? 0;
    const status = statusOf(alert.status);
    if (status === null) return [];
    const next = time(alert.next_bill_date) ?? time(alert.next_retry_date);
    const ends = time(alert.cancellation_effective_date);
    // Cancelled is told at once, and paid for until then.
    const ending = status === "canceled" && ends !== null && ends > happened;
    const pausedFrom = time(alert.paused_from);
    const fact: SubscriptionFact = {
      kind: "subscription",
      id: alert.subscription_id,
      status: ending ? "active" : status,
      transactionId: alert.checkout_id ?? null,
      end: status === "canceled" ? (ends ?? happened) : status === "paused" ? (pausedFrom ?? happened) : next,
      trialing: alert.status === "trialing",
      nextCharge: status === "active" || status === "past_due" ? next : null,
      change: ending
        ? { action: "cancel", at: ends }
        : status === "active" && pausedFrom !== null && pausedFrom > happened
          ? { action: "pause", at: pausedFrom }
          : null,
    };
    return [{ version, fact }];
  }

  return {
    name: "paddle",
    keepsCancelled: false,
    createCheckout: async (order) => {
      const fields: Record<string, string> = {
        product_id: order.priceId,
        quantity: String(order.quantity),
        quantity_variable: "0",
        passthrough: order.id,
        expires: dayOf(options.now() + linkLifeMs),
      };
      if (order.couponCode !== null) fields["coupon_code"] = order.couponCode;
      if (order.returnUrl !== null) fields["return_url"] = `${order.returnUrl}?checkout={checkout_hash}`;
      const { url } = await ask("product/generate_pay_link", fields, linkSchema);
      return { transactionId: null, hostedUrl: url };
    },
    // A pay link that nobody has costs nothing and cannot be paid.
    findCheckout: async () => null,
    hostedLink: (hostedUrl, { language }) => {
      const url = new URL(hostedUrl);
      url.searchParams.set("locale", language.slice(0, 2));
      return url.href;
    },
    // Paddle Classic cannot take a pay link back; what is paid by it all the same is given back.
    cancelCheckout: async () => false,
    readOrder: async ({ id: orderId, priceId, transactionId, since }: OrderReference) => {
      if (transactionId !== null) {
        const { processed, tax } = await orderOf(transactionId);
        return processed ? factsOfList(await transactionsOf(entityOf(transactionId), transactionId), tax) : [];
      }
      for (let page = 1; page <= searchPages; page++) {
        const listed = await transactionsOf("product", priceId, page);
        const own = listed.find(({ passthrough }) => passthrough === orderId);
        if (own !== undefined) return factsOfList(await transactionsOf("checkout", own.checkout_id), (await orderOf(own.checkout_id)).tax);
        if (listed.every(({ created_at: at }) => (time(at) ?? 0) < since - dayMs)) return [];
      }
      return [];
    },
    readSubscription: async (subscriptionId) => [subscriptionState(await subscriber(subscriptionId))],
    changeSubscription: async (subscriptionId, action) => {
      const before = await subscriber(subscriptionId);
      if (action === "cancel") {
        await ask("subscription/users_cancel", { subscription_id: subscriptionId }, v.unknown());
        const at = time(before.next_payment?.date);
        return at === null
          ? [subscriptionState({ ...before, state: "deleted" })]
          : [subscriptionState(before, { change: { action: "cancel", at }, nextCharge: null, end: at })];
      }
      await ask(
        "subscription/users/update",
        { subscription_id: subscriptionId, pause: action === "pause" ? "true" : "false" },
        v.unknown(),
      );
      return [subscriptionState(await subscriber(subscriptionId))];
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
    knowsParts: false,
    refund: async (transactionId, reason, part) => {
      const [first] = (await transactionsOf(entityOf(transactionId), transactionId)).toSorted((a, b) =>
        a.created_at.localeCompare(b.created_at),
      );
      if (first === undefined) throw new ProviderFailure("refused", `Paddle has no transaction ${transactionId}`);
      if (first.status === "refunded" || Number(first.amount) === 0) return;
      // Its list says that a part went back, not which: one is asked for at most.
      if (part !== undefined && first.status !== "completed") return;
      const fields = { order_id: first.order_id, reason: reason.slice(0, 255) };
      await ask(
        "payment/refund",
        part === undefined ? fields : { ...fields, amount: majorUnits(part.amount, first.currency) },
        v.unknown(),
      );
    },
    verify: (rawBody) => {
      const parsed = v.safeParse(alertSchema, signedFields(rawBody, valueOf(options.publicKey)));
      return parsed.success
        ? { eventId: parsed.output.alert_id, eventType: parsed.output.alert_name, payload: rawBody.toString("utf8") }
        : null;
    },
    factsOf: (payload) => {
      const fields = Object.fromEntries(new URLSearchParams(payload));
      const { alert_name: name, alert_id: alertId, event_time: at } = v.parse(alertSchema, fields);
      const version = `${at} ${alertId.padStart(20, "0")}`;
      switch (name) {
        case "subscription_created": {
          const alert = v.parse(subscriptionSchema, fields);
          const trial = alert.status === "trialing";
          return [
            {
              version: trial ? paidVersion(0, at) : `1 ${at}`,
              fact: {
                kind: "transaction",
                id: v.parse(text, alert.checkout_id),
                // Only a free trial begins without a payment. What else was paid, and whether, is said by the payment's own alert.
                status: trial ? "completed" : "open",
                items: [{ priceId: alert.subscription_plan_id, quantity: Number(alert.quantity) }],
                subscriptionId: alert.subscription_id,
                orderId: alert.passthrough || null,
                total: 0,
                tax: 0,
                currency: v.parse(text, alert.currency),
                forPeriod: true,
                billedAt: time(at),
                periodEnd: time(alert.next_bill_date),
              },
            },
            ...subscriptionAlert(alert, at, version),
          ];
        }
        case "subscription_updated":
        case "subscription_cancelled":
        case "subscription_payment_failed":
          return subscriptionAlert(v.parse(subscriptionSchema, fields), at, version);
        case "subscription_payment_succeeded": {
          const alert = v.parse(subscriptionPaidSchema, fields);
          const initial = alert.initial_payment === "1" || alert.initial_payment === "true";
          return [
            {
              version: paidVersion(1, at),
              fact: {
                kind: "transaction",
                id: initial ? alert.checkout_id : alert.order_id,
                status: "completed",
                items: [{ priceId: alert.subscription_plan_id, quantity: Number(alert.quantity) }],
                subscriptionId: alert.subscription_id,
                orderId: initial ? alert.passthrough || null : null,
                ...paidBy(alert),
                billedAt: time(at),
                periodEnd: time(alert.next_bill_date),
              },
            },
            ...subscriptionAlert(alert, at, version),
          ];
        }
        case "payment_succeeded": {
          const alert = v.parse(paidSchema, fields);
          return [
            {
              version: paidVersion(1, at),
              fact: {
                kind: "transaction",
                id: alert.checkout_id,
                status: "completed",
                items: [{ priceId: alert.product_id ?? "", quantity: Number(alert.quantity) }],
                subscriptionId: null,
                orderId: alert.passthrough || null,
                ...paidBy(alert),
                billedAt: time(at),
                periodEnd: null,
              },
            },
          ];
        }
        case "payment_refunded":
        case "subscription_payment_refunded": {
          const alert = v.parse(refundSchema, fields);
          const amountOf = (value: string | undefined) => (value === undefined ? null : minorUnits(value, alert.currency));
          const renewal = name === "subscription_payment_refunded" && alert.initial_payment !== "1";
          return [
            {
              version,
              fact: {
                kind: "adjustment",
                id: alert.refund_type === "full" ? `refund-${alert.order_id}` : `refund-${alert.order_id}-${alertId}`,
                transactionId: renewal ? alert.order_id : alert.checkout_id,
                subscriptionId: alert.subscription_id ?? null,
                action: "refund",
                full: alert.refund_type === "full",
                approved: true,
                total: amountOf(alert.gross_refund),
                ...told({ tax: amountOf(alert.tax_refund), fee: amountOf(alert.fee_refund) }),
                at: time(at),
              },
            },
          ];
        }
        case "payment_dispute_created":
        case "payment_dispute_closed": {
          // An alert of a dispute does not say whether it is about a renewal: it counts for the one that it is.
          const alert = v.parse(refundSchema, fields);
          const action = name === "payment_dispute_created" ? "chargeback" : "chargeback_reverse";
          return [alert.checkout_id, alert.order_id].map((transactionId) => ({
            version,
            fact: {
              kind: "adjustment",
              id: `${action}-${transactionId}`,
              transactionId,
              subscriptionId: alert.subscription_id ?? null,
              action,
              full: true,
              approved: true,
              total: null,
              at: time(at),
            },
          }));
        }
        default:
          return [];
      }
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
      // The list does not say which of a checkout's came first: the whole checkout does.
      for (const checkout of byCheckout.keys()) facts.push(...factsOfList(await transactionsOf("checkout", checkout), null));
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
