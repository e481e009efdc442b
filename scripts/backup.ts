/**
 * `npm run backup [-- <file, folder or s3://bucket/key>] [--keep 14]`: copies the SQLite database of DATA_DIR while the server runs.
 * The backup gets its name only after the copy is checked. Default place: `DATA_DIR/backups`. `--keep` deletes all but the newest backups
 * of the folder. PostgreSQL: docs/backups.md.
 */
import { readEnv } from "#server/env.ts";
import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { sentencesOf } from "../src/startFailure.ts";
import { backupPlace, makeFolderOf } from "./backupPlaces.ts";
import { databaseFile, describe, saveTo } from "./sqliteFiles.ts";

process.umask(0o077);
const backupName = /^parlando-\d{8}T\d{9}Z\.sqlite$/;
const newName = () => `parlando-${new Date().toISOString().replaceAll(/[-:.]/g, "")}.sqlite`;

const settings = readEnv(process.env, () => "a backup needs no key, and makes none");
try {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { keep: { type: "string" } } });
  if (values.keep !== undefined && !/^[1-9]\d{0,4}$/.test(values.keep)) throw new Error("--keep is a number of backups, from 1 on.");
  const from = databaseFile(settings);
  const place = backupPlace(positionals[0], newName(), settings);
  makeFolderOf(place);
  try {
    await saveTo(from, place.part);
    const kept = describe(place.part);
    await place.take();
    console.log(`${place.name}: ${kept.tables} tables, ${kept.rows} rows, checked.`);
  } finally {
    rmSync(place.part, { force: true });
  }
  if (values.keep !== undefined) {
    const ours = (await place.names()).filter((name) => backupName.test(name)).toSorted();
    for (const name of ours.slice(0, -Number(values.keep))) await place.remove(name);
  }
} catch (error) {
  for (const sentence of sentencesOf(error, settings)) console.error(sentence);
  process.exitCode = 1;
}
