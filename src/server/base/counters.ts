/**
 * Where rate limits are counted: in this process, in Redis, or in PostgreSQL. When shared counters are down, each process enforces its share of a
 * guarded limit, so that nobody gains tries. Other limits, such as the one on events, allow their full points in each process.
 */
import { createHmac } from "node:crypto";
import type { Cluster, Redis } from "ioredis";
import type { Pool } from "pg";
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRedis } from "rate-limiter-flexible";

/** The part of a counter that rate limits use. All kinds behave the same (`counters.test.ts`). */
export type Counter = Pick<RateLimiterMemory, "consume" | "get" | "reward" | "penalty" | "block" | "delete" | "points" | "duration">;

export interface Counted {
  readonly keyPrefix: string;
  readonly points: number;
  /** Seconds. */
  readonly duration: number;
  /** Protects a login, a mail or money: shared across processes where possible, and reduced to this process's share during an outage. */
  readonly guarded: boolean;
}

export interface Counters {
  readonly counter: (counted: Counted) => Counter;
  /** Whether the shared counters are unreachable, so that each process enforces only its share. */
  readonly away: () => boolean;
  readonly close: () => Promise<void>;
}

/** Keys of one limit that a process counts, at most. Far more than visitors use in the longest window of a limit that many networks meet. */
export const keysKept = 10_000;
const forgottenAtOnce = keysKept / 10;

/**
 * Counts in this process, with limited memory: somebody with many networks has a key in every limit for each of them. Above `keysKept`, the keys that
 * were used longest ago start anew (decision 222).
 */
class LimitedMemory extends RateLimiterMemory {
  /** The one used last is the last. */
  readonly #used = new Set<string | number>();

  #use(key: string | number): void {
    this.#used.delete(key);
    this.#used.add(key);
    if (this.#used.size <= keysKept) return;
    // Many at once, because a set finds its first key slowly after many of its first were deleted.
    for (const oldest of this.#used.keys().take(forgottenAtOnce)) {
      this.#used.delete(oldest);
      void this.delete(oldest);
    }
  }
  override consume(...given: Parameters<RateLimiterMemory["consume"]>) {
    this.#use(given[0]);
    return super.consume(...given);
  }
  override penalty(...given: Parameters<RateLimiterMemory["penalty"]>) {
    this.#use(given[0]);
    return super.penalty(...given);
  }
  override reward(...given: Parameters<RateLimiterMemory["reward"]>) {
    this.#use(given[0]);
    return super.reward(...given);
  }
  override block(...given: Parameters<RateLimiterMemory["block"]>) {
    this.#use(given[0]);
    return super.block(...given);
  }
}

/** Each process counts for itself. */
export const memoryCounters: Counters = {
  counter: (counted) => new LimitedMemory(counted),
  away: () => false,
  close: async () => {},
};

interface Sharing {
  /** The number of processes. */
  readonly processes: number;
  /** Hashes the keys, so that the store holds no addresses. */
  readonly key: Buffer;
}

const insured = ({ keyPrefix, points, duration, guarded }: Counted, { processes }: Sharing) =>
  new LimitedMemory({ keyPrefix, duration, points: guarded ? Math.max(1, Math.floor(points / processes)) : points });

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

/**
 * Removes the names from the library's statements. Named statements are prepared, which PgBouncer cannot do: each would fail, and each process would
 * count only its share.
 */
const unprepared = (pool: Pool) => ({
  query: ({ text, values }: { readonly text: string; readonly values?: unknown[] }) => pool.query(text, values),
});

/** All processes of one database share guarded limits. Other limits are counted per process: sharing them would cost a query per call. */
export function postgresCounters(pool: Pool, sharing: Sharing): Counters {
  return {
    counter: (counted) =>
      counted.guarded
        ? unnamed(
            new RateLimiterPostgres({
              storeClient: unprepared(pool),
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
    // The counters fail only together with the database, which reports its own outage.
    away: () => false,
    close: () => pool.end(),
  };
}

/** The one counter whose timer deletes expired rows, for all counters. */
const clearing = "login.guesser";

/** Wraps a counter so that it stores hashed keys. */
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
