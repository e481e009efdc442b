/** PostgreSQL through `pg`, with the same queries as SQLite. */
import { Kysely, PostgresDialect, type PostgresPool, sql } from "kysely";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { queryTraces } from "../base/traces.ts";
import type { Database } from "./schema.ts";
import { type Store, StoreUnavailable } from "./store.ts";

const poolSize = 20;
const connectTimeoutMs = 5_000;
const statementTimeoutMs = 10_000;
/** The server ends a statement before this; a connection on which even that is not heard is lost. So it is to the server, which lets go of its locks. */
const silenceMs = 12_000;
/** Any constant: whoever migrates this database takes this lock. */
const migrationLock = 5_078_001;
const lockAskedEveryMs = 100;
/** Whoever comes after a change that waits for a table waits behind it: no visitor waits longer than this. */
const lockTimeoutMs = 2_000;
const int8 = 20;

// Counts and times come as numbers, as from SQLite; they stay far below 2^53.
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

/** A pool for Kysely in which a connection that failed otherwise than by the server's answer is not used again. */
function poolOf(config: pg.PoolConfig, onError: (error: Error) => void): CountedPool {
  const pool = new pg.Pool({ connectionTimeoutMillis: connectTimeoutMs, keepAlive: true, types, ...config });
  // The pool listens while a connection is idle only; an error that nobody hears ends the process.
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
 * Holds the lock of migrations until `work` is done. The lock belongs to an open transaction and not to a session, which PgBouncer would
 * hand to others between two statements. It is tried again and again: a statement that waited in the database would be one of those that
 * an index being built waits for, and neither would end.
 */
async function withMigrationLock<T>(pool: Kysely<Database>, work: () => Promise<T>): Promise<T> {
  return pool.transaction().execute(async (holder) => {
    await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(holder);
    for (;;) {
      // Without a parameter: one would keep the statement's snapshot, for which an index being built waits.
      const { rows } = await sql<{ locked: boolean }>`SELECT pg_try_advisory_xact_lock(${sql.lit(migrationLock)}) AS locked`.execute(
        holder,
      );
      if (rows[0]?.locked === true) return work();
      await sleep(lockAskedEveryMs);
    }
  });
}

/** Opens a pool; the first query connects. `onError` hears of connections that were lost. */
export function openPostgres(url: string, onError: (error: Error) => void, standbyUrl: string | null = null): Store {
  const pool = poolOf(
    {
      connectionString: url,
      max: poolSize,
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: silenceMs,
      query_timeout: silenceMs,
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
      // It may take as long as it needs. One connection holds the lock, the other one changes: all ends with the process.
      const alone = new Kysely<Database>({
        dialect: new PostgresDialect({ pool: poolOf({ connectionString: url, max: 2, statement_timeout: 0 }, onError) }),
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
