/** Webhooks with their facts, duties and orders stay for years, and every checkout that somebody opens adds some. */
import { createTestApp, createTestStore } from "#test/app.ts";
import { dayMs, paymentBed } from "#test/payments.ts";
import { watchStatements } from "#test/statements.ts";
import type { Store } from "#server/store/store.ts";
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
    // Plans that ended long ago.
    if (/entitlements.*checked_at/.test(text))
      expect(plan.rows).toContainEqual(expect.objectContaining({ detail: expect.stringMatching(/ends_at>\? AND ends_at<\?/) }));
  }
  await bed.close();
  await t.close();
});

/** Sixty more plans like the account's: whoever is told of nothing is looked at again each minute. */
async function sellAgain(
  store: Store,
  accountUuid: string,
  change: { readonly endsIn: number; readonly trialDays: number },
): Promise<void> {
  const { order_id: orderId, ...plan } = await store.read
    .selectFrom("entitlements")
    .selectAll()
    .where("account_uuid", "=", accountUuid)
    .executeTakeFirstOrThrow();
  const order = await store.read.selectFrom("orders").selectAll().where("id", "=", orderId).executeTakeFirstOrThrow();
  const ids = Array.from({ length: 60 }, (_, n) => `${change.endsIn} ${n}`);
  const ofTrial = { trial_days: change.trialDays, created_at: order.created_at - dayMs };
  await store.write(async (queries) => {
    for (const id of ids) {
      await queries
        .insertInto("orders")
        .values({ ...order, ...ofTrial, id, transaction_id: id, subscription_id: id })
        .execute();
      await queries
        .insertInto("entitlements")
        .values({ ...plan, order_id: id, ends_at: order.created_at + change.endsIn })
        .execute();
    }
  });
}

it("each page of the plans that may need a reminder is read from where the one before ended", async () => {
  const store = await createTestStore("sqlite");
  const bed = await paymentBed(store);
  const account = await bed.account();
  await bed.buy(account, "subscription-1m-mxn");
  await sellAgain(store, account, { endsIn: dayMs, trialDays: 7 });
  await sellAgain(store, account, { endsIn: 20 * dayMs, trialDays: 0 });
  const watched = watchStatements();
  await bed.payments.reconcile();

  const pages = watched.seen.filter(({ sql: text }) => /"entitlements".*order by/.test(text));
  // The account's own plan ends within the days of the second reminder, too.
  expect(pages.map(({ rows }) => rows)).toEqual([50, 10, 50, 11]);
  for (const { sql: text } of pages) {
    const plan = await sql<{ detail: string }>`${sql.raw(`EXPLAIN QUERY PLAN ${text}`)}`.execute(store.read);
    const steps = plan.rows.map(({ detail }) => detail);
    expect(steps).toContainEqual(expect.stringMatching(/entitlements_by_end \(status=\? AND ends_at>\? AND ends_at<\?\)/));
    // Only plans that end in the same millisecond are sorted.
    expect(steps).not.toContainEqual(expect.stringMatching(/B-TREE FOR ORDER BY/));
  }
  await bed.close();
  await store.close();
});
