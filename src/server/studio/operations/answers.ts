/** Statistics of this process's answers in the last five minutes: number, speed, failures. */

const minute = 60_000;
const countedMinutes = 5;
/** Times are counted in bins that grow by a fifth, from 1 ms. A percentile is at most a fifth too high. */
const growth = 1.2;
const binOf = (ms: number) => Math.max(0, Math.ceil(Math.log(ms) / Math.log(growth)));
const endOf = (bin: number) => growth ** bin;
const percentile = 0.95;

interface Minute {
  requests: number;
  failures: number;
  /** Answers by bin. */
  readonly times: Map<number, number>;
}

export interface Answers {
  readonly count: (status: number, ms: number) => void;
  /** `p95_ms` is the 95th percentile of the response time; null without requests. */
  readonly lately: () => { readonly requests: number; readonly failures: number; readonly p95_ms: number | null };
}

export function createAnswers(now: () => number): Answers {
  const byMinute = new Map<number, Minute>();
  return {
    count(status, ms) {
      const at = Math.floor(now() / minute);
      const counted = byMinute.get(at) ?? { requests: 0, failures: 0, times: new Map() };
      counted.requests += 1;
      // 503 while busy is not an error: the load balancer tries another process.
      if (status >= 500 && status !== 503) counted.failures += 1;
      const bin = binOf(ms);
      counted.times.set(bin, (counted.times.get(bin) ?? 0) + 1);
      byMinute.set(at, counted);
    },
    lately() {
      const from = Math.floor(now() / minute) - countedMinutes;
      for (const at of byMinute.keys()) if (at <= from) byMinute.delete(at);
      const minutes = [...byMinute.values()];
      return {
        requests: minutes.reduce((sum, { requests }) => sum + requests, 0),
        failures: minutes.reduce((sum, { failures }) => sum + failures, 0),
        p95_ms: percentileOf(minutes.map(({ times }) => times)),
      };
    },
  };
}

function percentileOf(times: readonly ReadonlyMap<number, number>[]): number | null {
  const counts = new Map<number, number>();
  for (const [bin, count] of times.flatMap((each) => [...each])) counts.set(bin, (counts.get(bin) ?? 0) + count);
  const rank = percentile * [...counts.values()].reduce((sum, count) => sum + count, 0);
  let before = 0;
  for (const [bin, count] of [...counts].toSorted(([one], [other]) => one - other)) {
    before += count;
    if (before >= rank) return Math.ceil(endOf(bin));
  }
  return null;
}
