/** Traces, when OTEL_EXPORTER_OTLP_ENDPOINT is set. Without it nothing of OpenTelemetry is loaded, and all of this does nothing (decision 206). */
import type { Settings } from "./settings.ts";
import type { OpenSpan, SpanAttributes, SpanKind, Tracing } from "./tracing.ts";

let tracing: Tracing | null = null;

/** Before the store opens: what is opened earlier is not traced. */
export async function startTracing({ traces }: Pick<Settings, "traces">): Promise<void> {
  if (traces === null) return;
  const { openTelemetry } = await import("./openTelemetry.ts");
  tracing = openTelemetry(traces);
}

/** Sends what is left, as far as the collector takes it in time. */
export async function stopTracing(): Promise<void> {
  await tracing?.stop();
  tracing = null;
}

export const openSpan = (name: string, attributes: SpanAttributes, parent: string | undefined): OpenSpan | null =>
  tracing?.open(name, "server", attributes, parent) ?? null;

/** Work that nobody's request waits for, in a trace of its own that links to what set it off. */
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

/** Kysely's `log`, in the trace of whoever asks. */
export const queryTraces = () => (tracing === null ? {} : { log: tracing.query });

/** The work in the trace of who hands it in, whoever runs it. */
export const inCallersTrace = <A extends readonly unknown[], R>(work: (...args: A) => R): ((...args: A) => R) =>
  tracing === null ? work : tracing.bound(work);

/** For lines of the log. */
export const traceIds = (): object => tracing?.ids() ?? {};
