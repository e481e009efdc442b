/** Requests to Paddle Billing and its answers and webhooks, through the real SDK. providers.conformance.test.ts tests its behaviour. */
import { createBilling } from "#standins/paddle/billing.ts";
import { signature } from "#standins/paddle/deliveries.ts";
import { openRecords } from "#standins/records.ts";
import { type HttpAnswer, httpAnswers } from "#test/httpAnswers.ts";
import { hangingWait } from "#test/patience.ts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { standinCatalogue } from "./catalogue.ts";
import { createPaddleBilling } from "./paddleBilling.ts";
import type { PaymentProvider, RefundPart } from "./provider.ts";

const secrets = ["pdl_ntfset_new", "pdl_ntfset_old"];
const now = Date.parse("2026-11-20T12:00:00Z");
const ms = (time: string) => Date.parse(time);

const others = httpAnswers();
const data = (found: unknown): HttpAnswer => ({ status: 200, body: JSON.stringify({ data: found, meta: { request_id: "r" } }) });
const page = (found: readonly unknown[]): HttpAnswer => ({
  status: 200,
  body: JSON.stringify({
    data: found,
    meta: { request_id: "r", pagination: { per_page: 200, next: "", has_more: false, estimated_total: found.length } },
  }),
});
const refused: HttpAnswer = {
  status: 400,
  body: JSON.stringify({ error: { type: "request_error", code: "bad", detail: "no", documentation_url: "" }, meta: { request_id: "r" } }),
};
/** Answers by `METHOD /path`. Any other request fails the test. */
const answers = (known: Readonly<Record<string, HttpAnswer>>) => others.answer(({ method, path }) => known[`${method} ${path}`] ?? refused);
/** The requests, with their bodies. */
const asked = () =>
  others.calls.map(({ method, query, body }) => ({ method, query, body: body === "" ? null : (JSON.parse(body) as unknown) }));

afterEach(() => void vi.useRealTimers());
let paddle: PaymentProvider;
let patience = hangingWait;
beforeEach(() => {
  patience = hangingWait;
  answers({});
  paddle = createPaddleBilling({ apiKey: "key", environment: others.origin, webhookSecrets: secrets, timeoutMs: () => patience });
});

/** Entities in the API's format. */
const engine = createBilling({
  records: openRecords(":memory:"),
  ...standinCatalogue,
  checkoutUrl: (id) => `https://pay.example/${id}`,
  manageUrl: (id) => `https://manage.example/${id}`,
  now: () => now,
  send: () => undefined,
});
const draft = engine.createTransaction({
  items: [{ priceId: "pri_subscription_1m_mxn", quantity: 1 }],
  customData: { order: "order_1" },
  origin: "api",
});
engine.setBuyer(draft.id, { email: "lucia@ejemplo.mx", countryCode: "MX" });
engine.pay(draft.id, { number: "4242 4242 4242 4242", expiry: "12/40", cvc: "123", name: "Lucía" });
const paid = engine.getTransaction(draft.id);
const subscription = engine.getSubscription(paid.subscription_id ?? "");

/** The only fact of a webhook. */
function told(type: string, entity: object, at = "2026-11-20T12:00:00.5Z") {
  return paddle.factsOf(JSON.stringify({ event_id: "evt_1", event_type: type, occurred_at: at, data: entity }));
}
const transaction = {
  id: "txn_1",
  status: "completed",
  origin: "api",
  subscription_id: "sub_1",
  custom_data: { order: "order_1" },
  items: [{ price: { id: "pri_1" }, quantity: 2 }],
  currency_code: "MXN",
  details: { totals: { total: "74700", tax: "10303", grand_total: "70000" } },
  billing_period: { ends_at: "2026-12-20T12:00:00Z" },
  billed_at: "2026-11-20T11:59:00Z",
  updated_at: "2026-11-20T12:00:00Z",
};
const plan = {
  id: "sub_1",
  status: "active",
  transaction_id: "txn_1",
  next_billed_at: "2026-12-20T12:00:00Z",
  paused_at: null,
  canceled_at: null,
  scheduled_change: null,
  current_billing_period: { ends_at: "2026-12-21T12:00:00Z" },
  updated_at: "2026-11-20T12:00:00.25Z",
};
const adjustment = {
  id: "adj_1",
  action: "refund",
  type: "full",
  transaction_id: "txn_1",
  subscription_id: "sub_1",
  status: "approved",
  updated_at: "2026-11-20T12:00:00Z",
};
/** An adjustment in the API's format, as part of a transaction. */
const adjusted = { ...adjustment, items: [], totals: { total: paid.details?.totals?.grand_total } };
const factOf = (type: string, entity: object) => told(type, entity)[0]?.fact;
const versionOf = (type: string, entity: object, at?: string) => told(type, entity, at)[0]?.version ?? "none";

