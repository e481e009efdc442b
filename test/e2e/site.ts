/**
 * A real server for a browser test: the built site with its own port and data folder, on SQLite. Tests with equal settings share one
 * (`sharedSites.ts`); a test that ends or restarts its server, or counts everything in it, starts its own.
 */
import { freePort } from "#test/freePort.ts";
import { limitNames } from "#server/base/limits.ts";
import { test as base } from "@playwright/test";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as v from "valibot";
import { hangingWait } from "../patience.ts";
import { long } from "../sampled.ts";

/** What another process needs to use a running site. */
export interface SiteAddress {
  readonly url: string;
  readonly dataDir: string;
}

export interface RunningSite extends SiteAddress {
  /** The server's output since its start. */
  readonly log: () => string;
  /** Reads the database file, also while the server runs. */
  readonly rows: (sql: string, ...values: readonly string[]) => readonly Record<string, unknown>[];
  /** Changes the database file, to simulate the passing of time or an older release. */
  readonly change: (sql: string, ...values: readonly string[]) => void;
}

export interface OwnSite extends RunningSite {
  /** Kills the process, like a power cut. */
  readonly kill: () => Promise<void>;
  /** Ends the process by SIGTERM. @returns its exit code */
  readonly end: () => Promise<number | null>;
  /** Starts it again on the same port and data. */
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Raised limits per network, because all visitors of a test share one. Limits per account are unchanged. */
const roomy = { points: 1_000_000, seconds: 60 };
const limits = JSON.stringify(
  Object.fromEntries(
    [...limitNames.filter((name) => name.endsWith(".network")), "login-link.minute", "forgot-password.minute"].map((name) => [name, roomy]),
  ),
);

/** The header with the visitor's country. */
export const countryHeader = "cf-ipcountry";

/** Settings that configure every third-party service that pages load. */
export const thirdPartyServices = {
  TAG_MANAGER_ID: "GTM-TEST",
  ANALYTICS_ID: "G-TEST1",
  BRAZE_KEY: "key",
  BRAZE_URL: "sdk.fra-01.braze.eu",
  CHAT_VENDOR: "zendesk",
  CHAT_KEY: "key",
};

/** Load shedding is off, because other work of the test machine would trigger it. */
const sameOnAnyMachine = { NODE_ENV: "", LIMITS: limits, BUSY_AFTER_MS: "0", COUNTRY_HEADER: countryHeader };

export { freePort };

const logOf = (dataDir: string) => `${dataDir}.log`;

/** Uses a site that runs, in this process or another. */
export function joinSite({ url, dataDir }: SiteAddress): RunningSite {
  function withDatabase<T>(readOnly: boolean, use: (database: DatabaseSync) => T): T {
    const database = new DatabaseSync(join(dataDir, "parlando.sqlite"), { readOnly, timeout: hangingWait });
    try {
      return use(database);
    } finally {
      database.close();
    }
  }
  return {
    url,
    dataDir,
    log: () => readFileSync(logOf(dataDir), "utf8"),
    rows: (sql, ...values) => withDatabase(true, (database) => database.prepare(sql).all(...values)),
    change: (sql, ...values) => void withDatabase(false, (database) => database.prepare(sql).run(...values)),
  };
}

/**
 * @param env added to the server's environment
 * @param root whose `build` is served
 */
export async function startSite(env: Readonly<Record<string, string>> = {}, root = process.cwd()): Promise<OwnSite> {
  const port = await freePort();
  const dataDir = env["DATA_DIR"] ?? mkdtempSync(join(tmpdir(), "parlando-journey-"));
  const url = `http://localhost:${port}`;
  const site = joinSite({ url, dataDir });
  let child: ChildProcess | null = null;

  async function start(): Promise<void> {
    const output = openSync(logOf(dataDir), "w");
    const started = spawn(process.execPath, ["src/main.ts"], {
      env: { ...process.env, ...sameOnAnyMachine, PORT: String(port), DATA_DIR: dataDir, PUBLIC_URL: url, ...env },
      stdio: ["ignore", output, output],
      cwd: root,
    });
    closeSync(output);
    child = started;
    for (const began = Date.now(); Date.now() - began < hangingWait;) {
      if (started.exitCode !== null) throw new Error(`the server ended with ${started.exitCode}:\n${site.log()}`);
      const ready = await fetch(`${url}/readyz`).then(
        (response) => response.ok,
        () => false,
      );
      if (ready) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`the server did not become ready:\n${site.log()}`);
  }
  async function end(signal: "SIGKILL" | "SIGTERM"): Promise<number | null> {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
    return child.exitCode;
  }

  await start();
  return {
    ...site,
    kill: async () => void (await end("SIGKILL")),
    end: () => end("SIGTERM"),
    restart: start,
    stop: async () => {
      await end("SIGTERM");
      rmSync(dataDir, { recursive: true, force: true });
      rmSync(logOf(dataDir), { force: true });
    },
  };
}

type Settings = Readonly<Record<string, string>>;

/** The environment's variable with the URL that starts shared sites (`sharedSites.ts`). */
export const brokerVariable = "TEST_SITES";
const addressSchema = v.object({ url: v.string(), dataDir: v.string() });

async function sharedSite(settings: Settings): Promise<RunningSite> {
  const response = await fetch(process.env[brokerVariable] ?? "", { method: "POST", body: JSON.stringify(settings) });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return joinSite(v.parse(addressSchema, JSON.parse(text)));
}

export const test = base.extend<{
  /** Added to the environment of the test's site. */
  readonly settings: Settings;
  readonly site: RunningSite;
}>({
  settings: [{}, { option: true }],
  site: async ({ settings }, use) => use(await sharedSite(settings)),
});
/** A slow test beside quicker ones of the same kind: `npm run test:long` runs it. */
export const longTest = long ? test : test.skip;
export { expect } from "@playwright/test";
