/** Webhooks record which account they are about, and keep nothing of an erased buyer. */
import { createTestApp, createTestStore, type Person, type TestApp, sampledDatabases } from "#test/app.ts";
import { type FakeShop, fakeShop } from "#test/fakeShop.ts";
import { paymentBed, type PaymentBed } from "#test/payments.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AdjustmentFact, Fact, SubscriptionFact } from "./provider.ts";

describe.each(sampledDatabases)("a buyer's data in webhooks on %s", (database) => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close();
  });
  const eraseBy = async (t: TestApp, person: Person) =>
    t.call("accountErase", { token: (await t.logIn(person)).token, body: { password: person.password } });

  async function shop(): Promise<{ readonly t: TestApp; readonly bed: PaymentBed }> {
    const store = await createTestStore(database);
    const bed = await paymentBed(store);
    closers.push(bed.close);
    const t = await createTestApp({ database, store, parts: { payments: bed.payments } });
    closers.push(t.close);
    return { t, bed };
  }
  const webhooks = async ({ store }: TestApp) =>
    store.read.selectFrom("provider_events").select(["event_id", "event_type", "payload", "account_uuid"]).orderBy("event_id").execute();
  const buyer = /luc[ií]a|%40ejemplo|@ejemplo/i;

  it.each(["subscription-1m-mxn", "subscription-1m-mxn-classic"])(
    "is removed from all of an account's webhooks, and from nobody else's: %s",
    async (productId) => {
      const { t, bed } = await shop();
      const [person, stranger] = [await t.signUp({ email: "%@ejemplo.mx" }), await t.signUp({ email: "_ucia@ejemplo.mx" })];
      await bed.buy(stranger.uuid, productId);
      const theirs = await webhooks(t);
      // Webhooks about a buyer's name and address, and about no order, keep neither.
      const ofNoOrder = theirs.filter(({ event_type: type }) => /^(customer|address)/.test(type));
      expect(ofNoOrder.map(({ payload }) => payload).join()).not.toMatch(buyer);
      const ofOrders = theirs.filter((one) => !ofNoOrder.includes(one));
      expect(new Set(ofOrders.map(({ account_uuid: account }) => account))).toEqual(new Set([stranger.uuid]));
      const { subscriptionId, engine, transactionId } = await bed.buy(person.uuid, productId);
      const known = new Set(theirs.map(({ event_id: id }) => id));
      const own = async () => (await webhooks(t)).filter(({ event_id: id }) => !known.has(id));
      const before = await own();
      expect(before.length).toBeGreaterThan(1);
      expect(before.map(({ payload }) => payload).join()).toMatch(buyer);

      await eraseBy(t, person);
      await t.erased();
      const after = await own();
      expect(after.map(({ event_type: type }) => type)).toEqual(before.map(({ event_type: type }) => type));
      for (const { payload, account_uuid: account } of after) {
        expect(payload).not.toMatch(buyer);
        expect(account).toBe("");
      }
      // Kept for bookkeeping.
      expect(after.map(({ payload }) => payload).join()).toContain(productId.endsWith("classic") ? "sale_gross=" : transactionId);

      // Later reports about them are not kept either.
      engine.cancel(subscriptionId, true);
      await bed.settled();
      const later = await own();
      expect(later.length).toBeGreaterThan(after.length);
      expect(later.map(({ payload }) => payload).join()).not.toMatch(buyer);
      expect((await webhooks(t)).filter(({ event_id: id }) => known.has(id))).toEqual(theirs);
    },
  );

  it("is removed from webhooks that an older process applied without recording their account, and from those about no order", async () => {
    const { t, bed } = await shop();
    const person = await t.signUp({ email: "it's+me_%@ejemplo.mx" });
    await bed.buy(person.uuid, "subscription-1m-mxn");
    const stranger = await bed.account();
    await bed.buy(stranger, "subscription-1m-mxn-classic");
    const told = (id: string, email: string) => ({
      payment_provider: "paddlebilling",
      event_id: id,
      event_type: "customer.updated",
      payload: JSON.stringify({
        event_id: id,
        event_type: "customer.updated",
        occurred_at: "2026-11-20T12:00:00Z",
        data: { email, name: "Lucía" },
      }),
      received_at: t.world.now(),
      applied_at: t.world.now(),
    });
    await t.store.write(async (queries) => {
      await queries.updateTable("provider_events").set({ account_uuid: null }).execute();
      await queries
        .insertInto("provider_events")
        .values([
          told("no order", "It's+Me_%@ejemplo.mx"),
          // From a provider that is no longer configured.
          {
            ...told("classic", ""),
            payment_provider: "gone",
            payload: new URLSearchParams({ alert: "1", buyer: person.email }).toString(),
          },
          { ...told("broken", ""), payload: "{ no JSON" },
        ])
        .execute();
    });
    await eraseBy(t, person);
    await t.erased();
    const rows = new Map((await webhooks(t)).map((row) => [row.event_id, row]));
    expect(rows.get("no order")?.payload).toContain('"data":{"email":"erased","name":"erased"}');
    expect(rows.get("classic")?.payload).toBe("alert=1&buyer=erased");
    expect(rows.get("broken")?.payload).toBe("{ no JSON");
    // The buyer at the other provider still has an account.
    const left = [...rows.values()].filter(({ payload }) => buyer.test(payload));
    expect(left.length).toBeGreaterThan(0);
    expect(new Set(left.map(({ account_uuid: account }) => account))).toEqual(new Set([stranger]));
    expect([...rows.values()].filter(({ account_uuid: account }) => account === null)).toEqual([]);
  });
});

