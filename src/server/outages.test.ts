/** A database that is down, frozen, locked or full: calls answer 1503 with a time to retry, pages are served, and everything recovers by itself. */
import { loggerOptions } from "#server/logging.ts";
import { migrate } from "#server/store/migrate.ts";
import { openPostgres } from "#server/store/postgres.ts";
import { openSqlite } from "#server/store/sqlite.ts";
import { createTestApp, startTime, type TestApp, type TestAppOptions } from "#test/app.ts";
import { sql } from "kysely";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pino } from "pino";
import { afterEach, describe, expect, inject, it, vi } from "vitest";

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** A proxy between the server and its PostgreSQL. It can cut every connection, refuse new ones, or silently drop all data. */
async function lineTo(target: URL) {
  const pairs = new Set<readonly [Socket, Socket]>();
  /** Frozen connections: neither side notices when the other has gone. */
  const left = new Set<Socket>();
  let mode: "open" | "down" | "frozen" = "open";
  const leave = (pair: readonly Socket[]) => {
    for (const socket of pair) left.add(socket.pause());
  };
  const line = createServer((inner) => {
    if (mode === "down") return void inner.destroy();
    const outer = connect(Number(target.port), target.hostname);
    const pair = [inner, outer] as const;
    pairs.add(pair);
    for (const [one, other] of [pair, [outer, inner] as const]) {
      one.on("error", () => {});
      one.on("close", () => {
        if (!left.has(one)) other.destroy();
        pairs.delete(pair);
      });
      one.on("data", (bytes) => other.writable && other.write(bytes));
    }
    if (mode === "frozen") leave(pair);
  }).listen(0, "127.0.0.1");
  await once(line, "listening");
  const url = new URL(target);
  const address = line.address();
  if (address === null || typeof address === "string") throw new Error("The line has no port");
  url.port = String(address.port);
  closers.push(() => {
    for (const socket of [...left, ...[...pairs].flat()]) socket.destroy();
    line.close();
  });
  return {
    url: String(url),
    cut: () => {
      mode = "down";
      for (const pair of pairs) for (const socket of pair) socket.destroy();
    },
    freeze: () => {
      mode = "frozen";
      for (const pair of pairs) leave(pair);
    },
    /** Frozen connections stay frozen, because nobody resets them. */
    open: () => {
      mode = "open";
    },
  };
}

async function onPostgres(parts: TestAppOptions["parts"] = {}) {
  const line = await lineTo(new URL(await (await fetch(inject("postgresBroker"))).text()));
  const lost: Error[] = [];
  const store = openPostgres(line.url, (error) => lost.push(error));
  await migrate(store, startTime);
  const t = await createTestApp({ database: "postgres", store, parts });
  closers.push(() => t.close());
  return { line, t, lost };
}

const isReady = async (t: TestApp, url = "/readyz/calls") => (await t.app.inject({ url })).statusCode === 200;
const page = async (t: TestApp) => (await t.app.inject({ url: "/es-latam/", headers: { accept: "text/html" } })).statusCode;

/** On a full disk, all writes are refused and leave nothing partial. Reading works, and writes work again once there is room. */
async function fullDisk(t: TestApp, fill: () => Promise<unknown>, clear: () => Promise<unknown>): Promise<void> {
  const person = await t.signUp();
  const { token } = await t.logIn(person);
  const signUp = (n: number) =>
    t.send("signup", {
      body: {
        uuid: t.world.uuid(),
        email: `full${n}@example.com`,
        password: "correct horse",
        uiLanguage: "es-419",
        questionnaire: "76",
        version: "v5.7.8",
      },
      from: `10.2.${n >> 8}.${n & 255}`,
    });
  await fill();
  let taken = 0;
  // First uses up the rest of the last page.
  while ((await signUp(taken)).statusCode === 200) taken += 1;
  for (const answer of await Promise.all([1, 2, 3, 4, 5].map((n) => signUp(1_000 + n)))) {
    expect(answer.statusCode, answer.body).toBe(503);
    expect(answer.json()).toMatchObject({ code: 1503 });
    expect(answer.headers["retry-after"]).toMatch(/^\d+$/);
  }
  const [alive, ready, shown] = await Promise.all([t.app.inject({ url: "/healthz" }), t.app.inject({ url: "/readyz" }), page(t)]);
  expect([alive.statusCode, ready.statusCode, shown]).toEqual([200, 200, 200]);
  expect(await t.call("entitlement", { token })).toEqual({ entitlements: [] });
  await clear();
  expect(await isReady(t)).toBe(true);
  await t.signUp();
  expect(await t.store.read.selectFrom("accounts").select("uuid").execute()).toHaveLength(taken + 2);
  expect(await t.store.read.selectFrom("link_tokens").select("id").execute()).toHaveLength(taken + 2);
}

