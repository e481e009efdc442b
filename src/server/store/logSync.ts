/** Syncs SQLite's write-ahead log on Node's thread pool, so that the process works on meanwhile (decision 030). */
import { closeSync, fdatasync, openSync } from "node:fs";
import { promisify } from "node:util";
import { StoreUnavailable } from "./store.ts";

/** A write that is committed but not durable yet. */
export interface Committed {
  readonly answer: () => void;
  readonly fail: (error: unknown) => void;
}

export interface LogSync {
  /** Answers the writes once they are durable. Those that are committed during a sync share the next one. */
  readonly add: (writes: readonly Committed[]) => void;
  /** Why nothing can become durable any more; null while it can. */
  readonly lost: () => Error | null;
  readonly idle: () => Promise<void>;
}

export interface SyncedFile {
  readonly sync: () => Promise<void>;
  readonly close: () => void;
}

/** The log of an open database. SQLite keeps the file until the last connection closes. */
export function openLog(database: string): SyncedFile {
  const log = openSync(`${database}-wal`, "r+");
  const sync = promisify(fdatasync);
  return { sync: () => sync(log), close: () => closeSync(log) };
}

/**
 * After a failed sync the system may have dropped what it had not stored, and a later sync succeeds all the same. So no later write may be acknowledged:
 * the process must start anew, and SQLite then reads the log as far as it is whole.
 *
 * @param onLost called when a sync has failed
 */
export function createLogSync(sync: SyncedFile["sync"], onLost: (error: Error) => void): LogSync {
  let waiting: Committed[] = [];
  let running: Promise<void> | null = null;
  let lost: Error | null = null;

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const writes = waiting;
      waiting = [];
      try {
        if (lost !== null) throw lost;
        await sync();
        for (const { answer } of writes) answer();
      } catch (cause) {
        if (lost === null) onLost((lost = new StoreUnavailable("The database's log could not be synced to disk.", { cause })));
        for (const { fail } of writes) fail(lost);
      }
    }
    running = null;
  }
  return {
    add: (writes) => {
      if (writes.length === 0) return;
      if (lost === null) {
        waiting.push(...writes);
        running ??= drain();
      } else for (const { fail } of writes) fail(lost);
    },
    lost: () => lost,
    idle: async () => {
      for (let now = running; now !== null; now = running) await now;
    },
  };
}
