/**
 * Where what is limited is counted: in this process, in Redis, or in PostgreSQL. Shared counters that are away give way to a share of the
 * limit in this process, so that nobody gets more for it; what may be open, such as events, goes on with the whole limit.
 */
import { createHmac } from "node:crypto";
import type { Cluster, Redis } from "ioredis";
import type { Pool } from "pg";
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRedis } from "rate-limiter-flexible";

/** What the limits use of a counter; every kind behaves alike (`counters.test.ts`). */
export type Counter = Pick<RateLimiterMemory, "consume" | "get" | "reward" | "penalty" | "block" | "delete" | "points" | "duration">;

export interface Counted {
  readonly keyPrefix: string;
  readonly points: number;
  /** Seconds. */
  readonly duration: number;
  /** A login, a mail or money is behind it: it is shared wherever it can be, and closed to more while the counters are away. */
  readonly guarded: boolean;
}

export interface Counters {
  readonly counter: (counted: Counted) => Counter;
  /** Whether a process has nothing but its own share now. */
  readonly away: () => boolean;
  readonly close: () => Promise<void>;
}

/** Each process counts for itself. */
export const memoryCounters: Counters = {
  counter: (counted) => new RateLimiterMemory(counted),
  away: () => false,
  close: async () => {},
};

interface Sharing {
  /** How many processes run beside each other. */
  readonly processes: number;
  /** Names keys in the store: nobody's address stands there. */
  readonly key: Buffer;
}

const insured = ({ keyPrefix, points, duration, guarded }: Counted, { processes }: Sharing) =>
  new RateLimiterMemory({ keyPrefix, duration, points: guarded ? Math.max(1, Math.floor(points / processes)) : points });

/** All processes of one Redis count together. */
export function redisCounters(client: Redis | Cluster, sharing: Sharing): Counters {
  return {
    counter: (counted) =>
      unnamed(
        new RateLimiterRedis({
          storeClient: client,
          rejectIfRedisNotReady: true,
          keyPrefix: `limit:${counted.keyPrefix}`,
          points: counted.points,
          duration: counted.duration,
          insuranceLimiter: insured(counted, sharing),
        }),
        sharing,
      ),
    away: () => client.status !== "ready",
    close: async () => client.disconnect(),
  };
}

/** All processes of one database count together what is guarded; the rest is each process's own, for it would cost every call a query. */
export function postgresCounters(pool: Pool, sharing: Sharing): Counters {
  return {
    counter: (counted) =>
      counted.guarded
        ? unnamed(
            new RateLimiterPostgres({
              storeClient: pool,
              storeType: "pool",
              tableName: "limit_counts",
              tableCreated: true,
              clearExpiredByTimeout: counted.keyPrefix === clearing,
              keyPrefix: counted.keyPrefix,
              points: counted.points,
              duration: counted.duration,
              insuranceLimiter: insured(counted, sharing),
            }),
            sharing,
          )
        : memoryCounters.counter(counted),
    // It is away when the database is, which says so itself.
    away: () => false,
    close: () => pool.end(),
  };
}

/** One counter deletes the old rows of all. */
const clearing = "login.guesser";

/** The counter under hashed keys. */
function unnamed(limiter: RateLimiterRedis | RateLimiterPostgres, { key: secret }: Sharing): Counter {
  const named = (key: string | number) => createHmac("sha256", secret).update(String(key)).digest("base64url");
  return {
    points: limiter.points,
    duration: limiter.duration,
    consume: (key, points) => limiter.consume(named(key), points),
    get: (key) => limiter.get(named(key)),
    reward: (key, points) => limiter.reward(named(key), points),
    penalty: (key, points) => limiter.penalty(named(key), points),
    block: (key, seconds) => limiter.block(named(key), seconds),
    delete: (key) => limiter.delete(named(key)),
  };
}
