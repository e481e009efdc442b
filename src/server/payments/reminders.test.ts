/** The reminder that the offer promises before a trial's charge: one mail, in time, to everybody who will be charged. */
import { databases } from "#test/app.ts";
import { dayMs, paymentBeds } from "#test/payments.ts";
import { describe, expect, it } from "vitest";

describe.each(databases)("the reminder of a charge on %s", (database) => {
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
