/** After the first term a German subscription ends by the month, and the rest is refunded (§ 309 no. 9 BGB; decision 131). */
import { sampledDatabases } from "#test/app.ts";
import { type FakeShop, fakeShop } from "#test/fakeShop.ts";
import { dayMs, paymentBeds } from "#test/payments.ts";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { periodEnd } from "#core/questionnaire/calendar.ts";
import type { SubscriptionFact, TransactionFact } from "./provider.ts";

const paidUntil = (time: number) => new Date(time).toISOString().slice(0, 10);

describe.each(sampledDatabases)("a cancellation on %s", (database) => {
  const at = paymentBeds(database);
  const cancelled = async () =>
    (await at.store.read.selectFrom("mail_outbox").select("data").where("template", "=", "cancelled").execute()).map(({ data }) =>
      JSON.parse(data),
    );
  const duties = async () =>
    (
      await at.store.read
        .selectFrom("payment_duties")
        .select(["kind", "done_at"])
        .where("kind", "in", ["cancel-subscription", "refund-part"])
        .orderBy("kind")
        .execute()
    ).map(({ kind, done_at: done }) => [kind, done !== null]);
  const pass = async (days: number) => {
    at.bed.clock.now += days * dayMs;
    await at.bed.payments.reconcile();
    await at.bed.settled();
  };

  /** A subscription in its second year, this many days after the renewal. */
  async function secondYear(product: string, days: number, locale = "de-DE") {
    const account = await at.bed.account();
    await at.store.write((queries) => queries.updateTable("accounts").set({ locale }).where("uuid", "=", account).execute());
    const bought = await at.bed.buy(account, product);
    at.bed.clock.now += 365 * dayMs;
    bought.engine.renew(bought.subscriptionId);
    await at.bed.settled();
    const renewedAt = at.bed.clock.now;
    await pass(days);
    return { account, bought, renewedAt };
  }

  it.each(["subscription-12m-eur", "subscription-12m-eur-classic"])(
    "of %s in the second year takes effect at the end of the current month, and the price of the other months is refunded once",
    async (product) => {
      const { account, bought, renewedAt } = await secondYear(product, 40);
      const asked = await at.bed.payments.planOf(account);
      const plan = await at.bed.payments.changePlan(account, "cancel");
      await at.bed.settled();
      // It renews a year after 2026-11-20. 40 days later, the second month has begun.
      const end = new Date(renewedAt);
      end.setUTCMonth(end.getUTCMonth() + 2);
      expect(paidUntil(plan?.end ?? 0)).toBe(paidUntil(end.getTime()));
      expect(plan?.change).toEqual({ action: "cancel", at: plan?.end });
      const back = Math.floor((13_080 * 10) / 12);
      // Before the cancellation, the plan named the same end and amount.
      expect([asked?.earlyEnd, plan?.earlyEnd]).toEqual([{ endsAt: plan?.end, back }, null]);
      // After it, the plan's page names the amount until the plan ends.
      expect([asked?.refundAtEnd, plan?.refundAtEnd]).toEqual([null, back]);
      expect(await cancelled()).toMatchObject([{ until: paidUntil(end.getTime()), rest: { total: back, currency: "EUR" } }]);
      expect(await duties()).toEqual([]);

      await pass(25);
      await pass(1);
      expect(await duties()).toEqual([
        ["cancel-subscription", true],
        ["refund-part", true],
      ]);
      // Paddle Classic ends a subscription only with its period, but access ends with the contract.
      expect(bought.engine.getSubscription(bought.subscriptionId).status).toBe(product.endsWith("classic") ? "active" : "canceled");
      const given = bought.engine
        .transactions()
        .flatMap(({ id }) => bought.engine.getTransaction(id).adjustments ?? [])
        .map(({ action, totals }) => [action, totals?.total]);
      expect(given).toEqual([["refund", String(back)]]);
      await pass(3);
      expect(await at.bed.entitlements(account)).toMatchObject([{ status: "deleted" }]);
    },
  );

  it.each(["subscription-12m-eur", "subscription-12m-eur-classic"])(
    "of %s lets its buyer have another plan once the contract has ended, although Paddle Classic's subscription runs until its term ends",
    async (product) => {
      const { account } = await secondYear(product, 40);
      await at.bed.payments.changePlan(account, "cancel");
      await at.bed.settled();
      await pass(25);
      await pass(4);
      expect(await at.bed.entitlements(account)).toMatchObject([{ status: "deleted" }]);
      const again = await at.bed.buy(account, "subscription-3m-eur");
      await pass(0);
      expect(again.engine.getTransaction(again.transactionId).adjustments ?? []).toEqual([]);
      expect(await at.bed.entitlements(account)).toMatchObject([{ status: "active" }, { status: "deleted" }]);
    },
  );

  describe.each(["before it", "after it"])("of a plan of whose price an operator has returned a part %s", (when) => {
    async function returned(product: string) {
      const { account, bought } = await secondYear(product, 40);
      const { transaction_id: transactionId } = await at.store.read
        .selectFrom("money_entries")
        .select("transaction_id")
        .orderBy("at", "desc")
        .executeTakeFirstOrThrow();
      const refund = { accountUuid: account, transactionId, amount: 10_000, id: randomUUID(), andEnd: false };
      const steps = [
        async () => expect(await at.bed.payments.refundPayment(refund, async () => {})).toBe("begun"),
        async () => void (await at.bed.payments.changePlan(account, "cancel")),
      ];
      for (const step of when === "before it" ? steps : steps.toReversed()) {
        await step();
        await at.bed.settled();
      }
      const promised = (await at.bed.payments.planOf(account))?.refundAtEnd;
      await pass(25);
      await pass(1);
      const given = bought.engine
        .transactions()
        .flatMap(({ id }) => bought.engine.getTransaction(id).adjustments ?? [])
        .map(({ totals }) => totals?.total);
      return { promised, given: given.toSorted() };
    }

    it("promises and returns no more than is left", async () => {
      const share = Math.floor(((13_080 - 10_000) * 10) / 12);
      const [promised, rest] = when === "before it" ? [share, share] : [Math.floor((13_080 * 10) / 12), 3_080];
      expect(await returned("subscription-12m-eur")).toEqual({ promised, given: ["10000", String(rest)] });
      expect(await duties()).toEqual([
        ["cancel-subscription", true],
        ["refund-part", true],
      ]);
    });

    it("is not done at a provider that returns one part only: a person has to look", async () => {
      expect((await returned("subscription-12m-eur-classic")).given).toEqual(["10000"]);
      expect(await duties()).toEqual([
        ["cancel-subscription", true],
        ["refund-part", false],
      ]);
    });
  });

  it("leaves a plan to which no days can be granted: they would not be usable", async () => {
    const { account } = await secondYear("subscription-12m-eur-classic", 40);
    await at.bed.payments.changePlan(account, "cancel");
    await at.bed.settled();
    const grant = () => at.bed.payments.grantDays(account, { id: randomUUID(), days: 7 }, async () => {});
    expect(await grant()).toBe("no plan");
    await pass(30);
    expect([await grant(), await at.bed.entitlements(account)]).toMatchObject(["no plan", [{ status: "deleted" }]]);
  });

  it("takes effect at the end of the term in the first term, and where no law demands an earlier end", async () => {
    const first = await at.bed.account();
    await at.bed.buy(first, "subscription-12m-eur");
    await pass(40);
    expect((await at.bed.payments.planOf(first))?.earlyEnd).toBeNull();
    const plan = await at.bed.payments.changePlan(first, "cancel");
    expect(paidUntil(plan?.end ?? 0)).toBe("2027-11-20");
    const { account, renewedAt } = await secondYear("subscription-12m-mxn", 40, "es-419");
    const other = await at.bed.payments.changePlan(account, "cancel");
    expect((other?.end ?? 0) - renewedAt).toBeGreaterThan(360 * dayMs);
    expect((await cancelled()).map(({ rest }) => rest)).toEqual([undefined, undefined]);
  });

  it("that is undone ends nothing", async () => {
    const { account, bought } = await secondYear("subscription-12m-eur", 40);
    await at.bed.payments.changePlan(account, "cancel");
    await at.bed.settled();
    const kept = await at.bed.payments.changePlan(account, "keep");
    await at.bed.settled();
    expect(kept?.change).toBeNull();
    await pass(40);
    expect([await duties(), bought.engine.getSubscription(bought.subscriptionId).status]).toEqual([[], "active"]);
  });
});

