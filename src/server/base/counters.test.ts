/** All kinds of counters pass the same cases. Processes that share a counter share one limit. */
import { createLimits, type Limits } from "#server/base/limits.ts";
import { openCounters } from "#server/base/openCounters.ts";
import type { Settings } from "#server/base/settings.ts";
import { freePort } from "#test/freePort.ts";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, inject, it, vi } from "vitest";
import pg from "pg";

const secretKeys: Settings["secretKeys"] = ["a-key-for-tests-that-is-long-enough"];
const overrides = {
  "login.network": { points: 4, seconds: 60 },
  "token.network": { points: 2, seconds: 1 },
  "events.network": { points: 6, seconds: 60 },
} as const;
const dayMs = 24 * 60 * 60_000;
const here = "203.0.113.9";
const hasRedis = spawnSync("redis-server", ["--version"]).status === 0;

interface Place {
  readonly redisUrl: string | null;
  readonly databaseUrl: string | null;
  /** Makes the counter unreachable. */
  readonly stop: () => Promise<unknown>;
  readonly start: () => Promise<unknown>;
  /** Makes the counter take questions without answering. @returns a function that lets it answer, and returns the number of questions meanwhile */
  readonly freeze: () => Promise<() => Promise<number>>;
}

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function redis(): Promise<Place> {
  const port = await freePort();
  const dir = mkdtempSync(join(tmpdir(), "parlando-redis-"));
  let server: ChildProcess | null = null;
  const start = async () => {
    server = spawn("redis-server", ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", dir], { stdio: "ignore" });
    while (!(await answers(port))) await sleep(20);
  };
  const stop = async () => {
    const ended = server === null ? null : once(server, "exit");
    server?.kill("SIGKILL");
    await ended;
    server = null;
  };
  await start();
  closers.push(async () => server !== null && stop());
  const redisUrl = `redis://127.0.0.1:${port}`;
  const freeze = async () => {
    server?.kill("SIGSTOP");
    return async () => {
      server?.kill("SIGCONT");
      // Each question was about another key.
      return Number(spawnSync("redis-cli", ["-u", redisUrl, "dbsize"], { encoding: "utf8" }).stdout.replace(/\D/g, ""));
    };
  };
  return { redisUrl, databaseUrl: null, stop, start, freeze };
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });

async function postgres(): Promise<Place> {
  const databaseUrl = await (await fetch(new URL("migrated", inject("postgresBroker")))).text();
  const own = new pg.Client({ connectionString: databaseUrl });
  await own.connect();
  closers.push(() => own.end());
  return {
    redisUrl: null,
    databaseUrl,
    stop: () => own.query("ALTER TABLE limit_counts RENAME TO limit_counts_away"),
    start: () => own.query("ALTER TABLE limit_counts_away RENAME TO limit_counts"),
    freeze: async () => {
      await own.query("BEGIN");
      await own.query("LOCK TABLE limit_counts");
      return async () => {
        const { rows } = await own.query("SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'limit_counts'::regclass");
        await own.query("COMMIT");
        return Number(rows[0].count);
      };
    },
  };
}

const memory = async (): Promise<Place> => ({
  redisUrl: null,
  databaseUrl: null,
  stop: async () => {},
  start: async () => {},
  freeze: async () => async () => 0,
});

/** The limits of one process that uses these counters. */
async function limitsAt({ redisUrl, databaseUrl }: Place): Promise<Limits> {
  const counters = openCounters({ redisUrl, databaseUrl, processes: 2, secretKeys }, () => {});
  closers.push(counters.close);
  const limits = createLimits(overrides, () => {}, counters);
  await expect.poll(counters.away).toBe(false);
  return limits;
}

/** The points that the one key of this place has used. */
async function pointsOf({ redisUrl, databaseUrl }: Place): Promise<number> {
  if (databaseUrl === null) {
    const script = "return redis.call('get', redis.call('keys', '*')[1])";
    return Number(spawnSync("redis-cli", ["-u", redisUrl ?? "", "eval", script, "0"], { encoding: "utf8" }).stdout);
  }
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query("SELECT points FROM limit_counts");
  await client.end();
  expect(rows.length).toBe(1);
  return Number(rows[0].points);
}

const places = [
  ["in memory", memory, true],
  ["in PostgreSQL", postgres, true],
  // Not every machine has Redis; memory and PostgreSQL run the same cases there.
  ["in Redis", redis, hasRedis],
] as const;

