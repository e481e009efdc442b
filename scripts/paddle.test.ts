/** Runs `npm run paddle` as a process on an existing database. */
import { insertAccount } from "#test/accounts.ts";
import { createTestWorld } from "#test/app.ts";
import { migrate } from "#server/store/migrate.ts";
import { openSqlite } from "#server/store/sqlite.ts";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";

it("npm run paddle lists refused payments, removes settled ones, and lists accepted ones until they entitle", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parlando-paddle-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const store = openSqlite(join(folder, "parlando.sqlite"));
  const world = createTestWorld();
  await migrate(store, 1);
  const account = await insertAccount(store, world, "lucia@ejemplo.mx");
  const payment = { payment_provider: "paddlebilling", transaction_id: "txn_1" };
  await store.write(async (queries) => {
    await queries
      .insertInto("orders")
      .values({
        ...payment,
        id: "order_1",
        account_uuid: account,
        product_id: "onetime-6m-mxn",
        product_type: "onetime",
        product_plan: "6M",
        trial_days: 0,
        price_id: "pri_1",
        quantity: 1,
        currency: "MXN",
        price: 149_900,
        coupon_code: null,
        status: "failed",
        hosted_url: null,
        subscription_id: null,
        created_at: 1,
        updated_at: 1,
        checked_at: null,
      })
      .execute();
    await queries
      .insertInto("payment_mismatches")
      .values({ ...payment, order_id: "order_1", currency: "MXN", total: 500, noted_at: 1, settled_at: null })
      .execute();
  });
  const verdicts = async () =>
    (await store.read.selectFrom("payment_verdicts").selectAll().execute()).map(({ paid, agreed }) => [paid, agreed]);
  const paddle = (...words: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, "paddle.ts"), ...words], {
      env: { ...process.env, DATA_DIR: folder },
      encoding: "utf8",
    });
    return [status, (stdout + stderr).trim()];
  };
  const [, listed] = paddle("mismatches");
  expect(listed).toContain("paddlebilling txn_1 · paid $5 · for onetime-6m-mxn at $1,499 · order order_1 · lucia@ejemplo.mx");
  expect(listed).toMatch(/^1 payments are not what was ordered\.$/m);
  expect(paddle("settled", "txn_1")).toEqual([0, "txn_1 is settled."]);
  expect(paddle("settled", "txn_1")).toEqual([1, "No payment txn_1 is on the list."]);
  expect([paddle("mismatches"), await verdicts()]).toEqual([[0, "0 payments are not what was ordered."], [["", 0]]]);
  expect(paddle("accepted", "txn_1")).toEqual([0, "txn_1 is accepted: it entitles within a minute."]);
  expect(paddle("accepted", "txn_2")).toEqual([1, "No payment txn_2 was refused."]);
  expect([paddle("mismatches")[1], await verdicts()]).toEqual([listed, [["", 1]]]);
  for (const words of [[], ["accepted"], ["settled"]]) expect(paddle(...words)).toEqual([2, expect.stringMatching(/^Usage: /)]);
  await store.close();
});
