/**
 * For tests: a server process under load whose PostgreSQL is killed: SIGKILL to one of PostgreSQL's processes, upon which it restarts all others and
 * recovers.
 */
import { startPostgres } from "#test/postgres.ts";
import { startApi } from "#test/apiProcess.ts";
import { hangingWait } from "#test/patience.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

const workers = 8;
const batchSize = 5;
/** Largest number of acknowledged writes before a kill. */
const mostBefore = 20;
/** Delay before a refused worker tries again, ms. */
const comesAgainAfter = 20;

export interface KilledPostgres {
  readonly acknowledged: number;
  /** Number of 503 responses. */
  readonly refused: number;
  /** Lost acknowledged writes and wrong responses, as sentences. */
  readonly faults: readonly string[];
  /** Whether the server process survived. */
  readonly alive: boolean;
}

/** Connects as soon as PostgreSQL accepts connections. It may be recovering. */
async function connected(url: string): Promise<pg.Client> {
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    // This connection may be killed, too.
    client.on("error", () => {});
    try {
      await client.connect();
      return client;
    } catch {
      await sleep(comesAgainAfter);
    }
  }
}

/** Kills a random backend process of a database, of those that have not ended since they were listed. */
async function killBackend(url: string, random: () => number): Promise<void> {
  const client = await connected(url);
  for (let killed = false; !killed;) {
    const { rows } = await client.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()",
    );
    const victim = rows[Math.floor(random() * rows.length)];
    killed = victim !== undefined && hasKilled(victim.pid);
  }
  await client.end().catch(() => {});
}

function hasKilled(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
    throw error;
  }
}

/** Waits until the server says that it is ready. One answer may be late on a busy machine, so this asks again. */
async function becomesReady(base: string): Promise<void> {
  while (!(await fetch(`${base}/readyz/calls`)).ok) await sleep(comesAgainAfter);
}

async function batchesIn(url: string): Promise<ReadonlyMap<string, number>> {
  const client = await connected(url);
  const { rows } = await client.query<{ batch: string; n: string }>(
    "SELECT payload::json ->> 'campaignId' AS batch, count(*) AS n FROM events GROUP BY 1",
  );
  await client.end();
  return new Map(rows.map(({ batch, n }) => [batch, Number(n)]));
}

export async function killPostgresUnderLoad(rounds: number, random: () => number): Promise<KilledPostgres> {
  const postgres = await startPostgres();
  const url = await postgres.newDatabase("empty");
  const dataDir = mkdtempSync(join(tmpdir(), "parlando-killed-postgres-"));
  const wide = { points: 1_000_000, seconds: 60 };
  const { base, server, kill } = await startApi(
    {
      DATA_DIR: dataDir,
      DATABASE_URL: url,
      // Disables load shedding, because tests keep the machine busy.
      BUSY_AFTER_MS: "0",
      LIMITS: JSON.stringify({ "events.network": wide, "event-kilobytes.network": wide, "bodies.network": wide }),
    },
    // Hides the expected errors about lost connections.
    "ignore",
  );

  const faults: string[] = [];
  const answered: string[] = [];
  let refused = 0;
  const ended = new AbortController();
  server.on("exit", () => ended.abort());
  const isAlive = () => server.exitCode === null && server.signalCode === null;
  async function write(): Promise<boolean> {
    const batch = crypto.randomUUID();
    const at = new Date().toISOString();
    const events = Array.from({ length: batchSize }, () => ({
      eventType: "QuestionnaireAnswer",
      payload: { questionnaire: "76", questionId: 2, optionId: 1, campaignId: batch },
      id: crypto.randomUUID(),
      at,
    }));
    const response = await fetch(`${base}/api/send-event`, {
      method: "POST",
      body: JSON.stringify({ events, device: crypto.randomUUID() }),
      headers: { "content-type": "application/json" },
      signal: AbortSignal.any([ended.signal, AbortSignal.timeout(hangingWait)]),
    }).catch((error: unknown) => {
      // When a request times out or the server is gone, the worker stops.
      faults.push(String(error));
      ended.abort();
    });
    if (response?.status === 202) {
      answered.push(batch);
      return true;
    }
    refused += 1;
    if (response !== undefined && (response.status !== 503 || !/^\d+$/.test(response.headers.get("retry-after") ?? "")))
      faults.push(`${response.status} ${await response.text()}`);
    return false;
  }

  try {
    for (let round = 0; round < rounds && !ended.signal.aborted; round++) {
      const before = answered.length;
      const killAt = before + 1 + Math.floor(random() * mostBefore);
      let killed: Promise<void> | null = null;
      let heals = false;
      const work = async () => {
        while (!heals && !ended.signal.aborted) {
          const kept = await write();
          if (killed === null && answered.length >= killAt) killed = killBackend(url, random);
          // The server has recovered when it accepts a write after the kill.
          if (killed !== null && kept) {
            await killed;
            heals = await write();
          } else if (!kept) await sleep(comesAgainAfter);
        }
      };
      await Promise.all(Array.from({ length: workers }, work));
      if (!ended.signal.aborted) await becomesReady(base);
    }
    const kept = await batchesIn(url);
    for (const batch of answered)
      if (kept.get(batch) !== batchSize) faults.push(`Batch ${batch} was answered, and ${kept.get(batch) ?? 0} of it are there`);
    for (const [batch, n] of kept) if (n !== batchSize) faults.push(`Batch ${batch} is half there`);
    return { acknowledged: answered.length, refused, faults, alive: isAlive() };
  } finally {
    if (isAlive()) await kill();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
