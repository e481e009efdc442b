/** Requests to Paddle Classic and its answers and alerts. providers.conformance.test.ts tests its behaviour. */
import { alertSignature } from "#standins/paddle/classic.ts";
import { type HttpAnswer, httpAnswers } from "#test/httpAnswers.ts";
import { hangingWait } from "#test/patience.ts";
import { generateKeyPairSync } from "node:crypto";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { createPaddleClassic, type PaddleClassicOptions } from "./paddleClassic.ts";
import type { PaymentProvider } from "./provider.ts";

const keys = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});
const now = Date.parse("2026-11-20T12:00:00.789Z");
const dayMs = 86_400_000;
const utc = (time: string) => Date.parse(`${time.length === 10 ? `${time} 00:00:00` : time}Z`);

const others = httpAnswers();
let patience = hangingWait;
const paddleWith = (options: Partial<PaddleClassicOptions> = {}) =>
  createPaddleClassic({
    vendorId: "4711",
    authCode: "code",
    publicKey: keys.publicKey,
    environment: others.origin,
    now: () => now,
    timeoutMs: () => patience,
    ...options,
  });
let paddle: PaymentProvider;
beforeEach(() => {
  patience = hangingWait;
  paddle = paddleWith();
});

const ok = (response: unknown): HttpAnswer => ({ status: 200, body: JSON.stringify({ success: true, response }) });
const refused: HttpAnswer = { status: 200, body: JSON.stringify({ success: false, error: { code: 102, message: "no" } }) };
/** Answers by path. Any other request fails the test. */
const answers = (known: Readonly<Record<string, HttpAnswer>>) => others.answer(({ path }) => known[path] ?? refused);
/** The requests: path and fields, without the vendor's credentials. */
const asked = () =>
  others.calls.map(({ path, body }) => {
    const { vendor_id, vendor_auth_code, ...fields } = Object.fromEntries(new URLSearchParams(body));
    if (path.startsWith("/2.0/")) expect([vendor_id, vendor_auth_code]).toEqual(["4711", "code"]);
    return [path.replace("/2.0/", ""), fields];
  });

const told = (name: string, fields: Readonly<Record<string, string>>, alert: Readonly<Record<string, string>> = {}) =>
  paddle.factsOf(
    new URLSearchParams({ alert_id: "7", event_time: "2026-11-20 12:00:00", alert_name: name, ...alert, ...fields }).toString(),
  );
const without = (fields: Readonly<Record<string, string>>, ...names: readonly string[]) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

const begun = {
  checkout_id: "1-chre1",
  subscription_id: "5",
  subscription_plan_id: "800002",
  status: "active",
  next_bill_date: "2026-12-20",
  quantity: "2",
  currency: "MXN",
  passthrough: "order_1",
};
const bought = {
  kind: "transaction",
  id: "1-chre1",
  status: "completed",
  items: [{ priceId: "800002", quantity: 2 }],
  subscriptionId: "5",
  orderId: "order_1",
  total: 0,
  tax: 0,
  currency: "MXN",
  forPeriod: true,
  billedAt: utc("2026-11-20 12:00:00"),
  periodEnd: utc("2026-12-20"),
};
const running = {
  kind: "subscription",
  id: "5",
  status: "active",
  transactionId: "1-chre1",
  end: utc("2026-12-20"),
  trialing: false,
  nextCharge: utc("2026-12-20"),
  change: null,
};
const alertVersion = "2026-11-20 12:00:00 00000000000000000007";

describe("an alert of a subscription that began", () => {
  it("says what was bought; whether and what was paid is in the payment's own alert", () => {
    expect(told("subscription_created", begun)).toEqual([
      { version: "1 2026-11-20 12:00:00", fact: { ...bought, status: "open" } },
      { version: alertVersion, fact: running },
    ]);
  });

  it("of a trial says that it began without a charge", () => {
    expect(told("subscription_created", { ...begun, status: "trialing" })).toEqual([
      { version: "2 0 2026-11-20 12:00:00", fact: bought },
      { version: alertVersion, fact: { ...running, trialing: true } },
    ]);
  });

  it("has the quantity one if it is missing, and is refused without a currency", () => {
    expect(told("subscription_created", without(begun, "quantity"))).toMatchObject([{ fact: { items: [{ quantity: 1 }] } }, {}]);
    expect(() => told("subscription_created", without(begun, "currency"))).toThrow("Invalid");
  });

  it("belongs to no order without our passthrough, and has no end without a date", () => {
    const bare = { ...bought, status: "open", orderId: null, periodEnd: null };
    for (const fields of [without(begun, "passthrough", "next_bill_date"), { ...without(begun, "next_bill_date"), passthrough: "" }])
      expect(told("subscription_created", fields)[0]?.fact).toEqual(bare);
    expect(() => told("subscription_created", without(begun, "checkout_id"))).toThrow("Invalid");
    expect(() => told("subscription_created", { ...begun, checkout_id: "" })).toThrow("Invalid");
  });
});

