/**
 * `npm run bench:growth`: measures whether saves, logins and pages slow down as accounts accumulate. Servers with 10⁴ and 10⁵ accounts (`-- all`:
 * and 10⁶), each with a saved state and a session, take turns on SQLite. Fails when a 99th percentile differs by more than 1.5 times between the
 * smallest and the largest. Other load on the machine can only raise the ratios, so one of three rounds must pass. `npm run build` must have run.
 */
import { sessionSchema } from "#core/api.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as v from "valibot";
import { wholeWalk } from "./wholeWalk.ts";
import { startBuiltSite } from "./runningSite.ts";
import { quantile } from "./statistics.ts";

const sizes = process.argv.includes("all") ? [10_000, 100_000, 1_000_000] : [10_000, 100_000];
const mostTimes = 1.5;
const mostRounds = 3;
/** Turns of each server in a round. */
const turns = 8;
const callsPerTurn = { save: 150, login: 12, page: 150 } as const;
type Kind = keyof typeof callsPerTurn;
const kinds = Object.keys(callsPerTurn) as readonly Kind[];
const people = 8;
const page = "/de/englisch-sprechen/83/2/";

interface Person {
  readonly uuid: string;
  readonly email: string;
  readonly password: string;
  readonly token: string;
}
interface Candidate {
  readonly size: number;
  readonly people: readonly Person[];
  readonly call: (kind: Kind, nth: number) => Promise<number>;
  readonly stop: () => Promise<void>;
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });
const folder = mkdtempSync(join(tmpdir(), "parlando-growth-"));
const candidates: Candidate[] = [];
let held = false;
try {
  for (const [place, size] of sizes.entries()) candidates.push(await start(size, 23_580 + place));
  for (let round = 0; round < mostRounds && !held; round++) held = await holds();
} finally {
  for (const candidate of candidates) await candidate.stop();
  agent.destroy();
  rmSync(folder, { recursive: true, force: true });
}
if (!held) process.exitCode = 1;

async function holds(): Promise<boolean> {
  const times = new Map(candidates.map((candidate) => [candidate, { save: [], login: [], page: [] } as Record<Kind, number[]>]));
  for (let turn = 0; turn < turns; turn++)
    for (const [candidate, of] of times)
      for (const kind of kinds)
        for (let nth = 0; nth < callsPerTurn[kind]; nth++) of[kind].push(await candidate.call(kind, turn * callsPerTurn[kind] + nth));
  console.log(`accounts   ${kinds.map((kind) => `${kind} p50, p99 ms`.padEnd(22)).join("")}`);
  for (const [{ size }, of] of times)
    console.log(
      `${size.toLocaleString("en").padEnd(11)}${kinds.map((kind) => `${quantile(of[kind], 0.5).toFixed(1)}, ${quantile(of[kind], 0.99).toFixed(1)}`.padEnd(22)).join("")}`,
    );
  const ratios = kinds.map((kind) => {
    const p99s = [...times.values()].map((of) => quantile(of[kind], 0.99));
    return { kind, ratio: (p99s.at(-1) ?? Number.NaN) / (p99s[0] ?? Number.NaN) };
  });
  console.log(
    `largest to smallest: ${ratios.map(({ kind, ratio }) => `${kind} ${ratio.toFixed(2)} times`).join(", ")} (at most ${mostTimes})`,
  );
  return ratios.every(({ ratio }) => ratio <= mostTimes);
}