describe("a transaction's webhook", () => {
  it("says what was bought, for how much, until when, and for which of our orders", () => {
    expect(told("transaction.completed", transaction)).toEqual([
      {
        version: "07 2026-11-20T12:00:00.500000000",
        fact: {
          kind: "transaction",
          id: "txn_1",
          status: "completed",
          items: [{ priceId: "pri_1", quantity: 2 }],
          subscriptionId: "sub_1",
          orderId: "order_1",
          total: 74_700,
          tax: 10_303,
          currency: "MXN",
          forPeriod: true,
          billedAt: ms("2026-11-20T11:59:00Z"),
          periodEnd: ms("2026-12-20T12:00:00Z"),
        },
      },
    ]);
  });

  it("leaves unknown values open", () => {
    const { id, status, origin: from, updated_at } = transaction;
    const bare = { id, status, origin: from, updated_at, items: [{ price: null, quantity: 1 }] };
    const nothing = { items: [], subscriptionId: null, orderId: null, total: 0, tax: 0, currency: "", billedAt: null, periodEnd: null };
    expect(factOf("transaction.updated", bare)).toMatchObject(nothing);
    const nulls = { subscription_id: null, custom_data: null, currency_code: null, details: null, billing_period: null, billed_at: null };
    expect(factOf("transaction.updated", { ...bare, ...nulls })).toMatchObject(nothing);
    expect(factOf("transaction.updated", { ...bare, details: { totals: null } })).toMatchObject(nothing);
  });

  it("belongs to no order when others created the transaction or it names none", () => {
    for (const origin of ["web", "subscription_recurring"])
      expect(factOf("transaction.completed", { ...transaction, origin })).toMatchObject({ orderId: null });
    for (const custom_data of [{}, { order: 7 }, { order: null }])
      expect(factOf("transaction.completed", { ...transaction, custom_data })).toMatchObject({ orderId: null });
  });

  it("moves from open to completed, and the status outweighs the time", () => {
    const order = ["not known", "draft", "ready", "billed", "past_due", "paid", "canceled", "completed"];
    const facts = order.map((status, place) => told("transaction.updated", { ...transaction, status }, `2026-11-20T12:00:0${9 - place}Z`));
    expect(facts.map(([one]) => (one?.fact.kind === "transaction" ? one.fact.status : null))).toEqual([
      "open",
      "open",
      "open",
      "open",
      "past_due",
      "open",
      "canceled",
      "completed",
    ]);
    const versions = facts.map(([one]) => one?.version ?? "");
    expect(versions.toSorted()).toEqual(versions);
    expect(versions.map((version) => version.slice(0, 3))).toEqual(["00 ", "01 ", "02 ", "03 ", "04 ", "05 ", "06 ", "07 "]);
  });

  it("is newer even if only a fraction of a second differs", () => {
    const times = ["2026-11-20T12:00:00Z", "2026-11-20T12:00:00.000001Z", "2026-11-20T12:00:00.01Z", "2026-11-20T12:00:00.1000000009999Z"];
    const versions = times.map((time) => versionOf("transaction.updated", transaction, time));
    expect(versions).toEqual([
      "07 2026-11-20T12:00:00.000000000",
      "07 2026-11-20T12:00:00.000001000",
      "07 2026-11-20T12:00:00.010000000",
      "07 2026-11-20T12:00:00.100000000",
    ]);
    expect(versionOf("transaction.updated", transaction, "some day")).toBe("07 some day.000000000");
  });
});

describe("a subscription's webhook", () => {
  it("has its status, its end, and the time of its next charge", () => {
    expect(told("subscription.updated", plan)).toEqual([
      {
        version: "2026-11-20T12:00:00.500000000 2026-11-20T12:00:00.250000000 0",
        fact: {
          kind: "subscription",
          id: "sub_1",
          status: "active",
          transactionId: "txn_1",
          end: ms("2026-12-21T12:00:00Z"),
          trialing: false,
          nextCharge: ms("2026-12-20T12:00:00Z"),
          change: null,
        },
      },
    ]);
    expect(factOf("subscription.trialing", { ...plan, status: "trialing" })).toMatchObject({ status: "active", trialing: true });
    expect(factOf("subscription.updated", { ...plan, transaction_id: undefined })).toMatchObject({ transactionId: null });
    expect(told("subscription.updated", { ...plan, status: "unheard of" })).toEqual([]);
  });

  it("ends with its period, at its next charge, or when it was paused or canceled", () => {
    const times = { paused_at: "2026-12-01T00:00:00Z", canceled_at: "2026-12-02T00:00:00Z" };
    const end = (changes: object) => {
      const fact = factOf("subscription.updated", { ...plan, ...times, ...changes });
      return fact?.kind === "subscription" && fact.end !== null ? new Date(fact.end).toISOString().slice(0, 10) : null;
    };
    expect(end({})).toBe("2026-12-21");
    expect(end({ status: "past_due" })).toBe("2026-12-21");
    expect(end({ current_billing_period: null })).toBe("2026-12-20");
    expect(end({ current_billing_period: null, next_billed_at: null })).toBeNull();
    expect(end({ status: "paused" })).toBe("2026-12-01");
    expect(end({ status: "paused", paused_at: null })).toBe("2026-12-21");
    expect(end({ status: "canceled" })).toBe("2026-12-02");
    expect(end({ status: "canceled", canceled_at: null })).toBeNull();
  });

  it("has the scheduled change, if it is a known one", () => {
    for (const action of ["cancel", "pause", "resume"] as const)
      expect(factOf("subscription.updated", { ...plan, scheduled_change: { action, effective_at: "2026-12-20T12:00:00Z" } })).toMatchObject(
        {
          change: { action, at: ms("2026-12-20T12:00:00Z") },
        },
      );
    const other = { action: "dance", effective_at: "2026-12-20T12:00:00Z" };
    expect(factOf("subscription.updated", { ...plan, scheduled_change: other })).toMatchObject({ change: null });
  });

  it("is newer by its own time, then by the time of the change, then by the status nearer to the end", () => {
    const told2 = (status: string, at: string, changed: string) =>
      versionOf("subscription.updated", { ...plan, status, updated_at: changed }, at);
    const versions = [
      told2("canceled", "2026-11-20T12:00:00Z", "2026-11-20T12:00:09Z"),
      told2("canceled", "2026-11-20T12:00:01Z", "2026-11-20T12:00:00Z"),
      told2("active", "2026-11-20T12:00:01Z", "2026-11-20T12:00:01Z"),
      told2("past_due", "2026-11-20T12:00:01Z", "2026-11-20T12:00:01Z"),
      told2("paused", "2026-11-20T12:00:01Z", "2026-11-20T12:00:01Z"),
      told2("canceled", "2026-11-20T12:00:01Z", "2026-11-20T12:00:01Z"),
    ];
    expect(versions.toSorted()).toEqual(versions);
    expect(new Set(versions).size).toBe(versions.length);
  });
});

