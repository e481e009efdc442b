/**
 * Limits the connections that are open at a time, so that the process keeps files for its database, its log and its own calls. Without a limit,
 * 20,000 idle connections left SQLite none, and a sign-up was answered with 503. Without any free file Node cannot tell its memory, and the process ends.
 */
import type { FastifyInstance } from "fastify";
import { readFileSync } from "node:fs";

/** Connections may use this share of the process's open files. Each takes one, and a second one while it is sent a file. */
const shareOfFiles = 0.4;

/** How many files and connections the system lets this process open. Null where the system sets no limit, or is not Linux. */
function openFilesLimit(): number | null {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return limit === undefined ? null : Number(limit);
  } catch {
    return null;
  }
}

/** Refuses connections above the limit, and closes the idle ones to make room: whoever is there for a reason connects again. */
export function limitOpenConnections({ server }: FastifyInstance): void {
  const limit = openFilesLimit();
  if (limit === null) return;
  server.maxConnections = Math.floor(limit * shareOfFiles);
  server.on("drop", () => server.closeIdleConnections());
}
