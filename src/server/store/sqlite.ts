/** SQLite through `node:sqlite`: one connection that writes, one that reads, and durable writes in groups. */
import { Kysely, SqliteDialect, type SqliteDatabase, type SqliteStatement } from "kysely";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { inCallersTrace, queryTraces } from "../base/traces.ts";
import type { Database, Queries } from "./schema.ts";
import type { Store } from "./store.ts";

/** How long writes wait for another process's lock before they fail. */
const lockedAtMostMs = 5_000;
const tryAgainAfterMs = 20;
/** SQLite's own wait holds the whole process up, so that waits for a lock are ours. A reader meets none in WAL mode, but at the end of a log. */
const busyTimeoutMs = 50;
/** How long a migration waits for another process's, ms; nothing else runs then. */
const migrationLockedAtMostMs = 15_000;
/** Statements are compiled once; the application has a few hundred at most. */
const statementCacheSize = 500;
/** Writes that share one commit: more would only make the first of them wait. */
const groupSize = 128;

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

/** `node:sqlite` in the form Kysely's SQLite dialect asks for, with compiled statements kept. */
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
  /** Runs the work and returns how to answer once the group is durable. */
  readonly run: () => Promise<() => void>;
  readonly fail: (error: unknown) => void;
}

/**
 * Collects writes and commits those that came in meanwhile together: one fsync for the group, each answered after it
 * (measured behind Fastify: five times the writes of one commit each). A failing write rolls back alone.
 */
class WriteQueue {
  readonly #database: DatabaseSync;
  readonly #queries: Queries;
  #waiting: Job[] = [];
  #running: Promise<void> | null = null;

  constructor(database: DatabaseSync, queries: Queries) {
    this.#database = database;
    this.#queries = queries;
  }

  write<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const run = async () => {
        const value = await work(this.#queries);
        return () => resolve(value);
      };
      this.#waiting.push({ run, fail: reject });
      this.#running ??= this.#drain();
    });
  }

  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #drain(): Promise<void> {
    // Whatever arrives in this turn of the event loop joins the first group.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      await this.#commitGroup(this.#waiting.splice(0, groupSize));
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#running = null;
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

  async #commitGroup(group: readonly Job[]): Promise<void> {
    const answers: (() => void)[] = [];
    const done: Job[] = [];
    try {
      await this.#begin();
      for (const job of group) {
        this.#database.exec("SAVEPOINT job");
        try {
          answers.push(await job.run());
          done.push(job);
        } catch (error) {
          // A full disk can end the whole transaction; the other jobs' writes are then lost too.
          if (!this.#database.isTransaction) throw error;
          this.#database.exec("ROLLBACK TO job");
          job.fail(error);
        }
        this.#database.exec("RELEASE job");
      }
      this.#database.exec("COMMIT");
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      // A promise that already failed stays as it is.
      for (const job of group) job.fail(error);
      return;
    }
    for (const answer of answers) answer();
  }
}

/** For reading alone: sees what others have committed. Throws when there is no such file. */
export function openSqliteReader(file: string): { readonly read: Queries; readonly close: () => Promise<void> } {
  const read = queriesOn(new DatabaseSync(file, { timeout: busyTimeoutMs, readOnly: true }));
  return { read, close: () => read.destroy() };
}

/** Moves what was written from the log into the file, as far as nobody reads it there. Holds up the thread that calls it, and no writer. */
export function checkpointSqlite(file: string): void {
  const database = new DatabaseSync(file, { timeout: busyTimeoutMs });
  try {
    database.exec("PRAGMA wal_checkpoint(PASSIVE)");
  } finally {
    database.close();
  }
}

/** Opens (or makes) the database file. Throws when the file cannot be opened or is no database. */
export function openSqlite(file: string): Store {
  const open = (readOnly: boolean) => {
    const database = new DatabaseSync(file, { timeout: busyTimeoutMs, readOnly });
    database.exec("PRAGMA foreign_keys = ON");
    return database;
  };
  const writer = open(false);
  writer.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 2000;");
  const reader = open(true);
  const queries = queriesOn(writer);
  const queue = new WriteQueue(writer, queries);
  return {
    dialect: "sqlite",
    place: { dialect: "sqlite", file },
    read: queriesOn(reader),
    write: (work) => queue.write(inCallersTrace(work)),
    // A write is already alone in the file, among processes too.
    migrateWith: async (work) => {
      writer.exec(`PRAGMA busy_timeout = ${migrationLockedAtMostMs}`);
      try {
        return await work({
          queries,
          transaction: (change) => queue.write((changing) => change(changing, async (script) => writer.exec(script))),
        });
      } finally {
        writer.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
      }
    },
    close: async () => {
      await queue.idle();
      reader.close();
      writer.close();
    },
  };
}