describe("an adjustment's webhook", () => {
  it("says which payment is refunded, and whether wholly", () => {
    expect(told("adjustment.updated", adjustment)).toEqual([
      {
        version: "2026-11-20T12:00:00.500000000 1",
        fact: {
          kind: "adjustment",
          id: "adj_1",
          transactionId: "txn_1",
          subscriptionId: "sub_1",
          action: "refund",
          full: true,
          approved: true,
          total: null,
          at: Date.parse("2026-11-20T12:00:00Z"),
        },
      },
    ]);
    expect(factOf("adjustment.updated", { ...adjustment, totals: { total: "500" }, created_at: "2026-11-19T12:00:00Z" })).toMatchObject({
      total: 500,
      at: Date.parse("2026-11-19T12:00:00Z"),
    });
    for (const action of ["chargeback", "chargeback_reverse"] as const)
      expect(factOf("adjustment.updated", { ...adjustment, action })).toMatchObject({ action });
    expect(factOf("adjustment.updated", { ...adjustment, action: "credit" })).toMatchObject({ action: "other" });
    expect(factOf("adjustment.updated", { ...adjustment, type: "partial", totals: { total: "60" } })).toMatchObject({
      full: false,
      total: 60,
    });
    expect(factOf("adjustment.updated", { ...adjustment, type: "partial", status: "rejected", subscription_id: null })).toMatchObject({
      full: false,
      approved: false,
      subscriptionId: null,
    });
  });

  it("keeps the reason of a refund that was rejected", () => {
    const refund = { ...adjustment, action: "refund", reason: "given back by support 7" };
    expect(factOf("adjustment.updated", { ...refund, status: "rejected" })).toMatchObject({ rejected: "given back by support 7" });
    for (const changes of [{}, { status: "pending_approval" }, { action: "credit", status: "rejected" }])
      expect(factOf("adjustment.updated", { ...refund, ...changes })).not.toHaveProperty("rejected");
  });

  it("is older while it waits for approval if the times are the same", () => {
    const waiting = versionOf("adjustment.created", { ...adjustment, status: "pending_approval" });
    expect(waiting < versionOf("adjustment.updated", adjustment)).toBe(true);
  });
});

it("a webhook about something else has no facts, and one of another shape throws", () => {
  expect(told("customer.created", transaction)).toEqual([]);
  for (const type of ["transaction.completed", "subscription.updated", "adjustment.updated"])
    expect(() => told(type, { id: 7 })).toThrow("Invalid");
  expect(() => paddle.factsOf("no JSON")).toThrow("Invalid");
  expect(() => paddle.factsOf(JSON.stringify({ event_id: "e", event_type: "x", occurred_at: "t" }))).toThrow("Invalid");
});

describe("a webhook's signature", () => {
  const payload = (event: object = {}) => JSON.stringify({ event_id: "evt_1", event_type: "x", occurred_at: "t", data: {}, ...event });
  const seal = (body: string, seconds = 0, secret = "pdl_ntfset_new") => signature(secret, body, now / 1_000 + seconds);
  const verified = (body: string, header: string | readonly string[] | undefined, at = now) =>
    paddle.verify(Buffer.from(body), header === undefined ? {} : { "paddle-signature": header as string }, at);

  it("with either secret returns the event as received", () => {
    for (const secret of secrets)
      expect(verified(payload(), seal(payload(), 0, secret))).toEqual({ eventId: "evt_1", eventType: "x", payload: payload() });
  });

  it("is valid for five minutes before and after its time, and not a second longer", () => {
    for (const seconds of [-300, 300]) expect(verified(payload(), seal(payload(), seconds))).not.toBeNull();
    for (const seconds of [-301, 301]) expect(verified(payload(), seal(payload(), seconds))).toBeNull();
  });

  it("may be any of ten", () => {
    const good = seal(payload());
    const [stamp, ours] = good.split(";");
    const others = (count: number) => Array.from({ length: count }, (_, n) => `h1=${String(n).padStart(64, "0")}`);
    expect(verified(payload(), [stamp, ...others(9), ours].join(";"))).not.toBeNull();
    expect(verified(payload(), [stamp, ours, ...others(9)].join(";"))).not.toBeNull();
    expect(verified(payload(), [stamp, ...others(10), ours].join(";"))).toBeNull();
    expect(verified(payload(), [stamp, ...others(2)].join(";"))).toBeNull();
  });

  it("is invalid with anything added or missing", () => {
    const good = seal(payload());
    const [stamp = "", ours = ""] = good.split(";");
    for (const header of [
      undefined,
      "",
      [good],
      stamp,
      ours,
      ` ${good}`,
      `${good} `,
      `${good};`,
      good.replace("ts=", "ts=x"),
      `${stamp};;${ours}`,
    ])
      expect(verified(payload(), header)).toBeNull();
    expect(verified(payload(), `ts=1${"0".repeat(12)};${ours}`, 1e15)).toBeNull();
    expect(verified(`${payload()} `, good)).toBeNull();
    expect(verified(payload(), seal(payload(), 0, "another"))).toBeNull();
  });

  it("does not turn another body into an event", () => {
    const sealed = (event: object) => verified(payload(event), seal(payload(event)));
    for (const event of [
      { event_id: "" },
      { event_id: "e".repeat(101) },
      { event_type: "x".repeat(101) },
      { data: null },
      { occurred_at: 7 },
    ])
      expect(sealed(event)).toBeNull();
    expect(sealed({ event_id: "e".repeat(100), event_type: "x".repeat(100) })).not.toBeNull();
    expect(verified("no JSON", seal("no JSON"))).toBeNull();
  });
});

