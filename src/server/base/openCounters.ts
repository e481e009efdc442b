/** Chooses where this installation counts rate limits: in Redis where configured, else in PostgreSQL, else in the process. */
import { Cluster, Redis, type RedisOptions } from "ioredis";
import pg from "pg";
import { type Counters, memoryCounters, postgresCounters, redisCounters } from "./counters.ts";
import { keysFor } from "./keys.ts";
import type { Settings } from "./settings.ts";

/** The longest that a login waits for its counter, ms. */
const answerWithin = 1_000;
const longestBetweenTries = 2_000;
/** A connection on which nothing arrives for so long after a question is lost without a sign, ms. Another one is made. */
const silentAtMost = 5_000;
const connections = 4;

const options = {
  commandTimeout: answerWithin,
  connectTimeout: answerWithin,
  socketTimeout: silentAtMost,
  maxRetriesPerRequest: 0,
  enableOfflineQueue: false,
  retryStrategy: (tries: number) => Math.min(tries * 100, longestBetweenTries),
} as const satisfies RedisOptions;

/** @param onTrouble called when a connection is lost; the client reconnects by itself */
export function openCounters(
  { redisUrl, databaseUrl, processes, secretKeys }: Pick<Settings, "redisUrl" | "databaseUrl" | "processes" | "secretKeys">,
  onTrouble: (error: Error) => void,
): Counters {
  const [key] = keysFor("limit", secretKeys);
  if (key === undefined) throw new Error("No secret key is configured: rate limit counters cannot be named");
  if (redisUrl !== null) {
    const client = connected(redisUrl);
    client.on("error", onTrouble);
    return redisCounters(client, { processes, key });
  }
  if (databaseUrl === null) return memoryCounters;
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: connections,
    connectionTimeoutMillis: answerWithin,
    query_timeout: answerWithin,
    keepAlive: true,
  });
  pool.on("connect", (client) => client.on("error", onTrouble));
  pool.on("error", onTrouble);
  return postgresCounters(pool, { processes, key });
}

/**
 * Connects to `redis://host:6379/0` or `rediss://` (one server), to `redis+sentinel://:password@host:26379,host:26379/name` (the primary that the
 * sentinels name), or to `redis+cluster://host:6379,host:6379` (a cluster).
 */
function connected(url: string): Redis | Cluster {
  const {
    kind = "",
    password = "",
    hosts = "",
    name = "",
  } = /^redis\+(?<kind>sentinel|cluster):\/\/(?:[^:@/]*:(?<password>[^@/]*)@)?(?<hosts>[^/]+)(?:\/(?<name>.*))?$/.exec(url)?.groups ?? {};
  if (kind === "") return new Redis(url, options);
  const nodes = hosts.split(",").map((node) => {
    const [host = "", port = kind === "sentinel" ? "26379" : "6379"] = node.split(":");
    return { host, port: Number(port) };
  });
  const secret = password === "" ? {} : { password: decodeURIComponent(password) };
  return kind === "sentinel"
    ? new Redis({ ...options, ...secret, sentinels: nodes, name })
    : new Cluster(nodes, { redisOptions: { ...options, ...secret }, enableOfflineQueue: false });
}
