/** A yearly subscription's renewal is announced where the law wants it (decision 131). */
import { databases } from "#test/app.ts";
import { dayMs, paymentBeds } from "#test/payments.ts";
import { describe, expect, it } from "vitest";

describe.each(databases)("the reminder of a renewal on %s", (database) => {
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
  async function yearly(locale: string, product = "subscription-12m-usd") {
    const account = await at.bed.account();
    await at.store.write((queries) => queries.updateTable("accounts").set({ locale }).where("uuid", "=", account).execute());
    return { account, ...(await at.bed.buy(account, product)) };
  }

  it("goes out once, 30 to 15 days before, with its day and its price, and again a year later", async () => {
    const { engine, subscriptionId } = await yearly("en-US");
    await later(333);
    expect(await reminders()).toEqual([]);
    await later(3);
    const [first] = await reminders();
    expect(first).toMatchObject({ renewsOn: "2027-11-20", currency: "USD", price: 11_988 });
    await later(5);
    await later(24);
    engine.renew(subscriptionId);
    await at.bed.settled();
    await later(338);
    expect((await reminders()).map(({ renewsOn }) => renewsOn)).toEqual(["2027-11-20", "2028-11-20"]);
  });

  it("comes neither to who has cancelled, nor for a shorter term, nor where no law asks for it", async () => {
    const { account } = await yearly("en-US");
    await at.bed.payments.changePlan(account, "cancel");
    await at.bed.settled();
    await yearly("en-US", "subscription-1m-usd");
    await yearly("es-419", "subscription-12m-mxn");
    await later(340);
    expect(await reminders()).toEqual([]);
  });
});