describe("a checkout", () => {
  const order = { id: "order_1", priceId: "pri_1", quantity: 1, couponCode: null, returnUrl: null };

  it("is created for the order, with its hosted page", async () => {
    answers({ "POST /transactions": data(draft) });
    expect(await paddle.createCheckout(order)).toEqual({ transactionId: draft.id, hostedUrl: `https://pay.example/${draft.id}` });
    expect(asked()).toMatchObject([
      { body: { items: [{ price_id: "pri_1", quantity: 1 }], discount_id: null, custom_data: { order: "order_1" } } },
    ]);
    answers({ "POST /transactions": data({ ...draft, checkout: null }) });
    expect(await paddle.createCheckout(order)).toEqual({ transactionId: draft.id, hostedUrl: null });
  });

  it("applies the coupon by the discount's id, and is refused without such a discount", async () => {
    const [discount] = engine.discounts();
    answers({ "GET /discounts": page([discount]), "POST /transactions": data(draft) });
    await paddle.createCheckout({ ...order, couponCode: "PARLANDO50" });
    expect(asked()).toMatchObject([{ query: { code: "PARLANDO50", status: "active" } }, { body: { discount_id: discount?.id } }]);
    answers({ "GET /discounts": page([]), "POST /transactions": data(draft) });
    await expect(paddle.createCheckout({ ...order, couponCode: "NONE" })).rejects.toMatchObject({
      kind: "refused",
      message: "Paddle has no discount NONE",
    });
  });

  it("whose answer was lost is found by its order, unless it is canceled or created by others", async () => {
    const of = (id: string, orderId: string, status = "draft") => ({ ...draft, id, status, custom_data: { order: orderId } });
    const found = async (...listed: readonly object[]) => {
      answers({ "GET /transactions": page(listed) });
      return (await paddle.findCheckout("order_1", now))?.transactionId ?? null;
    };
    expect(
      await found(of("txn_a", "order_2"), of("txn_b", "order_1", "canceled"), { ...draft, custom_data: null }, of("txn_c", "order_1")),
    ).toBe("txn_c");
    expect(asked()[0]?.query).toEqual({ "created_at[GTE]": "2026-11-20T12:00:00.000Z", origin: "api", per_page: "100" });
    expect(await found()).toBeNull();
    const before = Array.from({ length: 199 }, (_, n) => of(`txn_${n}`, "order_2"));
    expect(await found(...before, of("txn_200", "order_1"))).toBe("txn_200");
    expect(await found(...before, of("txn_200", "order_2"), of("txn_201", "order_1"))).toBeNull();
  });

  it("has a hosted page in the buyer's language that leads back to the site", () => {
    expect(paddle.hostedLink("https://pay.example/x?_ptxn=1", { language: "de-DE", returnUrl: "https://parlando.example/de/" })).toBe(
      "https://pay.example/x?_ptxn=1&locale=de-DE&return=https%3A%2F%2Fparlando.example%2Fde%2F",
    );
  });

  it("is cancelled, or it is too late; no answer is a failure instead", async () => {
    answers({ "PATCH /transactions/txn_1": data(draft) });
    expect(await paddle.cancelCheckout("txn_1")).toBe(true);
    expect(asked()).toMatchObject([{ body: { status: "canceled" } }]);
    answers({});
    expect(await paddle.cancelCheckout("txn_1")).toBe(false);
    for (const [status, isEnded] of [
      ["draft", true],
      ["ready", true],
      ["canceled", true],
      ["paid", false],
      ["completed", false],
    ] as const) {
      answers({ "GET /transactions/txn_1": data({ ...draft, status }) });
      expect(await paddle.cancelCheckout("txn_1")).toBe(isEnded);
    }
    others.answer(() => ({ status: 503, body: "<html>" }));
    await expect(paddle.cancelCheckout("txn_1")).rejects.toMatchObject({
      kind: "unavailable",
      message: expect.stringContaining(": cancelling transaction txn_1: "),
    });
  });
});

