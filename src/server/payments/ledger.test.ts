import { createTestStore, databases } from "#test/app.ts";
import { type PaymentBed, paymentBed } from "#test/payments.ts";
import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Store } from "../store/store.ts";
import { createLedger } from "./ledger.ts";

const times = 50;

describe.each(databases)("the books on %s", (database) => {
  let store: Store;
  let bed: PaymentBed;
  beforeAll(async () => {
    store = await createTestStore(database);
    bed = await paymentBed(store);
  });
  afterAll(async () => {
    await bed.close();
    await store.close();
  });

  it("are written by webhooks and by the provider's answers at once: neither waits for the other in a circle", async () => {
    const account = await bed.account();
    await bed.buy(account, "subscription-1m-mxn-classic");
    const payload = bed.alerts.map(String).find((alert) => alert.includes("alert_name=subscription_payment_succeeded"));
    const provider = bed.providers.find(({ name }) => name === "paddle");
    if (payload === undefined || provider === undefined) throw new Error("Nothing was bought");
    const problems: unknown[] = [];
    const note = (details: object) => problems.push(details);
    const newProcess = () =>
      createLedger({
        store,
        world: { now: () => bed.clock.now, uuid: randomUUID, randomBytes },
        provider,
        log: { warn: note, error: note },
        onMail: () => undefined,
      });
    // Webhooks tell of a transaction and its subscription, the provider answers about the subscription alone.
    const [told, asked] = [newProcess(), newProcess()];
    for (let time = 0; time < times; time++) await told.store({ eventId: `again ${time}`, eventType: "again", payload });
    const answer = provider.factsOf(payload).filter(({ fact }) => fact.kind === "subscription");
    const applied = told.applyStored();
    for (let time = 0; time < times; time++) await asked.apply(answer);
    await applied;
    expect(problems).toEqual([]);
    expect((await bed.payments.entitlementsOf(account)).map(({ status }) => status)).toEqual(["active"]);
  });
});
