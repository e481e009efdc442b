/** Where backups are stored: in a folder, or in a bucket (`s3://bucket/key`). */
import { type Bucket, openBucket, readS3Place } from "#server/base/s3.ts";
import type { Settings } from "#server/base/settings.ts";
import { EnvError } from "#server/env.ts";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { copyTo, nameInPlace } from "./sqliteFiles.ts";

export interface BackupPlace {
  readonly name: string;
  /** Path of the temporary local copy, which is checked before `take`. */
  readonly part: string;
  /** Publishes the complete copy under `name`. */
  readonly take: () => Promise<void>;
  /** All names in the backup's folder. */
  readonly names: () => Promise<readonly string[]>;
  readonly remove: (name: string) => Promise<void>;
}

/** The bucket and key of an `s3:` address; null for a file path. Throws `EnvError` when the address is malformed or keys are missing. */
function inBucket(given: string, { s3 }: Settings): { readonly bucket: Bucket; readonly key: string } | null {
  if (!given.startsWith("s3:")) return null;
  const place = readS3Place(given);
  if (place === null) throw new EnvError(["The address of a backup in a bucket is s3://bucket/key or s3://bucket/folder/."]);
  if (s3 === null) throw new EnvError([`${given} needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.`]);
  return { bucket: openBucket(s3, place.bucket), key: place.key };
}

function folderPlace(file: string): BackupPlace {
  const folder = dirname(file);
  const part = `${file}.${process.pid}.part`;
  return {
    name: file,
    part,
    take: async () => nameInPlace(part, file),
    names: async () => readdirSync(folder),
    remove: async (name) => rmSync(join(folder, name)),
  };
}

/** @param newName file name of the backup when `given` is a folder */
export function backupPlace(given: string | undefined, newName: string, settings: Settings): BackupPlace {
  const there = given === undefined ? null : inBucket(given, settings);
  if (there !== null) {
    const { bucket, key } = there;
    const whole = key === "" || key.endsWith("/") ? key + newName : key;
    const folder = whole.slice(0, whole.lastIndexOf("/") + 1);
    const part = join(settings.dataDir, `backup.${process.pid}.part`);
    return {
      name: key === "" && given?.endsWith("/") === false ? `${given}/${newName}` : `${given}${whole.slice(key.length)}`,
      part,
      take: () => bucket.putFile(whole, part),
      names: async () => (await bucket.list(folder)).map((one) => one.key.slice(folder.length)),
      remove: (name) => bucket.remove(folder + name),
    };
  }
  if (given === undefined) return folderPlace(join(settings.dataDir, "backups", newName));
  const isFolder = given.endsWith("/") || statSync(given, { throwIfNoEntry: false })?.isDirectory() === true;
  return folderPlace(isFolder ? resolve(given, newName) : resolve(given));
}

/** What a killed backup or restore has left behind: as large as the database. The folder may hold other programs' files, too. */
const leftover = /^(?<of>.+)\.\d+\.part(?:-\w+)?$/;
const ourNames = /^(?:parlando(?:-\d{8}T\d{9}Z)?\.sqlite|backup)$/;
/** A file that has not changed for this long is left over: no copy takes so long. */
const leftoverAfterMs = 24 * 60 * 60 * 1_000;

/** Makes the backup's folder. Deletes what killed processes have left there, which would fill the disk night by night. */
export function makeFolderOf({ part }: BackupPlace): void {
  const folder = dirname(part);
  mkdirSync(folder, { recursive: true });
  const copyOf = (name: string) => leftover.exec(name)?.groups?.["of"] ?? "";
  const own = copyOf(basename(part));
  for (const name of readdirSync(folder).filter((one) => ourNames.test(copyOf(one)) || copyOf(one) === own)) {
    const file = join(folder, name);
    const found = statSync(file, { throwIfNoEntry: false });
    if (found !== undefined && Date.now() - found.mtimeMs > leftoverAfterMs) rmSync(file, { force: true });
  }
}

/** Copies or downloads a backup into a new file. */
export async function fetchBackup(given: string, file: string, settings: Settings): Promise<void> {
  const there = inBucket(given, settings);
  const isThere = there === null ? existsSync(given) : await there.bucket.getFile(there.key, file);
  if (!isThere) throw new Error(`There is no backup ${given}.`);
  if (there === null) copyTo(given, file);
}