describe("an order's payment", () => {
  it("is its transaction with its adjustments, as webhooks describe them", async () => {
    const total = paid.details?.totals?.grand_total ?? "";
    const given = (id: string, amount: string) => ({ ...adjusted, id, totals: { total: amount } });
    answers({
      [`GET /transactions/${paid.id}`]: data({
        ...paid,
        adjustments: [given("adj_1", total), given("adj_2", "1"), { ...adjusted, id: "adj_3", totals: null }],
      }),
    });
    const facts = await paddle.readOrder({ id: "order_1", priceId: "pri_1", transactionId: paid.id, since: now });
    expect(asked()[0]?.query).toEqual({ include: "adjustment" });
    expect(facts[0]).toEqual(told("transaction.completed", paid, paid.updated_at)[0]);
    expect(facts.slice(1)).toEqual([
      told("adjustment.updated", { ...adjustment, id: "adj_1", totals: { total } }, adjustment.updated_at)[0],
      ...[["adj_2", { total: "1" }] as const, ["adj_3", null] as const].map(
        ([id, totals]) => told("adjustment.updated", { ...adjustment, id, totals, type: "partial" }, adjustment.updated_at)[0],
      ),
    ]);
  });

  it("can be read with most fields missing", async () => {
    const bare = {
      ...paid,
      adjustments: undefined,
      items: [{ ...paid.items[0], price: null }],
      details: null,
      billing_period: null,
      custom_data: null,
      billed_at: null,
    };
    answers({ [`GET /transactions/${paid.id}`]: data(bare) });
    const facts = await paddle.readOrder({ id: "order_1", priceId: "pri_1", transactionId: paid.id, since: now });
    expect(facts).toEqual(told("transaction.completed", bare, paid.updated_at));
    answers({ [`GET /transactions/${paid.id}`]: data({ ...bare, details: { ...paid.details, totals: null } }) });
    expect(await paddle.readOrder({ id: "order_1", priceId: "pri_1", transactionId: paid.id, since: now })).toEqual(facts);
    expect(await paddle.readOrder({ id: "order_1", priceId: "pri_1", transactionId: null, since: now })).toEqual([]);
  });
});

describe("a subscription", () => {
  const path = `/subscriptions/${subscription.id}`;
  const { management_urls: _urls, ...entity } = subscription;
  /** A subscription as a webhook reports it, without its first transaction. */
  const known = (changes: object = {}) => told("subscription.updated", { ...entity, ...changes }, subscription.updated_at);

  it("is read like its webhooks, in any state", async () => {
    for (const changes of [
      {},
      { next_billed_at: "2030-01-01T00:00:00Z" },
      { status: "canceled", canceled_at: "2026-12-01T00:00:00Z", next_billed_at: null, current_billing_period: null },
      { status: "paused", paused_at: "2026-12-02T00:00:00Z", current_billing_period: null },
      { scheduled_change: { action: "pause", effective_at: "2026-12-03T00:00:00Z", resume_at: null } },
    ]) {
      answers({ [`GET ${path}`]: data({ ...subscription, ...changes }) });
      expect(await paddle.readSubscription(subscription.id)).toEqual(known(changes));
    }
    answers({ [`GET ${path}`]: data({ ...subscription, status: "unheard of" }) });
    await expect(paddle.readSubscription(subscription.id)).rejects.toThrow(
      `subscription ${subscription.id}: Error: subscription ${subscription.id} has a status we do not know`,
    );
  });

  it.each([
    ["cancel", "POST", "/cancel", { effective_from: "next_billing_period" }],
    ["pause", "POST", "/pause", { effective_from: "next_billing_period" }],
    ["resume", "POST", "/resume", { effective_from: "immediately" }],
    ["keep", "PATCH", "", { scheduled_change: null }],
  ] as const)("can %s", async (action, method, end, body) => {
    answers({ [`${method} ${path}${end}`]: data(subscription) });
    expect(await paddle.changeSubscription(subscription.id, action)).toEqual(known());
    expect(asked()).toMatchObject([{ body }]);
    answers({});
    await expect(paddle.changeSubscription(subscription.id, action)).rejects.toThrow(
      `Paddle refused: ${action} subscription ${subscription.id}`,
    );
  });

  it("ends at once, and only once", async () => {
    answers({ [`GET ${path}`]: data(subscription), [`POST ${path}/cancel`]: data(subscription) });
    await paddle.endSubscription(subscription.id);
    expect(asked()).toMatchObject([{ method: "GET" }, { method: "POST", body: { effective_from: "immediately" } }]);
    others.calls.length = 0;
    answers({ [`GET ${path}`]: data({ ...subscription, status: "canceled" }) });
    await paddle.endSubscription(subscription.id);
    expect(asked()).toHaveLength(1);
    answers({ [`GET ${path}`]: data(subscription) });
    await expect(paddle.endSubscription(subscription.id)).rejects.toThrow(`Paddle refused: ending subscription ${subscription.id}`);
    answers({});
    await expect(paddle.endSubscription(subscription.id)).rejects.toThrow(`Paddle refused: subscription ${subscription.id}`);
  });

  const customer = `/customers/${subscription.customer_id}`;
  const buyer = data({ id: subscription.customer_id, email: "Lucia@ejemplo.mx", name: null, locale: "es", created_at: "", updated_at: "" });

  it("has a page for changing the card, its own or the customer's, for who has proven to read the customer's mails", async () => {
    const portal = `/customers/${subscription.customer_id}/portal-sessions`;
    const urls = (id: string) => ({
      id,
      cancel_subscription: "https://c",
      update_subscription_payment_method: `https://card.example/${id}`,
    });
    const session = (...subscriptions: readonly object[]) =>
      data({ id: "cpls_1", customer_id: "c", created_at: "", urls: { general: { overview: "https://overview.example/" }, subscriptions } });
    const known = { [`GET ${path}`]: data(subscription), [`GET ${customer}`]: buyer };
    answers({ ...known, [`POST ${portal}`]: session(urls("sub_other"), urls(subscription.id)) });
    expect(await paddle.cardPage(subscription.id, "lucia@ejemplo.mx")).toBe(`https://card.example/${subscription.id}`);
    expect(asked()[2]?.body).toEqual({ subscription_ids: [subscription.id] });
    answers({ ...known, [`POST ${portal}`]: session() });
    expect(await paddle.cardPage(subscription.id, "lucia@ejemplo.mx")).toBe("https://overview.example/");
    answers(known);
    await expect(paddle.cardPage(subscription.id, "lucia@ejemplo.mx")).rejects.toThrow(
      `Paddle refused: portal of subscription ${subscription.id}`,
    );
    answers({});
    await expect(paddle.cardPage(subscription.id, "lucia@ejemplo.mx")).rejects.toThrow(`Paddle refused: subscription ${subscription.id}`);
  });

  it("has only a checkout for another card, for everybody else: whoever types an address into Paddle's form buys as its customer", async () => {
    const change = `GET ${path}/update-payment-method-transaction`;
    const checkout = (url: string | null) => data({ ...paid, checkout: url === null ? null : { url } });
    for (const [proven, customers] of [
      [null, {}],
      ["mallory@ejemplo.mx", { [`GET ${customer}`]: buyer }],
      // A key without the right to read customers.
      ["lucia@ejemplo.mx", {}],
    ] as const) {
      answers({ [`GET ${path}`]: data(subscription), ...customers, [change]: checkout("https://pay.example/txn_1") });
      expect(await paddle.cardPage(subscription.id, proven)).toBe("https://pay.example/txn_1");
    }
    answers({ [`GET ${path}`]: data(subscription), [change]: checkout(null) });
    await expect(paddle.cardPage(subscription.id, null)).rejects.toThrow(
      `Paddle has no checkout for the card of subscription ${subscription.id}`,
    );
    answers({ [`GET ${path}`]: data(subscription) });
    await expect(paddle.cardPage(subscription.id, null)).rejects.toThrow(
      `Paddle refused: checkout for the card of subscription ${subscription.id}`,
    );
  });

  it("that cannot be asked whose it is has no page for the card", async () => {
    others.answer(({ path: asking }) => (asking === path ? data(subscription) : { status: 500, body: "<html>" }));
    await expect(paddle.cardPage(subscription.id, "lucia@ejemplo.mx")).rejects.toMatchObject({ kind: "unavailable" });
  });
});

