/** Where everything durable is kept: SQLite by default, PostgreSQL by DATABASE_URL, one query code for both. */
import type { Queries } from "./schema.ts";

export interface Store {
  readonly dialect: "sqlite" | "postgres";
  /** For reading; sees every write that was answered. */
  readonly read: Queries;
  /**
   * All or nothing, and durable once answered (after the fsync). The work must only wait for its own queries: others
   * share its commit. It may not call `write` again.
   */
  readonly write: <T>(work: (queries: Queries) => Promise<T>) => Promise<T>;
  /** One transaction that no other process's migration runs beside. */
  readonly migrateWith: (work: (migration: Migration) => Promise<void>) => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface Migration {
  readonly queries: Queries;
  /** Runs a script of several statements. */
  readonly execute: (sql: string) => Promise<void>;
}

/** Whether an insert or update failed because the value is taken, in either database. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const sqlite = "errcode" in error && (error.errcode === 2067 || error.errcode === 1555);
  const postgres = "code" in error && error.code === "23505";
  return sqlite || postgres;
}
