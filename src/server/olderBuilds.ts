/** Open pages ask for files of their own build even after a deployment: the processes of all builds share these in one folder. */
import { copyFile, mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** How long an earlier build's files stay available to pages that are still open, ms. */
export const keptFor = 30 * 24 * 60 * 60 * 1000;

const assetsParts = ["client", "studio"] as const;
export type AssetsPart = (typeof assetsParts)[number];

/**
 * Puts a build's files beside those of other builds, and removes what none has brought for so long. A name holds its content's hash, so none
 * means two things; a file is whole once it has its name. Several processes may do this at once.
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
