/** `npm run migrate`: applies pending migrations to the configured database. A server's start does the same. */
import { readEnv } from "#server/env.ts";
import { migrate, readMigrations } from "#server/store/migrate.ts";
import { openPostgres } from "#server/store/postgres.ts";
import { openSqlite } from "#server/store/sqlite.ts";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { sentencesOf } from "../src/startFailure.ts";

process.umask(0o077);
const settings = readEnv(process.env, () => "migrating needs no key, and makes none");
try {
  mkdirSync(settings.dataDir, { recursive: true });
  const store =
    settings.databaseUrl === null
      ? openSqlite(join(settings.dataDir, "parlando.sqlite"))
      : openPostgres(settings.databaseUrl, (error) => console.error(error.message));
  const applied = await migrate(store, Date.now(), readMigrations(store.dialect), console.log);
  await store.close();
  console.log(applied.length === 0 ? "Up to date." : applied.map((name) => `Applied ${name}`).join("\n"));
} catch (error) {
  for (const sentence of sentencesOf(error, settings)) console.error(sentence);
  process.exitCode = 1;
}
