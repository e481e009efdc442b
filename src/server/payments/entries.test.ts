/** Money entries: what each payment, refund, chargeback and reversal moved, and for which order, however it is reported. */
import type { Store } from "#server/store/store.ts";
import { sampledDatabases } from "#test/app.ts";
import { type FakeShop, fakeShop } from "#test/fakeShop.ts";
import type { KyselyPlugin } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type Entry, entriesOf } from "./entries.ts";
import { createPayments } from "./payments.ts";
import type { AdjustmentFact, Fact, SubscriptionFact, TransactionFact } from "./provider.ts";

const at = Date.parse("2026-11-20T12:00:00Z");
const day = 86_400_000;
const transaction = (fact: Partial<TransactionFact> = {}): TransactionFact => ({
  kind: "transaction",
  id: "txn",
  status: "completed",
  items: [{ priceId: "price", quantity: 1 }],
  subscriptionId: "sub",
  orderId: "order",
  total: 1_000,
  tax: 138,
  fee: 60,
  currency: "MXN",
  forPeriod: true,
  billedAt: at,
  periodEnd: at + 30 * day,
  ...fact,
});
const adjustment = (id: string, action: AdjustmentFact["action"], fact: Partial<AdjustmentFact> = {}): AdjustmentFact => ({
  kind: "adjustment",
  id,
  transactionId: "txn",
  subscriptionId: "sub",
  action,
  full: false,
  approved: true,
  total: null,
  at: null,
  ...fact,
});

describe("the entries of a payment", () => {
  const paid: Entry = {
    id: "txn",
    kind: "payment",
    transaction_id: "txn",
    subscription_id: "sub",
    for_period: 1,
    at,
    day: "2026-11-20",
    currency: "MXN",
    gross: 1_000,
    tax: 138,
    fee: 60,
    period_end: at + 30 * day,
  };

  it.each<[string, Partial<TransactionFact>, Partial<Entry> | null]>([
    ["have all that was reported", {}, {}],
    ["of something else than a period say so", { forPeriod: false }, { for_period: 0 }],
    ["without a time stand at the beginning", { billedAt: null }, { at: 0, day: "1970-01-01" }],
    ["have no tax if it is not known yet", { taxUntold: true }, { tax: null }],
    ["have the tax if it is known", { taxUntold: false }, {}],
    ["have no fee if none was reported", { fee: undefined }, { fee: null }],
    ["are none before it is paid", { status: "open" }, null],
    ["are none without a currency", { currency: null }, null],
    ["are none with an empty currency", { currency: "" }, null],
  ])("%s", (_, fact, entry) => {
    expect(entriesOf(transaction(fact), [])).toEqual(entry === null ? [] : [{ ...paid, ...entry }]);
  });

  const all = { full: true };
  it.each<[string, readonly AdjustmentFact[], readonly (readonly [id: string, kind: string, gross: number])[]]>([
    ["a refund without an amount is of everything", [adjustment("a", "refund")], [["a", "refund", 1_000]]],
    ["what is not approved or moves nothing is none", [adjustment("a", "refund", { approved: false }), adjustment("b", "other")], []],
    [
      "the second one is of what is left, in time",
      [adjustment("a", "refund", { at: at + 2 }), adjustment("b", "refund", { at: at + 1, total: 400 })],
      [
        ["b", "refund", 400],
        ["a", "refund", 600],
      ],
    ],
    [
      "of two at one time the first by id is first",
      [adjustment("c", "refund", { total: 300 }), adjustment("a", "refund", { total: 400 }), adjustment("b", "refund")],
      [
        ["a", "refund", 400],
        ["b", "refund", 600],
        ["c", "refund", 300],
      ],
    ],
    [
      "nothing is left of more than everything",
      [adjustment("a", "refund", { total: 1_200 }), adjustment("b", "refund")],
      [
        ["a", "refund", 1_200],
        ["b", "refund", 0],
      ],
    ],
    [
      "a reversal is of what the bank took",
      [adjustment("a", "refund", { total: 100 }), adjustment("b", "chargeback", { total: 400 }), adjustment("c", "chargeback_reverse")],
      [
        ["a", "refund", 100],
        ["b", "chargeback", 400],
        ["c", "reversal", 400],
      ],
    ],
    [
      "each reversal is of what is left of it",
      [
        adjustment("a", "chargeback"),
        adjustment("b", "chargeback_reverse", { total: 300 }),
        adjustment("c", "chargeback_reverse"),
        adjustment("d", "chargeback_reverse"),
      ],
      [
        ["a", "chargeback", 1_000],
        ["b", "reversal", 300],
        ["c", "reversal", 700],
        ["d", "reversal", 0],
      ],
    ],
  ])("beside the payment: %s", (_, adjustments, entries) => {
    for (const told of [adjustments, adjustments.toReversed()])
      expect(entriesOf(transaction(), told).map(({ id, kind, gross }) => [id, kind, gross])).toEqual([
        ["txn", "payment", 1_000],
        ...entries,
      ]);
  });

  it.each<[string, Partial<AdjustmentFact>, Partial<TransactionFact>, Partial<Entry>]>([
    ["have the payment's tax", all, {}, { tax: 138 }],
    ["have it with the amount, too", { ...all, total: 1_000 }, {}, { tax: 138 }],
    ["have none of a payment whose tax is not known", all, { taxUntold: true }, { tax: null }],
    ["have none of another amount", { ...all, total: 900 }, {}, { tax: null, gross: 900 }],
    ["have none in part", { total: 1_000 }, {}, { tax: null }],
    ["have what was reported", { ...all, tax: 69, fee: 12 }, {}, { tax: 69, fee: 12 }],
    ["have their own time", { at: at + day, total: 1 }, {}, { at: at + day, day: "2026-11-21", gross: 1, tax: null }],
    ["have the time of a payment without one", { total: 1 }, { billedAt: null }, { at: 0, day: "1970-01-01", gross: 1, tax: null }],
  ])("of a refund %s", (_, fact, payment, entry) => {
    const [, refund] = entriesOf(transaction(payment), [adjustment("a", "refund", fact)]);
    expect(refund).toEqual({ ...paid, id: "a", kind: "refund", fee: null, period_end: null, ...entry });
  });
});

