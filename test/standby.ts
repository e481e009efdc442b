/** For tests: a standby of a PostgreSQL that `startPostgres` started. It is copied from the running primary, as pg_basebackup does, and follows it by streaming. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { freePort } from "./freePort.ts";

/** Polling interval during the start, ms. */
const askedEvery = 50;

export interface Standby {
  /** URL of the same database on the standby. */
  readonly url: string;
  readonly query: (text: string) => Promise<readonly Record<string, unknown>[]>;
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The owner of a folder, who must run PostgreSQL's programs, because they refuse to run as root. */
const ownerOf = (folder: string) => {
  const { uid, gid } = statSync(folder);
  return process.getuid?.() === 0 ? { uid, gid } : {};
};

/** Copies a running server's data (PostgreSQL's "Making a Base Backup Using the Low Level API"). @returns the folder of its programs */
async function copyOf(primaryUrl: string, copy: string): Promise<string> {
  const primary = new pg.Client({ connectionString: primaryUrl });
  await primary.connect();
  const { rows } = await primary.query<{ data: string; programs: string }>(
    "SELECT current_setting('data_directory') AS data, (SELECT setting FROM pg_config WHERE name = 'BINDIR') AS programs, pg_backup_start('standby', true)",
  );
  const [{ data, programs } = { data: "", programs: "" }] = rows;
  const copied = spawnSync("cp", ["-a", data, copy], { encoding: "utf8" });
  if (copied.status !== 0) throw new Error(copied.stderr);
  const stopped = await primary.query<{ labelfile: string }>("SELECT labelfile FROM pg_backup_stop(false)");
  await primary.end();
  rmSync(join(copy, "postmaster.pid"));
  const { uid, gid } = statSync(copy);
  for (const [name, content] of [
    ["backup_label", stopped.rows[0]?.labelfile ?? ""],
    ["standby.signal", ""],
  ] as const) {
    writeFileSync(join(copy, name), content);
    chownSync(join(copy, name), uid, gid);
  }
  const { hostname, port, username, password } = new URL(primaryUrl);
  appendFileSync(
    join(copy, "postgresql.auto.conf"),
    `primary_conninfo = 'host=${hostname} port=${port} user=${username} password=${password}'\n`,
  );
  return programs;
}

/** @param databaseUrl a database of the primary */
export async function startStandby(databaseUrl: string): Promise<Standby> {
  const folder = mkdtempSync(join(tmpdir(), "parlando-standby-"));
  chmodSync(folder, 0o755);
  const data = join(folder, "data");
  const programs = await copyOf(databaseUrl, data);
  const port = await freePort();
  const url = new URL(databaseUrl);
  url.port = String(port);
  const query = async (text: string) => {
    const client = new pg.Client({ connectionString: url.href });
    client.on("error", () => {});
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  };
  const answers = () =>
    query("SELECT 1").then(
      () => true,
      () => false,
    );
  let server: ChildProcess | null = null;
  const kill = async () => {
    if (server === null) return;
    const gone = once(server, "exit");
    // Immediate shutdown, without a checkpoint.
    server.kill("SIGQUIT");
    server = null;
    await gone;
  };
  const start = async () => {
    server = spawn(
      join(programs, "postgres"),
      ["-D", data, "-p", String(port), "-k", "", "-c", "fsync=off", "-c", "max_connections=200", "-c", "listen_addresses=127.0.0.1"],
      { stdio: ["ignore", "ignore", "pipe"], ...ownerOf(data) },
    );
    let said = "";
    server.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
    while (!(await answers())) {
      if (server.exitCode !== null) throw new Error(`The standby did not start:\n${said}`);
      await sleep(askedEvery);
    }
  };
  await start();
  return {
    url: url.href,
    query,
    kill,
    start,
    close: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
