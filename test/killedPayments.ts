/** For tests: webhooks to a server process on either database that is killed while it works. */
import { goodCard, paymentBed, webhookSecret } from "#test/payments.ts";
import type { PaymentProviderName } from "#core/products.ts";
import { entitlementStatusOf } from "#server/payments/entitlement.ts";
import { migrate } from "#server/store/migrate.ts";
import { openPatiently } from "#test/patientPostgres.ts";
import { openSqlite } from "#server/store/sqlite.ts";
import type { Store } from "#server/store/store.ts";
import { signature } from "#standins/paddle/deliveries.ts";
import type { DatabaseKind } from "#test/app.ts";
import { startedEnv } from "#test/startedEnv.ts";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject } from "vitest";

const dayMs = 86_400_000;

/** A webhook from a provider. Paddle Billing signs each attempt again, because the signature contains the time. */
export interface Hook {
  readonly provider: PaymentProviderName;
  readonly raw: Buffer;
}
const paths = { paddlebilling: "webhooks/paddle-billing", paddle: "webhooks/paddle-classic" } as const;

/** Options of a server's start, apart from the database. */
export interface StartOptions {
  readonly secrets?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface RunningServer {
  /** Base URL; null when the server ended before it listened. */
  readonly base: string | null;
  readonly hasEnded: () => boolean;
  /** Sends a webhook. @returns status and duration, ms; null when the connection broke */
  readonly post: (
    hook: Hook,
    secrets?: readonly string[],
    aheadMs?: number,
  ) => Promise<{ readonly status: number; readonly ms: number } | null>;
  /** Moves its clock on by LEAP_MS. */
  readonly leap: () => void;
  readonly kill: () => Promise<void>;
}

export interface Grounds {
  readonly store: Store;
  readonly start: (options?: StartOptions) => Promise<RunningServer>;
  /** Buys a month. @returns the account and the undelivered webhooks */
  readonly buy: (provider: PaymentProviderName) => Promise<{ readonly account: string; readonly hooks: readonly Hook[] }>;
  /** The providers' new webhooks, in order. */
  readonly sent: () => readonly Hook[];
  readonly bed: Awaited<ReturnType<typeof paymentBed>>;
  readonly unapplied: () => Promise<number>;
  /** An account's entitlements (`status for N days`), statuses of orders, and receipts. */
  readonly outcomeOf: (account: string) => Promise<{
    readonly entitlements: readonly string[];
    readonly orders: readonly string[];
    readonly receipts: number;
  }>;
  readonly close: () => Promise<void>;
}

/** Creates a database with the catalogue, and stand-ins whose webhooks the test delivers. */
export async function preparePayments(kind: DatabaseKind): Promise<Grounds> {
  const dataDir = mkdtempSync(join(tmpdir(), "parlando-killed-"));
  const databaseUrl = kind === "postgres" ? await (await fetch(inject("postgresBroker"))).text() : null;
  const store = databaseUrl === null ? openSqlite(join(dataDir, "parlando.sqlite")) : openPatiently(databaseUrl);
  await migrate(store, Date.now());
  const kept: Hook[] = [];
  const bed = await paymentBed(store, async (provider, raw) => kept.push({ provider, raw }) > 0);
  bed.clock.now = Date.now();
  const sent = () => kept.splice(0);
  const started: ChildProcess[] = [];

  async function start({ secrets = [webhookSecret], env = {} }: StartOptions = {}): Promise<RunningServer> {
    const server = spawn(process.execPath, ["test/serveApi.ts"], {
      env: {
        ...startedEnv,
        NODE_ENV: "test",
        DATA_DIR: dataDir,
        PORT: "0",
        // Disables load shedding, because tests keep the machine busy.
        BUSY_AFTER_MS: "0",
        ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
        PADDLE_API_KEY: "standin",
        PADDLE_CLIENT_TOKEN: "standin",
        PADDLE_WEBHOOK_SECRET: secrets.join(","),
        PADDLE_CLASSIC_VENDOR_ID: "1",
        PADDLE_CLASSIC_AUTH_CODE: "standin",
        PADDLE_CLASSIC_PUBLIC_KEY: bed.standin.classic?.publicKey ?? "",
        ...env,
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    started.push(server);
    const ended = once(server, "exit");
    const address = await Promise.race([once(server.stdout, "data").then(([line]) => String(line).trim()), ended.then(() => null)]);
    const base = address === null ? null : `${address}/api`;
    return {
      base,
      hasEnded: () => server.exitCode !== null || server.signalCode !== null,
      post: async ({ provider, raw }, signing = [webhookSecret], aheadMs = 0) => {
        const began = performance.now();
        try {
          const response = await fetch(`${base}/${paths[provider]}`, {
            method: "POST",
            body: new Uint8Array(raw),
            headers:
              provider === "paddle" ? { "content-type": "application/x-www-form-urlencoded" } : sealed(raw, signing, Date.now() + aheadMs),
          });
          await response.arrayBuffer();
          return { status: response.status, ms: performance.now() - began };
        } catch {
          return null;
        }
      },
      leap: () => void server.kill("SIGUSR2"),
      kill: async () => {
        if (server.exitCode !== null || server.signalCode !== null) return;
        const gone = once(server, "exit");
        server.kill("SIGKILL");
        await gone;
      },
    };
  }

  async function buy(provider: PaymentProviderName) {
    const account = await bed.account();
    bed.clock.now = Date.now();
    await bed.buy(account, `subscription-1m-mxn${provider === "paddle" ? "-classic" : ""}`, { card: goodCard });
    return { account, hooks: sent() };
  }

  return {
    store,
    start,
    buy,
    sent,
    bed,
    unapplied: async () =>
      (await store.read.selectFrom("provider_events").select("event_id").where("applied_at", "is", null).execute()).length,
    outcomeOf: async (account) => {
      const entitled = await store.read
        .selectFrom("entitlements")
        .select(["status", "ends_at"])
        .where("account_uuid", "=", account)
        .execute();
      const orders = await store.read.selectFrom("orders").select("status").where("account_uuid", "=", account).execute();
      const receipts = await store.read
        .selectFrom("mail_outbox")
        .innerJoin("accounts", "accounts.email", "mail_outbox.recipient")
        .select("mail_outbox.id")
        .where("accounts.uuid", "=", account)
        .where("template", "=", "receipt")
        .execute();
      return {
        entitlements: entitled.map(
          ({ status, ends_at: end }) =>
            `${entitlementStatusOf(status)} for ${end === null ? "ever" : `${Math.round((end - Date.now()) / dayMs)} days`}`,
        ),
        orders: orders.map(({ status }) => status),
        receipts: receipts.length,
      };
    },
    close: async () => {
      for (const server of started) server.kill("SIGKILL");
      await bed.close();
      await store.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Signature headers with every valid secret, as Paddle sends during a rotation. */
function sealed(raw: Buffer, secrets: readonly string[], at: number): Readonly<Record<string, string>> {
  const now = Math.floor(at / 1_000);
  const [first = "", ...others] = secrets.map((secret) => signature(secret, raw.toString("utf8"), now));
  return {
    "content-type": "application/json",
    "paddle-signature": [first, ...others.map((more) => more.slice(more.indexOf(";") + 1))].join(";"),
  };
}

export interface KilledRounds {
  readonly accounts: readonly string[];
  /** Number of rounds until enough kills had hit between receipt and application. */
  readonly rounds: number;
  /** Numbers of acknowledged webhooks, and of those that were lost. */
  readonly acknowledged: number;
  readonly lost: readonly string[];
}

/** The webhook's event id. Webhooks of unknown buyers are stored without content, so they are found by id. */
function eventIdOf(raw: Buffer): string {
  const said = raw.toString("utf8");
  return String(said.startsWith("{") ? JSON.parse(said).event_id : new URLSearchParams(said).get("alert_id"));
}

/**
 * Runs rounds until `kills` kills have hit between receipt and application. In each round somebody buys. All webhooks are sent at once to a new
 * server, which is killed at one of its responses. The next server must apply the received webhooks by itself. Unacknowledged webhooks are sent
 * again, as a provider does.
 */
export async function killBetweenReceiptAndApplication(grounds: Grounds, kills: number): Promise<KilledRounds> {
  const accounts: string[] = [];
  const lost: string[] = [];
  let between = 0;
  let acknowledged = 0;
  let waiting: readonly Hook[] = [];
  const allApplied = async () => {
    await expect.poll(grounds.unapplied, { interval: 20 }).toBe(0);
  };
  let round = 0;
  for (; between < kills; round++) {
    const server = await grounds.start();
    // Waits until the killed server's webhooks are applied, before a new one triggers that.
    await allApplied();
    const { account, hooks } = await grounds.buy(round % 2 === 0 ? "paddlebilling" : "paddle");
    accounts.push(account);
    const all = [...waiting, ...hooks];
    const killAt = 1 + (round % hooks.length);
    let answers = 0;
    const received = new Set<Hook>();
    await Promise.all(
      all.map(async (hook) => {
        if ((await server.post(hook))?.status !== 200) return;
        received.add(hook);
        answers += 1;
        if (answers === killAt) await server.kill();
      }),
    );
    await server.kill();
    acknowledged += received.size;
    if ((await grounds.unapplied()) > 0) between += 1;
    const known = await grounds.store.read.selectFrom("provider_events").select("event_id").execute();
    const ids = new Set(known.map(({ event_id: id }) => id));
    for (const { raw } of received) if (!ids.has(eventIdOf(raw))) lost.push(raw.toString("utf8"));
    waiting = all.filter((hook) => !received.has(hook));
  }
  const last = await grounds.start();
  await allApplied();
  for (const hook of waiting) await last.post(hook);
  await allApplied();
  await last.kill();
  return { accounts, rounds: round, acknowledged, lost };
}
