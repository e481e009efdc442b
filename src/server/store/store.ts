/** Where everything durable is kept: SQLite by default, PostgreSQL by DATABASE_URL, one query code for both. */
import type { Queries } from "./schema.ts";

/** Where a store is, so that a thread can open it with a connection of its own. */
export type StorePlace = (
  | { readonly dialect: "sqlite"; readonly file: string }
  | { readonly dialect: "postgres"; readonly url: string }
) & {
  /** Where its journeys are copied to, so that they are counted there. */
  readonly clickhouseUrl?: string;
};

export interface Store {
  readonly dialect: "sqlite" | "postgres";
  readonly place: StorePlace;
  /** A standby of it, for what reads many rows and may be late. */
  readonly standby?: StorePlace;
  /** For reading; sees every write that was answered. */
  readonly read: Queries;
  /**
   * All or nothing, and durable once answered (after the fsync). The work must only wait for its own queries: others
   * share its commit. It may not call `write` again.
   */
  readonly write: <T>(work: (queries: Queries) => Promise<T>) => Promise<T>;
  /** Waits for other processes' migrations, and holds them off until the work is done; they are free again when this one is killed. */
  readonly migrateWith: <T>(work: (migrating: Migrating) => Promise<T>) => Promise<T>;
  /** Of the pool; a file has none. */
  readonly connections?: () => { readonly busy: number; readonly idle: number; readonly waiting: number };
  readonly close: () => Promise<void>;
}

/** The same store, with its journeys counted in ClickHouse where an address is given. */
export function countedIn(clickhouseUrl: string | null, store: Store): Store {
  if (clickhouseUrl === null) return store;
  const { place, standby } = store;
  return { ...store, place: { ...place, clickhouseUrl }, ...(standby === undefined ? {} : { standby: { ...standby, clickhouseUrl } }) };
}

export interface Migrating {
  /** All or nothing. Rejects when a table is in use and others would have to wait for it; `isLockFailure` recognises that error. */
  readonly transaction: <T>(work: (queries: Queries, execute: (script: string) => Promise<void>) => Promise<T>) => Promise<T>;
  /** Outside a transaction. */
  readonly queries: Queries;
}

/** Whether a write failed because of a lock or a deadlock, so that it may be tried again. */
export function isLockFailure(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "55P03" || error.code === "40P01");
}

/** Whether an insert or update failed because the value is taken, in either database. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const sqlite = "errcode" in error && (error.errcode === 2067 || error.errcode === 1555);
  const postgres = "code" in error && error.code === "23505";
  return sqlite || postgres;
}

/** The database was not reached, or did not answer in time. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}

/** SQLite's primary result codes for a file that cannot be used now: busy, locked, read-only, I/O error, full, cannot be opened. */
const sqliteOutOfUse: ReadonlySet<number> = new Set([5, 6, 8, 10, 13, 14]);
/**
 * PostgreSQL's classes and codes for the same: connection, resources (disk, memory, connections), shutdown, time limits, read-only, and on a
 * standby (40001) rows that replay had to take from under a query.
 */
const postgresOutOfUse = /^(?:08|53|57P0[1-5]|57014|55P03|25006|25P03|40001)/;

/** Whether a failure is the database's, and passes: it is down, frozen, locked, or its disk is full. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof StoreUnavailable) return true;
  if (!(error instanceof Error)) return false;
  const sqlite = "errcode" in error && typeof error.errcode === "number" && sqliteOutOfUse.has(error.errcode & 0xff);
  return sqlite || ("code" in error && typeof error.code === "string" && "severity" in error && postgresOutOfUse.test(error.code));
}
