/** A renewal is announced where the law demands it (decision 131). */
import { sampledDatabases } from "#test/app.ts";
import { type FakeShop, fakeShop } from "#test/fakeShop.ts";
import { dayMs, paymentBeds } from "#test/payments.ts";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SubscriptionFact } from "./provider.ts";

describe.each(sampledDatabases)("the reminder of a renewal on %s", (database) => {
  const at = paymentBeds(database);
  const reminders = async () =>
    (
      await at.store.read.selectFrom("mail_outbox").select("data").where("template", "=", "renewalReminder").orderBy("created_at").execute()
    ).map(({ data }) => JSON.parse(data));
  const later = async (days: number) => {
    at.bed.clock.now += days * dayMs;
    await Promise.all([at.bed.payments.reconcile(), at.bed.newProcess().reconcile()]);
    await at.bed.settled();
  };
  async function sold(locale: string, product = "subscription-12m-usd") {
    const account = await at.bed.account();
    await at.store.write((queries) => queries.updateTable("accounts").set({ locale }).where("uuid", "=", account).execute());
    return { account, ...(await at.bed.buy(account, product)) };
  }

  it("goes out once, 30 to 15 days before, with its day and its price, and again a year later", async () => {
    const { engine, subscriptionId } = await sold("en-US");
    await later(333);
    expect(await reminders()).toEqual([]);
    await later(3);
    const [first] = await reminders();
    expect(first).toMatchObject({ renewsOn: "2027-11-20", currency: "USD", price: 11_988, months: 12 });
    await later(5);
    await later(24);
    engine.renew(subscriptionId);
    await at.bed.settled();
    await later(338);
    expect((await reminders()).map(({ renewsOn }) => renewsOn)).toEqual(["2027-11-20", "2028-11-20"]);
  });

  it("goes out as early before the charge when days were granted", async () => {
    const { account } = await sold("en-US");
    await at.bed.payments.grantDays(account, { id: randomUUID(), days: 60 }, async () => {});
    await later(332);
    expect(await reminders()).toEqual([]);
    await later(4);
    expect(await reminders()).toMatchObject([{ renewsOn: "2027-11-20", months: 12 }]);
    await later(1);
    expect(await reminders()).toHaveLength(1);
  });

  it("is sent neither after a cancellation, nor for a shorter term, nor where no law demands it", async () => {
    const { account } = await sold("en-US");
    await at.bed.payments.changePlan(account, "cancel");
    await at.bed.settled();
    await sold("en-US", "subscription-1m-usd");
    await sold("pt-BR", "subscription-12m-brl");
    await later(340);
    expect(await reminders()).toEqual([]);
  });

  it.each([
    ["es-ES", "subscription-1m-eur"],
    ["es-419", "subscription-1m-mxn"],
  ] as const)("goes out 20 to 15 days before every term of a month or more where the law demands that: %s", async (locale, product) => {
    const { engine, subscriptionId } = await sold(locale, product);
    await sold("it-IT", "subscription-1m-eur");
    await later(9);
    expect(await reminders()).toEqual([]);
    await later(2);
    expect(await reminders()).toEqual([expect.objectContaining({ renewsOn: "2026-12-20", months: 1 })]);
    await later(20);
    engine.renew(subscriptionId);
    await at.bed.settled();
    await later(12);
    expect((await reminders()).map(({ renewsOn }) => renewsOn)).toEqual(["2026-12-20", "2027-01-20"]);
  });

  it("is sent even if many other terms end at the same time and need none", async () => {
    for (let n = 0; n < 101; n += 1) await sold("pt-BR", "subscription-12m-brl");
    await sold("en-US");
    await later(336);
    expect(await reminders()).toHaveLength(1);
  });
});

describe.each(sampledDatabases)("whether a renewal is announced, on %s:", (database) => {
  let shop: FakeShop;
  beforeAll(async () => {
    shop = await fakeShop(database);
  });
  afterAll(() => shop.close());

  const year = ["en-US", "subscription-12m-usd"] as const;
  const month = ["es-ES", "subscription-1m-eur"] as const;
  it.each<[string, readonly [locale: string, product: string], number, Partial<SubscriptionFact> | null, number]>([
    ["32 days before the end of a year", year, 32 * dayMs, {}, 1],
    ["not earlier", year, 32 * dayMs + 1, {}, 0],
    ["more than 15 days before", year, 15 * dayMs + 1, {}, 1],
    ["not later", year, 15 * dayMs, {}, 0],
    ["not of a quarter", ["en-US", "subscription-3m-usd"], 20 * dayMs, {}, 0],
    ["20 days before the end of a month", month, 20 * dayMs, {}, 1],
    ["not earlier than that", month, 20 * dayMs + 1, {}, 0],
    ["not of a week", ["es-ES", "subscription-1w-eur"], 20 * dayMs, {}, 0],
    ["not before a pause", year, 20 * dayMs, { change: { action: "pause", at: 7 } }, 0],
    ["not without a charge", year, 20 * dayMs, { nextCharge: null }, 0],
    ["not after a failed charge", year, 20 * dayMs, { status: "past_due" }, 0],
    ["not before the subscription is known", year, 20 * dayMs, null, 0],
  ])("%s", async (_, [locale, product], endsIn, fact, mails) => {
    const account = await shop.account();
    await shop.store.write((queries) => queries.updateTable("accounts").set({ locale }).where("uuid", "=", account).execute());
    const order = await shop.order(account, product);
    const id = `sub ${order.id}`;
    const end = shop.world.now() + endsIn;
    const known = { status: "active", transactionId: order.transaction_id, end, trialing: false, nextCharge: end, change: null } as const;
    const begun = shop.paid(order, { subscriptionId: id, periodEnd: end });
    await shop.tell(begun, ...(fact === null ? [] : [{ kind: "subscription", id, ...known, ...fact } as const]));
    const sent = await shop.remindersOf(account, "renewalReminder");
    const { currency, price } = order;
    const renewsOn = new Date(end).toISOString().slice(0, 10);
    const months = Number.parseInt(order.product_plan, 10);
    const mail = { recipient: `${account}@example.com`, locale, data: { firstname: "Lucía", renewsOn, currency, price, months } };
    expect(sent).toEqual({ mails: mails === 0 ? [] : [mail], woken: mails });
  });
});
