/** SQLite through `node:sqlite`: one connection for writing, one for reading, and durable writes in groups. */
import { Kysely, SqliteDialect, type SqliteDatabase, type SqliteStatement } from "kysely";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { inCallersTrace, queryTraces } from "../base/traces.ts";
import type { Database, Queries } from "./schema.ts";
import { type Committed, createLogSync, type LogSync, openLog, type SyncedFile } from "./logSync.ts";
import { type Store, StoreUnavailable } from "./store.ts";

/** How long writes wait for another process's lock before they fail. */
const lockedAtMostMs = 5_000;
const tryAgainAfterMs = 20;
/**
 * How long SQLite itself waits for a lock, ms. That blocks the whole process, so it is short, and we wait on (`lockedAtMostMs`) without blocking. In
 * WAL mode a reader meets a lock only when the log is reset.
 */
const busyTimeoutMs = 50;
/** How long a migration waits for a migration of another process, ms. This process does nothing else meanwhile. */
const migrationLockedAtMostMs = 15_000;
/** Statements are compiled once. The application has a few hundred. */
const statementCacheSize = 500;
/** The most writes in one commit. With more, the first one would wait too long. */
const groupSize = 128;
/**
 * How long the writes of one commit may run, ms. Meanwhile the process does nothing else: 128 batches of events took more than a second, and
 * everybody's calls were refused.
 */
const groupRunsAtMostMs = 20;
/** How long a commit waits for further writes, ms, as long as each turn of the event loop brings some. */
const groupCollectsAtMostMs = 5;

function isSqlValue(value: unknown): value is SQLInputValue {
  return (
    value === null || typeof value === "string" || typeof value === "number" || typeof value === "bigint" || value instanceof Uint8Array
  );
}

function sqlValues(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters.map((value) => {
    if (isSqlValue(value)) return value;
    throw new TypeError(`SQLite cannot take a ${typeof value} as a parameter`);
  });
}

/** Adapts `node:sqlite` to Kysely's SQLite dialect and caches compiled statements. */
function forKysely(database: DatabaseSync): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare: (sql) => {
      const known = statements.get(sql);
      if (known) return known;
      const prepared = database.prepare(sql);
      const statement: SqliteStatement = {
        reader: prepared.columns().length > 0,
        all: (parameters) => prepared.all(...sqlValues(parameters)),
        run: (parameters) => prepared.run(...sqlValues(parameters)),
        iterate: (parameters) => prepared.iterate(...sqlValues(parameters)),
      };
      if (statements.size >= statementCacheSize) statements.clear();
      statements.set(sql, statement);
      return statement;
    },
  };
}

function queriesOn(database: DatabaseSync): Queries {
  return new Kysely<Database>({ dialect: new SqliteDialect({ database: forKysely(database) }), ...queryTraces() });
}

const sqliteBusy = 5;
function isLocked(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number" && (error.errcode & 0xff) === sqliteBusy;
}

interface Job {
  /** Runs the work. Returns the function that answers the caller once the group is durable. */
  readonly run: () => Promise<() => void>;
  readonly fail: (error: unknown) => void;
}

/**
 * Collects writes, and commits those that have come in meanwhile together. They are answered once the log is synced; the next group runs and is
 * committed meanwhile. A failing write is rolled back alone.
 */
class WriteQueue {
  readonly #database: DatabaseSync;
  readonly #queries: Queries;
  readonly #log: LogSync;
  readonly #longestMs: number;
  readonly #collectsMs: number;
  #waiting: Job[] = [];
  #running: Promise<void> | null = null;
  #isClosed = false;

  constructor(database: DatabaseSync, queries: Queries, log: LogSync, { longestGroupMs, groupCollectsMs }: GroupTimes) {
    this.#database = database;
    this.#queries = queries;
    this.#log = log;
    this.#longestMs = longestGroupMs;
    this.#collectsMs = groupCollectsMs;
  }

