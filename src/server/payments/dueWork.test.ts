/** Webhooks, duties and orders stay for years, and every checkout that somebody opens adds some. */
import { createTestStore } from "#test/app.ts";
import { paymentBed } from "#test/payments.ts";
import { watchStatements } from "#test/statements.ts";
import { sql } from "kysely";
import { expect, it } from "vitest";

/** A whole table, all of a provider or status, or an index made for one answer. */
const readsAll =
  /SCAN (?:provider_events|payment_duties|entitlements|orders)|autoindex_\w+ \(payment_provider=\?\)|orders_by_status \(status=\?\)|\(id>\?\)|AUTOMATIC/;

it("what is due after a webhook and each minute is found by indexes, however much was done before", async () => {
  const watched = watchStatements();
  const store = await createTestStore("sqlite");
  const bed = await paymentBed(store);
  await bed.buy(await bed.account(), "subscription-1m-mxn");
  await bed.payments.reconcile();
  await bed.payments.settled();

  const looking = [...new Set(watched.seen.map((one) => one.sql))].filter(
    (text) => /^select/i.test(text) && /\b(?:provider_events|payment_duties|entitlements|orders)\b/.test(text),
  );
  for (const told of [/provider_events.*attempts/, /payment_duties.*next_attempt_at/, /entitlements.*checked_at/, /remind|ends_at - /])
    expect(looking).toContainEqual(expect.stringMatching(told));
  for (const text of looking) {
    const plan = await sql<{ detail: string }>`${sql.raw(`EXPLAIN QUERY PLAN ${text}`)}`.execute(store.read);
    const reading = plan.rows.filter(({ detail }) => readsAll.test(detail));
    expect([text, reading]).toEqual([text, []]);
  }
  await bed.close();
  await store.close();
});