describe("an alert of a subscription", () => {
  const state = (fields: Readonly<Record<string, string>>, name = "subscription_updated") => {
    const facts = told(name, { ...without(begun, "passthrough"), ...fields });
    expect(facts.map(({ version }) => version)).toEqual(facts.map(() => alertVersion));
    return facts.map(({ fact }) => fact);
  };

  it("has its state", () => {
    expect(state({})).toEqual([running]);
    expect(state({ status: "trialing" })).toEqual([{ ...running, trialing: true }]);
    expect(state({ status: "past_due" }, "subscription_payment_failed")).toEqual([{ ...running, status: "past_due" }]);
    expect(state({ status: "dancing" })).toEqual([]);
    expect(state({ cancellation_effective_date: "2026-12-20" })).toEqual([running]);
    expect(told("subscription_updated", without(begun, "checkout_id"))).toMatchObject([{ fact: { transactionId: null } }]);
  });

  it("whose payment is retried ends on the day of the retry", () => {
    const again = { ...without(begun, "next_bill_date"), status: "past_due", next_retry_date: "2026-11-23" };
    const day = utc("2026-11-23");
    expect(told("subscription_payment_failed", again)).toMatchObject([{ fact: { end: day, nextCharge: day } }]);
    expect(state({ next_retry_date: "2026-11-23" })).toEqual([running]);
  });

  it("that was cancelled for a later day is active until then", () => {
    const cancelled = (fields: Readonly<Record<string, string>>) => state({ status: "deleted", ...fields }, "subscription_cancelled");
    const at = utc("2026-12-20");
    expect(cancelled({ cancellation_effective_date: "2026-12-20" })).toEqual([
      { ...running, nextCharge: null, change: { action: "cancel", at } },
    ]);
    const over = { ...running, status: "canceled", end: utc("2026-11-20 12:00:00"), nextCharge: null };
    expect(cancelled({ cancellation_effective_date: "2026-11-20 12:00:00" })).toEqual([over]);
    expect(cancelled({})).toEqual([over]);
    expect(state({ status: "canceled" })).toEqual([over]);
    expect(cancelled({ cancellation_effective_date: "2026-11-19" })).toEqual([{ ...over, end: utc("2026-11-19") }]);
    expect(cancelled({ cancellation_effective_date: "" })).toEqual([over]);
    expect(cancelled({ cancellation_effective_date: "soon" })).toEqual([over]);
  });

  it("that will be paused says from when", () => {
    const paused = { ...running, status: "paused", nextCharge: null };
    expect(state({ status: "paused", paused_from: "2026-11-20 11:00:00" })).toEqual([{ ...paused, end: utc("2026-11-20 11:00:00") }]);
    expect(state({ status: "paused" })).toEqual([{ ...paused, end: utc("2026-11-20 12:00:00") }]);
    const at = utc("2026-12-20");
    expect(state({ paused_from: "2026-12-20" })).toEqual([{ ...running, change: { action: "pause", at } }]);
    expect(state({ paused_from: "2026-11-20 12:00:00" })).toEqual([running]);
    expect(state({ status: "past_due", paused_from: "2026-12-20" })).toEqual([{ ...running, status: "past_due" }]);
  });
});

