/**
 * Audit rows as log lines. Whoever can write to the database can change its rows, but not the lines that a collector has already taken from the
 * process. A line is written after its row's commit, and holds no text that somebody typed.
 */
import type { Queries } from "./schema.ts";
import type { Store } from "./store.ts";

export interface AuditLine {
  readonly id: string;
  readonly at: number;
  readonly action: string;
  /** An operator's id; absent for what an account did. */
  readonly operator?: string | null;
  readonly account: string | null;
}

/** The lines of each write that is under way. Writes with the same queries follow one another. */
const underWay = new WeakMap<Queries, AuditLine[]>();

/** Adds a line to the caller's write. */
export const noteLine = (queries: Queries, line: AuditLine): void => void underWay.get(queries)?.push(line);

/** The same store, which tells the audit lines of each write after its commit. */
export function withAuditLines(store: Store, tell: (line: AuditLine) => void): Store {
  return {
    ...store,
    write: async (work) => {
      const lines: AuditLine[] = [];
      const done = await store.write((queries) => {
        // A write that is tried again must not leave the lines of its first try.
        lines.length = 0;
        underWay.set(queries, lines);
        return work(queries);
      });
      for (const line of lines) tell(line);
      return done;
    },
  };
}