describe.each(places)("limits counted %s", (_, placeOf, isThere) => {
  it.runIf(isThere)("allow the configured number, tell the next caller how long to wait, and return points", async () => {
    const limits = await limitsAt(await placeOf());
    for (let n = 0; n < 4; n++) expect(await limits.take("login.network", here)).toBeNull();
    const refusal = await limits.take("login.network", here);
    expect(refusal).toMatchObject({ code: 1429 });
    expect(refusal?.retryAfterSeconds).toBeGreaterThan(0);
    expect(refusal?.retryAfterSeconds).toBeLessThanOrEqual(60);
    expect(await limits.take("login.network", "203.0.113.10")).toBeNull();
    await limits.giveBack("login.network", here);
    await limits.giveBack("login.network", here);
    expect(await limits.take("login.network", here)).toBeNull();
  });

  it.runIf(isThere)("count the same wrong try once for a network, where the limit names what is tried", async () => {
    const limits = await limitsAt(await placeOf());
    const wrong = async () => ({ good: false, found: "nothing" });
    const guess = (network: string, tried?: string) => limits.guess("login.network", network, wrong, tried);
    for (const code of ["A", "A", "B", "A", "B", "C", "C"]) expect(await guess(here, code)).toBe("nothing");
    expect(await guess(here)).toBe("nothing");
    expect(await guess(here, "A")).toMatchObject({ code: 1429 });
    for (let n = 0; n < 4; n++) expect(await guess("203.0.113.10")).toBe("nothing");
    expect(await guess("203.0.113.10")).toMatchObject({ code: 1429 });
  });

  it.runIf(isThere)("begin anew after their time, also if this machine's clock was a day ahead and is corrected meanwhile", async () => {
    const limits = await limitsAt(await placeOf());
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + dayMs });
    closers.push(async () => void vi.useRealTimers());
    const take = () => limits.take("token.network", here);
    for (let n = 0; n < 2; n++) expect(await take()).toBeNull();
    vi.setSystemTime(Date.now() - dayMs);
    await expect.poll(take, { interval: 200 }).toBeNull();
  });

  it.runIf(isThere)("make each wrong password wait longer, until one is right", async () => {
    const limits = await limitsAt(await placeOf());
    const guess = { email: "ana@example.com", guesser: "somebody", proven: false };
    for (let n = 0; n < 10; n++) expect(await limits.takeLogin(guess)).toBeNull();
    expect(await limits.takeLogin(guess)).toMatchObject({ retryAfterSeconds: 60 });
    expect(await limits.takeLogin(guess)).toMatchObject({ code: 1429 });
    expect(await limits.takeLogin({ ...guess, guesser: "somebody else" })).toBeNull();
    await limits.loginSucceeded(guess);
    expect(await limits.takeLogin(guess)).toBeNull();
  });
});

it("limits counted in PostgreSQL begin anew after the database's clock was set back a day", async () => {
  const place = await postgres();
  const limits = await limitsAt(place);
  const guess = { email: "ana@example.com", guesser: "somebody", proven: false };
  for (let n = 0; n < 11; n++) await limits.takeLogin(guess);
  for (let n = 0; n < 4; n++) await limits.take("login.network", here);
  const client = new pg.Client({ connectionString: place.databaseUrl ?? "" });
  await client.connect();
  closers.push(() => client.end());
  await client.query("UPDATE limit_counts SET expire = expire + $1", [dayMs]);
  const another = await limitsAt(place);
  expect(await another.take("login.network", here)).toBeNull();
  expect(await another.takeLogin(guess)).toBeNull();
});

/** Forwards connections to a port. @returns its port, and a function that swallows, without a reset, what the connections of this moment send */
async function swallowingProxy(port: number): Promise<{ readonly port: number; readonly swallow: () => void }> {
  const open = new Set<Socket>();
  const server = createServer((client) => {
    open.add(client);
    const behind = connect(port, "127.0.0.1");
    client.pipe(behind).pipe(client);
    for (const socket of [client, behind]) socket.on("error", () => undefined);
  });
  const own = await freePort();
  await new Promise<void>((resolve) => server.listen(own, "127.0.0.1", resolve));
  closers.push(async () => {
    for (const client of open) client.destroy();
    server.close();
  });
  const swallow = () => {
    for (const client of open) client.unpipe().on("data", () => undefined);
  };
  return { port: own, swallow };
}

