/** The log of one request: pino's, with the request's id. */
import type { FastifyBaseLogger, FastifyServerOptions } from "fastify";

type Make = NonNullable<FastifyServerOptions["childLoggerFactory"]>;

/**
 * pino makes a request's logger at the first line that the request logs. Most requests log nothing, and making one takes 2 µs, because each of its
 * fields is searched for secrets.
 */
class RequestLog implements FastifyBaseLogger {
  readonly #make: () => FastifyBaseLogger;
  #made: FastifyBaseLogger | null = null;
  readonly level: string;

  constructor(make: () => FastifyBaseLogger, level: string) {
    this.#make = make;
    this.level = level;
  }

  #write(level: "trace" | "debug" | "info" | "warn" | "error" | "fatal", line: readonly unknown[]): void {
    this.#made ??= this.#make();
    Reflect.apply(this.#made[level], this.#made, line);
  }

  trace(...line: readonly unknown[]): void {
    this.#write("trace", line);
  }
  debug(...line: readonly unknown[]): void {
    this.#write("debug", line);
  }
  info(...line: readonly unknown[]): void {
    this.#write("info", line);
  }
  warn(...line: readonly unknown[]): void {
    this.#write("warn", line);
  }
  error(...line: readonly unknown[]): void {
    this.#write("error", line);
  }
  fatal(...line: readonly unknown[]): void {
    this.#write("fatal", line);
  }
  silent(): void {}
  child: FastifyBaseLogger["child"] = (bindings, options) => {
    this.#made ??= this.#make();
    return this.#made.child(bindings, options);
  };
}

export const requestLog: Make = (log, fields, options) => new RequestLog(() => log.child(fields, options), log.level);
