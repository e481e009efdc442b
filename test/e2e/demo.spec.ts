/** `npm run demo`: what is true of its visitors comes out in the numbers. */
import { versionReports } from "#server/events/report.ts";
import { openSqlite } from "#server/store/sqlite.ts";
import { expect, test } from "@playwright/test";
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { compared, leaving } from "../../scripts/demo/truths.ts";

const folder = mkdtempSync(join(tmpdir(), "parlando-demo-"));
const demo = (dataDir: string, ...more: readonly string[]) =>
  promisify(execFile)(process.execPath, ["scripts/demo.ts", ...more], { env: { PATH: process.env["PATH"], DATA_DIR: dataDir } });

test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("fills a folder with visitors who leave, pay and come back as its truths say, and deletes it again", async () => {
  const dataDir = join(folder, "data");
  await demo(dataDir, "--only-fill", "--visits", "450", "--days", "10");
  const counts: { readonly purchases: number; readonly visits: number } = JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8"));
  const store = openSqlite(join(dataDir, "parlando.sqlite"));
  const reports = await versionReports(store.read, { now: Date.now() });
  const paid = await store.read
    .selectFrom("orders")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("status", "=", "completed")
    .executeTakeFirstOrThrow();
  await store.close();
  const sum = (pick: (report: (typeof reports)[number]) => number) => reports.reduce((all, report) => all + pick(report), 0);
  expect(sum(({ visitors }) => visitors)).toBe(counts.visits);
  expect([sum(({ purchases }) => purchases), paid.count]).toEqual([counts.purchases, counts.purchases]);
  expect(counts.purchases).toBeGreaterThan(0);

  // The seeded difference: more of the first version's visitors leave where the address is asked for.
  const worst = (version: string) => {
    const steps = reports.find((report) => report.version === version)?.steps ?? [];
    return Math.max(...steps.slice(1, -2).map(({ entered, left }) => (entered < 30 ? 0 : left / entered)));
  };
  expect(worst(compared.worse)).toBeGreaterThan(worst(compared.better));
  expect(worst(compared.better)).toBeGreaterThan(leaving.signup.better / 2);

  await demo(dataDir, "--remove");
  expect(existsSync(dataDir)).toBe(false);
});

test("never deletes a folder that it did not fill", async () => {
  const other = join(folder, "other");
  mkdirSync(other);
  await expect(demo(other, "--remove")).rejects.toThrow("is not a demonstration");
  expect(existsSync(other)).toBe(true);
});
