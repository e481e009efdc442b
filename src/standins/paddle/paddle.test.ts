import { ApiError, type Environment, type IEventsResponse, Paddle } from "@paddle/paddle-node-sdk";
import Fastify, { type FastifyInstance } from "fastify";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { signature } from "./deliveries.ts";
import { createPaddleStandin, type PaddleStandin, paddlePrefix } from "./plugin.ts";

const start = Date.UTC(2026, 10, 20, 12);
const card = (number: string) => ({ number, expiry: "12 / 30", cvc: "123", name: "Lucía Ramos" });
const good = card("4242 4242 4242 4242");

/** The SDK accepts any URL as its environment, although its types do not say so. */
const isEnvironment = (value: string): value is Environment => URL.canParse(value);
function connect(apiKey: string): Paddle {
  const environment = `${origin}${paddlePrefix}/api`;
  if (!isEnvironment(environment)) throw new Error("no address");
  return new Paddle(apiKey, { environment });
}

let app: FastifyInstance;
let standin: PaddleStandin;
let paddle: Paddle;
let origin: string;
let received: { readonly event: IEventsResponse<Record<string, unknown>>; readonly header: string; readonly raw: string }[];
let answer: number;

const optionsOf = (dataFile: string): Parameters<typeof createPaddleStandin>[0] => ({
  prices: [
    { id: "pri_sub", name: "3 months", amount: 74_700, currency: "MXN", every: { interval: "month", frequency: 3 }, trialDays: 7 },
    { id: "pri_plain", name: "1 month", amount: 34_900, currency: "MXN", every: { interval: "month", frequency: 1 }, trialDays: 0 },
    { id: "pri_once", name: "6 months", amount: 149_900, currency: "MXN", every: null, trialDays: 0 },
  ],
  discounts: [{ id: "dsc_half", code: "PARLANDO50", percentage: 50, recurring: false, prices: null }],
  apiKey: "key",
  webhookSecret: "secret",
  webhookUrl: () => `${origin}/hook`,
  publicUrl: () => origin,
  returnPath: "/back/",
  dataFile,
  now: () => start,
});

beforeEach(async () => {
  received = [];
  answer = 200;
  app = Fastify();
  standin = createPaddleStandin(optionsOf(":memory:"));
  await app.register(standin.plugin);
  await app.register(async (hooks) => {
    hooks.removeAllContentTypeParsers();
    hooks.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
    hooks.post("/hook", async (request, reply) => {
      const raw = String(request.body);
      received.push({ event: JSON.parse(raw), header: String(request.headers["paddle-signature"]), raw });
      return reply.code(answer).send();
    });
  });
  origin = await app.listen({ port: 0, host: "127.0.0.1" });
  paddle = connect("key");
});
afterEach(async () => {
  await standin.close();
  await app.close();
});

const types = () => received.map(({ event }) => event.event_type);
async function ready(priceId: string, discountId: string | null = null) {
  const { id } = await paddle.transactions.create({ items: [{ priceId, quantity: 1 }], discountId, customData: { order: "o-1" } });
  standin.billing.setBuyer(id, { email: "lucia@ejemplo.mx", countryCode: "MX" });
  return id;
}
async function subscribed(number = good.number) {
  const id = await ready("pri_plain");
  standin.billing.pay(id, card(number));
  return (await paddle.transactions.get(id)).subscriptionId ?? "";
}

