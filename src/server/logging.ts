/** What is logged, and what never is. */
import type { FastifyServerOptions } from "fastify";
import { destination, type DestinationStream } from "pino";
import { traceIds } from "./base/traces.ts";
import type { Settings } from "./base/settings.ts";

const secretFields = [
  "authorization",
  "cookie",
  "password",
  "token",
  "refreshToken",
  "confirmToken",
  "code",
  "email",
  "recipient",
  "signature",
];

/** The log's buffer, in characters. Further lines are dropped while it cannot be written. */
const mostWaiting = 1_000_000;

/**
 * Standard output for the log. When it cannot be written (a file on a full disk), lines are lost and the process goes on. It also still ends when
 * told to: pino would otherwise retry at exit until its buffer is written.
 */
export function logDestination(): DestinationStream {
  const out = destination({ dest: 1, sync: false, maxLength: mostWaiting });
  let failing = false;
  out.on("error", () => (failing = true));
  out.on("write", () => (failing = false));
  const writeRest = out.flushSync.bind(out);
  out.flushSync = () => {
    if (!failing) writeRest();
  };
  return out;
}

/** pino's options. A request is logged by method and path only, an error without the values and addresses that a driver adds. */
export function loggerOptions({ logLevel }: Pick<Settings, "logLevel">): Exclude<FastifyServerOptions["logger"], boolean | undefined> {
  return {
    level: logLevel,
    mixin: traceIds,
    redact: { paths: secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]), censor: "[redacted]" },
    serializers: {
      req: (request) => ({ method: request.method, path: request.url?.split("?")[0] }),
      err: (error) => ({
        type: error.name,
        message: error.message,
        stack: error.stack ?? "",
        code: "code" in error ? String(error.code) : "",
        cause: error.cause instanceof Error ? error.cause.stack : undefined,
      }),
    },
  };
}
