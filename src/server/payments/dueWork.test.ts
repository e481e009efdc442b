/** Webhooks with their facts, duties and orders stay for years, and every checkout that somebody opens adds some. */
import { createTestApp, createTestStore } from "#test/app.ts";
import { paymentBed } from "#test/payments.ts";
import { watchStatements } from "#test/statements.ts";
import { sql } from "kysely";
import { expect, it } from "vitest";

const tables = "provider_events|provider_facts|payment_duties|money_entries|entitlements|orders";
/** A whole table, all of a provider or status, or an index made for one answer. */
const readsAll = new RegExp(
  String.raw`SCAN (?:${tables})\b|autoindex_\w+ \(payment_provider=\?\)|orders_by_status \(status=\?\)|\(id>\?\)|AUTOMATIC`,
);

it("what a webhook, a minute and a plan's page need is found by indexes, however much was done before", async () => {
  const watched = watchStatements();
  const store = await createTestStore("sqlite");
  const bed = await paymentBed(store);
  const t = await createTestApp({ database: "sqlite", store, parts: { payments: bed.payments } });
  const person = await t.signUp();
  await bed.buy(person.uuid, "subscription-1m-mxn");
  await bed.payments.reconcile();
  await bed.payments.settled();
  const { token } = await t.logIn(person);
  expect((await t.call("subscription", { token })).subscription).toMatchObject({ status: "active" });

  const looking = [...new Set(watched.seen.map((one) => one.sql))].filter(
    (text) => /^select/i.test(text) && new RegExp(String.raw`\b(?:${tables})\b`).test(text),
  );
  for (const told of [/provider_events.*attempts/, /payment_duties.*next_attempt_at/, /entitlements.*checked_at/, /remind|ends_at - /])
    expect(looking).toContainEqual(expect.stringMatching(told));
  for (const text of looking) {
    const plan = await sql<{ detail: string }>`${sql.raw(`EXPLAIN QUERY PLAN ${text}`)}`.execute(store.read);
    const reading = plan.rows.filter(({ detail }) => readsAll.test(detail));
    expect([text, reading]).toEqual([text, []]);
  }
  await bed.close();
  await t.close();
});
