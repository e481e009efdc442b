/** Until when the account page offers the money back: thirty days after the first payment that cost something. */
import { sampledDatabases } from "#test/app.ts";
import { type FakeShop, fakeShop } from "#test/fakeShop.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AdjustmentFact, TransactionFact } from "./provider.ts";

const day = 86_400_000;

describe.each(sampledDatabases)("the money-back guarantee on %s", (database) => {
  let shop: FakeShop;
  beforeEach(async () => {
    shop = await fakeShop(database);
  });
  afterEach(() => shop.close());

  /** A plan, the payments of its subscription beside the first one, and its owner's last day. */
  async function bought(productId = "subscription-1m-mxn") {
    const account = await shop.account();
    const order = await shop.order(account, productId);
    const subscriptionId = `sub ${order.id}`;
    const pay = (id: string, fact: Partial<TransactionFact> = {}) =>
      shop.tell(shop.paid(order, { id, subscriptionId, orderId: null, total: order.price, ...fact }));
    const back = (action: AdjustmentFact["action"], fact: Partial<AdjustmentFact> = {}) =>
      shop.tell({
        kind: "adjustment",
        id: shop.world.uuid(),
        transactionId: order.transaction_id ?? "",
        subscriptionId,
        action,
        full: true,
        approved: true,
        total: null,
        at: shop.world.now(),
        ...fact,
      });
    const lastDay = async () => (await shop.payments.planOf(account))?.moneyBackUntil;
    const refunded = async () => (await shop.payments.planOf(account))?.refunded;
    await shop.tell(shop.paid(order, { subscriptionId }));
    return { order, pay, back, lastDay, refunded };
  }

  it("is offered on its last day, and not on the next", async () => {
    const { lastDay } = await bought();
    expect(await lastDay()).toBe("2026-12-20");
    shop.world.pass(30 * day);
    expect(await lastDay()).toBe("2026-12-20");
    shop.world.pass(day);
    expect(await lastDay()).toBeNull();
  });

  it("counts from the earliest payment, whatever else was charged before it or is not paid", async () => {
    const { pay, lastDay } = await bought();
    const earlier = shop.world.now() - 9 * day;
    await pay("1 later", { billedAt: shop.world.now() + 9 * day });
    await pay("2 extra", { billedAt: earlier, forPeriod: false });
    await pay("3 open", { billedAt: earlier, status: "open" });
    await pay("4 nothing", { billedAt: earlier, total: 0 });
    expect(await lastDay()).toBe("2026-12-20");
    await pay("5 earlier", { billedAt: earlier });
    expect(await lastDay()).toBe("2026-12-11");
  });

  it("of a trial begins with its first charge", async () => {
    const { pay, lastDay } = await bought("subscription-3m-mxn");
    expect(await lastDay()).toBeNull();
    shop.world.pass(7 * day);
    await pay("first charge");
    expect(await lastDay()).toBe("2026-12-27");
  });

  it("is over once that payment went back, but not after a part", async () => {
    const [refunded, charged, part] = [await bought(), await bought(), await bought()];
    await refunded.back("refund");
    await charged.back("chargeback");
    await part.back("refund", { full: false, total: 100 });
    expect([await refunded.lastDay(), await charged.lastDay(), await part.lastDay()]).toEqual([null, null, "2026-12-20"]);
  });

  it("that was used is mentioned with the ended plan, but a chargeback is not", async () => {
    const [refunded, charged, part] = [await bought(), await bought(), await bought()];
    await refunded.back("refund");
    await charged.back("chargeback");
    await part.back("refund", { full: false, total: 100 });
    expect([await refunded.refunded(), await charged.refunded(), await part.refunded()]).toEqual([refunded.order.price, null, null]);
  });
});
