/**
 * Files of earlier builds. After a deployment, open pages still request files of their own build, so all builds share theirs in one folder or bucket.
 */
import { copyFile, mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Bucket, openBucket } from "./base/s3.ts";
import type { Settings } from "./base/settings.ts";

/** How long an earlier build's files stay available to pages that are still open, ms. */
export const keptFor = 30 * 24 * 60 * 60 * 1000;

const assetsParts = ["client", "studio"] as const;
export type AssetsPart = (typeof assetsParts)[number];

/**
 * Copies a build's files into the shared folder and removes those that no build has used for `keptFor`. Names hold a content hash, so no two files
 * collide; a file gets its name when it is complete. Several processes may do this at once.
 */
export async function shareAssets(buildDir: string, assetsDir: string, now: number): Promise<void> {
  for (const part of assetsParts) {
    const own = join(buildDir, part, "assets");
    const shared = join(assetsDir, part);
    await mkdir(shared, { recursive: true });
    if (!existsSync(own)) continue;
    const at = new Date(now);
    for (const name of await readdir(own)) {
      const aside = join(shared, `.${name}.${randomUUID()}`);
      if (!existsSync(join(shared, name))) {
        await copyFile(join(own, name), aside);
        await rename(aside, join(shared, name));
      }
      await utimes(join(shared, name), at, at);
    }
    for (const name of await readdir(shared)) {
      const file = join(shared, name);
      const found = await stat(file).catch(() => null);
      if (found !== null && now - found.mtimeMs >= keptFor) await rm(file, { force: true });
    }
  }
}

/** A file older than this is uploaded again, so that a running build's files never expire, ms. */
const sharedAgainAfter = 24 * 60 * 60 * 1000;
/** The shortest time between two listings of the bucket, ms. */
const listedEvery = 5_000;
/** How long a page waits for a file of the bucket, ms. */
const answeredWithin = 10_000;

export interface AssetsBucket {
  /** Does what `shareAssets` does, in the bucket. */
  readonly share: (buildDir: string, now: number) => Promise<void>;
  /** Downloads another build's file, with its compressed forms, into `assetsDir`. Does nothing when it is already there or does not exist. */
  readonly bring: (part: AssetsPart, name: string) => Promise<void>;
}

/** Null when no bucket is configured. `clock` counts milliseconds. */
export function assetsBucketOf({ s3, assetsBucket, assetsDir }: Settings, clock: () => number = performance.now.bind(performance)) {
  if (s3 === null || assetsBucket === null || assetsDir === null) return null;
  const bucket = openBucket(s3, assetsBucket.bucket, answeredWithin);
  const folder = assetsBucket.key === "" ? "" : `${assetsBucket.key}/`;
  return {
    share: async (buildDir, now) => {
      for (const part of assetsParts) await sharePart(bucket, `${folder}${part}/`, join(buildDir, part, "assets"), now);
    },
    bring: bringing(bucket, folder, assetsDir, clock),
  } satisfies AssetsBucket;
}

async function sharePart(bucket: Bucket, prefix: string, own: string, now: number): Promise<void> {
  const there = new Map((await bucket.list(prefix)).map(({ key, modifiedAt }) => [key, modifiedAt]));
  const mine = existsSync(own) ? await readdir(own) : [];
  for (const name of mine) {
    const key = prefix + name;
    if (now - (there.get(key) ?? 0) >= sharedAgainAfter) await bucket.putFile(key, join(own, name));
    there.delete(key);
  }
  for (const [key, modifiedAt] of there) {
    if (now - modifiedAt < keptFor) continue;
    // Another process may have uploaded it again since the listing.
    const latest = await bucket.modifiedAt(key);
    if (latest !== null && now - latest >= keptFor) await bucket.remove(key);
  }
}

function bringing(bucket: Bucket, folder: string, assetsDir: string, clock: () => number): AssetsBucket["bring"] {
  let listedAt = -Infinity;
  let listing: Promise<ReadonlySet<string>> = Promise.resolve(new Set());
  const underway = new Map<string, Promise<void>>();

  async function has(key: string): Promise<ReadonlySet<string>> {
    const known = await listing.catch(() => new Set<string>());
    if (known.has(key) || clock() - listedAt < listedEvery) return known;
    listedAt = clock();
    listing = bucket.list(folder).then((objects) => new Set(objects.map((one) => one.key)));
    return listing;
  }

  async function fetchOne(part: AssetsPart, name: string): Promise<void> {
    const names = await has(`${folder}${part}/${name}`);
    if (!names.has(`${folder}${part}/${name}`)) return;
    await mkdir(join(assetsDir, part), { recursive: true });
    // The compressed forms come first, so that they exist wherever the file does.
    for (const ending of [".br", ".gz", ""]) {
      const key = `${folder}${part}/${name}${ending}`;
      if (!names.has(key)) continue;
      const aside = join(assetsDir, part, `.${name}${ending}.${randomUUID()}`);
      try {
        if (await bucket.getFile(key, aside)) await rename(aside, join(assetsDir, part, name + ending));
      } finally {
        await rm(aside, { force: true });
      }
    }
  }

  return async (part, name) => {
    if (!/^[\w-][\w.-]*$/.test(name) || existsSync(join(assetsDir, part, name))) return;
    const key = `${part}/${name}`;
    const fetching = underway.get(key) ?? fetchOne(part, name).finally(() => underway.delete(key));
    underway.set(key, fetching);
    await fetching;
  };
}
