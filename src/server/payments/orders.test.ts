/** Orders and plans with a fake provider, without its protocol. */
import { insertAccount } from "#test/accounts.ts";
import { createTestStore, createTestWorld, databases, type TestWorld } from "#test/app.ts";
import { fakeProvider } from "#test/fakeProvider.ts";
import type { Store } from "#server/store/store.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { loadCatalogue } from "./catalogue.ts";
import { addDuty } from "./duties.ts";
import { createPayments } from "./payments.ts";
import { type Fact, ProviderFailure, type SubscriptionFact, type TransactionFact, type VersionedFact } from "./provider.ts";
import type { OrdersTable } from "../store/paymentTables.ts";
import type { OrderRequest, PaymentService } from "./service.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * Stops all timers until the test advances them. Returns a function that says whether our code waits for a timer with this delay. The database's
 * driver sets timers of its own, some with the same delay.
 */
function standingClocks() {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "setTimeout", "clearTimeout"] });
  const [fake, cleared] = [setTimeout, vi.spyOn(globalThis, "clearTimeout")];
  const ours: { readonly timer: unknown; readonly delay: number | undefined }[] = [];
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((...set: Parameters<typeof setTimeout>) => {
    const timer = fake(...set);
    if (!String(new Error("where").stack).includes("/node_modules/pg")) ours.push({ timer, delay: set[1] });
    return timer;
  }) as typeof setTimeout);
  return (delay: number) => ours.some((set) => set.delay === delay && !cleared.mock.calls.some(([timer]) => timer === set.timer));
}
/** `expect.poll` would advance the timers. */
async function until(met: () => boolean): Promise<void> {
  while (!met()) await nextTurn();
}

/** Reads for a process that pauses after its first read, until the test lets it continue. */
function pausingAfterFirstRead(store: Store) {
  const reached = Promise.withResolvers<void>();
  const pause = Promise.withResolvers<void>();
  const read = store.read.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      reached.resolve();
      await pause.promise;
      return result;
    },
  });
  return { store: { ...store, read }, reached: reached.promise, goOn: pause.resolve };
}