describe("an alert of a payment", () => {
  const paid = { ...begun, order_id: "1-2", sale_gross: "300.00", payment_tax: "41.38", initial_payment: "1" };

  it("is identified by checkout and passthrough if it is the first, by its order if it is a renewal", () => {
    const first = { ...bought, total: 30_000, tax: 4_138 };
    for (const initial_payment of ["1", "true"])
      expect(told("subscription_payment_succeeded", { ...paid, initial_payment })).toEqual([
        { version: "2 1 2026-11-20 12:00:00", fact: first },
        { version: alertVersion, fact: running },
      ]);
    const renewal = { ...first, id: "1-2", orderId: null };
    for (const fields of [{ ...paid, initial_payment: "0" }, without(paid, "initial_payment")])
      expect(told("subscription_payment_succeeded", fields)[0]?.fact).toEqual(renewal);
  });

  it("of a subscription omits missing values", () => {
    const bare = without(paid, "status", "next_bill_date", "quantity", "passthrough", "payment_tax");
    expect(told("subscription_payment_succeeded", bare).map(({ fact }) => fact)).toEqual([
      { ...bought, total: 30_000, items: [{ priceId: "800002", quantity: 1 }], orderId: null, periodEnd: null },
      { ...running, end: null, nextCharge: null },
    ]);
    expect(told("subscription_payment_succeeded", { ...bare, fee: "21.07" })).toMatchObject([{ fact: { fee: 2_107 } }, {}]);
    // Amounts have their currency's minor units.
    expect(told("subscription_payment_succeeded", { ...bare, currency: "CLP" })).toMatchObject([{ fact: { total: 300 } }, {}]);
  });

  it("of a one-time purchase says what was bought and for which order", () => {
    const once = without({ ...paid, product_id: "800009" }, "subscription_id", "subscription_plan_id");
    const fact = {
      ...bought,
      total: 30_000,
      tax: 4_138,
      subscriptionId: null,
      periodEnd: null,
      items: [{ priceId: "800009", quantity: 2 }],
    };
    expect(told("payment_succeeded", once)).toEqual([{ version: "2 1 2026-11-20 12:00:00", fact }]);
    expect(told("payment_succeeded", without(once, "product_id", "quantity", "passthrough"))[0]?.fact).toEqual({
      ...fact,
      orderId: null,
      items: [{ priceId: "", quantity: 1 }],
    });
    expect(told("payment_succeeded", { ...once, passthrough: "" })[0]?.fact).toMatchObject({ orderId: null });
  });
});

describe("an alert of a refund or chargeback", () => {
  const refund = { checkout_id: "1-chre1", order_id: "1-2", subscription_id: "5", refund_type: "full" };
  const back = {
    kind: "adjustment",
    id: "refund-1-2",
    transactionId: "1-chre1",
    subscriptionId: "5",
    action: "refund",
    full: true,
    approved: true,
    total: null,
    at: Date.parse("2026-11-20T12:00:00Z"),
  };

  it("says of which payment and whether it is the whole", () => {
    expect(told("payment_refunded", refund)).toEqual([{ version: alertVersion, fact: back }]);
    expect(told("payment_refunded", without(refund, "subscription_id", "refund_type"))[0]?.fact).toEqual({ ...back, subscriptionId: null });
    expect(told("payment_refunded", { ...refund, initial_payment: "0" })[0]?.fact).toEqual(back);
    expect(told("payment_refunded", { ...refund, gross_refund: "123.45", currency: "MXN" })[0]?.fact).toEqual({ ...back, total: 12_345 });
    expect(told("payment_refunded", { ...refund, refund_type: "partial" })[0]?.fact).toEqual({ ...back, id: "refund-1-2-7", full: false });
    expect(told("payment_refunded", { ...refund, refund_type: "partial", gross_refund: "59.90", currency: "MXN" })[0]?.fact).toMatchObject({
      full: false,
      total: 5_990,
    });
    expect(told("payment_refunded", { ...refund, tax_refund: "8.26", fee_refund: "1.50", currency: "MXN" })[0]?.fact).toEqual({
      ...back,
      tax: 826,
      fee: 150,
    });
  });

  it("of a renewal belongs to the renewal", () => {
    for (const initial_payment of ["1", "true"])
      expect(told("subscription_payment_refunded", { ...refund, initial_payment })[0]?.fact).toEqual(back);
    for (const fields of [{ ...refund, initial_payment: "0" }, refund])
      expect(told("subscription_payment_refunded", fields)[0]?.fact).toEqual({ ...back, transactionId: "1-2" });
  });

  it("of a dispute counts for the first payment or the renewal, and is reversed when the dispute ends", () => {
    for (const [name, action] of [
      ["payment_dispute_created", "chargeback"],
      ["payment_dispute_closed", "chargeback_reverse"],
    ] as const)
      expect(told(name, without(refund, "refund_type"))).toEqual(
        ["1-chre1", "1-2"].map((transactionId) => ({
          version: alertVersion,
          fact: { ...back, id: `${action}-${transactionId}`, transactionId, action },
        })),
      );
    expect(told("payment_dispute_created", without(refund, "subscription_id"))).toMatchObject([
      { fact: { subscriptionId: null } },
      { fact: { subscriptionId: null } },
    ]);
  });
});