it.runIf(hasRedis)("limits are shared again after a network has swallowed the connection to Redis without a reset", async () => {
  const place = await redis();
  const proxy = await swallowingProxy(Number(new URL(place.redisUrl ?? "").port));
  const limits = await limitsAt({ ...place, redisUrl: `redis://127.0.0.1:${proxy.port}` });
  proxy.swallow();
  expect(await limits.take("login.network", here)).toBeNull();
  const other = await limitsAt(place);
  const isShared = async () => {
    await limits.take("login.network", here);
    return (await other.take("login.network", here, 0)) !== null;
  };
  await expect.poll(isShared, { interval: 200 }).toBe(true);
});

describe.each(places.slice(1))("limits shared %s", (_, placeOf, isThere) => {
  it.runIf(isThere)("are one limit for all processes", async () => {
    const place = await placeOf();
    const [one, other] = [await limitsAt(place), await limitsAt(place)];
    for (const limits of [one, other, one, other]) expect(await limits.take("login.network", here)).toBeNull();
    for (const limits of [one, other]) expect(await limits.take("login.network", here)).toMatchObject({ code: 1429 });
  });

  it.runIf(isThere)("fall back to each process's share during an outage, keep unguarded limits open, and recover", async () => {
    const place = await placeOf();
    const limits = await limitsAt(place);
    await place.stop();
    for (let n = 0; n < 2; n++) expect(await limits.take("login.network", here)).toBeNull();
    expect(await limits.take("login.network", here)).toMatchObject({ code: 1429 });
    for (let n = 0; n < 6; n++) expect(await limits.take("events.network", here)).toBeNull();
    await place.start();
    await expect.poll(() => limits.take("login.network", here)).toBeNull();
  });

  it.runIf(isThere)("are asked once a second by whoever goes on calling above a limit, however many calls come at once", async () => {
    const place = await placeOf();
    const limits = await limitsAt(place);
    const clock = vi.spyOn(performance, "now");
    closers.push(async () => clock.mockRestore());
    const at = performance.now();
    clock.mockReturnValue(at);
    await Promise.all(Array.from({ length: 50 }, () => limits.take("login.network", here)));
    const counted = await pointsOf(place);
    expect(counted).toBeLessThan(4 + 8 + 1);
    for (let n = 0; n < 20; n++) expect(await limits.take("login.network", here)).toMatchObject({ code: 1429 });
    expect(await pointsOf(place)).toBe(counted);
    clock.mockReturnValue(at + 1_001);
    await Promise.all(Array.from({ length: 20 }, () => limits.take("login.network", here)));
    expect(await pointsOf(place)).toBe(counted + 1);
    // Points that are given back count at once.
    for (let n = 0; n <= counted; n++) await limits.giveBack("login.network", here);
    expect(await limits.take("login.network", here)).toBeNull();
  });

  it.runIf(isThere)("are asked once a second while they do not answer, and nobody else waits for them", async () => {
    const place = await placeOf();
    const limits = await limitsAt(place);
    const clock = vi.spyOn(performance, "now");
    closers.push(async () => clock.mockRestore());
    const at = performance.now();
    clock.mockReturnValue(at);
    const thaw = await place.freeze();
    const callers = (first: number) =>
      Promise.all(Array.from({ length: 20 }, (_, n) => limits.take("login.network", `203.0.113.${first + n}`)));
    expect(await limits.take("login.network", here)).toBeNull();
    await callers(20);
    clock.mockReturnValue(at + 1_001);
    expect(await callers(40)).toEqual(Array.from({ length: 20 }, () => null));
    expect(await thaw()).toBe(2);
    clock.mockRestore();
    const other = await limitsAt(place);
    const isShared = async () => {
      await limits.take("login.network", "203.0.113.60");
      return (await other.take("login.network", "203.0.113.60", 0)) !== null;
    };
    await expect.poll(isShared).toBe(true);
  });

  it.runIf(isThere)("store neither addresses nor networks", async () => {
    const place = await placeOf();
    const limits = await limitsAt(place);
    await limits.take("login.email", "ana@example.com");
    await limits.take("login.network", here);
    if (place.databaseUrl === null) {
      const { stdout } = spawnSync("redis-cli", ["-u", place.redisUrl ?? "", "keys", "*"], { encoding: "utf8" });
      expect(stdout).toContain("limit:login.email");
      expect(stdout).not.toMatch(/ana|203\.0/);
      return;
    }
    const client = new pg.Client({ connectionString: place.databaseUrl });
    await client.connect();
    const { rows } = await client.query("SELECT key FROM limit_counts");
    await client.end();
    expect(rows.length).toBe(2);
    expect(JSON.stringify(rows)).not.toMatch(/ana|203\.0/);
  });
});
