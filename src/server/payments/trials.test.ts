/** Who has used which plan's trial, even if the account or its address has changed since. */
import { retentionPeriods } from "#server/base/retentionPeriods.ts";
import type { Store } from "#server/store/store.ts";
import { databases } from "#test/app.ts";
import { type FakeShop, fakeShop, shopOn } from "#test/fakeShop.ts";
import { paidBefore } from "#test/formerBuyer.ts";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const product = "subscription-3m-mxn";
const day = 86_400_000;

describe.each(databases)("a trial on %s", (database) => {
  let shop: FakeShop;
  beforeEach(async () => {
    shop = await fakeShop(database);
  });
  afterEach(() => shop.close());

  /** The plans whose free days the account can no longer get. */
  const had = async (accountUuid: string, payments = shop.payments) => {
    const isFree = await payments.freeDaysOf(accountUuid);
    return ["3M", "6M"].filter((plan) => !isFree(plan));
  };
  const paid = (accountUuid: string) => paidBefore(shop.store, shop.world, accountUuid);
  const began = async (accountUuid: string) => {
    const order = await shop.order(accountUuid, product);
    await shop.tell(shop.paid(order));
    return order;
  };
  const moved = (uuid: string, email: string) =>
    shop.store.write((queries) => queries.updateTable("accounts").set({ email }).where("uuid", "=", uuid).execute());
  const noted = () =>
    shop.store.read
      .selectFrom("trials_used")
      .select(["plan", "order_id", "used_at"])
      // A mark has no plan.
      .where("plan", "<>", "")
      .orderBy("used_at")
      .orderBy("order_id")
      .execute();
  const forgotten = () => shop.store.write((queries) => queries.deleteFrom("trials_used").execute());

  async function started(...secretKeys: readonly string[]) {
    const next = shop.newProcess(secretKeys.length === 0 ? undefined : secretKeys);
    next.start();
    await next.settled();
    await next.stop();
  }

  it("counts for the mailbox and for the account once it has begun", async () => {
    const who = await shop.account("ana@gmail.com");
    const order = await shop.order(who, product);
    // A person who has not paid yet cannot get the free month for coming back.
    expect([await had(who), await noted()]).toEqual([["6M"], []]);
    await shop.tell(shop.paid(order));
    expect(await noted()).toEqual([{ plan: "3M", order_id: order.id, used_at: shop.world.now() }]);
    await forgotten();
    await started();
    expect(await noted()).toEqual([{ plan: "3M", order_id: order.id, used_at: order.created_at }]);
    expect(await had(await shop.account("A.N.A+2@googlemail.com"))).toEqual(["3M", "6M"]);
    expect(await had(await shop.account("eva@gmail.com"))).toEqual(["6M"]);
    await moved(who, "elsewhere@example.mx");
    expect(await had(who)).toEqual(["3M", "6M"]);
    expect(await had("nobody")).toEqual(["6M"]);
  });

  it("is not sold twice; plans without a trial, and other plans' trials, are", async () => {
    await began(await shop.account("ana@gmail.com"));
    const again = await shop.account("a.na@gmail.com");
    await expect(shop.order(again, product)).rejects.toThrow("not sold");
    await expect(shop.order(again, "subscription-6m-mxn")).rejects.toThrow("not sold");
    const without = await shop.order(again, "subscription-3m-mxn-notrial");
    await shop.tell(shop.paid(without));
    expect(await shop.standing(without)).toBe("completed");
  });

  it("and the returning customer's free month count as one for a person who has never paid; a person who has paid can have each once", async () => {
    const ended = () => shop.store.write((queries) => queries.updateTable("entitlements").set({ status: "deleted" }).execute());
    const who = await shop.account();
    await expect(shop.order(who, "subscription-6m-mxn")).rejects.toThrow("not sold");
    await began(who);
    await ended();
    await expect(shop.order(who, "subscription-6m-mxn")).rejects.toThrow("not sold");
    await paid(who);
    expect(await had(who)).toEqual(["3M"]);
    const back = await shop.order(who, "subscription-6m-mxn");
    await shop.tell(shop.paid(back, { subscriptionId: "back" }));
    expect([await shop.standing(back), await had(who)]).toEqual(["completed", ["3M", "6M"]]);
  });

  it("for returning customers is ended if all their payments have been refunded by then", async () => {
    const who = await shop.account();
    await began(who);
    await shop.store.write((queries) => queries.updateTable("entitlements").set({ status: "deleted" }).execute());
    await paid(who);
    const back = await shop.order(who, "subscription-6m-mxn");
    await shop.store.write((queries) => queries.updateTable("money_entries").set({ kind: "refund" }).execute());
    await shop.tell(shop.paid(back, { subscriptionId: "back" }));
    expect(await shop.standing(back)).toBe("duplicate");
  });

  it("counts if it was recorded with an older key", async () => {
    await began(await shop.account("ana@gmail.com"));
    const again = await shop.account("a.na@gmail.com");
    expect([await had(again, shop.newProcess(["new", "key"])), await had(again, shop.newProcess(["new"]))]).toEqual([["3M", "6M"], ["6M"]]);
  });

  it("of a living account still counts for its mailbox when the key with which it was recorded has been removed", async () => {
    const order = await began(await shop.account("ana@gmail.com"));
    const again = await shop.account("a.na@gmail.com");
    await started("new", "key");
    await started("new");
    expect(await had(again, shop.newProcess(["new"]))).toEqual(["3M", "6M"]);
    const recorded = await noted();
    expect(recorded).toEqual([
      { plan: "3M", order_id: order.id, used_at: order.created_at },
      { plan: "3M", order_id: order.id, used_at: shop.world.now() },
    ]);
    await started("newest");
    await started("newest");
    expect(await had(again, shop.newProcess(["newest"]))).toEqual(["3M", "6M"]);
    expect(await noted()).toHaveLength(3);
  });

  it.each([
    ["account", async (who: string) => who],
    [
      "account, which has another address by then",
      async (who: string) => {
        await moved(who, "elsewhere@example.mx");
        return who;
      },
    ],
    [
      "account, which has paid and has another address by then",
      async (who: string) => {
        await moved(who, "elsewhere@example.mx");
        await paid(who);
        return who;
      },
    ],
  ])("opened earlier is ended after another trial of the same %s", async (_, then) => {
    const who = await shop.account();
    const first = await shop.order(who, product);
    // Too old to be reused.
    shop.world.pass(day);
    const second = await shop.order(who, product);
    await shop.tell(shop.paid(first));
    await shop.store.write((queries) => queries.updateTable("entitlements").set({ status: "deleted" }).execute());
    await then(who);
    await shop.tell(shop.paid(second, { subscriptionId: "second" }));
    expect([await shop.standing(first), await shop.standing(second)]).toEqual(["completed", "duplicate"]);
    expect(await shop.store.read.selectFrom("payment_duties").select(["kind", "reason"]).where("subject", "=", "second").execute()).toEqual(
      [{ kind: "cancel-subscription", reason: "a second trial of one person" }],
    );
  });

  it("of a plan is not given again to somebody who has paid, known by their account or by their mailbox", async () => {
    const [who, other] = [await shop.account("ana@gmail.com"), await shop.account("a.na@gmail.com")];
    const open = await shop.order(other, product);
    await began(who);
    await moved(who, "elsewhere@example.mx");
    for (const account of [who, other]) {
      await paid(account);
      expect(await had(account)).toEqual(["3M"]);
    }
    await shop.tell(shop.paid(open, { subscriptionId: "other" }));
    expect(await shop.standing(open)).toBe("duplicate");
  });

  it("that another account of the mailbox has used is ended; another plan's is not", async () => {
    const who = await shop.account("ana@gmail.com");
    const [again, further] = [await shop.account("a.na@gmail.com"), await shop.account("an.a@gmail.com")];
    const second = await shop.order(again, product);
    await paid(further);
    const another = await shop.order(further, "subscription-6m-mxn");
    await began(who);
    await shop.tell(shop.paid(second));
    await shop.tell(shop.paid(another));
    expect([await shop.standing(second), await shop.standing(another)]).toEqual(["duplicate", "completed"]);
    expect((await had(who)).toSorted()).toEqual(["3M", "6M"]);
  });

  // SQLite has one writer at a time.
  it.skipIf(database === "sqlite")("is given to one of two spellings of a mailbox that begin it in the same instant", async () => {
    const [back, fresh] = [await shop.account("ana@gmail.com"), await shop.account("a.na@gmail.com")];
    await paid(back);
    const orders = [await shop.order(back, "subscription-6m-mxn"), await shop.order(fresh, product)] as const;
    const [taken, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const write: Store["write"] = (work) =>
      shop.store.write(async (queries) => {
        const done = await work(queries);
        if ((await queries.selectFrom("trials_used").select("hash").executeTakeFirst()) !== undefined) {
          taken.resolve();
          await goOn.promise;
        }
        return done;
      });
    const slow = shopOn({ store: { ...shop.store, write }, world: shop.world });
    const first = slow.tell(slow.paid(orders[0], { subscriptionId: "back" }));
    await taken.promise;
    let isDone = false;
    const second = shop.tell(shop.paid(orders[1], { subscriptionId: "fresh" })).then(() => void (isDone = true));
    const waiting = sql<{
      n: number;
    }>`SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await expect.poll(async () => isDone || Number((await waiting.execute(shop.store.read)).rows[0]?.n) > 0).toBe(true);
    goOn.resolve();
    await Promise.all([first, second]);
    await slow.payments.stop();
    expect([await shop.standing(orders[0]), await shop.standing(orders[1])]).toEqual(["completed", "duplicate"]);
  });

  it("that was never recorded is recorded at the next start with the current key, once per mailbox, for as long as it counts", async () => {
    await began(await shop.account());
    shop.world.pass(1);
    const orders = [await began(await shop.account("ana@gmail.com"))];
    shop.world.pass(1);
    for (let n = 0; n < 3; n++) orders.push(await began(await shop.account()));
    const open = await shop.order(await shop.account("open@example.mx"), product);
    const paidAtOnce = await shop.order(await shop.account("once@example.mx"), "onetime-3m-mxn");
    await shop.tell(shop.paid(paidAtOnce));
    await moved(orders[1]?.account_uuid ?? "", "a.na@gmail.com");
    await forgotten();
    shop.world.pass(retentionPeriods.trials - 1);
    await started("new", "key");
    const found = await noted();
    expect(found).toHaveLength(3);
    // The third is one of the mailbox's two orders: either may be recorded first.
    expect(found.map(({ order_id: id }) => id)).toEqual(expect.arrayContaining(orders.slice(2).map(({ id }) => id)));
    expect(new Set(found.map(({ plan }) => plan))).toEqual(new Set(["3M"]));
    for (const { order_id: id, used_at: at } of found) expect(at).toBe(orders.find((order) => order.id === id)?.created_at);
    expect(found.map(({ order_id: id }) => id)).not.toContain(open.id);
    const ana = await shop.account("ana@googlemail.com");
    expect([await had(ana, shop.newProcess(["new"])), await had(ana, shop.newProcess(["key"]))]).toEqual([["3M", "6M"], ["6M"]]);
  });
});