describe("an alert", () => {
  it("about something else has no facts", () => {
    expect(told("high_risk_transaction_created", begun)).toEqual([]);
  });

  it.each([
    ["an id that is no number", { alert_id: "7x" }],
    ["an id with something before it", { alert_id: "x7" }],
    ["no id", { alert_id: "" }],
    ["too long an id", { alert_id: "1".repeat(21) }],
    ["too long a name", { alert_name: "x".repeat(101) }],
    ["a time with something before it", { event_time: "x2026-11-20 12:00:00" }],
    ["a time with something behind it", { event_time: "2026-11-20 12:00:00x" }],
    ["a day that no calendar has", { event_time: "2026-99-99 12:00:00" }],
  ])("with %s is none", (_, fields) => {
    const signed = { alert_id: "7", alert_name: "x", event_time: "2026-11-20 12:00:00", ...fields };
    const body = new URLSearchParams({ ...signed, p_signature: alertSignature(signed, keys.privateKey) }).toString();
    expect(paddle.verify(Buffer.from(body), {}, now)).toBeNull();
    expect(() => paddle.factsOf(body)).toThrow("Invalid");
  });

  it.each(["abc", "Infinity", "-1", "1e9", ""])("about a payment of %j, or with such a tax or quantity, cannot be read", (amount) => {
    const paid = { checkout_id: "7-chre", order_id: "7-1", currency: "MXN", sale_gross: "747.00" };
    for (const field of ["sale_gross", "payment_tax", "quantity"])
      expect(() => told("payment_succeeded", { ...paid, [field]: amount })).toThrow("Invalid");
  });

  it("is accepted with a valid signature, by a key that is a string or a function", () => {
    const signed = { alert_id: "1".repeat(20), alert_name: "x".repeat(100), event_time: "2026-11-20 12:00:00" };
    const body = new URLSearchParams({ ...signed, p_signature: alertSignature(signed, keys.privateKey) }).toString();
    for (const publicKey of [keys.publicKey, () => keys.publicKey])
      expect(paddleWith({ publicKey }).verify(Buffer.from(body), {}, now)).toEqual({
        eventId: signed.alert_id,
        eventType: signed.alert_name,
        payload: body,
      });
    expect(paddle.verify(Buffer.from(body.replace("12%3A00", "12%3A01")), {}, now)).toBeNull();
    expect(paddle.factsOf(body)).toEqual([]);
  });
});

describe("a checkout", () => {
  const order = { id: "order_1", priceId: "800002", quantity: 1, couponCode: null, returnUrl: null };
  const path = "product/generate_pay_link";

  it("is a pay link for one order, valid for two days and the rest of the second one", async () => {
    answers({ [`/2.0/${path}`]: ok({ url: "https://pay.example/1" }) });
    expect(await paddle.createCheckout(order)).toEqual({ transactionId: null, hostedUrl: "https://pay.example/1" });
    const fields = { product_id: "800002", quantity: "1", quantity_variable: "0", passthrough: "order_1", expires: "2026-11-22" };
    expect(asked()).toEqual([[path, fields]]);
    others.calls.length = 0;
    await paddle.createCheckout({ ...order, couponCode: "PARLANDO50", returnUrl: "https://parlando.example/de/" });
    expect(asked()).toEqual([
      [path, { ...fields, coupon_code: "PARLANDO50", return_url: "https://parlando.example/de/?checkout={checkout_hash}" }],
    ]);
    expect(others.calls[0]?.method).toBe("POST");
    others.calls.length = 0;
    await paddle.createCheckout({ ...order, returnUrl: "https://parlando.example/de/?backend-url=x" });
    expect(asked()).toEqual([[path, { ...fields, return_url: "https://parlando.example/de/?backend-url=x&checkout={checkout_hash}" }]]);
  });

  it("cannot be found or cancelled, and its hosted page is in the buyer's language", async () => {
    expect(await paddle.findCheckout("order_1", now)).toBeNull();
    expect(await paddle.cancelCheckout("1-chre1")).toBe(false);
    expect(paddle.hostedLink("https://pay.example/1?a=b", { language: "de-DE", returnUrl: "x" })).toBe(
      "https://pay.example/1?a=b&locale=de",
    );
    expect([paddle.name, paddle.keepsCancelled, paddle.knowsParts]).toEqual(["paddle", false, false]);
  });
});

const listed = (changes: object = {}) => ({
  order_id: "1-2",
  checkout_id: "1-chre1",
  amount: "349.00",
  currency: "MXN",
  status: "completed",
  created_at: "2026-11-20 11:00:00",
  passthrough: "order_1",
  product_id: 800002,
  subscription: { subscription_id: 5 },
  ...changes,
});

