/**
 * `npm run backup [-- <file or folder>] [--keep 14]`: copies the SQLite database of DATA_DIR beside the process that runs, checks the copy, and
 * only then gives it its name. Without a place: `DATA_DIR/backups`. `--keep` deletes all but the newest of a folder. PostgreSQL: docs/backups.md.
 */
import { readEnv } from "#server/env.ts";
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { sentencesOf } from "../src/startFailure.ts";
import { databaseFile, describe, nameInPlace, saveTo } from "./sqliteFiles.ts";

process.umask(0o077);
const backupName = /^parlando-\d{8}T\d{9}Z\.sqlite$/;
const newName = () => `parlando-${new Date().toISOString().replaceAll(/[-:.]/g, "")}.sqlite`;

function placeOf(given: string | undefined, dataDir: string): string {
  if (given === undefined) return join(dataDir, "backups", newName());
  const isFolder = given.endsWith("/") || statSync(given, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder ? resolve(given, newName()) : resolve(given);
}

const settings = readEnv(process.env, () => "a backup needs no key, and makes none");
try {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { keep: { type: "string" } } });
  if (values.keep !== undefined && !/^[1-9]\d{0,4}$/.test(values.keep)) throw new Error("--keep is a number of backups, from 1 on.");
  const from = databaseFile(settings);
  const to = placeOf(positionals[0], settings.dataDir);
  mkdirSync(dirname(to), { recursive: true });
  const part = `${to}.${process.pid}.part`;
  try {
    await saveTo(from, part);
    const kept = describe(part);
    nameInPlace(part, to);

    console.log(`${to}: ${kept.tables} tables, ${kept.rows} rows, checked.`);
  } finally {
    rmSync(part, { force: true });
  }
  if (values.keep !== undefined) {
    const older = readdirSync(dirname(to))
      .filter((name) => backupName.test(name))
      .toSorted()
      .slice(0, -Number(values.keep));
    for (const name of older) rmSync(join(dirname(to), name));
  }
} catch (error) {
  for (const sentence of sentencesOf(error, settings)) console.error(sentence);
  process.exitCode = 1;
}
