/**
 * Applies db/migrations/<stamp>_<name>/ in order: `migration.sql` for both databases, or `sqlite.sql` and `postgres.sql`.
 * Each is recorded with a checksum; a recorded one that changed since is an error.
 */
import { sql } from "kysely";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { respellingMigration, respellStored } from "./spelling.ts";
import type { Store } from "./store.ts";

export const migrationsDir = fileURLToPath(new URL("../../../db/migrations/", import.meta.url));
const folderName = /^\d{14}_[a-z0-9_]+$/;

export interface MigrationFile {
  readonly name: string;
  readonly sql: string;
}

/** The migrations of a folder for one database, in order. Throws for one with a wrong name, and for one without SQL for it. */
export function readMigrations(dialect: Store["dialect"], folder: string = migrationsDir): readonly MigrationFile[] {
  const names = readdirSync(folder).filter((name) => !name.startsWith("."));
  const misnamed = names.find((name) => !folderName.test(name));
  if (misnamed !== undefined) throw new Error(`The migration ${misnamed} is not named <14 digits of time>_<name>, and would never run.`);
  return names.toSorted().map((name) => {
    const file = [`${folder}/${name}/migration.sql`, `${folder}/${name}/${dialect}.sql`].find((path) => existsSync(path));
    if (!file) throw new Error(`The migration ${name} has no SQL for ${dialect}.`);
    return { name, sql: readFileSync(file, "utf8") };
  });
}

const recorded = v.array(v.object({ name: v.string(), checksum: v.string() }));

/** Brings the database up to date; all in one transaction, so a process killed in the middle leaves nothing half done. Returns what it applied. */
export async function migrate(
  store: Store,
  now: number,
  migrations: readonly MigrationFile[] = readMigrations(store.dialect),
): Promise<readonly string[]> {
  const applied: string[] = [];
  await store.migrateWith(async ({ queries, execute }) => {
    await execute("CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, checksum TEXT NOT NULL, applied_at BIGINT NOT NULL)");
    const rows = await sql`SELECT name, checksum FROM migrations`.execute(queries);
    const known = new Map(v.parse(recorded, rows.rows).map((row) => [row.name, row.checksum]));
    for (const migration of migrations) {
      const checksum = createHash("sha256").update(migration.sql).digest("hex");
      const before = known.get(migration.name);
      if (before === checksum) continue;
      if (before !== undefined)
        throw new Error(`The migration ${migration.name} was changed after it was applied: write a new one instead.`);
      await execute(migration.sql).catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        throw new Error(
          `The migration ${migration.name} failed: ${why}. The database is as it was before: mend what it says there and start again, or start the version of the program that ran before.`,
          { cause: error },
        );
      });
      await sql`INSERT INTO migrations (name, checksum, applied_at) VALUES (${migration.name}, ${checksum}, ${now})`.execute(queries);
      if (migration.name === respellingMigration) await respellStored(queries);
      applied.push(migration.name);
    }
  });
  return applied;
}
