/** What a tracing library must offer. */
import type { LogEvent } from "kysely";

export type SpanKind = "server" | "client" | "internal";
export type SpanAttributes = Readonly<Record<string, string | number>>;

export interface OpenSpan {
  /** Runs work inside the span: spans that it opens become children. */
  readonly run: <T>(work: () => T) => T;
  /** W3C's `traceparent` of this span. */
  readonly header: string;
  readonly end: (attributes: SpanAttributes, failed: boolean) => void;
}

export interface Tracing {
  /** @param parent the caller's `traceparent` header */
  readonly open: (name: string, kind: SpanKind, attributes: SpanAttributes, parent?: string | "none") => OpenSpan;
  readonly query: (event: LogEvent) => void;
  readonly ids: () => { readonly trace_id: string; readonly span_id: string } | null;
  readonly bound: <A extends readonly unknown[], R>(work: (...args: A) => R) => (...args: A) => R;
  readonly stop: () => Promise<void>;
}
