/** Exporting and erasing an account with very much data does not block other requests. */
import { sessionSchema } from "#core/api.ts";
import { migrate } from "#server/store/migrate.ts";
import { openPatiently } from "#test/patientPostgres.ts";
import { openSqlite } from "#server/store/sqlite.ts";
import { startApi } from "#test/apiProcess.ts";
import { databases } from "#test/app.ts";
import { sql } from "kysely";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as v from "valibot";
import { expect, inject, it, onTestFinished } from "vitest";

const events = 1_000_000;
const webhooks = 20_000;
/** Whether to also check the slowest response to others (`npm run bench:leaving`, on a quiet machine). */
const measures = process.env["MEASURE"] === "1";
const mostMs = 50;

it.each(databases)(
  `an account with ${events} events and ${webhooks} webhooks is exported and erased while others are served: %s`,
  async (database) => {
    const dataDir = mkdtempSync(join(tmpdir(), "parlando-leaving-"));
    const databaseUrl = database === "postgres" ? await (await fetch(inject("postgresBroker"))).text() : null;
    const open = () => (databaseUrl === null ? openSqlite(join(dataDir, "parlando.sqlite")) : openPatiently(databaseUrl));
    const env = { DATA_DIR: dataDir, ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }) };
    const [uuid, email, password] = [crypto.randomUUID(), "%@example.com", "correct horse"];

    const before = open();
    await migrate(before, Date.now());
    let api = await startApi(env);
    onTestFinished(async () => {
      await api.kill();
      rmSync(dataDir, { recursive: true, force: true });
    });
    const call = (method: string, path: string, token: string | null, body?: object) =>
      fetch(`${api.base}/api/${path}`, {
        method,
        headers: { "content-type": "application/json", ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    await call("POST", "signup", null, { uuid, email, password, uiLanguage: "es-419", questionnaire: "76", version: "v5.7.8" });
    await api.kill();

    // Webhooks as older releases stored them, without the account. Half of the events are from before the sign-up.
    const numbers = (count: number) =>
      sql.raw(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count}) `);
    await before.migrateWith(async ({ queries }) => {
      const payload = JSON.stringify({ uuid, questionnaire: "76", questionId: 2 });
      await sql`${numbers(events)} INSERT INTO events (id, event_type, account_uuid, device_id, payload, happened_at, received_at)
      SELECT 'event ' || n, 'QuestionnaireQuestionShown', CASE WHEN n % 2 = 0 THEN CAST(${uuid} AS TEXT) END, 'device ' || n % 1000, CAST(${payload} AS TEXT), n, n
      FROM numbers`.execute(queries);
      await sql`${numbers(webhooks)} INSERT INTO provider_events (payment_provider, event_id, event_type, payload, received_at, applied_at)
      SELECT 'paddlebilling', 'event ' || n, 'told', '{"data":{"email":"' || CASE WHEN n % 2 = 0 THEN '' ELSE CAST(n AS TEXT) END || '%@example.com"}}', n, n
      FROM numbers`.execute(queries);
    });
    // Gives the query planner statistics, as a production database has them.
    await before.write((queries) => sql`ANALYZE`.execute(queries));
    await before.close();

    api = await startApi(env);
    const { token } = v.parse(sessionSchema, await (await call("POST", "login", null, { email, password })).json());
    const watching = new AbortController();
    const answers: number[] = [];
    const watch = (async () => {
      while (!watching.signal.aborted) {
        const began = performance.now();
        expect((await fetch(`${api.base}/healthz`)).status).toBe(200);
        answers.push(performance.now() - began);
      }
    })();
    const slowest = () =>
      answers
        .splice(0)
        .reduce((most, one) => Math.max(most, one), 0)
        .toFixed(0);

    // Checked at the end, because parsing would block this measuring process.
    const pieces: Uint8Array[] = [];
    for await (const piece of (await call("GET", "account", token)).body ?? []) pieces.push(piece);
    const [askedMeanwhile, exporting] = [answers.length, slowest()];
    expect((await call("DELETE", "account", token, { password })).status).toBe(200);
    expect((await call("GET", "account", token)).status).toBe(401);
    const after = open();
    const left = async () => (await after.read.selectFrom("erasures").select("account_uuid").execute()).length;
    // This takes many minutes on a busy machine.
    while ((await left()) > 0) await sleep(200);
    watching.abort();
    await watch;
    const [askedWhileErasing, erasing] = [answers.length, slowest()];
    const text = Buffer.concat(pieces).toString("utf8");
    const told = v.parse(v.looseObject({ events: v.array(v.looseObject({ id: v.string() })) }), JSON.parse(text));
    expect(new Set(told.events.map(({ id }) => id)).size).toBe(events / 2);
    console.log(
      `${database}: ${(text.length / 1e6).toFixed(0)} MB handed out beside ${askedMeanwhile} answers, the slowest ${exporting} ms; erased beside ${askedWhileErasing}, the slowest ${erasing} ms`,
    );
    const named = await after.read.selectFrom("events").select("id").where("payload", "like", `%${uuid}%`).limit(1).execute();
    const buyers = await after.read
      .selectFrom("provider_events")
      .select((q) => q.fn.countAll().as("n"))
      .where("payload", "like", `%erased%`)
      .executeTakeFirstOrThrow();
    expect([named, Number(buyers.n)]).toEqual([[], webhooks / 2]);
    expect(Math.min(askedMeanwhile, askedWhileErasing)).toBeGreaterThan(100);
    if (measures) expect(Math.max(Number(exporting), Number(erasing))).toBeLessThanOrEqual(mostMs);
    await after.close();
  },
);
