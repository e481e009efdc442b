/**
 * Where rate limits are counted: in this process, in Redis, or in PostgreSQL. When shared counters are down, each process enforces its share of a
 * guarded limit, so that nobody gains tries. Other limits, such as the one on events, allow their full points in each process.
 */
import { createHmac } from "node:crypto";
import type { Cluster, Redis } from "ioredis";
import { LRUCache } from "lru-cache";
import type { Pool } from "pg";
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import type { Counted, Counter } from "./counter.ts";
import { createKeyedQueue } from "./keyedQueue.ts";
import { clearCounts, type LimitCounts, postgresCounter } from "./postgresCounter.ts";

export interface Counters {
  readonly counter: (counted: Counted) => Counter;
  /** Whether the shared counters are unreachable, so that each process enforces only its share. */
  readonly away: () => boolean;
  readonly close: () => Promise<void>;
}

/** The most keys of one limit that a process keeps. Honest visitors need far fewer, even within the longest window. */
export const keysKept = 10_000;

/**
 * Counts in this process, with limited memory: somebody with many networks has a key in every limit for each of them. Above `most`, the keys that
 * were used longest ago start anew (decision 222).
 */
class LimitedMemory extends RateLimiterMemory {
  readonly #most: number;
  /** In order of use: the most recently used key is last. */
  readonly #used = new Set<string | number>();

  constructor(counted: Omit<Counted, "guarded">, most: number) {
    super(counted);
    this.#most = most;
  }

