/** PostgreSQL through `pg`, with the same queries as SQLite. */
import { Kysely, PostgresDialect, type PostgresPool, sql } from "kysely";
import pg from "pg";
import type { Database } from "./schema.ts";
import { type Store, StoreUnavailable } from "./store.ts";

const poolSize = 20;
const connectTimeoutMs = 5_000;
const statementTimeoutMs = 10_000;
/** The server ends a statement before this; a connection on which even that is not heard is lost. So it is to the server, which lets go of its locks. */
const silenceMs = 12_000;
/** Any constant: whoever migrates this database takes this lock. */
const migrationLock = 5_078_001;
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

/** Opens a pool; the first query connects. `onError` hears of connections that were lost. */
export function openPostgres(url: string, onError: (error: Error) => void): Store {
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
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return {
    dialect: "postgres",
    place: { dialect: "postgres", url },
    read: db,
    connections: pool.connections,
    write: (work) => db.transaction().execute(work),
    // It may take as long as it needs, and waits as long for another process's.
    migrateWith: async (work) => {
      const alone = new Kysely<Database>({
        dialect: new PostgresDialect({ pool: poolOf({ connectionString: url, max: 1, statement_timeout: 0 }, onError) }),
      });
      try {
        await alone.transaction().execute(async (queries) => {
          await sql`SELECT pg_advisory_xact_lock(${migrationLock})`.execute(queries);
          await work({ queries, execute: async (text) => void (await sql.raw(text).execute(queries)) });
        });
      } finally {
        await alone.destroy();
      }
    },
    close: () => db.destroy(),
  };
}