describe.each(sampledDatabases)("the books on %s", (database) => {
  let shop: FakeShop;
  beforeAll(async () => {
    shop = await fakeShop(database);
  });
  afterAll(() => shop.close());

  /** The entries of these transactions: id, order and amount. */
  const entries = async (...transactions: readonly string[]) =>
    (
      await shop.store.read
        .selectFrom("money_entries")
        .select(["id", "payment_provider", "order_id", "gross"])
        .where("transaction_id", "in", transactions)
        .orderBy("id")
        .execute()
    ).map(({ id, payment_provider: provider, order_id: order, gross }) => [provider, id, order, gross]);
  const opened = async () => {
    const order = await shop.order(await shop.account(), "onetime-3m-mxn");
    return { order, transactionId: order.transaction_id ?? "", subscriptionId: `sub ${order.id}`, renewalId: `1 ${order.id}` };
  };
  const renewal = (id: string, subscriptionId: string | null, total = 500) =>
    transaction({ id, subscriptionId, orderId: null, total, billedAt: shop.world.now() });

  it("have a refund that was reported before its payment", async () => {
    const { order, transactionId } = await opened();
    await shop.tell(adjustment(`1 ${order.id}`, "refund", { transactionId, subscriptionId: null, total: 100 }));
    expect(await entries(transactionId)).toEqual([]);
    await shop.tell(shop.paid(order));
    expect(await entries(transactionId)).toEqual([
      ["paddlebilling", `1 ${order.id}`, order.id, 100],
      ["paddlebilling", transactionId, order.id, order.price],
    ]);
  });

  it("have a renewal's order once its subscription has one, and no other's", async () => {
    const { order, subscriptionId, renewalId } = await opened();
    const [stranger, single] = [`2 ${order.id}`, `3 ${order.id}`];
    await shop.tell(renewal(renewalId, subscriptionId));
    await shop.tell(renewal(stranger, `another ${subscriptionId}`));
    await shop.tell(renewal(single, null));
    expect((await entries(renewalId, stranger, single)).map(([, , id]) => id)).toEqual([null, null, null]);
    await shop.tell(shop.paid(order, { subscriptionId }));
    expect((await entries(renewalId, stranger, single)).map(([, , id]) => id)).toEqual([order.id, null, null]);
  });

  it("have the newest report of a payment, and keep the order that it once named", async () => {
    const id = shop.world.uuid();
    await shop.tell(transaction({ id, orderId: "another shop's", subscriptionId: null }));
    await shop.tell(transaction({ id, orderId: null, subscriptionId: null, total: 900 }));
    expect(await entries(id)).toEqual([["paddlebilling", id, "another shop's", 900]]);
  });

  it("have the order of a payment that becomes its own later", async () => {
    const { order } = await opened();
    const payment = (total: number) => transaction({ id: `4 ${order.id}`, orderId: null, subscriptionId: null, total });
    const { id } = payment(0);
    await shop.tell(payment(800));
    await shop.store.write((queries) => queries.updateTable("orders").set({ transaction_id: id }).where("id", "=", order.id).execute());
    await shop.tell(payment(900));
    expect(await entries(id)).toEqual([["paddlebilling", id, order.id, 900]]);
  });

  it("get what was stored before there were entries, with its order, at the next start", async () => {
    await shop.store.write((queries) => queries.deleteFrom("provider_facts").execute());
    const { order, transactionId, subscriptionId, renewalId } = await opened();
    await shop.tell(shop.paid(order, { subscriptionId }));
    await shop.tell(renewal(renewalId, subscriptionId));
    await shop.tell(adjustment(`back ${order.id}`, "refund", { transactionId, subscriptionId: null, total: 100 }));
    const booked = await entries(transactionId, renewalId);
    expect(booked.map(([, , id]) => id)).toEqual([order.id, order.id, order.id]);
    const restarted = async (...missing: readonly string[]) => {
      await shop.store.write((queries) => queries.deleteFrom("money_entries").where("transaction_id", "in", missing).execute());
      const next = shop.newProcess();
      next.start();
      await next.settled();
      await next.stop();
      return entries(transactionId, renewalId);
    };
    expect(await restarted(transactionId)).toEqual(booked);
    // One that is not paid has no entry.
    const unpaid = transaction({ id: `1 open ${order.id}`, orderId: null, subscriptionId });
    await shop.tell({ ...unpaid, status: "open" });
    expect(await restarted(renewalId)).toEqual(booked);
    expect(await restarted(transactionId, renewalId)).toEqual(booked);
    expect(shop.said).not.toContain("Earlier payments could not be booked.");
    await shop.tell(unpaid);
  });

  describe("at a start with very many checkouts that nobody has paid", () => {
    const many = 450;
    const abandoned = (ids: readonly string[]) =>
      shop.store.write((queries) =>
        queries
          .insertInto("provider_facts")
          .values(
            ids.map((id) => ({
              payment_provider: "paddlebilling",
              id,
              version: "1",
              transaction_id: id,
              fact: JSON.stringify({ ...transaction({ id, orderId: null, subscriptionId: null }), status: "open" }),
            })),
          )
          .execute(),
      );
    const removed = () =>
      shop.store.write((queries) => queries.deleteFrom("provider_facts").where("id", "like", "0 never paid%").execute());
    beforeEach(() => abandoned(Array.from({ length: many }, (_, n) => `0 never paid ${String(n).padStart(5, "0")}`)));
    afterEach(removed);

    /** Another process. Its reads of all facts wait until they are let through. */
    function anotherProcess() {
      const passing = Promise.withResolvers<void>();
      const readings = vi.fn<() => void>();
      const held = new WeakSet<object>();
      const holding: KyselyPlugin = {
        transformQuery: ({ node, queryId }) => {
          if (node.kind === "SelectQueryNode" && node.limit !== undefined && JSON.stringify(node.from).includes('"provider_facts"'))
            held.add(queryId);
          return node;
        },
        transformResult: async ({ result, queryId }) => {
          if (!held.has(queryId)) return result;
          readings();
          await passing.promise;
          return result;
        },
      };
      const write = vi.fn<() => void>();
      const store: Store = {
        ...shop.store,
        read: shop.store.read.withPlugin(holding),
        write: (work) => {
          write();
          return shop.store.write(work);
        },
      };
      const silent = { warn: () => undefined, error: () => undefined };
      const { world, provider } = shop;
      const payments = createPayments({ store, world, providers: [provider], log: silent, secretKeys: ["key"], onMail: () => undefined });
      payments.start();
      return { payments, readings, write, pass: () => passing.resolve() };
    }

    it("a webhook is applied before all of them have been read", async () => {
      const { order } = await opened();
      const { payments, readings, pass } = anotherProcess();
      await expect.poll(() => readings.mock.calls.length).toBeGreaterThan(0);
      const payload = JSON.stringify([{ version: "9", fact: shop.paid(order) }]);
      shop.provider.verify.mockReturnValueOnce({ eventId: shop.world.uuid(), eventType: "told", payload });
      expect(await payments.receive("paddlebilling", Buffer.from(payload), {})).toBe(true);
      await expect.poll(() => shop.standing(order)).toBe("completed");
      pass();
      await payments.settled();
      await payments.stop();
    });

    it("they are read in pieces, nothing is written for them, and a process that stops reads no further", async () => {
      const { payments, readings, write, pass } = anotherProcess();
      await expect.poll(() => readings.mock.calls.length).toBeGreaterThan(0);
      write.mockClear();
      pass();
      await payments.settled();
      expect(readings.mock.calls.length).toBeGreaterThan(2);
      expect(write).not.toHaveBeenCalled();
      await payments.stop();

      const stopping = anotherProcess();
      await expect.poll(() => stopping.readings.mock.calls.length).toBeGreaterThan(0);
      const stopped = stopping.payments.stop();
      stopping.pass();
      await stopped;
      expect(stopping.readings).toHaveBeenCalledOnce();
    });
  });

  const subscription = (status: SubscriptionFact["status"], change: SubscriptionFact["change"] = null): Partial<SubscriptionFact> => ({
    kind: "subscription",
    status,
    change,
  });
  const ending = subscription("active", { action: "cancel", at: at + day });
  const payment = (status: TransactionFact["status"]): Partial<TransactionFact> => ({ kind: "transaction", status });
  it.each<[string, readonly Partial<Fact>[], readonly string[]]>([
    ["a failed renewal once", ["active", "past_due", "past_due", "active"].map((status) => subscription(status as "active")), ["failed"]],
    ["each failed renewal", ["past_due", "active", "past_due"].map((status) => subscription(status as "active")), ["failed", "failed"]],
    ["a payment that is due once", [payment("open"), payment("past_due"), payment("past_due"), payment("completed")], ["failed"]],
    [
      "a cancellation once, though it takes effect later",
      [subscription("active"), ending, ending, subscription("canceled")],
      ["cancelled"],
    ],
    ["an end at once", [subscription("active"), subscription("canceled"), subscription("canceled")], ["cancelled"]],
    ["a cancellation that is known first", [ending], ["cancelled"]],
    ["that a cancellation was undone", [ending, subscription("active"), subscription("active")], ["cancelled", "kept"]],
    ["a pause", [subscription("active"), subscription("paused")], ["paused"]],
    ["a pause once", [subscription("active"), subscription("paused"), subscription("paused"), subscription("active")], ["paused"]],
    ["no pause that is planned", [subscription("active"), subscription("active", { action: "pause", at: at + day })], []],
  ])("note %s", async (_, reports, kinds) => {
    const id = shop.world.uuid();
    const base = {
      subscription: { transactionId: null, end: at + 90 * day, trialing: false, nextCharge: null },
      transaction: transaction(),
    };
    for (const report of reports) {
      shop.world.pass(1_000);
      const ids = report.kind === "transaction" ? { id: `txn ${id}`, subscriptionId: id, orderId: null } : { id };
      await shop.tell({ ...(report.kind === "transaction" ? base.transaction : base.subscription), ...report, ...ids } as Fact);
    }
    const moments = await shop.store.read.selectFrom("plan_moments").selectAll().where("subscription_id", "=", id).orderBy("at").execute();
    expect(moments.map(({ kind }) => kind)).toEqual(kinds);
    expect(new Set(moments.map(({ payment_provider: provider }) => provider))).toEqual(new Set(kinds.length > 0 ? ["paddlebilling"] : []));
  });

  it("note nothing of a payment without a subscription, nor of a refund", async () => {
    const id = shop.world.uuid();
    await shop.tell(transaction({ id, status: "past_due", subscriptionId: null, orderId: null }));
    await shop.tell(adjustment(`refund ${id}`, "refund", { transactionId: id, subscriptionId: id }));
    const stored = await shop.store.read.selectFrom("provider_facts").select("id").where("transaction_id", "=", id).execute();
    expect(stored).toHaveLength(2);
    expect(await shop.store.read.selectFrom("plan_moments").select("at").where("subscription_id", "=", id).execute()).toEqual([]);
  });
});
