/** For tests: a server process on a database file that is killed at a random moment while it writes. */
import { sessionSchema } from "#core/api.ts";
import { savedState } from "#core/questionnaire/saved.ts";
import { initialState, step } from "#core/questionnaire/step.ts";
import { compiledOf } from "#server/base/compiled.ts";
import { questionnaireFor } from "#content/questionnaires/index.ts";
import { mexico } from "#test/questionnaires.ts";
import { startedEnv } from "#test/startedEnv.ts";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as v from "valibot";

/** The kinds of writes under test. */
export const killedKinds = ["answer save", "signup", "event batch"] as const;
export type KilledKind = (typeof killedKinds)[number];

export interface KilledWrites {
  /** Numbers of acknowledged writes, and of writes cut off by a kill. */
  readonly acknowledged: number;
  readonly cutOff: number;
  /** Acknowledged writes that are missing or incomplete, as sentences. */
  readonly lost: readonly string[];
}

const compiled = compiledOf(questionnaireFor("76", "es-419"));
const workers = 4;
const batchSize = 5;
const password = "correct horse";
/** Each kill comes after a random number of responses and a random delay (ms), at most these, to hit every phase of a write. */
const mostAnswers = 12;
const longestDelayMs = 12;
/** Rounds between logins. Access tokens live longer. */
const roundsPerLogin = 50;

class Running {
  readonly base: string;
  readonly gone: Promise<unknown>;
  readonly #process: ChildProcess;
  dead = false;
  constructor(process: ChildProcess, base: string) {
    this.#process = process;
    this.base = base;
    this.gone = once(process, "exit");
  }

  async kill(): Promise<void> {
    this.dead = true;
    this.#process.kill("SIGKILL");
    await this.gone;
  }

  /** Sends a call. @returns the response; null when the kill broke the connection */
  async post(path: string, body: object, token?: string): Promise<unknown> {
    try {
      const response = await fetch(`${this.base}/${path}`, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json", ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
      });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return await response.json();
    } catch (error) {
      if (this.dead && error instanceof TypeError) return null;
      throw error;
    }
  }
}

