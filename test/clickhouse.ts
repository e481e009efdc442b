/** For tests: ClickHouse as a separate process (`clickhouse/server.ts`). Each caller gets its own database. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openClickHouse } from "#server/events/clickhouse/client.ts";
import { engineIsThere } from "../scripts/clickhouseEngine.ts";

/** Whether the engine is installed, which `npm run test:long` does. */
export const hasClickHouse = engineIsThere();

export interface RunningClickHouse {
  /** Creates a database and returns its URL. */
  readonly newDatabase: () => Promise<string>;
  /** Stops the server until `start`. Data and address stay the same. */
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Stops the server and removes its data. */
  readonly remove: () => Promise<void>;
}

const password = "a key + of tests";

export async function startClickHouse(): Promise<RunningClickHouse> {
  const folder = mkdtempSync(join(tmpdir(), "parlando-clickhouse-"));
  let running: { readonly server: ChildProcess; readonly url: URL } | null = null;
  let port = "0";
  let databases = 0;

  async function start(): Promise<void> {
    if (running !== null) return;
    const server = spawn(process.execPath, [join(import.meta.dirname, "clickhouse", "server.ts"), folder], {
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...process.env, PORT: port, CLICKHOUSE_PASSWORD: password },
    });
    const ended = once(server, "exit").then(() => Promise.reject(new Error("ClickHouse did not start.")));
    ended.catch(() => {});
    const [line] = await Promise.race([once(server.stdout, "data"), ended]);
    const url = new URL(String(line).trim());
    ({ port } = url);
    running = { server, url };
  }
  async function stop(): Promise<void> {
    if (running === null) return;
    const { server } = running;
    running = null;
    const gone = once(server, "exit");
    server.stdin?.end();
    await gone;
  }
  await start();
  return {
    start,
    stop,
    newDatabase: async () => {
      const name = `test_${(databases += 1)}`;
      if (running === null) throw new Error("ClickHouse is away.");
      const { url } = running;
      await openClickHouse(url.href).run(`CREATE DATABASE ${name}`);
      return new URL(name, url).href;
    },
    remove: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
