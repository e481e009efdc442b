/** ClickHouse's engine for tests (chdb). Its download is 178 MB, so only the long tests install it. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./run.ts";

export const engineFolder = join(import.meta.dirname, "..", "test", "clickhouse");
const installed = join(engineFolder, "node_modules");
/** Whether chdb's binary for this platform is installed. */
export const engineIsThere = (): boolean => existsSync(join(installed, "@chdb"));

/**
 * Installs the engine's version that the folder's package.json names, unless it is installed or `mayInstall` is false.
 * @returns why the engine is missing; null when it is installed
 */
export async function ensureClickHouseEngine({
  mayInstall,
}: {
  readonly mayInstall: boolean;
}): Promise<{ readonly why: string; readonly failed: boolean } | null> {
  if (!mayInstall)
    return engineIsThere() ? null : { why: "Their engine, a download of 178 MB, is installed by `npm run test:long`.", failed: false };
  const wanted = readFileSync(join(engineFolder, "package.json"), "utf8");
  const stamp = join(installed, ".installed");
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== wanted) {
    // No lockfile: some registries lack the binaries for other platforms, and npm rejects a lockfile without them.
    const install = ["install", "--prefix", engineFolder, "--no-package-lock", "--ignore-scripts", "--no-audit", "--loglevel=error"];
    const { code, output } = await run("npm", install);
    if (code !== 0) return { why: `chdb could not be installed: ${output.trim()}`, failed: true };
    writeFileSync(stamp, wanted);
  }
  return engineIsThere() ? null : { why: `chdb is not built for ${process.platform}-${process.arch}.`, failed: false };
}
