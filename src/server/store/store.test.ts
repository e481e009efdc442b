import { migrate, type MigrationFile, readMigrations } from "#server/store/migrate.ts";
import { respellingMigration } from "#server/store/spelling.ts";
import { openSqlite } from "#server/store/sqlite.ts";
import { isUnavailable, isUniqueViolation, type Store } from "#server/store/store.ts";
import { insertAccount } from "#test/accounts.ts";
import { behindPgBouncer, createTestStore, createTestWorld, databases, startTime } from "#test/app.ts";
import { sql } from "kysely";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

const line = (id: string) => ({ id, at: 1, account_uuid: null, kind: "test", data: "{}" });

it("SQLite acknowledges no write of a group whose transaction a full disk has ended, and says why", async () => {
  const { place, close } = await createTestStore("sqlite");
  if (place.dialect !== "sqlite") throw new Error("This is another database");
  // However slow the machine is, the three writes are one group.
  const store = openSqlite(place.file, { longestGroupMs: Number.POSITIVE_INFINITY });
  const add = (id: string) => store.write((queries) => queries.insertInto("audit").values(line(id)).execute());
  const ids = async () => (await store.read.selectFrom("audit").select("id").execute()).map(({ id }) => id);
  const full = Object.assign(new Error("database or disk is full"), { errcode: 13 });
  const before = add("before");
  const ended = store.write(async (queries) => {
    await sql`ROLLBACK`.execute(queries);
    throw full;
  });
  const refused = { status: "rejected", reason: full };
  expect(await Promise.allSettled([before, ended, add("after")])).toEqual([refused, refused, refused]);
  expect(await ids()).toEqual([]);
  await add("later");
  expect(await ids()).toEqual(["later"]);
  await store.close();
  await close();
});

it("SQLite commits writes together that come in over several turns of the event loop", async () => {
  const { place, close } = await createTestStore("sqlite");
  if (place.dialect !== "sqlite") throw new Error("This is another database");
  const allCameIn = Promise.withResolvers<void>();
  let syncs = 0;
  const sync = () => {
    syncs++;
    return allCameIn.promise;
  };
  const forever = { longestGroupMs: Number.POSITIVE_INFINITY, groupCollectsMs: Number.POSITIVE_INFINITY };
  const store = openSqlite(place.file, { ...forever, syncsWith: () => ({ sync, close: () => undefined }) });
  const add = (id: string) => store.write((queries) => queries.insertInto("audit").values(line(id)).execute());
  const eachTurn = async () => {
    const writes: Promise<unknown>[] = [];
    for (let n = 0; n < 10; n++) {
      await nextTurn();
      writes.push(add(`${n}`));
    }
    allCameIn.resolve();
    await Promise.all(writes);
  };
  await Promise.all([eachTurn(), add("first")]);
  // Writes of a second commit would have needed a second sync.
  expect(syncs).toBe(1);
  await store.close();
  await close();
});

