/** Payments, duties, mails and webhooks stay long. A round looks at them every 15 seconds, and each open screen *Today* every two. */
import type { PaymentService } from "#server/payments/service.ts";
import { createTestStore, createTestWorld, nobodyPays } from "#test/app.ts";
import { watchStatements } from "#test/statements.ts";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { pulseOf } from "../today/count.ts";
import { createWatch } from "./watch.ts";

/** Indexes that contain only unfinished rows, which are few. These may be scanned. */
const indexesOfUnfinished = "payment_duties_given_up|payment_duties_due|provider_events_waiting|provider_events_failed";
/** Whole tables, and an index by a column that has the same value in most rows. */
const readsAll = new RegExp(
  String.raw`SCAN (?:money_entries|payment_duties|mail_outbox|provider_events)\b(?! USING (?:COVERING )?INDEX (?:${indexesOfUnfinished})\b)|\(next_attempt_at=\?\)`,
);

it("a round of monitoring and the screen Today find what they look for by indexes, however much was done before", async () => {
  const store = await createTestStore("sqlite");
  const watched = watchStatements();
  const log = { warn: () => undefined, error: () => undefined };
  const world = createTestWorld();
  const parts = {
    store,
    world,
    payments: nobodyPays,
    fetch,
    log,
    onMail: () => undefined,
    code: "5.7.8",
    content: "abc",
  };
  await createWatch(parts).round();
  await pulseOf(store.read, world.now());

  const looking = [...new Set(watched.seen.map((one) => one.sql))].filter((text) => /^select/i.test(text));
  for (const told of [/money_entries/, /payment_duties/, /mail_outbox/, /provider_events/])
    expect(looking).toContainEqual(expect.stringMatching(told));
  for (const text of looking) {
    const plan = await sql<{ detail: string }>`${sql.raw(`EXPLAIN QUERY PLAN ${text}`)}`.execute(store.read);
    expect([text, plan.rows.filter(({ detail }) => readsAll.test(detail))]).toEqual([text, []]);
  }
  await store.close();
});

it("heartbeats and alerts go on while a provider lists a month of payments", async () => {
  const store = await createTestStore("sqlite");
  const world = createTestWorld();
  const [asked, listed] = [Promise.withResolvers<void>(), Promise.withResolvers<null>()];
  const listMoney: PaymentService["listMoney"] = async () => {
    asked.resolve();
    return listed.promise;
  };
  const findings = JSON.stringify({ agree: 0, differences: [], prices: ["one differs"], problem: null });
  await store.write((queries) =>
    queries.insertInto("reconciliations").values({ payment_provider: "paddle", at: world.now(), since: 0, findings }).execute(),
  );
  const watch = createWatch({
    store,
    world,
    payments: { ...nobodyPays, providers: ["paddlebilling"], listMoney },
    fetch,
    log: { warn: () => undefined, error: () => undefined },
    onMail: () => undefined,
    code: "5.7.8",
    content: "abc",
  });
  watch.start();
  await asked.promise;
  await expect.poll(() => store.read.selectFrom("alerts").select("rule").execute()).toEqual([{ rule: "money-differs" }]);
  world.pass(1_000);
  await watch.round();
  expect(await store.read.selectFrom("processes").select("seen_at").execute()).toEqual([{ seen_at: world.now() }]);
  listed.resolve(null);
  await watch.stop();
  await store.close();
});
