/** Refunds that operators ask for: how much can go back, and what the provider is asked for, once. */
import { sampledDatabases } from "#test/app.ts";
import { type FakeShop, fakeShop } from "#test/fakeShop.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { addDuty } from "./duties.ts";
import { createPayments } from "./payments.ts";
import { type AdjustmentFact, type Fact, ProviderFailure, type TransactionFact } from "./provider.ts";
import { leftOf, type RefundRequest } from "./refunds.ts";

const hour = 3_600_000;
const reason = "given back by support";

describe("what is left of a payment of 1000", () => {
  const payment: TransactionFact = {
    kind: "transaction",
    id: "txn",
    status: "completed",
    items: [],
    subscriptionId: null,
    orderId: null,
    total: 1_000,
    tax: 0,
    currency: "MXN",
    forPeriod: true,
    billedAt: 0,
    periodEnd: null,
  };
  const adjustment = (action: AdjustmentFact["action"], more: Partial<AdjustmentFact> = {}): AdjustmentFact => ({
    kind: "adjustment",
    id: "adj",
    transactionId: "txn",
    subscriptionId: null,
    action,
    full: false,
    approved: true,
    total: null,
    at: null,
    ...more,
  });
  const [part, all, taken, returned] = [
    adjustment("refund", { total: 300 }),
    adjustment("refund", { full: true }),
    adjustment("chargeback", { full: true, total: 900 }),
    adjustment("chargeback_reverse", { full: true, total: 900 }),
  ];

  it.each<[string, number, readonly AdjustmentFact[]]>([
    ["without a refund", 1_000, []],
    ["after a refund of everything", 0, [all]],
    ["after a part", 700, [part]],
    ["after two parts", 400, [part, part]],
    ["after a part and the rest", 0, [part, all]],
    ["after a part of an unknown amount", 1_000, [adjustment("refund")]],
    ["after a refund that is not approved", 1_000, [{ ...all, approved: false }]],
    ["after a refund of another payment", 1_000, [{ ...all, transactionId: "another" }]],
    ["once the buyer's bank has it", 0, [taken]],
    ["once the bank has returned it", 1_000, [taken, returned]],
    ["once the bank has taken it again", 0, [taken, returned, taken]],
    ["after something else", 1_000, [adjustment("other", { full: true, total: 300 })]],
  ])("%s is %i", (_, left, adjustments) => {
    expect(leftOf(payment, adjustments)).toBe(left);
  });
});

