/** Webhooks to a real process that is killed, and to one whose secret is rotated. test/long kills 200. */
import { sampledDatabases } from "#test/app.ts";
import { killInTheMiddleOfEffects } from "#test/killedEffects.ts";
import { type Grounds, killBetweenReceiptAndApplication, preparePayments } from "#test/killedPayments.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const kills = 2;

describe.each(sampledDatabases)("webhooks to a separate process on %s", (database) => {
  let grounds: Grounds;
  beforeEach(async () => {
    grounds = await preparePayments(database);
  });
  afterEach(() => grounds.close());

  it("that is killed between receipt and application are applied by the next: one entitlement, one receipt, nothing lost", async () => {
    const { accounts, rounds, lost } = await killBetweenReceiptAndApplication(grounds, kills);
    expect(lost).toEqual([]);
    expect(accounts).toHaveLength(rounds);
    for (const account of accounts)
      expect(await grounds.outcomeOf(account)).toEqual({
        entitlements: [expect.stringMatching(/^active for (28|29|30|31) days$/)],
        orders: ["completed"],
        receipts: 1,
      });
  });

  it("are accepted with the old and the new secret during a rotation, and then no longer with the old one", async () => {
    const [older, newer] = ["pdl_ntfset_test", "pdl_ntfset_next"];
    const { account, hooks } = await grounds.buy("paddlebilling");
    const [first, second, third, ...others] = hooks;
    if (first === undefined || second === undefined || third === undefined) throw new Error("A purchase has more than three webhooks");
    const status = async (answer: ReturnType<Awaited<ReturnType<Grounds["start"]>>["post"]>) => (await answer)?.status;
    const before = await grounds.start({ secrets: [older] });
    expect([await status(before.post(first, [older])), await status(before.post(second, [newer]))]).toEqual([200, 401]);
    await before.kill();
    const during = await grounds.start({ secrets: [newer, older] });
    for (const signing of [[older], [newer], [newer, older], [older, newer]]) expect(await status(during.post(second, signing))).toBe(200);
    await during.kill();
    const after = await grounds.start({ secrets: [newer] });
    expect([await status(after.post(third, [older])), await status(after.post(third, [newer]))]).toEqual([401, 200]);
    for (const hook of others) expect(await status(after.post(hook, [newer]))).toBe(200);
    await expect.poll(grounds.unapplied).toBe(0);
    expect(await grounds.outcomeOf(account)).toMatchObject({ orders: ["completed"], receipts: 1 });
  });
});

describe.each(sampledDatabases)("an effect on an outside service, on %s", (database) => {
  it("happens once, with several processes of which one kills itself at any await", async () => {
    expect(await killInTheMiddleOfEffects(database, 1)).toMatchObject({ wrong: [], killed: 1 });
  });
});
