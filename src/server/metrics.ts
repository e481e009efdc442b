/** Counts of this process in Prometheus' text form. */
import { monitorEventLoopDelay } from "node:perf_hooks";

/** Seconds. */
const bucketBounds = [0.005, 0.02, 0.1, 0.5, 2] as const;
const nanosecondsPerSecond = 1e9;

interface CallCount {
  readonly byStatus: Map<number, number>;
  readonly buckets: number[];
  seconds: number;
}

export interface Metrics {
  /** `route` is a route's key or pattern, never a path as asked for. */
  readonly count: (route: string, status: number, seconds: number) => void;
  /** A number that is looked up when it is asked for. */
  readonly gauge: (name: string, help: string, read: () => number | Promise<number>) => void;
  readonly text: () => Promise<string>;
  readonly close: () => void;
}

export function createMetrics(): Metrics {
  const calls = new Map<string, CallCount>();
  const gauges: { readonly name: string; readonly help: string; readonly read: () => number | Promise<number> }[] = [];
  const loop = monitorEventLoopDelay({ resolution: 20 });
  loop.enable();
  gauges.push(
    {
      name: "parlando_event_loop_delay_p99_seconds",
      help: "Event loop delay since the start",
      read: () => loop.percentile(99) / nanosecondsPerSecond,
    },
    { name: "parlando_resident_bytes", help: "Resident memory", read: () => process.memoryUsage.rss() },
  );
  return {
    count: (route, status, seconds) => {
      const call = calls.get(route) ?? { byStatus: new Map<number, number>(), buckets: bucketBounds.map(() => 0), seconds: 0 };
      calls.set(route, call);
      call.byStatus.set(status, (call.byStatus.get(status) ?? 0) + 1);
      call.seconds += seconds;
      for (const [index, bound] of bucketBounds.entries()) if (seconds <= bound) call.buckets[index] = (call.buckets[index] ?? 0) + 1;
    },
    gauge: (name, help, read) => void gauges.push({ name, help, read }),
    text: async () => {
      const lines = ["# HELP parlando_requests_total Answered requests", "# TYPE parlando_requests_total counter"];
      for (const [route, { byStatus }] of calls)
        for (const [status, n] of byStatus) lines.push(`parlando_requests_total{route=${JSON.stringify(route)},status="${status}"} ${n}`);
      lines.push("# HELP parlando_request_seconds Time to answer", "# TYPE parlando_request_seconds histogram");
      for (const [route, { byStatus, buckets, seconds }] of calls) {
        const label = `route=${JSON.stringify(route)}`;
        const total = [...byStatus.values()].reduce((sum, n) => sum + n, 0);
        for (const [index, bound] of bucketBounds.entries())
          lines.push(`parlando_request_seconds_bucket{${label},le="${bound}"} ${buckets[index] ?? 0}`);
        lines.push(
          `parlando_request_seconds_bucket{${label},le="+Inf"} ${total}`,
          `parlando_request_seconds_sum{${label}} ${seconds}`,
          `parlando_request_seconds_count{${label}} ${total}`,
        );
      }
      for (const { name, help, read } of gauges) lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, `${name} ${await read()}`);
      return `${lines.join("\n")}\n`;
    },
    close: () => loop.disable(),
  };
}
