import { sessionSchema } from "#core/api.ts";
import { savedState } from "#core/questionnaire/saved.ts";
import { initialState, step } from "#core/questionnaire/step.ts";
import { compiledOf } from "#server/savedStates.ts";
import { questionnaireFor } from "#content/questionnaires/index.ts";
import { mexico } from "#test/questionnaires.ts";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as v from "valibot";
import { afterEach, beforeEach, expect, it } from "vitest";

/** How often the server is killed; the whole 200 rounds of each kind are a long test's. */
const rounds = 3;
const compiled = compiledOf(questionnaireFor("76", "es-419"));

let dataDir: string;
let server: ChildProcess;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "parlando-kill-"));
});
afterEach(() => {
  server.kill("SIGKILL");
  rmSync(dataDir, { recursive: true, force: true });
});

async function startServer(): Promise<string> {
  const limits = {
    "signup.network": { points: 10_000, seconds: 60 },
    "login.network": { points: 10_000, seconds: 60 },
    "questionnaire.network": { points: 1_000_000, seconds: 60 },
    "questionnaire.uuid": { points: 1_000_000, seconds: 60 },
    "events.network": { points: 1_000_000, seconds: 60 },
  };
  server = spawn(process.execPath, ["test/serveApi.ts"], {
    env: { PATH: process.env["PATH"], DATA_DIR: dataDir, PORT: "0", LIMITS: JSON.stringify(limits) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(server.stdout ?? server, "data");
  return `${String(line).trim()}/api`;
}

async function post(base: string, path: string, body: object, token?: string): Promise<unknown> {
  const response = await fetch(`${base}/${path}`, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
}

it("nothing acknowledged is lost when the server is killed in the middle of sign-ups, saves and events", async () => {
  const signedUp: string[] = [];
  const events: string[] = [];
  const saves: { readonly uuid: string; readonly first: number; readonly savedAt: string }[] = [];

  for (let round = 0; round < rounds; round++) {
    const base = await startServer();
    const work = async (worker: number) => {
      const uuid = crypto.randomUUID();
      const account = { uuid, email: `r${round}w${worker}@example.com`, password: "correct horse" };
      await post(base, "signup", { ...account, uiLanguage: "es-419", questionnaire: "76", version: "v5.7.8" });
      signedUp.push(uuid);
      const { token } = v.parse(sessionSchema, await post(base, "login", account));
      for (let n = 0; ; n++) {
        const first = 1 + (n % 2);
        const state = savedState(step(compiled, initialState(compiled), { type: "answer", questionId: 2, optionId: first }, mexico).state);
        const { savedAt } = v.parse(
          v.object({ savedAt: v.string() }),
          await post(base, "questionnaire", { state, userLevel: null }, token),
        );
        saves.push({ uuid, first, savedAt });
        const id = crypto.randomUUID();
        await post(
          base,
          "send-event",
          { eventType: "QuestionnaireAnswer", payload: { questionId: 2, optionId: first }, id, at: new Date().toISOString() },
          token,
        );
        events.push(id);
        if (worker === 0 && n === 30 + round * 7) {
          server.kill("SIGKILL");
          await once(server, "exit");
        }
      }
    };
    // Each worker goes on until the connection breaks.
    const ends = await Promise.allSettled([0, 1, 2, 3].map(work));
    expect(ends.map((end) => (end.status === "rejected" ? String(end.reason) : "went on"))).toEqual(
      ends.map(() => "TypeError: fetch failed"),
    );
  }

  const database = new DatabaseSync(join(dataDir, "parlando.sqlite"));
  expect(database.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  const kept = (sql: string) =>
    new Set(
      database
        .prepare(sql)
        .all()
        .map((row) => row["key"]),
    );
  const accounts = kept("SELECT uuid AS key FROM accounts");
  expect(signedUp.filter((uuid) => !accounts.has(uuid))).toEqual([]);
  const keptEvents = kept("SELECT id AS key FROM events");
  expect(events.filter((id) => !keptEvents.has(id))).toEqual([]);
  for (const uuid of signedUp) {
    const last = saves.findLast((save) => save.uuid === uuid);
    const row = v.parse(
      v.object({ state: v.string(), saved_at: v.number() }),
      database.prepare("SELECT state, saved_at FROM questionnaire_states WHERE account_uuid = ?").get(uuid),
    );
    // One more may have been kept whose answer was never heard.
    expect(row.saved_at).toBeGreaterThanOrEqual(Date.parse(last?.savedAt ?? ""));
    if (row.saved_at === Date.parse(last?.savedAt ?? ""))
      expect(JSON.parse(row.state).selectedOptions).toEqual([{ questionId: 2, optionId: last?.first }]);
  }
  database.close();
  expect(signedUp.length).toBe(4 * rounds);
  expect(saves.length).toBeGreaterThan(100);
}, 60_000);
