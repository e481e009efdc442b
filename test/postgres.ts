/**
 * A real PostgreSQL for a test run: started when the first test asks, one for the whole run, each asker in a database of
 * its own. Vitest's global set-up (see vitest.config.ts).
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import pg from "pg";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Answers each GET with the address of a new, empty database. */
    readonly postgresBroker: string;
  }
}

type Server = ChildProcessByStdio<Writable, Readable, Readable>;

export interface RunningPostgres {
  /** Gives the address of a new, empty database. */
  readonly newDatabase: () => Promise<string>;
  readonly stop: () => Promise<void>;
}

/** A server of its asker's own. */
export async function startPostgres(): Promise<RunningPostgres> {
  const server: Server = spawn(process.execPath, [join(import.meta.dirname, "postgresServer.ts")], { stdio: ["pipe", "pipe", "pipe"] });
  let said = "";
  server.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const ended = once(server, "exit").then(() => Promise.reject(new Error(`PostgreSQL did not start:\n${said}`)));
  ended.catch(() => {});
  const [line] = await Promise.race([once(server.stdout, "data"), ended]);
  const url = String(line).trim();
  let databases = 0;
  return {
    newDatabase: async () => {
      const name = `test_${++databases}`;
      const client = new pg.Client({ connectionString: `${url}postgres` });
      await client.connect();
      await client.query(`CREATE DATABASE ${name}`);
      await client.end();
      return `${url}${name}`;
    },
    stop: async () => {
      if (server.exitCode !== null) return;
      const gone = once(server, "exit");
      server.stdin.end();
      await gone;
    },
  };
}

/** Listens for askers; gives back how to stop all of it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let postgres: Promise<RunningPostgres> | undefined;
  const broker = createServer((_request, response) => {
    postgres ??= startPostgres();
    postgres
      .then((running) => running.newDatabase())
      .then(
        (url) => response.end(url),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
  });
  await new Promise<void>((resolve) => broker.listen(0, "127.0.0.1", resolve));
  const address = broker.address();
  if (address === null || typeof address === "string") throw new Error("The broker has no port");
  project.provide("postgresBroker", `http://127.0.0.1:${address.port}/`);
  return async () => {
    await new Promise((resolve) => broker.close(resolve));
    await postgres?.then(
      (running) => running.stop(),
      // It never ran, and has said why.
      () => {},
    );
  };
}
