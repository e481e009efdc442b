import { databases } from "#test/app.ts";
import { paymentBeds } from "#test/payments.ts";
import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createLedger } from "./ledger.ts";
import { createLinks } from "../mail/links.ts";
import { createTrials } from "./trials.ts";

const times = 50;

describe.each(databases)("the ledger on %s", (database) => {
  const at = paymentBeds(database);

  it("is written by webhooks and by the provider's answers at the same time without a deadlock", async () => {
    const account = await at.bed.account();
    await at.bed.buy(account, "subscription-1m-mxn-classic");
    const payload = at.bed.alerts.map(String).find((alert) => alert.includes("alert_name=subscription_payment_succeeded"));
    const provider = at.bed.providers.find(({ name }) => name === "paddle");
    if (payload === undefined || provider === undefined) throw new Error("Nothing was bought");
    const problems: unknown[] = [];
    const note = (details: object) => problems.push(details);
    const world = { now: () => at.bed.clock.now, uuid: randomUUID, randomBytes, wait: sleep };
    const trials = createTrials({ store: at.store, world, secretKeys: ["key"] });
    const newProcess = () =>
      createLedger({
        store: at.store,
        world,
        provider,
        trials,
        links: createLinks(["key"], world),
        log: { warn: note, error: note },
        onMail: () => undefined,
      });
    // A webhook reports a transaction and its subscription, the provider's answer only the subscription.
    const [told, asked] = [newProcess(), newProcess()];
    for (let time = 0; time < times; time++) await told.store({ eventId: `again ${time}`, eventType: "again", payload });
    const answer = provider.factsOf(payload).filter(({ fact }) => fact.kind === "subscription");
    const applied = told.applyStored();
    for (let time = 0; time < times; time++) await asked.apply(answer);
    await applied;
    expect(problems).toEqual([]);
    expect((await at.bed.payments.entitlementsOf(account)).map(({ status }) => status)).toEqual(["active"]);
  });
});
