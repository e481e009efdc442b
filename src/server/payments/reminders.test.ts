/** The reminder that the offer promises before a trial's charge: one mail, in time, to everybody who will be charged. */
import { reminderDays } from "#core/offerDates.ts";
import { sampledDatabases } from "#test/app.ts";
import { type FakeShop, fakeShop } from "#test/fakeShop.ts";
import { dayMs, paymentBeds } from "#test/payments.ts";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SubscriptionFact } from "./provider.ts";

describe.each(sampledDatabases)("the reminder of a charge on %s", (database) => {
  const at = paymentBeds(database);
  const reminders = async () =>
    (await at.store.read.selectFrom("mail_outbox").select("data").where("template", "=", "chargeReminder").execute()).map(({ data }) =>
      JSON.parse(data),
    );
  const later = async (days: number) => {
    at.bed.clock.now += days * dayMs;
    await Promise.all([at.bed.payments.reconcile(), at.bed.newProcess().reconcile()]);
  };
  const trial = "subscription-3m-mxn";

  it.each([trial, `${trial}-classic`])("of %s goes out once, two days before, with its day and its price", async (product) => {
    const account = await at.bed.account();
    await at.bed.buy(account, product);
    await later(4);
    expect(await reminders()).toEqual([]);
    await later(1.1);
    const chargedOn = new Date(at.bed.clock.now + 1.9 * dayMs).toISOString().slice(0, 10);
    expect(await reminders()).toMatchObject([{ chargedOn, currency: "MXN", price: 74_700 }]);
    await later(1);
    expect(await reminders()).toHaveLength(1);
  });

  it("goes out two days before, however many days were granted", async () => {
    const account = await at.bed.account();
    await at.bed.buy(account, trial);
    await at.bed.payments.grantDays(account, { id: randomUUID(), days: 30 }, async () => {});
    await later(4);
    expect(await reminders()).toEqual([]);
    await later(1.1);
    const chargedOn = new Date(at.bed.clock.now + 1.9 * dayMs).toISOString().slice(0, 10);
    expect(await reminders()).toMatchObject([{ chargedOn, price: 74_700 }]);
    await later(1);
    expect(await reminders()).toHaveLength(1);
  });

  it("names the amount with a coupon", async () => {
    await at.bed.buy(await at.bed.account(), trial, { couponCode: "AMIGOS20" });
    await later(5.5);
    expect(await reminders()).toMatchObject([{ price: 59_760 }]);
  });

  it("is not sent when nothing will be charged, or no trial ends", async () => {
    const account = await at.bed.account();
    await at.bed.buy(account, trial);
    await at.bed.payments.changePlan(account, "cancel");
    await at.bed.settled();
    await at.bed.buy(await at.bed.account(), "subscription-1w-mxn");
    await later(5.5);
    expect(await reminders()).toEqual([]);
  });
});

describe.each(sampledDatabases)("whether somebody is reminded, on %s:", (database) => {
  let shop: FakeShop;
  beforeAll(async () => {
    shop = await fakeShop(database);
  });
  afterAll(() => shop.close());

  const latest = reminderDays * dayMs;
  it.each<[string, number, Partial<SubscriptionFact> | null, number]>([
    ["two days before the end of the trial", latest, {}, 1],
    ["not earlier", latest + 1, {}, 0],
    ["even shortly before", 1, {}, 1],
    ["not afterwards", 0, {}, 0],
    ["not after the trial", latest, { trialing: false }, 0],
    ["not before a pause", latest, { change: { action: "pause", at: 7 } }, 0],
    ["not without a charge", latest, { nextCharge: null }, 0],
    ["not during a pause", latest, { status: "paused" }, 0],
    ["not after a failed charge", latest, { status: "past_due" }, 0],
    ["not before the subscription is known", dayMs, null, 0],
  ])("%s", async (_, endsIn, fact, mails) => {
    const account = await shop.account();
    const order = await shop.order(account, "subscription-3m-mxn");
    const id = `sub ${order.id}`;
    const end = shop.world.now() + endsIn;
    const known = { status: "active", transactionId: order.transaction_id, end, trialing: true, nextCharge: end, change: null } as const;
    const begun = shop.paid(order, { subscriptionId: id, billedAt: end - order.trial_days * dayMs });
    await shop.tell(begun, ...(fact === null ? [] : [{ kind: "subscription", id, ...known, ...fact } as const]));
    const sent = await shop.remindersOf(account, "chargeReminder");
    const chargedOn = new Date(end).toISOString().slice(0, 10);
    const data = { firstname: "Lucía", chargedOn, currency: "MXN", price: 74_700 };
    const mail = { recipient: `${account}@example.com`, locale: "de-DE", data };
    expect(sent).toEqual({ mails: mails === 0 ? [] : [mail], woken: mails });
  });
});
