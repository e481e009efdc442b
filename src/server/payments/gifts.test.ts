/** Days that operators grant: once each, to a person with a plan, and not more than a year's worth within a year. */
import { sampledDatabases } from "#test/app.ts";
import { type FakeShop, fakeShop } from "#test/fakeShop.ts";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createPayments } from "./payments.ts";
import type { SubscriptionFact } from "./provider.ts";

const day = 86_400_000;

describe.each(sampledDatabases)("granted days on %s", (database) => {
  let shop: FakeShop;
  beforeAll(async () => {
    shop = await fakeShop(database);
  });
  afterAll(() => shop.close());

  /** A person with a paid plan. */
  async function owner(productId = "onetime-3m-mxn") {
    const account = await shop.account();
    const note = vi.fn<() => Promise<void>>(async () => {});
    async function buy() {
      const order = await shop.order(account, productId);
      const subscriptionId = productId.startsWith("subscription") ? `sub ${order.id}` : null;
      await shop.tell(shop.paid(order, { subscriptionId }));
      return { order, subscriptionId };
    }
    const grant = (days: number, id = shop.world.uuid()) => shop.payments.grantDays(account, { id, days }, note);
    /** Days until the newest plan ends. */
    const left = async () => {
      const [newest] = await shop.payments.entitlementsOf(account);
      return Math.round(((newest?.end ?? 0) - shop.world.now()) / day);
    };
    return { account, note, buy, grant, left, ...(await buy()) };
  }

  it("lengthen the plan once for each id, and are noted with it", async () => {
    const { grant, note, left, order } = await owner();
    const [before, mails] = [await left(), shop.mailed()];
    expect([await grant(10, order.id), await grant(10, order.id), await left()]).toEqual(["given", "known", before + 10]);
    expect([await grant(3), await left(), note.mock.calls.length]).toEqual(["given", before + 13, 2]);
    expect(shop.mailed()).toBe(mails);
    const other = await owner();
    expect([await other.grant(367, order.id), await other.left(), other.note.mock.calls]).toEqual(["another's", before, []]);
  });

  it("stay with the subscription whose payment they follow", async () => {
    const { grant, order, subscriptionId } = await owner("subscription-1m-mxn");
    expect(await grant(5, order.id)).toBe("given");
    const fact = await shop.store.read
      .selectFrom("provider_facts")
      .selectAll()
      .where("id", "=", `gift-${order.id}`)
      .executeTakeFirstOrThrow();
    expect({ ...fact, fact: JSON.parse(fact.fact) }).toEqual({
      payment_provider: "paddlebilling",
      id: `gift-${order.id}`,
      version: "1",
      transaction_id: order.transaction_id,
      subscription_id: subscriptionId,
      fact: {
        kind: "gift",
        id: `gift-${order.id}`,
        transactionId: order.transaction_id,
        subscriptionId,
        days: 5,
        at: shop.world.now(),
      },
    });
  });

  it("are at most 366 within a year, on all of a person's orders", async () => {
    const { buy, grant, left } = await owner();
    const first = shop.world.now();
    expect([await grant(367), await grant(60)]).toEqual(["too many", "given"]);
    shop.world.pass(((await left()) + 1) * day);
    await buy();
    expect([await grant(307), await grant(306)]).toEqual(["too many", "given"]);
    shop.world.pass(first + 365 * day - 1 - shop.world.now());
    expect(await grant(1)).toBe("too many");
    shop.world.pass(1);
    expect([await grant(61), await grant(60)]).toEqual(["too many", "given"]);
  });

  it("need a plan that is not paused, at a provider that we still have", async () => {
    const note = vi.fn<() => Promise<void>>(async () => {});
    const gift = { id: "refused", days: 3 };
    expect(await shop.payments.grantDays(await shop.account(), gift, note)).toBe("no plan");
    const { account, grant, order, subscriptionId } = await owner("subscription-1m-mxn");
    const { store, world } = shop;
    const log = { warn: () => undefined, error: () => undefined };
    const elsewhere = createPayments({ store, world, providers: [], log, secretKeys: ["key"], onMail: () => undefined });
    expect(await elsewhere.grantDays(account, gift, note)).toBe("no plan");
    await elsewhere.stop();
    const subscription: SubscriptionFact = {
      kind: "subscription",
      id: subscriptionId ?? "",
      status: "paused",
      transactionId: order.transaction_id,
      end: world.now() + day,
      trialing: false,
      nextCharge: null,
      change: null,
    };
    await shop.tell(subscription);
    expect(await grant(3)).toBe("no plan");
    await shop.tell({ ...subscription, status: "active" });
    expect([await grant(3), note.mock.calls]).toEqual(["given", []]);
  });
});
