/**
 * Checks PostgreSQL's migrations, as part of `npm run check`. The previous release keeps serving during and after a migration. So a migration
 * may only add things (expand), must not hold locks for long, and may remove only what no release reads any more (contract). Statements that
 * no rule covers are refused.
 *
 * Two comments above a statement are promises: `-- unread since <migration>` (no release since that migration reads the column or table) and
 * `-- few rows` (the table stays small).
 */
import { type MigrationFile, readMigrations } from "#server/store/migrate.ts";
import { type Statement, statementsOf } from "#server/store/statements.ts";
import { readdirSync, readFileSync } from "node:fs";

/** Earlier migrations are not checked. */
const rulesSince = "20261124";

/** The program's tables with their columns. */
export type KnownTables = ReadonlyMap<string, ReadonlySet<string>>;

interface Surroundings {
  readonly migration: MigrationFile;
  readonly statement: Statement;
  /** Whether this migration creates the table, so that no release uses it yet. */
  readonly isNew: (table: string) => boolean;
  /** Why a table or column must not be dropped; null when it may be. */
  readonly stillRead: (table: string, column?: string) => string | null;
  readonly promisesFewRows: boolean;
}

/** Checks a statement. Null when the rule does not apply to it; `fault` is null when the statement is safe. */
type Rule = (text: string, around: Surroundings) => { readonly fault: string | null } | null;

const fine = { fault: null };
const faulty = (fault: string) => ({ fault });
const literal = /DEFAULT (?:-?\d+(?:\.\d+)?|'(?:[^']|'')*'|TRUE|FALSE|NULL)(?= |$)/i;

/** The fault of one action of ALTER TABLE on a table in use; null when it is safe. */
function faultOfChange(change: string, table: string, { stillRead }: Surroundings): string | null {
  const added = /^ADD (?:COLUMN )?(?!CONSTRAINT|CHECK|UNIQUE|PRIMARY|FOREIGN|EXCLUDE)(?:IF NOT EXISTS )?(\w+) (.+)$/i.exec(change);
  if (added !== null) {
    const [, column = "", kind = ""] = added;
    const named = `${table}.${column}`;
    if (/ DEFAULT /i.test(kind) && !literal.test(kind)) return `fills ${named} row by row: a default must be a literal`;
    if (/SERIAL|GENERATED/i.test(kind)) return `fills ${named} row by row`;
    if (/ NOT NULL/i.test(kind) && !/ DEFAULT /i.test(kind))
      return `requires ${named}, which the previous release does not write: give it a default`;
    if (/UNIQUE|PRIMARY KEY|CHECK/i.test(kind))
      return `looks at every row of ${table} while nobody can write: add the constraint of ${column} in separate steps`;
    return null;
  }
  if (/^ADD CONSTRAINT \w+ (?:CHECK|FOREIGN KEY) .+ NOT VALID$/i.test(change) || /^VALIDATE CONSTRAINT \w+$/i.test(change)) return null;
  if (/^ADD CONSTRAINT \w+ UNIQUE USING INDEX \w+$/i.test(change)) return null;
  if (/^ADD /i.test(change)) return `looks at every row of ${table} while nobody can write: NOT VALID first, or UNIQUE USING INDEX`;
  if (/^ALTER (?:COLUMN )?\w+ (?:SET DEFAULT .+|DROP NOT NULL)$/i.test(change)) return null;
  const dropped = /^DROP (?:COLUMN )?(?!CONSTRAINT)(?:IF EXISTS )?(\w+)$/i.exec(change)?.[1];
  if (dropped !== undefined) return stillRead(table, dropped);
  if (/^RENAME /i.test(change)) return `renames what the previous release reads in ${table}: add, copy, and drop the old one later`;
  if (/^ALTER (?:COLUMN )?\w+ (?:SET DATA )?TYPE /i.test(change))
    return `rewrites every row of ${table} while nobody can read it: add a column, copy, and drop the old one later`;
  if (/^ALTER (?:COLUMN )?\w+ SET NOT NULL$/i.test(change))
    return `looks at every row of ${table}, and the previous release may write null there`;
  return `"${change}" is not known to be safe`;
}

