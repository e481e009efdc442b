/** Webhooks in every order and with every fault, in full; a sample runs with every `npm test`. */
import { signature } from "#standins/paddle/deliveries.ts";
import { createTestStore, databases } from "#test/app.ts";
import { type PaymentBed, paymentBed, webhookSecret } from "#test/payments.ts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "#server/store/store.ts";

const shuffles = 2_000;
const replays = 100;
const dayMs = 86_400_000;
const minuteMs = 60_000;

let store: Store;
let bed: PaymentBed;
const tables = ["entitlements", "provider_facts", "provider_events", "payment_duties"] as const;

/** A life of twelve events and more: bought, a renewal that fails and is paid, a refund, a pause, resumed, cancelled. */
async function life(suffix: string) {
  const account = await bed.account();
  const { engine, subscriptionId, transactionId } = await bed.buy(account, `subscription-1m-mxn${suffix}`, { card: "4000 0027 6000 3184" });
  const steps = [
    () => engine.renew(subscriptionId),
    () => engine.recover(subscriptionId),
    () => engine.adjust(transactionId, "refund", "full"),
    () => engine.pause(subscriptionId, true),
    () => engine.resume(subscriptionId),
    () => engine.cancel(subscriptionId, true),
  ];
  bed.clock.now += 31 * dayMs;
  for (const step of steps) {
    bed.clock.now += minuteMs;
    step();
    await bed.settled();
  }
  return account;
}

const cases = databases.flatMap((database) =>
  ["", "-classic"].map((suffix) => ({ database, suffix, provider: suffix === "" ? "paddlebilling" : "paddle" })),
);
describe.each(cases)("webhooks of $provider on $database", ({ database, suffix }) => {
  beforeAll(async () => {
    store = await createTestStore(database);
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    bed = await paymentBed(store);
  });
  afterEach(async () => {
    await bed.close();
    await store.write(async (queries) => {
      for (const table of [...tables, "orders", "mail_outbox", "audit", "accounts"] as const) await queries.deleteFrom(table).execute();
    });
  });

  const events = () =>
    suffix === ""
      ? bed.hooks.map(({ raw }) => {
          const header = { "paddle-signature": signature(webhookSecret, raw.toString("utf8"), Math.floor(bed.clock.now / 1_000)) };
          return () => bed.payments.receive("paddlebilling", raw, header);
        })
      : bed.alerts.map((raw) => () => bed.payments.receive("paddle", raw, {}));

  it(`of one life end the same in ${shuffles} orders`, async () => {
    const account = await life(suffix);
    const ended = await bed.payments.entitlementsOf(account);
    const shuffled = events();
    expect(shuffled.length).toBeGreaterThanOrEqual(12);
    let seed = 20_261_120;
    const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
    for (let round = 0; round < shuffles; round++) {
      for (let index = shuffled.length - 1; index > 0; index--) {
        const other = Math.floor(random() * (index + 1));
        const [a, b] = [shuffled[index], shuffled[other]];
        if (a && b) [shuffled[index], shuffled[other]] = [b, a];
      }
      await store.write(async (queries) => {
        for (const table of tables) await queries.deleteFrom(table).execute();
        await queries
          .updateTable("orders")
          .set({ status: "pending", subscription_id: null, ...(suffix === "" ? {} : { transaction_id: null }) })
          .execute();
      });
      for (const send of shuffled) await send();
      await bed.payments.settled();
      expect(await bed.payments.entitlementsOf(account)).toEqual(ended);
    }
  });

  it(`that come ${replays} times count once`, async () => {
    const account = await life(suffix);
    const ended = await bed.payments.entitlementsOf(account);
    const before = await store.read.selectFrom("provider_events").select("event_id").orderBy("event_id").execute();
    for (let round = 0; round < replays; round++) for (const send of events()) expect(await send()).toBe(true);
    await bed.settled();
    expect(await store.read.selectFrom("provider_events").select("event_id").orderBy("event_id").execute()).toEqual(before);
    expect(await bed.payments.entitlementsOf(account)).toEqual(ended);
    expect(await store.read.selectFrom("mail_outbox").select("id").execute()).toHaveLength(1);
  });

  it("that come three days late, signed anew, entitle all the same", async () => {
    const account = await bed.account();
    bed.hooksArrive = false;
    await bed.buy(account, `subscription-1m-mxn${suffix}`);
    bed.clock.now += 3 * dayMs;
    bed.hooksArrive = true;
    bed.standin.deliveries.retryNow();
    bed.standin.classic?.deliveries.retryNow();
    await bed.settled();
    expect((await bed.payments.entitlementsOf(account)).map(({ status }) => status)).toEqual(["active"]);
  });
});