async function start(dataDir: string): Promise<Running> {
  const wide = { points: 1_000_000, seconds: 60 };
  const names = [
    "signup.network",
    "login.network",
    "questionnaire.network",
    "questionnaire.uuid",
    "events.network",
    "event-kilobytes.network",
    "bodies.network",
  ];
  const server = spawn(process.execPath, ["test/serveApi.ts"], {
    env: {
      ...startedEnv,
      DATA_DIR: dataDir,
      PORT: "0",
      // Disables load shedding, because tests keep the machine busy.
      BUSY_AFTER_MS: "0",
      LIMITS: JSON.stringify(Object.fromEntries(names.map((name) => [name, wide]))),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(server.stdout, "data");
  return new Running(server, `${String(line).trim()}/api`);
}

interface Owner {
  readonly uuid: string;
  readonly email: string;
  token: string;
}

/** A worker's account and its newest acknowledged save. */
interface Writer extends Owner {
  first: number;
  savedAt: number;
}

/** Makes one write of each kind. @returns the key that must exist afterwards; null when the kill cut the write off */
const writes: { readonly [K in KilledKind]: (server: Running, writer: Writer) => Promise<string | null> } = {
  signup: async (server) => {
    const { uuid, email } = newOwner();
    return (await signUp(server, { uuid, email })) ? uuid : null;
  },
  "answer save": async (server, writer) => {
    const first = 3 - writer.first;
    const { state } = step(compiled, initialState(compiled), { type: "answer", questionId: 2, optionId: first }, mexico);
    const answer = await server.post("questionnaire", { state: savedState(state), userLevel: null }, writer.token);
    if (answer === null) return null;
    const { savedAt } = v.parse(v.object({ savedAt: v.string() }), answer);
    Object.assign(writer, { first, savedAt: Date.parse(savedAt) });
    return writer.uuid;
  },
  "event batch": async (server, writer) => {
    const ids = Array.from({ length: batchSize }, () => crypto.randomUUID());
    const payload = { questionnaire: "76", questionId: 2, optionId: 1, campaignId: ids[0] };
    const events = ids.map((id) => ({ eventType: "QuestionnaireAnswer", payload, id, at: new Date().toISOString() }));
    return (await server.post("send-event", { events, device: writer.uuid }, writer.token)) === null ? null : (ids[0] ?? null);
  },
};

/** Differences from the responses, as sentences. A write that was cut off may exist or not, but never in part. */
const faults: {
  readonly [K in KilledKind]: (database: DatabaseSync, answered: readonly string[], writers: readonly Writer[]) => string[];
} = {
  signup: (database, answered) => {
    const kept = keysOf(database, "SELECT uuid AS key FROM accounts");
    const half = keysOf(
      database,
      `SELECT uuid AS key FROM accounts WHERE (SELECT count(*) FROM link_tokens WHERE account_uuid = uuid AND purpose = 'confirm') <> 1
        OR (SELECT count(*) FROM mail_outbox WHERE recipient = email AND template = 'confirmEmail') <> 1`,
    );
    return [
      ...answered.filter((uuid) => !kept.has(uuid)).map((uuid) => `sign-up ${uuid} is lost`),
      ...[...half].map((uuid) => `sign-up ${uuid} is half there`),
    ];
  },
  "answer save": (database, _answered, writers) =>
    writers.flatMap(({ uuid, first, savedAt }) => {
      if (savedAt === 0) return [];
      const found = database.prepare("SELECT state, saved_at FROM questionnaire_states WHERE account_uuid = ?").get(uuid);
      const row = v.parse(v.object({ state: v.string(), saved_at: v.number() }), found);
      const { selectedOptions } = v.parse(savedAnswers, JSON.parse(row.state));
      // A newer save may have been stored without its response arriving.
      if (row.saved_at > savedAt) return [];
      const same = row.saved_at === savedAt && selectedOptions.length === 1 && selectedOptions[0]?.optionId === first;
      return same ? [] : [`${uuid} was answered ${first} at ${savedAt} and has ${row.state} at ${row.saved_at}`];
    }),
  "event batch": (database, answered) => {
    const kept = keysOf(database, "SELECT DISTINCT json_extract(payload, '$.campaignId') AS key FROM events");
    const half = keysOf(
      database,
      `SELECT json_extract(payload, '$.campaignId') AS key FROM events GROUP BY 1 HAVING count(*) <> ${batchSize}
        UNION SELECT device_id FROM events WHERE device_id NOT IN (SELECT device_id FROM journeys)`,
    );
    return [
      ...answered.filter((id) => !kept.has(id)).map((id) => `batch ${id} is lost`),
      ...[...half].map((id) => `batch ${id} is half there`),
    ];
  },
};
const savedAnswers = v.object({ selectedOptions: v.array(v.object({ questionId: v.number(), optionId: v.number() })) });

function keysOf(database: DatabaseSync, sql: string): ReadonlySet<unknown> {
  return new Set(
    database
      .prepare(sql)
      .all()
      .map((row) => row["key"]),
  );
}

function newOwner(): Owner {
  const uuid = crypto.randomUUID();
  return { uuid, email: `${uuid}@example.com`, token: "" };
}

async function signUp(server: Running, { uuid, email }: Pick<Owner, "uuid" | "email">): Promise<boolean> {
  const body = { uuid, email, password, uiLanguage: "es-419", questionnaire: "76", version: "v5.7.8" };
  return (await server.post("signup", body)) !== null;
}

async function logIn(server: Running, { email }: Owner): Promise<string> {
  return v.parse(sessionSchema, await server.post("login", { email, password })).token;
}

/**
 * In each round a server starts on the same file, workers write as fast as it answers, and it is killed. Then the file is compared with the
 * responses. `random` gives numbers from 0 to 1.
 */
export async function killWhileWriting(kind: KilledKind, rounds: number, random: () => number): Promise<KilledWrites> {
  const dataDir = mkdtempSync(join(tmpdir(), "parlando-kill-"));
  const writers = Array.from({ length: workers }, (): Writer => ({ ...newOwner(), first: 1, savedAt: 0 }));
  const lost: string[] = [];
  let acknowledged = 0;
  let cutOff = 0;
  let server: Running | null = null;
  try {
    for (let round = 0; round < rounds; round++) {
      const running = await start(dataDir);
      server = running;
      if (round === 0) for (const writer of writers) await signUp(running, writer);
      if (round % roundsPerLogin === 0) for (const writer of writers) writer.token = await logIn(running, writer);

      const answered: string[] = [];
      const killAfter = 1 + Math.floor(random() * mostAnswers);
      const delay = random() * longestDelayMs;
      const work = async (writer: Writer) => {
        while (!running.dead) {
          const kept = await writes[kind](running, writer);
          if (kept === null) cutOff += 1;
          else answered.push(kept);
          if (answered.length === killAfter) setTimeout(() => void running.kill(), delay);
        }
      };
      await Promise.all(writers.map(work));
      await running.gone;
      acknowledged += answered.length;
      const database = new DatabaseSync(join(dataDir, "parlando.sqlite"));
      const [integrity] = keysOf(database, "SELECT integrity_check AS key FROM pragma_integrity_check");
      const found = [...(integrity === "ok" ? [] : [String(integrity)]), ...faults[kind](database, answered, writers)];
      database.close();
      lost.push(...found.map((what) => `Round ${round}: ${what}`));
    }
  } finally {
    await server?.kill();
    rmSync(dataDir, { recursive: true, force: true });
  }
  return { acknowledged, cutOff, lost };
}
