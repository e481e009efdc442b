/** Traces, when OTEL_EXPORTER_OTLP_ENDPOINT is set. Otherwise OpenTelemetry is not loaded, and these functions do nothing (decision 206). */
import type { Settings } from "./settings.ts";
import type { OpenSpan, SpanAttributes, SpanKind, Tracing } from "./tracing.ts";

let tracing: Tracing | null = null;

/** Must run before the store opens: a connection opened earlier is not traced. */
export async function startTracing({ traces }: Pick<Settings, "traces">): Promise<void> {
  if (traces === null) return;
  const { openTelemetry } = await import("./openTelemetry.ts");
  tracing = openTelemetry(traces);
}

export const isTracing = (): boolean => tracing !== null;

/** Sends the remaining spans, unless the collector is too slow. */
export async function stopTracing(): Promise<void> {
  await tracing?.stop();
  tracing = null;
}

export const openSpan = (name: string, attributes: SpanAttributes, parent: string | undefined): OpenSpan | null =>
  tracing?.open(name, "server", attributes, parent) ?? null;

/** Runs background work in a trace of its own, with a link to the trace that caused it. */
export async function inOwnTrace<T>(name: string, kind: SpanKind, attributes: SpanAttributes, work: () => Promise<T>): Promise<T> {
  if (tracing === null) return work();
  const span = tracing.open(name, kind, attributes, "none");
  let failed = true;
  try {
    const value = await span.run(work);
    failed = false;
    return value;
  } finally {
    span.end({}, failed);
  }
}

/** Kysely's `log` option: records each query in the current trace. */
export const queryTraces = () => (tracing === null ? {} : { log: tracing.query });

/** Runs the work in the trace of the caller who queued it. */
export const inCallersTrace = <A extends readonly unknown[], R>(work: (...args: A) => R): ((...args: A) => R) =>
  tracing === null ? work : tracing.bound(work);

/** The ids of the current trace, for log lines. */
export const traceIds = (): object => tracing?.ids() ?? {};