describe("SQLite's log", () => {
  /** A store whose log is synced as `sync` says. */
  async function syncedBy(sync: (file: string) => Promise<void>, onLost: (error: Error) => void = () => undefined) {
    const { place, close } = await createTestStore("sqlite");
    if (place.dialect !== "sqlite") throw new Error("This is another database");
    const { file } = place;
    const store = openSqlite(file, { onLost, syncsWith: () => ({ sync: () => sync(file), close: () => undefined }) });
    onTestFinished(async () => {
      await store.close();
      await close();
    });
    const add = (id: string) => store.write((queries) => queries.insertInto("audit").values(line(id)).execute());
    const ids = async () => (await store.read.selectFrom("audit").select("id").orderBy("id").execute()).map(({ id }) => id);
    return { add, ids };
  }

  it("is synced before a write is acknowledged; writes that are committed meanwhile share the next sync", async () => {
    const syncs: PromiseWithResolvers<void>[] = [];
    const { add, ids } = await syncedBy(() => {
      const sync = Promise.withResolvers<void>();
      syncs.push(sync);
      return sync.promise;
    });
    const acknowledged: string[] = [];
    const note = async (id: string) => {
      await add(id);
      acknowledged.push(id);
    };
    const first = note("a");
    await expect.poll(() => syncs.length).toBe(1);
    const others = [note("b"), note("c")];
    await expect.poll(ids).toEqual(["a", "b", "c"]);
    expect([acknowledged, syncs.length]).toEqual([[], 1]);
    syncs[0]?.resolve();
    await first;
    await expect.poll(() => syncs.length).toBe(2);
    expect(acknowledged).toEqual(["a"]);
    syncs[1]?.resolve();
    await Promise.all(others);
    expect(syncs).toHaveLength(2);
  });

  it("holds every acknowledged write after a power cut, which leaves what was synced last", async () => {
    const folder = mkdtempSync(join(tmpdir(), "parlando-power-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const stored = join(folder, "parlando.sqlite");
    const { add } = await syncedBy(async (file) => {
      for (const end of ["", "-wal"]) copyFileSync(file + end, stored + end);
      await nextTurn();
    });
    const acknowledged: string[] = [];
    for (let group = 0; group < 40; group += 1) {
      const writes = Array.from({ length: 1 + (group % 7) }, (_, n) => add(`${group}-${n}`).then(() => acknowledged.push(`${group}-${n}`)));
      // Each third group waits for the one before it.
      if (group % 3 === 0) await Promise.all(writes);
    }
    expect(acknowledged.length).toBeGreaterThan(100);
    const before = [...acknowledged];
    const { read, close } = openSqlite(stored);
    const ids = new Set((await read.selectFrom("audit").select("id").execute()).map(({ id }) => id));
    expect(before.filter((id) => !ids.has(id))).toEqual([]);
    await close();
  });

  it("that cannot be synced fails also the writes that run meanwhile, and the store can be closed", async () => {
    const { place, close } = await createTestStore("sqlite");
    if (place.dialect !== "sqlite") throw new Error("This is another database");
    const syncing = Promise.withResolvers<void>();
    const lost = Promise.withResolvers<void>();
    const store = openSqlite(place.file, {
      onLost: () => lost.resolve(),
      syncsWith: () => ({ sync: () => syncing.promise, close: () => undefined }),
    });
    const add = (id: string, until?: Promise<void>) =>
      store.write(async (queries) => {
        await queries.insertInto("audit").values(line(id)).execute();
        await until;
      });
    const first = add("a");
    await expect.poll(() => store.read.selectFrom("audit").select("id").execute()).toHaveLength(1);
    const second = add("b", lost.promise);
    // Its group begins in the next turn.
    await nextTurn();
    await nextTurn();
    syncing.reject(new Error("EIO: i/o error, fdatasync"));
    const why = "The database's log could not be synced to disk.";
    await Promise.all([expect(first).rejects.toThrow(why), expect(second).rejects.toThrow(why)]);
    await store.close();
    await close();
  });

  it("is synced before the store closes, and a write that comes meanwhile is refused", async () => {
    const { place, close } = await createTestStore("sqlite");
    if (place.dialect !== "sqlite") throw new Error("This is another database");
    const syncing = Promise.withResolvers<void>();
    const store = openSqlite(place.file, { syncsWith: () => ({ sync: () => syncing.promise, close: () => undefined }) });
    const add = (id: string) => store.write((queries) => queries.insertInto("audit").values(line(id)).execute());
    const first = add("a");
    await expect.poll(() => store.read.selectFrom("audit").select("id").execute()).toHaveLength(1);
    const closed = store.close();
    const second = add("b");
    syncing.resolve();
    await expect(second).rejects.toThrow("The database is closed.");
    await Promise.all([first, closed]);
    await close();
  });

  it("that cannot be synced acknowledges no write any more, and says so once", async () => {
    const lost: Error[] = [];
    const { add, ids } = await syncedBy(
      () => Promise.reject(new Error("EIO: i/o error, fdatasync")),
      (error) => lost.push(error),
    );
    await expect(add("a")).rejects.toThrow("The database's log could not be synced to disk.");
    const [error] = lost;
    expect([lost.length, isUnavailable(error)]).toEqual([1, true]);
    await expect(add("b")).rejects.toBe(error);
    expect([lost.length, await ids()]).toEqual([1, ["a"]]);
  });
});

/** Counts the turns of the event loop. */
function countTurns() {
  let turn = 0;
  let counting = true;
  const count = () => {
    turn++;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  return { now: () => turn, stop: () => void (counting = false) };
}

it("SQLite lets everything else run between two commits, however many writes wait", async () => {
  const store = await createTestStore("sqlite");
  const turns = countTurns();
  // A commit takes 128.
  const written = await Promise.all(Array.from({ length: 300 }, () => store.write(async () => turns.now())));
  turns.stop();
  expect(new Set(written).size).toBeGreaterThanOrEqual(3);
  await store.close();
});

it("SQLite lets everything else run between long writes that came in together, and commits them all", async () => {
  const store = await createTestStore("sqlite");
  const turns = countTurns();
  /** Blocks for longer than a commit may take. */
  const block = () => {
    for (const until = performance.now() + 60; performance.now() < until;);
  };
  const written = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      store.write(async (queries) => {
        block();
        await queries
          .insertInto("audit")
          .values(line(`long${n}`))
          .execute();
        return turns.now();
      }),
    ),
  );
  turns.stop();
  expect(new Set(written).size).toBe(8);
  expect(written).toEqual(written.toSorted((a, b) => a - b));
  expect(await store.read.selectFrom("audit").select("id").execute()).toHaveLength(8);
  await store.close();
});

it("a write that PostgreSQL ends because of a deadlock is refused as a temporary failure", async () => {
  const store = await createTestStore("postgres");
  const holding = new Map([1, 2].map((lock) => [lock, Promise.withResolvers<void>()]));
  const lockBoth = (mine: number, other: number) =>
    store.write(async (queries) => {
      await sql`SELECT pg_advisory_xact_lock(${mine})`.execute(queries);
      holding.get(mine)?.resolve();
      await holding.get(other)?.promise;
      await sql`SELECT pg_advisory_xact_lock(${other})`.execute(queries);
    });
  const results = await Promise.allSettled([lockBoth(1, 2), lockBoth(2, 1)]);
  const refusals = results.flatMap((result) => (result.status === "rejected" ? [isUnavailable(result.reason)] : []));
  expect(refusals).toEqual([true]);
  await store.close();
});

describe.each(databases)("the store on %s", (kind) => {
  let store: Store;
  beforeAll(async () => {
    store = await createTestStore(kind);
  });
  afterAll(() => store.close());
  const ids = async (prefix: string) =>
    (await store.read.selectFrom("audit").select("id").where("id", "like", `${prefix}%`).orderBy("id").execute()).map(({ id }) => id);

  it("shows a write to every reader once it is acknowledged", async () => {
    await store.write((queries) => queries.insertInto("audit").values(line("seen")).execute());
    expect(await ids("seen")).toEqual(["seen"]);
  });

  it("keeps all of a write or nothing", async () => {
    const half = store.write(async (queries) => {
      await queries.insertInto("audit").values(line("half")).execute();
      throw new Error("changed its mind");
    });
    await expect(half).rejects.toThrow("changed its mind");
    expect(await ids("half")).toEqual([]);
  });

  it("rolls back a failing write alone, without the others in its commit", async () => {
    const writes = Array.from({ length: 40 }, (_, n) =>
      store.write(async (queries) => {
        await queries
          .insertInto("audit")
          .values(line(`group${String(n).padStart(2, "0")}`))
          .execute();
        if (n % 4 === 0) throw new Error("this one fails");
        return n;
      }),
    );
    const results = await Promise.allSettled(writes);
    expect(results.filter(({ status }) => status === "rejected")).toHaveLength(10);
    expect(await ids("group")).toHaveLength(30);
  });

  it("lets a write see the one before it, but not later ones", async () => {
    const add = (id: string) =>
      store.write(async (queries) => {
        await queries.insertInto("audit").values(line(id)).execute();
        return queries
          .selectFrom("audit")
          .select((q) => q.fn.countAll().as("n"))
          .where("id", "like", "order%")
          .executeTakeFirstOrThrow();
      });
    const first = await add("order1");
    const second = await add("order2");
    expect([Number(first.n), Number(second.n)]).toEqual([1, 2]);
  });

  it("distinguishes a taken value from other failures", async () => {
    await store.write((queries) => queries.insertInto("audit").values(line("once")).execute());
    const twice = await store
      .write((queries) => queries.insertInto("audit").values(line("once")).execute())
      .catch((error: unknown) => error);
    expect(isUniqueViolation(twice)).toBe(true);
    const missing = await store
      .write((queries) =>
        queries.insertInto("popups").values({ account_uuid: "nobody", questionnaire: "76", popup_id: "x", shown_at: 1 }).execute(),
      )
      .catch((error: unknown) => error);
    expect(missing).toBeInstanceOf(Error);
    expect(isUniqueViolation(missing)).toBe(false);
  });

  it("returns counts and times as numbers", async () => {
    await store.write((queries) =>
      queries
        .insertInto("audit")
        .values({ ...line("number"), at: startTime })
        .execute(),
    );
    expect(await store.read.selectFrom("audit").select("at").where("id", "=", "number").executeTakeFirst()).toEqual({ at: startTime });
  });

  describe("migrations", () => {
    const added: MigrationFile = {
      name: "29990101000000_more",
      sql: "CREATE TABLE more_things (id TEXT PRIMARY KEY);\nCREATE INDEX more_things_by_id ON more_things (id);",
    };

    it("are applied once, even when two processes start them at once", async () => {
      const all = [...readMigrations(store.dialect), added];
      const applied = await Promise.all([migrate(store, 1, all), migrate(store, 2, all)]);
      expect(applied.flat()).toEqual([added.name]);
    });

    it("give stored addresses one spelling, and keep both accounts when two have the same address", async () => {
      const old = await createTestStore(kind, respellingMigration);
      const account = (n: number, email: string) => ({
        uuid: `00000000-0000-4000-8000-00000000000${n}`,
        email,
        email_confirmed_at: null,
        password_hash: null,
        firstname: null,
        locale: "de-DE",
        questionnaire_version: "76",
        app_version: "v5.7.8",
        marketing_consent: null,
        created_at: 1,
        updated_at: 1,
      });
      const stored = ["ana@münchen.example", "eva@münchen.example", "eva@xn--mnchen-3ya.example", "leo@example.com"];
      await old.write((queries) =>
        queries
          .insertInto("accounts")
          .values(stored.map((email, n) => account(n, email)))
          .execute(),
      );
      await migrate(old, 2);
      const emails = (await old.read.selectFrom("accounts").select("email").orderBy("uuid").execute()).map(({ email }) => email);
      expect(emails).toEqual(["ana@xn--mnchen-3ya.example", ...stored.slice(1)]);
      await old.close();
    });

    it("record the account of stored mails: the one that had the address when they were written", async () => {
      const old = await createTestStore(kind, "20261122130000_whose_mails");
      const world = createTestWorld();
      const [stayed, moved] = [await insertAccount(old, world, "ana@example.com"), await insertAccount(old, world, "leo@example.com")];
      const mail = (id: string, recipient: string, created_at: number) => ({
        id,
        template: "confirmEmail",
        locale: "de-DE",
        recipient,
        data: "{}",
        created_at,
        sent_at: null,
        attempts: 0,
        next_attempt_at: null,
        error: null,
      });
      await old.write(async (queries) => {
        await queries.updateTable("accounts").set({ created_at: 10 }).execute();
        await queries
          .insertInto("audit")
          .values([
            { ...line("1"), account_uuid: moved, kind: "email changed", at: 15 },
            { ...line("2"), account_uuid: moved, kind: "email changed", at: 20 },
            { ...line("3"), account_uuid: moved, kind: "password reset", at: 30 },
          ])
          .execute();
        await queries
          .insertInto("mail_outbox")
          .values([
            mail("a before", "ana@example.com", 9),
            mail("a since", "ana@example.com", 10),
            mail("b before", "leo@example.com", 19),
            mail("b since", "leo@example.com", 20),
            mail("nobody's", "eva@example.com", 20),
          ])
          .execute();
      });
      await migrate(old, 2);
      const rows = await old.read.selectFrom("mail_outbox").select(["id", "account_uuid"]).orderBy("id").execute();
      expect(rows.map(({ id, account_uuid }) => [id, account_uuid])).toEqual([
        ["a before", null],
        ["a since", stayed],
        ["b before", null],
        ["b since", moved],
        ["nobody's", null],
      ]);
      await old.close();
    });

    it("that were changed after they were applied are refused by name", async () => {
      await expect(migrate(store, 3, [{ ...added, sql: "SELECT 1" }])).rejects.toThrow(
        "29990101000000_more was changed after it was applied",
      );
    });

    it("with a misplaced name are refused, not skipped", () => {
      const folder = mkdtempSync(join(tmpdir(), "parlando-migrations-"));
      mkdirSync(join(folder, "20261120_nickname"));
      expect(() => readMigrations(store.dialect, folder)).toThrow("20261120_nickname is not named");
    });

    it("have no time limit", async () => {
      const asked = store.dialect === "postgres" ? sql`SHOW statement_timeout` : sql`PRAGMA busy_timeout`;
      const noLimit = store.dialect === "postgres" ? { statement_timeout: "0" } : { timeout: 15_000 };
      await store.migrateWith(async ({ queries, transaction }) => {
        await transaction(async (changing) => expect((await asked.execute(changing)).rows).toEqual([noLimit]));
        // Behind PgBouncer, a statement outside a transaction has the role's time limit (docs/scaling.md).
        if (!behindPgBouncer) expect((await asked.execute(queries)).rows).toEqual([noLimit]);
      });
      expect.assertions(behindPgBouncer ? 1 : 2);
    });

    it("that fail in the middle leave nothing behind, and say what to do", async () => {
      const broken = { name: "29990102000000_broken", sql: "CREATE TABLE half_made (id TEXT); CREATE TABLE half_made (id TEXT);" };
      await expect(migrate(store, 4, [broken])).rejects.toThrow(
        /^The migration 29990102000000_broken failed: .*half_made.* already exists.* It changed nothing: correct the named problem and start again/s,
      );
      const mended = { ...broken, sql: "CREATE TABLE half_made (id TEXT);" };
      expect(await migrate(store, 5, [mended])).toEqual([broken.name]);
    });
  });
});