describe("an order's payment", () => {
  const order = { id: "order_1", priceId: "800002", transactionId: "1-chre1", since: now };
  const state = (word: string): HttpAnswer => ({ status: 200, body: JSON.stringify({ state: word }) });
  const first = {
    kind: "transaction",
    id: "1-chre1",
    status: "completed",
    items: [{ priceId: "800002", quantity: 1 }],
    subscriptionId: "5",
    orderId: "order_1",
    total: 34_900,
    tax: 0,
    taxUntold: true,
    currency: "MXN",
    forPeriod: true,
    billedAt: utc("2026-11-20 11:00:00"),
    periodEnd: null,
  };

  it("is read from its checkout's transactions once it is processed", async () => {
    const renewal = listed({ order_id: "3-4", created_at: "2026-12-20 11:00:00", status: "refunded" });
    answers({ "/1.0/order": state("processed"), "/2.0/checkout/1-chre1/transactions": ok([renewal, listed()]) });
    expect(await paddle.readOrder(order)).toEqual([
      { version: "2 0 2026-11-20 11:00:00", fact: first },
      { version: "2 0 2026-12-20 11:00:00", fact: { ...first, id: "3-4", orderId: null, billedAt: utc("2026-12-20 11:00:00") } },
      {
        version: "2026-12-20 11:00:00",
        fact: {
          kind: "adjustment",
          id: "refund-3-4",
          transactionId: "3-4",
          subscriptionId: "5",
          action: "refund",
          full: true,
          approved: true,
          total: null,
          // The list does not have the time.
          at: now,
        },
      },
    ]);
    expect(others.calls[0]).toMatchObject({ method: "GET", query: { checkout_id: "1-chre1" } });
    expect(asked()[1]).toEqual(["checkout/1-chre1/transactions", { page: "1" }]);
    answers({ "/1.0/order": state("processing") });
    expect(await paddle.readOrder(order)).toEqual([]);
  });

  it("has the tax of the first payment if the checkout reports it, and of no renewal", async () => {
    const renewal = listed({ order_id: "3-4", created_at: "2026-12-20 11:00:00" });
    const taxOf = async (order_: object, transactionId: string | null) => {
      others.answer(({ path }) =>
        path === "/1.0/order" ? { status: 200, body: JSON.stringify({ state: "processed", ...order_ }) } : ok([renewal, listed()]),
      );
      const facts = await paddle.readOrder({ ...order, transactionId });
      return facts.map(({ fact }) => (fact.kind === "transaction" ? [fact.tax, fact.taxUntold] : null));
    };
    const untold = [0, true];
    for (const transactionId of ["1-chre1", null]) {
      expect(await taxOf({ order: { total_tax: "48.14" } }, transactionId)).toEqual([[4_814, undefined], untold]);
      expect(await taxOf({ order: { total_tax: "0.00" } }, transactionId)).toEqual([[0, undefined], untold]);
      for (const silent of [{}, { order: null }, { order: {} }, { order: { total_tax: null } }])
        expect(await taxOf(silent, transactionId)).toEqual([untold, untold]);
    }
    expect(others.calls.at(-1)?.query).toEqual({ checkout_id: "1-chre1" });
  });

  it("without a checkout id is requested as an order", async () => {
    const bare = listed({ subscription: null, passthrough: null });
    answers({ "/1.0/order": state("processed"), "/2.0/order/1-2/transactions": ok([bare]) });
    expect(await paddle.readOrder({ ...order, transactionId: "1-2" })).toMatchObject([
      { fact: { ...first, subscriptionId: null, orderId: null } },
    ]);
    answers({ "/1.0/order": state("processed"), "/2.0/order/a%2Fb/transactions": ok([]) });
    expect(await paddle.readOrder({ ...order, transactionId: "a/b" })).toEqual([]);
    expect(others.calls.at(-2)?.query).toEqual({ checkout_id: "a/b" });
  });

  /** Pages of the product's transactions; the last one repeats. */
  const pages = (...found: readonly (readonly object[])[]) =>
    others.answer(({ path, body }) => {
      if (path === "/2.0/checkout/1-chre1/transactions") return ok([listed()]);
      if (path === "/1.0/order") return state("processed");
      const page = Number(new URLSearchParams(body).get("page"));
      return path === "/2.0/product/800002/transactions" ? ok(found[Math.min(page, found.length) - 1]) : refused;
    });
  const another = (at: number) =>
    listed({ passthrough: "order_2", checkout_id: "9-chre9", created_at: new Date(at).toISOString().slice(0, 19).replace("T", " ") });
  const search = async () => {
    const facts = await paddle.readOrder({ ...order, transactionId: null, since: utc("2026-11-20 12:00:00") });
    return [facts.length, asked().length];
  };

  it("that was never reported is searched among the product's payments, newest first", async () => {
    pages([another(now)], [another(now), listed()]);
    expect(await search()).toEqual([1, 4]);
    expect(asked().map(([, fields]) => fields)).toEqual([{ page: "1" }, { page: "2" }, { page: "1" }, {}]);
  });

  it("is not searched among payments from before the day of the order, nor beyond ten pages", async () => {
    const before = utc("2026-11-19 12:00:00");
    pages([another(now), another(before - 1_000)], [another(before - 1_000)]);
    expect(await search()).toEqual([0, 2]);
    others.calls.length = 0;
    pages([another(before)], []);
    expect(await search()).toEqual([0, 2]);
    others.calls.length = 0;
    pages([another(now)]);
    expect(await search()).toEqual([0, 10]);
    others.calls.length = 0;
    pages([{ ...another(now), created_at: "" }]);
    expect(await search()).toEqual([0, 1]);
  });
});

