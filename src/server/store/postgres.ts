/** PostgreSQL through `pg`, with the same queries as SQLite. */
import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import type { Database } from "./schema.ts";
import type { Store } from "./store.ts";

const poolSize = 20;
const connectTimeoutMs = 5_000;
const statementTimeoutMs = 10_000;
/** Any constant: whoever migrates this database takes this lock. */
const migrationLock = 5_078_001;
const int8 = 20;

/** Opens a pool; the first query connects. `onError` hears of connections lost while idle. */
export function openPostgres(url: string, onError: (error: Error) => void): Store {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    // Counts and times come as numbers, as from SQLite; they stay far below 2^53.
    types: {
      getTypeParser: (oid: number, format?: "text" | "binary") =>
        oid === int8 && format !== "binary"
          ? Number
          : format === "binary"
            ? pg.types.getTypeParser(oid, "binary")
            : pg.types.getTypeParser(oid, "text"),
    },
  });
  pool.on("error", onError);
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return {
    dialect: "postgres",
    read: db,
    write: (work) => db.transaction().execute(work),
    migrateWith: (work) =>
      db.transaction().execute(async (queries) => {
        await sql`SELECT pg_advisory_xact_lock(${migrationLock})`.execute(queries);
        await work({ queries, execute: async (text) => void (await sql.raw(text).execute(queries)) });
      }),
    close: () => db.destroy(),
  };
}