  #use(key: string | number): void {
    this.#used.delete(key);
    this.#used.add(key);
    if (this.#used.size <= this.#most) return;
    // Deletes many keys at once. Finding the first key of a set is slow after many keys before it were deleted.
    for (const oldest of this.#used.keys().take(Math.ceil(this.#most / 10))) {
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

/** Each process counts for itself, and keeps up to `most` keys of each limit. */
export const countersInMemory = (most = keysKept): Counters => ({
  counter: (counted) => new LimitedMemory(counted, most),
  away: () => false,
  close: async () => {},
});
export const memoryCounters = countersInMemory();

interface Sharing {
  /** The number of processes. */
  readonly processes: number;
  /** Hashes the keys, so that the store holds no addresses. */
  readonly key: Buffer;
}

const insured = ({ keyPrefix, points, duration, guarded }: Counted, { processes }: Sharing) =>
  new LimitedMemory({ keyPrefix, duration, points: guarded ? Math.max(1, Math.floor(points / processes)) : points }, keysKept);

/** All processes of one Redis count together. */
export function redisCounters(client: Redis | Cluster, sharing: Sharing): Counters {
  const asking = createAsking();
  return {
    counter: (counted) =>
      shared(
        counted,
        asking,
        new RateLimiterRedis({
          storeClient: client,
          rejectIfRedisNotReady: true,
          keyPrefix: `limit:${counted.keyPrefix}`,
          points: counted.points,
          duration: counted.duration,
        }),
        sharing,
      ),
    away: () => client.status !== "ready" || asking.outage.isOn(),
    close: async () => client.disconnect(),
  };
}

/** How often rows that are over are deleted, ms. */
const clearedEvery = 5 * 60_000;

/** All processes of one database share guarded limits. Other limits are counted per process: sharing them would cost a query per call. */
export function postgresCounters(pool: Pool, sharing: Sharing): Counters {
  const asking = createAsking();
  const counts: LimitCounts = { query: (text, values) => pool.query(text, [...values]) };
  // What is not deleted now is deleted the next time.
  const clearing = setInterval(() => void clearCounts(counts).catch(() => undefined), clearedEvery).unref();
  return {
    counter: (counted) =>
      counted.guarded ? shared(counted, asking, postgresCounter(counts, counted), sharing) : memoryCounters.counter(counted),
    // The counters fail only together with the database, which reports its own outage.
    away: () => false,
    close: async () => {
      clearInterval(clearing);
      await pool.end();
    },
  };
}

/** How long a process refuses a key without asking the shared counter again, ms. Another process may have given its points back. */
const refusedFor = 1_000;
/** Questions about one key that a process asks at the same time, at most: whoever calls often must not keep all connections busy. */
const askedAtOnce = 8;

interface Refused {
  readonly until: number;
  readonly askAgainAt: number;
  readonly consumed: number;
}
const createAsking = () => ({
  refused: new LRUCache<string, Refused>({ max: keysKept }),
  inTurn: createKeyedQueue(),
  outage: createOutage(),
});

/** How long a process counts by itself after a question that was not answered, ms. */
const alone = 1_000;

/**
 * If the counters do not answer, only one caller a second asks them. Everybody else's calls are counted in this process, without waiting. One call asks up to
 * seven times. So while Redis was frozen, a login took seven seconds, and the logins of one network waited for each other.
 */
function createOutage() {
  let askAgainAt: number | null = null;
  const begin = () => void (askAgainAt = performance.now() + alone);
  return {
    isOn: () => askAgainAt !== null,
    /** Asks, or counts in this process if there is no answer. */
    ask: async <T>(question: () => Promise<T>, here: () => Promise<T>): Promise<T> => {
      if (askAgainAt !== null) {
        if (askAgainAt > performance.now()) return here();
        begin();
      }
      try {
        const answer = await question();
        askAgainAt = null;
        return answer;
      } catch (error) {
        if (error instanceof RateLimiterRes) {
          askAgainAt = null;
          throw error;
        }
        begin();
        return here();
      }
    },
  };
}

/**
 * Wraps a shared counter, and hashes the keys that it stores. While a key is above its limit, the shared counter is asked about it only once a second. Each
 * question updates a row: without this, one network's refused calls made every login wait for seconds (decision 223).
 */
function shared(
  counted: Counted,
  { refused, inTurn, outage }: ReturnType<typeof createAsking>,
  limiter: Counter,
  sharing: Sharing,
): Counter {
  const { keyPrefix } = counted;
  const { key: secret } = sharing;
  const insurance = insured(counted, sharing);
  /** Asks the shared counter, or this process's own during an outage. */
  const asked = <T>(ask: (of: Counter) => Promise<T>): Promise<T> =>
    outage.ask(
      () => ask(limiter),
      () => ask(insurance),
    );
  const named = (key: string | number) => createHmac("sha256", secret).update(String(key)).digest("base64url");
  const placeOf = (key: string | number) => `${keyPrefix} ${key}`;
  const remember = (key: string | number, { msBeforeNext, consumedPoints }: RateLimiterRes): void => {
    const now = performance.now();
    if (consumedPoints > limiter.points && msBeforeNext > 0)
      refused.set(placeOf(key), { until: now + msBeforeNext, askAgainAt: now + refusedFor, consumed: consumedPoints });
    else refused.delete(placeOf(key));
  };
  /**
   * The known refusal of a key; null when there is none. Once a second it is null for a single caller, who then asks the shared counter.
   */
  const remembered = (key: string | number): RateLimiterRes | null => {
    const found = refused.get(placeOf(key));
    const now = performance.now();
    if (found === undefined || found.until <= now) return null;
    if (found.askAgainAt > now) return new RateLimiterRes(0, found.until - now, found.consumed, false);
    refused.set(placeOf(key), { ...found, askAgainAt: now + refusedFor });
    return null;
  };
  let lane = 0;
  const inLane = <T>(key: string | number, ask: () => Promise<T>): Promise<T> => inTurn(`${placeOf(key)} ${lane++ % askedAtOnce}`, ask);
  /** Changes a key's points, and forgets its refusal, which may no longer hold. */
  const changed = <T>(key: string | number, change: (of: Counter) => Promise<T>): Promise<T> =>
    asked(change).finally(() => refused.delete(placeOf(key)));
  return {
    points: limiter.points,
    duration: limiter.duration,
    consume: (key, points) =>
      inLane(key, async () => {
        const refusal = remembered(key);
        if (refusal !== null) throw refusal;
        try {
          const granted = await asked((of) => of.consume(named(key), points));
          remember(key, granted);
          return granted;
        } catch (error) {
          if (error instanceof RateLimiterRes) remember(key, error);
          throw error;
        }
      }),
    get: (key) =>
      inLane(key, async () => {
        const refusal = remembered(key);
        if (refusal !== null) return refusal;
        const found = await asked((of) => of.get(named(key)));
        if (found !== null) remember(key, found);
        return found;
      }),
    reward: (key, points) => changed(key, (of) => of.reward(named(key), points)),
    penalty: (key, points) => changed(key, (of) => of.penalty(named(key), points)),
    block: (key, seconds) => changed(key, (of) => of.block(named(key), seconds)),
    delete: (key) => changed(key, (of) => of.delete(named(key))),
  };
}