describe("a subscription", () => {
  const user = (changes: object = {}) => ({ subscription_id: 5, state: "active", next_payment: { date: "2026-12-20" }, ...changes });
  const users = (...found: readonly object[]) => ({ "/2.0/subscription/users": ok(found) });
  const fact = { ...running, transactionId: null };
  const version = "2026-11-20 12:00:00 ~";
  const read = async (changes: object) => {
    answers(users(user(changes)));
    const [one, ...more] = await paddle.readSubscription("5");
    expect([one?.version, more]).toEqual([version, []]);
    return one?.fact;
  };

  it("that was just read is newer than every earlier alert", async () => {
    expect(await read({})).toEqual(fact);
    expect(asked()).toEqual([["subscription/users", { subscription_id: "5" }]]);
    expect(version > alertVersion).toBe(true);
    expect(await read({ state: "trialing" })).toEqual({ ...fact, trialing: true });
    expect(await read({ state: "past_due" })).toEqual({ ...fact, status: "past_due" });
    expect(await read({ next_payment: null })).toEqual({ ...fact, end: null, nextCharge: null });
    expect(await read({ state: "deleted" })).toEqual({ ...fact, status: "canceled", end: now, nextCharge: null });
    const pausedFrom = utc("2026-12-01");
    const paused = { ...fact, status: "paused", nextCharge: null };
    expect(await read({ state: "paused", paused_from: "2026-12-01" })).toEqual({ ...paused, end: pausedFrom });
    expect(await read({ state: "paused" })).toEqual({ ...paused, end: now });
    expect(await read({ paused_from: "2026-12-01" })).toEqual({ ...fact, change: { action: "pause", at: pausedFrom } });
  });

  it("that is in an unknown state or missing is a failure", async () => {
    await expect(read({ state: "dancing" })).rejects.toMatchObject({ kind: "unavailable", message: "subscription 5 is dancing" });
    answers(users());
    await expect(paddle.readSubscription("5")).rejects.toMatchObject({ kind: "refused", message: "Paddle has no subscription 5" });
  });

  it("is cancelled at the end of the paid period, or at once when no charge is due", async () => {
    const cancel = async (changes: object) => {
      others.calls.length = 0;
      answers({ ...users(user(changes)), "/2.0/subscription/users_cancel": ok({}) });
      const [one] = await paddle.changeSubscription("5", "cancel");
      expect(asked().map(([path, fields]) => [path, fields])).toEqual([
        ["subscription/users", { subscription_id: "5" }],
        ["subscription/users_cancel", { subscription_id: "5" }],
      ]);
      return one;
    };
    const at = utc("2026-12-20");
    expect(await cancel({})).toEqual({ version, fact: { ...fact, change: { action: "cancel", at }, nextCharge: null, end: at } });
    expect(await cancel({ next_payment: null })).toEqual({ version, fact: { ...fact, status: "canceled", end: now, nextCharge: null } });
  });

  it.each([
    ["pause", "true"],
    ["resume", "false"],
    ["keep", "false"],
  ] as const)("can %s", async (action, pause) => {
    answers({ ...users(user()), "/2.0/subscription/users/update": ok({}) });
    expect(await paddle.changeSubscription("5", action)).toEqual([{ version, fact }]);
    expect(asked()[1]).toEqual(["subscription/users/update", { subscription_id: "5", pause }]);
    answers(users(user()));
    await expect(paddle.changeSubscription("5", action)).rejects.toMatchObject({ kind: "refused" });
  });

  it("ends only once", async () => {
    const ended = async (state: string) => {
      others.calls.length = 0;
      answers({ ...users(user({ state })), "/2.0/subscription/users_cancel": ok({}) });
      await paddle.endSubscription("5");
      return asked().slice(1);
    };
    expect(await ended("active")).toEqual([["subscription/users_cancel", { subscription_id: "5" }]]);
    expect(await ended("deleted")).toEqual([]);
  });

  it("has a page for changing the card, unless Paddle returns none", async () => {
    answers(users(user({ update_url: "https://card.example/" })));
    expect(await paddle.cardPage("5", null)).toBe("https://card.example/");
    for (const update_url of [null, undefined]) {
      answers(users(user({ update_url })));
      await expect(paddle.cardPage("5", null)).rejects.toMatchObject({
        kind: "refused",
        message: "Paddle gives no card page for subscription 5",
      });
    }
  });
});