describe("a refund", () => {
  const read = `GET /transactions/${paid.id}`;
  const refund = async (changes: object, part?: RefundPart) => {
    others.calls.length = 0;
    answers({ [read]: data({ ...paid, ...changes }), "POST /adjustments": data(adjusted) });
    await paddle.refund(paid.id, "twice", part);
    expect(asked()[0]?.query).toEqual({ include: "adjustment" });
    return asked()[1]?.body ?? null;
  };

  it("is of the whole payment, with the reason", async () => {
    const whole = { action: "refund", type: "full", transaction_id: paid.id, reason: "twice" };
    expect(await refund({ adjustments: undefined })).toEqual(whole);
    expect(await refund({ adjustments: [] })).toEqual(whole);
    expect(
      await refund({
        adjustments: [
          { ...adjusted, status: "rejected" },
          { ...adjusted, action: "credit" },
        ],
      }),
    ).toEqual(whole);
  });

  it("is made once, and not of a payment of nothing", async () => {
    expect(await refund({ adjustments: [{ ...adjusted, status: "pending_approval" }] })).toBeNull();
    expect(await refund({ adjustments: [{ ...adjusted, action: "credit" }, adjusted] })).toBeNull();
    expect(await refund({ details: null })).toBeNull();
    expect(await refund({ details: { ...paid.details, totals: null } })).toBeNull();
    expect(await refund({ details: { ...paid.details, totals: { ...paid.details?.totals, grand_total: "0" } } })).toBeNull();
  });

  it("after a partial one is of the rest, line by line", async () => {
    const line = (id: string, total: string) => ({ id, totals: { total } });
    const totals = { ...paid.details?.totals, grand_total: "74700" };
    const details = {
      ...paid.details,
      totals,
      line_items: [line("txnitm_1", "60000"), line("txnitm_2", "10000"), line("txnitm_3", "4700")],
    };
    const part = (item: string, total: string, more: object = {}) => ({
      ...adjusted,
      items: [{ id: "adjitm", item_id: item, type: "partial", amount: total, totals: { total } }],
      totals: { total },
      ...more,
    });
    const adjustments = [
      part("txnitm_1", "20000"),
      part("txnitm_1", "5000", { status: "pending_approval" }),
      part("txnitm_2", "10000"),
      part("txnitm_3", "700", { status: "rejected" }),
      part("txnitm_3", "700", { action: "credit" }),
      { ...adjusted, items: [{ id: "adjitm", item_id: "txnitm_1", type: "partial", amount: null, totals: null }], totals: null },
    ];
    expect(await refund({ details, adjustments })).toEqual({
      action: "refund",
      type: "partial",
      transaction_id: paid.id,
      reason: "twice",
      items: [
        { item_id: "txnitm_1", type: "partial", amount: "35000" },
        { item_id: "txnitm_3", type: "partial", amount: "4700" },
      ],
    });
    const rest = part("txnitm_1", "39700");
    expect(await refund({ details, adjustments: [...adjustments, rest] })).toBeNull();
    const lineless = { ...paid.details, totals, line_items: [{ id: "txnitm_1", totals: null }] };
    expect(await refund({ details: lineless, adjustments: [part("txnitm_1", "1")] })).toMatchObject({ items: [] });
  });

  it("is not of a payment that the buyer's bank has taken back", async () => {
    const back = (action: string, status = "approved") => ({ ...adjusted, action, status });
    const [taken, returned] = [back("chargeback"), back("chargeback_reverse")];
    expect(await refund({ adjustments: [taken] })).toBeNull();
    expect(await refund({ adjustments: [taken, taken, returned] })).toBeNull();
    for (const adjustments of [[taken, returned], [back("chargeback", "rejected")]])
      expect(await refund({ adjustments })).toMatchObject({ type: "full" });
  });

  describe("of a part", () => {
    const line = (id: string, total: string) => ({ id, totals: { total } });
    const details = {
      ...paid.details,
      totals: { ...paid.details?.totals, grand_total: "74700" },
      line_items: [line("txnitm_1", "60000"), line("txnitm_2", "10000"), line("txnitm_3", "4700")],
    };
    /** An earlier refund of 100, for a reason that Paddle stored. */
    const earlier = (reason: string, changes: object = {}) => ({
      ...adjusted,
      items: [{ id: "adjitm", item_id: "txnitm_1", type: "partial", amount: "100", totals: { total: "100" } }],
      totals: { total: "100" },
      reason,
      ...changes,
    });
    const item = (id: string, amount: string) => ({ item_id: id, type: "partial", amount });

    it.each([
      ["takes it from one line after another", { amount: 65_000, id: "7" }, [item("txnitm_1", "60000"), item("txnitm_2", "5000")]],
      ["may be all of it", { amount: 74_700, id: null }, [item("txnitm_1", "60000"), item("txnitm_2", "10000"), item("txnitm_3", "4700")]],
    ])("%s", async (_, part, items) => {
      expect(await refund({ details, adjustments: undefined }, part)).toEqual({
        action: "refund",
        type: "partial",
        transaction_id: paid.id,
        reason: part.id === null ? "twice" : `twice ${part.id}`,
        items,
      });
    });

    it.each<[string, RefundPart, readonly object[], boolean]>([
      ["with its id in a reason is made", { amount: 100, id: "7" }, [earlier("twice 6"), earlier("twice 7")], true],
      ["of another id is not, even if it is as much", { amount: 100, id: "7" }, [earlier("twice 6")], false],
      ["without an id is made if as much went back", { amount: 100, id: null }, [earlier("else")], true],
      ["without an id is not if something else went back", { amount: 101, id: null }, [earlier("twice")], false],
    ])("%s", async (_, part, adjustments, isMade) => {
      expect((await refund({ details, adjustments }, part)) === null).toBe(isMade);
    });

    it("whose request Paddle has rejected fails, and is not asked for again", async () => {
      const adjustments = [earlier("twice 7", { status: "rejected" })];
      await expect(refund({ details, adjustments }, { amount: 100, id: "7" })).rejects.toMatchObject({
        kind: "refused",
        message: `Paddle has rejected this refund of a part of transaction ${paid.id}`,
      });
      expect(asked()).toHaveLength(1);
    });

    it("is refused if it is more than what is left", async () => {
      const adjustments = [earlier("twice 6")];
      expect(await refund({ details, adjustments }, { amount: 74_600, id: "7" })).toMatchObject({ type: "partial" });
      await expect(refund({ details, adjustments }, { amount: 74_601, id: "7" })).rejects.toMatchObject({
        kind: "refused",
        message: `Only 74600 of transaction ${paid.id} is left to be given back`,
      });
      expect(asked()).toHaveLength(1);
    });
  });

  it("that Paddle refuses fails with its message", async () => {
    answers({ [read]: data(paid) });
    await expect(paddle.refund(paid.id, "x")).rejects.toThrow(`Paddle refused: refund of transaction ${paid.id}: bad no`);
    answers({});
    await expect(paddle.refund(paid.id, "x")).rejects.toThrow(`Paddle refused: transaction ${paid.id}: bad no`);
  });
});

