/**
 * Applies db/migrations/<stamp>_<name>/ in order. A folder has `migration.sql` for both databases, or `sqlite.sql` and one of PostgreSQL's files:
 * `postgres.sql`, or `postgres.concurrently.sql` for indexes of tables in use (indexes.ts). Each migration is recorded with a checksum; changing a
 * recorded one is an error.
 */
import { sql } from "kysely";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { buildIndexes } from "./indexes.ts";
import type { Queries } from "./schema.ts";
import { respellingMigration, respellStored } from "./spelling.ts";
import { isLockFailure, type Migrating, type Store } from "./store.ts";

export const migrationsDir = fileURLToPath(new URL("../../../db/migrations/", import.meta.url));
const folderName = /^\d{14}_[a-z0-9_]+$/;
/** How long a migration waits before it tries again to lock a table in use, ms. The last wait repeats. */
const againAfterMs = [100, 500, 1_000, 2_000, 5_000, 10_000] as const;
/** Ten minutes in all. A process that fails to start is easier to notice than one that waits forever. */
const mostTries = 60;

export interface MigrationFile {
  readonly name: string;
  readonly sql: string;
  /** Builds indexes outside a transaction. */
  readonly concurrently?: boolean;
}

/** The migrations in a folder for one database, in order. Throws when one is misnamed or has no SQL for this database. */
export function readMigrations(dialect: Store["dialect"], folder: string = migrationsDir): readonly MigrationFile[] {
  const names = readdirSync(folder).filter((name) => !name.startsWith("."));
  const misnamed = names.find((name) => !folderName.test(name));
  if (misnamed !== undefined) throw new Error(`The migration ${misnamed} is not named <14 digits of time>_<name>, and would never run.`);
  const files = ["migration.sql", `${dialect}.sql`, `${dialect}.concurrently.sql`];
  return names.toSorted().map((name) => {
    const file = files.find((one) => existsSync(`${folder}/${name}/${one}`));
    if (file === undefined) throw new Error(`The migration ${name} has no SQL for ${dialect}.`);
    return { name, sql: readFileSync(`${folder}/${name}/${file}`, "utf8"), concurrently: file.endsWith(".concurrently.sql") };
  });
}

const recorded = v.array(v.object({ name: v.string(), checksum: v.string() }));
const checksumOf = ({ sql: text }: MigrationFile) => createHash("sha256").update(text).digest("hex");

type Checksums = ReadonlyMap<string, string>;

async function checksumsIn(queries: Queries): Promise<Checksums> {
  const { rows } = await sql`SELECT name, checksum FROM migrations`.execute(queries);
  return new Map(v.parse(recorded, rows).map((row) => [row.name, row.checksum]));
}

/** Whether the migration was applied. Throws when it has changed since. */
function isApplied(applied: Checksums, migration: MigrationFile): boolean {
  const before = applied.get(migration.name);
  if (before !== undefined && before !== checksumOf(migration))
    throw new Error(`The migration ${migration.name} was changed after it was applied: write a new one instead.`);
  return before !== undefined;
}

async function record(queries: Queries, migration: MigrationFile, now: number): Promise<void> {
  await sql`INSERT INTO migrations (name, checksum, applied_at) VALUES (${migration.name}, ${checksumOf(migration)}, ${now})`.execute(
    queries,
  );
}

/** Applies one migration. Resolves with false when another process (on SQLite) was faster. */
async function apply({ queries, transaction }: Migrating, migration: MigrationFile, now: number): Promise<boolean> {
  if (migration.concurrently === true) {
    await buildIndexes(queries, migration.sql);
    await record(queries, migration, now);
    return true;
  }
  return transaction(async (changing, execute) => {
    if (isApplied(await checksumsIn(changing), migration)) return false;
    await execute(migration.sql);
    if (migration.name === respellingMigration) await respellStored(changing);
    await record(changing, migration, now);
    return true;
  });
}

function failureOf(migration: MigrationFile, error: unknown): Error {
  const why = error instanceof Error ? error.message : String(error);
  const inUse = isLockFailure(error) ? " A table that it changes is in use all the time: end the query that holds it." : "";
  return new Error(
    `The migration ${migration.name} failed: ${why}.${inUse} It changed nothing: correct the named problem and start again, or start the previous release.`,
    { cause: error },
  );
}

/** Applies a migration, and retries while a table that it changes is in use. */
async function applyPatiently(
  migrating: Migrating,
  migration: MigrationFile,
  now: number,
  tell: (message: string) => void,
): Promise<boolean> {
  for (let tries = 0; ; tries++) {
    try {
      return await apply(migrating, migration, now);
    } catch (error) {
      if (!isLockFailure(error) || tries === mostTries) throw failureOf(migration, error);
      tell(`The migration ${migration.name} waits for a table that is in use.`);
      await sleep(againAfterMs[Math.min(tries, againAfterMs.length - 1)]);
    }
  }
}

/**
 * Brings the database up to date, one migration after the other. If the process is killed, the next one continues. Returns the applied migrations.
 * @param tell receives a sentence about what the migration waits for
 */
export async function migrate(
  store: Store,
  now: number,
  migrations: readonly MigrationFile[] = readMigrations(store.dialect),
  tell: (message: string) => void = () => {},
): Promise<readonly string[]> {
  return store.migrateWith(async (migrating) => {
    const known = await migrating.transaction(async (queries, execute) => {
      await execute("CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, checksum TEXT NOT NULL, applied_at BIGINT NOT NULL)");
      return checksumsIn(queries);
    });
    const applied: string[] = [];
    for (const migration of migrations)
      if (!isApplied(known, migration) && (await applyPatiently(migrating, migration, now, tell))) applied.push(migration.name);
    return applied;
  });
}