describe("a refund", () => {
  const refundOf = async (transactionId: string, reason: string, found: readonly object[], amount?: number) => {
    others.calls.length = 0;
    const entity = transactionId.includes("-chre") ? "checkout" : "order";
    answers({ [`/2.0/${entity}/${transactionId}/transactions`]: ok(found), "/2.0/payment/refund": ok({}) });
    await paddle.refund(transactionId, reason, amount === undefined ? undefined : { amount, id: "7" });
    return asked().slice(1);
  };
  const refund = (transactionId: string, reason: string, ...found: readonly object[]) => refundOf(transactionId, reason, found);

  it("is of the first payment, with as much of the reason as Paddle accepts", async () => {
    const later = listed({ order_id: "3-4", created_at: "2026-12-20 11:00:00" });
    const given = [["payment/refund", { order_id: "1-2", reason: "x".repeat(255) }]];
    expect(await refund("1-chre1", "x".repeat(300), later, listed())).toEqual(given);
    expect(await refund("1-2", "x".repeat(255), listed(), later)).toEqual(given);
  });

  it("is made once, and not of a payment of nothing or a missing one", async () => {
    expect(await refund("1-chre1", "x", listed({ status: "refunded" }))).toEqual([]);
    expect(await refund("1-chre1", "x", listed({ status: "partially_refunded" }))).toHaveLength(1);
    expect(await refund("1-chre1", "x", listed({ amount: "0.00" }))).toEqual([]);
    await expect(refund("1-chre1", "x")).rejects.toMatchObject({ kind: "refused", message: "Paddle has no transaction 1-chre1" });
  });

  it.each([
    ["MXN", 5_370, "53.70"],
    ["CLP", 5_370, "5370"],
    ["KWD", 5_370, "5.370"],
  ])("of a part is in the major units of %s", async (currency, amount, said) => {
    const given = [["payment/refund", { order_id: "1-2", reason: "x", amount: said }]];
    expect(await refundOf("1-2", "x", [listed({ currency })], amount)).toEqual(given);
  });

  it("of a part is not asked for once any part was refunded", async () => {
    for (const status of ["refunded", "partially_refunded"]) expect(await refundOf("1-2", "x", [listed({ status })], 100)).toEqual([]);
  });
});

describe("all payments since a time", () => {
  const since = utc("2026-11-19 12:00:00");
  const of = (checkout: string, created_at = "2026-11-20 11:00:00") =>
    listed({ order_id: `order ${checkout}`, checkout_id: checkout, created_at });
  /** Pages of each product's transactions; the last one repeats. */
  const pages = (found: Readonly<Record<string, readonly (readonly object[])[]>>) =>
    others.answer(({ path, body }) => {
      const [, , entity = "", id = ""] = path.split("/");
      if (entity === "checkout") return ok([of(id)]);
      const own = found[id] ?? [];
      return ok(own[Math.min(Number(new URLSearchParams(body).get("page")), own.length) - 1]);
    });
  const requests = () => others.calls.map(({ path, body }) => `${path.replace("/2.0/", "")} ${new URLSearchParams(body).get("page")}`);

  it("are listed by product, page by page until one has only older payments, and then by checkout", async () => {
    pages({
      1: [
        [of("1-chre1"), of("2-chre2", "2026-11-19 11:59:59")],
        [of("3-chre3", "2026-11-19 12:00:00")],
        [of("2-chre2", "2026-11-19 11:59:59")],
      ],
      2: [[]],
    });
    const facts = await paddle.listMoney(since, ["1", "2"]);
    expect(requests()).toEqual([
      ...[1, 2, 3].map((page) => `product/1/transactions ${page}`),
      "product/2/transactions 1",
      ...["1-chre1", "2-chre2", "3-chre3"].map((id) => `checkout/${id}/transactions 1`),
    ]);
    expect(facts.map(({ fact }) => fact)).toMatchObject(
      ["1-chre1", "2-chre2", "3-chre3"].map((id) => ({ kind: "transaction", id, total: 34_900, taxUntold: true })),
    );
  });

  it("are listed up to the tenth page, and not beyond a page without times", async () => {
    pages({ 1: [[of("1-chre1")]], 2: [[of("2-chre2", "")]] });
    expect(await paddle.listMoney(since, ["1"])).toHaveLength(1);
    expect(requests()).toHaveLength(11);
    others.calls.length = 0;
    await paddle.listMoney(since, ["2"]);
    expect(requests()).toEqual(["product/2/transactions 1", "checkout/2-chre2/transactions 1"]);
  });
});

