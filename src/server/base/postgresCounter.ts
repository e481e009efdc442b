/**
 * Counts points per key and period in PostgreSQL, by the database's clock (decision 191). By its own clock, a machine that was a day ahead left each key
 * the points of one period for a whole day.
 */
import { RateLimiterRes } from "rate-limiter-flexible";
import { type Counted, type Counter, longestBlock } from "./counter.ts";

/** Corrections of the database's clock by less, ms, change nothing. */
const correctedMs = 60_000;

/** Statements without names: PgBouncer cannot prepare them, and each would fail. */
export interface LimitCounts {
  readonly query: (text: string, values: readonly (string | number | boolean)[]) => Promise<{ readonly rows: readonly unknown[] }>;
}

interface Row {
  readonly points: string;
  /** Until the key's period ends, ms. */
  readonly rest: string;
}

const now = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
/** What adds points starts the period anew if it is over. It is over, too, if it ends later than any can: the database's clock was set back. */
const isOver = `(kept.expire <= excluded.expire - $3::bigint OR kept.expire > excluded.expire - $3::bigint + $4::bigint OR $5::boolean)`;
const adding = `
  INSERT INTO limit_counts AS kept (key, points, expire) VALUES ($1, $2::bigint, ${now} + $3::bigint)
  ON CONFLICT (key) DO UPDATE SET
    points = CASE WHEN ${isOver} THEN excluded.points ELSE kept.points + excluded.points END,
    expire = CASE WHEN ${isOver} THEN excluded.expire ELSE kept.expire END
  RETURNING points, expire - ${now} AS rest`;
const reading = `SELECT points, expire - ${now} AS rest FROM limit_counts WHERE key = $1 AND expire > ${now} AND expire <= ${now} + $2::bigint`;
const clearing = `DELETE FROM limit_counts WHERE expire < ${now} - 3600000`;

export function postgresCounter(counts: LimitCounts, { keyPrefix, points: most, duration }: Omit<Counted, "guarded">): Counter {
  const longestMs = Math.max(duration, longestBlock) * 1_000 + correctedMs;
  const nameOf = (key: string | number) => `${keyPrefix}:${key}`;
  function stateIn(rows: readonly unknown[], changed: number): RateLimiterRes | null {
    const [row] = rows as readonly Row[];
    if (row === undefined) return null;
    const points = Number(row.points);
    return new RateLimiterRes(Math.max(most - points, 0), Math.max(Number(row.rest), 0), points, points === changed);
  }
  async function add(key: string | number, points: number, seconds = duration, anew = false): Promise<RateLimiterRes> {
    const { rows } = await counts.query(adding, [nameOf(key), points, seconds * 1_000, longestMs, anew]);
    const state = stateIn(rows, points);
    if (state === null) throw new Error("PostgreSQL did not return a counter's points.");
    return state;
  }
  return {
    points: most,
    duration,
    consume: async (key, points = 1) => {
      const state = await add(key, points);
      if (state.consumedPoints > most) throw state;
      return state;
    },
    penalty: (key, points = 1) => add(key, points),
    reward: (key, points = 1) => add(key, -points),
    block: (key, seconds) => add(key, most + 1, seconds, true),
    get: async (key) => stateIn((await counts.query(reading, [nameOf(key), longestMs])).rows, 0),
    delete: async (key) => (await counts.query("DELETE FROM limit_counts WHERE key = $1 RETURNING key", [nameOf(key)])).rows.length > 0,
  };
}

/** Deletes the rows of periods that ended more than an hour ago. */
export async function clearCounts(counts: LimitCounts): Promise<void> {
  await counts.query(clearing, []);
}
