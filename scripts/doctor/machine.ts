/** Checks Node, the data folder, its disk, and the keys. */
import type { Settings } from "#server/base/settings.ts";
import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Finding, fault, ok, reasonOf, warning } from "./finding.ts";

const mebibyte = 1024 * 1024;
const leastFree = 50 * mebibyte;
const comfortable = 1024 * mebibyte;
/** Fewest bits of a strong key. 32 random base64 characters have 192. */
const strongKey = 128;

export function nodeVersion(): Finding {
  const { engines } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  const wanted = Number(/\d+/.exec(String(engines.node))?.[0]);
  const { node } = process.versions;
  return Number(node.split(".")[0]) >= wanted
    ? ok(`Node ${node}`)
    : fault(`Node ${node} is too old`, `Run it with Node ${wanted} or newer, as the image does.`);
}

function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}

export function disk(settings: Settings): Finding {
  const folder = nearestFolder(settings.dataDir);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    return fault(`${settings.dataDir} cannot be written: ${reasonOf(error)}`, "Give DATA_DIR a folder that this user may write to.");
  }
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const file = join(settings.dataDir, "parlando.sqlite");
  const database = settings.databaseUrl === null && existsSync(file) ? statSync(file).size : 0;
  const says = `${Math.floor(free / mebibyte)} MiB free at ${settings.dataDir}`;
  if (free < leastFree) return fault(says, "Free disk space: below 50 MiB a process with SQLite reports that it is not ready.");
  if (free < Math.max(comfortable, 2 * database))
    return warning(says, "Free disk space: a backup and a migration may each need the size of the database.");
  return ok(says);
}

/** Upper bound of a key's entropy in bits: its characters are taken as random within their character classes. */
function bitsOf(key: string): number {
  const kinds: readonly (readonly [RegExp, number])[] = [
    [/[a-f]/, 6],
    [/[g-z]/, 20],
    [/[A-F]/, 6],
    [/[G-Z]/, 20],
    [/\d/, 10],
    [/[^A-Za-z\d]/, 2],
  ];
  const alphabet = kinds.reduce((sum, [pattern, size]) => sum + (pattern.test(key) ? size : 0), 0);
  return Math.floor(Math.min(key.length * Math.log2(alphabet), new Set(key).size * 8));
}

export function keys(settings: Settings, given: boolean): Finding {
  const file = join(settings.dataDir, "secret-key");
  if (!given && !existsSync(file)) return ok(`The first start makes one in ${settings.dataDir}`);
  const [current = "", ...older] = settings.secretKeys;
  const bits = bitsOf(current);
  const make = `Make one with: node -e "console.log(crypto.randomBytes(48).toString('base64url'))"`;
  if (bits < strongKey) return warning(`The first of SECRET_KEYS holds about ${bits} bits`, `${make}. Put it first, the old one second.`);
  if (!given && (statSync(file).mode & 0o077) !== 0)
    return fault(`${file} can be read by other users of this machine`, `chmod 600 ${file}`);
  if (older.length > 0)
    return warning("Two keys are set: the older one is still accepted", "Remove it three days after adding the new one.");
  return ok(given ? "One strong key" : `One strong key, kept in ${settings.dataDir}`);
}

export function metricsToken(settings: Settings): Finding {
  if (settings.metricsToken === null)
    return settings.production
      ? warning("/metrics is closed", "Set METRICS_TOKEN and give it to Prometheus: without it there are no outside alarms.")
      : ok("/metrics is closed");
  const bits = bitsOf(settings.metricsToken);
  return bits < strongKey / 2
    ? warning(`METRICS_TOKEN holds about ${bits} bits`, "Use a longer random one: nothing else protects /metrics.")
    : ok("/metrics is open with METRICS_TOKEN");
}