  write<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#isClosed) throw new StoreUnavailable("The database is closed.");
      const run = async () => {
        const value = await work(this.#queries);
        return () => resolve(value);
      };
      this.#waiting.push({ run, fail: reject });
      this.#running ??= this.#drain();
    });
  }

  /** Refuses further writes, and waits until those before are durable. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
    await this.#log.idle();
  }

  async #drain(): Promise<void> {
    do {
      await this.#collect();
      await this.#commitGroup(this.#waiting.splice(0, groupSize));
    } while (this.#waiting.length > 0);
    this.#running = null;
  }

  /** Waits while each turn of the event loop brings more writes: requests begin a few in a turn, and a commit costs as much as several writes. */
  async #collect(): Promise<void> {
    const until = performance.now() + this.#collectsMs;
    let before: number;
    do {
      before = this.#waiting.length;
      await new Promise((resolve) => setImmediate(resolve));
    } while (this.#waiting.length > before && this.#waiting.length < groupSize && performance.now() < until);
  }

  async #begin(): Promise<void> {
    for (const until = performance.now() + lockedAtMostMs; ;) {
      try {
        return this.#database.exec("BEGIN IMMEDIATE");
      } catch (error) {
        if (!isLocked(error) || performance.now() > until) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, tryAgainAfterMs));
    }
  }

  /** Commits the group, or as much of it as its time allows. The rest waits for the next one. */
  async #commitGroup(group: Job[]): Promise<void> {
    const done: Committed[] = [];
    try {
      const lost = this.#log.lost();
      if (lost !== null) throw lost;
      await this.#begin();
      const until = performance.now() + this.#longestMs;
      for (const [nth, job] of group.entries()) {
        if (nth > 0 && performance.now() > until) {
          this.#waiting.unshift(...group.splice(nth));
          break;
        }
        this.#database.exec("SAVEPOINT job");
        try {
          done.push({ answer: await job.run(), fail: job.fail });
        } catch (error) {
          // A full disk can end the whole transaction. The other jobs' writes are then lost as well.
          if (!this.#database.isTransaction) throw error;
          this.#database.exec("ROLLBACK TO job");
          job.fail(error);
        }
        this.#database.exec("RELEASE job");
      }
      this.#database.exec("COMMIT");
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      // Failing a settled promise has no effect.
      for (const job of group) job.fail(error);
      return;
    }
    this.#log.add(done);
  }
}

/** Opens a file for reading only. It sees what others have committed. Throws when the file does not exist. */
export function openSqliteReader(file: string): { readonly read: Queries; readonly close: () => Promise<void> } {
  const read = queriesOn(new DatabaseSync(file, { timeout: busyTimeoutMs, readOnly: true }));
  return { read, close: () => read.destroy() };
}

/** Copies the log into the file, up to the oldest reader. Blocks the calling thread, but no writer. */
export function checkpointSqlite(file: string): void {
  const database = new DatabaseSync(file, { timeout: busyTimeoutMs });
  try {
    database.exec("PRAGMA wal_checkpoint(PASSIVE)");
  } finally {
    database.close();
  }
}

/** Ends the process. */
function endProcess(error: Error): void {
  setImmediate(() => {
    throw error;
  });
}

interface GroupTimes {
  readonly longestGroupMs: number;
  readonly groupCollectsMs: number;
}

export interface SqliteOptions extends Partial<GroupTimes> {
  readonly syncsWith?: (file: string) => SyncedFile;
  /** Called when a sync of the log has failed: no later write is acknowledged. Default: ends the process. */
  readonly onLost?: (error: Error) => void;
}

/** Opens or creates the database file. Throws when it cannot be opened or is not a database. */
export function openSqlite(
  file: string,
  {
    longestGroupMs = groupRunsAtMostMs,
    groupCollectsMs = groupCollectsAtMostMs,
    syncsWith = openLog,
    onLost = endProcess,
  }: SqliteOptions = {},
): Store {
  const open = (readOnly: boolean) => {
    const database = new DatabaseSync(file, { timeout: busyTimeoutMs, readOnly });
    database.exec("PRAGMA foreign_keys = ON");
    return database;
  };
  const writer = open(false);
  // NORMAL leaves the sync of each commit to us.
  writer.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 2000;");
  // Reading creates the log.
  writer.exec("SELECT name FROM sqlite_schema LIMIT 1");
  const log = syncsWith(file);
  const reader = open(true);
  const queries = queriesOn(writer);
  const queue = new WriteQueue(writer, queries, createLogSync(log.sync, onLost), { longestGroupMs, groupCollectsMs });
  return {
    dialect: "sqlite",
    place: { dialect: "sqlite", file },
    read: queriesOn(reader),
    write: (work) => queue.write(inCallersTrace(work)),
    // SQLite allows one writer at a time, even among processes.
    migrateWith: async (work) => {
      writer.exec(`PRAGMA busy_timeout = ${migrationLockedAtMostMs}`);
      try {
        return await work({
          queries,
          transaction: (change) => queue.write((changing) => change(changing, async (script) => writer.exec(script))),
        });
      } finally {
        writer.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
        await log.sync();
      }
    },
    close: async () => {
      await queue.close();
      log.close();
      reader.close();
      writer.close();
    },
  };
}
