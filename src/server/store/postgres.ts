/** PostgreSQL through `pg`, with the same queries as for SQLite. */
import { Kysely, PostgresDialect, type PostgresPool, sql } from "kysely";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { queryTraces } from "../base/traces.ts";
import type { Database } from "./schema.ts";
import { type Store, StoreUnavailable } from "./store.ts";

const poolSize = 20;
/** Time limits, ms. */
export interface TimeLimits {
  readonly connect: number;
  readonly statement: number;
  /**
   * PostgreSQL ends a statement before this time. If not even that answer arrives, the connection is lost. The server gives up a lost client after the
   * same time and releases its locks.
   */
  readonly silence: number;
}
const timeLimits: TimeLimits = { connect: 5_000, statement: 10_000, silence: 12_000 };
/** An arbitrary constant: the id of the lock that every migration takes. */
export const migrationLock = 5_078_001;
const lockAskedEveryMs = 100;
/** A statement behind a migration that waits for a table also waits. This limit keeps visitors from waiting longer, ms. */
const lockTimeoutMs = 2_000;
const int8 = 20;

// Counts and times are read as numbers, as from SQLite. They stay far below 2^53.
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    oid === int8 && format !== "binary"
      ? Number
      : format === "binary"
        ? pg.types.getTypeParser(oid, "binary")
        : pg.types.getTypeParser(oid, "text"),
};

interface CountedPool extends PostgresPool {
  readonly connections: () => { readonly busy: number; readonly idle: number; readonly waiting: number };
}

/** A pool for Kysely. A connection is reused after an error only if the server reported the error. */
function poolOf(config: pg.PoolConfig, onError: (error: Error) => void): CountedPool {
  const pool = new pg.Pool({ keepAlive: true, types, ...config });
  // The pool listens for errors only while a connection is idle, and an unheard error ends the process.
  pool.on("connect", (client) => client.on("error", onError));
  pool.on("error", onError);
  const unavailable = (cause: unknown) => new StoreUnavailable("The database does not answer.", { cause });
  return {
    options: pool.options,
    end: () => pool.end(),
    connections: () => ({ busy: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    connect: async () => {
      const client = await pool.connect().catch((error: unknown) => {
        throw error instanceof pg.DatabaseError ? error : unavailable(error);
      });
      let lost = false;
      const query = async (text: string, parameters: unknown[]) => {
        try {
          return await client.query(text, parameters);
        } catch (error) {
          if (error instanceof pg.DatabaseError) throw error;
          lost = true;
          throw unavailable(error);
        }
      };
      const release = () => client.release(lost);
      return new Proxy(client, {
        get: (_, key) => (key === "query" ? query : key === "release" ? release : Reflect.get(client, key)),
      });
    },
  };
}

/**
 * Holds the migration lock until `work` is done.
 *
 * The lock belongs to an open transaction, because PgBouncer would hand a session to other clients between two statements. Each try to get the lock is a
 * transaction of its own, so that a waiting process leaves none open. The process that has the lock may be building an index concurrently: such a build waits
 * for all transactions that were executing a statement when it looked.
 */
async function withMigrationLock<T>(pool: Kysely<Database>, work: () => Promise<T>): Promise<T> {
  for (;;) {
    const done = await pool.transaction().execute(async (holder) => {
      await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(holder);
      // No parameter here: it would keep the statement's snapshot open, and the index build waits for open snapshots.
      const { rows } = await sql<{ locked: boolean }>`SELECT pg_try_advisory_xact_lock(${sql.lit(migrationLock)}) AS locked`.execute(
        holder,
      );
      return rows[0]?.locked === true ? { result: await work() } : null;
    });
    if (done !== null) return done.result;
    await sleep(lockAskedEveryMs);
  }
}

/** Opens a pool. The first query connects. `onError` receives the errors of lost connections. */
export function openPostgres(
  url: string,
  onError: (error: Error) => void,
  standbyUrl: string | null = null,
  { connect, statement, silence }: TimeLimits = timeLimits,
): Store {
  const reached = { connectionString: url, connectionTimeoutMillis: connect };
  const pool = poolOf(
    {
      ...reached,
      max: poolSize,
      statement_timeout: statement,
      idle_in_transaction_session_timeout: silence,
      query_timeout: silence,
    },
    onError,
  );
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }), ...queryTraces() });
  return {
    dialect: "postgres",
    place: { dialect: "postgres", url },
    ...(standbyUrl === null ? {} : { standby: { dialect: "postgres", url: standbyUrl } }),
    read: db,
    connections: pool.connections,
    write: (work) => db.transaction().execute(work),
    migrateWith: async (work) => {
      // Migrations have no time limit. One connection holds the lock, the other makes the changes; both end with the process.
      const alone = new Kysely<Database>({
        dialect: new PostgresDialect({ pool: poolOf({ ...reached, max: 2, statement_timeout: 0 }, onError) }),
      });
      try {
        return await withMigrationLock(alone, () =>
          alone.connection().execute((queries) =>
            work({
              queries,
              transaction: (change) =>
                queries.transaction().execute(async (changing) => {
                  await sql`SET LOCAL lock_timeout = ${sql.lit(lockTimeoutMs)}`.execute(changing);
                  await sql`SET LOCAL statement_timeout = 0`.execute(changing);
                  return change(changing, async (script) => void (await sql.raw(script).execute(changing)));
                }),
            }),
          ),
        );
      } finally {
        await alone.destroy();
      }
    },
    close: () => db.destroy(),
  };
}