it("all completed payments since a time are listed with their adjustments, tax and fee", async () => {
  const withFee = (id: string, fee: string | null) => ({
    ...paid,
    id,
    details: { ...paid.details, totals: { ...paid.details?.totals, fee } },
    adjustments: undefined,
  });
  const [first, second] = [withFee("txn_1", "2107"), withFee("txn_2", null)];
  const totals = { total: "500", tax: "69", fee: "12" };
  answers({ "GET /transactions": page([{ ...first, adjustments: [{ ...adjusted, totals }] }, second]) });
  const listed = await paddle.listMoney(now, ["pri_1"]);
  expect(asked().map(({ query }) => query)).toEqual([
    { "updated_at[GTE]": "2026-11-20T12:00:00.000Z", status: "completed", include: "adjustment", per_page: "100" },
  ]);
  expect(listed).toEqual([
    told("transaction.completed", first, paid.updated_at)[0],
    told("adjustment.updated", { ...adjustment, totals, type: "partial" }, adjustment.updated_at)[0],
    told("transaction.completed", second, paid.updated_at)[0],
  ]);
  expect(listed.map(({ fact }) => fact)).toMatchObject([{ fee: 2_107 }, { tax: 69, fee: 12 }, { id: "txn_2" }]);
  expect(listed[2]?.fact).not.toHaveProperty("fee");
  answers({});
  await expect(paddle.listMoney(now, [])).rejects.toThrow(`Paddle refused: money since ${now}: bad no`);
});

