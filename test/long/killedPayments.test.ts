/** Webhooks against real processes, on both databases: killed 200 times in the middle, 500 at once, secrets replaced. */
import { databases } from "#test/app.ts";
import { type Grounds, killBetweenReceiptAndApplication, preparePayments } from "#test/killedPayments.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const kills = 200;
const burst = 500;
/** `npm run bench:webhooks`, on a quiet machine: how long the slowest answer of the burst takes. */
const measures = process.env["MEASURE"] === "1";
const mostMs = 1_000;

describe.each(databases)("webhooks on %s", (database) => {
  let grounds: Grounds;
  beforeEach(async () => {
    grounds = await preparePayments(database);
  });
  afterEach(() => grounds.close());

  it(`survive ${kills} kills between receipt and application: one entitlement each, the right one`, async () => {
    const { accounts, rounds, acknowledged, lost } = await killBetweenReceiptAndApplication(grounds, kills);
    console.log(`${database}: ${kills} of ${rounds} kills left webhooks received and not applied, ${acknowledged} were acknowledged`);
    expect(lost).toEqual([]);
    for (const account of accounts)
      expect(await grounds.outcomeOf(account)).toEqual({
        entitlements: [expect.stringMatching(/^active for (28|29|30|31) days$/)],
        orders: ["completed"],
        receipts: 1,
      });
  });

  it(`of a burst of ${burst} are each answered, with the provider itself out of reach, and all applied`, async () => {
    const bought: { readonly account: string; readonly hooks: Awaited<ReturnType<Grounds["buy"]>>["hooks"] }[] = [];
    for (let count = 0; count < burst;) {
      const purchase = await grounds.buy(bought.length % 2 === 0 ? "paddlebilling" : "paddle");
      bought.push(purchase);
      count += purchase.hooks.length;
    }
    const server = await grounds.start();
    const answers = await Promise.all(bought.flatMap(({ hooks }) => hooks).map((hook) => server.post(hook)));
    const began = performance.now();
    await expect.poll(grounds.unapplied).toBe(0);
    const slowest = Math.max(...answers.map((answer) => answer?.ms ?? Number.POSITIVE_INFINITY));
    console.log(
      `${database}: ${answers.length} webhooks at once, slowest answer ${slowest.toFixed(0)} ms, all applied ${(performance.now() - began).toFixed(0)} ms after the last`,
    );
    expect(new Set(answers.map((answer) => answer?.status))).toEqual(new Set([200]));
    for (const { account } of bought)
      expect(await grounds.outcomeOf(account)).toMatchObject({ entitlements: [expect.stringMatching(/^active/)], receipts: 1 });
    if (measures) expect(slowest).toBeLessThanOrEqual(mostMs);
  });
});
