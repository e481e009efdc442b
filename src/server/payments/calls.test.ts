import { createTestApp, type Person, type TestApp, testSettings, sampledDatabases } from "#test/app.ts";
import { hangingWait } from "#test/patience.ts";
import { watchStatements } from "#test/statements.ts";
import { planStatusOf } from "#core/entitlement.ts";
import { dayIn } from "#core/questionnaire/calendar.ts";
import { termsOf } from "#core/terms.ts";
import { providerPatience } from "#test/payments.ts";
import { createPaddleStandin, type PaddleStandin, paddlePrefix } from "#standins/paddle/plugin.ts";
import { sql } from "kysely";
import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadCatalogue, standinCatalogue, standinPriceId } from "./catalogue.ts";
import { acceptMismatch, listMismatches, settleMismatch } from "./mismatches.ts";
import { createPaddleBilling } from "./paddleBilling.ts";
import { createPayments } from "./payments.ts";
import type { PaymentService } from "./service.ts";

const webhookSecret = "pdl_ntfset_calls";
const dayMs = 86_400_000;
const metricsToken = "metrics-token-of-the-operator";
/** The provider's deviations from the catalogue, such as a mistake in its dashboard. */
const changedPrices: Readonly<Record<string, object>> = {
  pri_onetime_12m_mxn: { amount: 1 },
  pri_onetime_6m_ars: { amount: 1 },
  pri_onetime_6m_brl: { amount: 2_000 },
  pri_onetime_3m_mxn: { currency: "CLP" },
  pri_subscription_12m_mxn: { trialDays: 30 },
  pri_subscription_1w_mxn: { amount: 20_000 },
};