describe("the API, by the official SDK", () => {
  it("creates a transaction that the SDK reads back", async () => {
    const id = await ready("pri_once");
    const transaction = await paddle.transactions.get(id);
    expect(transaction).toMatchObject({ id, status: "ready", currencyCode: "MXN", origin: "api", customData: { order: "o-1" } });
    expect(transaction.details?.totals?.grandTotal).toBe("149900");
    expect(transaction.items[0]?.price?.id).toBe("pri_once");
    expect(transaction.checkout?.url).toBe(`${origin}${paddlePrefix}/pay?_ptxn=${id}`);
  });

  it("charges nothing today for a trial, and half with a coupon", async () => {
    const trial = await paddle.transactions.get(await ready("pri_sub"));
    expect(trial.details?.totals?.grandTotal).toBe("0");
    const half = await paddle.transactions.get(await ready("pri_once", "dsc_half"));
    expect(half.details?.totals).toMatchObject({ subtotal: "149900", discount: "74950", grandTotal: "74950" });
  });

  it("finds a discount by its code and prices by their ids", async () => {
    const [found] = await paddle.discounts.list({ code: ["parlando50"] }).next();
    expect(found).toMatchObject({ id: "dsc_half", amount: "50", status: "active" });
    expect(await paddle.discounts.list({ code: ["NOPE"] }).next()).toEqual([]);
    expect((await paddle.prices.list({ id: ["pri_sub", "pri_once"] }).next()).map(({ id }) => id)).toEqual(["pri_sub", "pri_once"]);
  });

  it("lists transactions by state", async () => {
    const id = await ready("pri_once");
    expect(
      (await paddle.transactions.list({ status: ["ready"], "createdAt[GTE]": new Date(start - 1_000).toISOString() }).next()).map(
        (transaction) => transaction.id,
      ),
    ).toEqual([id]);
    expect(await paddle.transactions.list({ status: ["completed"] }).next()).toEqual([]);
  });

  it("answers errors in Paddle's form", async () => {
    await expect(paddle.transactions.get("txn_none")).rejects.toThrow(ApiError);
    await expect(paddle.transactions.create({ items: [{ priceId: "pri_none", quantity: 1 }] })).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(connect("wrong").transactions.get("txn_none")).rejects.toMatchObject({ code: "authentication_malformed" });
  });

  it("can fail like a gateway, without JSON", async () => {
    standin.setMode("broken");
    await expect(paddle.transactions.get("txn_any")).rejects.toThrow(SyntaxError);
  });
});

describe("paying", () => {
  it("sends the events of a first purchase in Paddle's order, signed", async () => {
    const id = await ready("pri_sub");
    expect(standin.billing.pay(id, good)).toEqual({ status: "completed" });
    await standin.deliveries.settled();
    expect(types()).toEqual([
      "transaction.created",
      "customer.created",
      "address.created",
      "transaction.ready",
      "transaction.paid",
      "subscription.created",
      "subscription.trialing",
      "transaction.completed",
    ]);
    for (const { header, raw } of received) expect(header).toBe(signature("secret", raw, start / 1_000));
    const created = received[5]?.event.data;
    expect(created).toMatchObject({ transaction_id: id, status: "trialing" });
    expect(Math.round((Date.parse(String(created?.["next_billed_at"])) - start) / 86_400_000)).toBe(7);
    const times = received.map(({ event }) => event.occurred_at);
    expect(times).toEqual(times.toSorted());
    expect(new Set(times).size).toBe(times.length);
  });

  it("declines one card and takes the next for the same transaction", async () => {
    const id = await ready("pri_once");
    expect(standin.billing.pay(id, card("4000 0000 0000 0002"))).toEqual({ status: "declined", code: "declined" });
    expect((await paddle.transactions.get(id)).status).toBe("ready");
    expect(standin.billing.pay(id, good)).toEqual({ status: "completed" });
    await standin.deliveries.settled();
    expect(types().slice(-3)).toEqual(["transaction.payment_failed", "transaction.paid", "transaction.completed"]);
    const { payments } = await paddle.transactions.get(id);
    expect(payments.map(({ status, errorCode }) => [status, errorCode])).toEqual([
      ["captured", null],
      ["error", "declined"],
    ]);
  });

  it("asks the bank about the 3-D Secure card and obeys its answer", async () => {
    const id = await ready("pri_once");
    const secure = card("4000 0038 0000 0446");
    expect(standin.billing.pay(id, secure)).toEqual({ status: "action_required" });
    expect(standin.billing.answerChallenge(id, false)).toEqual({ status: "declined", code: "authentication_failed" });
    standin.billing.pay(id, secure);
    expect(standin.billing.answerChallenge(id, true)).toEqual({ status: "completed" });
  });

  it("refuses unknown, expired and incomplete cards without an event", async () => {
    const id = await ready("pri_once");
    for (const wrong of [card("1111 1111 1111 1111"), { ...good, expiry: "01 / 20" }, { ...good, cvc: "" }, { ...good, name: " " }])
      expect(standin.billing.pay(id, wrong)).toEqual({ status: "declined", code: "invalid_payment_details" });
    await standin.deliveries.settled();
    expect(types()).not.toContain("transaction.payment_failed");
  });

  it("takes no second payment for a transaction", async () => {
    const id = await ready("pri_once");
    standin.billing.pay(id, good);
    expect(() => standin.billing.pay(id, good)).toThrow("paid");
  });
});