describe.each(sampledDatabases)("a refund by an operator on %s", (database) => {
  let shop: FakeShop;
  beforeAll(async () => {
    shop = await fakeShop(database);
  });
  beforeEach(() => {
    shop.provider.refund.mockReset().mockResolvedValue(undefined);
    shop.provider.knowsParts = true;
  });
  afterAll(() => shop.close());

  /** A paid order: requests of refunds, and the provider's reports about it. */
  async function paid(productId = "subscription-1m-mxn", fact: Partial<TransactionFact> = {}) {
    const account = await shop.account();
    const order = await shop.order(account, productId);
    const transaction = order.transaction_id ?? "";
    const subscriptionId = productId.startsWith("subscription") ? `sub ${order.id}` : null;
    await shop.tell(shop.paid(order, { subscriptionId, total: order.price, ...fact }));
    const note = vi.fn<() => Promise<void>>(async () => {});
    let requests = 0;
    /** Asks, and lets the duties be carried out. */
    async function ask(amount: number | null, more: Partial<RefundRequest> = {}) {
      const id = `${order.id} ${++requests}`;
      const request = { accountUuid: account, transactionId: transaction, amount, id, andEnd: false, ...more };
      const answer = await shop.payments.refundPayment(request, note);
      await shop.payments.settled();
      return answer;
    }
    const back = (action: AdjustmentFact["action"], more: Partial<AdjustmentFact> = {}) => {
      const id = shop.world.uuid();
      const own = { transactionId: transaction, subscriptionId, action, full: false, approved: true, total: null, at: null };
      return shop.tell({ kind: "adjustment", id, ...own, ...more });
    };
    return { account, order, total: order.price, transaction, subscriptionId, ask, back, note };
  }
  /** What the provider was asked to refund of these payments. */
  const refunds = (...transactions: readonly string[]) =>
    shop.provider.refund.mock.calls.filter(([transaction]) => transactions.includes(transaction));
  const ended = (subscription: string | null) => shop.provider.endSubscription.mock.calls.filter(([id]) => id === subscription).length;
  /** All tries have failed: a person has to look. */
  const givenUp = (orderId: string) =>
    shop.store.write((queries) =>
      queries.updateTable("payment_duties").set({ next_attempt_at: null }).where("order_id", "=", orderId).execute(),
    );

  it("of everything is asked for once, and again when the provider has not reported it within an hour", async () => {
    const { ask, note, transaction, total } = await paid();
    expect(await ask(null)).toBe("begun");
    expect([refunds(transaction), note.mock.calls.length]).toEqual([[[transaction, reason]], 1]);
    shop.world.pass(hour - 1);
    expect([await ask(null), await ask(100)]).toEqual(["too much", "too much"]);
    shop.world.pass(1);
    expect(await ask(total)).toBe("begun");
    expect([refunds(transaction), note.mock.calls.length]).toEqual([[1, 2].map(() => [transaction, reason]), 2]);
  });

  it("in parts has each part's id, and counts a part before the provider reports it, and once afterwards", async () => {
    const { ask, back, note, order, transaction, total } = await paid();
    const first = { id: `first ${order.id}` };
    expect(await ask(100, first)).toBe("begun");
    expect(await ask(100, first)).toBe("known");
    expect([refunds(transaction), note.mock.calls.length]).toEqual([[[transaction, reason, { amount: 100, id: first.id }]], 1]);
    expect(await ask(total - 99)).toBe("too much");
    await back("refund", { total: 100 });
    expect([await ask(total - 99), await ask(0), await ask(-1)]).toEqual(["too much", "too much", "too much"]);
    expect(await ask(200)).toBe("begun");
    expect(await ask(total - 300)).toBe("begun");
    expect(refunds(transaction).slice(1)).toEqual([
      [transaction, reason, { amount: 200, id: expect.any(String) }],
      [transaction, reason],
    ]);
    expect(await ask(1)).toBe("too much");
  });

  it("of a part is not asked for again while the provider does not answer, nor is the whole", async () => {
    const { ask, total } = await paid();
    shop.provider.refund.mockRejectedValue(new ProviderFailure("unavailable", "away"));
    expect([await ask(100), await ask(total)]).toEqual(["begun", "too much"]);
    expect(await ask(null)).toBe("begun");
    expect([await ask(null), await ask(1)]).toEqual(["too much", "too much"]);
  });

  it("that was given up can be asked for again, in part and wholly", async () => {
    const { ask, order, transaction, total } = await paid();
    shop.provider.refund.mockRejectedValue(new ProviderFailure("unavailable", "away"));
    await ask(100);
    await givenUp(order.id);
    expect(await ask(null)).toBe("begun");
    await givenUp(order.id);
    shop.provider.refund.mockReset().mockResolvedValue(undefined);
    expect(await ask(total)).toBe("begun");
    expect(refunds(transaction)).toEqual([[transaction, reason]]);
    const duties = shop.store.read.selectFrom("payment_duties").select(["attempts", "done_at", "error"]);
    expect(await duties.where("kind", "=", "refund").where("order_id", "=", order.id).execute()).toEqual([
      { attempts: 1, done_at: shop.world.now(), error: null },
    ]);
  });

  it("that the provider rejects later was given up, and can be asked for again, in part and wholly", async () => {
    const { ask, back, order, transaction, total } = await paid();
    const part = `part ${order.id}`;
    expect([await ask(100, { id: part }), await ask(null)]).toEqual(["begun", "begun"]);
    const duties = () =>
      shop.store.read
        .selectFrom("payment_duties")
        .select(["kind", "done_at", "next_attempt_at", "error"])
        .where("order_id", "=", order.id)
        .orderBy("kind")
        .execute();
    const [done, rejected] = [
      { done_at: shop.world.now(), next_attempt_at: null, error: null },
      { done_at: null, next_attempt_at: null, error: "The provider rejected this refund: nothing went back." },
    ];
    await back("refund", { approved: false, total: 100, rejected: `${reason} another` });
    expect(await duties()).toEqual([
      { kind: "refund", ...done },
      { kind: "refund-asked", ...done },
    ]);
    const [ofPart, ofRest] = [`adj part ${order.id}`, `adj rest ${order.id}`];
    await back("refund", { id: ofPart, approved: false, total: 100, rejected: `${reason} ${part}` });
    await back("refund", { id: ofRest, approved: false, total: total - 100, rejected: reason });
    expect(await duties()).toEqual([
      { kind: "refund", ...rejected },
      { kind: "refund-asked", ...rejected },
    ]);
    expect(await ask(total)).toBe("begun");
    // Told a second time, as by the provider's API.
    await back("refund", { id: ofRest, approved: false, total: total - 100, rejected: reason });
    expect(await duties()).toEqual([
      { kind: "refund", ...done },
      { kind: "refund-asked", ...rejected },
    ]);
    expect(refunds(transaction)).toHaveLength(3);
  });

  it("that is rejected while its request is under way is not done when the answer comes", async () => {
    const { ask, order, transaction } = await paid();
    const rejected = { action: "refund", full: true, approved: false, rejected: reason, total: null, at: null } as const;
    const fact = { kind: "adjustment", id: `adj ${order.id}`, transactionId: transaction, subscriptionId: null, ...rejected } as const;
    shop.provider.refund.mockImplementationOnce(() => shop.payments.applyFacts("paddlebilling", [{ version: "1", fact }]));
    expect(await ask(null)).toBe("begun");
    const duty = await shop.store.read.selectFrom("payment_duties").select(["done_at", "error"]).where("order_id", "=", order.id).execute();
    expect(duty).toEqual([{ done_at: null, error: "The provider rejected this refund: nothing went back." }]);
  });

  describe("at a provider that cannot tell parts apart", () => {
    beforeEach(() => {
      shop.provider.knowsParts = false;
    });

    it("is of one part and then of the rest", async () => {
      const { ask, transaction } = await paid();
      expect([await ask(100), await ask(100), await ask(null)]).toEqual(["begun", "parts", "begun"]);
      expect(refunds(transaction)).toEqual([
        [transaction, reason, { amount: 100, id: expect.any(String) }],
        [transaction, reason],
      ]);
    });

    it("is of no part after another one that the provider reported, but after a whole one that was given up", async () => {
      const [one, other] = [await paid(), await paid()];
      await one.back("refund", { total: 100 });
      expect([await one.ask(100), await one.ask(null)]).toEqual(["parts", "begun"]);
      shop.provider.refund.mockRejectedValue(new ProviderFailure("unavailable", "away"));
      await other.ask(null);
      await givenUp(other.order.id);
      expect(await other.ask(100)).toBe("begun");
    });
  });

  it("is only of what the provider has not reported as refunded", async () => {
    const { ask, back, transaction, total } = await paid();
    await back("refund", { total: 900 });
    expect([await ask(total - 899), await ask(total - 900)]).toEqual(["too much", "begun"]);
    expect(refunds(transaction)).toEqual([[transaction, reason]]);
    const taken = await paid();
    await taken.back("chargeback");
    expect([await taken.ask(null), refunds(taken.transaction)]).toEqual(["too much", []]);
  });

  it("waits for the rest of a term that is being returned, which counts as a part afterwards", async () => {
    const { ask, order, transaction } = await paid();
    const part = { provider: "paddlebilling", kind: "refund-part", subject: transaction, orderId: order.id, reason: "x" } as const;
    await shop.store.write((queries) => addDuty(queries, { ...part, now: shop.world.now() }));
    expect([await ask(100), await ask(null)]).toEqual(["too much", "too much"]);
    const done = { done_at: shop.world.now() - hour, next_attempt_at: null };
    await shop.store.write((queries) => queries.updateTable("payment_duties").set(done).where("subject", "=", transaction).execute());
    shop.provider.knowsParts = false;
    expect([await ask(100), await ask(null)]).toEqual(["parts", "begun"]);
  });

  it("may be of a renewal, and end the subscription", async () => {
    const { ask, order, transaction, subscriptionId, total } = await paid();
    const renewal: Fact = shop.paid(order, { id: `renewal ${order.id}`, orderId: null, subscriptionId, total: total + 1 });
    await shop.tell(renewal);
    expect(await ask(total + 1, { transactionId: renewal.id })).toBe("begun");
    expect([refunds(transaction, renewal.id), ended(subscriptionId)]).toEqual([[[renewal.id, reason]], 0]);
    expect(await ask(null, { andEnd: true })).toBe("begun");
    expect([refunds(transaction), ended(subscriptionId)]).toEqual([[[transaction, reason]], 1]);
  });

  it("ends nothing where there is no subscription", async () => {
    const { ask, order, transaction } = await paid("onetime-3m-mxn");
    expect(await ask(null, { andEnd: true })).toBe("begun");
    expect(refunds(transaction)).toEqual([[transaction, reason]]);
    const kinds = await shop.store.read.selectFrom("payment_duties").select("kind").where("order_id", "=", order.id).execute();
    expect(kinds).toEqual([{ kind: "refund" }]);
  });

  it("is only of a completed payment of the person, by a provider that we still have", async () => {
    const [lucia, otto, open] = [await paid(), await paid(), await paid("onetime-3m-mxn", { status: "open" })];
    for (const transactionId of ["unknown", otto.transaction])
      expect([transactionId, await lucia.ask(1, { transactionId })]).toEqual([transactionId, "no such payment"]);
    expect(await open.ask(1)).toBe("no such payment");
    const { store, world } = shop;
    const log = { warn: () => undefined, error: () => undefined };
    const elsewhere = createPayments({ store, world, providers: [], log, secretKeys: ["key"], onMail: () => undefined });
    const request = { accountUuid: lucia.account, transactionId: lucia.transaction, amount: 1, id: "elsewhere", andEnd: false };
    expect(await elsewhere.refundPayment(request, lucia.note)).toBe("no such payment");
    await elsewhere.stop();
    expect([refunds(lucia.transaction, otto.transaction, open.transaction), lucia.note.mock.calls]).toEqual([[], []]);
  });
});
