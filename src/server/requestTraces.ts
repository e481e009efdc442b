/** A span for each page and each call. A call's span belongs to the trace of the page that made it. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { isTracing, openSpan } from "./base/traces.ts";
import type { OpenSpan } from "./base/tracing.ts";

const untraced = /^\/(?:assets|media|studio\/assets|healthz|readyz|metrics)(?:\/|$)/;

export function traceRequests(app: FastifyInstance): void {
  if (!isTracing()) return;
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
    // Browsers pass it to the page's scripts, which send it with their calls.
    reply.header("server-timing", `traceparent;desc="${span.header}"`);
    span.run(done);
  });
  // Reading a body loses the span, so it is entered again.
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
