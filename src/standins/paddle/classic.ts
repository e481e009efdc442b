/**
 * Paddle Classic on top of the same buyers, cards and subscriptions: its pay links, vendor API, checkout and signed alerts. Its ids are numbers,
 * its times have whole seconds, and all values in an alert are text.
 */
import { createSign, generateKeyPairSync, randomBytes } from "node:crypto";
import type { IAdjustmentNotificationResponse, ISubscriptionResponse, ITransactionResponse } from "@paddle/paddle-node-sdk";
import { minorUnitsOf } from "#core/formats.ts";
import type { FastifyInstance } from "fastify";
import { serialize } from "php-serialize";
import * as v from "valibot";
import type { RecordFile } from "../records.ts";
import type { ApiMode } from "./api.ts";
import { createBilling } from "./billing.ts";
import type { StandinDiscount, StandinPrice } from "./billing/prices.ts";
import { type Delivery, startDeliveries } from "./deliveries.ts";
import { PaddleProblem } from "./problem.ts";

export interface ClassicOptions {
  /** Prices under Classic's numeric ids. */
  readonly prices: readonly StandinPrice[];
  readonly discounts: readonly StandinDiscount[];
  readonly vendorId: string;
  readonly authCode: string;
  readonly webhookUrl: () => string;
  /** The key that signs alerts, PEM; generated and stored if not given. */
  readonly keys?: { readonly publicKey: string; readonly privateKey: string };
}

interface PayLink {
  readonly id: string;
  readonly productId: string;
  readonly passthrough: string;
  readonly couponCode: string | null;
  readonly returnUrl: string | null;
}

const customSchema = v.object({ passthrough: v.string(), checkout: v.string() });
const subscriptionStatus = { active: "active", trialing: "trialing", past_due: "past_due", paused: "paused", canceled: "deleted" } as const;

