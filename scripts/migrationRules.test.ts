import { readMigrations } from "#server/store/migrate.ts";
import { expect, it } from "vitest";
import { faultsOf, knownTables } from "./migrationRules.ts";

const since = "20270101";
const before = { name: "20261201000000_before", sql: "CREATE TABLE people (id TEXT); CREATE INDEX people_by_id ON people (id);" };
const known = new Map([["people", new Set(["id", "email"])]]);
const faults = (sql: string, concurrently = false) =>
  faultsOf([before, { name: "20270101000000_planted", sql, concurrently }], known, since);

it.each([
  [
    "a column that the program reads is dropped",
    "-- unread since 20261201000000_before\nALTER TABLE people DROP COLUMN email",
    "src/server/store still names",
  ],
  ["a column that the previous release may read is dropped", "ALTER TABLE people DROP COLUMN phone", "the previous release may read"],
  ["`unread since` names no migration", "-- unread since 20261202000000_never\nALTER TABLE people DROP phone", "not an earlier migration"],
  ["a table that the program reads is dropped", "-- unread since 20261201000000_before\nDROP TABLE people", "src/server/store still names"],
  ["a table that the previous release may read is dropped", "DROP TABLE IF EXISTS pets", "the previous release may read"],
  ["a column is renamed", "ALTER TABLE people RENAME COLUMN email TO mail", "renames"],
  ["a table is renamed", "ALTER TABLE people RENAME TO persons", "renames"],
  [
    "a required column is added that the previous release does not write",
    "ALTER TABLE people ADD COLUMN age BIGINT NOT NULL",
    "give it a default",
  ],
  ["a fault follows a safe action", "ALTER TABLE people ADD COLUMN a NUMERIC(5, 2), ADD COLUMN b TEXT NOT NULL", "people.b"],
  ["a default is computed", "ALTER TABLE people ADD COLUMN born TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp()", "row by row"],
  ["a column is a sequence", "ALTER TABLE people ADD COLUMN n BIGSERIAL", "row by row"],
  ["a new column is unique", "ALTER TABLE people ADD COLUMN code TEXT UNIQUE", "looks at every row"],
  ["a constraint looks at every row", "ALTER TABLE people ADD CONSTRAINT grown CHECK (age > 17)", "NOT VALID first"],
  ["a constraint without a name looks at every row", "ALTER TABLE people ADD UNIQUE (email)", "NOT VALID first"],
  ["a column's type is changed", "ALTER TABLE people ALTER COLUMN email TYPE VARCHAR(9)", "rewrites every row of people"],
  ["a column becomes not null", "ALTER TABLE people ALTER email SET NOT NULL", "may write null"],
  ["an index stops writes", "CREATE INDEX people_by_email ON people (email)", "postgres.concurrently.sql"],
  [
    "an index is built concurrently in a transaction",
    "CREATE INDEX CONCURRENTLY people_by_email ON people (email)",
    "cannot run in a transaction",
  ],
  ["an index has the name of another", "CREATE TABLE pets (id TEXT);CREATE INDEX people_by_id ON pets (id)", "would be skipped"],
  ["an index is dropped under a lock", "DROP INDEX people_by_id", "locks its table"],
  ["every row is written", "UPDATE people SET email = lower(email)", "in batches"],
  ["rows are copied", "INSERT INTO people (id) SELECT id FROM pets", "in batches"],
  ["a table is locked", "LOCK TABLE people", "not known to be safe"],
  ["a statement is hidden behind a comment and a string", "SELECT ';--';/* ; */ TRUNCATE people", "not known to be safe"],
])("refuses a migration in which %s", (_, sql, says) => {
  expect(faults(sql).at(-1)).toContain(says);
});

it.each([
  ["an index that is not built concurrently", "CREATE INDEX people_by_email ON people (email)"],
  ["anything else", "ALTER TABLE people ADD COLUMN age BIGINT"],
])("refuses %s among those that run outside a transaction", (_, sql) => {
  expect(faults(sql, true)).toHaveLength(1);
});

it("accepts additions, and the removal of unread columns and tables", () => {
  const added = `CREATE TABLE pets (id TEXT PRIMARY KEY);
    CREATE UNIQUE INDEX pets_by_name ON pets (lower(name));
    ALTER TABLE pets RENAME COLUMN id TO tag;
    INSERT INTO pets (id) SELECT id FROM people; -- ; what is here ends at the line
    INSERT INTO people (id) VALUES ('a;b');
    ALTER TABLE people ADD COLUMN age BIGINT, ADD COLUMN note TEXT NOT NULL DEFAULT 'it''s; new', ADD COLUMN pet TEXT REFERENCES pets (id);
    ALTER TABLE people ADD CONSTRAINT grown CHECK (age > 17) NOT VALID;
    ALTER TABLE people ALTER COLUMN email DROP NOT NULL;
    -- few rows: an installation has one
    UPDATE people SET email = '';
    -- unread since 20261201000000_before
    ALTER TABLE people DROP COLUMN phone;
    COMMENT ON TABLE people IS $$it; is$$`;
  expect(faults(added)).toEqual([]);
  expect(faults("CREATE INDEX CONCURRENTLY a ON people (id); DROP INDEX CONCURRENTLY IF EXISTS people_by_id;", true)).toEqual([]);
});

it("accepts renaming a table only if it becomes a partition of a new table with its name", () => {
  const [renamed, whole] = ["ALTER TABLE people RENAME TO people_rest;", "CREATE TABLE people (LIKE people_rest) PARTITION BY RANGE (id);"];
  expect(faults(`${renamed} ${whole} ALTER TABLE people ATTACH PARTITION people_rest DEFAULT;`)).toEqual([]);
  expect(faults(`${renamed} ${whole}`)).toEqual([expect.stringContaining("renames")]);
  expect(faults(`${renamed} ${whole} ALTER TABLE people ATTACH PARTITION others DEFAULT;`)).toEqual([expect.stringContaining("renames")]);
});

it("ignores migrations from before the rules", () => {
  expect(faultsOf([{ name: "20261231000000_old", sql: "DROP TABLE people" }], known, since)).toEqual([]);
});

it("knows the columns of every table that a migration creates and the program reads", () => {
  const tables = knownTables();
  expect(tables.get("accounts")).toContain("trust_epoch");
  expect(tables.size).toBeGreaterThan(40);
  const made = readMigrations("postgres")
    .map(({ sql }) => sql)
    .join("\n");
  for (const [table, columns] of tables) {
    expect(made).toContain(`CREATE TABLE ${table} (`);
    expect([table, columns.size > 0]).toEqual([table, true]);
  }
});
