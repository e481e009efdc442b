/** Files of the built site that need care over several builds: what open pages still ask for, and maps that are not the public's. */
import { keptFor } from "#server/olderBuilds.ts";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Puts an earlier build's files aside; null when there are none. */
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

/** Puts them back beside the new ones; a name holds its content's hash, so none means two things. */
export function restoreAssets(folder: string, aside: string | null): void {
  if (aside === null) return;
  for (const name of readdirSync(aside))
    if (!existsSync(join(folder, name))) cpSync(join(aside, name), join(folder, name), { preserveTimestamps: true });
  rmSync(aside, { recursive: true, force: true });
}

/** Source maps leave the public folder; the server reads them there to name the places of an error. */
export function moveMaps(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) if (name.endsWith(".map")) renameSync(join(from, name), join(to, name));
}
