/** A large answer is produced while it is read. */
import { createTestApp, databases } from "#test/app.ts";
import { watchStatements } from "#test/statements.ts";
import { sql } from "kysely";
import { once } from "node:events";
import { get } from "node:http";
import { text } from "node:stream/consumers";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";

it.each(databases)("an export on %s is produced no faster than its reader takes it", async (database) => {
  const watched = watchStatements();
  const big = await createTestApp({ database });
  const owner = await big.signUp();
  const events = 60_000;
  const rows = sql`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${sql.lit(events)})
      INSERT INTO events (id, event_type, account_uuid, payload, happened_at, received_at)
      SELECT 'event ' || n, 'QuestionnaireQuestionShown', CAST(${owner.uuid} AS TEXT), CAST(${JSON.stringify({ uuid: owner.uuid })} AS TEXT), n, n
      FROM numbers`;
  // A migration has no time limit. On a slow machine, these rows take longer than a request may.
  await big.store.migrateWith(({ transaction }) => transaction(async (changing) => void (await rows.execute(changing))));
  const { token } = await big.logIn(owner);
  const base = await big.app.listen({ host: "127.0.0.1", port: 0 });
  const asked = get(`${base}/api/account`, { headers: { authorization: `Bearer ${token}` } });
  const [answer] = await once(asked, "response");
  // Waits until the server has produced all that it produces ahead of the reader: each piece takes one query and one turn of the event
  // loop.
  for (let n = 0; n < events / 100; n++) {
    await big.store.read.selectFrom("accounts").select("uuid").execute();
    await nextTurn();
  }
  const read = () => watched.seen.reduce((sum, { sql: text, rows }) => sum + (text.startsWith("SELECT * FROM events") ? rows : 0), 0);
  expect(read()).toBeGreaterThan(0);
  expect(read()).toBeLessThan(events * 0.9);
  const told: { readonly events: readonly { readonly id: string }[] } = JSON.parse(await text(answer));
  expect(told.events.map(({ id }) => id)).toEqual(Array.from({ length: events }, (_, n) => `event ${n + 1}`));
  expect(read()).toBe(events);
  await big.close();
});
