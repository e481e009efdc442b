/** Counts of this process, as Prometheus reads them. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

/** Seconds. */
const bucketBounds = [0.005, 0.02, 0.1, 0.5, 2];

export interface Metrics {
  /** `route` is a route's key or pattern, never a path as asked for. */
  readonly count: (route: string, status: number, seconds: number) => void;
  /** A number that is looked up when it is asked for. */
  readonly gauge: (name: string, help: string, read: () => number | Promise<number>) => void;
  readonly text: () => Promise<string>;
}

export function createMetrics(): Metrics {
  const register = new Registry();
  const registers = [register];
  const requests = new Counter({ name: "parlando_requests_total", help: "Answered requests", labelNames: ["route", "status"], registers });
  const seconds = new Histogram({
    name: "parlando_request_seconds",
    help: "Time to answer",
    labelNames: ["route"],
    buckets: bucketBounds,
    registers,
  });
  // CPU, memory, event loop, garbage collection and open files, by the names that dashboards know.
  collectDefaultMetrics({ register });
  return {
    count(route, status, took) {
      requests.inc({ route, status });
      seconds.observe({ route }, took);
    },
    gauge(name, help, read) {
      const gauge: Gauge = new Gauge({
        name,
        help,
        registers,
        async collect() {
          gauge.set(await read());
        },
      });
    },
    text: () => register.metrics(),
  };
}
