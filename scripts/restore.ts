/**
 * `npm run restore -- <backup or s3://bucket/key>`: replaces the SQLite database of DATA_DIR with a backup, if no process has it open. The old
 * database is kept beside it under another name. PostgreSQL: docs/backups.md.
 */
import { readEnv } from "#server/env.ts";
import { existsSync, linkSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { sentencesOf } from "../src/startFailure.ts";
import { fetchBackup } from "./backupPlaces.ts";
import { databaseFile, describe, leaveWal, nameInPlace } from "./sqliteFiles.ts";

process.umask(0o077);
const settings = readEnv(process.env, () => "restoring needs no key, and makes none");
try {
  const [backup] = process.argv.slice(2);
  if (backup === undefined) throw new Error("Use: npm run restore -- <backup>");
  const to = databaseFile(settings, "may be missing");
  mkdirSync(settings.dataDir, { recursive: true });
  const part = `${to}.${process.pid}.part`;
  try {
    await fetchBackup(backup, part, settings);
    const { tables, rows } = describe(part);
    const aside = `${to}.before-${new Date().toISOString().replaceAll(/[-:.]/g, "")}`;
    const isReplaced = existsSync(to);
    if (isReplaced) leaveWal(to);
    // A log of the old file must not be applied to the backup. It may be left where somebody has removed the file of a killed process.
    const logs = ["-wal", "-shm", "-journal"].filter((end) => existsSync(to + end));
    for (const end of logs) renameSync(to + end, aside + end);
    if (isReplaced) linkSync(to, aside);
    if (isReplaced) console.log(`The old database is kept as ${aside}: delete it when all is well.`);
    else for (const end of logs) console.log(`The log of a removed database is kept as ${aside}${end}: delete it when all is well.`);
    nameInPlace(part, to);
    console.log(
      `${to} is ${backup}: ${tables} tables, ${rows} rows, checked. Start Parlando with the SECRET_KEYS that were set when the backup was made.`,
    );
  } finally {
    rmSync(part, { force: true });
  }
} catch (error) {
  for (const sentence of sentencesOf(error, settings)) console.error(sentence);
  process.exitCode = 1;
}
