/** Webhooks in every order and with every fault. `npm test` runs a sample. */
import { signature } from "#standins/paddle/deliveries.ts";
import { databases } from "#test/app.ts";
import { dayMs, type PaymentBed, paymentBeds, webhookSecret } from "#test/payments.ts";
import { describe, expect, it } from "vitest";

const shuffles = 2_000;
const replays = 100;
const minuteMs = 60_000;

/** A subscription's life of at least twelve events: purchase, failed and paid renewal, refund, pause, resumption, cancellation. */
async function life(bed: PaymentBed, suffix: string) {
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
  const at = paymentBeds(database);

  const events = () =>
    suffix === ""
      ? at.bed.hooks.map(({ raw }) => {
          const header = { "paddle-signature": signature(webhookSecret, raw.toString("utf8"), Math.floor(at.bed.clock.now / 1_000)) };
          return () => at.bed.payments.receive("paddlebilling", raw, header);
        })
      : at.bed.alerts.map((raw) => () => at.bed.payments.receive("paddle", raw, {}));

  it(`of one subscription have the same result in ${shuffles} orders`, async () => {
    const account = await life(at.bed, suffix);
    const ended = await at.bed.payments.entitlementsOf(account);
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
      await at.bed.forget();
      for (const send of shuffled) await send();
      await at.bed.payments.settled();
      expect(await at.bed.payments.entitlementsOf(account)).toEqual(ended);
    }
  });

  it(`delivered ${replays} times count once`, async () => {
    const account = await life(at.bed, suffix);
    const ended = await at.bed.payments.entitlementsOf(account);
    const before = await at.store.read.selectFrom("provider_events").select("event_id").orderBy("event_id").execute();
    for (let round = 0; round < replays; round++) for (const send of events()) expect(await send()).toBe(true);
    await at.bed.settled();
    expect(await at.store.read.selectFrom("provider_events").select("event_id").orderBy("event_id").execute()).toEqual(before);
    expect(await at.bed.payments.entitlementsOf(account)).toEqual(ended);
    expect(await at.store.read.selectFrom("mail_outbox").select("id").execute()).toHaveLength(1);
  });

  it("that arrive three days late with a new signature still entitle", async () => {
    const account = await at.bed.account();
    at.bed.hooksArrive = false;
    await at.bed.buy(account, `subscription-1m-mxn${suffix}`);
    at.bed.clock.now += 3 * dayMs;
    at.bed.hooksArrive = true;
    at.bed.standin.deliveries.retryNow();
    at.bed.standin.classic?.deliveries.retryNow();
    await at.bed.settled();
    expect((await at.bed.payments.entitlementsOf(account)).map(({ status }) => status)).toEqual(["active"]);
  });
});
