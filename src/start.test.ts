/** A program that cannot start says why in one sentence. */
import { readEnv } from "#server/env.ts";
import { randomBytes } from "node:crypto";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { sampled } from "#test/sampled.ts";
import { startedEnv } from "#test/startedEnv.ts";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { sentencesOf } from "./startFailure.ts";

const main = resolve("src/main.ts");
const buildFirst = "The build in build/ is missing or incomplete: run npm run build.";
let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), "parlando-start-"))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts the program; it must end by itself. @returns what it wrote to stderr, and its exit code */
async function refusedStart(env: Readonly<Record<string, string>>, cwd = process.cwd()) {
  const program = spawn(process.execPath, [main], {
    cwd,
    env: { ...startedEnv, DATA_DIR: mkdtempSync(join(folder, "data-")), PORT: "0", ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [stderr, [code]] = await Promise.all([text(program.stderr), once(program, "exit")]);
  return { stderr, code };
}
const dataDir = (make: (path: string) => void) => {
  const path = mkdtempSync(join(folder, "data-"));
  make(path);
  return path;
};

describe("a program that cannot start says why in one sentence", () => {
  const cases: Readonly<Record<string, readonly [() => Readonly<Record<string, string>>, RegExp]>> = {
    "data folder that is a file": [
      () => ({
        DATA_DIR: dataDir((path) => {
          rmSync(path, { recursive: true });
          writeFileSync(path, "");
        }),
      }),
      /cannot be written: DATA_DIR must be a folder/,
    ],
    "data folder below a file": [
      () => ({
        DATA_DIR: join(
          dataDir((path) => writeFileSync(join(path, "file"), "")),
          "file/data",
        ),
      }),
      /cannot be written: DATA_DIR must be a folder/,
    ],
    "file that is not a database": [
      () => ({ DATA_DIR: dataDir((path) => writeFileSync(join(path, "parlando.sqlite"), randomBytes(8_192))) }),
      /parlando\.sqlite is damaged or not a database/,
    ],
    "database that is damaged": [
      () => ({
        DATA_DIR: dataDir((path) => {
          const file = join(path, "parlando.sqlite");
          const database = new DatabaseSync(file);
          database.exec("CREATE TABLE migrations (name TEXT PRIMARY KEY, checksum TEXT, applied_at BIGINT)");
          for (let n = 0; n < 500; n++) database.prepare("INSERT INTO migrations VALUES (?, ?, 1)").run(`m${n}`, "x".repeat(200));
          database.close();
          const bytes = readFileSync(file);
          bytes.fill(0xff, 4_096);
          writeFileSync(file, bytes);
        }),
      }),
      /parlando\.sqlite is damaged or not a database/,
    ],
    "empty key file, as a full disk leaves it": [
      () => ({ DATA_DIR: dataDir((path) => writeFileSync(join(path, "secret-key"), "")) }),
      /secret-key must hold a key of at least 32 characters, but does not: delete it/,
    ],
    "database that does not answer": [
      () => ({ DATABASE_URL: "postgres://me:hidden-password@127.0.0.1:1/parlando" }),
      /The database at 127\.0\.0\.1:1\/parlando does not answer/,
    ],
    "unknown version in RAFFLE": [
      () => ({ RAFFLE: '{"es-419":{"76":1,"aimx":1,"12":1}}' }),
      /RAFFLE must name known versions \(.*76.*aimx\), not 12\./,
    ],
    "secret of the wrong shape": [
      () => ({ METRICS_TOKEN: "hidden-password" }),
      /METRICS_TOKEN must be at least 16 characters long, but is not\./,
    ],
    "live payments with the mailbox": [
      () => ({ PADDLE_API_KEY: "pdl_live_apikey_01", PADDLE_CLIENT_TOKEN: "live_1", PADDLE_WEBHOOK_SECRET: "pdl_ntfset_1" }),
      /Paddle's live keys are for production with SMTP_URL/,
    ],
  };
  it.each(sampled(Object.entries(cases), 4))("%s", async (_, [env, sentence]) => {
    const { stderr, code } = await refusedStart(env());
    expect(stderr.trim()).toMatch(sentence);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).not.toMatch(/hidden-password|\n\s+at /);
    expect(code).toBe(1);
  });

  it("database that another program has locked", async () => {
    const path = mkdtempSync(join(folder, "data-"));
    const other = new DatabaseSync(join(path, "parlando.sqlite"));
    other.exec("BEGIN EXCLUSIVE");
    const { stderr } = await refusedStart({ DATA_DIR: path });
    expect(stderr.trim()).toMatch(/parlando\.sqlite is locked by another program/);
    other.close();
  });

  it("half of a built site", async () => {
    const cwd = mkdtempSync(join(folder, "cwd-"));
    mkdirSync(join(cwd, "build/server"), { recursive: true });
    writeFileSync(join(cwd, "build/server/entry-server.js"), "");
    const { stderr, code } = await refusedStart({}, cwd);
    expect(stderr.trim()).toBe(buildFirst);
    expect(code).toBe(1);
  });

  it("missing database on a server that answers", async () => {
    const url = new URL(await (await fetch(inject("postgresBroker"))).text());
    url.pathname = "/nobody-made-this";
    const { stderr } = await refusedStart({ DATABASE_URL: String(url) });
    expect(stderr.trim()).toMatch(/^There is no database at .*\/nobody-made-this: create it/);
  });
});

it("no built site is the reason that is given, and only its own user can read the files that were written by then, whatever the umask", async () => {
  const path = join(mkdtempSync(join(folder, "data-")), "made");
  const program = spawn("sh", ["-c", 'umask 022; exec "$0" "$1"', process.execPath, main], {
    cwd: mkdtempSync(join(folder, "cwd-")),
    env: { ...startedEnv, DATA_DIR: path, PORT: "0" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [stderr, [code]] = await Promise.all([text(program.stderr), once(program, "exit")]);
  expect([stderr.trim(), code]).toEqual([buildFirst, 1]);
  const files = readdirSync(path);
  expect(files).toEqual(expect.arrayContaining(["parlando.sqlite", "paddle-standin.sqlite", "secret-key"]));
  const openToOthers = ["", ...files].filter((file) => (statSync(join(path, file)).mode & 0o077) !== 0);
  expect(openToOthers).toEqual([]);
});

describe("an address or port that cannot be listened on is named", () => {
  async function refusedListen(host: string, port: number): Promise<readonly string[]> {
    const settings = { ...readEnv({ NODE_ENV: "test" }, () => "a-key-for-tests-that-is-long-enough"), host, port };
    const [error] = await once(createServer().listen(port, host), "error").catch((error: unknown) => [error]);
    return sentencesOf(error, settings);
  }
  it("a port that is taken", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const address = taken.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    expect(await refusedListen("127.0.0.1", port)).toEqual([`The port ${port} is in use already: set PORT to another one.`]);
    taken.close();
  });
  it("an address of another machine", async () => {
    expect(await refusedListen("192.0.2.1", 0)).toEqual(['HOST must be an address of this machine, but is "192.0.2.1".']);
  });
});
