/** Names for the code and the contents that a process runs, to tell builds apart. */
import { appVersion } from "#core/appVersion.ts";
import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** A hash of twelve hexadecimal digits. */
export const fingerprintOf = (contents: readonly string[]): string =>
  contents
    .reduce((hash, content) => hash.update(content), createHash("sha256"))
    .digest("hex")
    .slice(0, 12);

/** The built files' names, which contain hashes of their contents. Empty in development, where nothing is built. */
function builtFiles(root: string): readonly string[] {
  const folders = ["build/client/assets", "build/studio/assets"].map((folder) => join(root, folder));
  return folders.flatMap((folder) => (existsSync(folder) ? readdirSync(folder).toSorted() : []));
}

/** Names the build in a folder: the app's version and a hash of the built files' names. */
export const builtCode = (root = process.cwd()): string => `${appVersion} ${fingerprintOf(builtFiles(root))}`;
