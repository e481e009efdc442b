/** SQLite database files for `backup` and `restore`: copied, checked, and renamed atomically. */
import { EnvError } from "#server/env.ts";
import type { Settings } from "#server/base/settings.ts";
import { readMigrations } from "#server/store/migrate.ts";
import { closeSync, constants, copyFileSync, existsSync, fsyncSync, openSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import * as v from "valibot";

/** Copies all pages in one step. With several steps, each write by another process would restart the copy. */
const allPages = 0x7fff_ffff;
const waitsMs = 10_000;
const notADatabase = 26;

/** Path of the configured database. Throws `EnvError` with PostgreSQL, and when the file is missing. */
export function databaseFile(settings: Settings, may: "be there" | "may be missing" = "be there"): string {
  if (settings.databaseUrl !== null)
    throw new EnvError(["DATABASE_URL is set, but this command is for SQLite. docs/backups.md describes backups of PostgreSQL."]);
  const file = join(settings.dataDir, "parlando.sqlite");
  if (may === "be there" && !existsSync(file)) throw new EnvError([`There is no database at ${file}: set DATA_DIR to its folder.`]);
  return file;
}

/** Copies the database in its current state, while other processes use it. The copy is one file without a log. */
export async function saveTo(file: string, copy: string): Promise<void> {
  const source = new DatabaseSync(file, { readOnly: true, timeout: waitsMs });
  try {
    await backup(source, copy, { rate: allPages });
  } finally {
    source.close();
  }
  const database = new DatabaseSync(copy);
  database.exec("PRAGMA journal_mode = DELETE");
  database.close();
}

export function copyTo(file: string, copy: string): void {
  copyFileSync(file, copy, constants.COPYFILE_EXCL);
}

const named = v.array(v.object({ name: v.string() }));

/** Checks every page and counts tables and rows. Throws when the file is damaged, not ours, or of a newer release. */
export function describe(file: string): { readonly tables: number; readonly rows: number } {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const found = database.prepare("PRAGMA integrity_check(1)").get()?.["integrity_check"];
    if (found !== "ok") throw new Error(`The file is damaged: ${String(found)}.`);
    const tables = v
      .parse(named, database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").all())
      .map(({ name }) => name);
    if (!tables.includes("migrations")) throw new Error("The file is not a database of Parlando.");
    const known = new Set(readMigrations("sqlite").map(({ name }) => name));
    const newer = v.parse(named, database.prepare("SELECT name FROM migrations").all()).find(({ name }) => !known.has(name));
    if (newer !== undefined)
      throw new Error(`The file is of a newer release than this one (it has the migration ${newer.name}): use that release.`);
    const rows = tables.reduce((sum, name) => sum + Number(database.prepare(`SELECT count(*) AS n FROM "${name}"`).get()?.["n"]), 0);
    return { tables: tables.length, rows };
  } catch (error) {
    const damaged = error instanceof Error && "errcode" in error && [11, notADatabase].includes(Number(error.errcode) & 0xff);
    throw damaged ? new Error(`${file} is damaged or not a database.`, { cause: error }) : error;
  } finally {
    database.close();
  }
}

/** Switches off the write-ahead log, which needs the only connection. Throws when another process has the database open. */
export function leaveWal(file: string): void {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec("PRAGMA journal_mode = DELETE");
  } catch (error) {
    const code = error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : null;
    if (code === 5 || code === 6) throw new Error(`A process has ${file} open: stop Parlando first.`, { cause: error });
    // A damaged database is no obstacle: the backup replaces it.
    if (code !== 11 && code !== notADatabase) throw error;
  } finally {
    database.close();
  }
}

function flush(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Renames a complete file atomically and durably, even across a power cut. */
export function nameInPlace(part: string, to: string): void {
  flush(part);
  renameSync(part, to);
  flush(dirname(to));
}
