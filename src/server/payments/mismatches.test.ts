/** Payments that differ from their order stay on a list until they match or somebody has looked. */
import { sampledDatabases } from "#test/app.ts";
import { type FakeShop, fakeShop } from "#test/fakeShop.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { acceptMismatch, countMismatches, listMismatches, settleMismatch } from "./mismatches.ts";

const product = "onetime-3m-mxn";

describe.each(sampledDatabases)("payments that differ from their order, on %s", (database) => {
  let shop: FakeShop;
  beforeEach(async () => {
    shop = await fakeShop(database);
  });
  afterEach(() => shop.close());

  async function underpaid(email?: string) {
    const order = await shop.order(await shop.account(email), product);
    await shop.tell(shop.paid(order, { total: 5 }));
    return { order, transaction: order.transaction_id ?? "" };
  }
  const listed = async () => {
    const rows = await listMismatches(shop.store);
    expect(await countMismatches(shop.store)).toBe(rows.length);
    return rows.map((row) => row.transaction_id);
  };
  const reconciled = async () => {
    await shop.payments.reconcile();
    return listed();
  };

  it("are listed, the oldest first, until a later report agrees with the order", async () => {
    const first = await underpaid("ana@example.mx");
    const noted = shop.world.now();
    shop.world.pass(1);
    const second = await underpaid();
    expect(await listed()).toEqual([first.transaction, second.transaction]);
    shop.world.pass(1);
    await shop.tell(shop.paid(first.order, { total: 5 }));
    expect((await listMismatches(shop.store))[0]).toEqual({
      payment_provider: "paddlebilling",
      transaction_id: first.transaction,
      currency: "MXN",
      total: 5,
      noted_at: noted,
      order_id: first.order.id,
      product_id: product,
      ordered_currency: "MXN",
      price: first.order.price,
      email: "ana@example.mx",
    });
    // The current price does not matter.
    const costs = (price: number) => shop.store.write((queries) => queries.updateTable("products").set({ price }).execute());
    await costs(5);
    await shop.tell(shop.paid(first.order, { total: 5 }));
    expect([await shop.standing(first.order), await listed()]).toEqual(["failed", [first.transaction, second.transaction]]);
    await shop.tell(shop.paid(first.order));
    expect([await shop.standing(first.order), await listed()]).toEqual(["completed", [second.transaction]]);
  });

  it("are listed even if their buyer is erased", async () => {
    const { transaction } = await underpaid();
    await shop.store.write((queries) => queries.updateTable("orders").set({ account_uuid: null }).execute());
    expect(await listMismatches(shop.store)).toMatchObject([{ transaction_id: transaction, email: null }]);
  });

  it("are reported to their buyer once they are returned", async () => {
    const { order, transaction } = await underpaid();
    const news = async () =>
      (await shop.store.read.selectFrom("mail_outbox").select("data").where("template", "=", "planNews").execute()).map(({ data }) => {
        const { news: word, total } = JSON.parse(data);
        return [word, total];
      });
    const back = { kind: "adjustment", transactionId: transaction, subscriptionId: null, full: true, approved: true, total: null } as const;
    await shop.tell({ ...back, id: "by the bank", action: "chargeback", at: shop.world.now() });
    const plan = {
      kind: "subscription",
      id: "sub",
      transactionId: transaction,
      end: null,
      trialing: false,
      nextCharge: null,
      change: null,
    } as const;
    for (const status of ["active", "canceled"] as const) await shop.tell({ ...plan, status });
    await shop.payments.applyFacts("paddlebilling", [{ version: "0", fact: shop.paid(order, { total: 5 }) }]);
    expect(await news()).toEqual([]);
    await shop.tell({ ...back, id: "by us", action: "refund", at: shop.world.now() });
    expect(await news()).toEqual([["returned", 5]]);
  });

  it("stay refused when an operator settles them, one by one", async () => {
    const [first, second] = [await underpaid(), await underpaid()];
    const settle = (transaction: string) => settleMismatch(shop.store, shop.world.now(), transaction);
    expect([await settle("another"), await settle(first.transaction), await settle(first.transaction)]).toEqual([false, true, false]);
    expect(await listed()).toEqual([second.transaction]);
    // Even if the provider now reports the ordered product.
    await shop.tell(shop.paid(first.order));
    expect([await shop.standing(first.order), await reconciled()]).toEqual(["failed", [second.transaction]]);
  });

  it("are not paid again while somebody checks them: each checkout is the paid order, until the payment is settled or returned", async () => {
    const accountUuid = await shop.account();
    const order = await shop.order(accountUuid, product);
    const opens = async (productId: string) => (await shop.order(accountUuid, productId)).id;
    await shop.tell(shop.paid(order, { total: 5 }));
    expect([await opens(product), await opens("subscription-6m-mxn")]).toEqual([order.id, order.id]);
    expect(await shop.payments.statusOf(accountUuid, order.transaction_id ?? "")).toEqual({ status: "failed", purchase: null });
    expect(shop.provider.createCheckout).toHaveBeenCalledTimes(1);
    await settleMismatch(shop.store, shop.world.now(), order.transaction_id ?? "");
    const again = await shop.order(accountUuid, product);
    expect(again.id).not.toBe(order.id);
    await shop.tell(shop.paid(again, { total: 5 }));
    expect(await opens(product)).toBe(again.id);
    const back = {
      kind: "adjustment",
      transactionId: again.transaction_id ?? "",
      subscriptionId: null,
      full: true,
      approved: true,
    } as const;
    await shop.tell({ ...back, id: "back", action: "refund", total: null, at: shop.world.now() });
    expect(await opens(product)).not.toBe(again.id);
    // Nothing was charged.
    const free = await shop.order(accountUuid, product);
    await shop.tell(shop.paid(free, { total: 0 }));
    expect(await opens(product)).not.toBe(free.id);
  });

  it("entitle with the next round once an operator accepts them, even after a refusal and whatever is reported then", async () => {
    const [first, second] = [await underpaid(), await underpaid()];
    const accept = (transaction: string) => acceptMismatch(shop.store, shop.world.now(), transaction);
    await settleMismatch(shop.store, shop.world.now(), first.transaction);
    expect([await accept("another"), await accept(first.transaction)]).toEqual([false, true]);
    expect(new Set(await listed())).toEqual(new Set([first.transaction, second.transaction]));
    expect([await shop.standing(first.order), await reconciled()]).toEqual(["failed", [second.transaction]]);
    await shop.tell(shop.paid(first.order, { total: 6 }));
    expect([await shop.standing(first.order), await shop.standing(second.order)]).toEqual(["completed", "failed"]);
    expect([await listed(), shop.mailed()]).toEqual([[second.transaction], 1]);
    // Accepting it again changes nothing.
    expect([await accept(first.transaction), await reconciled(), shop.mailed()]).toEqual([true, [second.transaction], 1]);
  });
});
