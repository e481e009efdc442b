/** A real PgBouncer in front of a test run's PostgreSQL, with the parameters of `ops/pgbouncer.ini`. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "./freePort.ts";

export interface RunningPgBouncer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** The statements for the site's role from `docs/scaling.md`. */
export function forRoleBehindPgBouncer(role: string): readonly string[] {
  const statements = readFileSync("docs/scaling.md", "utf8").match(/^ALTER ROLE parlando SET .*;$/gm) ?? [];
  if (statements.length !== 2) throw new Error("docs/scaling.md does not say what the role needs.");
  return statements.map((statement) => statement.replace("parlando", role));
}

/** Replaces a value in the file. Throws when the line is missing, because the real file is under test. */
function withValue(file: string, name: string, value: string): string {
  const line = new RegExp(`^${name} = .*$`, "m");
  if (!line.test(file)) throw new Error(`ops/pgbouncer.ini has no ${name}.`);
  return file.replace(line, `${name} = ${value}`);
}

/** @param url of PostgreSQL, with user and password */
export async function startPgBouncer(url: string): Promise<RunningPgBouncer> {
  const { port, username, password } = new URL(url);
  const listening = await freePort();
  const changes = {
    "\\*": `host=127.0.0.1 port=${port} user=${username} password=${password}`,
    listen_addr: "127.0.0.1",
    listen_port: String(listening),
    auth_type: "any",
    // Each test has its own database and so its own pool.
    default_pool_size: "10",
    max_client_conn: "4000",
    server_idle_timeout: "1",
  };
  const written = Object.entries(changes).reduce(
    (file, [name, value]) => withValue(file, name, value).replace("\\*", "*"),
    readFileSync("ops/pgbouncer.ini", "utf8"),
  );
  const folder = mkdtempSync(join(tmpdir(), "parlando-pgbouncer-"));
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(file, `${written}\nunix_socket_dir =\nlog_connections = 0\nlog_disconnections = 0\n`);
  chmodSync(folder, 0o755);
  chmodSync(file, 0o644);
  // PgBouncer refuses to run as root. PostgreSQL's test set-up has created this user.
  const child = spawn("pgbouncer", ["-q", ...(userInfo().uid === 0 ? ["-u", "postgres"] : []), file], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  while (!(await answers(listening))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer did not start:\n${said}`);
    await sleep(50);
  }
  return {
    url: `postgres://${username}@127.0.0.1:${listening}/`,
    stop: async () => {
      await ended(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGINT");
  await gone;
}
