/** Runs the doctor as a process, with real servers. */
import { openClickHouse } from "#server/events/clickhouse/client.ts";
import { createTable, tableOf } from "#server/events/clickhouse/table.ts";
import { startApi } from "#test/apiProcess.ts";
import { hasClickHouse, startClickHouse } from "#test/clickhouse.ts";
import { openSqlite } from "#server/store/sqlite.ts";
import { sampled } from "#test/sampled.ts";
import { startedEnv } from "#test/startedEnv.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import pg from "pg";
import { SMTPServer } from "smtp-server";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from "vitest";

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), "parlando-doctor-"))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const newFolder = () => mkdtempSync(join(folder, "data-"));

const secretKey = "vK3qZt8LxW1nB6yHs4RdPe9UaMf2CjGo";

/** @returns the findings by name, each as it was printed, and the exit code */
async function doctor(env: Readonly<Record<string, string>> = {}, args: readonly string[] = []) {
  const program = spawn(process.execPath, ["scripts/doctor.ts", ...args], {
    // Nothing listens on port 1, so requests to the site fail at once.
    env: { ...startedEnv, DATA_DIR: newFolder(), PUBLIC_URL: "http://127.0.0.1:1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, [code]] = await Promise.all([text(program.stdout), text(program.stderr), once(program, "exit")]);
  expect(stderr).toBe("");
  const found = new Map<string, string>();
  let last = "";
  for (const line of stdout.trimEnd().split("\n")) {
    const parts = /^(ok|warning|fault) +(.{12}) (.*)$/.exec(line);
    if (parts) {
      last = parts[2]?.trim() ?? "";
      found.set(last, [found.get(last), `${parts[1]}: ${parts[3]}`].filter(Boolean).join("\n"));
    } else found.set(last, `${found.get(last)}${line.trim()}`);
  }
  return { found, code, stdout };
}

const portOf = (server: { address: () => AddressInfo | string | null }): number => {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port");
  return address.port;
};

it("finds no fault without settings, and warns of what it cannot check", async () => {
  const { found, code } = await doctor();
  expect(found.get("node")).toBe(`ok: Node ${process.versions.node}`);
  expect(found.get("database")).toMatch(/^ok: It does not exist yet/);
  expect(found.get("proxies")).toMatch(/^warning: .*does not answer like the site.*→ Start the site/);
  expect(code).toBe(0);
  expect((await doctor({}, ["--strict"])).code).toBe(1);
});

it("reports each wrong setting as a fault, and prints no secret", async () => {
  const { found, code, stdout } = await doctor({ NODE_ENV: "production", PORT: "many", SECRET_KEYS: "hidden-key" });
  expect(found.get("settings")).toMatch(/fault: PORT must be.*\nfault: SECRET_KEYS must hold/);
  expect(stdout).not.toMatch(/hidden-key/);
  expect(code).toBe(1);
});

describe("keys", () => {
  it("warns of a weak key, and of an old key that is still set", async () => {
    const weak = await doctor({ SECRET_KEYS: "01234567899876543210012345678901" });
    expect(weak.found.get("keys")).toMatch(/^warning: The first of SECRET_KEYS holds about 80 bits→ Make one with/);
    const two = await doctor({ SECRET_KEYS: `${secretKey},${secretKey}X` });
    expect(two.found.get("keys")).toMatch(/^warning: Two keys are set/);
    expect((await doctor({ SECRET_KEYS: secretKey })).found.get("keys")).toBe("ok: One strong key");
  });
  it("reports a key file that other users may read as a fault", async () => {
    const DATA_DIR = newFolder();
    writeFileSync(join(DATA_DIR, "secret-key"), secretKey);
    chmodSync(join(DATA_DIR, "secret-key"), 0o644);
    const { found, code } = await doctor({ DATA_DIR });
    expect(found.get("keys")).toMatch(/^fault: .*can be read by other users.*→ chmod 600/);
    expect(code).toBe(1);
  });
});

describe("database", () => {
  const askBroker = async (path: string) => (await fetch(new URL(path, inject("postgresBroker")))).text();

  it("counts the pending migrations of an empty one; finds a migrated one and its clock in order", async () => {
    const empty = await doctor({ DATABASE_URL: await askBroker("") });
    expect(empty.found.get("database")).toMatch(/^ok: PostgreSQL \d+/);
    expect(empty.found.get("migrations")).toMatch(/^warning: \d+ pending, from \d{14}_\w+ on→ Make a backup/);
    const { found } = await doctor({ DATABASE_URL: await askBroker("migrated") });
    expect(found.get("migrations")).toMatch(/^ok: All \d+ applied$/);
    expect(found.get("its clock")).toMatch(/^ok: The database's clock differs by -?\d+ ms$/);
  });

  it("warns of an account that may do more than the site needs; the site runs with one that owns its database alone", async () => {
    const url = new URL(await askBroker(""));
    expect((await doctor({ DATABASE_URL: url.href })).found.get("its account")).toMatch(
      /^warning: postgres may do more than the site needs: superuser, .*→ Make an account for the site alone/,
    );
    const admin = new pg.Client({ connectionString: url.href });
    await admin.connect();
    const name = `site_${url.pathname.slice(1)}`;
    await admin.query(`CREATE ROLE ${name} LOGIN PASSWORD 'p'`);
    await admin.query(`CREATE DATABASE ${name} OWNER ${name}`);
    const own = Object.assign(new URL(url), { username: name, password: "p", pathname: `/${name}` }).href;
    const api = await startApi({ DATA_DIR: newFolder(), DATABASE_URL: own, ROUNDS: "all" });
    try {
      const answer = await fetch(`${api.base}/api/check-email`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email: "free@example.com" }),
      });
      expect(await answer.json()).toEqual({ available: true });
      const { found } = await doctor({ DATABASE_URL: own });
      expect(found.get("its account")).toBe(`ok: ${name} has rights in its own database only`);
      expect(found.get("migrations")).toMatch(/^ok: All/);
    } finally {
      await api.kill();
    }
    await admin.query(`GRANT pg_read_server_files TO ${name}`);
    expect((await doctor({ DATABASE_URL: own })).found.get("its account")).toMatch(/^warning: .* needs: pg_read_server_files→/);
    await admin.end();
  });

  it("reports a changed migration as a fault, and warns of a database that is ahead", async () => {
    const DATABASE_URL = await askBroker("migrated");
    const client = new pg.Client({ connectionString: DATABASE_URL });
    await client.connect();
    await client.query("INSERT INTO migrations VALUES ('99990101000000_later', 'x', 0)");
    expect((await doctor({ DATABASE_URL })).found.get("migrations")).toMatch(/^warning: The database is ahead of this release by 1/);
    await client.query("UPDATE migrations SET checksum = 'x' WHERE name = (SELECT min(name) FROM migrations)");
    await client.end();
    expect((await doctor({ DATABASE_URL })).found.get("migrations")).toMatch(/^fault: \d{14}_\w+ was changed/);
  });

  it("reports one that other users of the machine can read as a fault", async () => {
    const DATA_DIR = newFolder();
    const file = join(DATA_DIR, "parlando.sqlite");
    await openSqlite(file).close();
    const modes = async (ofFolder: number, ofFile: number) => {
      chmodSync(DATA_DIR, ofFolder);
      chmodSync(file, ofFile);
      return (await doctor({ DATA_DIR })).found.get("its files");
    };
    expect(await modes(0o755, 0o644)).toMatch(/^fault: .*parlando\.sqlite can be read by other users.*→ chmod go-rwx /);
    expect(await modes(0o700, 0o644)).toMatch(/^ok: /);
    expect(await modes(0o755, 0o600)).toMatch(/^ok: /);
  });

  it("reports one that does not answer, or is damaged, as a fault, without its password", async () => {
    const none = await doctor({ DATABASE_URL: "postgres://me:hidden-password@127.0.0.1:1/parlando" });
    expect(none.found.get("database")).toMatch(/^fault: The database at 127\.0\.0\.1:1\/parlando does not answer/);
    expect(none.stdout).not.toMatch(/hidden-password/);
    const DATA_DIR = newFolder();
    writeFileSync(join(DATA_DIR, "parlando.sqlite"), "no database ".repeat(1_000));
    expect((await doctor({ DATA_DIR })).found.get("database")).toMatch(/^fault: .*damaged or no/);
  });
});

describe.skipIf(!hasClickHouse)("clickhouse", () => {
  it("accepts one that answers, reports one that is down or refuses us as a fault, and warns of abandoned copies", async () => {
    const server = await startClickHouse();
    try {
      const url = await server.newDatabase();
      const found = async (CLICKHOUSE_URL: string) => {
        const told = await doctor({ CLICKHOUSE_URL });
        expect(told.stdout).not.toContain(encodeURIComponent("a key"));
        return told.found.get("clickhouse");
      };
      expect(await found(url)).toMatch(/^ok: ClickHouse \d+\.\d+\S* at 127\.0\.0\.1:\d+, database test_1$/);
      for (const name of ["a", "b"]) await openClickHouse(url).run(createTable(tableOf(name)));
      expect(await found(url)).toMatch(/^warning: .*, with 2 copies of journeys→ Erasures reach the newest alone/);
      expect(await found(url.replace("parlando:", "somebody:"))).toMatch(/^fault: .*Authentication failed.*→ Set user, password/);
      await server.stop();
      expect(await found(url)).toMatch(/^fault: .*ECONNREFUSED/);
    } finally {
      await server.remove();
    }
  });
});

describe("mail server", () => {
  async function smtpServer(options: ConstructorParameters<typeof SMTPServer>[0]) {
    const server = new SMTPServer({ closeTimeout: 10, disabledCommands: ["STARTTLS"], allowInsecureAuth: true, ...options });
    server.on("error", () => {});
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { port: portOf(server.server), close: () => new Promise<void>((resolve) => server.close(() => resolve())) };
  }

  it("accepts a successful login; names a wrong password as the cause, without printing it", async () => {
    const { port, close } = await smtpServer({
      onAuth: ({ password }, _session, done) => (password === "right" ? done(null, { user: "me" }) : done(new Error("Bad credentials"))),
    });
    expect((await doctor({ SMTP_URL: `smtp://me:right@127.0.0.1:${port}` })).found.get("mail server")).toBe(
      `ok: 127.0.0.1:${port} accepts mails from us`,
    );
    const wrong = await doctor({ SMTP_URL: `smtp://me:hidden-password@127.0.0.1:${port}` });
    expect(wrong.found.get("mail server")).toMatch(/^fault: .*Bad credentials.*→ Correct the user and password in SMTP_URL/);
    expect(wrong.stdout).not.toMatch(/hidden-password/);
    expect(wrong.code).toBe(1);
    const secure = await doctor({ SMTP_URL: `smtps://me:right@127.0.0.1:${port}` });
    expect(secure.found.get("mail server")).toMatch(/→ Use smtps:\/\/ for port 465/);
    await close();
    const gone = await doctor({ SMTP_URL: `smtp://me:right@127.0.0.1:${port}` });
    expect(gone.found.get("mail server")).toMatch(/ECONNREFUSED.*→ Nothing listens there/);
  });

  it("names a certificate of another host as the cause", async () => {
    const warned = vi.spyOn(console, "error").mockImplementation(() => {});
    const { port, close } = await smtpServer({ secure: true });
    expect(warned.mock.calls).toEqual([[expect.stringMatching("default TLS certificate")]]);
    warned.mockClear();
    const { found } = await doctor({ SMTP_URL: `smtps://127.0.0.1:${port}` });
    expect(found.get("mail server")).toMatch(/→ Use the certificate.s host name in SMTP_URL/);
    await close();
  });
});

describe("payments", () => {
  const keys = {
    PADDLE_API_KEY: "pdl_sdbx_apikey_01",
    PADDLE_CLIENT_TOKEN: "test_01",
    PADDLE_WEBHOOK_SECRET: "pdl_ntfset_01",
    PADDLE_PRICES: '{"subscription-3m-mxn":"pri_01"}',
  };
  const said = async (env: Readonly<Record<string, string>>) => (await doctor({ ...keys, ...env })).found.get("payments");

  it("checks the keys' format, their environment and the prices", async () => {
    expect(await said({})).toMatch(/^warning: \d+ of \d+ products have no price/);
    const production = {
      NODE_ENV: "production",
      SECRET_KEYS: secretKey,
      PUBLIC_URL: "https://parlando.invalid",
      SMTP_URL: "smtp://127.0.0.1:1",
      PADDLE_ENVIRONMENT: "production",
    };
    expect(await said(production)).toMatch(/^fault: PADDLE_API_KEY is a sandbox key, but .* is production/);
    expect(await said({ PADDLE_CLIENT_TOKEN: "pdl_sdbx_apikey_01" })).toMatch(
      /^fault: PADDLE_CLIENT_TOKEN does not begin like Paddle's keys/,
    );
    expect(await said({ PADDLE_WEBHOOK_SECRET: "ntfset_01" })).toMatch(/^fault: PADDLE_WEBHOOK_SECRET does not begin with pdl_ntfset_/);
    expect(await said({ PADDLE_PRICES: "{}" })).toMatch(/^fault: No product has a price/);
  });
});

describe("proxies in front of a running site", () => {
  const ends: (() => unknown)[] = [];
  afterEach(() => Promise.all(ends.splice(0).map((end) => end())));
  /** A proxy that appends the sender to X-Forwarded-For, or with `anew` replaces the header. */
  async function proxy(target: () => string, anew = false): Promise<{ base: string }> {
    const server = createServer((incoming, answer) => {
      const before = anew ? [] : [incoming.headers["x-forwarded-for"] ?? []].flat();
      const headers = { ...incoming.headers, "x-forwarded-for": [...before, incoming.socket.remoteAddress].join(", ") };
      incoming.pipe(
        request(target() + incoming.url, { headers, method: incoming.method ?? "GET" }, (response) => {
          answer.writeHead(response.statusCode ?? 502, response.headers);
          response.pipe(answer);
        }),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    ends.push(() => server.close());
    return { base: `http://127.0.0.1:${portOf(server)}` };
  }

  it.each(
    sampled(
      [
        ["a first proxy that replaces the header", true, [2]],
        ["proxies that add", false, [1, 2, 3]],
      ] as const,
      1,
    ),
  )("%s: accepts the right count, and names it in the fault for a wrong one", async (_, anew, counts) => {
    const right = 2;
    let site = "";
    const inner = await proxy(() => site);
    const outer = await proxy(() => inner.base, anew);
    for (const hops of counts) {
      const api = await startApi({ DATA_DIR: newFolder(), SECRET_KEYS: secretKey, PROXY_HOPS: String(hops) });
      ends.push(api.kill);
      site = api.base;
      const { found } = await doctor({ PUBLIC_URL: outer.base, SECRET_KEYS: secretKey });
      expect(found.get("proxies")).toMatch(
        hops === right
          ? /^ok: 2 in front of us/
          : hops < right
            ? /^fault: PROXY_HOPS is 1, but 2 proxies are in front of us→ Set it to 2: now all visitors count as one/
            : /^fault: PROXY_HOPS is 3, but 2 proxies are in front of us→ Set it to 2: now a visitor can claim any address/,
      );
      if (hops === right) {
        const stranger = await doctor({ PUBLIC_URL: outer.base, SECRET_KEYS: `${secretKey}X` });
        expect(stranger.found.get("proxies")).toMatch(/^warning: .* does not know these SECRET_KEYS/);
        expect((await fetch(`${outer.base}/proxies`)).status).toBe(404);
      }
    }
  });
});