describe.each(sampledDatabases)("the rest of a term that a cancellation returns, on %s:", (database) => {
  let shop: FakeShop;
  beforeAll(async () => {
    shop = await fakeShop(database);
  });
  afterAll(() => shop.close());

  /** A plan with these renewals, the last of them at the beginning of a year, and its owner's mail about a cancellation. */
  async function bought(product: string, renewals: readonly Partial<TransactionFact>[], later: number) {
    const account = await shop.account();
    const order = await shop.order(account, product);
    const id = `sub ${order.id}`;
    // The months have as many days as from January 1970.
    shop.world.pass(Date.parse("2027-01-01") - shop.world.now());
    const renewedAt = shop.world.now();
    const first = { subscriptionId: id, total: order.price, billedAt: renewedAt - renewals.length * 365 * dayMs };
    await shop.tell(shop.paid(order, first));
    for (const fact of renewals) {
      const own = { id: `${fact.id} ${order.id}`, orderId: null, subscriptionId: id, billedAt: renewedAt + (fact.billedAt ?? 0) };
      await shop.tell(shop.paid(order, { ...fact, ...own }));
    }
    shop.world.pass(later);
    const end = renewedAt + 365 * dayMs;
    const plan = { kind: "subscription", id, status: "active", transactionId: order.transaction_id, end, trialing: false } as const;
    const tell = (fact: Partial<SubscriptionFact>) => shop.tell({ ...plan, nextCharge: end, change: null, ...fact });
    await tell({});
    const mails = shop.store.read.selectFrom("mail_outbox").select("data").where("account_uuid", "=", account);
    const cancelled = async () => {
      const [mail] = await mails.where("template", "=", "cancelled").execute();
      return mail === undefined ? null : JSON.parse(mail.data);
    };
    const cancel = () => tell({ nextCharge: null, change: { action: "cancel", at: end } });
    return { order, id, tell, cancel, cancelled };
  }

  const [year, total] = ["subscription-12m-eur", 13_081];
  const renewed = { id: "1 renewal", total };
  it.each<[string, string, readonly Partial<TransactionFact>[], number, number | null]>([
    ["11 of 12 months in the first one after a renewal", year, [renewed], 0, Math.floor((total * 11) / 12)],
    ["11 of 12 until that month ends", year, [renewed], periodEnd(0, 1, "month") - 1, Math.floor((total * 11) / 12)],
    ["10 of 12 from then on", year, [renewed], periodEnd(0, 1, "month"), Math.floor((total * 10) / 12)],
    ["the last month before that begins", year, [renewed], periodEnd(0, 11, "month") - 1, Math.floor(total / 12)],
    ["nothing in the last month", year, [renewed], periodEnd(0, 11, "month"), null],
    [
      "11 of 12 months in the third term, too",
      year,
      [
        { id: "1 renewal", total: 120, billedAt: -365 * dayMs },
        { ...renewed, id: "2 renewal" },
      ],
      0,
      Math.floor((total * 11) / 12),
    ],
    ["nothing in the first term", year, [], 0, null],
    ["nothing if only something else was charged", year, [{ ...renewed, forPeriod: false }], 0, null],
    ["nothing if nothing was charged", year, [{ ...renewed, total: 0 }], 0, null],
    ["nothing before the renewal is paid", year, [{ ...renewed, status: "open" }], 0, null],
    ["nothing of a plan by the month", "subscription-1m-eur", [renewed], 0, null],
  ])("%s", async (_, product, renewals, later, rest) => {
    const { cancel, cancelled } = await bought(product, renewals, later);
    await cancel();
    expect((await cancelled())?.rest?.total ?? null).toBe(rest);
  });

  it("nothing if the provider ends it at once", async () => {
    const { tell, cancelled } = await bought(year, [renewed], 0);
    await tell({ status: "canceled" });
    expect(await cancelled()).toMatchObject({ until: null });
    expect(await cancelled()).not.toHaveProperty("rest");
  });

  it("is returned even if something else is reported about the plan until then", async () => {
    const { order, id, cancel } = await bought(year, [renewed], 0);
    await cancel();
    const refund = { id: `adj ${order.id}`, transactionId: order.transaction_id ?? "", subscriptionId: id, total: 5, at: null } as const;
    await shop.tell({ kind: "adjustment", action: "refund", full: false, approved: true, ...refund });
    shop.world.pass(31 * dayMs);
    // A round carries out twenty duties.
    for (let round = 0; round < 2; round++) await shop.payments.reconcile();
    const part = { amount: Math.floor((total * 11) / 12), id: null };
    expect(shop.provider.refund.mock.calls).toContainEqual([`1 renewal ${order.id}`, "cancelled after the first term", part]);
  });
});