describe("PostgreSQL", () => {
  it("with a full disk answers writes with 503, and works again when there is room", async () => {
    const { t } = await onPostgres();
    const run = (text: string) => t.store.write((queries) => sql.raw(text).execute(queries));
    const tables = await t.store.read.introspection.getTables();
    await fullDisk(
      t,
      async () => {
        // The server's own error for a full disk: code 53100.
        await run(`CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$`);
        for (const { name } of tables)
          await run(`CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON ${name} FOR EACH STATEMENT EXECUTE FUNCTION full_disk()`);
      },
      () => run("DROP FUNCTION full_disk() CASCADE"),
    );
  });

  it("that is restarted fails the calls in progress with 503, and ends no process", async () => {
    const { line, t, lost } = await onPostgres();
    await t.signUp();
    // Connections with running statements when they break.
    const underWay = Array.from({ length: 8 }, () =>
      t.store.read
        .selectFrom("accounts")
        .select((q) => q.fn.countAll().as("n"))
        .execute(),
    );
    line.cut();
    await Promise.allSettled(underWay);
    expect(await t.refusal("checkEmail", { body: { email: "a@example.com" } })).toMatchObject({
      code: 1503,
      retryAfter: expect.any(Number),
    });
    expect(await isReady(t)).toBe(false);
    expect((await t.app.inject({ url: "/readyz" })).json()).toEqual({ ok: true, warnings: ["database"] });
    expect(await page(t)).toBe(200);
    line.open();
    expect(await isReady(t)).toBe(true);
    await t.signUp();
    expect(lost.length).toBeGreaterThan(0);
  });

  it("that is down causes thirty lines a minute for calls and for probes, however many are made", async () => {
    const logged: { readonly msg: string; readonly leftOut: number }[] = [];
    const write = (line: string) => void logged.push(JSON.parse(line));
    const { line, t } = await onPostgres({ log: pino(loggerOptions({ logLevel: "info" }), { write }) });
    const { token } = await t.logIn(await t.signUp());
    line.cut();
    for (let n = 0; n < 40; n++) {
      await t.send("entitlement", { token });
      await isReady(t);
    }
    const linesWith = (msg: string) => logged.filter((one) => one.msg === msg);
    expect([linesWith("The database cannot be used").length, linesWith("Not ready").length]).toEqual([30, 30]);
    // The next minute's first line says how many there would have been.
    const now = performance.now();
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now + 60_000);
    await t.send("entitlement", { token });
    clock.mockRestore();
    expect(linesWith("The database cannot be used").at(-1)).toMatchObject({ leftOut: 10 });
  });

  it("behind a connection that drops everything is noticed, and its connections are given up", async () => {
    const { line, t } = await onPostgres();
    await Promise.all(Array.from({ length: 6 }, () => t.signUp()));
    line.freeze();
    const answered: string[] = [];
    const asked = (url: string) => isReady(t, url).finally(() => answered.push(url));
    const [forPages, forCalls, refused] = await Promise.all([
      asked("/readyz"),
      asked("/readyz/calls"),
      t.refusal("checkEmail", { body: { email: "b@example.com" } }),
    ]);
    expect([forPages, forCalls]).toEqual([true, false]);
    // If a load balancer waited for the database, pages would fail with it.
    expect(answered).toEqual(["/readyz", "/readyz/calls"]);
    expect(refused).toMatchObject({ code: 1503, retryAfter: expect.any(Number) });
    expect(await page(t)).toBe(200);
    line.open();
    // Each connection fails once more and is then replaced.
    await expect.poll(() => isReady(t)).toBe(true);
    await t.signUp();
  });

  it("behind a connection that drops everything releases a write's locks", async () => {
    const { line, t } = await onPostgres();
    const person = await t.signUp();
    const { token } = await t.logIn(person);
    const [locked, frozen] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const underWay = t.store.write(async (queries) => {
      await queries.updateTable("accounts").set({ firstname: "Lost" }).where("uuid", "=", person.uuid).execute();
      locked.resolve();
      await frozen.promise;
      await queries.updateTable("accounts").set({ firstname: "Never" }).where("uuid", "=", person.uuid).execute();
    });
    await locked.promise;
    line.freeze();
    frozen.resolve();
    await expect(underWay).rejects.toThrow("The database does not answer.");
    line.open();
    const rename = async () => (await t.send("updateName", { token, body: { firstname: "Lucía" } })).statusCode;
    await expect.poll(rename).toBe(200);
  });
});

describe("SQLite", () => {
  it("with a full disk answers writes with 503, and works again when there is room", async () => {
    const t = await createTestApp({ database: "sqlite" });
    closers.push(() => t.close());
    // With no more pages than there are, SQLite reports a full disk (SQLITE_FULL).
    const pages = (most: number) => t.store.write((queries) => sql.raw(`PRAGMA max_page_count = ${most}`).execute(queries));
    await fullDisk(
      t,
      () => pages(1),
      () => pages(1_000_000),
    );
  });

  it("that another program keeps locked answers writes with 503, and delays nothing else", async () => {
    const folder = mkdtempSync(join(tmpdir(), "parlando-locked-"));
    closers.push(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, "parlando.sqlite");
    const store = openSqlite(file);
    await migrate(store, startTime);
    const t = await createTestApp({ database: "sqlite", store });
    closers.push(() => t.close());
    await t.signUp();
    const other = new DatabaseSync(file);
    closers.push(() => other.close());
    other.exec("BEGIN IMMEDIATE");
    const order: string[] = [];
    const note = <T>(name: string, answer: Promise<T>) => answer.finally(() => order.push(name));
    const write = note(
      "write",
      t.send("signup", {
        body: {
          uuid: t.world.uuid(),
          email: "c@example.com",
          password: "correct horse",
          uiLanguage: "es-419",
          questionnaire: "76",
          version: "v5.7.8",
        },
      }),
    );
    const [ready, alive, shown] = await Promise.all([
      note("ready", isReady(t)),
      note("alive", t.app.inject({ url: "/healthz" })),
      note("page", page(t)),
    ]);
    expect([ready, alive.statusCode, shown]).toEqual([true, 200, 200]);
    expect((await write).statusCode).toBe(503);
    expect((await write).headers["retry-after"]).toMatch(/^\d+$/);
    expect(order.at(-1)).toBe("write");
    other.exec("ROLLBACK");
    expect(await isReady(t)).toBe(true);
    await t.signUp();
  });
});
