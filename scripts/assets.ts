/** Build output that outlives a build: files that open pages still load, and source maps, which must not be public. */
import { keptFor } from "#server/olderBuilds.ts";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Copies the earlier builds' files to a temporary folder. @returns its path; null when there are none. */
export function keptAssets(folder: string, now = Date.now()): string | null {
  if (!existsSync(folder)) return null;
  const aside = mkdtempSync(join(tmpdir(), "parlando-assets-"));
  cpSync(folder, aside, {
    recursive: true,
    preserveTimestamps: true,
    filter: (file) => file === folder || now - statSync(file).mtimeMs < keptFor,
  });
  return aside;
}

/** Copies these files back beside the new ones. Names contain a hash of the content, so they cannot clash. */
export function restoreAssets(folder: string, aside: string | null): void {
  if (aside === null) return;
  for (const name of readdirSync(aside))
    if (!existsSync(join(folder, name))) cpSync(join(aside, name), join(folder, name), { preserveTimestamps: true });
  rmSync(aside, { recursive: true, force: true });
}

/** Moves source maps out of the public folder to where the server reads them to resolve stack traces. */
export function moveMaps(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) if (name.endsWith(".map")) renameSync(join(from, name), join(to, name));
}
