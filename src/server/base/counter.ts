/** What every kind of counter does, and what it counts. */
import type { RateLimiterMemory } from "rate-limiter-flexible";

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

/** The longest time for which a key is blocked, s. */
export const longestBlock = 15 * 60;