describe.each(sampledDatabases)("the payment calls on %s", (database) => {
  let t: TestApp;
  let standin: PaddleStandin;
  let payments: PaymentService;
  let token: string;
  let person: Person;

  let origin: string;
  /** The payments of one process. */
  const paymentsOf = ({ store, world, secretKeys }: Pick<TestApp, "store" | "world"> & { readonly secretKeys: readonly string[] }) =>
    createPayments({
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
      secretKeys,
      log: { warn: () => undefined, error: () => undefined },
      onMail: () => undefined,
    });

  beforeEach(async () => {
    origin = "";
    let made: { readonly standin: PaddleStandin; readonly payments: PaymentService } | null = null;
    t = await createTestApp({
      database,
      settings: { countryHeader: "cf-ipcountry", metricsToken },
      parts: ({ store, world, settings }) => {
        made = {
          standin: createPaddleStandin({
            ...standinCatalogue,
            prices: standinCatalogue.prices.map((price) => ({ ...price, ...changedPrices[price.id] })),
            apiKey: "standin",
            webhookSecret,
            webhookUrl: () => `${origin}/api/webhooks/paddle-billing`,
            publicUrl: () => origin,
            returnPath: "/",
            dataFile: ":memory:",
            answerMs: hangingWait,
            now: world.now,
          }),
          payments: paymentsOf({ store, world, secretKeys: settings.secretKeys }),
        };
        return { payments: made.payments, extensions: [made.standin.plugin] };
      },
    });
    if (made === null) throw new Error("No parts were made");
    ({ standin, payments } = made);
    await loadCatalogue(t.store, standinPriceId, t.world.now());
    origin = await t.app.listen({ port: 0, host: "127.0.0.1" });
    person = await t.signUp({ firstname: "Lucía" });
    token = (await t.logIn(person)).token;
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
  /** Changes a price, as a deployment with another catalogue does. */
  const sellFor = (productId: string, price: number) =>
    t.store.write((queries) => queries.updateTable("products").set({ price }).where("product_id", "=", productId).execute());
  /** The provider reports once more, in another webhook, that it was paid. */
  async function tellAgain(transactionId: string, to = payments) {
    const told = await t.store.read
      .selectFrom("provider_events")
      .select("payload")
      .where("event_type", "=", "transaction.completed")
      .execute();
    const payload = told.map((row) => row.payload).find((text) => text.includes(`"id":"${transactionId}"`)) ?? "";
    const again = Buffer.from(payload.replace(/"event_id":"[^"]+"/, `"event_id":"evt_${t.world.uuid()}"`));
    const stamp = t.world.now() / 1_000;
    const hash = createHmac("sha256", webhookSecret).update(`${stamp}:${again.toString()}`).digest("hex");
    expect(await to.receive("paddlebilling", again, { "paddle-signature": `ts=${stamp};h1=${hash}` })).toBe(true);
    await to.settled();
  }
  const verdicts = async () =>
    (await t.store.read.selectFrom("payment_verdicts").select(["transaction_id", "agreed"]).orderBy("transaction_id").execute()).map(
      ({ transaction_id: id, agreed }) => [id, agreed],
    );
  const status = (paymentId = "") => t.call("paymentStatus", { token, body: { paymentId, paymentProvider: "paddlebilling" } });

  it("lead from the offer to the entitlement, with a declined card on the way", async () => {
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

  it.each([
    ["next to nothing", "onetime-12m-mxn", "1 MXN"],
    ["0.01 pesos of Argentina", "onetime-6m-ars", "1 ARS"],
    ["another currency", "onetime-3m-mxn", "89900 CLP"],
    ["nothing", "subscription-12m-mxn", "0 MXN"],
    ["too little", "onetime-6m-brl", "2000 BRL"],
    ["more", "subscription-1w-mxn", "20000 MXN"],
  ])(
    "entitle nobody who paid %s for a product with a price, whatever it costs later; an operator's decision counts",
    async (_, pricingId, paid) => {
      const { transactionId } = await open(pricingId);
      expect(await pay(transactionId, "4242 4242 4242 4242")).toBe("completed");
      expect(await status(transactionId)).toEqual({ status: "failed", purchase: null });
      expect(await t.call("entitlement", { token })).toEqual({ entitlements: [] });
      const counted = async () =>
        /^parlando_payment_mismatches (\d+)$/m.exec(
          (await t.app.inject({ url: "/metrics", headers: { authorization: `Bearer ${metricsToken}` } })).body,
        )?.[1];
      expect(await counted()).toBe("1");
      const [kept] = await listMismatches(t.store);
      expect(kept).toMatchObject({ transaction_id: transactionId, product_id: pricingId, email: "person1@example.com" });
      expect(`${kept?.total} ${kept?.currency}`).toBe(paid);
      // The price changes, and the provider reports the payment once more.
      await sellFor(pricingId, Number(paid.split(" ")[0]));
      await tellAgain(transactionId);
      await payments.reconcile();
      expect([(await t.call("entitlement", { token })).entitlements.length, await counted()]).toEqual([0, "1"]);
      expect([await settleMismatch(t.store, t.world.now(), transactionId), await counted()]).toEqual([true, "0"]);
      expect(await settleMismatch(t.store, t.world.now(), transactionId)).toBe(false);
      await tellAgain(transactionId);
      expect([(await t.call("entitlement", { token })).entitlements.length, await counted()]).toEqual([0, "0"]);
      expect([await acceptMismatch(t.store, t.world.now(), transactionId), await counted()]).toEqual([true, "1"]);
      await payments.reconcile();
      expect([(await t.call("entitlement", { token })).entitlements, await counted()]).toMatchObject([[{ status: "active" }], "0"]);
      expect(await status(transactionId)).toMatchObject({ status: "completed" });
      expect(await t.store.read.selectFrom("mail_outbox").select("template").where("template", "=", "receipt").execute()).toHaveLength(1);
      expect(await acceptMismatch(t.store, t.world.now(), "another")).toBe(false);
    },
  );

  it("leave no order where a limit refuses another checkout, so that nobody fills the table of open orders", async () => {
    const orders = async () => (await t.store.read.selectFrom("orders").select("product_id").execute()).map((row) => row.product_id);
    const bought = await t.store.read.selectFrom("products").select("product_id").where("payment_provider", "=", "paddlebilling").execute();
    const ids = bought.map((row) => row.product_id).filter((id) => id.startsWith("onetime-"));
    const opened = ids.slice(0, 12);
    for (const id of opened) await open(id);
    for (const pricingId of ids.slice(12, 20))
      expect(await t.refusal("createTransaction", { token, body: { pricingId } })).toMatchObject({ code: 1429 });
    expect((await orders()).toSorted()).toEqual(opened.toSorted());
  });

  it.runIf(database === "sqlite")("are asked about by an index alone, however many orders are open", async () => {
    const watched = watchStatements();
    const own = await createTestApp({ database });
    const others = paymentsOf({ store: own.store, world: own.world, secretKeys: testSettings().secretKeys });
    await others.reconcile();
    const text = watched.seen.map((one) => one.sql).find((one) => /hosted_url. is not null/i.test(one)) ?? "";
    const plan = await sql<{ detail: string }>`${sql.raw(`EXPLAIN QUERY PLAN ${text}`)}`.execute(own.store.read);
    expect(plan.rows.map(({ detail }) => detail)).toContainEqual(expect.stringContaining("USING COVERING INDEX orders_waiting"));
    await others.stop();
    await own.close();
  });

  it("store a refusal of advertising with a purchase whose browser sends Global Privacy Control, even after earlier consent", async () => {
    const records = () => t.store.read.selectFrom("consent_records").select(["marketing", "source"]).orderBy("received_at").execute();
    const choice = (headers: Readonly<Record<string, string>>) => ({
      token,
      headers,
      body: {
        id: t.world.uuid(),
        at: new Date(t.world.now()).toISOString(),
        textVersion: "2026-11-20",
        categories: { functional: true, analytics: true, marketing: true },
        source: "banner",
      },
    });
    await t.call("consent", choice({ "sec-gpc": "1" }));
    t.world.pass(1);
    await t.call("consent", choice({}));
    t.world.pass(1);
    const body = { pricingId: "subscription-1m-mxn" };
    await t.call("createTransaction", { token, body });
    expect(await records()).toEqual([
      { marketing: 0, source: "gpc" },
      { marketing: 1, source: "banner" },
    ]);
    await t.call("createTransaction", { token, body, headers: { "sec-gpc": "1" } });
    await t.call("createTransaction", { token, body, headers: { "sec-gpc": "1" } });
    expect((await records()).slice(2)).toEqual([{ marketing: 0, source: "gpc" }]);
  });

  it("keep a buyer entitled who paid the price of that day, first and at renewals, whatever it costs later and however the payment is reported", async () => {
    // Opened at our price. By the time of the payment, provider and catalogue have another.
    const { transactionId } = await open("subscription-1w-mxn");
    await sellFor("subscription-1w-mxn", 20_000);
    await pay(transactionId, "4242 4242 4242 4242");
    await sellFor("subscription-1w-mxn", 21_000);
    await tellAgain(transactionId);
    const { entitlements } = await t.call("entitlement", { token });
    expect(entitlements).toMatchObject([{ status: "active" }]);
    // A renewal, too, is judged by the price of its day.
    await sellFor("subscription-1w-mxn", 20_000);
    const subscriptionId = standin.billing.getTransaction(transactionId).subscription_id ?? "";
    t.world.pass(7 * dayMs);
    standin.billing.renew(subscriptionId);
    await standin.deliveries.settled();
    await payments.settled();
    await sellFor("subscription-1w-mxn", 21_000);
    const entitled = () => t.store.read.selectFrom("entitlements").select(["status", "ends_at"]).execute();
    const renewed = await entitled();
    expect(renewed).toEqual([{ status: "active", ends_at: Date.parse(entitlements[0]?.end ?? "") + 7 * dayMs }]);
    const [renewal] = standin.billing.transactions().filter(({ origin }) => origin === "subscription_recurring");
    await tellAgain(transactionId);
    await tellAgain(renewal?.id ?? "");
    t.world.pass(8 * dayMs);
    await payments.reconcile();
    expect(await entitled()).toEqual(renewed);
    expect(await t.store.read.selectFrom("orders").select("status").execute()).toEqual([{ status: "completed" }]);
    expect(await t.store.read.selectFrom("payment_mismatches").selectAll().execute()).toEqual([]);
    expect(await verdicts()).toEqual(
      [
        [transactionId, 1],
        [renewal?.id, 1],
      ].toSorted(),
    );
  });

  it.each([
    ["the price that was ordered", 160_000, "AMIGOS20", 119_920],
    ["the price that was ordered, for some plans", 140_000, "VUELVE30", 104_930],
  ])(
    "entitle a buyer who types a coupon into the provider's form, off %s, even after the price has changed",
    async (_, now, code, paid) => {
      const { transactionId } = await open("onetime-6m-mxn");
      await sellFor("onetime-6m-mxn", now);
      standin.billing.typeDiscount(transactionId, code);
      await pay(transactionId, "4242 4242 4242 4242");
      expect(standin.billing.getTransaction(transactionId).details?.totals?.grand_total).toBe(String(paid));
      expect((await t.call("entitlement", { token })).entitlements).toMatchObject([{ status: "active" }]);
    },
  );

  it("entitle nobody for a coupon on an amount other than the order's or the product's", async () => {
    // The provider charges 200 pesos by mistake, less 20 %.
    const { transactionId } = await open("subscription-1w-mxn");
    standin.billing.typeDiscount(transactionId, "AMIGOS20");
    await pay(transactionId, "4242 4242 4242 4242");
    expect(await status(transactionId)).toEqual({ status: "failed", purchase: null });
  });

  it("offer a returning customer their earlier plan beside six months and one, and sell the month at a month's price", async () => {
    const { transactionId } = await open("subscription-1m-mxn", { couponCode: "AMIGOS20" });
    await pay(transactionId, "4242 4242 4242 4242");
    const lastDay = dayIn(t.world.now() + 30 * dayMs, "UTC");
    expect((await t.call("subscription", { token })).subscription?.moneyBackUntil).toBe(lastDay);
    standin.billing.adjust(transactionId, "refund", "full");
    await standin.deliveries.settled();
    await payments.settled();
    // Refunded today, so it ended today.
    expect((await t.call("subscription", { token })).subscription).toMatchObject({
      status: "deleted",
      productPlan: "1M",
      moneyBackUntil: null,
      end: expect.stringContaining(new Date(t.world.now()).toISOString().slice(0, 16)),
    });
    const attributes = { questionnaire: "76", plan: null, reactivate: true, locale: "es-419", country: "MX" };
    const { value } = await t.call("courseFee", { token, body: { trafficId: null, attributes } });
    // A refunded payment does not count, so there is no free month for it.
    expect(value).toEqual(["subscription-1m-mxn", "subscription-6m-mxn-notrial"]);
    const again = await open("subscription-1m-mxn");
    expect(standin.billing.getTransaction(again.transactionId).details?.totals?.grand_total).toBe("34900");
    await pay(again.transactionId, "4242 4242 4242 4242");
    expect((await t.call("subscription", { token })).subscription).toMatchObject({ status: "active", productPlan: "1M", price: 34_900 });
  });

  it("confirm to an owner who erases the account that the plan ends, in a mail that outlives the account; without a plan there is no mail", async () => {
    const person = await t.signUp({ firstname: "Lucía" });
    ({ token } = await t.logIn(person));
    const { transactionId } = await open("subscription-1m-mxn");
    await pay(transactionId, "4242 4242 4242 4242");
    const other = await t.signUp();
    const mails = () => t.store.read.selectFrom("mail_outbox").select(["recipient", "template", "account_uuid", "data"]).execute();
    for (const { email, password } of [person, other]) {
      ({ token } = await t.logIn({ ...person, email, password }));
      await t.call("accountErase", { token, body: { password } });
    }
    await t.erased();
    expect((await mails()).filter(({ recipient }) => [person.email, other.email].includes(recipient))).toEqual([
      { recipient: person.email, template: "erased", account_uuid: null, data: JSON.stringify({ firstname: "Lucía" }) },
    ]);
    await payments.reconcile();
    await standin.deliveries.settled();
    await payments.settled();
    expect(standin.billing.subscriptions().map(({ status: word }) => word)).toEqual(["canceled"]);
    expect((await mails()).filter(({ template }) => template === "cancelled")).toEqual([]);
  });

  it("take no money for an erased account: an open checkout ends, and a payment made meanwhile is refunded", async () => {
    const openedAndErased = async () => {
      const person = await t.signUp();
      ({ token } = await t.logIn(person));
      const { transactionId } = await open("onetime-6m-mxn");
      standin.billing.setBuyer(transactionId, { email: person.email, countryCode: "MX" });
      // The webhooks of what happened until now would have the checkout's end carried out before its payment.
      await standin.deliveries.settled();
      await payments.settled();
      await t.call("accountErase", { token, body: { password: person.password } });
      await t.erased();
      return transactionId;
    };
    const unpaid = await openedAndErased();
    await payments.reconcile();
    expect(standin.billing.getTransaction(unpaid).status).toBe("canceled");
    const paidMeanwhile = await openedAndErased();
    expect(await pay(paidMeanwhile, "4242 4242 4242 4242")).toBe("completed");
    await payments.reconcile();
    const done = t.store.read.selectFrom("payment_duties").select(["kind", "subject"]).where("done_at", "is not", null);
    expect(await done.where("kind", "=", "refund").execute()).toEqual([{ kind: "refund", subject: paidMeanwhile }]);
    expect(await t.store.read.selectFrom("entitlements").selectAll().execute()).toEqual([]);
  });

  it("keep the verdicts on an erased buyer's payments unchanged, without the buyer", async () => {
    const person = await t.signUp();
    ({ token } = await t.logIn(person));
    const { transactionId } = await open("onetime-6m-mxn");
    await pay(transactionId, "4242 4242 4242 4242");
    await t.call("accountErase", { token, body: { password: person.password } });
    await t.erased();
    await sellFor("onetime-6m-mxn", 1);
    const kept = await t.store.read.selectFrom("payment_verdicts").selectAll().execute();
    expect(kept).toMatchObject([{ transaction_id: transactionId, agreed: 1 }]);
    expect(JSON.stringify(kept)).not.toMatch(new RegExp(`${person.uuid}|${person.email}`));
    standin.billing.adjust(transactionId, "refund", "partial");
    await standin.deliveries.settled();
    await payments.settled();
    expect(await t.store.read.selectFrom("payment_verdicts").selectAll().execute()).toEqual(kept);
    expect(await t.store.read.selectFrom("orders").select(["status", "account_uuid"]).execute()).toEqual([
      { status: "completed", account_uuid: null },
    ]);
  });

  it("entitle nobody whose payment was wholly refunded, in parts or in one refund that is called partial", async () => {
    const entitled = async () => (await t.call("entitlement", { token })).entitlements.map(({ status }) => status);
    const giveBack = async (transactionId: string, part: number) => {
      standin.billing.adjust(transactionId, "refund", "partial", part);
      await standin.deliveries.settled();
      await payments.settled();
    };
    for (const [parts, statuses] of [
      [
        [60_000, 89_900],
        ["active", "deleted"],
      ],
      [[149_900], ["deleted"]],
    ] as const) {
      ({ token } = await t.logIn(await t.signUp()));
      const { transactionId } = await open("onetime-6m-mxn");
      await pay(transactionId, "4242 4242 4242 4242");
      for (const [n, part] of parts.entries()) {
        await giveBack(transactionId, part);
        expect(await entitled()).toEqual([statuses[n]]);
      }
    }
  });

  it("sell and offer in the visitor's country, whatever they ask for", async () => {
    const fromGermany = { headers: { "cf-ipcountry": "DE" } };
    const query = { productIds: "subscription-1m-ars", customerCountry: "AR", locale: "es-419" };
    expect((await t.call("products", { query, ...fromGermany })).products).toMatchObject([{ currency: "EUR" }]);
    const ars = { pricingId: "subscription-1m-ars" };
    expect((await t.refusal("createTransaction", { token, body: ars, ...fromGermany })).code).toBe(1200);
    const link = { productId: "subscription-1m-ars", returnPath: "/de/", paymentProvider: "paddlebilling", language: "de-DE", plan: "1M" };
    expect((await t.refusal("payLink", { token, body: link, ...fromGermany })).code).toBe(1200);
    expect((await t.refusal("payLinkMail", { token, body: link, ...fromGermany })).code).toBe(1200);
    expect(await t.store.read.selectFrom("orders").select("id").execute()).toEqual([]);
    await t.call("createTransaction", { token, body: ars, headers: { "cf-ipcountry": "AR" } });
  });

  it("sell in production no more than is offered to somebody whose country is unknown: the prices of the pages' languages", async () => {
    const live = await createTestApp({
      database,
      store: t.store,
      settings: { countryHeader: "cf-ipcountry", production: true },
      parts: { payments },
    });
    try {
      const query = { productIds: "subscription-1m-mxn", customerCountry: "AR" };
      for (const [locale, currency] of [
        ["es-419", "MXN"],
        ["de-DE", "EUR"],
        ["pt-BR", "BRL"],
      ]) {
        const { products } = await live.call("products", { query: { ...query, locale: locale ?? "" } });
        expect(products).toMatchObject([{ currency }]);
        await live.call("createTransaction", { token, body: { pricingId: products[0]?.productId } });
      }
      expect((await live.call("products", { query })).products).toMatchObject([{ currency: "MXN" }]);
      for (const headers of [{}, { "cf-ipcountry": "XX" }]) {
        const { refusal } = live;
        expect((await refusal("createTransaction", { token, body: { pricingId: "subscription-1m-ars" }, headers })).code).toBe(1200);
        const link = {
          productId: "subscription-1m-ars",
          returnPath: "/de/",
          paymentProvider: "paddlebilling",
          language: "de-DE",
          plan: "1M",
        };
        for (const key of ["payLink", "payLinkMail"] as const) expect((await refusal(key, { token, body: link, headers })).code).toBe(1200);
      }
      await live.call("createTransaction", { token, body: { pricingId: "subscription-1m-ars" }, headers: { "cf-ipcountry": "AR" } });
    } finally {
      await live.app.close();
    }
  });

  describe("a free trial", () => {
    const trial = "subscription-3m-mxn";
    const offered = async () => {
      const attributes = { questionnaire: "69", locale: "es-419", country: "MX" };
      const { value } = await t.call("courseFee", { token, body: { attributes } });
      const { products } = await t.call("products", { query: { productIds: value.join(","), customerCountry: "MX" } });
      return products.map(({ productId, trialDays, price, trialUsed }) => [productId, trialDays, price, trialUsed ?? false]);
    };
    const comeAs = async (email: string) => {
      const person = await t.signUp({ email });
      ({ token } = await t.logIn(person));
      return person;
    };
    const leave = (password: string) => t.call("accountErase", { token, body: { password } });

    it("is given to a person once, even after erasing the account and with another spelling of the address", async () => {
      const first = await comeAs("lucia.ramos@gmail.com");
      expect(await offered()).toEqual([[trial, 7, 74_700, false]]);
      await pay((await open(trial)).transactionId, "4242 4242 4242 4242");
      await leave(first.password);
      await payments.settled();
      expect(JSON.stringify(await t.store.read.selectFrom("trials_used").selectAll().execute())).not.toMatch(/lucia|gmail/i);
      await comeAs("Lucia.R.amos+2@googlemail.com");
      expect(await offered()).toEqual([["subscription-3m-mxn-notrial", 0, 74_700, true]]);
      expect((await t.refusal("createTransaction", { token, body: { pricingId: trial } })).code).toBe(1200);
      const { transactionId } = await open("subscription-3m-mxn-notrial");
      expect(standin.billing.getTransaction(transactionId).details?.totals?.grand_total).toBe("74700");
      await pay(transactionId, "4242 4242 4242 4242");
      expect((await t.call("entitlement", { token })).entitlements).toMatchObject([
        { status: "active", end: expect.stringMatching(/^2027-02-20T/) },
      ]);
      await comeAs("another.person@gmail.com");
      expect(await offered()).toEqual([[trial, 7, 74_700, false]]);
    });

    it("is not given twice for coming back: somebody who never had a plan is offered the usual plans, and somebody who never paid the plan without its free month", async () => {
      const back = async () => {
        const attributes = { questionnaire: "69", reactivate: true, locale: "es-419", country: "MX" };
        return (await t.call("courseFee", { token, body: { attributes } })).value;
      };
      const refused = async (pricingId: string) => (await t.refusal("createTransaction", { token, body: { pricingId } })).code;
      const ended = async () => {
        await t.store.write((queries) => queries.updateTable("entitlements").set({ status: "deleted", ends_at: 1 }).execute());
        t.world.pass(1);
      };
      await comeAs("once@example.mx");
      expect([await back(), await refused("subscription-6m-mxn")]).toEqual([[trial], 1200]);
      await pay((await open(trial)).transactionId, "4242 4242 4242 4242");
      await ended();
      expect(await back()).toEqual(["subscription-3m-mxn-notrial", "subscription-6m-mxn-notrial"]);
      expect([await refused("subscription-6m-mxn"), await refused(trial)]).toEqual([1200, 1200]);
      await pay((await open("subscription-1m-mxn")).transactionId, "4242 4242 4242 4242");
      await ended();
      expect(await back()).toEqual(["subscription-1m-mxn", "subscription-6m-mxn"]);
      const month = await open("subscription-6m-mxn");
      expect(standin.billing.getTransaction(month.transactionId).details?.totals?.grand_total).toBe("0");
    });

    it("that one person began with two accounts at once is ended once, and nothing was paid", async () => {
      await comeAs("two@outlook.com");
      const one = { token, id: (await open(trial)).transactionId };
      await comeAs("two+more@outlook.com");
      const { transactionId } = await open(trial);
      await pay(one.id, "4242 4242 4242 4242");
      await pay(transactionId, "4242 4242 4242 4242");
      expect((await t.call("entitlement", { token: one.token })).entitlements).toMatchObject([{ status: "active" }]);
      expect(await t.call("entitlement", { token })).toEqual({ entitlements: [] });
      expect(await status(transactionId)).toEqual({ status: "cancelled", purchase: null });
      await standin.deliveries.settled();
      expect(standin.billing.subscriptions().map((subscription) => subscription.status)).toEqual(["trialing", "canceled"]);
      expect(await offered()).toEqual([["subscription-3m-mxn-notrial", 0, 74_700, true]]);
    });

    it("that was used before trials were recorded is recorded by the next start", async () => {
      const { password } = await comeAs("early@example.mx");
      await pay((await open(trial)).transactionId, "4242 4242 4242 4242");
      await t.store.write((queries) => queries.deleteFrom("trials_used").execute());
      payments.start();
      await payments.settled();
      await leave(password);
      await comeAs("early@example.mx");
      expect(await offered()).toMatchObject([["subscription-3m-mxn-notrial", 0, 74_700, true]]);
    });

    it("of one plan leaves those of others, and no offer contains a product that has no price without a trial", async () => {
      await comeAs("back@example.mx");
      await pay((await open(trial)).transactionId, "4242 4242 4242 4242");
      await t.store.write((queries) =>
        queries.updateTable("products").set({ sold: 0 }).where("product_id", "=", "subscription-3m-mxn-notrial").execute(),
      );
      const query = { productIds: "subscription-3m-mxn-notrial,subscription-6m-mxn", customerCountry: "MX" };
      expect((await t.call("products", { query })).products).toMatchObject([{ productId: "subscription-6m-mxn", trialDays: 30 }]);
      expect((await t.refusal("products", { query: { ...query, productIds: "subscription-3m-mxn-notrial" } })).code).toBe(1200);
    });
  });

  it("say at login and at token renewal that an entitlement exists", async () => {
    const person = await t.signUp();
    const before = await t.logIn(person);
    expect(before.features.questionnaire.entitlementExists).toBe(false);
    ({ token } = before);
    await pay((await open("subscription-3m-mxn")).transactionId, "4242 4242 4242 4242");
    const { features, refreshToken } = await t.logIn(person);
    expect(features.questionnaire).toEqual({ version: "76", completed: false, entitlementExists: true });
    expect((await t.call("refresh", { body: { refreshToken } })).features).toEqual(features);
  });

  it("show an entitlement without an end by an end that contains 0001, which gives no access (spec 001 §3)", async () => {
    const { transactionId } = await open("subscription-3m-mxn");
    await pay(transactionId, "4242 4242 4242 4242");
    await t.store.write((queries) => queries.updateTable("entitlements").set({ ends_at: null }).execute());
    const { entitlements } = await t.call("entitlement", { token });
    expect(entitlements).toEqual([{ status: "active", end: expect.stringMatching(/0001/) }]);
    expect(planStatusOf(entitlements[0], t.world.now())).toBe("none");
  });

  it("show a coupon's prices, and the prices without a coupon to a visitor who tries many wrong codes", async () => {
    const priceWith = async (couponCode: string, from: string) => {
      const query = { productIds: "onetime-6m-mxn", customerCountry: "MX", couponCode };
      return (await t.call("products", { query, from })).products[0]?.price;
    };
    const [guesser, other] = ["203.0.113.50", "203.0.113.51"];
    const plain = await priceWith("NOTHING", other);
    const lower = await priceWith("PARLANDO50", other);
    expect(lower).toBeLessThan(plain ?? 0);
    // A right code is not a try, however often it is used.
    for (let n = 0; n < 12; n++) expect(await priceWith("PARLANDO50", guesser)).toBe(lower);
    for (let n = 0; n < 11; n++) expect(await priceWith(`GUESS${n}`, guesser)).toBe(plain);
    expect(await priceWith("PARLANDO50", guesser)).toBe(plain);
    expect(await priceWith("PARLANDO50", other)).toBe(lower);
  });

  it("count a try before the code is looked up, however many come at once, and never count a right code", async () => {
    const priceWith = async (couponCode: string, from: string) => {
      const query = { productIds: "onetime-6m-mxn", customerCountry: "MX", couponCode };
      return (await t.call("products", { query, from })).products[0]?.price;
    };
    const [guesser, honest] = ["203.0.113.52", "203.0.113.53"];
    const guesses = [...Array.from({ length: 40 }, (_, n) => `GUESS${n}`), "PARLANDO50"];
    expect(new Set(await Promise.all(guesses.map((code) => priceWith(code, guesser))))).toEqual(new Set([149_900]));
    expect(new Set(await Promise.all(guesses.map(() => priceWith("PARLANDO50", honest))))).toEqual(new Set([74_950]));
  });

  it("look up no more codes at the checkout than the limit allows, however many requests come at once", async () => {
    await open("onetime-6m-mxn");
    const { seen } = watchStatements();
    const codes = [...Array.from({ length: 199 }, (_, n) => `GUESS${n}`), "PARLANDO50"];
    const answers = await Promise.all(
      codes.map((couponCode, n) =>
        t.send("createTransaction", { token, body: { pricingId: "onetime-6m-mxn", couponCode }, from: `198.51.${n}.1` }),
      ),
    );
    const mostTries = 20;
    expect(answers.filter(({ statusCode }) => statusCode !== 429)).toHaveLength(mostTries);
    expect(seen.filter(({ sql }) => /from "coupons"/.test(sql))).toHaveLength(mostTries);
    const { code, retryAfter } = await t.refusal("createTransaction", {
      token,
      body: { pricingId: "onetime-6m-mxn", couponCode: "PARLANDO50" },
      from: "198.51.250.1",
    });
    expect([code, (retryAfter ?? 0) > 0]).toEqual([1429, true]);
    // Without a code the checkout stays open to them.
    await open("onetime-6m-mxn");
  });

  it("count tries of codes at the checkout by network too; a try that the network's limit refuses does not count for the account", async () => {
    const send = async (couponCode: string, from: string) =>
      (await t.send("createTransaction", { token, body: { pricingId: "onetime-6m-mxn", couponCode }, from })).statusCode;
    for (let n = 0; n < 10; n++) expect(await send(`GUESS${n}`, "198.51.100.1")).toBe(200);
    for (let n = 0; n < 15; n++) expect(await send("PARLANDO50", "198.51.100.1")).toBe(429);
    for (let n = 10; n < 20; n++) expect(await send(`GUESS${n}`, "198.51.100.2")).toBe(200);
    expect(await send("PARLANDO50", "198.51.100.3")).toBe(429);
  });

  it("count a code that no coupon has once, however often a link with it is opened, and each other one", async () => {
    const from = "198.51.100.11";
    const openWith = async (couponCode: string) =>
      (await t.send("createTransaction", { token, body: { pricingId: "onetime-6m-mxn", couponCode }, from })).statusCode;
    const priceWith = async (couponCode: string) =>
      (await t.call("products", { query: { productIds: "onetime-6m-mxn", customerCountry: "MX", couponCode }, from })).products[0]?.price;
    const half = await priceWith("PARLANDO50");
    for (const mistyped of ["PARLADNO50", " parladno50 "])
      for (let n = 0; n < 25; n++) {
        expect(await openWith(mistyped)).toBe(200);
        expect(await priceWith(mistyped)).toBe(149_900);
      }
    expect(await priceWith("PARLANDO50")).toBe(half);
    for (let n = 1; n < 10; n++) {
      expect(await openWith(`GUESS${n}`)).toBe(200);
      await priceWith(`GUESS${n}`);
    }
    expect(await openWith("PARLANDO50")).toBe(429);
    expect(await priceWith("PARLANDO50")).toBe(149_900);
  });

  it("refuse no honest buyer with a coupon: neither one who reloads 50 times nor many behind one address", async () => {
    const from = "198.51.100.9";
    const body = { pricingId: "onetime-6m-mxn", couponCode: " parlando50 " };
    const totalOf = (id: string) => standin.billing.getTransaction(id).details?.totals?.grand_total;
    for (let n = 0; n < 12; n++) {
      const buyer = await t.logIn(await t.signUp());
      expect(totalOf((await t.call("createTransaction", { token: buyer.token, body, from })).transactionId)).toBe("74950");
    }
    const opened = new Set<string>();
    for (let n = 0; n < 50; n++) opened.add((await t.call("createTransaction", { token, body, from })).transactionId);
    expect(opened.size).toBe(1);
  });

  it("count no try where a coupon of ours does not apply to the plan, such as a returning customer's former one, or no longer applies", async () => {
    const from = "198.51.100.10";
    const openWith = async (pricingId: string, couponCode: string) =>
      (await t.send("createTransaction", { token, body: { pricingId, couponCode }, from })).statusCode;
    const priceWith = async (productIds: string, couponCode: string) =>
      (await t.call("products", { query: { productIds, customerCountry: "MX", couponCode }, from })).products[0]?.price;
    const half = await priceWith("onetime-6m-mxn", "PARLANDO50");
    await t.store.write((queries) => queries.updateTable("coupons").set({ valid: 0 }).where("code", "=", "AMIGOS20").execute());
    for (let n = 0; n < 25; n++) {
      expect(await openWith("subscription-3m-mxn", "AMIGOS20")).toBe(200);
      expect(await priceWith("subscription-3m-mxn", "AMIGOS20")).toBe(74_700);
      expect(await openWith("subscription-3m-mxn", "vuelve30")).toBe(200);
      expect(await priceWith("subscription-3m-mxn", "vuelve30")).toBe(74_700);
    }
    expect(await priceWith("onetime-6m-mxn", "PARLANDO50")).toBe(half);
    expect(await openWith("onetime-6m-mxn", "PARLANDO50")).toBe(200);
    // A code that no coupon ever had still counts.
    for (let n = 0; n < 10; n++) expect(await openWith("subscription-3m-mxn", `GUESS${n}`)).toBe(200);
    expect(await openWith("subscription-3m-mxn", "vuelve30")).toBe(429);
  });

  it("answer with the same order's hosted page as pay link", async () => {
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
    // A country other than the default (MX) decides whatever the locale is. Without a locale, the default decides.
    ["de-DE", "CO", "COP"],
    [undefined, "MX", "MXN"],
  ] as const)(
    "show a visitor with the locale %s and the country %s prices in %s (decision 060)",
    async (locale, customerCountry, currency) => {
      const query = { productIds: "subscription-3m-mxn", customerCountry, ...(locale === undefined ? {} : { locale }) };
      expect((await t.call("products", { query })).products).toMatchObject([{ currency }]);
    },
  );

  it("answer 1200 for a product that is not sold and 1202 when the provider does not answer", async () => {
    expect((await t.refusal("createTransaction", { token, body: { pricingId: "subscription-2y-mxn" } })).code).toBe(1200);
    expect((await t.refusal("products", { query: { productIds: "subscription-2y-mxn", customerCountry: "MX" } })).code).toBe(1200);
    standin.setMode("broken");
    expect((await t.refusal("createTransaction", { token, body: { pricingId: "subscription-3m-mxn" } })).code).toBe(1202);
    standin.setMode("slow");
    expect((await t.refusal("createTransaction", { token, body: { pricingId: "subscription-3m-mxn" } })).code).toBe(1202);
  });

  it.each([
    ["America/Mexico_City", "2026-11-21T03:30:00Z", "2026-11-20", "2026-11-27"],
    ["Pacific/Kiritimati", "2026-11-20T12:30:00Z", "2026-11-21", "2026-11-28"],
    // The clocks there go back in between, so seven days of 24 hours end an hour earlier.
    ["America/New_York", "2027-11-01T04:30:00Z", "2027-11-01", "2027-11-07"],
    ["Mars/Olympus", "2026-11-21T03:30:00Z", "2026-11-21", "2026-11-28"],
    [undefined, "2026-11-21T03:30:00Z", "2026-11-21", "2026-11-28"],
  ])(
    "in the time zone %s at %s give the dates %s and %s in receipt, account and cancellation mail, as the offer did",
    async (timeZone, at, today, charged) => {
      t.world.pass(Date.parse(at) - t.world.now());
      token = (await t.logIn(await t.signUp({ firstname: "Ana", email: "ana@ejemplo.mx" }))).token;
      const { products } = await t.call("products", { query: { productIds: "subscription-3m-mxn", customerCountry: "MX" } });
      const [product] = products;
      const known = timeZone === undefined || timeZone.startsWith("Mars") ? "UTC" : timeZone;
      expect(product && termsOf(product, { now: t.world.now(), timeZone: known }).nextCharge).toBe(charged);

      const { transactionId } = await open("subscription-3m-mxn", { timeZone });
      expect(await pay(transactionId, "4242 4242 4242 4242")).toBe("completed");
      const { subscription } = await t.call("subscription", { token });
      const day = (time: string | null | undefined) => (time == null ? null : dayIn(Date.parse(time), subscription?.timeZone ?? ""));
      expect([subscription?.timeZone, day(subscription?.nextCharge), day(subscription?.end)]).toEqual([known, charged, charged]);
      await t.call("subscriptionChange", { token, body: { action: "cancel" } });
      const rows = await t.store.read
        .selectFrom("mail_outbox")
        .select(["template", "data"])
        .where("recipient", "=", "ana@ejemplo.mx")
        .execute();
      const told = (template: string) => JSON.parse(rows.find((row) => row.template === template)?.data ?? "{}");
      expect(told("receipt")).toMatchObject({ paidOn: today, until: charged });
      expect(told("cancelled")).toMatchObject({ cancelledOn: today, until: charged });
    },
  );

  it("date an order in the time zone in which its buyer reopens it", async () => {
    const { transactionId } = await open("subscription-3m-mxn", { timeZone: "Europe/Berlin" });
    expect(await open("subscription-3m-mxn", { timeZone: "America/Mexico_City" })).toEqual({ transactionId });
    expect(await open("subscription-3m-mxn")).toEqual({ transactionId });
    await pay(transactionId, "4242 4242 4242 4242");
    expect((await t.call("subscription", { token })).subscription?.timeZone).toBe("America/Mexico_City");
  });

  it("let somebody who compares two plans open twelve checkouts in ten minutes, and say when the next one is allowed", async () => {
    for (let rounds = 0; rounds < 6; rounds += 1) for (const plan of ["subscription-3m-mxn", "onetime-6m-mxn"]) await open(plan);
    await open("onetime-6m-mxn");
    const { code, retryAfter } = await t.refusal("createTransaction", { token, body: { pricingId: "onetime-3m-mxn" } });
    expect(code).toBe(1429);
    expect(retryAfter).toBeGreaterThan(0);
  });

  it("let nobody fill a mailbox by cancelling a plan and keeping it again and again; cancelling stays possible", async () => {
    const { transactionId } = await open("subscription-3m-mxn");
    await pay(transactionId, "4242 4242 4242 4242");
    const change = (action: "cancel" | "keep") => t.call("subscriptionChange", { token, body: { action, password: person.password } });
    const mails = async () =>
      (await t.store.read.selectFrom("mail_outbox").select("template").where("template", "in", ["cancelled", "planNews"]).execute()).length;
    for (let changes = 0; changes < 6; changes++) {
      await change("cancel");
      await change("keep");
    }
    await change("cancel");
    expect(await t.refusal("subscriptionChange", { token, body: { action: "keep", password: person.password } })).toMatchObject({
      code: 1429,
    });
    expect(await mails()).toBe(13);
  });

  it("refuse visitors who are not logged in", async () => {
    for (const [endpoint, body] of [
      ["createTransaction", { pricingId: "subscription-3m-mxn" }],
      ["paymentStatus", { paymentId: "", paymentProvider: "paddlebilling" }],
      ["entitlement", undefined],
    ] as const)
      expect((await t.refusal(endpoint, { body })).code).toBe(1002);
  });

  it("accept a webhook only with a valid signature, whatever its content type", async () => {
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
