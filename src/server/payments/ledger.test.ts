import { databases } from "#test/app.ts";
import { paymentBeds } from "#test/payments.ts";
import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createLedger } from "./ledger.ts";
import { createLinks } from "../mail/links.ts";
import type { PaymentProvider } from "./provider.ts";
import { createTrials } from "./trials.ts";

const times = 50;

describe.each(databases)("the ledger on %s", (database) => {
  const at = paymentBeds(database);

  function ledgerOf(provider: PaymentProvider) {
    const problems: string[] = [];
    const note = (_details: object, message: string) => problems.push(message);
    const world = { now: () => at.bed.clock.now, uuid: randomUUID, randomBytes, wait: sleep };
    const ledger = createLedger({
      store: at.store,
      world,
      provider,
      trials: createTrials({ store: at.store, world, secretKeys: ["key"] }),
      links: createLinks(["key"], world),
      log: { warn: note, error: note },
      onMail: () => undefined,
    });
    return { ledger, problems };
  }

  it("is written by webhooks and by the provider's answers at the same time without a deadlock", async () => {
    const account = await at.bed.account();
    await at.bed.buy(account, "subscription-1m-mxn-classic");
    const payload = at.bed.alerts.map(String).find((alert) => alert.includes("alert_name=subscription_payment_succeeded"));
    const provider = at.bed.providers.find(({ name }) => name === "paddle");
    if (payload === undefined || provider === undefined) throw new Error("Nothing was bought");
    const { ledger: told, problems } = ledgerOf(provider);
    const { ledger: asked } = ledgerOf(provider);
    // A webhook reports a transaction and its subscription, the provider's answer only the subscription.
    for (let time = 0; time < times; time++) await told.store({ eventId: `again ${time}`, eventType: "again", payload });
    const answer = provider.factsOf(payload).filter(({ fact }) => fact.kind === "subscription");
    const applied = told.applyStored();
    for (let time = 0; time < times; time++) await asked.apply(answer);
    await applied;
    expect(problems).toEqual([]);
    expect((await at.bed.payments.entitlementsOf(account)).map(({ status }) => status)).toEqual(["active"]);
  });

  it("is written by several webhooks together and by the provider's answers at the same time, and none fails by a deadlock", async () => {
    const account = await at.bed.account();
    await at.bed.buy(account, "subscription-1m-mxn");
    const provider = at.bed.providers.find(({ name }) => name === "paddlebilling");
    const payloads = at.bed.hooks.map(({ raw }) => String(raw));
    const paid = payloads.find((payload) => payload.includes("transaction.completed"));
    const begun = payloads.find((payload) => payload.includes("subscription.created"));
    if (paid === undefined || begun === undefined || provider === undefined) throw new Error("Nothing was bought");
    const { ledger: told, problems } = ledgerOf(provider);
    const { ledger: asked } = ledgerOf(provider);
    // Each payload is about one fact: the first locks the account, and the second then waits for a fact whose other writer waits for the account.
    for (let time = 0; time < times; time++)
      await told.store({ eventId: `again ${String(time).padStart(2, "0")}`, eventType: "again", payload: time % 2 === 0 ? paid : begun });
    const answer = provider.factsOf(begun);
    const applied = told.applyStored();
    for (let time = 0; time < times; time++) await asked.apply(answer);
    await applied;
    expect(problems).toEqual([]);
    const left = await at.store.read.selectFrom("provider_events").select("event_id").where("applied_at", "is", null).execute();
    expect(left).toEqual([]);
    expect((await at.bed.payments.entitlementsOf(account)).map(({ status }) => status)).toEqual(["active"]);
  });

  it("applies webhooks while new ones arrive all the time", async () => {
    await at.bed.buy(await at.bed.account(), "subscription-1m-mxn-classic");
    const provider = at.bed.providers.find(({ name }) => name === "paddle");
    const [payload = ""] = at.bed.alerts.map(String);
    if (provider === undefined) throw new Error("No Paddle Classic");
    const { ledger } = ledgerOf(provider);
    await ledger.store({ eventId: "first", eventType: "any", payload });
    const isApplied = async () => {
      const first = at.store.read.selectFrom("provider_events").select("applied_at").where("event_id", "=", "first");
      return (await first.executeTakeFirstOrThrow()).applied_at !== null;
    };
    const end = new AbortController();
    /** Sends one after the other, so that some are always being stored. */
    const sender = async (name: number) => {
      for (let n = 0; n < 400 && !end.signal.aborted; n++) await ledger.store({ eventId: `later ${name} ${n}`, eventType: "any", payload });
    };
    const sending = Promise.all([1, 2, 3, 4].map(sender)).then(() => false);
    const applied = ledger.applyStored();
    const meanwhile = (async () => {
      while (!(await isApplied())) await sleep(1);
      return true;
    })();
    const wasApplied = await Promise.race([sending, meanwhile]);
    end.abort();
    await Promise.all([sending, applied]);
    expect(wasApplied).toBe(true);
  });

  it("applies webhooks together, and each alone when one of them fails", async () => {
    await at.bed.buy(await at.bed.account(), "subscription-1m-mxn-classic");
    const provider = at.bed.providers.find(({ name }) => name === "paddle");
    if (provider === undefined) throw new Error("No Paddle Classic");
    const broken = "alert_name=broken";
    const { ledger, problems } = ledgerOf({
      ...provider,
      // No database stores a fact without an id.
      factsOf: (payload) =>
        payload === broken ? JSON.parse('[{"version":"1","fact":{"kind":"gift","id":null}}]') : provider.factsOf(payload),
    });
    const [first = "", ...others] = at.bed.alerts.map(String);
    const payloads = [first, broken, ...others];
    for (const [nth, payload] of payloads.entries()) await ledger.store({ eventId: `event ${nth}`, eventType: "any", payload });
    await ledger.applyStored();
    const failed = await at.store.read
      .selectFrom("provider_events")
      .select(["payload", "attempts"])
      .where("applied_at", "is", null)
      .execute();
    expect(failed).toEqual([{ payload: broken, attempts: 1 }]);
    expect(problems).toEqual(["A webhook could not be applied."]);
  });
});
