/** Vitest's global set-up (vitest.config.ts): a real PostgreSQL. It starts at the first request, once per test run. Each caller gets its own database. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { migrate } from "#server/store/migrate.ts";
import { openPatiently } from "./patientPostgres.ts";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { hangingTest } from "./patience.ts";
import { forRoleBehindPgBouncer, startPgBouncer } from "./pgbouncer.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** URL that answers each GET with the URL of a new database: empty, or under `migrated` with all tables. */
    readonly postgresBroker: string;
  }
}

type Server = ChildProcessByStdio<Writable, Readable, Readable>;

export interface RunningPostgres {
  /** Creates a database, empty or with all tables. @returns its URL */
  readonly newDatabase: (are: "empty" | "migrated") => Promise<string>;
  readonly stop: () => Promise<void>;
}

/** Starts a server for one caller. */
export async function startPostgres(): Promise<RunningPostgres> {
  const server: Server = spawn(process.execPath, [join(import.meta.dirname, "postgresServer.ts")], { stdio: ["pipe", "pipe", "pipe"] });
  let said = "";
  server.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const ended = once(server, "exit").then(() => Promise.reject(new Error(`PostgreSQL did not start:\n${said}`)));
  ended.catch(() => {});
  const [line] = await Promise.race([once(server.stdout, "data"), ended]);
  const url = String(line).trim();
  // One connection for all, because the server copies one template at a time. It breaks when the server ends.
  const admin = new pg.Pool({ connectionString: `${url}postgres`, max: 1, idleTimeoutMillis: 0 });
  admin.on("error", () => {});
  let databases = 0;
  async function create(template: string): Promise<string> {
    const name = `test_${++databases}`;
    // Faster than the default for a small database.
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
    return name;
  }
  const bouncer = process.env["DATABASES"] === "pgbouncer" ? await startPgBouncer(url) : null;
  if (bouncer !== null) for (const statement of forRoleBehindPgBouncer("postgres")) await admin.query(statement);
  /** A migrated template. Copying it takes half as long as migrating. */
  let migrated: Promise<string> | null = null;
  async function migratedTemplate(): Promise<string> {
    const name = await create("template1");
    const store = openPatiently(`${url}${name}`);
    await migrate(store, 0);
    await store.close();
    return name;
  }
  return {
    newDatabase: async (are) =>
      `${bouncer?.url ?? url}${await create(are === "empty" ? "template1" : await (migrated ??= migratedTemplate()))}`,
    stop: async () => {
      if (server.exitCode !== null) return;
      const gone = once(server, "exit");
      await bouncer?.stop();
      await admin.end();
      server.stdin.end();
      await gone;
    },
  };
}

/** Serves databases to tests. @returns a function that stops everything */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let postgres: Promise<RunningPostgres> | undefined;
  // Keeps idle connections open. A caller could reuse one at the moment at which the broker closes it, and its test would fail.
  const broker = createServer({ keepAliveTimeout: hangingTest }, (request, response) => {
    postgres ??= startPostgres();
    postgres
      .then((running) => running.newDatabase(request.url === "/migrated" ? "migrated" : "empty"))
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
      // The start has failed, and its error is printed.
      () => {},
    );
  };
}
