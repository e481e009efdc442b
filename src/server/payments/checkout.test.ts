/** Checks before an order: the return address, and the rate limits. */
import type { Settings } from "#server/base/settings.ts";
import { createTestApp, type TestApp, sampledDatabases } from "#test/app.ts";
import { fakeProvider } from "#test/fakeProvider.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadCatalogue } from "./catalogue.ts";
import { createPayments } from "./payments.ts";
import { ProviderFailure } from "./provider.ts";

describe.each(sampledDatabases)("opening a checkout on %s", (database) => {
  let t: TestApp;
  let provider: ReturnType<typeof fakeProvider>;
  beforeEach(async () => {
    provider = fakeProvider({ name: "paddlebilling", keepsCancelled: true });
    t = await open();
  });
  const open = async (settings: Partial<Settings> = {}) => {
    const log = { warn: () => undefined, error: () => undefined };
    const app = await createTestApp({
      database,
      // Otherwise this limit would apply before the one for coupons.
      settings: { limits: { "payment.network": { points: 100, seconds: 600 } }, ...settings },
      parts: ({ store, world }) => ({
        payments: createPayments({ store, world, providers: [provider], log, secretKeys: ["key"], onMail: () => undefined }),
      }),
    });
    await loadCatalogue(app.store, (id) => `price of ${id}`, app.world.now());
    return app;
  };
  afterEach(() => t.close());

  const newToken = async () => (await t.logIn(await t.signUp())).token;
  const link = { productId: "onetime-6m-mxn", returnPath: "/es-latam/", paymentProvider: "paddlebilling", language: "es-419" };

  it.each([
    ["their page's language and version", "/de/englisch-sprechen/76/12/", "es-419", "/de/englisch-sprechen/76/nach-dem-kauf/"],
    [
      "a page without a navbar where theirs had none",
      "/de/englisch-sprechen/76/12/?hf",
      "es-419",
      "/de/englisch-sprechen/76/nach-dem-kauf/?hf=",
    ],
    ["their language's version where theirs is none", "/de/englisch-sprechen/77/12/", "es-419", "/de/englisch-sprechen/83/nach-dem-kauf/"],
    ["their language's version where they had none", "/pt-br/", "es-419", "/pt-br/fale-ingles/78/depois-da-compra/"],
    ["the language they read where they were nowhere", "/nowhere/else/", "de-DE", "/de/englisch-sprechen/83/nach-dem-kauf/"],
  ])("leads the buyer back to %s", async (_, returnPath, language, path) => {
    const { url, id } = await t.call("payLink", { token: await newToken(), body: { ...link, returnPath, language } });
    const [order] = await t.store.read.selectFrom("orders").selectAll().execute();
    const returnUrl = `https://parlando.example${path}${path.includes("?") ? "&" : "?"}payer=${order?.account_uuid?.slice(0, 8)}`;
    expect([url, id]).toEqual([`https://pay.example/${order?.id}?${language}`, `txn ${order?.id}`]);
    expect(provider.hostedLink.mock.calls).toEqual([[order?.hosted_url, { language, returnUrl }]]);
    expect(provider.createCheckout.mock.calls).toMatchObject([[{ returnUrl }]]);
  });

  it("leads back to a page that names the back end of the account where the site has several: the device may know no session of it", async () => {
    await t.close();
    t = await open({ backends: ["https://parlando.example/api", "https://eu.parlando.example/api"] });
    await t.call("payLinkMail", { token: await newToken(), body: link });
    const back = new URL(provider.createCheckout.mock.calls[0]?.[0].returnUrl ?? "");
    expect([back.pathname, back.searchParams.get("backend-url")]).toEqual([
      "/es-latam/habla-ingles/76/despues-de-la-compra/",
      "https://parlando.example/api",
    ]);
  });

  it("is refused when the plan is not sold, the provider does not answer, or it has no hosted page", async () => {
    const token = await newToken();
    const codeOf = async (body: object) => (await t.refusal("payLink", { token, body: { ...link, ...body } })).code;
    expect(await codeOf({ productId: "nothing" })).toBe(1200);
    provider.createCheckout.mockRejectedValueOnce(new ProviderFailure("unavailable", "away"));
    expect(await codeOf({})).toBe(1202);
    provider.createCheckout.mockImplementationOnce(async ({ id }) => ({ transactionId: id, hostedUrl: null }));
    expect(await codeOf({})).toBe(1202);
  });

  it("with a code that no coupon ever had is allowed ten times per network in total; otherwise only the limit per account applies", async () => {
    const plans = ["subscription-1w-mxn", "subscription-1m-mxn", "subscription-3m-mxn", "onetime-6m-mxn", "subscription-12m-mxn"];
    const [office, elsewhere] = ["203.0.113.50", "203.0.113.51"];
    const couponCode = "AMIGOS20";
    const asking = [await newToken(), await newToken()];
    for (const token of asking)
      for (const pricingId of plans) await t.call("createTransaction", { token, body: { pricingId, couponCode }, from: office });
    const token = await newToken();
    const ask = { token, body: { pricingId: "onetime-3m-mxn", couponCode } };
    await t.call("createTransaction", { ...ask, from: office });
    // A blank code is none, and VUELVE30 is a coupon that does not apply to this plan: neither is a guess.
    for (const code of [" ", "VUELVE30"])
      for (let n = 0; n < 12; n++) await t.call("createTransaction", { token, body: { ...ask.body, couponCode: code }, from: office });
    for (let n = 0; n < 10; n++) await t.call("createTransaction", { token, body: { ...ask.body, couponCode: `GUESS${n}` }, from: office });
    const { code, retryAfter } = await t.refusal("createTransaction", { ...ask, from: office });
    expect([code, retryAfter]).toEqual([1429, expect.any(Number)]);
    await t.call("createTransaction", { token, body: { pricingId: "onetime-3m-mxn" }, from: office });
    await t.call("createTransaction", { ...ask, from: elsewhere });
  });
});

