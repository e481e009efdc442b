/** Webhooks say whose they are, and keep nothing of somebody who is gone. */
import { createTestApp, createTestStore, databases, type Person, type TestApp } from "#test/app.ts";
import { paymentBed, type PaymentBed } from "#test/payments.ts";
import { afterEach, describe, expect, it } from "vitest";

describe.each(databases)("what providers told of a buyer on %s", (database) => {
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
    "goes from all of an account's webhooks, and from nobody else's: %s",
    async (productId) => {
      const { t, bed } = await shop();
      const [person, stranger] = [await t.signUp({ email: "%@ejemplo.mx" }), await t.signUp({ email: "_ucia@ejemplo.mx" })];
      await bed.buy(stranger.uuid, productId);
      const theirs = await webhooks(t);
      // What tells of a buyer's name and address, and of no order, keeps neither.
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
      // For the books.
      expect(after.map(({ payload }) => payload).join()).toContain(productId.endsWith("classic") ? "sale_gross=" : transactionId);

      // What the provider tells of them later is not kept either.
      engine.cancel(subscriptionId, true);
      await bed.settled();
      const later = await own();
      expect(later.length).toBeGreaterThan(after.length);
      expect(later.map(({ payload }) => payload).join()).not.toMatch(buyer);
      expect((await webhooks(t)).filter(({ event_id: id }) => known.has(id))).toEqual(theirs);
    },
  );

  it("goes from webhooks that nobody noted, because an older process applied them, and from those about no order", async () => {
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
          // Of a provider that is not configured any more.
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
    // Who bought with the other provider has an account.
    const left = [...rows.values()].filter(({ payload }) => buyer.test(payload));
    expect(left.length).toBeGreaterThan(0);
    expect(new Set(left.map(({ account_uuid: account }) => account))).toEqual(new Set([stranger]));
    expect([...rows.values()].filter(({ account_uuid: account }) => account === null)).toEqual([]);
  });
});