/** Starts a server whose database already holds that many accounts. */
async function start(size: number, port: number): Promise<Candidate> {
  const dataDir = join(folder, String(size));
  const wide = { points: 1_000_000_000, seconds: 3_600 };
  const limits = ["signup.network", "login.network", "login.guesser", "login.email", "questionnaire.network", "questionnaire.uuid"];
  const settings = { DATA_DIR: dataDir, LIMITS: JSON.stringify(Object.fromEntries(limits.map((name) => [name, wide]))) };
  const first = await startBuiltSite(port, settings);
  const known: Person[] = [];
  for (let n = 0; n < people; n++) known.push(await signUp(first.url, n));
  await save(first.url, known[0] ?? raise(), "NEW");
  await first.stop();
  const began = performance.now();
  fill(join(dataDir, "parlando.sqlite"), size, known[0] ?? raise());
  console.log(`${size.toLocaleString("en")} accounts stored in ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  const { url, stop } = await startBuiltSite(port, settings);
  const calls: Record<Kind, (nth: number) => Promise<number>> = {
    save: (nth) => save(url, known[nth % people] ?? raise(), `n${nth}`),
    login: (nth) => {
      const { email, password } = known[nth % people] ?? raise();
      return timed(new URL("/api/login", url), {}, { email, password });
    },
    page: () => timed(new URL(page, url), { "accept-encoding": "br" }),
  };
  return { size, people: known, stop, call: (kind, nth) => calls[kind](nth) };
}

async function signUp(url: string, n: number): Promise<Person> {
  const account = { uuid: crypto.randomUUID(), email: `grower${n}@example.com`, password: "correct horse battery" };
  const post = (path: string, body: object) =>
    fetch(new URL(`/api/${path}`, url), { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } });
  await post("signup", { ...account, uiLanguage: "de-DE", questionnaire: "76", version: "v5.7.8" });
  return { ...account, token: v.parse(sessionSchema, await (await post("login", account)).json()).token };
}

function save(url: string, { uuid, email, token }: Person, skill: string): Promise<number> {
  const state = { ...wholeWalk, user: { uuid, email, firstname: "Ana", uiLanguage: "es-419" }, skillsToImprove: [skill] };
  return timed(new URL("/api/questionnaire", url), { authorization: `Bearer ${token}` }, { state, userLevel: "basic" });
}

/** @returns the call's duration, ms */
function timed(url: URL, headers: Readonly<Record<string, string>>, body?: object): Promise<number> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { agent, method: body ? "POST" : "GET", headers: { ...headers, ...(body && { "content-type": "application/json" }) } },
      (response) => {
        response.resume();
        response.on("end", () => {
          if (response.statusCode === 200) resolve(performance.now() - began);
          else reject(new Error(`${url.pathname}: ${response.statusCode}`));
        });
      },
    );
    sent.on("error", reject);
    sent.end(body ? JSON.stringify(body) : undefined);
  });
}

/** Copies one person's account, saved state, sessions and refresh tokens until there are so many. */
function fill(file: string, size: number, { uuid }: Person): void {
  const database = new DatabaseSync(file);
  const columns = (table: string) =>
    database
      .prepare("SELECT name FROM pragma_table_info(?)")
      .all(table)
      .map(({ name }) => String(name));
  const copy = (table: string, owner: string, changed: Readonly<Record<string, string>>) => {
    const names = columns(table);
    const values = names.map((name) => changed[name] ?? `${table}.${name}`);
    database.exec(
      `INSERT INTO ${table} (${names.join(", ")}) SELECT ${values.join(", ")} FROM ${table} JOIN numbers WHERE ${table}.${owner} = '${uuid}'`,
    );
  };
  database.exec("PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF; BEGIN");
  database.exec(
    `CREATE TEMP TABLE numbers AS WITH RECURSIVE up (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM up WHERE n < ${size}) SELECT n, lower(hex(randomblob(16))) AS id FROM up`,
  );
  copy("accounts", "uuid", {
    uuid: "numbers.id",
    email: "'copy' || numbers.n || '@example.com'",
    created_at: "accounts.created_at - numbers.n",
  });
  copy("questionnaire_states", "account_uuid", { account_uuid: "numbers.id" });
  copy("sessions", "account_uuid", { account_uuid: "numbers.id", id: "numbers.id" });
  database.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}

function raise(): never {
  throw new Error("There are people");
}