it("one network's accounts cannot use up what the provider answers: together they open checkouts up to a limit", async () => {
  const provider = fakeProvider({ name: "paddlebilling", keepsCancelled: true });
  const log = { warn: () => undefined, error: () => undefined };
  const t = await createTestApp({
    database: "sqlite",
    settings: { proxyHops: 1, limits: { "payment-open.network": { points: 4, seconds: 600 } } },
    parts: ({ store, world }) => ({
      payments: createPayments({ store, world, providers: [provider], log, secretKeys: ["key"], onMail: () => undefined }),
    }),
  });
  await loadCatalogue(t.store, (id) => `price of ${id}`, t.world.now());
  const tokens: string[] = [];
  for (let n = 0; n < 4; n++) tokens.push((await t.logIn(await t.signUp())).token);
  // Each account switches between two plans. The networks of one /48 belong to one customer.
  const ask = (n: number, nth: number, from: string) => ({
    token: tokens[n] ?? "",
    body: { pricingId: nth % 2 === 0 ? "onetime-6m-mxn" : "onetime-3m-mxn" },
    from,
  });
  for (const n of [0, 1]) for (const nth of [0, 1]) await t.call("createTransaction", ask(n, nth, `2001:db8:7:${n}${nth}::1`));
  expect(await t.refusal("createTransaction", ask(2, 0, "2001:db8:7:9::1"))).toMatchObject({ code: 1429 });
  expect(provider.createCheckout).toHaveBeenCalledTimes(4);
  // An open checkout costs the provider nothing, and other networks have their own limit.
  await t.call("createTransaction", ask(1, 1, "2001:db8:7:9::1"));
  await t.call("createTransaction", ask(3, 0, "203.0.113.60"));
  expect(provider.createCheckout).toHaveBeenCalledTimes(5);
  await t.close();
});