/** `p_signature` over the fields, computed like Paddle's. */
export function alertSignature(fields: Readonly<Record<string, string>>, privateKey: string): string {
  const sorted = Object.fromEntries(Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return createSign("sha1").update(serialize(sorted)).sign(privateKey, "base64");
}

export type Classic = ReturnType<typeof createClassic>;

export function createClassic(
  parts: ClassicOptions & {
    readonly records: RecordFile;
    /** URL of the stand-in with Classic's prefix. */
    readonly base: () => string;
    readonly now: () => number;
    readonly onFailure: (message: string) => void;
    readonly answerMs: number | undefined;
    readonly challengesAll: () => boolean;
    readonly taxOnTop: (() => number) | undefined;
  },
) {
  const records: RecordFile = { ...parts.records, kind: (name) => parts.records.kind(`classic ${name}`) };
  const links = records.kind<PayLink>("link");
  const numbers = records.kind<number>("number");
  const keys = records.kind<{ readonly publicKey: string; readonly privateKey: string }>("key");
  const known = keys.get("alerts");
  const pair =
    known ??
    parts.keys ??
    generateKeyPairSync("rsa", {
      modulusLength: 2048,
      publicKeyEncoding: { type: "spki", format: "pem" },
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
    });
  if (known === undefined) keys.put("alerts", pair);

  const deliveries = startDeliveries({
    pending: records.kind<Delivery>("webhook"),
    url: parts.webhookUrl,
    headers: () => ({ "content-type": "application/x-www-form-urlencoded" }),
    onFailure: parts.onFailure,
    answerMs: parts.answerMs,
  });

  function nextNumber(): number {
    const next = (numbers.get("last") ?? 100_000) + 1;
    numbers.put("last", next);
    return next;
  }
  /** A stable number for each inner id. */
  function numberOf(inner: string): string {
    const number = numbers.get(inner) ?? nextNumber();
    numbers.put(inner, number);
    return String(number);
  }
  const innerOf = (number: string) => billing.subscriptions().find(({ id }) => numberOf(id) === number)?.id;
  const orderIdOf = (transaction: ITransactionResponse) => `${numberOf(transaction.id)}-${numberOf(`order ${transaction.id}`)}`;
  const customOf = (entity: { readonly custom_data?: object | null }) => v.parse(customSchema, entity.custom_data);
  const seconds = (time: string | null | undefined) => (time ? time.slice(0, 19).replace("T", " ") : "");
  const day = (time: string | null | undefined) => (time ? time.slice(0, 10) : "");
  function major(amount: string | number | null | undefined, currency: string): string {
    const unit = minorUnitsOf(currency);
    return (Number(amount ?? "0") / unit).toFixed(Math.round(Math.log10(unit)));
  }

  function alert(name: string, at: string, fields: Readonly<Record<string, string | undefined>>): void {
    const filled = Object.fromEntries(Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));
    const all = { alert_name: name, alert_id: String(nextNumber()), event_time: seconds(at), marketing_consent: "0", ...filled };
    const body = new URLSearchParams({ ...all, p_signature: alertSignature(all, pair.privateKey) }).toString();
    deliveries.send({ id: all.alert_id, name, body });
  }

  function ofSubscription(subscription: ISubscriptionResponse): Record<string, string | undefined> {
    const { passthrough, checkout } = customOf(subscription);
    const [item] = subscription.items;
    const base = `${parts.base()}/manage?subscription=${subscription.id}`;
    return {
      checkout_id: checkout,
      passthrough,
      subscription_id: numberOf(subscription.id),
      subscription_plan_id: item?.price.id,
      status: subscriptionStatus[subscription.status],
      currency: subscription.currency_code,
      quantity: String(item?.quantity ?? 1),
      unit_price: major(item?.price.unit_price.amount, subscription.currency_code),
      next_bill_date: day(subscription.next_billed_at),
      update_url: base,
      cancel_url: base,
    };
  }
  function ofPayment(transaction: ITransactionResponse): Record<string, string | undefined> {
    const { passthrough, checkout } = customOf(transaction);
    const [item] = transaction.items;
    return {
      checkout_id: checkout,
      order_id: orderIdOf(transaction),
      passthrough,
      currency: transaction.currency_code,
      sale_gross: major(transaction.details?.totals?.grand_total, transaction.currency_code),
      payment_tax: major(transaction.details?.totals?.tax, transaction.currency_code),
      payment_method: "card",
      quantity: String(item?.quantity ?? 1),
      email: billing.buyerOf(transaction)?.email,
      country: billing.buyerOf(transaction)?.countryCode,
      receipt_url: `${parts.base()}/receipt`,
    };
  }

  /** The alerts that Classic sends for one event of the engine. */
  function translate(type: string, at: string, data: object): void {
    if (type === "subscription.created" && isSubscription(data))
      return alert("subscription_created", at, { ...ofSubscription(data), source: "checkout" });
    if (type === "subscription.canceled" && isSubscription(data))
      return alert("subscription_cancelled", at, {
        ...ofSubscription(data),
        status: "deleted",
        cancellation_effective_date: seconds(data.canceled_at),
        next_bill_date: undefined,
      });
    if (type.startsWith("subscription.") && type !== "subscription.trialing" && isSubscription(data)) {
      const planned = data.scheduled_change;
      if (planned?.action === "cancel")
        return alert("subscription_cancelled", at, {
          ...ofSubscription(data),
          status: "deleted",
          cancellation_effective_date: seconds(planned.effective_at),
          next_bill_date: undefined,
        });
      const pausedFrom = data.status === "paused" ? data.paused_at : planned?.action === "pause" ? planned.effective_at : undefined;
      return alert("subscription_updated", at, { ...ofSubscription(data), paused_from: pausedFrom ? seconds(pausedFrom) : undefined });
    }
    if (type === "transaction.completed" && isTransaction(data)) {
      const [item] = data.items;
      if (data.subscription_id == null) return alert("payment_succeeded", at, { ...ofPayment(data), product_id: item?.price?.id });
      const subscription = billing.getSubscription(data.subscription_id);
      const initial = data.origin !== "subscription_recurring";
      // A free trial starts without a payment.
      if (initial && data.details?.totals?.grand_total === "0") return;
      return alert("subscription_payment_succeeded", at, {
        ...ofSubscription(subscription),
        ...ofPayment(data),
        status: "active",
        initial_payment: initial ? "1" : "0",
        next_bill_date: day(data.billing_period?.ends_at),
        subscription_payment_id: numberOf(data.id),
      });
    }
    if (type === "transaction.past_due" && isTransaction(data) && data.subscription_id != null)
      return alert("subscription_payment_failed", at, {
        ...ofSubscription(billing.getSubscription(data.subscription_id)),
        status: "past_due",
        amount: major(data.details?.totals?.grand_total, data.currency_code),
        next_bill_date: undefined,
        next_retry_date: day(new Date(Date.parse(at) + 3 * 86_400_000).toISOString()),
        subscription_payment_id: numberOf(data.id),
      });
    if (type === "adjustment.updated" && isAdjustment(data) && data.status === "approved") {
      const transaction = billing.getTransaction(data.transaction_id);
      const subscription = transaction.subscription_id == null ? undefined : numberOf(transaction.subscription_id);
      const initial = transaction.origin !== "subscription_recurring";
      if (data.action === "refund")
        return alert(subscription === undefined ? "payment_refunded" : "subscription_payment_refunded", at, {
          ...ofPayment(transaction),
          subscription_id: subscription,
          initial_payment: subscription === undefined ? undefined : initial ? "1" : "0",
          refund_type: data.type ?? "full",
          gross_refund: major(data.totals?.total, transaction.currency_code),
        });
      if (data.action === "chargeback" || data.action === "chargeback_reverse")
        alert(data.action === "chargeback" ? "payment_dispute_created" : "payment_dispute_closed", at, {
          ...ofPayment(transaction),
          status: data.action === "chargeback" ? "open" : "closed",
        });
    }
  }

  const billing = createBilling({
    records,
    prices: parts.prices,
    discounts: parts.discounts,
    checkoutUrl: () => `${parts.base()}/pay`,
    manageUrl: (id) => `${parts.base()}/manage?subscription=${id}`,
    now: parts.now,
    challengesAll: parts.challengesAll,
    taxOnTop: parts.taxOnTop,
    send: ({ event_type: type, occurred_at: at, data }) => {
      if (typeof data === "object" && data !== null) translate(type, at, data);
    },
  });

  /** A buyer opens a pay link. Each time starts a new checkout. */
  function open(url: string): ITransactionResponse {
    const link = links.get(url.split("?")[0]?.split("/").at(-1) ?? "");
    if (link === undefined) throw new PaddleProblem(404, "not_found", "there is no such pay link");
    const discount = link.couponCode === null ? undefined : billing.discountByCode(link.couponCode);
    return billing.createTransaction({
      items: [{ priceId: link.productId, quantity: 1 }],
      discountId: discount?.id ?? null,
      customData: { passthrough: link.passthrough, checkout: `${nextNumber()}-chre${randomBytes(8).toString("hex")}` },
      origin: "web",
    });
  }

  const paid = () => billing.transactions().filter(({ status }) => status === "completed");
  function listed(transaction: ITransactionResponse): object {
    const refunds =
      billing.getTransaction(transaction.id).adjustments?.filter(({ action, status }) => action === "refund" && status === "approved") ??
      [];
    const { checkout, passthrough } = customOf(transaction);
    return {
      order_id: orderIdOf(transaction),
      checkout_id: checkout,
      amount: major(transaction.details?.totals?.grand_total, transaction.currency_code),
      currency: transaction.currency_code,
      status: refunds.length === 0 ? "completed" : billing.leftOf(transaction.id) <= 0 ? "refunded" : "partially_refunded",
      created_at: seconds(transaction.billed_at),
      passthrough,
      product_id: Number(transaction.items[0]?.price?.id),
      is_subscription: transaction.subscription_id != null,
      is_one_off: transaction.subscription_id == null,
      subscription:
        transaction.subscription_id == null ? null : { subscription_id: Number(numberOf(transaction.subscription_id)), status: "active" },
      user: { email: billing.buyerOf(transaction)?.email ?? "" },
      receipt_url: `${parts.base()}/receipt`,
    };
  }

  const perPage = 15;
  const calls: Readonly<Record<string, (fields: Readonly<Record<string, string>>) => unknown>> = {
    "product/generate_pay_link": (fields) => {
      const productId = fields["product_id"] ?? "";
      if (!parts.prices.some((price) => price.id === productId)) throw new PaddleProblem(200, "102", "Bad product id");
      const couponCode = fields["coupon_code"] ?? null;
      if (couponCode !== null && billing.discountByCode(couponCode) === undefined)
        throw new PaddleProblem(200, "111", "Invalid coupon code");
      const link: PayLink = {
        id: randomBytes(12).toString("hex"),
        productId,
        passthrough: (fields["passthrough"] ?? "").slice(0, 1000),
        couponCode,
        returnUrl: fields["return_url"] ?? null,
      };
      links.put(link.id, link);
      return { url: `${parts.base()}/pay/${link.id}` };
    },
    "subscription/users": (fields) =>
      billing
        .subscriptions()
        .filter(({ id }) => fields["subscription_id"] === undefined || numberOf(id) === fields["subscription_id"])
        .map((subscription) => ({
          subscription_id: Number(numberOf(subscription.id)),
          plan_id: Number(subscription.items[0]?.price.id),
          state: subscription.scheduled_change?.action === "cancel" ? "deleted" : subscriptionStatus[subscription.status],
          update_url: `${parts.base()}/manage?subscription=${subscription.id}`,
          ...(subscription.scheduled_change?.action === "pause"
            ? { paused_from: seconds(subscription.scheduled_change.effective_at) }
            : {}),
          ...(subscription.status === "paused" ? { paused_from: seconds(subscription.paused_at) } : {}),
          ...(subscription.next_billed_at && subscription.scheduled_change?.action !== "cancel"
            ? { next_payment: { date: day(subscription.next_billed_at) } }
            : {}),
        })),
    "subscription/users_cancel": (fields) => {
      const id = innerOf(fields["subscription_id"] ?? "");
      if (id === undefined || billing.getSubscription(id).status === "canceled")
        throw new PaddleProblem(200, "119", "Unable to find requested subscription");
      billing.cancel(id, billing.getSubscription(id).status === "paused");
      return {};
    },
    "subscription/users/update": (fields) => {
      const id = innerOf(fields["subscription_id"] ?? "");
      if (id === undefined) throw new PaddleProblem(200, "119", "Unable to find requested subscription");
      const changed = fields["pause"] === "true" ? billing.pause(id, false) : billing.resume(id);
      return { subscription_id: Number(fields["subscription_id"]), next_payment: { date: day(changed.next_billed_at) } };
    },
    "payment/refund": (fields) => {
      const transaction = paid().find((candidate) => orderIdOf(candidate) === fields["order_id"]);
      if (transaction === undefined) throw new PaddleProblem(200, "172", "Unable to find requested order");
      const left = billing.leftOf(transaction.id);
      const wanted = fields["amount"] === undefined ? left : Math.round(Number(fields["amount"]) * minorUnitsOf(transaction.currency_code));
      if (wanted <= 0 || wanted > left) throw new PaddleProblem(200, "175", "The refund is more than is left of the order");
      const isWhole = wanted === Number(transaction.details?.totals?.grand_total);
      billing.adjust(transaction.id, "refund", isWhole ? "full" : "partial", wanted);
      return { refund_request_id: nextNumber() };
    },
    "subscription/plans": () =>
      parts.prices.flatMap((price) =>
        price.every === null
          ? []
          : [
              {
                id: Number(price.id),
                name: price.name,
                billing_type: price.every.interval,
                billing_period: price.every.frequency,
                trial_days: price.trialDays,
                initial_price: { [price.currency]: major(price.trialDays > 0 ? 0 : price.amount, price.currency) },
                recurring_price: { [price.currency]: major(price.amount, price.currency) },
              },
            ],
      ),
    "product/get_products": () => ({
      total: parts.prices.length,
      products: parts.prices
        .filter((price) => price.every === null)
        .map((price) => ({
          id: Number(price.id),
          name: price.name,
          base_price: Number(major(price.amount, price.currency)),
          currency: price.currency,
        })),
    }),
  };
  function transactionList(path: string, fields: Readonly<Record<string, string>>): unknown {
    const [, entity, wanted] = /^(checkout|order|product)\/([^/]+)\/transactions$/.exec(path) ?? [];
    if (entity === undefined) throw new PaddleProblem(200, "100", "Unable to find requested resource");
    const found = paid().filter((transaction) =>
      entity === "checkout"
        ? customOf(transaction).checkout === wanted
        : entity === "order"
          ? orderIdOf(transaction) === wanted
          : transaction.items[0]?.price?.id === wanted,
    );
    const from = (Number(fields["page"] ?? "1") - 1) * perPage;
    return found
      .toReversed()
      .slice(from, from + perPage)
      .map(listed);
  }

  /** `/api/2.0/…` of the vendors host and `/api/1.0/order` of the checkout host. */
  function apiRoutes(app: FastifyInstance, service: { readonly mode: () => ApiMode; readonly slow: () => Promise<void> }): void {
    app.addHook("onRequest", async (_request, reply) => {
      if (service.mode() === "slow") await service.slow();
      if (service.mode() === "broken") return reply.code(503).type("text/html").send("<html><body>Service Unavailable</body></html>");
    });
    app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    app.post("/2.0/*", async (request, reply) => {
      const path = v.parse(v.object({ "*": v.string() }), request.params)["*"];
      const fields = v.parse(v.record(v.string(), v.string()), request.body ?? {});
      try {
        if (fields["vendor_id"] !== parts.vendorId || fields["vendor_auth_code"] !== parts.authCode)
          throw new PaddleProblem(200, "107", "You don't have permission to access this resource");
        const call = Object.hasOwn(calls, path) ? calls[path] : undefined;
        return await reply.send({ success: true, response: call === undefined ? transactionList(path, fields) : call(fields) });
      } catch (error) {
        if (!(error instanceof PaddleProblem)) throw error;
        return reply.send({ success: false, error: { code: Number(error.code) || 100, message: error.message } });
      }
    });
    app.get("/1.0/order", async (request) => {
      const { checkout_id: wanted } = v.parse(v.object({ checkout_id: v.string() }), request.query);
      const found = paid().find((transaction) => customOf(transaction).checkout === wanted);
      return found === undefined
        ? { state: "processing", checkout: { checkout_id: wanted } }
        : {
            state: "processed",
            checkout: { checkout_id: wanted },
            order: {
              order_id: orderIdOf(found),
              total: major(found.details?.totals?.grand_total, found.currency_code),
              total_tax: major(found.details?.totals?.tax, found.currency_code),
              currency: found.currency_code,
            },
          };
    });
  }

  return {
    billing,
    deliveries,
    publicKey: pair.publicKey,
    open,
    linkOf: (id: string) => links.get(id),
    checkoutIdOf: (transactionId: string) => customOf(billing.getTransaction(transactionId)).checkout,
    subscriptionOf: innerOf,
    apiRoutes,
  };
}

// The event's name determines the type of its data; these narrow it.
const isSubscription = (data: object): data is ISubscriptionResponse => "billing_cycle" in data && "status" in data;
const isTransaction = (data: object): data is ITransactionResponse => "origin" in data && "items" in data;
const isAdjustment = (data: object): data is IAdjustmentNotificationResponse => "transaction_id" in data && "action" in data;
