/** For tests: records the statements that reach the database, with the number of rows that each returned or changed. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import pg from "pg";
import { vi } from "vitest";

export interface Statement {
  readonly sql: string;
  readonly rows: number;
}

/** Records statements of both databases, except those prepared before. `vi.restoreAllMocks` ends it. */
export function watchStatements(): { readonly seen: readonly Statement[]; readonly clear: () => void } {
  const seen: Statement[] = [];
  const prepare = DatabaseSync.prototype.prepare;
  vi.spyOn(DatabaseSync.prototype, "prepare").mockImplementation(function (this: DatabaseSync, sql: string): StatementSync {
    const statement = prepare.call(this, sql);
    const all = statement.all.bind(statement);
    const run = statement.run.bind(statement);
    return Object.assign(statement, {
      all: (...values: SQLInputValue[]) => {
        const rows = all(...values);
        seen.push({ sql, rows: rows.length });
        return rows;
      },
      run: (...values: SQLInputValue[]) => {
        const result = run(...values);
        seen.push({ sql, rows: Number(result.changes) });
        return result;
      },
    });
  });
  const query: (this: pg.Client, text: string, values: unknown[]) => Promise<pg.QueryResult> = pg.Client.prototype.query;
  vi.spyOn(pg.Client.prototype, "query").mockImplementation(async function (this: pg.Client, text: string, values: unknown[]) {
    const result = await query.call(this, text, values);
    seen.push({ sql: text, rows: result.rowCount ?? 0 });
    return result;
  });
  return { seen, clear: () => void seen.splice(0) };
}
