/** A span for each page and each call, in the trace of the page that makes the call. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { openSpan } from "./base/traces.ts";
import type { OpenSpan } from "./base/tracing.ts";

const untraced = /^\/(?:assets|media|studio\/assets|healthz|readyz|metrics)(?:\/|$)/;

/** Does nothing unless traces are on. */
export function traceRequests(app: FastifyInstance): void {
  const spans = new WeakMap<FastifyRequest, OpenSpan>();
  app.addHook("onRequest", (request, reply, done) => {
    const route = request.routeOptions.url ?? "none";
    const { traceparent } = request.headers;
    const span = untraced.test(route)
      ? null
      : openSpan(
          `${request.method} ${request.routeOptions.config.key ?? route}`,
          { "http.request.method": request.method, "http.route": route, "parlando.request": request.id },
          typeof traceparent === "string" ? traceparent : "",
        );
    if (span === null) return done();
    spans.set(request, span);
    // Browsers give it to the page's scripts, which name it in their calls.
    reply.header("server-timing", `traceparent;desc="${span.header}"`);
    span.run(done);
  });
  // Reading a body leaves the span.
  app.addHook("preValidation", (request, _reply, done) => {
    const span = spans.get(request);
    if (span === undefined) done();
    else span.run(done);
  });
  app.addHook("onResponse", (request, reply, done) => {
    spans.get(request)?.end({ "http.response.status_code": reply.statusCode }, reply.statusCode >= 500);
    done();
  });
}
