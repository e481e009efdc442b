/** The money screen's calls over real payments through the stand-in. */
import { createTestApp, createTestStore, databases, type TestApp } from "#test/app.ts";
import { type PaymentBed, paymentBed } from "#test/payments.ts";
import { signInOperator, type StudioClient } from "#test/studio.ts";
import { watchStatements } from "#test/statements.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const days = { from: "2026-11-01", to: "2026-11-30" };
const dayMs = 86_400_000;

describe.each(databases)("the studio's money (%s)", (database) => {
  let t: TestApp;
  let bed: PaymentBed;
  let admin: StudioClient;
  beforeEach(async () => {
    const store = await createTestStore(database);
    bed = await paymentBed(store);
    t = await createTestApp({ database, store, parts: { payments: bed.payments } });
    admin = await signInOperator(t, "admin");
  });
  afterEach(async () => {
    await bed.close();
    await t.close();
  });
  const paidOnce = async (productId: string) => bed.buy(await bed.account(), productId);

  it("sums payments and refunds, with the provider's tax and fee, and opens the rows of each sum", async () => {
    bed.taxOnTop = 16;
    const bought = await paidOnce("onetime-3m-mxn");
    await paidOnce("onetime-3m-eur");
    bought.engine.adjust(bought.transactionId, "refund", "partial", 10_000);
    await bed.settled();
    const totals = bought.engine.getTransaction(bought.transactionId).details?.totals;
    const found = await admin.call("money", days);
    const mxn = found.groups.find(({ currency }) => currency === "MXN")?.sums;
    expect(mxn).toMatchObject({
      gross: Number(totals?.total),
      tax: Number(totals?.tax),
      fees: Number(totals?.fee),
      refunds: 10_000,
      chargebacks: 0,
      payments: 1,
      refunded: 1,
      untold: 0,
    });
    expect(mxn?.tax).toBeGreaterThan(0);
    expect(mxn?.fees).toBeGreaterThan(0);
    const { rows } = await admin.call("moneyRows", { ...days, currency: "MXN" });
    expect(rows.map(({ kind }) => kind)).toEqual(["refund", "payment"]);
    expect(rows.reduce((sum, { net }) => sum + net, 0)).toBe(mxn?.net);
    expect((await admin.call("moneyRows", { ...days, currency: "MXN", kind: "refund" })).rows).toMatchObject([
      { gross: 10_000, transactionId: bought.transactionId, product: "onetime-3m-mxn" },
    ]);
    expect(found.counts.refunded).toEqual({ due: 2, paid: 1 });
    for (const by of ["product", "country", "provider", "day"] as const) {
      const { groups } = await admin.call("money", { ...days, by });
      const sum = groups.filter(({ currency }) => currency === "MXN").reduce((total, { sums }) => total + sums.net, 0);
      expect([by, sum]).toEqual([by, mxn?.net]);
    }
  });

  it("accepts the last possible day, and no more days than a chart shows", async () => {
    const last = { from: "9999-12-31", to: "9999-12-31" };
    expect((await admin.call("money", last)).days.map(({ day }) => day)).toEqual(["9999-12-31"]);
    for (const many of [
      { from: "0000-01-01", to: "9999-12-31" },
      { from: "2026-11-02", to: "2026-11-01" },
    ])
      expect(await admin.refusal("money", many)).toMatchObject({ code: 1000 });
  });

  it("counts on a thread of its own: 15,000 payments and 300,000 checkouts kept everybody else on SQLite waiting for 0.8 s", async () => {
    const watched = watchStatements();
    await admin.call("money", { from: "2026-11-01", to: "2026-11-30" });
    await admin.call("cohorts", { months: "5" });
    expect(watched.seen.map((one) => one.sql).filter((text) => /money_entries|plan_moments|"orders"/.test(text))).toEqual([]);
  });

  it("leaves currencies without a rate out of the total, says so, and converts them once an admin has imported a rate", async () => {
    await paidOnce("onetime-3m-mxn");
    await paidOnce("onetime-3m-eur");
    const without = await admin.call("money", days);
    expect(without.withoutRate).toEqual(["MXN"]);
    const eur = without.groups.find(({ currency }) => currency === "EUR");
    expect(without.total.net).toBe(eur?.sums.net);
    expect(without.groups.find(({ currency }) => currency === "MXN")?.inBase).toBeNull();

    expect(await admin.refusal("ratesImport", { csv: "day,currency,rate\n2026-11-18,MXN,-1", source: "ECB" })).toMatchObject({
      code: 1000,
      fields: { csv: "line 2" },
    });
    expect((await admin.call("rates", {})).rates).toEqual([]);
    const imported = { csv: "day,currency,rate\n2026-11-17,MXN,20\n2026-11-18,MXN,25.00\n", source: "ECB" };
    expect(await admin.call("ratesImport", imported)).toEqual({ imported: 2, changed: 0 });
    expect((await (await signInOperator(t, "publisher")).refusal("ratesImport", imported)).code).toBe(1403);
    const found = await admin.call("money", days);
    const mxn = found.groups.find(({ currency }) => currency === "MXN");
    expect(found).toMatchObject({ ratesDay: "2026-11-18", ratesSource: "ECB", withoutRate: [] });
    expect(mxn?.rate).toEqual({ rate: "25.00", day: "2026-11-18", source: "ECB" });
    expect(mxn?.inBase?.gross).toBe(Math.round((mxn?.sums.gross ?? 0) / 25));
    expect(found.total.net).toBe((eur?.sums.net ?? 0) + (mxn?.inBase?.net ?? 0));
    expect(found.days.reduce((sum, { sums }) => sum + sums.net, 0)).toBe(found.total.net);
    expect((await admin.call("audit", {})).rows.map(({ action }) => action)).toContain("exchange rates imported");
  });

  it("takes a file of thousands of exchange rates in a few statements, and of two for a day the last one", async () => {
    const ratesOf = (rate: string) =>
      Array.from({ length: 2_000 }, (_, n) => `${new Date(Date.parse("2026-11-18") - n * dayMs).toISOString().slice(0, 10)},USD,${rate}`);
    expect(await admin.call("ratesImport", { csv: ratesOf("1.1").join("\n"), source: "ECB" })).toEqual({ imported: 2_000, changed: 0 });
    const statements = watchStatements();
    const csv = [...ratesOf("1.1").slice(0, 1_500), ...ratesOf("1.2").slice(1_500), "2026-11-18,USD,1.3"].join("\n");
    expect(await admin.call("ratesImport", { csv, source: "ECB" })).toEqual({ imported: 2_001, changed: 501 });
    expect(statements.seen.length).toBeLessThan(30);
    const [latest] = (await admin.call("rates", {})).rates;
    expect(latest).toEqual({ currency: "USD", day: "2026-11-18", rate: "1.3", source: "ECB" });
  });

  it.each(["", "-classic"])("follows trials, renewals, failed charges and cancellations (subscription-3m-mxn%s)", async (suffix) => {
    const { engine, subscriptionId } = await paidOnce(`subscription-3m-mxn${suffix}`);
    const leaving = await paidOnce(`subscription-3m-mxn${suffix}`);
    engine.cancel(leaving.subscriptionId, true);
    await bed.settled();
    const pass = async (ms: number) => {
      bed.clock.now += ms;
      t.world.pass(ms);
      admin = await signInOperator(t, "admin");
    };
    const next = () => Date.parse(engine.getSubscription(subscriptionId).next_billed_at ?? "") - bed.clock.now;
    await pass(next() + 1_000);
    engine.renew(subscriptionId);
    await bed.settled();
    const range = { from: "2026-11-01", to: "2027-06-30" };
    await pass(1_000);
    const converted = await admin.call("money", range);
    expect(converted.counts).toMatchObject({ trials: { due: 2, paid: 1 }, cancelled: 1 });
    // The start of a trial is not a payment.
    expect(converted.groups.map(({ sums }) => sums.payments)).toEqual([1]);
    await pass(next() + 1_000);
    engine.replaceCard(subscriptionId, { number: "4000002760003184", expiry: "12/40", cvc: "123", name: "Lucía Ramos" });
    engine.renew(subscriptionId);
    await bed.settled();
    await pass(1_000);
    expect((await admin.call("money", range)).counts).toMatchObject({ renewals: { due: 1, paid: 0 }, failed: { due: 1, paid: 0 } });
    const [failure, ...others] = (await admin.call("failedCharges", range)).rows;
    expect(others).toEqual([]);
    expect(failure).toMatchObject({ product: `subscription-3m-mxn${suffix}`, paidAt: null });
    expect((await admin.call("person", { uuid: failure?.person ?? "" })).payments).not.toEqual([]);
    // A viewer sees the failed charge, but not the person.
    const viewer = await signInOperator(t, "viewer");
    expect((await viewer.call("failedCharges", range)).rows).toEqual([{ ...failure, person: null }]);
    expect(await admin.call("failedCharges", { ...range, currency: "EUR" })).toEqual({ count: 0, rows: [] });
    await pass(dayMs);
    engine.recover(subscriptionId);
    await bed.settled();
    await pass(1_000);
    expect((await admin.call("money", range)).counts).toMatchObject({ renewals: { due: 1, paid: 1 }, failed: { due: 1, paid: 1 } });
    const paid = (await admin.call("failedCharges", range)).rows;
    expect(paid).toHaveLength(1);
    expect(paid[0]?.paidAt).toBeGreaterThan(paid[0]?.at ?? Infinity);
    const { rows } = await admin.call("cohorts", { months: "5" });
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ plans: 1, cells: [...Array.from({ length: 4 }, () => ({ of: 1, kept: 1 })), null] });
  });

  it("finds differences from the provider by id, amount and state, and takes over the provider's entries", async () => {
    const kept = await paidOnce("onetime-3m-mxn");
    await paidOnce("onetime-6m-mxn-classic");
    bed.hooksArrive = false;
    const account = await bed.account();
    const unheard = await bed.open(account, "onetime-6m-mxn");
    bed.standin.billing.setBuyer(unheard, { email: "lucia@ejemplo.mx", countryCode: "MX" });
    bed.standin.billing.pay(unheard, { number: "4242 4242 4242 4242", expiry: "12/40", cvc: "123", name: "Lucía" });
    await t.store.write((queries) => queries.updateTable("money_entries").set({ gross: 1 }).where("id", "=", kept.transactionId).execute());
    await t.store.write((queries) =>
      queries
        .insertInto("money_entries")
        .values({
          payment_provider: "paddlebilling",
          id: "txn_ghost",
          kind: "payment",
          transaction_id: "txn_ghost",
          for_period: 1,
          at: bed.clock.now,
          day: "2026-11-20",
          currency: "MXN",
          gross: 5,
        })
        .execute(),
    );
    bed.clock.now += 10 * 60_000;
    t.world.pass(10 * 60_000);
    expect(await admin.call("reconcile", { provider: "paddlebilling" })).toEqual({ agree: 0, differences: 3, problem: null });
    expect(await admin.call("reconcile", { provider: "paddle" })).toEqual({ agree: 1, differences: 0, problem: null });
    const found = (await admin.call("reconciliation", {})).find(({ provider }) => provider === "paddlebilling");
    const states = Object.fromEntries(found?.differences.map(({ id, state }) => [id, state]) ?? []);
    expect(states).toEqual({ [kept.transactionId]: "differs", [unheard]: "missing here", txn_ghost: "missing there" });
    expect(found?.prices).toEqual([]);
    const take = (transactionId: string) => ({ provider: "paddlebilling", transactionId, reason: "not told" }) as const;
    expect(await admin.call("reconcileTake", take(unheard))).toEqual({ agrees: true });
    expect(await admin.call("reconcileTake", take(kept.transactionId))).toEqual({ agrees: true });
    expect((await admin.refusal("reconcileTake", take("txn_ghost"))).code).toBe(1404);
    expect(await bed.entitlements(account)).toMatchObject([{ status: "active" }]);
    expect((await admin.call("audit", {})).rows.filter(({ action }) => action === "provider's state taken")).toHaveLength(2);
  });
});
