/** The metrics of this process, for Prometheus. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

/** Seconds. */
const bucketBounds = [0.005, 0.02, 0.1, 0.5, 2];

export interface Metrics {
  /** `route` is a route's key or pattern, never the requested path. */
  readonly count: (route: string, status: number, seconds: number) => void;
  /** A number that is read at each scrape. */
  readonly gauge: (name: string, help: string, read: () => number | Promise<number>) => void;
  /** Several numbers of one name, told apart by a label. If one cannot be read, it is left out: a database that is down must not hide the rest. */
  readonly gauges: (name: string, help: string, label: string, read: () => Promise<Readonly<Record<string, number>>>) => void;
  /** Facts about this process, as labels of a value that is always 1. */
  readonly info: (name: string, help: string, labels: Readonly<Record<string, string>>) => void;
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
  // CPU, memory, event loop, garbage collection and open files, under the names that dashboards know.
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
          try {
            gauge.set(await read());
          } catch {
            gauge.set(Number.NaN);
          }
        },
      });
    },
    gauges(name, help, label, read) {
      const gauge: Gauge = new Gauge({
        name,
        help,
        labelNames: [label],
        registers,
        async collect() {
          gauge.reset();
          for (const [value, number] of Object.entries(await read().catch(() => ({})))) gauge.set({ [label]: value }, number);
        },
      });
    },
    info(name, help, labels) {
      new Gauge({ name, help, labelNames: Object.keys(labels), registers }).set(labels, 1);
    },
    text: () => register.metrics(),
  };
}
