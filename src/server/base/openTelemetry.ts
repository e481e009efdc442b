/** Traces through OpenTelemetry. `traces.ts` loads this file only when traces are on. */
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { LogEvent } from "kysely";
import { AsyncLocalStorage } from "node:async_hooks";
import type { TracesSettings } from "./settings.ts";
import type { OpenSpan, SpanAttributes, Tracing } from "./tracing.ts";

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;
const exportAtMostMs = 5_000;
const exportEveryMs = 2_000;

function parentIn(header: string): Context {
  const [, traceId = "", spanId = "", flags = ""] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(header) ?? [];
  return traceId === "" || /^0+$/.test(traceId) || /^0+$/.test(spanId)
    ? ROOT_CONTEXT
    : trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true });
}

function opened(span: Span, context: Context, current: AsyncLocalStorage<Context>): OpenSpan {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    run: (work) => current.run(context, work),
    header: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`,
    end: (attributes: SpanAttributes, failed) => {
      span.setAttributes(attributes);
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

/** @param random a number from 0 to 1, which decides whether a request that names a trace is sampled */
export function openTelemetry({ endpoint, headers, ratio, service }: TracesSettings, random: () => number = Math.random): Tracing {
  const root = new TraceIdRatioBasedSampler(ratio);
  const drawn: Sampler = {
    shouldSample: () => ({ decision: random() < ratio ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD }),
    toString: () => `Drawn{${ratio}}`,
  };
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, headers: { ...headers }, timeoutMillis: exportAtMostMs });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": service }),
    // A caller chooses the trace's id and its flag, so neither decides: each request that names a trace is drawn anew. What it causes follows it.
    sampler: new ParentBasedSampler({ root, remoteParentSampled: drawn, remoteParentNotSampled: drawn }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: exportEveryMs, exportTimeoutMillis: exportAtMostMs })],
  });
  const tracer = provider.getTracer("parlando");
  const current = new AsyncLocalStorage<Context>();
  const currentSpan = () => trace.getSpan(current.getStore() ?? ROOT_CONTEXT);
  return {
    open: (name, kind, attributes, parent) => {
      const cause = parent === "none" ? currentSpan() : undefined;
      const above = parent === undefined || parent === "none" ? ROOT_CONTEXT : parentIn(parent);
      const links = cause === undefined ? [] : [{ context: cause.spanContext() }];
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes, links }, above);
      return opened(span, trace.setSpan(above, span), current);
    },
    query: (event: LogEvent) => {
      const context = current.getStore();
      if (context === undefined) return;
      const end = Date.now();
      const { sql } = event.query;
      // The text has no values: they are parameters.
      const attributes = { "db.query.text": sql };
      const name = sql.slice(0, sql.indexOf(" ")).toUpperCase() || "QUERY";
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, startTime: end - event.queryDurationMillis, attributes }, context);
      if (event.level === "error") span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(end);
    },
    ids: () => {
      const found = currentSpan()?.spanContext();
      return found === undefined ? null : { trace_id: found.traceId, span_id: found.spanId };
    },
    bound: (work) => {
      const context = current.getStore();
      return context === undefined ? work : (...args) => current.run(context, () => work(...args));
    },
    stop: async () => {
      // An unreachable collector does not keep the process from ending.
      await provider.shutdown().catch(() => undefined);
    },
  };
}
