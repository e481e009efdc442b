/**
 * A complete installation on one machine, from Debian's packages, as in `docs/deploying.md`. It has three etcd, three Patroni with synchronous PostgreSQL,
 * Redis with three sentinels, and three server processes. HAProxy stands in front of the database and of the site.
 */
import { limitNames } from "#server/base/limits.ts";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { freePort } from "../freePort.ts";
import { killAll, type Program, program, statusOf, until } from "./machine.ts";

const three = [1, 2, 3] as const;
const postgresVersions = "/usr/lib/postgresql";
const newestPostgres = Math.max(...readdirSync(postgresVersions).map(Number));
export const postgresBin = join(postgresVersions, String(newestPostgres), "bin");
export const ttlSeconds = 20;

export interface DatabaseNode {
  readonly name: string;
  readonly port: number;
  /** Path of its own file system; null when the machine does not allow one. */
  readonly disk: string | null;
  /** Changes Patroni's settings for all three. */
  readonly configure: (changes: object) => Promise<void>;
  readonly program: Program;
  readonly isPrimary: () => Promise<boolean>;
  readonly isStandby: () => Promise<boolean>;
}

export interface Installation {
  readonly folder: string;
  /** URL of the site behind the load balancer. */
  readonly siteUrl: string;
  readonly databaseUrl: string;
  readonly etcd: readonly Program[];
  readonly nodes: readonly DatabaseNode[];
  readonly primary: () => Promise<DatabaseNode>;
  /** Waits until there are one primary and two replicating standbys. */
  readonly whole: () => Promise<void>;
  readonly redis: readonly Program[];
  readonly processes: readonly { readonly program: Program; readonly url: string }[];
  readonly stop: () => Promise<void>;
}

interface Places {
  readonly folder: string;
  readonly log: (name: string) => string;
  readonly file: (name: string, content: string) => string;
}

async function ports(count: number): Promise<readonly number[]> {
  const found = new Set<number>();
  while (found.size < count) found.add(await freePort());
  return [...found];
}

const options = (values: Readonly<Record<string, string>>) => Object.entries(values).map(([name, value]) => `--${name}=${value}`);

async function startEtcd({ folder, log }: Places): Promise<{ readonly programs: readonly Program[]; readonly hosts: readonly string[] }> {
  const clients = await ports(3);
  const peers = await ports(3);
  const cluster = three.map((n) => `etcd${n}=http://127.0.0.1:${peers[n - 1]}`).join(",");
  const programs = three.map((n) =>
    program(
      "etcd",
      options({
        name: `etcd${n}`,
        "data-dir": join(folder, `etcd${n}`),
        "initial-cluster": cluster,
        "initial-cluster-state": "new",
        "enable-v2": "true",
        "listen-client-urls": `http://127.0.0.1:${clients[n - 1]}`,
        "advertise-client-urls": `http://127.0.0.1:${clients[n - 1]}`,
        "listen-peer-urls": `http://127.0.0.1:${peers[n - 1]}`,
        "initial-advertise-peer-urls": `http://127.0.0.1:${peers[n - 1]}`,
        // Longer than by default, because three databases and three etcd share one disk.
        "heartbeat-interval": "300",
        "election-timeout": "3000",
      }),
      { log: log(`etcd${n}`) },
    ),
  );
  for (const one of programs) one.start();
  return { programs, hosts: clients.map((port) => `127.0.0.1:${port}`) };
}

const patroniSettings = (n: number, port: number, rest: number, folder: string, etcd: readonly string[]) => `
scope: parlando
name: postgres${n}
restapi: { listen: "127.0.0.1:${rest}", connect_address: "127.0.0.1:${rest}" }
# By the old API of etcd: by the new one Patroni 3.0 takes the lock back unseen when a frozen machine wakes up, and what the new primary acknowledged is lost.
etcd: { hosts: "${etcd.join(",")}" }
bootstrap:
  dcs:
    ttl: ${ttlSeconds}
    loop_wait: 3
    retry_timeout: 5
    maximum_lag_on_failover: 104857600
    synchronous_mode: true
    failsafe_mode: true
    postgresql:
      use_pg_rewind: true
      parameters:
        max_connections: 100
        shared_buffers: 32MB
        max_wal_size: 64MB
        min_wal_size: 32MB
        wal_log_hints: "on"
        synchronous_commit: "on"
        archive_mode: "on"
        archive_timeout: 5
        archive_command: "test ! -f ${folder}/archive/%f && cp %p ${folder}/archive/.%f && mv ${folder}/archive/.%f ${folder}/archive/%f || test -f ${folder}/archive/%f"
  initdb: [ { encoding: UTF8 }, { locale: C }, data-checksums ]
postgresql:
  listen: "127.0.0.1:${port}"
  connect_address: "127.0.0.1:${port}"
  data_dir: ${diskOf(folder, n)}/data
  bin_dir: ${postgresBin}
  pgpass: ${folder}/pgpass${n}
  authentication:
    superuser: { username: postgres, password: drill }
    replication: { username: replicator, password: drill }
  pg_hba: [ "local all all trust", "host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust" ]
  parameters: { unix_socket_directories: "${folder}" }
`;