/** Splits a list at its commas, except inside brackets. */
function partsOf(list: string): readonly string[] {
  const parts = [""];
  let depth = 0;
  for (const sign of list) {
    depth += sign === "(" ? 1 : sign === ")" ? -1 : 0;
    if (sign === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += sign;
  }
  return parts.map((part) => part.trim());
}

const rules: readonly Rule[] = [
  (text) => (/^CREATE TABLE |^COMMENT ON /i.test(text) ? fine : null),
  // Creating a trigger locks its table only briefly. The trigger also acts on the previous release's writes.
  (text, { migration }) => (migration.concurrently !== true && /^CREATE (?:FUNCTION|TRIGGER) /i.test(text) ? fine : null),
  (text, { migration, isNew }) => {
    const index = /^CREATE (?:UNIQUE )?INDEX (CONCURRENTLY )?(\w+) ON (\w+)/i.exec(text);
    if (index === null) return null;
    const [, concurrently, , table = ""] = index;
    if (migration.concurrently === true) return concurrently === undefined ? faulty("needs CONCURRENTLY") : fine;
    if (concurrently !== undefined) return faulty("cannot run in a transaction: put it into postgres.concurrently.sql");
    return isNew(table) ? fine : faulty(`blocks writes to ${table}: use CONCURRENTLY, in postgres.concurrently.sql`);
  },
  (text, { migration }) =>
    /^DROP INDEX /i.test(text)
      ? migration.concurrently === true && /^DROP INDEX CONCURRENTLY IF EXISTS /i.test(text)
        ? fine
        : faulty("locks its table: use DROP INDEX CONCURRENTLY IF EXISTS, in postgres.concurrently.sql")
      : null,
  (_text, { migration }) =>
    migration.concurrently === true ? faulty("belongs in another migration: this file may only build indexes") : null,
  // The renamed table becomes a partition of a new table with the old name, so all queries still find its rows.
  (text, { migration }) => {
    const [, table = "", part = ""] = /^ALTER TABLE (\w+) RENAME TO (\w+)$/i.exec(text) ?? [];
    const whole = `ALTER TABLE ${table} ATTACH PARTITION ${part} DEFAULT`;
    return part !== "" && statementsOf(migration.sql).some((one) => one.text === whole) ? fine : null;
  },
  (text, around) => {
    const [, table = "", changes = ""] = /^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?(\w+) (.+)$/i.exec(text) ?? [];
    if (table === "") return null;
    if (around.isNew(table)) return fine;
    return {
      fault:
        partsOf(changes)
          .map((change) => faultOfChange(change, table, around))
          .find((fault) => fault !== null) ?? null,
    };
  },
  (text, { stillRead }) => {
    const table = /^DROP TABLE (?:IF EXISTS )?(\w+)$/i.exec(text)?.[1];
    return table === undefined ? null : { fault: stillRead(table) };
  },
  (text, { isNew, promisesFewRows }) => {
    const table = /^(?:INSERT INTO|UPDATE|DELETE FROM) (\w+)/i.exec(text)?.[1];
    if (table === undefined) return null;
    if (/^INSERT INTO \w+ (?:\([^)]*\) )?VALUES /i.test(text) || isNew(table) || promisesFewRows) return fine;
    return faulty(`locks rows of ${table} until all are written: let the program write them in batches, or promise "-- few rows"`);
  },
];

/** The faults of migrations, as sentences. Migrations before `since` are read for their tables but not checked. */
export function faultsOf(migrations: readonly MigrationFile[], known: KnownTables, since: string): readonly string[] {
  const faults: string[] = [];
  const indexes = new Set<string>();
  for (const migration of migrations) {
    const tables = new Set<string>();
    for (const statement of statementsOf(migration.sql)) {
      const { text } = statement;
      const say = (fault: string) => {
        if (migration.name >= since) faults.push(`${migration.name}: "${text.slice(0, 100)}" ${fault}.`);
      };
      const table = /^CREATE TABLE (?:IF NOT EXISTS )?(\w+)/i.exec(text)?.[1];
      if (table !== undefined) tables.add(table);
      const index = /^CREATE (?:UNIQUE )?INDEX (?:CONCURRENTLY )?(\w+)/i.exec(text)?.[1];
      if (index !== undefined && indexes.has(index)) say("has the name of an existing index, and would be skipped");
      if (index !== undefined) indexes.add(index);
      indexes.delete(/^DROP INDEX (?:CONCURRENTLY )?(?:IF EXISTS )?(\w+)/i.exec(text)?.[1] ?? "");
      const around: Surroundings = {
        migration,
        statement,
        isNew: (name) => tables.has(name),
        stillRead: (name, column) => whyKept(migrations, migration, statement, known, name, column),
        promisesFewRows: statement.comments.some((comment) => comment.startsWith("few rows")),
      };
      const found = rules.map((rule) => rule(text, around)).find((taken) => taken !== null);
      if (found === undefined) say("is not known to be safe: add a rule for it, or write it differently");
      else if (found.fault !== null) say(found.fault);
    }
  }
  return faults;
}

function whyKept(
  migrations: readonly MigrationFile[],
  { name }: MigrationFile,
  { comments }: Statement,
  known: KnownTables,
  table: string,
  column?: string,
): string | null {
  const what = column === undefined ? table : `${table}.${column}`;
  const columns = known.get(table);
  if (column === undefined ? columns !== undefined : columns?.has(column) === true)
    return `drops ${what}, which src/server/store still names`;
  const since = comments.map((comment) => /^unread since (\d{14}_\w+)/.exec(comment)?.[1]).find((one) => one !== undefined);
  if (since === undefined)
    return `drops ${what}, which the previous release may read: wait for one release, then promise "-- unread since <its migration>"`;
  return since < name && migrations.some((one) => one.name === since)
    ? null
    : `is unread since ${since}, which is not an earlier migration`;
}

/** Reads the tables and columns from the types of `src/server/store`. */
export function knownTables(folder = "src/server/store"): KnownTables {
  const source = readdirSync(folder)
    .filter((name) => /^(?:schema|\w+Tables)\.ts$/.test(name))
    .map((name) => readFileSync(`${folder}/${name}`, "utf8"))
    .join("\n");
  const columns = new Map(
    [...source.matchAll(/interface (\w+Table) \{(.*?)^\}/gms)].map(([, name = "", body = ""]) => [
      name,
      new Set([...body.matchAll(/^ {2}(\w+): /gm)].map(([, column = ""]) => column)),
    ]),
  );
  return new Map(
    [...source.matchAll(/^ {2}(\w+): (\w+Table);$/gm)].map(([, table = "", type = ""]) => [table, columns.get(type) ?? new Set()]),
  );
}

if (import.meta.main) {
  const migrations = readMigrations("postgres");
  const faults = faultsOf(migrations, knownTables(), rulesSince);
  for (const fault of faults) console.error(fault);
  console.log(
    `${migrations.filter(({ name }) => name >= rulesSince).length} of ${migrations.length} migrations checked by the rules, ${faults.length} faults`,
  );
  process.exit(faults.length === 0 ? 0 : 1);
}
