/** What every payment provider must be to us: one list of cases for both, over their real protocols. */
import { createTestStore, databases } from "#test/app.ts";
import { signature } from "#standins/paddle/deliveries.ts";
import { goodCard, type PaymentBed, paymentBed, webhookSecret } from "#test/payments.ts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../store/store.ts";
import type { PaymentService } from "./service.ts";

const dayMs = 86_400_000;
const minuteMs = 60_000;
const declined = "4000 0000 0000 0002";
const challenged = "4000 0038 0000 0446";
const renewalDeclined = "4000 0027 6000 3184";

const providers = [
  { provider: "paddlebilling", suffix: "" },
  { provider: "paddle", suffix: "-classic" },
] as const;

describe.each(databases.flatMap((database) => providers.map((provider) => ({ database, ...provider }))))(
  "the provider $provider on $database",
  ({ database, provider, suffix }) => {
    let store: Store;
    let bed: PaymentBed;
    beforeAll(async () => {
      store = await createTestStore(database);
    });
    afterAll(() => store.close());
    beforeEach(async () => {
      bed = await paymentBed(store);
    });
    afterEach(async () => {
      await bed.close();
      await store.write(async (queries) => {
        for (const table of [
          "entitlements",
          "orders",
          "provider_events",
          "provider_facts",
          "payment_duties",
          "mail_outbox",
          "audit",
          "accounts",
        ] as const)
          await queries.deleteFrom(table).execute();
      });
    });

    const entitlements = async (account: string) =>
      (await bed.payments.entitlementsOf(account)).map(({ status, end }) => ({
        status,
        days: end === null ? null : Math.round((end - bed.clock.now) / dayMs),
      }));
    const status = async (account: string, id = "") => (await bed.payments.statusOf(account, id)).status;
    const bought = async (product: string, card = goodCard) => {
      const account = await bed.account();
      return { account, ...(await bed.buy(account, `${product}${suffix}`, { card })) };
    };
    /** To a subscription's next date, and the clock with it. */
    const renew = async (purchase: { readonly engine: PaymentBed["standin"]["billing"]; readonly subscriptionId: string }) => {
      const { next_billed_at: next } = purchase.engine.getSubscription(purchase.subscriptionId);
      if (next != null) bed.clock.now = Math.max(bed.clock.now, Date.parse(next) + minuteMs);
      purchase.engine.renew(purchase.subscriptionId);
      await bed.settled();
    };

    /** Every webhook so far, to be sent again to whichever process. Billing signs each try anew: the signature holds its time. */
    const deliveries = () =>
      (provider === "paddle" ? bed.alerts : bed.hooks.map(({ raw }) => raw)).map((raw) => (to: PaymentService) => {
        const seal = signature(webhookSecret, raw.toString("utf8"), Math.floor(bed.clock.now / 1_000));
        return to.receive(provider, raw, { "paddle-signature": seal });
      });
    /** As before the first of them came. */
    const forget = () =>
      store.write(async (queries) => {
        for (const table of ["entitlements", "provider_facts", "provider_events", "payment_duties", "mail_outbox"] as const)
          await queries.deleteFrom(table).execute();
        await queries
          .updateTable("orders")
          .set({ status: "pending", subscription_id: null, ...(provider === "paddle" ? { transaction_id: null } : {}) })
          .execute();
      });

    it("is paid by the order's own checkout, and the webhook entitles", async () => {
      const { account, paymentId, hostedUrl } = await bought("subscription-1m-mxn");
      expect(await entitlements(account)).toEqual([{ status: "active", days: 30 }]);
      expect([await status(account), await status(account, paymentId)]).toEqual(["completed", "completed"]);
      expect(hostedUrl).toMatch(/^http/);
      const [order] = await store.read.selectFrom("orders").selectAll().execute();
      expect(order).toMatchObject({ payment_provider: provider, status: "completed", price: 34_900, currency: "MXN" });
    });

    it("begins with the trial and charges after it", async () => {
      const purchase = await bought("subscription-3m-mxn");
      expect(await entitlements(purchase.account)).toEqual([{ status: "active", days: 7 }]);
      expect(await bed.payments.planOf(purchase.account)).toMatchObject({ trialing: true, price: 74_700, actions: ["pause", "cancel"] });
      await renew(purchase);
      expect((await entitlements(purchase.account))[0]).toMatchObject({ status: "active", days: expect.closeTo(91, -1) });
      expect(await bed.payments.planOf(purchase.account)).toMatchObject({ trialing: false });
    });

    it("sells once what is paid once", async () => {
      const { account } = await bought("onetime-6m-mxn");
      expect(await entitlements(account)).toEqual([{ status: "active", days: 181 }]);
      expect(await bed.payments.planOf(account)).toMatchObject({ productType: "onetime", actions: [] });
    });

    it("takes the coupon off", async () => {
      const account = await bed.account();
      const { engine, transactionId } = await bed.buy(account, `onetime-6m-mxn${suffix}`, { couponCode: "PARLANDO50" });
      expect(engine.getTransaction(transactionId).details?.totals?.grand_total).toBe("74950");
      expect((await bed.payments.statusOf(account, "")).purchase).toMatchObject({ price: 74_950, couponCode: "PARLANDO50" });
    });

    it.each(["ars", "brl", "clp", "eur"])("charges in %s what the catalogue says", async (currency) => {
      const { account, engine, transactionId } = await bought(`subscription-12m-${currency}`);
      const [order] = await store.read.selectFrom("orders").select("price").execute();
      expect(engine.getTransaction(transactionId).details?.totals?.grand_total).toBe(String(order?.price));
      expect(await entitlements(account)).toHaveLength(1);
    });

    it("grants nothing for a declined card", async () => {
      const purchase = await bought("subscription-1m-mxn", declined);
      expect(purchase.status).toBe("declined");
      expect([await entitlements(purchase.account), await status(purchase.account)]).toEqual([[], "pending"]);
    });

    it("grants when the bank has asked back, and not before", async () => {
      const { account, engine, transactionId } = await bought("subscription-1m-mxn", challenged);
      expect(await entitlements(account)).toEqual([]);
      engine.answerChallenge(transactionId, true);
      await bed.settled();
      expect(await entitlements(account)).toHaveLength(1);
    });

    it("keeps a renewal that failed usable until it is paid", async () => {
      const purchase = await bought("subscription-1m-mxn", renewalDeclined);
      await renew(purchase);
      expect((await entitlements(purchase.account))[0]?.status).toBe("past_due");
      purchase.engine.recover(purchase.subscriptionId);
      await bed.settled();
      expect((await entitlements(purchase.account))[0]).toMatchObject({ status: "active", days: expect.closeTo(30, -1) });
    });

    it("cancels for the end of what is paid, and then it is over", async () => {
      const purchase = await bought("subscription-1m-mxn");
      expect(await bed.payments.changePlan(purchase.account, "cancel")).toMatchObject({
        status: "active",
        nextCharge: null,
        change: { action: "cancel" },
        actions: provider === "paddle" ? [] : ["keep"],
      });
      await bed.settled();
      expect((await entitlements(purchase.account))[0]).toMatchObject({ status: "active", days: expect.closeTo(30, 0) });
      bed.clock.now += 31 * dayMs;
      purchase.engine.renew(purchase.subscriptionId);
      await bed.settled();
      expect((await entitlements(purchase.account))[0]?.status).toBe("deleted");
    });

    it("pauses at the end of what is paid, and resumes", async () => {
      const purchase = await bought("subscription-1m-mxn");
      expect(await bed.payments.changePlan(purchase.account, "pause")).toMatchObject({
        status: "active",
        change: { action: "pause" },
        actions: ["keep"],
      });
      bed.clock.now += 31 * dayMs;
      purchase.engine.renew(purchase.subscriptionId);
      await bed.settled();
      expect((await entitlements(purchase.account))[0]?.status).toBe("paused");
      bed.clock.now += minuteMs;
      expect(await bed.payments.changePlan(purchase.account, "resume")).toMatchObject({ status: "active" });
      await bed.settled();
      expect((await entitlements(purchase.account))[0]).toMatchObject({ status: "active", days: expect.closeTo(30, -1) });
    });

    it("keeps a plan that was going to pause", async () => {
      const purchase = await bought("subscription-1m-mxn");
      await bed.payments.changePlan(purchase.account, "pause");
      await bed.settled();
      bed.clock.now += minuteMs;
      expect(await bed.payments.changePlan(purchase.account, "keep")).toMatchObject({
        status: "active",
        change: null,
        actions: ["pause", "cancel"],
      });
    });

    it("takes it away with the money: refunds and chargebacks, and back with a reversal", async () => {
      const { account, engine, transactionId } = await bought("onetime-3m-mxn");
      const after = async (action: "refund" | "chargeback" | "chargeback_reverse", type: "full" | "partial" = "full") => {
        bed.clock.now += minuteMs;
        engine.adjust(transactionId, action, type);
        await bed.settled();
        return (await entitlements(account))[0]?.status;
      };
      expect([
        await after("refund", "partial"),
        await after("chargeback"),
        await after("chargeback_reverse"),
        await after("refund"),
      ]).toEqual(["active", "deleted", "active", "deleted"]);
    });

    it("takes a renewal away with its money, and only it", async () => {
      const purchase = await bought("subscription-1m-mxn");
      await renew(purchase);
      const renewal = purchase.engine.transactions().findLast(({ origin }) => origin === "subscription_recurring");
      purchase.engine.adjust(purchase.transactionId, "refund", "full");
      await bed.settled();
      expect((await entitlements(purchase.account))[0]?.status).toBe("active");
      purchase.engine.adjust(renewal?.id ?? "", "refund", "full");
      await bed.settled();
      expect((await entitlements(purchase.account))[0]?.status).toBe("deleted");
    });

    it("is found out when no webhook comes: by whoever waits, and by reconciliation", async () => {
      bed.hooksArrive = false;
      const waiting = await bought("onetime-6m-mxn");
      expect(await status(waiting.account)).toBe("pending");
      bed.clock.now += 11_000;
      expect(await status(waiting.account)).toBe("completed");
      const other = await bought("onetime-3m-mxn");
      bed.clock.now += 2 * minuteMs;
      await bed.payments.reconcile();
      expect(await entitlements(other.account)).toEqual([{ status: "active", days: expect.closeTo(91, -1) }]);
    });

    it("gives back what is paid for a second plan, and ends it", async () => {
      const account = await bed.account();
      await bed.buy(account, `subscription-1m-mxn${suffix}`);
      // Another tab's order, open at the provider all the same.
      await store.write((queries) =>
        queries
          .updateTable("entitlements")
          .set({ ends_at: bed.clock.now - 1, status: "deleted" })
          .execute(),
      );
      bed.clock.now += 1_000;
      bed.hooksArrive = false;
      const second = await bed.buy(account, `subscription-12m-mxn${suffix}`);
      await store.write((queries) =>
        queries
          .updateTable("entitlements")
          .set({ ends_at: bed.clock.now + 30 * dayMs, status: "active" })
          .execute(),
      );
      bed.hooksArrive = true;
      bed.standin.deliveries.retryNow();
      bed.standin.classic?.deliveries.retryNow();
      await bed.settled();
      expect(second.engine.getTransaction(second.transactionId).adjustments).toMatchObject([{ action: "refund", type: "full" }]);
      const ended = second.engine.getSubscription(second.subscriptionId);
      // Classic ends it with its period, Billing at once; neither charges again.
      expect(ended.status === "canceled" || ended.scheduled_change?.action === "cancel").toBe(true);
      expect(await entitlements(account)).toHaveLength(1);
    });

    it("leads to a page for another card", async () => {
      const { account } = await bought("subscription-1m-mxn");
      const url = await bed.payments.cardPage(account);
      expect((await fetch(url ?? "")).status).toBe(200);
    });

    it.each(["broken", "slow"] as const)("that is %s opens nothing and charges nothing", async (mode) => {
      const account = await bed.account();
      bed.standin.setMode(mode);
      await expect(bed.open(account, `subscription-1m-mxn${suffix}`)).rejects.toThrow("provider failed");
      bed.standin.setMode("ok");
      expect((await bed.buy(account, `subscription-1m-mxn${suffix}`)).status).toBe("completed");
      expect(await store.read.selectFrom("orders").select("id").execute()).toHaveLength(1);
    });

    it("comes out the same in whatever order its webhooks arrive", async () => {
      const purchase = await bought("subscription-1m-mxn", renewalDeclined);
      const { engine, subscriptionId } = purchase;
      await renew(purchase);
      bed.clock.now += minuteMs;
      engine.recover(subscriptionId);
      bed.clock.now += minuteMs;
      engine.adjust(purchase.transactionId, "refund", "full");
      bed.clock.now += minuteMs;
      engine.pause(subscriptionId, true);
      bed.clock.now += minuteMs;
      engine.resume(subscriptionId);
      bed.clock.now += minuteMs;
      engine.cancel(subscriptionId, true);
      await bed.settled();
      const ended = await bed.payments.entitlementsOf(purchase.account);
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
        await forget();
        for (const send of events) expect(await send(bed.payments)).toBe(true);
        await bed.settled();
        expect(await bed.payments.entitlementsOf(purchase.account)).toEqual(ended);
      }
    });

    it("comes out the same when several processes get its webhooks at once, of two plans that were both paid", async () => {
      const account = await bed.account();
      await bed.buy(account, `subscription-1m-mxn${suffix}`);
      await store.write((queries) => queries.updateTable("entitlements").set({ status: "deleted" }).execute());
      bed.clock.now += 1_000;
      await bed.buy(account, `subscription-12m-mxn${suffix}`);
      const processes = [bed.newProcess(), bed.newProcess(), bed.newProcess()];
      await forget();
      bed.clock.now += 2 * minuteMs;
      // The provider is asked meanwhile too.
      await Promise.all([...deliveries().flatMap((send) => processes.map(send)), ...processes.map((process) => process.reconcile())]);
      for (const process of processes) await process.settled();
      expect(bed.problems.filter((problem) => problem.includes("could not be applied"))).toEqual([]);
      const orders = await store.read.selectFrom("orders").select("status").execute();
      expect(orders.map((order) => order.status).toSorted()).toEqual(["completed", "duplicate"]);
      expect((await entitlements(account)).map((one) => one.status)).toEqual(["active"]);
      expect(await store.read.selectFrom("mail_outbox").select("id").execute()).toHaveLength(1);
    });

    it("has the catalogue's prices", async () => {
      const rows = await store.read.selectFrom("products").selectAll().where("payment_provider", "=", provider).execute();
      const adapter = bed.providers.find(({ name }) => name === provider);
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
