/** Duties of providers are carried out, now or later. */
import { createTestStore, createTestWorld, databases, type TestWorld } from "#test/app.ts";
import { fakeProvider } from "#test/fakeProvider.ts";
import type { Store } from "#server/store/store.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addDuty, beginDuty, finishDuty, isBeingCancelled, takeConfirmation } from "./duties.ts";
import { createPayments } from "./payments.ts";
import { ProviderFailure } from "./provider.ts";
import type { PaymentService } from "./service.ts";

const minute = 60_000;

describe.each(databases)("duties on %s", (database) => {
  let store: Store;
  let world: TestWorld;
  let provider: ReturnType<typeof fakeProvider>;
  let payments: PaymentService;
  let said: [string, object, string][];
  beforeEach(async () => {
    store = await createTestStore(database);
    world = createTestWorld();
    provider = fakeProvider({ name: "paddlebilling", keepsCancelled: true });
    said = [];
    payments = newProcess();
  });
  const newProcess = (providers = [provider]) =>
    createPayments({
      store,
      world,
      providers,
      log: {
        warn: (details, message) => void said.push(["warn", details, message]),
        error: (details, message) => void said.push(["error", details, message]),
      },
      secretKeys: ["key"],
      onMail: () => undefined,
    });
  afterEach(() => store.close());

  type Kind = Parameters<typeof addDuty>[1]["kind"];
  const add = (kind: Kind, subject: string, more: { readonly provider?: string; readonly reason?: string; readonly now?: number } = {}) =>
    store.write((queries) =>
      addDuty(queries, { provider: "paddlebilling", kind, subject, orderId: "order", reason: "twice", now: world.now(), ...more }),
    );
  const duties = () => store.read.selectFrom("payment_duties").selectAll().orderBy("subject").execute();

  it("to confirm a cancellation stand open until it is confirmed, and are taken once", async () => {
    const duty = { provider: "paddlebilling", kind: "confirm-cancellation", subject: "sub", orderId: "order", reason: "asked" } as const;
    const begin = () => store.write((queries) => beginDuty(queries, { ...duty, now: world.now() }));
    const finish = () => store.write((queries) => finishDuty(queries, { ...duty, now: world.now() }));
    const take = () => store.write((queries) => takeConfirmation(queries, "paddlebilling", "sub"));
    const isOpen = (of = "sub", at = "paddlebilling") => isBeingCancelled(store.read, at, of);
    expect([await isOpen(), await take(), await finish()]).toEqual([false, null, false]);
    await begin();
    await add("cancel-subscription", "another");
    expect([await isOpen(), await isOpen("another"), await isOpen("sub", "paddle")]).toEqual([true, false, false]);
    expect([await finish(), await isOpen()]).toEqual([true, false]);
    world.pass(1);
    expect([await finish(), (await duties()).map(({ done_at: at }) => at)]).toEqual([false, [null, world.now() - 1]]);
    expect([await take(), await take()]).toEqual([{ state: "confirmed", reason: "asked" }, null]);
    await begin();
    expect([await isOpen(), await take(), await isOpen()]).toEqual([true, { state: "asked", reason: "asked" }, false]);
  });

  it("are each carried out once", async () => {
    await add("refund", "a");
    await add("refund", "a", { reason: "again" });
    await add("cancel-checkout", "b");
    await add("cancel-subscription", "c");
    expect(await duties()).toHaveLength(3);
    for (let round = 0; round < 2; round++) await payments.carryOut();
    expect(provider.refund.mock.calls).toEqual([["a", "twice"]]);
    expect(provider.cancelCheckout.mock.calls).toEqual([["b"]]);
    expect(provider.endSubscription.mock.calls).toEqual([["c"]]);
    expect(await duties()).toMatchObject(
      ["a", "b", "c"].map(() => ({ attempts: 1, next_attempt_at: null, done_at: world.now(), error: null, order_id: "order" })),
    );
    expect(said).toEqual([]);
  });

  it("that fail are retried at growing intervals, until a person has to look", async () => {
    provider.refund.mockRejectedValue(new ProviderFailure("unavailable", "away"));
    await add("refund", "a");
    const waits: number[] = [];
    for (let attempt = 1; attempt < 40; attempt++) {
      await payments.reconcile();
      const [duty] = await duties();
      expect(duty).toMatchObject({ attempts: attempt, done_at: null, error: "away" });
      const wait = (duty?.next_attempt_at ?? 0) - world.now();
      waits.push(wait / minute);
      world.pass(wait - 1);
      await payments.reconcile();
      expect((await duties())[0]?.attempts).toBe(attempt);
      world.pass(1);
    }
    expect(waits.slice(0, 5)).toEqual([1, 5, 30, 120, 120]);
    expect(new Set(waits.slice(3))).toEqual(new Set([120]));
    expect(new Set(said.map(([level, , message]) => `${level}: ${message}`))).toEqual(
      new Set(["warn: The payment provider did not carry out a duty; it is asked again."]),
    );
    await payments.reconcile();
    expect(await duties()).toMatchObject([{ attempts: 40, next_attempt_at: null, done_at: null, error: "away" }]);
    expect(said.at(-1)).toMatchObject(["error", {}, "A duty of the payment provider was given up: somebody has to look."]);
  });

  it("to end a subscription begin anew after they were given up, when the end is asked for again; a refund does not", async () => {
    for (const kind of ["refund", "cancel-subscription"] as const) await add(kind, kind);
    await store.write((queries) => queries.updateTable("payment_duties").set({ attempts: 40, next_attempt_at: null }).execute());
    for (const kind of ["refund", "cancel-subscription"] as const) await add(kind, kind, { reason: "erased" });
    await payments.carryOut();
    expect(provider.endSubscription.mock.calls).toEqual([["cancel-subscription"]]);
    expect(provider.refund).not.toHaveBeenCalled();
    await add("cancel-subscription", "cancel-subscription");
    await payments.carryOut();
    expect(await duties()).toMatchObject([
      { kind: "cancel-subscription", reason: "erased", attempts: 1, done_at: world.now() },
      { kind: "refund", reason: "twice", attempts: 40, done_at: null },
    ]);
  });

  it("that fail do not delay others, and count as done once they succeed", async () => {
    provider.refund.mockRejectedValueOnce(new ProviderFailure("timeout", "late".repeat(200)));
    await add("refund", "a");
    await add("cancel-checkout", "b");
    await payments.reconcile();
    expect(await duties()).toMatchObject([{ done_at: null, error: "late".repeat(125) }, { done_at: world.now() }]);
    world.pass(minute);
    await payments.reconcile();
    expect(await duties()).toMatchObject([{ attempts: 2, done_at: world.now(), next_attempt_at: null, error: null }, { attempts: 1 }]);
  });

  it("that end in an unexpected error do not count as done", async () => {
    provider.refund.mockRejectedValue(new Error("a defect"));
    await add("refund", "a");
    await expect(payments.reconcile()).rejects.toThrow("a defect");
    expect(await duties()).toMatchObject([{ attempts: 1, done_at: null }]);
  });

  it("are carried out once by two processes at the same time", async () => {
    const subjects = Array.from({ length: 13 }, (_, n) => `s${n}`);
    for (const subject of subjects) {
      await add("refund", subject);
      world.pass(1);
    }
    await Promise.all([payments.reconcile(), newProcess().reconcile()]);
    expect(provider.refund.mock.calls.map(([subject]) => subject).toSorted()).toEqual(subjects.toSorted());
    expect((await duties()).map(({ attempts }) => attempts)).toEqual(subjects.map(() => 1));
  });

  it("of a killed process are carried out by another one when the claim has expired", async () => {
    const begun = Promise.withResolvers<void>();
    const dead = Promise.withResolvers<undefined>();
    provider.refund.mockImplementationOnce(() => {
      begun.resolve();
      return dead.promise;
    });
    await add("refund", "a");
    const killed = payments.reconcile();
    await begun.promise;
    const other = newProcess();
    world.pass(2 * minute - 1);
    await other.reconcile();
    expect(provider.refund).toHaveBeenCalledOnce();
    world.pass(1);
    await other.reconcile();
    expect(provider.refund).toHaveBeenCalledTimes(2);
    const done = await duties();
    expect(done).toMatchObject([{ attempts: 2, done_at: world.now() }]);
    // The process was not killed but slow: its result no longer counts.
    world.pass(1);
    dead.resolve(undefined);
    await killed;
    expect(await duties()).toEqual(done);
  });

  it("that another process has claimed are left to it until the claim expires", async () => {
    const duty = { provider: "paddlebilling", kind: "refund", subject: "a", orderId: "order", reason: "twice", now: world.now() } as const;
    await store.write((queries) => beginDuty(queries, duty));
    for (const wait of [0, 2 * minute - 1]) {
      world.pass(wait);
      await payments.reconcile();
      expect(provider.refund).not.toHaveBeenCalled();
    }
    world.pass(1);
    await payments.reconcile();
    expect(provider.refund).toHaveBeenCalledOnce();
  });

  it("wait no longer than they should after the clock was set back a day", async () => {
    provider.refund.mockRejectedValue(new ProviderFailure("unavailable", "away"));
    await add("refund", "new");
    world.pass(-24 * 60 * minute);
    await payments.reconcile();
    expect(await duties()).toMatchObject([{ attempts: 1, next_attempt_at: world.now() + minute }]);
    for (let attempts = 1; attempts < 5; attempts++) {
      world.pass(-24 * 60 * minute);
      await payments.reconcile();
      expect(await duties()).toMatchObject([
        { attempts: attempts + 1, next_attempt_at: world.now() + ([5, 30, 120, 120][attempts - 1] ?? 0) * minute },
      ]);
      // It waits for its next attempt.
      await payments.reconcile();
      expect((await duties())[0]?.attempts).toBe(attempts + 1);
    }
  });

  it("of a provider that is not configured wait", async () => {
    await add("refund", "a", { provider: "paddle" });
    await payments.reconcile();
    expect(await duties()).toMatchObject([{ attempts: 0, done_at: null }]);
  });

  it("are carried out at their own provider", async () => {
    const classic = fakeProvider({ name: "paddle", keepsCancelled: false });
    const note = () => undefined;
    const both = createPayments({
      store,
      world,
      providers: [provider, classic],
      log: { warn: note, error: note },
      secretKeys: ["key"],
      onMail: note,
    });
    await add("refund", "a", { provider: "paddle" });
    await both.reconcile();
    expect([provider.refund.mock.calls, classic.refund.mock.calls]).toEqual([[], [["a", "twice"]]]);
  });

  it("wait where no provider is configured", async () => {
    await add("refund", "a");
    await newProcess([]).carryOut();
    await newProcess([]).reconcile();
    expect([await duties(), said]).toMatchObject([[{ attempts: 0, done_at: null }], []]);
  });

  it("are claimed in the sequence in which they are due, twenty at a time", async () => {
    for (let n = 0; n < 45; n++) await add("refund", `s${String(n).padStart(2, "0")}`, { now: world.now() - n });
    await add("refund", "later", { now: world.now() + 1 });
    await payments.reconcile();
    expect(provider.refund.mock.calls.map(([subject]) => subject)).toEqual(
      Array.from({ length: 20 }, (_, n) => `s${String(44 - n).padStart(2, "0")}`),
    );
  });
});
