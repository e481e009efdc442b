/** Links stay for a day, and those that keep a subscription for a year. */
import { createTestApp } from "#test/app.ts";
import { watchStatements } from "#test/statements.ts";
import { sql } from "kysely";
import { expect, it } from "vitest";

it("a code is compared with its address's links only, however many links others have", async () => {
  const watched = watchStatements();
  const t = await createTestApp({ database: "sqlite" });
  const { email } = await t.signUp();
  expect(await t.refusal("token", { body: { email, code: "123456" } })).toMatchObject({ code: 1004 });
  const reading = [...new Set(watched.seen.map((one) => one.sql))].filter((text) => /^select .*code_tries/is.test(text));
  expect(reading).toHaveLength(1);
  const plan = await sql<{ detail: string }>`${sql.raw(`EXPLAIN QUERY PLAN ${reading[0] ?? ""}`)}`.execute(t.store.read);
  expect(plan.rows.map(({ detail }) => detail)).toContainEqual(expect.stringContaining("link_tokens_by_address (email=? AND purpose=?)"));
  await t.close();
});
