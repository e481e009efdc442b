/** The durable store: SQLite by default, PostgreSQL with DATABASE_URL. The same queries run on both. */
import type { Queries } from "./schema.ts";

/** The location of a store. A thread uses it to open its own connection. */
export type StorePlace = (
  | { readonly dialect: "sqlite"; readonly file: string }
  | { readonly dialect: "postgres"; readonly url: string }
) & {
  /** The ClickHouse that journeys are copied to and counted in. */
  readonly clickhouseUrl?: string;
};

export interface Store {
  readonly dialect: "sqlite" | "postgres";
  readonly place: StorePlace;
  /** A standby, for queries that read many rows and may lag. */
  readonly standby?: StorePlace;
  /** For reading. Sees every acknowledged write. */
  readonly read: Queries;
  /**
   * All or nothing, and durable when it resolves (after the fsync). The work must wait for its own queries only, because others share its commit. It
   * must not call `write` again.
   */
  readonly write: <T>(work: (queries: Queries) => Promise<T>) => Promise<T>;
  /** Waits for other processes' migrations and excludes them until the work is done or this process ends. */
  readonly migrateWith: <T>(work: (migrating: Migrating) => Promise<T>) => Promise<T>;
  /** The pool's connections; SQLite has none. */
  readonly connections?: () => { readonly busy: number; readonly idle: number; readonly waiting: number };
  readonly close: () => Promise<void>;
}

/** The same store, with journeys counted in ClickHouse if an address is given. */
export function countedIn(clickhouseUrl: string | null, store: Store): Store {
  if (clickhouseUrl === null) return store;
  const { place, standby } = store;
  return { ...store, place: { ...place, clickhouseUrl }, ...(standby === undefined ? {} : { standby: { ...standby, clickhouseUrl } }) };
}

export interface Migrating {
  /** All or nothing. Rejects when a table is in use and visitors would have to wait for it; `isLockFailure` recognizes that error. */
  readonly transaction: <T>(work: (queries: Queries, execute: (script: string) => Promise<void>) => Promise<T>) => Promise<T>;
  /** For statements outside a transaction. */
  readonly queries: Queries;
}

/** Whether a write failed because of a lock or a deadlock, so that it may be retried. */
export function isLockFailure(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "55P03" || error.code === "40P01");
}

/** Whether an insert or update failed on either database because the value is taken. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const sqlite = "errcode" in error && (error.errcode === 2067 || error.errcode === 1555);
  const postgres = "code" in error && error.code === "23505";
  return sqlite || postgres;
}

/** The database could not be reached or did not answer in time. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}

/** SQLite's primary result codes for an unusable file: busy, locked, read-only, I/O error, full, cannot be opened. */
const sqliteOutOfUse: ReadonlySet<number> = new Set([5, 6, 8, 10, 13, 14]);
/**
 * PostgreSQL's classes and codes for an unusable database: connection, resources (disk, memory, connections), shutdown, time limits, read-only,
 * deadlock. 40001 comes from a standby whose replay removed rows that a query needed.
 */
const postgresOutOfUse = /^(?:08|53|57P0[1-5]|57014|55P03|25006|25P03|40001|40P01)/;

/** Whether an error is a temporary failure of the database: it is down, frozen or locked, or its disk is full. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof StoreUnavailable) return true;
  if (!(error instanceof Error)) return false;
  const sqlite = "errcode" in error && typeof error.errcode === "number" && sqliteOutOfUse.has(error.errcode & 0xff);
  return sqlite || ("code" in error && typeof error.code === "string" && "severity" in error && postgresOutOfUse.test(error.code));
}