it("completed payments are listed page by page, each within the time limit of an answer", async () => {
  const limits = vi.fn(() => hangingWait);
  const there = createPaddleBilling({ apiKey: "key", environment: others.origin, webhookSecrets: secrets, timeoutMs: limits });
  const pages = 5;
  others.answer(({ query }) => {
    const number = Number(query["after"] ?? 0);
    const next = `${others.origin()}/transactions?after=${number + 1}`;
    const pagination = { per_page: 1, next, has_more: number + 1 < pages, estimated_total: pages };
    const body = { data: [{ ...paid, id: `txn_${number}`, adjustments: undefined }], meta: { request_id: "r", pagination } };
    return { status: 200, body: JSON.stringify(body) };
  });
  const listed = await there.listMoney(now, []);
  expect(listed.map(({ fact }) => fact.id)).toEqual(["txn_0", "txn_1", "txn_2", "txn_3", "txn_4"]);
  expect(limits).toHaveBeenCalledTimes(pages);
});

it("prices are listed with their plan and their trial", async () => {
  const [price] = engine.prices();
  const listed = (id: string, billing_cycle: object | null, trial_period: object | null = null) => ({
    ...price,
    id,
    billing_cycle,
    trial_period,
    unit_price: { amount: "123", currency_code: "CLP" },
  });
  const every = (interval: string, frequency: number) => ({ interval, frequency });
  answers({
    "GET /prices": page([
      listed("once", null),
      listed("weekly", every("week", 1), every("day", 3)),
      listed("quarterly", every("month", 3), every("week", 2)),
      listed("yearly", every("year", 1), every("month", 1)),
      listed("daily", every("day", 9), every("year", 2)),
    ]),
  });
  const found = await paddle.listedPrices(["once", "weekly"]);
  expect(asked()[0]?.query).toEqual({ id: "once,weekly", per_page: "200" });
  const money = { amount: 123, currency: "CLP" };
  expect([...found]).toEqual([
    ["once", { ...money, plan: null, trialDays: 0 }],
    ["weekly", { ...money, plan: "1W", trialDays: 3 }],
    ["quarterly", { ...money, plan: "3M", trialDays: 14 }],
    ["yearly", { ...money, plan: "12M", trialDays: 30 }],
    ["daily", { ...money, plan: "9D", trialDays: 730 }],
  ]);
});

describe("Paddle", () => {
  it("that does not answer in time fails", async () => {
    others.answer(() => null);
    patience = 1;
    await expect(paddle.readSubscription("sub_1")).rejects.toMatchObject({
      kind: "timeout",
      name: "ProviderFailure",
      message: "Paddle did not answer within 1 ms: subscription sub_1",
    });
  });

  it("that answers without JSON, or with a server error, is unavailable", async () => {
    others.answer(() => ({ status: 503, body: "<html>" }));
    await expect(paddle.listedPrices([])).rejects.toMatchObject({
      kind: "unavailable",
      message: expect.stringMatching(/^Paddle did not do it: prices: ./),
    });
    const { body } = refused;
    others.answer(() => ({ status: 500, body: body.replace("request_error", "api_error") }));
    await expect(paddle.findCheckout("order_1", now)).rejects.toMatchObject({
      kind: "unavailable",
      message: expect.stringMatching(/^Paddle did not do it: transactions since 1795/),
    });
  });

  it("that refuses says why", async () => {
    await expect(
      paddle.createCheckout({ id: "order_1", priceId: "p", quantity: 1, couponCode: null, returnUrl: null }),
    ).rejects.toMatchObject({
      kind: "refused",
      message: "Paddle refused: transaction for order order_1: bad no",
      cause: expect.any(Error),
    });
    await expect(
      paddle.createCheckout({ id: "order_1", priceId: "p", quantity: 1, couponCode: "X", returnUrl: null }),
    ).rejects.toMatchObject({ message: "Paddle refused: discount X: bad no" });
    await expect(paddle.readOrder({ id: "o", priceId: "p", transactionId: "txn_1", since: now })).rejects.toThrow(
      "transaction txn_1: bad no",
    );
    await expect(paddle.cancelCheckout("txn_1")).resolves.toBe(false);
  });

  it("is one of two environments or a URL", async () => {
    const elsewhere = (environment: string) => createPaddleBilling({ apiKey: "key", environment, webhookSecrets: [] });
    await expect(elsewhere("somewhere").readSubscription("sub_1")).rejects.toThrow(
      "Paddle's environment is neither sandbox, production nor an address: somewhere",
    );
    answers({ "GET /subscriptions/sub_1": data(subscription) });
    expect(await elsewhere(others.origin()).readSubscription("sub_1")).toHaveLength(1);
  });

  it.each([
    ["sandbox", "https://sandbox-api.paddle.com"],
    ["production", "https://api.paddle.com"],
  ])("of %s is called at its URL, and no timer remains after its answer", async (environment, address) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const fetched = vi.spyOn(globalThis, "fetch").mockImplementation(async () => new Response(data(subscription).body));
    const there = createPaddleBilling({ apiKey: "key", environment, webhookSecrets: [] });
    expect(await there.readSubscription("sub_1")).toHaveLength(1);
    expect(fetched.mock.calls.map(([url]) => url)).toEqual([`${address}/subscriptions/sub_1?`]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("can undo a cancellation at the end of the period, and refund in several parts", () => {
    expect([paddle.name, paddle.keepsCancelled, paddle.knowsParts]).toEqual(["paddlebilling", true, true]);
  });
});
