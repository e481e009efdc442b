/** Where tests keep their databases. */
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const inMemory = "/dev/shm";
const enough = 4 * 1024 ** 3;

/** A folder for temporary files, in memory where there is room. It is removed when this process ends. */
export function makeTestFolder(): string {
  const { bavail, bsize } = existsSync(inMemory) ? statfsSync(inMemory) : { bavail: 0, bsize: 0 };
  const folder = mkdtempSync(join(bavail * bsize >= enough ? inMemory : tmpdir(), "parlando-tests-"));
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o755);
  // A database that is ending may still write there.
  process.on("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  return folder;
}