it("the requested prices are listed with their plan and their trial", async () => {
  const plan = (id: number, billing_type: string, billing_period: number, trial_days: number, recurring_price: object) => ({
    id,
    billing_type,
    billing_period,
    trial_days,
    recurring_price,
  });
  answers({
    "/2.0/subscription/plans": ok([
      plan(1, "week", 1, 0, { MXN: "149.00" }),
      plan(2, "month", 3, 7, { CLP: "9990" }),
      plan(3, "year", 1, 0, { EUR: "99.99" }),
      plan(4, "month", 1, 0, { EUR: "9.99" }),
    ]),
    "/2.0/product/get_products": ok({
      products: [
        { id: 5, base_price: 1_499.5, currency: "MXN" },
        { id: 6, base_price: "1", currency: "MXN" },
      ],
    }),
  });
  expect([...(await paddle.listedPrices(["1", "2", "3", "5"]))]).toEqual([
    ["1", { amount: 14_900, currency: "MXN", plan: "1W", trialDays: 0 }],
    ["2", { amount: 9_990, currency: "CLP", plan: "3M", trialDays: 7 }],
    ["3", { amount: 9_999, currency: "EUR", plan: "12M", trialDays: 0 }],
    ["5", { amount: 149_950, currency: "MXN", plan: null, trialDays: 0 }],
  ]);
});

describe("Paddle", () => {
  it("that does not answer in time fails", async () => {
    others.answer(() => null);
    patience = 1;
    await expect(paddle.readSubscription("5")).rejects.toMatchObject({
      kind: "timeout",
      message: "Paddle did not answer within 1 ms: subscription/users",
    });
  });

  it("that redirects is not followed", async () => {
    others.answer(({ path }) => (path === "/elsewhere" ? ok([]) : { status: 307, body: "", headers: { location: "/elsewhere" } }));
    await expect(paddle.readSubscription("5")).rejects.toMatchObject({
      kind: "unavailable",
      message: expect.stringMatching(/^Paddle did not do it: subscription\/users: ./),
    });
    expect(others.calls.map(({ path }) => path)).not.toContain("/elsewhere");
  });

  it("that answers without JSON, or with another shape, is unavailable", async () => {
    others.answer(() => ({ status: 503, body: "<html>" }));
    await expect(paddle.readSubscription("5")).rejects.toMatchObject({
      kind: "unavailable",
      message: "The provider answered 503 (not JSON): subscription/users",
    });
    const wanted = { id: "o", priceId: "p", transactionId: "t", since: now };
    await expect(paddle.readOrder(wanted)).rejects.toThrow("The provider answered 503 (not JSON): order");
    others.answer(() => ok("what"));
    await expect(paddle.readOrder(wanted)).rejects.toThrow("Paddle answered something else: order: Invalid");
    answers({ "/2.0/subscription/users": ok("what"), "/2.0/product/generate_pay_link": ok({ url: "no address" }) });
    await expect(paddle.readSubscription("5")).rejects.toMatchObject({
      kind: "unavailable",
      message: expect.stringMatching(/^Paddle answered something else: subscription\/users: Invalid/),
    });
    const order = { id: "o", priceId: "p", quantity: 1, couponCode: null, returnUrl: null };
    await expect(paddle.createCheckout(order)).rejects.toMatchObject({ kind: "unavailable" });
  });

  it("that refuses says why", async () => {
    answers({});
    await expect(paddle.readSubscription("5")).rejects.toMatchObject({
      kind: "refused",
      message: "Paddle refused: subscription/users: 102 no",
    });
    await expect(paddle.refund("1-2", "x")).rejects.toThrow("Paddle refused: order/1-2/transactions: 102 no");
  });

  it.each([
    ["production", "https://vendors.paddle.com/api", "https://checkout.paddle.com/api"],
    ["sandbox", "https://sandbox-vendors.paddle.com/api", "https://sandbox-checkout.paddle.com/api"],
    ["https://paddle.example/api", "https://paddle.example/api", "https://paddle.example/api"],
  ])("of %s is called at its two URLs", async (environment, vendors, checkout) => {
    const fetched = vi
      .spyOn(globalThis, "fetch")
      .mockImplementation(async () => Response.json({ state: "processing", success: true, response: [] }));
    const there = createPaddleClassic({ vendorId: "4711", authCode: "code", publicKey: keys.publicKey, environment, now: () => now });
    await there.readOrder({ id: "o", priceId: "p", transactionId: "t", since: now });
    await there.readOrder({ id: "o", priceId: "p", transactionId: null, since: now + dayMs });
    expect(fetched.mock.calls.map(([url]) => url)).toEqual([
      `${checkout}/1.0/order?checkout_id=t`,
      `${vendors}/2.0/product/p/transactions`,
    ]);
  });
});
