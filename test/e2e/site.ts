/**
 * A real server for a browser test: the built site with its own port and data folder, on SQLite. A worker's tests with equal settings share
 * one; a test that kills its server starts another.
 */
import { freePort } from "#test/freePort.ts";
import { limitNames } from "#server/base/limits.ts";
import { test as base } from "@playwright/test";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { hangingWait } from "../patience.ts";
import { long } from "../sampled.ts";

export interface RunningSite {
  readonly url: string;
  /** Kills the process, like a power cut. */
  readonly kill: () => Promise<void>;
  /** Ends the process by SIGTERM. @returns its exit code */
  readonly end: () => Promise<number | null>;
  /** Starts it again on the same port and data. */
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** The server's output since its start. */
  readonly log: () => string;
  /** Reads the database file, also while the server runs. */
  readonly rows: (sql: string, ...values: readonly string[]) => readonly Record<string, unknown>[];
  /** Changes the database file, to simulate the passing of time or an older release. */
  readonly change: (sql: string, ...values: readonly string[]) => void;
}

/** Raised limits per network, because all visitors of a test share one. Limits per account are unchanged. */
const roomy = { points: 1_000_000, seconds: 60 };
const limits = JSON.stringify(
  Object.fromEntries(
    [...limitNames.filter((name) => name.endsWith(".network")), "login-link.minute", "forgot-password.minute"].map((name) => [name, roomy]),
  ),
);

/** Settings that configure every third-party service that pages load, with the visitor's country in a header. */
export const thirdPartyServices = {
  COUNTRY_HEADER: "cf-ipcountry",
  TAG_MANAGER_ID: "GTM-TEST",
  ANALYTICS_ID: "G-TEST1",
  BRAZE_KEY: "key",
  BRAZE_URL: "sdk.fra-01.braze.eu",
  CHAT_VENDOR: "zendesk",
  CHAT_KEY: "key",
};

/** Disables load shedding, because other work of the test machine would trigger it. */
const sameOnAnyMachine = { NODE_ENV: "", LIMITS: limits, BUSY_AFTER_MS: "0" };

/**
 * @param env added to the server's environment
 * @param root whose `build` is served
 */
export { freePort };

export async function startSite(env: Readonly<Record<string, string>> = {}, root = process.cwd()): Promise<RunningSite> {
  const port = await freePort();
  const dataDir = env["DATA_DIR"] ?? mkdtempSync(join(tmpdir(), "parlando-journey-"));
  const url = `http://localhost:${port}`;
  let child: ChildProcess | null = null;
  let output = "";

  async function start(): Promise<void> {
    output = "";
    const started = spawn(process.execPath, ["src/main.ts"], {
      env: { ...process.env, ...sameOnAnyMachine, PORT: String(port), DATA_DIR: dataDir, PUBLIC_URL: url, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      cwd: root,
    });
    child = started;
    started.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    started.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    for (const began = Date.now(); Date.now() - began < hangingWait;) {
      if (started.exitCode !== null) throw new Error(`the server ended with ${started.exitCode}:\n${output}`);
      const ready = await fetch(`${url}/readyz`).then(
        (response) => response.ok,
        () => false,
      );
      if (ready) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`the server did not become ready:\n${output}`);
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
    url,
    kill: async () => void (await end("SIGKILL")),
    end: () => end("SIGTERM"),
    restart: start,
    stop: async () => {
      await end("SIGTERM");
      rmSync(dataDir, { recursive: true, force: true });
    },
    log: () => output,
    rows: (sql, ...values) => {
      const database = new DatabaseSync(join(dataDir, "parlando.sqlite"), { readOnly: true, timeout: hangingWait });
      try {
        return database.prepare(sql).all(...values);
      } finally {
        database.close();
      }
    },
    change: (sql, ...values) => {
      const database = new DatabaseSync(join(dataDir, "parlando.sqlite"), { timeout: hangingWait });
      try {
        database.prepare(sql).run(...values);
      } finally {
        database.close();
      }
    },
  };
}

type Settings = Readonly<Record<string, string>>;

/** Each worker starts a site for each of the settings that its tests have: other workers would also start other browsers. */
export const test = base.extend<
  { readonly settings: Settings; readonly site: RunningSite },
  { readonly siteWith: (settings: Settings) => Promise<RunningSite> }
>({
  settings: [{}, { option: true }],
  siteWith: [
    async ({}, use) => {
      const sites = new Map<string, Promise<RunningSite>>();
      await use((settings) => {
        const name = JSON.stringify(settings);
        const site = sites.get(name) ?? startSite(settings);
        sites.set(name, site);
        return site;
      });
      for (const site of sites.values()) await (await site).stop();
    },
    { scope: "worker" },
  ],
  site: async ({ siteWith, settings }, use) => use(await siteWith(settings)),
});
/** A slow test beside quicker ones of the same kind: `npm run test:long` runs it. */
export const longTest = long ? test : test.skip;
export { expect } from "@playwright/test";
