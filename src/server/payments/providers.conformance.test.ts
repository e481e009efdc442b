/** The requirements for every payment provider: one list of cases for both, through their real protocols. */
import { moneyBackUntil } from "#core/offerDates.ts";
import { dayOf } from "#core/questionnaire/calendar.ts";
import { sampledDatabases } from "#test/app.ts";
import { signature } from "#standins/paddle/deliveries.ts";
import { dayMs, goodCard, type PaymentBed, paymentBeds, webhookSecret } from "#test/payments.ts";
import { describe, expect, it } from "vitest";
import type { PaymentService } from "./service.ts";

const minuteMs = 60_000;
const declined = "4000 0000 0000 0002";
const challenged = "4000 0038 0000 0446";
const renewalDeclined = "4000 0027 6000 3184";

const providers = [
  { provider: "paddlebilling", suffix: "" },
  { provider: "paddle", suffix: "-classic" },
] as const;

describe.each(sampledDatabases.flatMap((database) => providers.map((provider) => ({ database, ...provider }))))(
  "the provider $provider on $database",
  ({ database, provider, suffix }) => {
    const at = paymentBeds(database);
    const bought = async (product: string, card = goodCard) => {
      const account = await at.bed.account();
      return { account, ...(await at.bed.buy(account, `${product}${suffix}`, { card })) };
    };
    /** Moves the clock to a subscription's next date. */
    const renew = async (purchase: { readonly engine: PaymentBed["standin"]["billing"]; readonly subscriptionId: string }) => {
      const { next_billed_at: next } = purchase.engine.getSubscription(purchase.subscriptionId);
      if (next != null) at.bed.clock.now = Math.max(at.bed.clock.now, Date.parse(next) + minuteMs);
      purchase.engine.renew(purchase.subscriptionId);
      await at.bed.settled();
    };

    /**
     * Functions that send each webhook so far again, to any process. Billing signs each attempt anew, because the signature contains its
     * time.
     */
    const deliveries = () =>
      (provider === "paddle" ? at.bed.alerts : at.bed.hooks.map(({ raw }) => raw)).map((raw) => (to: PaymentService) => {
        const seal = signature(webhookSecret, raw.toString("utf8"), Math.floor(at.bed.clock.now / 1_000));
        return to.receive(provider, raw, { "paddle-signature": seal });
      });

    it("is paid with the order's own checkout, and the webhook entitles", async () => {
      const { account, paymentId, hostedUrl } = await bought("subscription-1m-mxn");
      expect(await at.bed.entitlements(account)).toEqual([{ status: "active", days: 30 }]);
      expect([await at.bed.status(account), await at.bed.status(account, paymentId)]).toEqual(["completed", "completed"]);
      expect(hostedUrl).toMatch(/^http/);
      const [order] = await at.store.read.selectFrom("orders").selectAll().execute();
      expect(order).toMatchObject({ payment_provider: provider, status: "completed", price: 34_900, currency: "MXN" });
    });

    it("begins with the trial and charges after it", async () => {
      const purchase = await bought("subscription-3m-mxn");
      expect(await at.bed.entitlements(purchase.account)).toEqual([{ status: "active", days: 7 }]);
      expect(await at.bed.payments.planOf(purchase.account)).toMatchObject({ trialing: true, price: 74_700, actions: ["pause", "cancel"] });
      await renew(purchase);
      expect((await at.bed.entitlements(purchase.account))[0]).toMatchObject({ status: "active", days: expect.closeTo(91, -1) });
      expect(await at.bed.payments.planOf(purchase.account)).toMatchObject({ trialing: false });
    });

    it("charges a one-time purchase once", async () => {
      const { account } = await bought("onetime-6m-mxn");
      expect(await at.bed.entitlements(account)).toEqual([{ status: "active", days: 181 }]);
      expect(await at.bed.payments.planOf(account)).toMatchObject({ productType: "onetime", actions: [] });
    });

    it("applies the coupon", async () => {
      const account = await at.bed.account();
      const { engine, transactionId } = await at.bed.buy(account, `onetime-6m-mxn${suffix}`, { couponCode: "PARLANDO50" });
      expect(engine.getTransaction(transactionId).details?.totals?.grand_total).toBe("74950");
      expect((await at.bed.payments.statusOf(account, "")).purchase).toMatchObject({ price: 74_950, couponCode: "PARLANDO50" });
    });

    it.each(["ars", "brl", "clp", "eur"])("charges the catalogue's price in %s", async (currency) => {
      const { account, engine, transactionId } = await bought(`subscription-12m-${currency}`);
      const [order] = await at.store.read.selectFrom("orders").select("price").execute();
      expect(engine.getTransaction(transactionId).details?.totals?.grand_total).toBe(String(order?.price));
      expect(await at.bed.entitlements(account)).toHaveLength(1);
    });

    it("grants nothing for a declined card", async () => {
      const purchase = await bought("subscription-1m-mxn", declined);
      expect(purchase.status).toBe("declined");
      expect([await at.bed.entitlements(purchase.account), await at.bed.status(purchase.account)]).toEqual([[], "pending"]);
    });

    it("grants after the bank's 3-D Secure check, and not before", async () => {
      const { account, engine, transactionId } = await bought("subscription-1m-mxn", challenged);
      expect(await at.bed.entitlements(account)).toEqual([]);
      engine.answerChallenge(transactionId, true);
      await at.bed.settled();
      expect(await at.bed.entitlements(account)).toHaveLength(1);
    });

    it("stays usable after a failed renewal until it is paid", async () => {
      const purchase = await bought("subscription-1m-mxn", renewalDeclined);
      await renew(purchase);
      expect((await at.bed.entitlements(purchase.account))[0]?.status).toBe("past_due");
      purchase.engine.recover(purchase.subscriptionId);
      await at.bed.settled();
      expect((await at.bed.entitlements(purchase.account))[0]).toMatchObject({ status: "active", days: expect.closeTo(30, -1) });
    });

    it("cancels at the end of the paid period, and then it is over", async () => {
      const purchase = await bought("subscription-1m-mxn");
      expect(await at.bed.payments.changePlan(purchase.account, "cancel")).toMatchObject({
        status: "active",
        nextCharge: null,
        change: { action: "cancel" },
        actions: provider === "paddle" ? [] : ["keep"],
      });
      // Confirmed by mail, with the day until which access stays.
      const mails = await at.store.read.selectFrom("mail_outbox").select("data").where("template", "=", "cancelled").execute();
      const until = dayOf(at.bed.clock.now + 30 * dayMs);
      const cancelledOn = dayOf(at.bed.clock.now);
      expect(mails.map(({ data }) => JSON.parse(data))).toEqual([
        { firstname: "Lucía", cancelledOn, until, moneyBackUntil: moneyBackUntil(cancelledOn), withdrawn: false },
      ]);
      await at.bed.settled();
      expect((await at.bed.entitlements(purchase.account))[0]).toMatchObject({ status: "active", days: expect.closeTo(30, 0) });
      at.bed.clock.now += 31 * dayMs;
      purchase.engine.renew(purchase.subscriptionId);
      await at.bed.settled();
      expect((await at.bed.entitlements(purchase.account))[0]?.status).toBe("deleted");
    });

    it("pauses at the end of the paid period, and resumes", async () => {
      const purchase = await bought("subscription-1m-mxn");
      expect(await at.bed.payments.changePlan(purchase.account, "pause")).toMatchObject({
        status: "active",
        change: { action: "pause" },
        actions: ["keep", "cancel"],
      });
      at.bed.clock.now += 31 * dayMs;
      purchase.engine.renew(purchase.subscriptionId);
      await at.bed.settled();
      expect((await at.bed.entitlements(purchase.account))[0]?.status).toBe("paused");
      at.bed.clock.now += minuteMs;
      expect(await at.bed.payments.changePlan(purchase.account, "resume")).toMatchObject({ status: "active" });
      await at.bed.settled();
      expect((await at.bed.entitlements(purchase.account))[0]).toMatchObject({ status: "active", days: expect.closeTo(30, -1) });
    });

    it("can undo a scheduled pause", async () => {
      const purchase = await bought("subscription-1m-mxn");
      await at.bed.payments.changePlan(purchase.account, "pause");
      await at.bed.settled();
      at.bed.clock.now += minuteMs;
      expect(await at.bed.payments.changePlan(purchase.account, "keep")).toMatchObject({
        status: "active",
        change: null,
        actions: ["pause", "cancel"],
      });
    });

    it("ends with a refund or chargeback, and is restored by a reversal", async () => {
      const { account, engine, transactionId } = await bought("onetime-3m-mxn");
      const after = async (action: "refund" | "chargeback" | "chargeback_reverse", type: "full" | "partial" = "full") => {
        at.bed.clock.now += minuteMs;
        engine.adjust(transactionId, action, type);
        await at.bed.settled();
        return (await at.bed.entitlements(account))[0]?.status;
      };
      expect([
        await after("refund", "partial"),
        await after("chargeback"),
        await after("chargeback_reverse"),
        await after("refund"),
      ]).toEqual(["active", "deleted", "active", "deleted"]);
    });

    it("ends only the renewed period with the renewal's refund", async () => {
      const purchase = await bought("subscription-1m-mxn");
      await renew(purchase);
      const renewal = purchase.engine.transactions().findLast(({ origin }) => origin === "subscription_recurring");
      purchase.engine.adjust(purchase.transactionId, "refund", "full");
      await at.bed.settled();
      expect((await at.bed.entitlements(purchase.account))[0]?.status).toBe("active");
      purchase.engine.adjust(renewal?.id ?? "", "refund", "full");
      await at.bed.settled();
      expect((await at.bed.entitlements(purchase.account))[0]?.status).toBe("deleted");
    });

    it("is found without a webhook, by polling and by reconciliation", async () => {
      at.bed.hooksArrive = false;
      const waiting = await bought("onetime-6m-mxn");
      expect(await at.bed.status(waiting.account)).toBe("pending");
      at.bed.clock.now += 11_000;
      // A page does not wait for a provider longer than a second: the next answer has the result.
      await expect.poll(() => at.bed.status(waiting.account)).toBe("completed");
      const other = await bought("onetime-3m-mxn");
      at.bed.clock.now += 2 * minuteMs;
      await at.bed.payments.reconcile();
      expect(await at.bed.entitlements(other.account)).toEqual([{ status: "active", days: expect.closeTo(91, -1) }]);
    });

    it("with tax on top of the price is found as paid without a webhook, and so is a renewal", async () => {
      at.bed.taxOnTop = 16;
      at.bed.hooksArrive = false;
      const purchase = await bought("subscription-1m-mxn");
      at.bed.clock.now += 2 * minuteMs;
      await at.bed.payments.reconcile();
      expect(await at.bed.entitlements(purchase.account)).toMatchObject([{ status: "active" }]);
      await renew(purchase);
      at.bed.clock.now += 2 * 60 * minuteMs;
      await at.bed.payments.reconcile();
      expect(await at.bed.entitlements(purchase.account)).toMatchObject([{ status: "active", days: expect.closeTo(30, -1) }]);
      expect(await at.store.read.selectFrom("payment_mismatches").selectAll().execute()).toEqual([]);
    });

    it("of a second plan that was partly refunded already is refunded for the rest", async () => {
      const account = await at.bed.account();
      await at.bed.buy(account, `subscription-1m-mxn${suffix}`);
      await at.store.write((queries) => queries.updateTable("entitlements").set({ status: "deleted" }).execute());
      at.bed.clock.now += 1_000;
      at.bed.hooksArrive = false;
      const second = await at.bed.buy(account, `onetime-12m-mxn${suffix}`);
      second.engine.adjust(second.transactionId, "refund", "partial", 10_000);
      await at.store.write((queries) => queries.updateTable("entitlements").set({ status: "active" }).execute());
      at.bed.hooksArrive = true;
      at.bed.standin.deliveries.retryNow();
      at.bed.standin.classic?.deliveries.retryNow();
      await at.bed.settled();
      expect(second.engine.getTransaction(second.transactionId).adjustments).toHaveLength(2);
      expect(second.engine.leftOf(second.transactionId)).toBe(0);
      const [duty] = await at.store.read.selectFrom("payment_duties").selectAll().where("kind", "=", "refund").execute();
      expect(duty).toMatchObject({ error: null, attempts: 1 });
    });

    it("refunds a second plan, and ends it", async () => {
      const account = await at.bed.account();
      await at.bed.buy(account, `subscription-1m-mxn${suffix}`);
      // Another tab's order that is still open at the provider.
      await at.store.write((queries) =>
        queries
          .updateTable("entitlements")
          .set({ ends_at: at.bed.clock.now - 1, status: "deleted" })
          .execute(),
      );
      at.bed.clock.now += 1_000;
      at.bed.hooksArrive = false;
      const second = await at.bed.buy(account, `subscription-12m-mxn${suffix}`);
      await at.store.write((queries) =>
        queries
          .updateTable("entitlements")
          .set({ ends_at: at.bed.clock.now + 30 * dayMs, status: "active" })
          .execute(),
      );
      at.bed.hooksArrive = true;
      at.bed.standin.deliveries.retryNow();
      at.bed.standin.classic?.deliveries.retryNow();
      await at.bed.settled();
      expect(second.engine.getTransaction(second.transactionId).adjustments).toMatchObject([{ action: "refund", type: "full" }]);
      const ended = second.engine.getSubscription(second.subscriptionId);
      // Classic ends it with its period, Billing at once. Neither charges again.
      expect(ended.status === "canceled" || ended.scheduled_change?.action === "cancel").toBe(true);
      expect(await at.bed.entitlements(account)).toHaveLength(1);
    });

    it("leads to a page for changing the card", async () => {
      const { account } = await bought("subscription-1m-mxn");
      const url = await at.bed.payments.cardPage(account);
      expect((await fetch(url ?? "")).status).toBe(200);
    });

    it.each(["broken", "slow"] as const)("that is %s opens nothing and charges nothing", async (mode) => {
      const account = await at.bed.account();
      at.bed.standin.setMode(mode);
      await expect(at.bed.open(account, `subscription-1m-mxn${suffix}`)).rejects.toThrow("provider failed");
      at.bed.standin.setMode("ok");
      expect((await at.bed.buy(account, `subscription-1m-mxn${suffix}`)).status).toBe("completed");
      expect(await at.store.read.selectFrom("orders").select("id").execute()).toHaveLength(1);
    });

    it("has the same result in whatever order its webhooks arrive", async () => {
      const purchase = await bought("subscription-1m-mxn", renewalDeclined);
      const { engine, subscriptionId } = purchase;
      await renew(purchase);
      at.bed.clock.now += minuteMs;
      engine.recover(subscriptionId);
      at.bed.clock.now += minuteMs;
      engine.adjust(purchase.transactionId, "refund", "full");
      at.bed.clock.now += minuteMs;
      engine.pause(subscriptionId, true);
      at.bed.clock.now += minuteMs;
      engine.resume(subscriptionId);
      at.bed.clock.now += minuteMs;
      engine.cancel(subscriptionId, true);
      await at.bed.settled();
      const ended = await at.bed.payments.entitlementsOf(purchase.account);
      expect(ended.map((one) => one.status)).toEqual(["deleted"]);
      const events = deliveries();
      let seed = 20_261_120;
      const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
      for (let round = 0; round < 8; round++) {
        for (let index = events.length - 1; index > 0; index--) {
          const other = Math.floor(random() * (index + 1));
          const [a, b] = [events[index], events[other]];
          if (a && b) [events[index], events[other]] = [b, a];
        }
        await at.bed.forget();
        for (const send of events) expect(await send(at.bed.payments)).toBe(true);
        await at.bed.settled();
        expect(await at.bed.payments.entitlementsOf(purchase.account)).toEqual(ended);
      }
    });

    it("has the same result when several processes get the webhooks of two paid plans at once", async () => {
      const account = await at.bed.account();
      await at.bed.buy(account, `subscription-1m-mxn${suffix}`);
      // Without its entitlement and subscription, the first plan neither refuses the second nor is ended by it.
      await at.store.write(async (queries) => {
        await queries.updateTable("entitlements").set({ status: "deleted" }).execute();
        await queries.updateTable("orders").set({ subscription_id: null }).execute();
      });
      at.bed.clock.now += 1_000;
      await at.bed.buy(account, `subscription-12m-mxn${suffix}`);
      const processes = [at.bed.newProcess(), at.bed.newProcess(), at.bed.newProcess()];
      await at.bed.forget();
      at.bed.clock.now += 2 * minuteMs;
      // The provider is also asked at the same time.
      await Promise.all([...deliveries().flatMap((send) => processes.map(send)), ...processes.map((process) => process.reconcile())]);
      for (const process of processes) await process.settled();
      expect(at.bed.problems.filter((problem) => problem.includes("could not be applied"))).toEqual([]);
      const orders = await at.store.read.selectFrom("orders").select("status").execute();
      expect(orders.map((order) => order.status).toSorted()).toEqual(["completed", "duplicate"]);
      expect((await at.bed.entitlements(account)).map((one) => one.status)).toEqual(["active"]);
      const mails = await at.store.read.selectFrom("mail_outbox").select(["template", "data"]).orderBy("template", "desc").execute();
      const told = mails.map(({ template, data }) => (template === "planNews" ? String(JSON.parse(data)["news"]) : template));
      // The refund of the second payment is reported once, as soon as the provider has confirmed it.
      expect([["receipt"], ["receipt", "returned"]]).toContainEqual(told);
    });

    it("has the catalogue's prices", async () => {
      const rows = await at.store.read.selectFrom("products").selectAll().where("payment_provider", "=", provider).execute();
      const adapter = at.bed.providers.find(({ name }) => name === provider);
      const listed = await adapter?.listedPrices(rows.map((row) => row.price_id));
      for (const row of rows)
        expect([row.product_id, listed?.get(row.price_id)]).toEqual([
          row.product_id,
          {
            amount: row.price,
            currency: row.currency,
            plan: row.product_type === "onetime" ? null : row.product_plan,
            trialDays: row.trial_days,
          },
        ]);
    });
  },
);