describe.each(sampledDatabases)("the account of a webhook on %s", (database) => {
  let shop: FakeShop;
  beforeEach(async () => {
    shop = await fakeShop(database);
  });
  afterEach(() => shop.close());

  /** Receives a webhook with these facts. @returns its account and its stored payload */
  async function told(payload: string, facts: readonly Fact[] = []) {
    const eventId = shop.world.uuid();
    shop.provider.verify.mockReturnValueOnce({ eventId, eventType: "told", payload });
    shop.provider.factsOf.mockReturnValueOnce(facts.map((fact) => ({ version: "1", fact })));
    await shop.payments.receive("paddlebilling", Buffer.from(payload), {});
    await shop.payments.settled();
    const kept = await shop.store.read
      .selectFrom("provider_events")
      .select(["account_uuid", "payload", "applied_at"])
      .where("event_id", "=", eventId)
      .executeTakeFirstOrThrow();
    expect(kept.applied_at).toBe(shop.world.now());
    return [kept.account_uuid, kept.payload] as const;
  }
  const json = (value: object) => JSON.stringify(value);

  it("loses names and addresses, and nothing else, when it is about an unknown person and has no facts", async () => {
    const longest = `${"a".repeat(318)}@b`;
    const no = ["a b@c", "a@b c", "a@b@c", "@b", "a@", "@", `a${longest}`];
    const left = { amount: "100", number: 7, none: null, plan: { name: "Monthly" }, no };
    const named = (value: string) => ({
      email: value,
      customer_name: value,
      customer_email_address: value,
      cardholder_name: value,
      inner: [[{ name: value, email: null }], value === "Ana" ? "a@b" : value],
      passthrough: value === "Ana" ? longest : value,
    });
    expect(await told(json({ ...left, ...named("Ana") }))).toEqual(["", json({ ...left, ...named("erased") })]);
    const address = (value: string) => ({
      first_line: value,
      postal_code: value,
      description: value,
      country_code: "MX",
      plan: { description: "Monthly" },
    });
    expect(await told(json({ id: "add_1", ...address("Calle 1") }))).toEqual(["", json({ id: "add_1", ...address("erased") })]);
    const business = (value: string) => ({ name: value, company_number: value, tax_identifier: value });
    expect(await told(json(business("Ana S.A.")))).toEqual(["", json(business("erased"))]);
    // A number is not a name.
    expect(await told(json({ email: 7 }))).toEqual(["", json({ email: 7 })]);
    expect(await told("alert=1&email=Ana&name=Ana&other=a%40b&amount=10.00")).toEqual([
      "",
      "alert=1&email=erased&name=erased&other=erased&amount=10.00",
    ]);
    for (const unreadable of ["{ no JSON", "{"]) expect(await told(unreadable)).toEqual(["", "erased"]);
  });

  it("is the one with an address in the webhook, of which there are at most five", async () => {
    const who = await shop.account("ana@xn--mller-kva.de");
    const withAddresses = (others: number) =>
      json({
        to: ["ANA@M\u00fcller.de", "ana@m\u00fcller.de"],
        others: Array.from({ length: others }, (_, n) => ({ n, at: `${n}@example.mx` })),
      });
    expect(await told(withAddresses(4))).toEqual([who, withAddresses(4)]);
    expect((await told(withAddresses(5)))[0]).toBe("");
    expect((await told(json({ none: null })))[0]).toBe("");
  });

  it("is an erased one if it had the address when the webhook arrived, and none for a later webhook", async () => {
    const gone = await shop.account("erased");
    await shop.store.write((queries) =>
      queries
        .insertInto("erasures")
        .values({
          account_uuid: gone,
          email: "ana@example.mx",
          stand_in: "",
          asked_at: shop.world.now(),
          attempts: 0,
          next_attempt_at: 0,
        })
        .execute(),
    );
    const payload = json({ buyer: "ana@example.mx" });
    expect(await told(payload)).toEqual([gone, payload]);
    shop.world.pass(1);
    expect(await told(payload)).toEqual(["", json({ buyer: "erased" })]);
  });

  describe("about an order", () => {
    const payload = json({ email: "someone@else.mx" });
    const adjustment = (more: Partial<AdjustmentFact>): AdjustmentFact => ({
      kind: "adjustment",
      id: "adj",
      transactionId: "unknown",
      subscriptionId: null,
      action: "refund",
      full: false,
      approved: false,
      total: null,
      at: null,
      ...more,
    });
    const subscription = (more: Partial<SubscriptionFact>): SubscriptionFact => ({
      kind: "subscription",
      id: "sub",
      status: "active",
      transactionId: null,
      end: null,
      trialing: false,
      nextCharge: null,
      change: null,
      ...more,
    });
    async function bought() {
      const order = await shop.order(await shop.account(), "subscription-1m-mxn");
      await shop.tell(shop.paid(order, { subscriptionId: "sub" }));
      return order;
    }

    it("is its buyer's, whether it names the payment, the subscription or the order", async () => {
      const order = await shop.order(await shop.account(), "subscription-1m-mxn");
      await shop.store.write((queries) => queries.updateTable("orders").set({ subscription_id: "sub" }).execute());
      const transactionId = order.transaction_id ?? "";
      const unknown = { id: "unknown", orderId: null, subscriptionId: null };
      const facts: readonly Fact[] = [
        shop.paid(order, { ...unknown, id: transactionId }),
        shop.paid(order, { ...unknown, subscriptionId: "sub" }),
        shop.paid(order, { ...unknown, orderId: order.id }),
        subscription({}),
        subscription({ id: "unknown", transactionId }),
        adjustment({ transactionId }),
        adjustment({ subscriptionId: "sub" }),
      ];
      // Nothing was reported before, so the facts themselves decide.
      for (const [n, fact] of facts.entries()) {
        await shop.store.write((queries) =>
          queries
            .insertInto("provider_events")
            .values({ payment_provider: "paddlebilling", event_id: `${n}`, event_type: "", payload, received_at: n, applied_at: n })
            .execute(),
        );
        shop.provider.factsOf.mockReturnValueOnce([{ version: "", fact }]);
        await shop.payments.noteBuyers();
      }
      const noted = await shop.store.read.selectFrom("provider_events").select("account_uuid").where("payload", "=", payload).execute();
      expect(noted.map(({ account_uuid: whose }) => whose)).toEqual(facts.map(() => order.account_uuid));
    });

    it("is its buyer's if earlier webhooks connect it with the order", async () => {
      const order = await bought();
      for (const [n, links] of [{ transactionId: order.transaction_id ?? "" }, { subscriptionId: "sub" }].entries()) {
        const id = `adj ${n}`;
        await shop.tell(adjustment({ id, ...links }));
        expect((await told(payload, [adjustment({ id })]))[0]).toBe(order.account_uuid);
      }
    });

    it("loses the buyer when they are erased, and stays unchanged when the order is not ours or the webhook cannot be read", async () => {
      const order = await bought();
      expect(await told(payload, [shop.paid(order)])).toEqual([order.account_uuid, payload]);
      expect(await told(payload, [adjustment({})])).toEqual(["", payload]);
      await shop.store.write((queries) => queries.updateTable("orders").set({ account_uuid: null }).execute());
      expect(await told(payload, [shop.paid(order)])).toEqual(["", json({ email: "erased" })]);
      shop.provider.factsOf.mockImplementationOnce(() => {
        throw new Error("unreadable");
      });
      expect(await told(payload)).toEqual(["", payload]);
    });
  });
});
