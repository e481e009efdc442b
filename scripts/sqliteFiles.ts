/** Files of SQLite databases as `backup` and `restore` handle them: copied, checked, and named at one blow. */
import { EnvError } from "#server/env.ts";
import type { Settings } from "#server/base/settings.ts";
import { readMigrations } from "#server/store/migrate.ts";
import { closeSync, constants, copyFileSync, existsSync, fsyncSync, openSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import * as v from "valibot";

/** All pages in one step: copied in several, the copy would begin anew at each write of the process that runs. */
const allPages = 0x7fff_ffff;
const waitsMs = 10_000;
const notADatabase = 26;

/** Throws `EnvError` with PostgreSQL, and when there is no file. */
export function databaseFile(settings: Settings, may: "be there" | "may be missing" = "be there"): string {
  if (settings.databaseUrl !== null)
    throw new EnvError(["DATABASE_URL is set: this command is for SQLite. docs/backups.md says how PostgreSQL is saved and restored."]);
  const file = join(settings.dataDir, "parlando.sqlite");
  if (may === "be there" && !existsSync(file)) throw new EnvError([`There is no database at ${file}: set DATA_DIR to its folder.`]);
  return file;
}

/** A copy as the database is now, while others read and write it. It is one file: no log beside it. */
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

/** Reads every page. Throws when the file is damaged, is not ours, or was written by a newer release. */
export function describe(file: string): { readonly tables: number; readonly rows: number } {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const found = database.prepare("PRAGMA integrity_check(1)").get()?.["integrity_check"];
    if (found !== "ok") throw new Error(`The file is damaged: ${String(found)}.`);
    const tables = v
      .parse(named, database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").all())
      .map(({ name }) => name);
    if (!tables.includes("migrations")) throw new Error("The file is no database of Parlando.");
    const known = new Set(readMigrations("sqlite").map(({ name }) => name));
    const newer = v.parse(named, database.prepare("SELECT name FROM migrations").all()).find(({ name }) => !known.has(name));
    if (newer !== undefined) throw new Error(`The file is of a newer release, with ${newer.name}: use that one.`);
    const rows = tables.reduce((sum, name) => sum + Number(database.prepare(`SELECT count(*) AS n FROM "${name}"`).get()?.["n"]), 0);
    return { tables: tables.length, rows };
  } catch (error) {
    const damaged = error instanceof Error && "errcode" in error && [11, notADatabase].includes(Number(error.errcode) & 0xff);
    throw damaged ? new Error(`${file} is damaged or no database.`, { cause: error }) : error;
  } finally {
    database.close();
  }
}

/** Ends the write-ahead log of a database. SQLite does that for the only connection alone: throws when a process has it open. */
export function leaveWal(file: string): void {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec("PRAGMA journal_mode = DELETE");
  } catch (error) {
    const code = error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : null;
    if (code === 5 || code === 6) throw new Error(`A process has ${file} open: end Parlando first.`, { cause: error });
    // What is damaged is what a backup is restored over.
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

/** After this the name means the whole file, also after a power cut. */
export function nameInPlace(part: string, to: string): void {
  flush(part);
  renameSync(part, to);
  flush(dirname(to));
}
