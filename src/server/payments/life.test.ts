/** Two years of a subscription: what its owner can do and sees at each time (spec 001 §4). */
import { sampledDatabases } from "#test/app.ts";
import { dayMs, paymentBeds } from "#test/payments.ts";
import { planStatusOf } from "#core/entitlement.ts";
import { describe, expect, it } from "vitest";

describe.each(sampledDatabases)("two years on %s", (database) => {
  const at = paymentBeds(database);

  it.each(["", "-classic"])(
    "a trial, renewals, a failed one, another card, a pause, a cancellation, a lapse, and a return%s",
    async (suffix) => {
      const account = await at.bed.account();
      const seen: string[] = [];
      const look = async (what: string) => {
        const [newest] = await at.bed.payments.entitlementsOf(account);
        const plan = await at.bed.payments.planOf(account);
        const end = newest?.end == null ? "0001-01-01T00:00:00.000Z" : new Date(newest.end).toISOString();
        const standing = planStatusOf(newest === undefined ? undefined : { status: newest.status, end }, at.bed.clock.now);
        seen.push(`${what}: ${newest?.status ?? "nothing"}${plan?.trialing ? " (trial)" : ""}, ${standing}`);
      };
      const first = await at.bed.buy(account, `subscription-3m-mxn${suffix}`, { card: "4000 0027 6000 3184" });
      const { engine, subscriptionId } = first;
      /** Moves the clock to an hour after the subscription's next date. */
      const next = async () => {
        const subscription = engine.getSubscription(subscriptionId);
        const due = subscription.scheduled_change?.effective_at ?? subscription.next_billed_at;
        if (due != null) at.bed.clock.now = Math.max(at.bed.clock.now, Date.parse(due) + 3_600_000);
        engine.renew(subscriptionId);
        await at.bed.settled();
      };
      const start = at.bed.clock.now;
      await look("bought");
      await next();
      await look("the first charge failed");
      engine.recover(subscriptionId);
      await at.bed.settled();
      await look("another card");
      for (let renewal = 1; renewal <= 4; renewal++) await next();
      await look("a year of renewals");
      at.bed.clock.now += dayMs;
      await at.bed.payments.changePlan(account, "pause");
      await at.bed.settled();
      await look("a pause was asked for");
      await next();
      await look("paused");
      at.bed.clock.now += 60 * dayMs;
      await at.bed.payments.changePlan(account, "resume");
      await at.bed.settled();
      await look("resumed");
      await next();
      at.bed.clock.now += dayMs;
      await at.bed.payments.changePlan(account, "cancel");
      await at.bed.settled();
      await look("cancelled");
      await next();
      await look("lapsed");
      at.bed.clock.now += 30 * dayMs;
      const again = await at.bed.buy(account, `subscription-6m-mxn${suffix}`, { couponCode: "VUELVE30" });
      await look("came back");
      expect(again.status).toBe("completed");
      expect(seen).toEqual([
        "bought: active (trial), usable",
        "the first charge failed: past_due, usable",
        "another card: active, usable",
        "a year of renewals: active, usable",
        "a pause was asked for: active, usable",
        "paused: paused, lapsed",
        "resumed: active, usable",
        "cancelled: active, usable",
        "lapsed: deleted, lapsed",
        "came back: active (trial), usable",
      ]);
      expect(at.bed.clock.now - start).toBeGreaterThan(600 * dayMs);
      expect(await at.bed.payments.entitlementsOf(account)).toHaveLength(2);
    },
  );
});
