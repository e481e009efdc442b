/** Webhooks to real processes, on both databases: 200 kills during work, 500 at once, rotated secrets. */
import { databases } from "#test/app.ts";
import { killInTheMiddleOfEffects } from "#test/killedEffects.ts";
import { type Grounds, killBetweenReceiptAndApplication, preparePayments } from "#test/killedPayments.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const kills = 200;
/** Number of kills. `KILLS` reduces it for a busy machine. */
const effectKills = Number(process.env["KILLS"] ?? kills);
const burst = 500;
/** Longest acceptable wait for a buyer, ms. */
const entitledWithinMs = 2_000;
/** How far ahead the server's clock is, ms. The server does not ask the provider about very new orders. */
const aheadMs = 5 * 60_000;
/** Whether to also check the slowest response of the burst (`npm run bench:webhooks`, on a quiet machine). */
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

  it(`in a burst of ${burst} are all answered and applied while the provider's API is unreachable`, async () => {
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

describe.each(databases)("a signed webhook, on %s", (database) => {
  let grounds: Grounds;
  beforeEach(async () => {
    grounds = await preparePayments(database);
  });
  afterEach(() => grounds.close());

  it(`entitles within ${entitledWithinMs} ms in each of two processes while the provider's API answers nothing`, async () => {
    const times: number[] = [];
    // Creates work for the server: orders without a webhook, and a due refund.
    for (let n = 0; n < 20; n++) await grounds.buy(n % 2 === 0 ? "paddlebilling" : "paddle");
    const purchases = [];
    for (let n = 0; n < 20; n++) purchases.push(await grounds.buy(n % 2 === 0 ? "paddlebilling" : "paddle"));
    grounds.bed.standin.setMode("slow");
    const before = grounds.bed.asked();
    const env = { CLOCK_AHEAD_MS: String(aheadMs), PADDLE_AT: grounds.bed.apis.billing, PADDLE_CLASSIC_AT: grounds.bed.apis.classic };
    const servers = await Promise.all([grounds.start({ env }), grounds.start({ env })]);
    // Both requests are in flight and hang longer than this test.
    await expect.poll(() => grounds.bed.asked() - before).toBeGreaterThanOrEqual(servers.length);
    for (const [index, { account, hooks }] of purchases.entries()) {
      const began = performance.now();
      const server = servers[index % servers.length];
      for (const hook of hooks) expect((await server?.post(hook, undefined, aheadMs))?.status).toBe(200);
      await expect
        .poll(async () => (await grounds.outcomeOf(account)).entitlements, { interval: 10 })
        .toEqual([expect.stringMatching(/^active/)]);
      times.push(performance.now() - began);
    }
    const slowest = Math.max(...times);
    console.log(`${database}: entitled at most ${slowest.toFixed(0)} ms after the first webhook, the provider hanging`);
    expect(grounds.bed.standin.mode()).toBe("slow");
    expect(slowest).toBeLessThanOrEqual(entitledWithinMs);
  });
});

describe.each(databases)("an effect on an outside service, on %s", (database) => {
  it(`happens once, with several processes of which one kills itself at any await, ${effectKills} times`, async () => {
    const { wrong, ...figures } = await killInTheMiddleOfEffects(database, effectKills);
    console.log(`${database}: ${JSON.stringify(figures)}`);
    expect(wrong).toEqual([]);
  });
});
