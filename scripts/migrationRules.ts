/**
 * Checks PostgreSQL's migrations, part of `npm run check`: the release before goes on serving while one runs and after it, so a migration only
 * adds (expand), makes nobody wait for long, and takes away only what no release reads any more (contract). What no rule knows is refused.
 *
 * Two comments above a statement are promises: `-- unread since <migration>`, of a column or table that no release since that migration reads,
 * and `-- few rows`, of a table that stays small.
 */
import { type MigrationFile, readMigrations } from "#server/store/migrate.ts";
import { type Statement, statementsOf } from "#server/store/statements.ts";
import { readdirSync, readFileSync } from "node:fs";

/** Migrations before it were written before the rules. */
const rulesSince = "20261124";

/** Tables as the program sees them, with their columns. */
export type KnownTables = ReadonlyMap<string, ReadonlySet<string>>;

interface Surroundings {
  readonly migration: MigrationFile;
  readonly statement: Statement;
  /** Made by this migration: nobody waits for it, and no release knows it. */
  readonly isNew: (table: string) => boolean;
  /** Null when it may be dropped; otherwise why not. */
  readonly stillRead: (table: string, column?: string) => string | null;
  readonly promisesFewRows: boolean;
}

/** Null when the rule does not apply to the statement; else its fault, which is null when there is none. */
type Rule = (text: string, around: Surroundings) => { readonly fault: string | null } | null;

const fine = { fault: null };
const faulty = (fault: string) => ({ fault });
const literal = /DEFAULT (?:-?\d+(?:\.\d+)?|'(?:[^']|'')*'|TRUE|FALSE|NULL)(?= |$)/i;

/** One part of ALTER TABLE, of a table that is in use. */
function faultOfChange(change: string, table: string, { stillRead }: Surroundings): string | null {
  const added = /^ADD (?:COLUMN )?(?!CONSTRAINT|CHECK|UNIQUE|PRIMARY|FOREIGN|EXCLUDE)(?:IF NOT EXISTS )?(\w+) (.+)$/i.exec(change);
  if (added !== null) {
    const [, column = "", kind = ""] = added;
    const named = `${table}.${column}`;
    if (/ DEFAULT /i.test(kind) && !literal.test(kind)) return `fills ${named} row by row: a default must be a literal`;
    if (/SERIAL|GENERATED/i.test(kind)) return `fills ${named} row by row`;
    if (/ NOT NULL/i.test(kind) && !/ DEFAULT /i.test(kind))
      return `asks for ${named}, which the release before does not write: give it a default`;
    if (/UNIQUE|PRIMARY KEY|CHECK/i.test(kind))
      return `looks at every row of ${table} while nobody can write: add what ${column} must be in steps of its own`;
    return null;
  }
  if (/^ADD CONSTRAINT \w+ (?:CHECK|FOREIGN KEY) .+ NOT VALID$/i.test(change) || /^VALIDATE CONSTRAINT \w+$/i.test(change)) return null;
  if (/^ADD CONSTRAINT \w+ UNIQUE USING INDEX \w+$/i.test(change)) return null;
  if (/^ADD /i.test(change)) return `looks at every row of ${table} while nobody can write: NOT VALID first, or UNIQUE USING INDEX`;
  if (/^ALTER (?:COLUMN )?\w+ (?:SET DEFAULT .+|DROP NOT NULL)$/i.test(change)) return null;
  const dropped = /^DROP (?:COLUMN )?(?!CONSTRAINT)(?:IF EXISTS )?(\w+)$/i.exec(change)?.[1];
  if (dropped !== undefined) return stillRead(table, dropped);
  if (/^RENAME /i.test(change)) return `renames what the release before reads in ${table}: add, copy, and drop it later`;
  if (/^ALTER (?:COLUMN )?\w+ (?:SET DATA )?TYPE /i.test(change))
    return `writes every row of ${table} anew while nobody can read it: add a column, copy, and drop the old one later`;
  if (/^ALTER (?:COLUMN )?\w+ SET NOT NULL$/i.test(change))
    return `the release before may write null there, and every row of ${table} is looked at`;
  return `"${change}" is not known to be safe`;
}

/** A list's parts; commas in brackets belong to theirs. */
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
  // A trigger holds its table for as long as it takes to enter it; what it does happens to the release before as well.
  (text, { migration }) => (migration.concurrently !== true && /^CREATE (?:FUNCTION|TRIGGER) /i.test(text) ? fine : null),
  (text, { migration, isNew }) => {
    const index = /^CREATE (?:UNIQUE )?INDEX (CONCURRENTLY )?(\w+) ON (\w+)/i.exec(text);
    if (index === null) return null;
    const [, concurrently, , table = ""] = index;
    if (migration.concurrently === true) return concurrently === undefined ? faulty("is to say CONCURRENTLY") : fine;
    if (concurrently !== undefined) return faulty("cannot run in a transaction: put it into postgres.concurrently.sql");
    return isNew(table) ? fine : faulty(`keeps everybody from writing to ${table}: CONCURRENTLY, in postgres.concurrently.sql`);
  },
  (text, { migration }) =>
    /^DROP INDEX /i.test(text)
      ? migration.concurrently === true && /^DROP INDEX CONCURRENTLY IF EXISTS /i.test(text)
        ? fine
        : faulty("waits for everybody at its table: DROP INDEX CONCURRENTLY IF EXISTS, in postgres.concurrently.sql")
      : null,
  (_text, { migration }) =>
    migration.concurrently === true ? faulty("belongs into a migration of its own: here only indexes are built") : null,
  // Everybody finds all of it under the old name again.
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
    return faulty(`holds rows of ${table} until all are written: let the program do it bit by bit, or say "-- few rows"`);
  },
];

/** The faults of migrations, in sentences; those from before `since` only say what there was. */
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
      if (index !== undefined && indexes.has(index)) say("has the name of an index that there is, and would be passed over");
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
      if (found === undefined) say("is not known to be safe: add a rule for it, or write it otherwise");
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
    return `drops ${what}, which stands in src/server/store`;
  const since = comments.map((comment) => /^unread since (\d{14}_\w+)/.exec(comment)?.[1]).find((one) => one !== undefined);
  if (since === undefined)
    return `drops ${what}, which the release before may read: let one go by, then say "-- unread since <its migration>"`;
  return since < name && migrations.some((one) => one.name === since) ? null : `is unread since ${since}, which is no migration before it`;
}

/** From the types of `src/server/store`. */
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
    `${migrations.filter(({ name }) => name >= rulesSince).length} of ${migrations.length} migrations under the rules, ${faults.length} faults`,
  );
  process.exit(faults.length === 0 ? 0 : 1);
}