const diskOf = (folder: string, n: number) => join(folder, `disk${n}`);

/** Mounts a small file system that can be filled. @returns whether that worked */
function mountDisk(path: string): boolean {
  mkdirSync(path);
  const isMounted = userInfo().uid === 0 && spawnSync("mount", ["-t", "tmpfs", "-o", "size=400m", "tmpfs", path]).status === 0;
  chmodSync(path, 0o777);
  return isMounted;
}

async function startDatabases(
  places: Places,
  etcd: readonly string[],
): Promise<{ nodes: readonly DatabaseNode[]; rests: readonly number[] }> {
  const listening = await ports(3);
  const rests = await ports(3);
  const nodes = three.map((n): DatabaseNode => {
    const [port = 0, rest = 0] = [listening[n - 1], rests[n - 1]];
    const disk = diskOf(places.folder, n);
    const isOwn = mountDisk(disk);
    const settings = places.file(`patroni${n}.yml`, patroniSettings(n, port, rest, places.folder, etcd));
    return {
      name: `postgres${n}`,
      port,
      disk: isOwn ? disk : null,
      configure: async (changes) => {
        const answer = await fetch(`http://127.0.0.1:${rest}/config`, { method: "PATCH", body: JSON.stringify(changes) });
        if (!answer.ok) throw new Error(await answer.text());
      },
      program: program("patroni", [settings], { log: places.log(`patroni${n}`), unprivileged: true, daemon: `-D ${disk}/data` }),
      isPrimary: async () => (await statusOf(`http://127.0.0.1:${rest}/primary`)) === 200,
      isStandby: async () => (await statusOf(`http://127.0.0.1:${rest}/replica`)) === 200,
    };
  });
  for (const { program: patroni } of nodes) patroni.start();
  return { nodes, rests };
}

async function startRedis(places: Places): Promise<{ readonly programs: readonly Program[]; readonly url: string }> {
  const [redisPort = 0, standbyPort = 0] = await ports(2);
  const sentinels = await ports(3);
  const server = (port: number, ...more: readonly string[]) =>
    program("redis-server", ["--port", String(port), "--dir", places.folder, "--save", "", "--appendonly", "no", ...more], {
      log: places.log(`redis${port}`),
    });
  const watch = (port: number) =>
    program(
      "redis-server",
      [
        places.file(
          `sentinel${port}.conf`,
          `port ${port}\nsentinel monitor limits 127.0.0.1 ${redisPort} 2\nsentinel down-after-milliseconds limits 3000\nsentinel failover-timeout limits 10000\n`,
        ),
        "--sentinel",
      ],
      { log: places.log(`sentinel${port}`) },
    );
  const programs = [server(redisPort), server(standbyPort, "--replicaof", "127.0.0.1", String(redisPort)), ...sentinels.map(watch)];
  for (const one of programs) one.start();
  return { programs, url: `redis+sentinel://${sentinels.map((port) => `127.0.0.1:${port}`).join(",")}/limits` };
}

/** `ops/haproxy.cfg` with this machine's ports. */
function haproxySettings(
  database: number,
  site: number,
  nodes: readonly DatabaseNode[],
  rests: readonly number[],
  sites: readonly number[],
): string {
  const ports: Readonly<Record<string, string>> = {
    "bind 127.0.0.1:5432": `bind 127.0.0.1:${database}`,
    "bind 127.0.0.1:3000": `bind 127.0.0.1:${site}`,
    ...Object.fromEntries(
      nodes.map(({ name, port }, n) => [
        `server ${name} 10.0.1.${n + 1}:5432 check port 8008`,
        `server ${name} 127.0.0.1:${port} check port ${rests[n]}`,
      ]),
    ),
    ...Object.fromEntries(sites.map((port, n) => [`server site${n + 1} 10.0.0.${n + 1}:3000`, `server site${n + 1} 127.0.0.1:${port}`])),
  };
  return Object.entries(ports).reduce(
    (file, [written, ours]) => {
      if (!file.includes(written)) throw new Error(`ops/haproxy.cfg has no "${written}".`);
      return file.replaceAll(written, ours);
    },
    readFileSync("ops/haproxy.cfg", "utf8"),
  );
}