describe("a subscription's life", () => {
  it("renews, and charges the next period", async () => {
    const id = await subscribed();
    const before = await paddle.subscriptions.get(id);
    standin.billing.renew(id);
    const after = await paddle.subscriptions.get(id);
    expect(after.currentBillingPeriod?.startsAt).toBe(before.nextBilledAt);
    await standin.deliveries.settled();
    expect(types().slice(-5)).toEqual([
      "transaction.created",
      "transaction.billed",
      "transaction.paid",
      "transaction.completed",
      "subscription.updated",
    ]);
  });

  it("goes past due with the card whose renewal is declined, and recovers", async () => {
    const id = await subscribed("4000 0027 6000 3184");
    standin.billing.renew(id);
    expect((await paddle.subscriptions.get(id)).status).toBe("past_due");
    standin.billing.recover(id);
    expect((await paddle.subscriptions.get(id)).status).toBe("active");
    await standin.deliveries.settled();
    expect(types().slice(-6)).toEqual([
      "transaction.payment_failed",
      "transaction.past_due",
      "subscription.past_due",
      "transaction.paid",
      "transaction.completed",
      "subscription.activated",
    ]);
  });

  it("cancels at the end of its period, or at once", async () => {
    const later = await subscribed();
    expect(await paddle.subscriptions.cancel(later, { effectiveFrom: "next_billing_period" })).toMatchObject({
      status: "active",
      scheduledChange: { action: "cancel" },
    });
    expect(standin.billing.renew(later).status).toBe("canceled");
    const now = await subscribed();
    expect((await paddle.subscriptions.cancel(now, { effectiveFrom: "immediately" })).status).toBe("canceled");
  });

  it("pauses and resumes", async () => {
    const id = await subscribed();
    expect((await paddle.subscriptions.pause(id, { effectiveFrom: "immediately" })).status).toBe("paused");
    expect((await paddle.subscriptions.resume(id, { effectiveFrom: "immediately" })).status).toBe("active");
  });

  it("reports refunds", async () => {
    const id = await ready("pri_once");
    standin.billing.pay(id, good);
    standin.billing.adjust(id, "refund", "full");
    await standin.deliveries.settled();
    expect(types().slice(-2)).toEqual(["adjustment.created", "adjustment.updated"]);
    expect(received.at(-1)?.event.data).toMatchObject({ transaction_id: id, action: "refund", type: "full", status: "approved" });
  });

  it("refunds no more than was paid: a full refund gives back what is left, and another is refused", async () => {
    const id = await ready("pri_once");
    standin.billing.pay(id, good);
    const [line] = (await paddle.transactions.get(id)).details?.lineItems ?? [];
    const refund = async (amount?: string) => {
      const what = { action: "refund", transactionId: id, reason: "requested_by_customer" } as const;
      try {
        const made = await paddle.adjustments.create(
          amount === undefined
            ? { ...what, type: "full" }
            : { ...what, type: "partial", items: [{ itemId: line?.id ?? "", type: "partial", amount }] },
        );
        return made.totals.total;
      } catch (error) {
        return error instanceof ApiError ? error.code : error;
      }
    };
    const paid = Number(line?.totals?.total);
    expect([await refund("100"), await refund(String(paid)), await refund(), await refund(), await refund("1")]).toEqual([
      "100",
      "adjustment_total_amount_above_remaining_allowed",
      String(paid - 100),
      "adjustment_transaction_item_has_already_been_fully_adjusted",
      "adjustment_transaction_item_has_already_been_fully_adjusted",
    ]);
    expect(() => standin.billing.adjust(id, "refund", "full")).toThrow("already been fully adjusted");
  });
});

