/** What is written to the log and what never is. */
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

/** What waits to be written while it cannot be; more is left out. */
const mostWaiting = 1_000_000;

/**
 * Standard output for the log. When it cannot be written, as to a file on a full disk, lines are lost; the process goes on, and ends when it is
 * told to: at its end pino would try to write what is left until it can.
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

/** pino's options: requests by method and path alone, errors without what a driver adds (values, addresses). */
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
