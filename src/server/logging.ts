/** What is written to the log and what never is. */
import type { FastifyServerOptions } from "fastify";
import type { Settings } from "./settings.ts";

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

/** pino's options: requests by method and path alone, errors without what a driver adds (values, addresses). */
export function loggerOptions({ logLevel }: Pick<Settings, "logLevel">): Exclude<FastifyServerOptions["logger"], boolean | undefined> {
  return {
    level: logLevel,
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
