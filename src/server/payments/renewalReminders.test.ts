/** A renewal is announced where the law demands it (decision 131). */
import { sampledDatabases } from "#test/app.ts";
import { dayMs, paymentBeds } from "#test/payments.ts";
import { describe, expect, it } from "vitest";

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