describe("webhooks", () => {
  it("are sent again until they are answered with 2xx", async () => {
    answer = 500;
    await ready("pri_once");
    await standin.deliveries.settled();
    const first = received.map(({ event }) => event.event_id);
    answer = 200;
    standin.deliveries.retryNow();
    await standin.deliveries.settled();
    expect(received.slice(first.length).map(({ event }) => event.event_id)).toEqual(first);
    standin.deliveries.retryNow();
    await standin.deliveries.settled();
    expect(received).toHaveLength(2 * first.length);
  });
});

describe("the browser's side", () => {
  it("serves a script that runs by itself and sets the global that the loader looks for", async () => {
    const { body, headers } = await app.inject(`${paddlePrefix}/paddle.js`);
    expect(headers["content-type"]).toContain("javascript");
    const window: { PaddleBillingV1?: { Initialized: boolean; Checkout: object } } = {};
    new Function("window", "document", body)(window, { currentScript: { src: `${origin}${paddlePrefix}/paddle.js` } });
    expect(window.PaddleBillingV1?.Initialized).toBe(false);
    expect(Object.keys(window.PaddleBillingV1?.Checkout ?? {})).toEqual(["open", "close", "updateCheckout", "updateItems"]);
  });

  it("opens, receives the buyer and pays over HTTP", async () => {
    const post = (path: string, payload: object) => app.inject({ method: "POST", url: `${paddlePrefix}/checkout${path}`, payload });
    const opened = (
      await post("/open", { items: [{ priceId: "pri_sub" }], discountCode: "PARLANDO50", customer: { email: "lucia@ejemplo.mx" } })
    ).json();
    expect(opened).toMatchObject({
      status: "ready",
      currency_code: "MXN",
      customer: { email: "lucia@ejemplo.mx" },
      totals: { total: 0 },
      recurring_totals: { total: 747 },
      discount: { code: "PARLANDO50" },
    });
    const paid = (await post(`/${opened.transaction_id}/pay`, good)).json();
    expect(paid).toMatchObject({
      result: { status: "completed" },
      data: { status: "completed", payment: { method_details: { type: "card", card: { last4: "4242" } } } },
    });
    expect((await post("/open", { transactionId: opened.transaction_id })).json()).toMatchObject({
      error: { code: "transaction_not_payable" },
    });
  });

  it("accepts one payment for a transaction, however many arrive at once, and none for a canceled one", async () => {
    const post = (path: string, payload: object) => app.inject({ method: "POST", url: `${paddlePrefix}/checkout${path}`, payload });
    const secure = card("4000 0038 0000 0446");
    const [twice, gone] = [await ready("pri_plain"), await ready("pri_plain")];
    for (const id of [twice, gone])
      expect((await post(`/${id}/pay`, secure)).json()).toMatchObject({ result: { status: "action_required" } });
    const answers = await Promise.all([
      post(`/${twice}/pay`, good),
      post(`/${twice}/challenge`, { approved: true }),
      post(`/${twice}/pay`, good),
    ]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409]);
    await paddle.transactions.update(gone, { status: "canceled" });
    expect((await post(`/${gone}/challenge`, { approved: true })).statusCode).toBe(400);
    expect(standin.billing.subscriptions()).toHaveLength(1);
    expect((await paddle.transactions.get(twice)).payments.filter(({ status }) => status === "captured")).toHaveLength(1);
    expect((await paddle.transactions.get(gone)).status).toBe("canceled");
    await standin.deliveries.settled();
    expect(types().filter((type) => type === "transaction.paid")).toHaveLength(1);
  });

  it("accepts one payment for a transaction from two processes with one file, and stores nothing of a payment that fails half-way", async () => {
    const folder = mkdtempSync(join(tmpdir(), "parlando-standin-"));
    const closing: (() => Promise<void>)[] = [];
    let broken = false;
    const process = () => {
      const one = createPaddleStandin({
        ...optionsOf(join(folder, "standin.sqlite")),
        now: () => {
          if (broken) throw new Error("killed");
          return start;
        },
      });
      closing.push(one.close);
      return one.billing;
    };
    const first = process();
    const { id } = first.createTransaction({ items: [{ priceId: "pri_plain", quantity: 1 }], origin: "api" });
    first.setBuyer(id, { email: "lucia@ejemplo.mx", countryCode: "MX" });
    const second = process();
    broken = true;
    expect(() => first.pay(id, good)).toThrow("killed");
    broken = false;
    expect([first.getTransaction(id).status, first.subscriptions()]).toEqual(["ready", []]);
    expect(second.pay(id, good)).toEqual({ status: "completed" });
    expect(() => first.pay(id, good)).toThrow("paid");
    expect([first, second].map((one) => one.subscriptions().length)).toEqual([1, 1]);
    for (const close of closing) await close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("is in the visitor's language, and only the site can frame it", async () => {
    const { body, headers } = await app.inject(`${paddlePrefix}/frame?_ptxn=txn_1&locale=de`);
    expect(body).toContain("Kartennummer");
    expect(headers["content-security-policy"]).toContain("frame-ancestors 'self'");
    expect((await app.inject(`${paddlePrefix}/frame?locale="><script>`)).body).not.toContain('<script>"');
  });
});

describe("the developer's page", () => {
  const page = async () => (await app.inject(`${paddlePrefix}/`)).body;
  const press = (action: string, payload: object = {}) => app.inject({ method: "POST", url: `${paddlePrefix}/control/${action}`, payload });

  it("lists the modes, the cards, and every subscription and payment with its actions", async () => {
    const id = await subscribed();
    const body = await page();
    for (const word of ["slow", "broken", "3ds", "noscript", "4242 4242 4242 4242", "4000 0027 6000 3184", id, "data-action"])
      expect(body).toContain(word);
  });

  it("switches the provider's behaviour: broken, without its script, with a bank that confirms every card", async () => {
    await press("mode", { mode: "broken" });
    await expect(ready("pri_once")).rejects.toThrow();
    await press("mode", { mode: "noscript" });
    expect((await app.inject(`${paddlePrefix}/paddle.js`)).statusCode).toBe(503);
    await press("mode", { mode: "3ds" });
    expect(standin.billing.pay(await ready("pri_once"), good)).toEqual({ status: "action_required" });
    await press("mode", { mode: "ok" });
    expect(standin.billing.pay(await ready("pri_once"), good)).toEqual({ status: "completed" });
    expect((await press("mode", { mode: "asleep" })).statusCode).toBe(400);
    expect((await press("format-disk")).statusCode).toBe(404);
  });

  it("forwards a year of renewals at once, each with its webhooks", async () => {
    const id = await subscribed();
    await standin.deliveries.settled();
    received.length = 0;
    await press("year", { id });
    await standin.deliveries.settled();
    expect(types().filter((type) => type === "transaction.completed")).toHaveLength(12);
    expect(Date.parse(standin.billing.getSubscription(id).next_billed_at ?? "")).toBeGreaterThan(start + 365 * 86_400_000);
  });
});