describe.each(databases)("orders on %s", (database) => {
  let store: Store;
  let world: TestWorld;
  let billing: ReturnType<typeof fakeProvider>;
  let classic: ReturnType<typeof fakeProvider>;
  let payments: PaymentService;
  let said: string[];
  let mailed: number;
  const paymentsOf = (providers: readonly ReturnType<typeof fakeProvider>[], on = store) =>
    createPayments({
      store: on,
      world,
      providers,
      log: { warn: (_, message) => void said.push(message), error: (_, message) => void said.push(message) },
      secretKeys: ["key"],
      onMail: () => void mailed++,
    });
  beforeEach(async () => {
    store = await createTestStore(database);
    world = createTestWorld();
    await loadCatalogue(store, (id) => `price of ${id}`, world.now());
    billing = fakeProvider({ name: "paddlebilling", keepsCancelled: true });
    classic = fakeProvider({ name: "paddle", keepsCancelled: false });
    classic.createCheckout.mockImplementation(async ({ id }) => ({ transactionId: null, hostedUrl: `https://classic.example/${id}` }));
    said = [];
    mailed = 0;
    payments = paymentsOf([billing, classic]);
  });
  afterEach(async () => {
    vi.useRealTimers();
    await payments.stop();
    await store.close();
  });

  const account = () => insertAccount(store, world);
  async function open(accountUuid: string, productId: string, more: Partial<OrderRequest<string>> = {}) {
    const result = await payments.open({ accountUuid, productId, couponCode: undefined, mayCreate: async () => null, ...more });
    return result.kind === "open" ? result.checkout : result.kind;
  }
  const orders = () => store.read.selectFrom("orders").selectAll().orderBy("created_at").orderBy("id").execute();
  async function newest() {
    const order = (await orders()).at(-1);
    if (order === undefined) throw new Error("There is no order");
    return order;
  }
  const mails = async () =>
    (await store.read.selectFrom("mail_outbox").selectAll().execute()).map(
      ({ account_uuid: whose, template, locale, recipient, data }) => ({
        whose,
        template,
        locale,
        recipient,
        ...JSON.parse(data),
      }),
    );
  /** The last days in the confirmations of cancellations. */
  const untils = async () => (await mails()).flatMap(({ template, until }) => (template === "cancelled" ? [until] : []));
  const duties = () => store.read.selectFrom("payment_duties").select(["kind", "subject", "order_id", "reason"]).orderBy("kind").execute();

  let versions = 0;
  const newer = (fact: Fact): VersionedFact => ({ version: String(++versions).padStart(9, "0"), fact });
  const paid = (order: Pick<OrdersTable, "id" | "price_id" | "price" | "currency" | "trial_days">, fact: Partial<TransactionFact> = {}) =>
    newer({
      kind: "transaction",
      id: `txn ${order.id}`,
      status: "completed",
      items: [{ priceId: order.price_id, quantity: 1 }],
      subscriptionId: `sub ${order.id}`,
      orderId: order.id,
      total: order.trial_days > 0 ? 0 : order.price,
      tax: 0,
      currency: order.currency,
      forPeriod: true,
      billedAt: world.now(),
      periodEnd: null,
      ...fact,
    });
  const running = (order: { readonly id: string }, fact: Partial<SubscriptionFact> = {}) =>
    newer({
      kind: "subscription",
      id: `sub ${order.id}`,
      status: "active",
      transactionId: `txn ${order.id}`,
      end: world.now() + 30 * day,
      trialing: false,
      nextCharge: world.now() + 30 * day,
      change: null,
      ...fact,
    });
  /** Delivers a webhook of the provider. */
  async function tell(provider: ReturnType<typeof fakeProvider>, ...facts: readonly VersionedFact[]) {
    const payload = JSON.stringify(facts);
    provider.verify.mockReturnValueOnce({ eventId: world.uuid(), eventType: "told", payload });
    expect(await payments.receive(provider.name === "paddle" ? "paddle" : "paddlebilling", Buffer.from(payload), {})).toBe(true);
    await payments.settled();
  }
  async function bought(productId = "subscription-1m-mxn", ...more: readonly Partial<SubscriptionFact>[]) {
    const who = await account();
    world.pass(1);
    await open(who, productId);
    const order = await newest();
    const provider = productId.endsWith("-classic") ? classic : billing;
    await tell(provider, paid(order), ...(more.length > 0 ? more : [{}]).map((fact) => running(order, fact)));
    return { who, order, provider };
  }

  it("payments that arrive late and out of order start a plan once", async () => {
    const { order, provider } = await bought("subscription-3m-mxn");
    const charge = (name: string, days: number) =>
      paid(order, { id: `txn ${name}`, total: order.price, billedAt: world.now() + days * day, orderId: null });
    const [first, second, third] = [charge("1", 7), charge("2", 97), charge("3", 187)];
    await tell(provider, third);
    await tell(provider, first);
    await tell(provider, second);
    const news = (await mails()).flatMap(({ template, news: word }) => (template === "planNews" ? [word] : []));
    expect(news.toSorted()).toEqual(["begun", "renewed", "renewed"]);
    const other = await bought("subscription-3m-mxn");
    const together = (name: string, days: number) =>
      paid(other.order, { id: `txn ${name}`, total: other.order.price, billedAt: world.now() + days * day, orderId: null });
    await tell(provider, together("5", 97), together("4", 7));
    const theirs = (await mails()).filter(({ whose, template }) => whose === other.who && template === "planNews");
    expect(theirs.map(({ news: word }) => word).toSorted()).toEqual(["begun", "renewed"]);
  });

  /** An order that was opened while its account had no plan, and is still open when it has one again. */
  async function orderBesideAPlan(productId = "subscription-12m-mxn") {
    const { who, order: first } = await bought();
    const entitled = (status: string) => store.write((queries) => queries.updateTable("entitlements").set({ status }).execute());
    await entitled("deleted");
    world.pass(1);
    await open(who, productId);
    await entitled("active");
    return { who, first, second: await newest() };
  }

  describe("a checkout", () => {
    it("is created at the provider for the order, with a hosted page in the buyer's language", async () => {
      const who = await account();
      const hosted = { language: "de-DE", returnUrl: "https://parlando.example/de/" } as const;
      const checkout = await open(who, "onetime-6m-mxn", { couponCode: "PARLANDO50", hosted });
      const order = await newest();
      const paymentId = `txn ${order.id}`;
      expect(checkout).toEqual({ paymentId, transactionId: paymentId, hostedUrl: `https://pay.example/${order.id}?de-DE` });
      expect(billing.createCheckout.mock.calls).toEqual([
        [{ id: order.id, priceId: "price of onetime-6m-mxn", quantity: 1, couponCode: "PARLANDO50", returnUrl: hosted.returnUrl }],
      ]);
      expect(billing.hostedLink.mock.calls).toEqual([[`https://pay.example/${order.id}`, hosted]]);
      expect(billing.findCheckout).not.toHaveBeenCalled();
      expect(await open(who, "onetime-6m-mxn", { couponCode: "PARLANDO50" })).toEqual({
        ...(checkout as object),
        hostedUrl: order.hosted_url,
      });
      expect(order).toMatchObject({ status: "pending", price: 74_950, quantity: 1, trial_days: 0, checked_at: world.now() });
    });

    it("without a hosted page gets none, and one that is known only by its hosted page is reused", async () => {
      billing.createCheckout.mockImplementation(async ({ id }) => ({ transactionId: id, hostedUrl: null }));
      const hosted = { language: "de-DE", returnUrl: "x" } as const;
      const pageless = await account();
      const without = await open(pageless, "onetime-6m-mxn", { hosted });
      expect(without).toMatchObject({ hostedUrl: null });
      expect(await open(pageless, "onetime-6m-mxn", { hosted })).toEqual(without);
      expect(billing.createCheckout).toHaveBeenCalledOnce();
      const who = await account();
      const checkout = await open(who, "onetime-6m-mxn-classic");
      const { id } = (await orders()).find(({ account_uuid: of }) => of === who) ?? { id: "" };
      expect(checkout).toEqual({ paymentId: id, transactionId: null, hostedUrl: `https://classic.example/${id}` });
      expect(await open(who, "onetime-6m-mxn-classic")).toEqual(checkout);
      expect(classic.createCheckout).toHaveBeenCalledOnce();
    });

    it("is reused for a day while the price is the same", async () => {
      const who = await account();
      const first = await open(who, "onetime-6m-mxn");
      world.pass(day - 1);
      expect(await open(who, "onetime-6m-mxn")).toEqual(first);
      world.pass(1);
      const second = await open(who, "onetime-6m-mxn");
      expect(second).not.toEqual(first);
      expect((await orders()).map(({ status }) => status)).toEqual(["cancelled", "pending"]);
      for (const change of [{ price: 1 }, { price_id: "another" }]) {
        world.pass(1);
        await store.write((queries) => queries.updateTable("products").set(change).execute());
        expect(await open(who, "onetime-6m-mxn")).not.toEqual(second);
      }
      expect((await orders()).map(({ status }) => status)).toEqual(["cancelled", "cancelled", "cancelled", "pending"]);
    });

    it("with a coupon is not the one without", async () => {
      const who = await account();
      const ids: unknown[] = [];
      for (const couponCode of [undefined, "AMIGOS20", "PARLANDO50"]) {
        world.pass(1);
        await open(who, "onetime-6m-mxn", { couponCode });
        ids.push((await newest()).coupon_code);
      }
      expect(ids).toEqual([null, "AMIGOS20", "PARLANDO50"]);
      expect((await orders()).map(({ status }) => status)).toEqual(["cancelled", "cancelled", "pending"]);
    });

    it("is not created by a process that read before another process applied the payment", async () => {
      const who = await account();
      await open(who, "onetime-3m-mxn");
      const order = await newest();
      const other = paymentsOf([billing, classic]);
      const { store: slow, reached, goOn } = pausingAfterFirstRead(store);
      const opening = paymentsOf([billing, classic], slow).open({
        accountUuid: who,
        productId: "onetime-3m-mxn",
        couponCode: undefined,
        mayCreate: async () => null,
      });
      await reached;
      billing.verify.mockReturnValueOnce({ eventId: "e", eventType: "told", payload: JSON.stringify([paid(order)]) });
      await other.receive("paddlebilling", Buffer.from("x"), {});
      await other.settled();
      goOn();
      expect(await opening).toMatchObject({ kind: "open", checkout: { transactionId: `txn ${order.id}` } });
      expect(billing.createCheckout).toHaveBeenCalledOnce();
      expect((await orders()).map(({ status }) => status)).toEqual(["completed"]);
    });

    it.each(["onetime-6m-mxn", "onetime-6m-mxn-classic"])(
      "of %s is not returned when another one was paid while it was created",
      async (productId) => {
        const who = await account();
        const first = await open(who, "onetime-3m-mxn");
        const order = await newest();
        world.pass(1);
        const provider = productId.endsWith("-classic") ? classic : billing;
        const make = provider.createCheckout.getMockImplementation();
        provider.createCheckout.mockImplementationOnce(async (wanted) => {
          await tell(billing, paid(order));
          return make?.(wanted) ?? { transactionId: null, hostedUrl: null };
        });
        expect(await open(who, productId)).toEqual(first);
        await payments.settled();
        const made = await newest();
        expect((await orders()).map(({ status }) => status)).toEqual(["completed", "cancelled"]);
        expect(billing.cancelCheckout.mock.calls.map(([id]) => id)).toEqual(
          productId.endsWith("-classic") ? [`txn ${order.id}`] : [`txn ${order.id}`, `txn ${made.id}`],
        );
      },
    );

    it("that is superseded each time it is created is given up after the fourth", async () => {
      const who = await account();
      const make = billing.createCheckout.getMockImplementation();
      billing.createCheckout.mockImplementation(async (wanted) => {
        await store.write((queries) => queries.updateTable("orders").set({ status: "cancelled" }).execute());
        return make?.(wanted) ?? { transactionId: null, hostedUrl: null };
      });
      expect(await open(who, "onetime-3m-mxn")).toBe("provider failed");
      await payments.settled();
      const made = (await orders()).map(({ id }) => `txn ${id}`);
      expect(made).toHaveLength(4);
      expect(billing.cancelCheckout.mock.calls.map(([id]) => id).toSorted()).toEqual(made.toSorted());
    });

    it("that two processes create for one order is stored once, and the other one is cancelled", async () => {
      const who = await account();
      let made = 0;
      const both = Promise.withResolvers<void>();
      billing.createCheckout.mockImplementation(async () => {
        const transactionId = `made ${++made}`;
        if (made === 2) both.resolve();
        await both.promise;
        return { transactionId, hostedUrl: null };
      });
      const processes = [payments, paymentsOf([billing, classic])];
      const results = await Promise.all(
        processes.map((process) =>
          process.open({ accountUuid: who, productId: "onetime-3m-mxn", couponCode: undefined, mayCreate: async () => null }),
        ),
      );
      for (const process of processes) await process.settled();
      const { transaction_id: kept } = await newest();
      expect(results.map((result) => (result.kind === "open" ? result.checkout.transactionId : result.kind))).toEqual([kept, kept]);
      expect(billing.cancelCheckout.mock.calls).toEqual([[kept === "made 1" ? "made 2" : "made 1"]]);
    });

    it("whose creation failed is looked for before another one is created", async () => {
      const who = await account();
      billing.createCheckout.mockRejectedValueOnce(new ProviderFailure("timeout", "late"));
      expect(await open(who, "onetime-6m-mxn")).toBe("provider failed");
      expect(said).toEqual(["The payment provider failed to open a checkout."]);
      const order = await newest();
      billing.findCheckout.mockResolvedValueOnce({ transactionId: "lost", hostedUrl: "https://lost.example/" });
      expect(await open(who, "onetime-6m-mxn")).toEqual({ paymentId: "lost", transactionId: "lost", hostedUrl: "https://lost.example/" });
      expect(billing.findCheckout.mock.calls).toEqual([[order.id, order.created_at]]);
      expect(billing.createCheckout).toHaveBeenCalledOnce();
      billing.createCheckout.mockRejectedValueOnce(new Error("a defect"));
      await expect(open(who, "onetime-3m-mxn")).rejects.toThrow("a defect");
      expect(await open(who, "onetime-3m-mxn")).toMatchObject({ hostedUrl: expect.stringContaining("pay.example") });
    });

    it.each(["pays another afterwards", "paid another meanwhile", "opens another afterwards"])(
      "whose process died before it stored the checkout is cancelled at the provider when its account %s",
      async (when) => {
        const who = await account();
        await open(who, "onetime-3m-mxn");
        const other = await newest();
        world.pass(1);
        const pay = () => tell(billing, paid(other, { subscriptionId: null }));
        billing.createCheckout.mockImplementationOnce(async () => {
          if (when === "paid another meanwhile") await pay();
          throw new Error("the process died");
        });
        await expect(open(who, "onetime-6m-mxn")).rejects.toThrow("the process died");
        const lost = await newest();
        if (when === "pays another afterwards") await pay();
        world.pass(1);
        if (when === "opens another afterwards") await open(who, "subscription-1m-mxn");
        billing.findCheckout.mockImplementation(async (id) => (id === lost.id ? { transactionId: "lost", hostedUrl: null } : null));
        await payments.reconcile();
        // The process that creates it may still be running.
        expect(billing.cancelCheckout).not.toHaveBeenCalledWith("lost");
        world.pass(3 * minute);
        await payments.reconcile();
        expect(billing.cancelCheckout).toHaveBeenCalledWith("lost");
      },
    );

    it("whose process died before the provider made it needs no cancellation, nor does one that is known or was never asked for", async () => {
      const who = await account();
      billing.createCheckout.mockResolvedValueOnce({ transactionId: "without a page", hostedUrl: null });
      await open(who, "onetime-3m-mxn");
      world.pass(1);
      expect(await open(who, "subscription-12m-mxn", { mayCreate: async () => "no" })).toBe("refused");
      world.pass(1);
      billing.createCheckout.mockRejectedValueOnce(new Error("the process died"));
      await expect(open(who, "onetime-6m-mxn")).rejects.toThrow("the process died");
      const unmade = await newest();
      expect([billing.cancelCheckout.mock.calls, await duties()]).toEqual([[["without a page"]], []]);
      world.pass(1);
      await open(who, "subscription-1m-mxn");
      expect(await duties()).toMatchObject([{ kind: "cancel-lost-checkout", subject: unmade.id }]);
      world.pass(3 * minute);
      await payments.reconcile();
      expect(billing.findCheckout.mock.calls).toEqual([[unmade.id, unmade.created_at]]);
      expect(billing.cancelCheckout).toHaveBeenCalledOnce();
      const done = await store.read.selectFrom("payment_duties").select("done_at").execute();
      expect(done).toEqual([{ done_at: world.now() }]);
    });

    it("that a webhook reports before the provider's answer is the reported one", async () => {
      const who = await account();
      billing.createCheckout.mockImplementationOnce(async ({ id }) => {
        await tell(billing, paid(await newest(), { id: "quicker", status: "open" }));
        return { transactionId: `txn ${id}`, hostedUrl: "https://slower.example/" };
      });
      expect(await open(who, "onetime-6m-mxn")).toEqual({ paymentId: "quicker", transactionId: "quicker", hostedUrl: null });
    });

    it("that is paid before the provider's answer arrives is the paid one, and no other stays open", async () => {
      for (const id of ["txn", "another"]) {
        const who = await account();
        world.pass(1);
        billing.createCheckout.mockImplementationOnce(async (order) => {
          await tell(billing, paid(await newest(), { id: `${id} ${order.id}`, subscriptionId: null }));
          return { transactionId: `txn ${order.id}`, hostedUrl: null };
        });
        const checkout = await open(who, "onetime-6m-mxn");
        await payments.settled();
        const { id: order, status } = await newest();
        expect([checkout, status]).toMatchObject([{ transactionId: `${id} ${order}` }, "completed"]);
        const left = [
          { kind: "cancel-checkout", subject: `txn ${order}`, order_id: order, reason: "made while the account paid or opened another" },
        ];
        expect(await duties()).toEqual(id === "txn" ? [] : left);
        expect(billing.cancelCheckout.mock.calls).toEqual(id === "txn" ? [] : [[`txn ${order}`]]);
      }
    });

    it("is not returned when a paused plan resumes while it is created", async () => {
      const { who, order } = await bought("subscription-1m-mxn", { status: "paused" });
      world.pass(1);
      billing.createCheckout.mockImplementationOnce(async ({ id }) => {
        await tell(billing, running(order));
        return { transactionId: `txn ${id}`, hostedUrl: null };
      });
      expect(await open(who, "onetime-6m-mxn")).toMatchObject({ transactionId: `txn ${order.id}` });
      await payments.settled();
      expect(billing.cancelCheckout.mock.calls).toEqual([[`txn ${(await newest()).id}`]]);
    });

    it("is not opened without its provider configured, nor when the caller refuses", async () => {
      const who = await account();
      payments = paymentsOf([classic]);
      expect(payments.providers).toEqual(["paddle"]);
      for (const product of ["onetime-6m-mxn", "nothing"]) expect(await open(who, product)).toBe("not sold");
      expect(await open(who, "onetime-6m-mxn-classic", { mayCreate: async () => "no" })).toBe("refused");
      expect(classic.createCheckout).not.toHaveBeenCalled();
    });

    it("is in the currency of a market in which the buyer may buy, if that is known", async () => {
      const who = await account();
      expect(await open(who, "onetime-6m-mxn", { markets: ["DE"] })).toBe("not sold");
      for (const markets of [null, ["MX"], ["DE", "MX"]])
        expect(await open(who, "onetime-6m-mxn", { markets })).toMatchObject({ transactionId: expect.any(String) });
    });

    it("of another plan cancels the open one, at the provider or later", async () => {
      const who = await account();
      await open(who, "subscription-1m-mxn");
      const first = await newest();
      world.pass(1);
      await open(who, "subscription-3m-mxn");
      expect(billing.cancelCheckout.mock.calls).toEqual([[`txn ${first.id}`]]);
      const second = await newest();
      world.pass(1);
      billing.cancelCheckout.mockRejectedValueOnce(new ProviderFailure("unavailable", "away"));
      await open(who, "subscription-12m-mxn");
      const third = await newest();
      expect(await duties()).toEqual([
        { kind: "cancel-checkout", subject: `txn ${second.id}`, order_id: second.id, reason: `superseded by order ${third.id}` },
      ]);
      world.pass(1);
      billing.cancelCheckout.mockRejectedValueOnce(new Error("a defect"));
      await expect(open(who, "onetime-3m-mxn")).rejects.toThrow("a defect");
      expect((await orders()).map(({ status }) => status)).toEqual(["cancelled", "cancelled", "pending", "pending"]);
    });

    it("of another plan leads to the one that is being paid", async () => {
      const who = await account();
      const first = await open(who, "subscription-1m-mxn");
      const order = await newest();
      world.pass(1);
      billing.cancelCheckout.mockResolvedValueOnce(false);
      expect(await open(who, "subscription-3m-mxn")).toEqual(first);
      expect((await orders()).map(({ status }) => status)).toEqual(["pending", "cancelled"]);
      expect(billing.readOrder.mock.calls).toEqual([
        [{ id: order.id, priceId: order.price_id, transactionId: `txn ${order.id}`, since: order.created_at }],
      ]);
      world.pass(1);
      billing.cancelCheckout.mockResolvedValueOnce(false);
      billing.readOrder.mockResolvedValueOnce([paid(order, { status: "canceled" })]);
      expect(await open(who, "subscription-3m-mxn")).not.toEqual(first);
    });

    it("that has only a hosted page is ended without a call to the provider", async () => {
      const who = await account();
      await open(who, "subscription-1m-mxn-classic");
      world.pass(1);
      await open(who, "subscription-1m-mxn");
      expect(classic.cancelCheckout).not.toHaveBeenCalled();
      expect((await orders()).map(({ status }) => status)).toEqual(["cancelled", "pending"]);
    });
  });

  describe("polling for a payment", () => {
    it("asks the provider every ten seconds, not more often", async () => {
      const who = await account();
      await open(who, "subscription-1m-mxn");
      const order = await newest();
      const asked = async (pass: number) => {
        world.pass(pass);
        expect(await payments.statusOf(who, "")).toEqual({ status: "pending", purchase: null });
        return billing.readOrder.mock.calls.length;
      };
      const times = [];
      for (const pass of [0, 10 * second, 1, 10 * second, 1]) times.push(await asked(pass));
      expect(times).toEqual([0, 0, 1, 1, 2]);
      billing.readOrder.mockResolvedValueOnce([paid(order)]);
      billing.readSubscription.mockResolvedValueOnce([running(order, { end: 5 })]);
      world.pass(11 * second);
      expect(await payments.statusOf(who, order.id)).toEqual({
        status: "completed",
        purchase: {
          orderId: order.id,
          productId: "subscription-1m-mxn",
          productType: "subscription",
          productPlan: "1M",
          currency: "MXN",
          price: 34_900,
          trialDays: 0,
          couponCode: null,
        },
      });
      expect(billing.readSubscription.mock.calls).toEqual([[`sub ${order.id}`]]);
      expect(mailed).toBe(1);
      expect((await payments.statusOf(who, `txn ${order.id}`)).status).toBe("completed");
      expect((await payments.statusOf(who, "another")).status).toBe("cancelled");
    });

    it("asks the provider if the checkout's page is unknown, and not if it has nothing", async () => {
      const who = await account();
      billing.createCheckout.mockRejectedValueOnce(new ProviderFailure("unavailable", "away"));
      await open(who, "subscription-1m-mxn");
      world.pass(minute);
      expect((await payments.statusOf(who, "")).status).toBe("pending");
      expect(billing.readOrder).not.toHaveBeenCalled();
      billing.createCheckout.mockImplementationOnce(async ({ id }) => ({ transactionId: `txn ${id}`, hostedUrl: null }));
      await open(who, "subscription-1m-mxn");
      world.pass(minute);
      await payments.statusOf(who, "");
      expect(billing.readOrder).toHaveBeenCalledOnce();
    });

    it("reports the existing plan, unless another payment is requested", async () => {
      const { who, first, second } = await orderBesideAPlan();
      expect(await payments.statusOf(who, "")).toMatchObject({ status: "completed", purchase: { orderId: first.id } });
      expect(await payments.statusOf(who, second.id)).toEqual({ status: "pending", purchase: null });
      expect((await payments.statusOf(who, "another")).status).toBe("cancelled");
    });

    it("waits five seconds for the webhook of a payment that was not checked yet", async () => {
      const who = await account();
      await open(who, "subscription-1m-mxn");
      await store.write((queries) => queries.updateTable("orders").set({ checked_at: null }).execute());
      world.pass(5 * second);
      await payments.statusOf(who, "");
      expect(billing.readOrder).not.toHaveBeenCalled();
      world.pass(1);
      await payments.statusOf(who, "");
      expect(billing.readOrder).toHaveBeenCalledOnce();
    });

    it("asks the provider even if the clock was set back a day since the order was opened and checked", async () => {
      const who = await account();
      await open(who, "subscription-1m-mxn");
      const order = await newest();
      world.pass(11 * second);
      await payments.statusOf(who, "");
      expect(billing.readOrder).toHaveBeenCalledOnce();
      world.pass(-day);
      await payments.statusOf(who, "");
      expect(billing.readOrder).toHaveBeenCalledTimes(2);
      // By the provider's clock it was created earlier.
      expect(billing.readOrder.mock.lastCall).toMatchObject([{ id: order.id, since: world.now() - day }]);
      world.pass(-day);
      await payments.reconcile();
      expect(billing.readOrder).toHaveBeenCalledTimes(3);
      await payments.reconcile();
      expect(billing.readOrder).toHaveBeenCalledTimes(3);
    });

    it("whose creation failed is found at the provider even if the clock was set back a day", async () => {
      const who = await account();
      billing.createCheckout.mockRejectedValueOnce(new ProviderFailure("timeout", "late"));
      await open(who, "onetime-6m-mxn");
      world.pass(-day);
      await open(who, "onetime-6m-mxn");
      expect(billing.findCheckout.mock.calls).toEqual([[(await newest()).id, world.now() - day]]);
    });

    it("stays pending when the provider does not answer, and reports what failed", async () => {
      const who = await account();
      await open(who, "subscription-1m-mxn");
      const order = await newest();
      world.pass(minute);
      billing.readOrder.mockRejectedValueOnce(new ProviderFailure("timeout", "late"));
      expect((await payments.statusOf(who, "")).status).toBe("pending");
      expect(said).toEqual(["The payment provider did not report an order's payment."]);
      world.pass(minute);
      billing.readOrder.mockRejectedValueOnce(new Error("a defect"));
      await expect(payments.statusOf(who, "")).rejects.toThrow("a defect");
      await tell(billing, paid(order, { items: [] }));
      expect(await payments.statusOf(who, "")).toEqual({ status: "failed", purchase: null });
      expect(said.at(-1)).toBe("A completed transaction does not match its order: nothing is granted.");
      expect(await store.read.selectFrom("audit").select(["kind", "account_uuid", "data"]).execute()).toEqual([
        { kind: "payment-mismatch", account_uuid: who, data: JSON.stringify({ order: order.id, transaction: `txn ${order.id}` }) },
      ]);
      await tell(billing, paid(order, { items: [] }));
      expect(await store.read.selectFrom("audit").select("id").execute()).toHaveLength(1);
    });

    it("for an order that was paid twice reports the existing plan", async () => {
      const { who, first, second } = await orderBesideAPlan();
      await tell(billing, paid(second), running(second));
      expect((await payments.statusOf(who, second.id)).purchase?.orderId).toBe(first.id);
      expect((await payments.statusOf(who, "")).purchase?.orderId).toBe(first.id);
      expect(billing.refund.mock.calls).toEqual([[`txn ${second.id}`, "a second payment of an account that has a plan"]]);
      expect(billing.endSubscription.mock.calls).toEqual([[`sub ${second.id}`]]);
      expect(said).toEqual(["An order is refunded."]);
      // Neither its end nor an older report is news to its owner.
      await tell(billing, running(second, { status: "canceled" }));
      await payments.applyFacts("paddlebilling", [{ version: "0", fact: paid(second).fact }]);
      expect((await mails()).map(({ template }) => template)).toEqual(["receipt"]);
    });
  });

  describe("reconciliation", () => {
    /** Times until the provider was asked about an order, in minutes. */
    const asksAfter = async (times: readonly number[]) => {
      const asked: number[] = [];
      let passed = 0;
      for (const time of times) {
        world.pass(time - passed);
        passed = time;
        const before = billing.readOrder.mock.calls.length + classic.readOrder.mock.calls.length;
        await payments.reconcile();
        if (billing.readOrder.mock.calls.length + classic.readOrder.mock.calls.length > before) asked.push(time / minute);
      }
      return asked;
    };

    it.each(["subscription-1m-mxn", "subscription-1m-mxn-classic"])(
      "asks about open orders, older ones more rarely: %s",
      async (product) => {
        await open(await account(), product);
        expect(await asksAfter([minute, minute + 1, 2 * minute, 2 * minute + 2])).toEqual([
          (minute + 1) / minute,
          (2 * minute + 2) / minute,
        ]);
        world.pass(10 * hour - 2 * minute - 2);
        await payments.reconcile();
        expect(await asksAfter([59 * minute, 65 * minute, 67 * minute])).toEqual([67]);
        world.pass(4 * day);
        const before = billing.readOrder.mock.calls.length + classic.readOrder.mock.calls.length;
        await payments.reconcile();
        expect(billing.readOrder.mock.calls.length + classic.readOrder.mock.calls.length).toBe(before);
      },
    );

    it("asks about a payment that was never checked, and about none that the provider never had", async () => {
      await open(await account(), "subscription-1m-mxn");
      await store.write((queries) => queries.updateTable("orders").set({ checked_at: null }).execute());
      await payments.reconcile();
      expect(billing.readOrder).toHaveBeenCalledOnce();
      await store.write((queries) =>
        queries.updateTable("orders").set({ transaction_id: null, hosted_url: null, checked_at: null }).execute(),
      );
      world.pass(minute);
      await payments.reconcile();
      expect(billing.readOrder).toHaveBeenCalledOnce();
    });

    it("asks about a subscription that should have renewed, even if the clock was set back since it was checked", async () => {
      await bought("subscription-1m-mxn", { end: world.now() - 3 * day });
      world.pass(60 * minute + 1);
      await payments.reconcile();
      const before = billing.readSubscription.mock.calls.length;
      expect(before).toBeGreaterThan(0);
      world.pass(-day);
      await payments.reconcile();
      expect(billing.readSubscription.mock.calls.length).toBe(before + 1);
    });

    it("asks once an hour about a subscription that should have renewed, and never about an ended one or a one-time purchase", async () => {
      const { order } = await bought("subscription-1m-mxn", { end: world.now() + day });
      await bought("onetime-3m-mxn");
      await bought("subscription-1m-mxn", { status: "paused", end: world.now() + day });
      await store.write((queries) =>
        queries
          .updateTable("orders")
          .set({ checked_at: world.now() + day })
          .execute(),
      );
      billing.readOrder.mockClear();
      world.pass(day + hour);
      await payments.reconcile();
      expect(billing.readOrder).not.toHaveBeenCalled();
      world.pass(1);
      await payments.reconcile();
      await payments.reconcile();
      expect(billing.readOrder.mock.calls.map(([{ id }]) => id)).toEqual([order.id]);
      await store.write((queries) => queries.updateTable("orders").set({ checked_at: null }).execute());
      await payments.reconcile();
      expect(billing.readOrder.mock.calls.map(([{ id }]) => id)).toEqual([order.id, order.id]);
      await tell(billing, running(order, { status: "past_due", end: world.now() - 1 }));
      world.pass(hour + 1);
      await payments.reconcile();
      expect(billing.readOrder).toHaveBeenCalledTimes(3);
      await tell(billing, running(order, { status: "canceled", end: world.now() - 1 }));
      world.pass(2 * hour);
      await payments.reconcile();
      expect(billing.readOrder).toHaveBeenCalledTimes(3);
    });
  });

  describe("a plan", () => {
    const soon = { action: "pause", at: 7 } as const;
    it.each([
      ["active", {}, ["pause", "cancel"], true],
      ["going to pause", { change: soon }, ["keep", "cancel"], false],
      ["cancelled for later", { change: { action: "cancel", at: 7 } }, ["keep"], false],
      ["past due", { status: "past_due" }, ["cancel"], true],
      ["paused", { status: "paused" }, ["resume", "cancel"], true],
      ["over", { status: "canceled" }, [], false],
    ] as const)("that is %s says what its owner can do with it", async (_, fact, actions, charges) => {
      const { who } = await bought("subscription-1m-mxn", fact);
      const plan = await payments.planOf(who);
      expect(plan?.actions).toEqual(actions);
      expect(plan?.nextCharge === null).toBe(!charges);
      expect(plan?.change).toEqual("change" in fact ? fact.change : null);
      expect(await payments.cardPage(who)).toBe(
        actions.length === 0 ? null : expect.anything() && `https://card.example/sub ${(await newest()).id}`,
      );
    });

    it.each([
      ["can still be cancelled", {}, ["cancel"]],
      ["and would pause can only be cancelled", { change: soon }, ["cancel"]],
      ["and was cancelled cannot be kept", { change: { action: "cancel", at: 7 } }, []],
    ] as const)("that was refunded %s", async (_, fact, actions) => {
      const { who, order } = await bought("subscription-1m-mxn", fact);
      const refund = { kind: "adjustment", id: "adj", action: "refund", full: true, approved: true, total: null, at: null } as const;
      await tell(billing, newer({ ...refund, transactionId: `txn ${order.id}`, subscriptionId: `sub ${order.id}` }));
      expect(await payments.planOf(who)).toMatchObject({ status: "deleted", actions });
    });

    it("cannot be kept after a cancellation if its provider does not support that, and cannot be changed if its provider is not configured", async () => {
      const { who } = await bought("subscription-1m-mxn-classic", { change: { action: "cancel", at: 7 } });
      expect(await payments.planOf(who)).toMatchObject({ actions: [], nextCharge: null, change: { action: "cancel", at: 7 } });
      expect(await payments.cardPage(who)).toBeNull();
      const pausing = await bought("subscription-1m-mxn-classic", { change: soon });
      expect(await payments.planOf(pausing.who)).toMatchObject({ actions: ["keep", "cancel"] });
      payments = paymentsOf([billing]);
      expect(await payments.planOf(pausing.who)).toMatchObject({ actions: [], nextCharge: null, change: null });
      expect([await payments.changePlan(pausing.who, "keep"), await payments.cardPage(pausing.who)]).toEqual([null, null]);
    });

    it("says during its trial that it is one, and what it costs afterwards", async () => {
      const { who, order } = await bought("subscription-3m-mxn", { trialing: true });
      expect(await payments.planOf(who)).toMatchObject({
        status: "active",
        trialing: true,
        productType: "subscription",
        productPlan: "3M",
        currency: "MXN",
        price: 74_700,
        end: world.now() + 30 * day,
        timeZone: "UTC",
      });
      await tell(billing, running(order, { trialing: true, status: "paused" }));
      expect(await payments.planOf(who)).toMatchObject({ status: "paused", trialing: false });
      expect(await payments.planOf(await account())).toBeNull();
    });

    it("says so when it is a one-time purchase, or when its subscription is not known yet", async () => {
      const nothingYet = { status: "active", trialing: false, nextCharge: null, change: null, actions: [] };
      for (const [product, subscriptionId] of [
        ["onetime-3m-mxn", null],
        ["subscription-3m-mxn", "untold"],
      ] as const) {
        const who = await account();
        world.pass(1);
        await open(who, product);
        await tell(billing, paid(await newest(), { subscriptionId }));
        expect(await payments.planOf(who)).toMatchObject(nothingYet);
        expect([await payments.changePlan(who, "cancel"), await payments.cardPage(who)]).toEqual([null, null]);
      }
      expect(billing.changeSubscription).not.toHaveBeenCalled();
    });

    it("that is paused resumes at its provider", async () => {
      const { who, order } = await bought("subscription-1m-mxn", { status: "paused" });
      billing.changeSubscription.mockResolvedValueOnce([running(order)]);
      expect(await payments.changePlan(who, "resume")).toMatchObject({ status: "active" });
      expect(billing.changeSubscription.mock.calls).toEqual([[`sub ${order.id}`, "resume"]]);
      expect(billing.endSubscription).not.toHaveBeenCalled();
    });

    it("is changed at its provider, whose answer counts", async () => {
      const { who, order } = await bought();
      billing.changeSubscription.mockResolvedValueOnce([running(order, { change: soon })]);
      const note = vi.fn<() => Promise<void>>(async () => {});
      expect(await payments.changePlan(who, "pause", note)).toMatchObject({ change: soon, actions: ["keep", "cancel"] });
      expect(billing.changeSubscription.mock.calls).toEqual([[`sub ${order.id}`, "pause"]]);
      expect(note).toHaveBeenCalledOnce();
      expect(await payments.changePlan(who, "pause")).toBeNull();
      expect((await mails()).map(({ template, news }) => news ?? template)).toEqual(["receipt", "pausing"]);
    });

    it("that is cancelled is confirmed by mail, with its last day if it has one", async () => {
      const { who, order } = await bought();
      const at = Date.parse("2026-12-20T00:00:00Z");
      billing.changeSubscription.mockResolvedValueOnce([paid(order), running(order, { change: { action: "cancel", at } })]);
      mailed = 0;
      const note = vi.fn<() => Promise<void>>(async () => {});
      await payments.changePlan(who, "cancel", note);
      expect(note).toHaveBeenCalledOnce();
      await tell(billing, running(order, { status: "paused" }));
      billing.readSubscription.mockResolvedValueOnce([running(order, { status: "canceled" })]);
      expect(await payments.changePlan(who, "cancel")).toMatchObject({ status: "deleted" });
      expect(billing.changeSubscription.mock.calls).toEqual([[`sub ${order.id}`, "cancel"]]);
      expect(billing.endSubscription.mock.calls).toEqual([[`sub ${order.id}`]]);
      const confirmation = {
        whose: who,
        template: "cancelled",
        locale: "de-DE",
        recipient: `${who}@example.com`,
        firstname: "Lucía",
        cancelledOn: "2026-11-20",
        moneyBackUntil: "2026-12-20",
        withdrawn: false,
      };
      expect((await mails()).slice(1)).toEqual(
        expect.arrayContaining([
          { ...confirmation, until: "2026-12-20" },
          { ...confirmation, until: null },
        ]),
      );
      expect(mailed).toBe(3);
    });

    const lastDay = Date.parse("2026-12-20T00:00:00Z");
    it.each([
      ["that came through, by whoever comes next, once", { change: { action: "cancel", at: lastDay }, end: lastDay }, ["2026-12-20"]],
      ["that came through and ended it, without a last day", { status: "canceled", end: 0 }, [null]],
      ["that never came through, not at all", {}, []],
    ] as const)("is confirmed after a kill between the provider's change and our record of it: %s", async (_, told, confirmed) => {
      const { who, order } = await bought();
      // Another payment of the subscription was canceled: nobody gets a mail.
      const facts = [paid(order, { id: "another", orderId: null, status: "canceled" }), running(order, told)];
      const asked = Promise.withResolvers<void>();
      const answer = Promise.withResolvers<readonly VersionedFact[]>();
      billing.changeSubscription.mockImplementationOnce(() => {
        asked.resolve();
        return answer.promise;
      });
      const killed = payments.changePlan(who, "cancel");
      await asked.promise;
      const next = paymentsOf([billing, classic]);
      await next.reconcile();
      expect(billing.readSubscription).not.toHaveBeenCalled();
      await tell(billing, ...facts);
      world.pass(2 * minute);
      billing.readSubscription.mockResolvedValue(facts);
      await next.reconcile();
      expect(await untils()).toEqual(confirmed);
      // The provider was only slow.
      answer.resolve(facts);
      await killed;
      world.pass(5 * minute);
      await next.reconcile();
      expect(await untils()).toEqual(confirmed);
    });

    it.each([
      ["as ended without a last day", false, [null]],
      ["to nobody who is gone by then", true, []],
    ])("that is paused, whose cancellation has no answer, is confirmed %s", async (_, isGone, confirmed) => {
      const { who, order } = await bought("subscription-1m-mxn", { status: "paused" });
      billing.readSubscription.mockRejectedValueOnce(new ProviderFailure("timeout", "late"));
      await expect(payments.changePlan(who, "cancel")).rejects.toThrow("late");
      if (isGone) await store.write((queries) => queries.updateTable("orders").set({ account_uuid: null }).execute());
      world.pass(2 * minute);
      mailed = 0;
      billing.readSubscription.mockResolvedValueOnce([running(order, { status: "canceled" })]);
      await payments.reconcile();
      expect([await untils(), mailed]).toEqual([confirmed, confirmed.length]);
    });

    it.each<[string, Partial<SubscriptionFact>, number, readonly (string | null)[]]>([
      ["will end", { change: { action: "cancel", at: lastDay } }, 2 * minute, ["2026-12-20"]],
      ["has ended", { status: "canceled" }, 2 * minute, ["2026-12-20"]],
      ["has ended, without a last day that is over", { status: "canceled" }, 31 * day, [null]],
      ["goes on", {}, 2 * minute, []],
      ["will pause", { change: soon }, 2 * minute, []],
    ])("whose cancellation has no answer is confirmed once the provider is asked again, if it %s", async (_, fact, later, confirmed) => {
      const { who, order } = await bought();
      billing.changeSubscription.mockRejectedValueOnce(new ProviderFailure("timeout", "late"));
      await expect(payments.changePlan(who, "cancel")).rejects.toThrow("late");
      world.pass(later);
      // After its end the subscription is asked about for another reason, too.
      if (later > 30 * day) billing.readSubscription.mockResolvedValueOnce([]);
      billing.readSubscription.mockResolvedValueOnce([paid(order, { id: "another", orderId: null }), running(order, fact)]);
      await payments.reconcile();
      const open = await store.read.selectFrom("payment_duties").select("subject").where("done_at", "is", null).execute();
      expect(open).toEqual([]);
      // The report that comes later is no news.
      await tell(billing, running(order, fact));
      expect(await untils()).toEqual(confirmed);
    });

    it("whose cancellation is reported while the provider is asked about it is confirmed once", async () => {
      const { who, order } = await bought();
      billing.changeSubscription.mockRejectedValueOnce(new ProviderFailure("timeout", "late"));
      await expect(payments.changePlan(who, "cancel")).rejects.toThrow("late");
      world.pass(2 * minute);
      const ending = running(order, { change: { action: "cancel", at: lastDay }, end: lastDay });
      billing.readSubscription.mockImplementationOnce(async () => {
        await tell(billing, ending);
        return [ending];
      });
      mailed = 0;
      await payments.reconcile();
      expect([await untils(), mailed]).toEqual([["2026-12-20"], 1]);
    });

    it("whose cancellation has no answer yet is not confirmed by the news of a payment", async () => {
      const { who, order } = await bought();
      billing.changeSubscription.mockRejectedValueOnce(new ProviderFailure("timeout", "late"));
      await expect(payments.changePlan(who, "cancel")).rejects.toThrow("late");
      await tell(billing, paid(order, { id: "renewal", orderId: null, tax: 7 }));
      expect((await mails()).filter(({ template }) => template !== "receipt")).toMatchObject([{ news: "renewed", tax: 7, next: null }]);
      await tell(billing, running(order, { change: { action: "cancel", at: lastDay } }));
      expect(await untils()).toEqual(["2026-12-20"]);
    });

    it("whose cancellation is reported before the provider refuses a second request is confirmed once", async () => {
      const { who, order } = await bought();
      billing.changeSubscription.mockImplementationOnce(async () => {
        await tell(billing, running(order, { change: { action: "cancel", at: lastDay } }));
        throw new ProviderFailure("refused", "twice");
      });
      await expect(payments.changePlan(who, "cancel")).rejects.toThrow("twice");
      expect(await untils()).toEqual(["2026-12-20"]);
    });

    it("that is past due and ended by its owner is confirmed as cancelled", async () => {
      const { who, order } = await bought("subscription-1m-mxn", { status: "past_due" });
      billing.readSubscription.mockResolvedValueOnce([running(order, { status: "canceled" })]);
      await payments.changePlan(who, "cancel");
      expect((await mails()).map(({ template }) => template)).toEqual(["cancelled"]);
    });

    it.each<[string, Partial<SubscriptionFact> | null, readonly object[]]>([
      ["goes on, which its owner is told once", {}, [{ news: "kept", next: "2026-12-20" }]],
      ["is past due by then", { status: "past_due" }, [{ news: "failed", next: null }]],
      ["still pauses", null, []],
    ])("that would pause, whose cancellation the provider refused, %s", async (_, kept, news) => {
      const { who, order } = await bought("subscription-1m-mxn", { change: soon });
      if (kept !== null) billing.changeSubscription.mockResolvedValueOnce([running(order, kept)]);
      billing.changeSubscription.mockRejectedValueOnce(new ProviderFailure("refused", "no"));
      mailed = 0;
      await expect(payments.changePlan(who, "cancel")).rejects.toThrow("no");
      expect([(await mails()).filter(({ template }) => template === "planNews"), mailed]).toMatchObject([news, news.length]);
    });

    it.each(["refused", "timeout"] as const)("whose cancellation failed (%s) is reported when it is cancelled after all", async (kind) => {
      const { who, order } = await bought();
      billing.changeSubscription.mockRejectedValueOnce(new ProviderFailure(kind, "no"));
      await expect(payments.changePlan(who, "cancel")).rejects.toThrow("no");
      world.pass(2 * minute);
      await payments.reconcile();
      await tell(billing, running(order, { change: { action: "cancel", at: lastDay } }));
      expect(await untils()).toEqual(["2026-12-20"]);
    });

    it("whose cancellation the provider refused is not checked again; one without an answer is", async () => {
      const { who } = await bought();
      for (const [kind, left] of [
        ["refused", 0],
        ["timeout", 1],
      ] as const) {
        billing.changeSubscription.mockRejectedValueOnce(new ProviderFailure(kind, "no"));
        await expect(payments.changePlan(who, "cancel")).rejects.toThrow("no");
        const open = await store.read.selectFrom("payment_duties").select("reason").where("done_at", "is", null).execute();
        expect(open).toEqual(Array.from({ length: left }, () => ({ reason: "cancelled by its owner" })));
      }
      // The mail is the receipt.
      expect([(await mails()).map(({ template }) => template), mailed]).toEqual([["receipt"], 1]);
    });

    it("is the newest purchase", async () => {
      const { who } = await bought("onetime-3m-mxn");
      world.pass(200 * day);
      await open(who, "subscription-1m-mxn");
      const order = await newest();
      await tell(billing, paid(order), running(order));
      expect(await payments.planOf(who)).toMatchObject({ productType: "subscription", status: "active" });
      expect((await payments.entitlementsOf(who)).map(({ status }) => status)).toEqual(["active", "deleted"]);
    });
  });

  describe("a provider's report", () => {
    it("counts in its newest state, in whatever order reports arrive", async () => {
      const { who, order } = await bought();
      const [older, later] = [running(order, { status: "past_due" }), running(order, { status: "paused" })];
      await tell(billing, later);
      await tell(billing, older);
      expect((await payments.planOf(who))?.status).toBe("paused");
      // The older report is no news.
      expect((await mails()).map(({ template, news }) => news ?? template).toSorted()).toEqual(["paused", "receipt"]);
    });

    it("of a renewal or a refund is assigned to the order by its subscription", async () => {
      const { who, order } = await bought();
      const renewal = paid(order, { id: "renewal", orderId: null, billedAt: world.now() + 5 * day });
      await tell(billing, renewal);
      await tell(
        billing,
        newer({
          kind: "adjustment",
          id: "adj",
          transactionId: "renewal",
          subscriptionId: `sub ${order.id}`,
          action: "refund",
          full: true,
          approved: true,
          total: null,
          at: null,
        }),
      );
      expect((await payments.planOf(who))?.status).toBe("deleted");
    });

    it("of a refund of a one-time purchase is assigned to its order by the payment", async () => {
      const who = await account();
      await open(who, "onetime-3m-mxn");
      const order = await newest();
      await tell(billing, paid(order, { subscriptionId: null }));
      const refund = { kind: "adjustment", id: "adj", action: "refund", full: true, approved: true, total: null, at: null } as const;
      await tell(billing, newer({ ...refund, transactionId: `txn ${order.id}`, subscriptionId: null }));
      expect((await payments.planOf(who))?.status).toBe("deleted");
    });

    it("of a subscription that its payment did not name is assigned to the order by the payment", async () => {
      const who = await account();
      await open(who, "subscription-1m-mxn");
      const order = await newest();
      await tell(billing, paid(order, { subscriptionId: null }));
      await tell(billing, running(order));
      expect((await newest()).subscription_id).toBe(`sub ${order.id}`);
      expect((await payments.planOf(who))?.actions).toEqual(["pause", "cancel"]);
    });

    it("of the account's first plan counts even if another one was bought in the meantime", async () => {
      const { who, order } = await bought("subscription-1m-mxn", { status: "paused" });
      world.pass(1);
      await open(who, "subscription-3m-mxn");
      const second = await newest();
      await tell(billing, paid(second), running(second));
      await tell(billing, running(order));
      expect((await payments.entitlementsOf(who)).map(({ status }) => status)).toEqual(["active", "active"]);
      expect((await orders()).map(({ status }) => status)).toEqual(["completed", "completed"]);
      expect(billing.refund).not.toHaveBeenCalled();
    });

    it("of a payment whose period is over sends no receipt", async () => {
      await bought("subscription-1m-mxn", { status: "canceled" });
      expect([await mails(), mailed]).toEqual([[], 0]);
    });

    it("of a second payment of one order leads to its refund, of an unknown order to nothing", async () => {
      const { order } = await bought();
      await tell(billing, paid(order, { id: "second", subscriptionId: null }));
      expect(billing.refund.mock.calls).toEqual([["second", "a second payment of the same order"]]);
      expect(said).toEqual(["An order was paid a second time: the second payment is refunded."]);
      for (const fact of [{ orderId: "another" }, { orderId: null }, { status: "open" as const }])
        await tell(billing, paid(order, { id: `third ${JSON.stringify(fact)}`, subscriptionId: null, ...fact }));
      await tell(classic, paid(order, { id: "fourth", subscriptionId: null }));
      expect(billing.refund).toHaveBeenCalledOnce();
      expect(classic.refund).not.toHaveBeenCalled();
      expect(said).toHaveLength(1);
    });

    it("of a first payment sends one receipt in the buyer's language", async () => {
      const { who, order } = await bought("subscription-3m-mxn", { end: Date.parse("2026-11-27T12:00:00Z") });
      await tell(billing, running(order));
      expect(await mails()).toEqual([
        {
          whose: who,
          template: "receipt",
          locale: "de-DE",
          recipient: `${who}@example.com`,
          firstname: "Lucía",
          orderId: order.id,
          plan: "3M",
          productType: "subscription",
          currency: "MXN",
          price: 74_700,
          trialDays: 7,
          paidOn: "2026-11-20",
          until: "2026-11-27",
          withdrawUntil: "2026-12-04",
          paid: 0,
          tax: 0,
          isBack: false,
        },
      ]);
      expect(mailed).toBe(1);
    });

    it.each<[string, Partial<TransactionFact>, object]>([
      ["with its tax", { tax: 12_400 }, { paid: 89_900, tax: 12_400 }],
      ["without a tax that is not known yet", { tax: 0, taxUntold: true }, { paid: 89_900, tax: null }],
    ])("of a purchase sends a receipt with the amount paid, %s", async (_, fact, amounts) => {
      await open(await account(), "onetime-3m-mxn");
      await tell(billing, paid(await newest(), { subscriptionId: null, ...fact }));
      expect(await mails()).toMatchObject([{ template: "receipt", ...amounts }]);
    });

    it("of a purchase that comes after its renewal sends a receipt about the purchase", async () => {
      await open(await account(), "subscription-1m-mxn");
      const order = await newest();
      await tell(billing, paid(order, { id: "1 renewal", orderId: null, tax: 7, billedAt: world.now() + 30 * day }));
      await tell(billing, paid(order, { tax: 4_138 }));
      expect(await mails()).toMatchObject([{ template: "receipt", tax: 4_138 }]);
    });

    it("of a purchase ends the account's other open and paused plans", async () => {
      const { who } = await bought("subscription-1m-mxn", { status: "canceled" });
      world.pass(1);
      await open(who, "subscription-1m-mxn");
      const order = await newest();
      await tell(billing, paid(order), running(order, { status: "paused" }));
      const status = (id: string, to: string) =>
        store.write((queries) => queries.updateTable("orders").set({ status: to }).where("id", "=", id).execute());
      const left: string[] = [];
      for (const product of ["subscription-3m-mxn", "subscription-3m-mxn-classic"]) {
        world.pass(1);
        await open(who, product);
        left.push((await newest()).id);
        await status(left.at(-1) ?? "", "cancelled");
      }
      world.pass(1);
      await open(who, "subscription-12m-mxn");
      const third = await newest();
      for (const id of left) await status(id, "pending");
      billing.cancelCheckout.mockClear();
      await tell(billing, paid(third), running(third));
      expect(await duties()).toEqual([
        { kind: "cancel-checkout", subject: `txn ${left[0]}`, order_id: left[0], reason: `superseded by order ${third.id}` },
        { kind: "cancel-subscription", subject: `sub ${order.id}`, order_id: order.id, reason: `replaced by order ${third.id}` },
      ]);
      expect((await orders()).map((row) => row.status)).toEqual(["completed", "completed", "cancelled", "cancelled", "completed"]);
      expect([billing.cancelCheckout.mock.calls, billing.endSubscription.mock.calls]).toEqual([
        [[`txn ${left[0]}`]],
        [[`sub ${order.id}`]],
      ]);
    });

    it("is accepted from configured providers with their signature", async () => {
      expect(await payments.receive("paddlebilling", Buffer.from("x"), { a: "b" })).toBe(false);
      expect(billing.verify.mock.calls).toEqual([[Buffer.from("x"), { a: "b" }, world.now()]]);
      expect(await paymentsOf([billing]).receive("paddle", Buffer.from("x"), {})).toBe(false);
    });
  });

  it("of an account with a plan lead to that plan, and two taps at once to one checkout", async () => {
    const { who, order } = await bought();
    expect([await payments.entitlementExists(who), await payments.entitlementExists(await account())]).toEqual([true, false]);
    const paymentId = `txn ${order.id}`;
    expect(await open(who, "onetime-3m-mxn")).toEqual({ paymentId, transactionId: paymentId, hostedUrl: order.hosted_url });
    expect(await payments.changePlan(await account(), "cancel")).toBeNull();
    expect(await payments.cardPage(await account())).toBeNull();
    const other = await account();
    billing.createCheckout.mockClear();
    const [first, second] = await Promise.all([open(other, "onetime-3m-mxn"), open(other, "onetime-3m-mxn")]);
    expect(second).toEqual(first);
    expect(billing.createCheckout).toHaveBeenCalledOnce();
  });

  it("whose provider is no longer configured wait, and no provider is asked", async () => {
    const who = await account();
    await open(who, "onetime-3m-mxn");
    world.pass(hour);
    payments = paymentsOf([classic]);
    expect((await payments.statusOf(who, "")).status).toBe("pending");
    await payments.reconcile();
    expect(await open(who, "onetime-3m-mxn-classic")).toMatchObject({ transactionId: null });
    expect((await orders()).map(({ status }) => status)).toEqual(["cancelled", "pending"]);
    expect([await payments.listMoney("paddlebilling", 0), await payments.priceDifferences("paddlebilling")]).toEqual([null, []]);
    expect(await payments.priceDifferences("paddle")).toContain(
      "onetime-3m-mxn-classic: there is no price price of onetime-3m-mxn-classic",
    );
    await payments.applyFacts("paddlebilling", [paid(await newest())]);
    expect(await store.read.selectFrom("provider_facts").select("id").execute()).toEqual([]);
  });

  describe("of an erased account", () => {
    const eraseBuyer = () =>
      store.write(async (queries) => {
        await queries.updateTable("orders").set({ account_uuid: null }).execute();
        await queries.updateTable("entitlements").set({ account_uuid: null }).execute();
      });
    const kept = () => store.read.selectFrom("entitlements").select(["account_uuid", "status"]).execute();

    it("are kept for bookkeeping", async () => {
      await open(await account(), "subscription-1m-mxn");
      const order = await newest();
      await tell(billing, paid(order), running(order));
      await eraseBuyer();
      await tell(billing, running(order, { status: "canceled" }));
      expect(await kept()).toEqual([{ account_uuid: null, status: "deleted" }]);
      expect(await duties()).toEqual([]);
    });

    it("that are paid nevertheless are refunded and their subscriptions end, without a mail", async () => {
      await open(await account(), "subscription-1m-mxn");
      const order = await newest();
      await eraseBuyer();
      await tell(billing, paid(order, { subscriptionId: null }));
      await tell(billing, running(order));
      expect(await duties()).toMatchObject([
        { kind: "cancel-subscription", subject: `sub ${order.id}`, reason: "a payment of an account that was erased before" },
        { kind: "refund", subject: `txn ${order.id}`, reason: "a payment of an account that was erased before" },
      ]);
      expect([await kept(), await mails(), mailed]).toEqual([[], [], 0]);
    });
  });

  it("whose checkout's answer was lost are found by the order id in the transaction, once and at their own provider", async () => {
    const who = await account();
    billing.createCheckout.mockRejectedValueOnce(new ProviderFailure("timeout", "late"));
    await open(who, "onetime-3m-mxn");
    const order = await newest();
    await tell(classic, paid(order));
    expect((await payments.statusOf(who, "")).status).toBe("pending");
    await tell(billing, paid(order, { subscriptionId: null }));
    expect((await newest()).transaction_id).toBe(`txn ${order.id}`);
    expect((await payments.statusOf(who, "")).status).toBe("completed");
  });

  it("that were given up stay cancelled until they are paid", async () => {
    const who = await account();
    await open(who, "onetime-3m-mxn");
    const order = await newest();
    await tell(billing, paid(order, { status: "canceled" }));
    expect((await payments.statusOf(who, "")).status).toBe("cancelled");
    await tell(billing, paid(order, { status: "open" }));
    expect((await payments.statusOf(who, "")).status).toBe("cancelled");
    await tell(billing, paid(order));
    expect((await payments.statusOf(who, "")).status).toBe("completed");
    await tell(billing, paid(order, { status: "open" }));
    expect(await payments.entitlementsOf(who)).toMatchObject([{ status: "active" }]);
  });

  it("that cost nothing yet are not refunded, and a subscription that has ended is not ended again", async () => {
    const { second } = await orderBesideAPlan("subscription-3m-mxn");
    await tell(billing, running(second, { status: "canceled" }));
    await tell(billing, paid(second, { total: 0, subscriptionId: null }));
    expect((await newest()).status).toBe("duplicate");
    expect(await duties()).toEqual([]);
  });

  it("that were paid beside a plan have each payment refunded and their subscription ended, however they are reported", async () => {
    const { second } = await orderBesideAPlan();
    const due: unknown[] = [];
    const dueAfter = async (fact: VersionedFact) => {
      await tell(billing, fact);
      const known = due.length;
      due.push(...(await duties()).map(({ kind, subject }) => `${kind} ${subject}`).filter((duty) => !due.includes(duty)));
      return due.slice(known);
    };
    expect(await dueAfter(paid(second, { subscriptionId: null }))).toEqual([`refund txn ${second.id}`]);
    expect(await dueAfter(running(second, { status: "paused" }))).toEqual([`cancel-subscription sub ${second.id}`]);
    const renewal = { id: "renewal", orderId: null };
    expect(await dueAfter(paid(second, { ...renewal, status: "open" }))).toEqual([]);
    expect(await dueAfter(paid(second, renewal))).toEqual(["refund renewal"]);
    const refund = { kind: "adjustment", id: "adj", action: "refund", full: true, approved: true, total: null, at: null } as const;
    expect(await dueAfter(newer({ ...refund, transactionId: "renewal", subscriptionId: `sub ${second.id}` }))).toEqual([]);
    expect(new Set((await duties()).map(({ order_id: order, reason }) => `${order}: ${reason}`))).toEqual(
      new Set([`${second.id}: a second payment of an account that has a plan`]),
    );
  });

  it("that are bought after a refund end the subscription that the refund left, so that nobody is charged for two", async () => {
    const { who, order } = await bought("subscription-1m-mxn");
    const refund = { kind: "adjustment", id: "adj", action: "refund", full: true, approved: true, total: null, at: null } as const;
    await tell(billing, newer({ ...refund, transactionId: `txn ${order.id}`, subscriptionId: `sub ${order.id}` }));
    world.pass(1);
    await open(who, "subscription-3m-mxn");
    const second = await newest();
    expect(billing.endSubscription).not.toHaveBeenCalled();
    await tell(billing, paid(second), running(second));
    expect(billing.endSubscription.mock.calls).toEqual([[`sub ${order.id}`]]);
    expect(await payments.planOf(who)).toMatchObject({ status: "active", productPlan: "3M" });
  });

  it("that are bought after a plan's end leave its subscription, which has ended too", async () => {
    const { who, order } = await bought("subscription-1m-mxn");
    await tell(billing, running(order, { status: "canceled", end: world.now() }));
    world.pass(1);
    await open(who, "subscription-3m-mxn");
    await tell(billing, paid(await newest()), running(await newest()));
    expect(billing.endSubscription).not.toHaveBeenCalled();
  });

  it("that were paid beside a plan end a subscription that only the payment names", async () => {
    const { second } = await orderBesideAPlan();
    await tell(billing, paid(second));
    expect(billing.endSubscription.mock.calls).toEqual([[`sub ${second.id}`]]);
  });

  it("a webhook that cannot be read or applied delays no other, and is retried", async () => {
    const { who, order } = await bought();
    const send = (payload: string) => {
      billing.verify.mockReturnValueOnce({ eventId: world.uuid(), eventType: "told", payload });
      return payments.receive("paddlebilling", Buffer.from(payload), {});
    };
    /** What the studio shows of those that failed. */
    const failures = () =>
      store.read.selectFrom("provider_events").select(["attempts", "error"]).where("error", "is not", null).orderBy("attempts").execute();
    const cause = "no JSON".repeat(100);
    billing.factsOf.mockImplementationOnce(() => {
      throw new Error(cause);
    });
    expect(await send("no JSON")).toBe(true);
    await payments.settled();
    expect(said).toEqual(["A webhook's payload could not be read."]);
    const unread = { attempts: 0, error: `It could not be read: ${cause.slice(0, 500)}` };
    expect(await failures()).toEqual([unread]);
    const noFact = running(order, { id: JSON.parse("null") });
    let isBad = true;
    billing.factsOf.mockImplementation((payload) => (payload === "bad" && isBad ? [noFact] : JSON.parse(payload)));
    await send("bad");
    await tell(billing, running(order, { status: "paused" }));
    // Once alone, and once with the next one.
    expect(said.slice(1)).toEqual(["A webhook could not be applied.", "A webhook could not be applied."]);
    expect((await payments.planOf(who))?.status).toBe("paused");
    expect(await failures()).toEqual([unread, { attempts: 2, error: expect.stringMatching(/./) }]);
    await payments.applyStored();
    isBad = false;
    await payments.reconcile();
    expect(await failures()).toEqual([unread, { attempts: 3, error: expect.stringMatching(/^It could not be read: ./) }]);
    expect(await store.read.selectFrom("provider_events").select("event_id").where("applied_at", "is", null).execute()).toEqual([]);
  });

  it("webhooks that always fail wait for new ones, which keep their order, and are all tried equally often", async () => {
    const { order } = await bought();
    const noFact = running(order, { id: JSON.parse("null") });
    const tried: string[] = [];
    let during = async () => {};
    billing.factsOf.mockImplementation((payload) => {
      tried.push(payload);
      return payload.startsWith("bad") ? [noFact] : [];
    });
    const send = (payload: string) => {
      billing.verify.mockReturnValueOnce({ eventId: payload, eventType: "told", payload });
      return payments.receive("paddlebilling", Buffer.from(payload), {});
    };
    const failing = Array.from({ length: 60 }, (_, n) => `bad ${n}`);
    for (const payload of failing) await send(payload);
    await payments.settled();

    const { write } = store;
    vi.spyOn(store, "write").mockImplementation(async (work) => {
      const result = write(work).finally(() => during());
      return result;
    });
    tried.length = 0;
    world.pass(1);
    for (const payload of ["good 1", "good 2", "good 3"]) await send(payload);
    during = async () => {
      // The first of the failed ones is being tried again.
      if (!tried.some((payload) => payload.startsWith("bad"))) return;
      during = async () => {};
      await send("good 4");
    };
    await payments.settled();
    expect(tried.slice(0, 3)).toEqual(["good 1", "good 2", "good 3"]);
    expect(tried.indexOf("good 4")).toBeGreaterThan(3);
    expect(tried.indexOf("good 4")).toBeLessThan(30);

    const attempts = async () => {
      const waiting = await store.read.selectFrom("provider_events").select("attempts").where("applied_at", "is", null).execute();
      expect(waiting).toHaveLength(failing.length);
      return waiting.map((row) => row.attempts);
    };
    const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
    const before = sum(await attempts());
    await payments.reconcile();
    expect(sum(await attempts()) - before).toBe(20);
    await payments.reconcile();
    const each = await attempts();
    expect(Math.max(...each) - Math.min(...each)).toBeLessThanOrEqual(1);
  });

  it("a webhook that was acknowledged is applied before the process ends", async () => {
    billing.verify.mockReturnValueOnce({ eventId: "e", eventType: "told", payload: "[]" });
    await payments.receive("paddlebilling", Buffer.from("x"), {});
    await payments.stop();
    expect(await store.read.selectFrom("provider_events").select("applied_at").execute()).toEqual([{ applied_at: world.now() }]);
  });

  it("webhooks that arrive at the same time are stored together", async () => {
    const writes = vi.spyOn(store, "write");
    const answers = ["a", "b", "c", "d", "e"].map((eventId) => {
      billing.verify.mockReturnValueOnce({ eventId, eventType: "told", payload: "[]" });
      return payments.receive("paddlebilling", Buffer.from("x"), {});
    });
    await Promise.all(answers);
    await payments.settled();
    // The first one and the four that arrived meanwhile. SQLite applies them together, too (decision 082).
    expect(writes).toHaveBeenCalledTimes(2 + (database === "sqlite" ? 2 : 5));
  });

  it("while a provider does not answer, a webhook still entitles and polling is still answered", async () => {
    const runs = standingClocks();
    const who = await account();
    await open(who, "onetime-3m-mxn");
    const order = await newest();
    world.pass(2 * minute);
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<readonly VersionedFact[]>();
    billing.readOrder.mockImplementation(() => {
      asked.resolve();
      return answer.promise;
    });
    payments.start();
    await asked.promise;
    world.pass(minute);
    const polled = payments.statusOf(who, "");
    await until(() => runs(second));
    await vi.advanceTimersByTimeAsync(second);
    expect((await polled).status).toBe("pending");
    billing.verify.mockReturnValueOnce({ eventId: "e", eventType: "told", payload: JSON.stringify([paid(order)]) });
    await payments.receive("paddlebilling", Buffer.from("x"), {});
    await expect.poll(() => payments.entitlementsOf(who)).toMatchObject([{ status: "active" }]);
    expect((await payments.statusOf(who, "")).status).toBe("completed");
    answer.resolve([]);
    await payments.settled();
    expect(said).toEqual([]);
  });

  it("polling waits a second for the provider; a later answer counts, and a failure to store it is logged", async () => {
    const runs = standingClocks();
    const asking = async () => {
      const who = await account();
      world.pass(1);
      await open(who, "onetime-3m-mxn");
      world.pass(minute);
      const answer = Promise.withResolvers<readonly VersionedFact[]>();
      billing.readOrder.mockReturnValueOnce(answer.promise);
      const polled = payments.statusOf(who, "");
      await until(() => runs(second));
      return { who, order: await newest(), polled, answer };
    };
    const inTime = await asking();
    inTime.answer.resolve([paid(inTime.order)]);
    expect([(await inTime.polled).status, runs(second)]).toEqual(["completed", false]);

    for (const fails of [false, true]) {
      const { who, order, polled, answer } = await asking();
      const ended = vi.fn<() => void>();
      const polling = polled.finally(ended);
      await vi.advanceTimersByTimeAsync(second - 1);
      expect(ended).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      expect((await polling).status).toBe("pending");
      if (fails) answer.reject(new Error("a defect"));
      else answer.resolve([paid(order)]);
      await expect.poll(async () => [(await payments.entitlementsOf(who)).length, said.length]).toEqual(fails ? [0, 1] : [1, 0]);
    }
    expect(said).toEqual(["The payment provider's late answer could not be stored."]);
  });

  it("a webhook entitles while the provider does not answer to a duty", async () => {
    const { who } = await bought();
    const answer = Promise.withResolvers<undefined>();
    billing.refund.mockReturnValueOnce(answer.promise);
    world.pass(1);
    await store.write((queries) => queries.updateTable("entitlements").set({ status: "deleted" }).execute());
    await open(who, "subscription-12m-mxn");
    const second = await newest();
    await store.write((queries) => queries.updateTable("entitlements").set({ status: "active" }).execute());
    const send = (fact: VersionedFact) => {
      billing.verify.mockReturnValueOnce({ eventId: world.uuid(), eventType: "told", payload: JSON.stringify([fact]) });
      return payments.receive("paddlebilling", Buffer.from("x"), {});
    };
    await send(paid(second));
    await expect.poll(() => billing.refund.mock.calls.length).toBe(1);
    const other = await account();
    world.pass(1);
    await open(other, "onetime-3m-mxn");
    await send(paid(await newest()));
    await expect.poll(() => payments.entitlementsOf(other)).toMatchObject([{ status: "active" }]);
    answer.resolve(undefined);
    await payments.settled();
  });

  it("are asked about once by two processes that reconcile at the same time", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 12; n++) {
      await open(await account(), "onetime-3m-mxn");
      ids.push((await newest()).id);
      world.pass(1);
    }
    world.pass(2 * minute);
    await Promise.all([payments.reconcile(), paymentsOf([billing, classic]).reconcile()]);
    expect(billing.readOrder.mock.calls.map(([{ id }]) => id).toSorted()).toEqual(ids.toSorted());
  });

  it("a webhook that cannot be stored is not acknowledged, and the others are stored", async () => {
    const eventTypes = ["a", "b", JSON.parse("null"), "c"];
    const answers = eventTypes.map((eventType) => {
      billing.verify.mockReturnValueOnce({ eventId: world.uuid(), eventType, payload: "[]" });
      return payments.receive("paddlebilling", Buffer.from("x"), {}).catch(() => "not stored");
    });
    expect(await Promise.all(answers)).toEqual([true, true, "not stored", true]);
    billing.verify.mockReturnValueOnce(null);
    expect(await payments.receive("paddlebilling", Buffer.from("x"), {})).toBe(false);
    await payments.settled();
    expect(await store.read.selectFrom("provider_events").select("event_type").orderBy("event_type").execute()).toEqual(
      ["a", "b", "c"].map((event_type) => ({ event_type })),
    );
  });

  it("are reconciled at the start and every minute, until the process stops", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    await open(await account(), "onetime-3m-mxn");
    const asked = async () => {
      await payments.settled();
      return billing.readOrder.mock.calls.length;
    };
    world.pass(2 * minute);
    payments.start();
    expect(await asked()).toBe(1);
    world.pass(2 * minute);
    vi.advanceTimersByTime(minute - 1);
    expect(await asked()).toBe(1);
    vi.advanceTimersByTime(1);
    expect(await asked()).toBe(2);
    world.pass(2 * minute);
    billing.readOrder.mockRejectedValueOnce(new Error("a defect"));
    vi.advanceTimersByTime(minute);
    expect(await asked()).toBe(3);
    expect(said).toEqual(["Payments could not be reconciled."]);
    await payments.stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("are no longer checked once the process ends, which waits five seconds for a provider that does not answer", async () => {
    for (let n = 0; n < 2; n++) await open(await account(), "onetime-3m-mxn");
    await store.write((queries) =>
      addDuty(queries, { provider: "paddlebilling", kind: "refund", subject: "txn", orderId: "", reason: "", now: world.now() }),
    );
    world.pass(2 * minute);
    const answer = Promise.withResolvers<readonly VersionedFact[]>();
    billing.readOrder.mockReturnValue(answer.promise);
    const runs = standingClocks();
    payments.start();
    await until(() => billing.readOrder.mock.calls.length === 1);
    const ended = vi.fn<() => void>();
    const ending = payments.stop().then(ended);
    await until(() => runs(5 * second));
    await vi.advanceTimersByTimeAsync(5 * second - 1);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await ending;
    expect(runs(5 * second)).toBe(false);
    answer.resolve([]);
    await payments.settled();
    expect([billing.readOrder.mock.calls.length, billing.refund.mock.calls.length]).toEqual([1, 0]);
  });

  it("webhooks that an older process applied get their account recorded at the start and every minute", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const event = { payment_provider: "paddlebilling", event_type: "", payload: "{", received_at: 0, applied_at: 0 };
    const left = async (id: string) => {
      await store.write((queries) =>
        queries
          .insertInto("provider_events")
          .values({ ...event, event_id: id })
          .execute(),
      );
      return async () => {
        await payments.settled();
        return (await store.read.selectFrom("provider_events").select("event_id").where("account_uuid", "is", null).execute()).length;
      };
    };
    const first = await left("first");
    payments.start();
    expect(await first()).toBe(0);
    for (const id of ["second", "third"]) {
      const later = await left(id);
      vi.advanceTimersByTime(minute - 1);
      expect(await later()).toBe(1);
      vi.advanceTimersByTime(1);
      expect(await later()).toBe(0);
    }
    await payments.stop();
    const late = await left("late");
    await payments.noteBuyers();
    expect(await late()).toBe(1);
    expect(said).toEqual([]);
  });

  it("have a coupon that applies to the product, as the catalogue spells it; another code's is not the same as none", async () => {
    const coupons = [
      ["onetime-3m-mxn", "amigos20"],
      ["onetime-3m-mxn", "VUELVE30"],
      ["onetime-3m-mxn", "NOSUCH"],
      ["nothing", "AMIGOS20"],
    ] as const;
    expect(await Promise.all(coupons.map(([product, code]) => payments.couponFor(product, code)))).toEqual([
      { code: "AMIGOS20" },
      { code: null },
      null,
      { code: null },
    ]);
  });

  it("are offered in the country's currency", async () => {
    expect(
      (await payments.offer(["onetime-3m-mxn"], { country: "DE", couponCode: "AMIGOS20" }))?.map(({ productId }) => productId),
    ).toEqual(["onetime-3m-eur"]);
  });

  it("a link is mailed to the account's address in the requested language, and not to an erased account", async () => {
    const who = await account();
    await payments.mailPayLink(who, "https://pay.example/", "pt-BR");
    await payments.mailPayLink("nobody", "https://pay.example/", "pt-BR");
    expect(await mails()).toEqual([
      {
        whose: who,
        template: "payLink",
        locale: "pt-BR",
        recipient: `${who}@example.com`,
        firstname: "Lucía",
        url: "https://pay.example/",
      },
    ]);
    expect(mailed).toBe(1);
  });
});
