/** Anybody can report invented errors, some hundred new ones a day, and name them again before they are forgotten. */
import { createTestApp } from "#test/app.ts";
import { watchStatements } from "#test/statements.ts";
import { sql } from "kysely";
import { expect, it } from "vitest";

it("a report reads only today's new errors, however many are known", async () => {
  const watched = watchStatements();
  const t = await createTestApp({ database: "sqlite" });
  await t.call("reportError", { body: { message: "x is not a function", url: "https://parlando.example/", appVersion: "v5.7.8" } });
  const reading = new Set(watched.seen.map((one) => one.sql).filter((one) => /^select .*client_error/is.test(one)));
  expect(reading.size).toBeGreaterThan(1);
  for (const text of reading) {
    const plan = await sql<{ detail: string }>`${sql.raw(`EXPLAIN QUERY PLAN ${text}`)}`.execute(t.store.read);
    expect([text, plan.rows.filter(({ detail }) => detail.startsWith("SCAN"))]).toEqual([text, []]);
  }
  await t.close();
});
