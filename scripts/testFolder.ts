/** The temporary folder for tests' databases. */
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const inMemory = "/dev/shm";
const enough = 4 * 1024 ** 3;

/** Creates a temporary folder, in memory if there is room. It is deleted when this process exits. */
export function makeTestFolder(): string {
  const { bavail, bsize } = existsSync(inMemory) ? statfsSync(inMemory) : { bavail: 0, bsize: 0 };
  const folder = mkdtempSync(join(bavail * bsize >= enough ? inMemory : tmpdir(), "parlando-tests-"));
  // PostgreSQL runs as another user and must be able to enter.
  chmodSync(folder, 0o755);
  // A stopping database may still write there.
  process.on("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  return folder;
}
