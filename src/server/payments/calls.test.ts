import { createTestApp, databases, type TestApp } from "#test/app.ts";
import { hangingWait } from "#test/patience.ts";
import { standingOf } from "#core/entitlement.ts";
import { providerPatience } from "#test/payments.ts";
import { createPaddleStandin, type PaddleStandin, paddlePrefix } from "#standins/paddle/plugin.ts";
import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadCatalogue, standinCatalogue, standinPriceId } from "./catalogue.ts";
import { createPaddleBilling } from "./paddleBilling.ts";
import { createPayments } from "./payments.ts";
import type { PaymentService } from "./service.ts";

const webhookSecret = "pdl_ntfset_calls";

describe.each(databases)("the payment calls on %s", (database) => {
  let t: TestApp;
  let standin: PaddleStandin;
  let payments: PaymentService;
  let token: string;

  beforeEach(async () => {
    let origin = "";
    let made: { readonly standin: PaddleStandin; readonly payments: PaymentService } | null = null;
    t = await createTestApp({
      database,
      parts: ({ store, world }) => {
        made = {
          standin: createPaddleStandin({
            ...standinCatalogue,
            apiKey: "standin",
            webhookSecret,
            webhookUrl: () => `${origin}/api/webhooks/paddle-billing`,
            publicUrl: () => origin,
            returnPath: "/",
            dataFile: ":memory:",
            answerMs: hangingWait,
            now: world.now,
          }),
          payments: createPayments({
            store,
            world,
            providers: [
              createPaddleBilling({
                apiKey: "standin",
                environment: () => `${origin}${paddlePrefix}/api`,
                webhookSecrets: [webhookSecret],
                timeoutMs: () => providerPatience(standin),
              }),
            ],
            log: { warn: () => undefined, error: () => undefined },
            onMail: () => undefined,
          }),
        };
        return { payments: made.payments, extensions: [made.standin.plugin] };
      },
    });
    if (made === null) throw new Error("No parts were made");
    ({ standin, payments } = made);
    await loadCatalogue(t.store, standinPriceId);
    origin = await t.app.listen({ port: 0, host: "127.0.0.1" });
    token = (await t.logIn(await t.signUp({ firstname: "Lucía" }))).token;
  });
  afterEach(async () => {
    await standin.deliveries.settled();
    await payments.settled();
    await standin.close();
    await payments.stop();
    await t.close();
  });

  const chosen = (questionnaire = "76", country = "MX") =>
    t.call("courseFee", {
      token,
      body: { trafficId: null, attributes: { questionnaire, plan: null, reactivate: false, locale: "es-419", country } },
    });
  const open = (pricingId: string, more: object = {}) => t.call("createTransaction", { token, body: { pricingId, ...more } });
  const pay = async (transactionId: string, number: string) => {
    standin.billing.setBuyer(transactionId, { email: "lucia@ejemplo.mx", countryCode: "MX" });
    const { status } = standin.billing.pay(transactionId, { number, expiry: "12/40", cvc: "123", name: "Lucía" });
    await standin.deliveries.settled();
    await payments.settled();
    return status;
  };
  const status = (paymentId = "") => t.call("paymentStatus", { token, body: { paymentId, paymentProvider: "paddlebilling" } });

  it("lead from the offer over a declined card to the entitlement", async () => {
    const { value } = await chosen();
    const { products } = await t.call("products", { query: { productIds: value.join(","), customerCountry: "MX" } });
    expect(products.map(({ productId, price, trialDays }) => [productId, price, trialDays])).toEqual([
      ["subscription-1m-mxn", 34_900, 0],
      ["subscription-3m-mxn", 74_700, 7],
      ["subscription-12m-mxn", 190_800, 0],
    ]);
    expect(await t.call("entitlement", { token })).toEqual({ entitlements: [] });
    const { transactionId } = await open("subscription-3m-mxn");
    expect(await pay(transactionId, "4000 0000 0000 0002")).toBe("declined");
    expect(await status()).toEqual({ status: "pending", purchase: null });
    expect(await pay(transactionId, "4242 4242 4242 4242")).toBe("completed");
    expect(await status(transactionId)).toMatchObject({
      status: "completed",
      purchase: { productId: "subscription-3m-mxn", currency: "MXN", price: 74_700, trialDays: 7 },
    });
    const { entitlements } = await t.call("entitlement", { token });
    expect(entitlements).toMatchObject([{ status: "active" }]);
    expect(entitlements[0]?.end).toMatch(/^2026-11-27T12:/);
  });

  it("make login and a renewed token tell that an entitlement exists", async () => {
    const person = await t.signUp();
    const before = await t.logIn(person);
    expect(before.features.questionnaire.entitlementExists).toBe(false);
    ({ token } = before);
    await pay((await open("subscription-3m-mxn")).transactionId, "4242 4242 4242 4242");
    const { features, refreshToken } = await t.logIn(person);
    expect(features.questionnaire).toEqual({ version: "76", completed: false, entitlementExists: true });
    expect((await t.call("refresh", { body: { refreshToken } })).features).toEqual(features);
  });

  it("tell of an entitlement without an end by one that contains 0001, which opens nothing (spec 001 §3)", async () => {
    const { transactionId } = await open("subscription-3m-mxn");
    await pay(transactionId, "4242 4242 4242 4242");
    await t.store.write((queries) => queries.updateTable("entitlements").set({ ends_at: null }).execute());
    const { entitlements } = await t.call("entitlement", { token });
    expect(entitlements).toEqual([{ status: "active", end: expect.stringMatching(/0001/) }]);
    expect(standingOf(entitlements[0], t.world.now())).toBe("none");
  });

  it("show a coupon's prices, and to whoever tries many codes that are none those without", async () => {
    const priceWith = async (couponCode: string, from: string) => {
      const query = { productIds: "onetime-6m-mxn", customerCountry: "MX", couponCode };
      return (await t.call("products", { query, from })).products[0]?.price;
    };
    const [guesser, other] = ["203.0.113.50", "203.0.113.51"];
    const plain = await priceWith("NOTHING", other);
    const lower = await priceWith("PARLANDO50", other);
    expect(lower).toBeLessThan(plain ?? 0);
    // A good one is no try, however often it is asked for.
    for (let n = 0; n < 12; n++) expect(await priceWith("PARLANDO50", guesser)).toBe(lower);
    for (let n = 0; n < 11; n++) expect(await priceWith(`GUESS${n}`, guesser)).toBe(plain);
    expect(await priceWith("PARLANDO50", guesser)).toBe(plain);
    expect(await priceWith("PARLANDO50", other)).toBe(lower);
  });

  it("give the same order's hosted page as pay link", async () => {
    const { transactionId } = await open("onetime-6m-mxn", { couponCode: "PARLANDO50" });
    const link = await t.call("payLink", {
      token,
      body: {
        productId: "onetime-6m-mxn",
        couponCode: "PARLANDO50",
        returnPath: "/es-latam/",
        paymentProvider: "paddlebilling",
        language: "es-419",
        plan: "6M",
      },
    });
    expect(link.id).toBe(transactionId);
    expect((await fetch(link.url)).status).toBe(200);
  });

  it.each([
    ["de-DE", "MX", "EUR"],
    ["pt-BR", "MX", "BRL"],
    ["es-419", "MX", "MXN"],
    // A country that is asked for counts, and who says nothing of the page is answered as asked.
    ["de-DE", "CO", "COP"],
    [undefined, "MX", "MXN"],
  ] as const)(
    "show who reads in %s and comes from %s, for all that is known, prices in %s (decision 060)",
    async (locale, customerCountry, currency) => {
      const query = { productIds: "subscription-3m-mxn", customerCountry, ...(locale === undefined ? {} : { locale }) };
      expect((await t.call("products", { query })).products).toMatchObject([{ currency }]);
    },
  );

  it("answer 1200 for what is not sold and 1202 when the provider does not answer", async () => {
    expect((await t.refusal("createTransaction", { token, body: { pricingId: "subscription-2y-mxn" } })).code).toBe(1200);
    expect((await t.refusal("products", { query: { productIds: "subscription-2y-mxn", customerCountry: "MX" } })).code).toBe(1200);
    standin.setMode("broken");
    expect((await t.refusal("createTransaction", { token, body: { pricingId: "subscription-3m-mxn" } })).code).toBe(1202);
    standin.setMode("slow");
    expect((await t.refusal("createTransaction", { token, body: { pricingId: "subscription-3m-mxn" } })).code).toBe(1202);
  });

  it("let an account open five checkouts in ten minutes and tell when the next may be", async () => {
    const plans = ["subscription-1w-mxn", "subscription-1m-mxn", "subscription-3m-mxn", "subscription-6m-mxn", "subscription-12m-mxn"];
    for (const plan of plans) await open(plan);
    await open("subscription-12m-mxn");
    const { code, retryAfter } = await t.refusal("createTransaction", { token, body: { pricingId: "onetime-3m-mxn" } });
    expect(code).toBe(1429);
    expect(retryAfter).toBeGreaterThan(0);
  });

  it("refuse whoever is not logged in", async () => {
    for (const [endpoint, body] of [
      ["createTransaction", { pricingId: "subscription-3m-mxn" }],
      ["paymentStatus", { paymentId: "", paymentProvider: "paddlebilling" }],
      ["entitlement", undefined],
    ] as const)
      expect((await t.refusal(endpoint, { body })).code).toBe(1002);
  });

  it("take a webhook only with its signature, whatever its content type", async () => {
    const payload = JSON.stringify({
      event_id: "evt_1",
      event_type: "customer.created",
      occurred_at: "2026-11-20T12:00:00Z",
      data: { id: "ctm_1" },
    });
    const stamp = t.world.now() / 1_000;
    const hash = createHmac("sha256", webhookSecret).update(`${stamp}:${payload}`).digest("hex");
    const post = (headers: Readonly<Record<string, string>>, body = payload) =>
      t.app.inject({ method: "POST", url: "/api/webhooks/paddle-billing", payload: body, headers });
    const good = { "content-type": "application/json", "paddle-signature": `ts=${stamp};h1=${hash}` };
    expect((await post(good)).statusCode).toBe(200);
    expect((await post({ ...good, "content-type": "text/plain" })).statusCode).toBe(200);
    expect((await post(good, `${payload}\n`)).json()).toMatchObject({ code: 1401 });
    expect((await post({ "content-type": "application/json" })).statusCode).toBe(401);
    expect((await post(good, "")).statusCode).toBe(401);
    expect(await t.store.read.selectFrom("provider_events").select("event_id").execute()).toEqual([{ event_id: "evt_1" }]);
  });
});
