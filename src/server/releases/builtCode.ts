/** Names for the code and the contents that a process runs, to tell builds apart. */
import { appVersion } from "#core/appVersion.ts";
import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";

/** A hash of twelve hexadecimal digits. */
export const fingerprintOf = (contents: readonly string[]): string =>
  contents
    .reduce((hash, content) => hash.update(content), createHash("sha256"))
    .digest("hex")
    .slice(0, 12);

/** The built files' names, which contain hashes of their contents. Empty in development, where nothing is built. */
function builtFiles(): readonly string[] {
  return ["build/client/assets", "build/studio/assets"].flatMap((folder) => (existsSync(folder) ? readdirSync(folder).toSorted() : []));
}

/** Names the build: the app's version and a hash of the built files' names. */
export const builtCode = (): string => `${appVersion} ${fingerprintOf(builtFiles())}`;