function makePlaces(): Places {
  const folder = mkdtempSync(join(tmpdir(), "parlando-drills-"));
  // PostgreSQL runs as another user and must be able to write there.
  for (const path of ["", "logs", "archive", "restored"].map((name) => join(folder, name))) {
    mkdirSync(path, { recursive: true });
    chmodSync(path, 0o777);
  }
  return {
    folder,
    log: (name) => join(folder, "logs", `${name}.log`),
    file: (name, content) => {
      writeFileSync(join(folder, name), content, { mode: 0o666 });
      return join(folder, name);
    },
  };
}

async function primaryOf(nodes: readonly DatabaseNode[]): Promise<DatabaseNode> {
  for (const node of nodes) if (await node.isPrimary()) return node;
  throw new Error("There is no primary");
}

/** Runs a query on a new connection. @throws when it fails */
export async function query<Row extends pg.QueryResultRow>(
  { port }: { readonly port: number },
  text: string,
  database = "postgres",
): Promise<readonly Row[]> {
  const client = new pg.Client(`postgres://postgres@127.0.0.1:${port}/${database}`);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

async function untilWhole(nodes: readonly DatabaseNode[]): Promise<void> {
  const holds = async () => {
    const states = await Promise.all(nodes.map(async (node) => [await node.isPrimary(), await node.isStandby()] as const));
    return states.filter(([is]) => is).length === 1 && states.filter(([, is]) => is).length === 2;
  };
  await until("one primary and two standbys", holds, 240);
  const synchronous = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'";
  await until("a synchronous standby", async () => (await query(await primaryOf(nodes), synchronous)).length > 0);
}

const roomy = { points: 1_000_000, seconds: 60 };
const limits = JSON.stringify(Object.fromEntries(limitNames.filter((name) => name.endsWith(".network")).map((name) => [name, roomy])));

async function startProcesses(
  { folder, log }: Places,
  ports: readonly number[],
  shared: Readonly<Record<string, string>>,
): Promise<Installation["processes"]> {
  const processes = ports.map((port, n) => ({
    url: `http://127.0.0.1:${port}`,
    program: program(process.execPath, ["src/main.ts"], {
      log: log(`site${n + 1}`),
      env: {
        NODE_ENV: "",
        PORT: String(port),
        DATA_DIR: join(folder, `site${n + 1}`),
        SECRET_KEYS: "a-key-for-drills-that-is-long-enough",
        // As in production.
        DRAIN_MS: "5000",
        LIMITS: limits,
        ...shared,
      },
    }),
  }));
  for (const { program: site } of processes) site.start();
  for (const { url } of processes) await until("a process", async () => (await statusOf(`${url}/readyz/calls`)) === 200);
  return processes;
}

/** Starts the installation. If it throws, `killAll` ends the started programs. */
export async function startInstallation(): Promise<Installation> {
  const places = makePlaces();
  const etcd = await startEtcd(places);
  const { nodes, rests } = await startDatabases(places, etcd.hosts);
  const redis = await startRedis(places);
  const [databasePort = 0, sitePort = 0, ...sites] = await ports(5);
  const settings = places.file("haproxy.cfg", haproxySettings(databasePort, sitePort, nodes, rests, sites));
  program("haproxy", ["-db", "-f", settings], { log: places.log("haproxy") }).start();
  await untilWhole(nodes);
  await query(await primaryOf(nodes), "CREATE DATABASE parlando");

  const databaseUrl = `postgres://postgres@127.0.0.1:${databasePort}/parlando`;
  const siteUrl = `http://127.0.0.1:${sitePort}`;
  const processes = await startProcesses(places, sites, { PUBLIC_URL: siteUrl, DATABASE_URL: databaseUrl, REDIS_URL: redis.url });
  await until("the balancer", async () => (await statusOf(`${siteUrl}/readyz/calls`)) === 200);
  return {
    folder: places.folder,
    siteUrl,
    databaseUrl,
    etcd: etcd.programs,
    nodes,
    primary: () => primaryOf(nodes),
    whole: () => untilWhole(nodes),
    redis: redis.programs,
    processes,
    stop: async () => {
      await killAll();
      for (const { disk } of nodes) if (disk !== null) spawnSync("umount", ["--lazy", disk]);
      rmSync(places.folder, { recursive: true, force: true });
    },
  };
}
