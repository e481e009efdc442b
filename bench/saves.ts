/**
 * `npm run bench:saves`: measures durable answer saves per second. Compares the real call (`POST questionnaire` to a server process) with a bare
 * Fastify that stores the same bodies in node:sqlite with group commit. The two take turns. Every body differs, because SQLite skips writing an
 * identical row. Fails below 0.7 of the bare server's rate.
 */
import { sessionSchema } from "#core/api.ts";
import Fastify from "fastify";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as v from "valibot";
import { median } from "./statistics.ts";
import { wholeWalk } from "./wholeWalk.ts";

const connections = 64;
const rounds = 9;
const roundMilliseconds = 1_200;
const warmUpMilliseconds = 2_000;
const leastRatio = 0.7;
const groupSize = 128;

if (process.argv[2] === "bare") await serveBare(process.argv[3] ?? "");
else await compare();

/** The baseline: parse, upsert, one fsync per group, answer. */
async function serveBare(file: string): Promise<void> {
  const database = new DatabaseSync(file);
  database.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE states (uuid TEXT PRIMARY KEY, state TEXT NOT NULL, saved_at INTEGER NOT NULL)",
  );
  const upsert = database.prepare(
    "INSERT INTO states VALUES (?, ?, ?) ON CONFLICT (uuid) DO UPDATE SET state = excluded.state, saved_at = excluded.saved_at",
  );
  const bodySchema = v.object({ state: v.looseObject({ user: v.object({ uuid: v.string() }) }) });
  let waiting: { readonly uuid: string; readonly state: string; readonly answer: () => void }[] = [];
  const flush = () => {
    const group = waiting.splice(0, groupSize);
    database.exec("BEGIN IMMEDIATE");
    for (const { uuid, state } of group) upsert.run(uuid, state, Date.now());
    database.exec("COMMIT");
    for (const { answer } of group) answer();
    if (waiting.length > 0) setImmediate(flush);
  };
  const app = Fastify();
  app.post("/api/questionnaire", async (request) => {
    const { state } = v.parse(bodySchema, request.body);
    await new Promise<void>((answer) => {
      if (waiting.push({ uuid: state.user.uuid, state: JSON.stringify(state), answer }) === 1) setImmediate(flush);
    });
    return { savedAt: new Date().toISOString() };
  });
  console.log(await app.listen({ host: "127.0.0.1", port: 0 }));
}

async function start(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly server: ChildProcess; readonly url: URL }> {
  const server = spawn(process.execPath, args, { env: { PATH: process.env["PATH"], ...env }, stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(server.stdout ?? server, "data");
  return { server, url: new URL(String(line).trim()) };
}

interface Saver {
  readonly head: string;
  /** The two parts of the body. Each save puts a new value between them. */
  readonly before: string;
  readonly after: string;
}

/** Saves sequentially on one connection until stopped. Resolves to the number of 200 responses. */
function savesOn(socket: Socket, { head, before, after }: Saver, until: () => boolean): Promise<number> {
  let saved = 0;
  let sent = Math.floor(Math.random() * 1e9);
  const send = () => {
    const body = `${before}${sent++}${after}`;
    socket.write(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  return new Promise((resolve, reject) => {
    socket.removeAllListeners("data");
    socket.on("error", reject);
    socket.on("data", (chunk: Buffer) => {
      const text = chunk.toString("latin1");
      // A response is small enough to arrive in one chunk.
      if (!text.startsWith("HTTP/1.1 200")) return reject(new Error(text));
      saved++;
      if (until()) resolve(saved);
      else send();
    });
    send();
  });
}

async function savesPerSecond(url: URL, savers: readonly Saver[], milliseconds: number): Promise<number> {
  const sockets = await Promise.all(
    savers.map(async () => {
      const socket = connect(Number(url.port), url.hostname).setNoDelay(true);
      await once(socket, "connect");
      return socket;
    }),
  );
  const started = performance.now();
  const counts = await Promise.all(
    sockets.map((socket, n) => savesOn(socket, savers[n] ?? raise(), () => performance.now() - started > milliseconds)),
  );
  const seconds = (performance.now() - started) / 1_000;
  for (const socket of sockets) socket.destroy();
  return counts.reduce((sum, count) => sum + count, 0) / seconds;
}
function raise(): never {
  throw new Error("Each connection needs a saver");
}

async function compare(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "parlando-saves-"));
  const limits = Object.fromEntries(
    ["signup.network", "login.network", "questionnaire.network", "questionnaire.uuid", "bodies.network"].map((name) => [
      name,
      { points: 1_000_000_000, seconds: 3_600 },
    ]),
  );
  const ours = await start(["test/serveApi.ts"], {
    DATA_DIR: join(folder, "ours"),
    PORT: "0",
    LIMITS: JSON.stringify(limits),
    NODE_ENV: "test",
  });
  const bare = await start([import.meta.filename, "bare", join(folder, "bare.sqlite")], {});
  try {
    const post = (path: string, body: object) =>
      fetch(new URL(`/api/${path}`, ours.url), {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" },
      });
    const saverFor = (host: string, uuid: string, token: string): Saver => {
      const [before = "", after = ""] = JSON.stringify({
        state: {
          ...wholeWalk,
          user: { uuid, email: `${uuid}@example.com`, firstname: "Ana", uiLanguage: "es-419" },
          skillsToImprove: ["NEW"],
        },
        userLevel: "basic",
      }).split("NEW");
      return {
        before,
        after,
        head: `POST /api/questionnaire HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\nauthorization: Bearer ${token}\r\nx-client: parlando-web/5.7.8\r\nx-device-id: ${uuid}\r\n`,
      };
    };
    const people: { readonly uuid: string; readonly token: string }[] = [];
    for (let n = 0; n < connections; n++) {
      const account = { uuid: crypto.randomUUID(), email: `saver${n}@example.com`, password: "correct horse" };
      await post("signup", { ...account, uiLanguage: "es-419", questionnaire: "76", version: "v5.7.8" });
      people.push({ uuid: account.uuid, token: v.parse(sessionSchema, await (await post("login", account)).json()).token });
    }
    const measure = ({ url }: { readonly url: URL }, milliseconds: number) =>
      savesPerSecond(
        url,
        people.map(({ uuid, token }) => saverFor(url.host, uuid, token)),
        milliseconds,
      );

    await measure(ours, warmUpMilliseconds);
    await measure(bare, warmUpMilliseconds);
    const ourRounds: number[] = [];
    const bareRounds: number[] = [];
    for (let round = 0; round < rounds; round++) {
      ourRounds.push(await measure(ours, roundMilliseconds));
      bareRounds.push(await measure(bare, roundMilliseconds));
    }
    // Compares rounds pairwise, so that load on the machine affects both.
    const ratio = median(ourRounds.map((value, round) => value / (bareRounds[round] ?? Number.NaN)));
    const show = (name: string, values: readonly number[]) =>
      console.log(
        `${name.padEnd(34)} ${Math.round(median(values)).toLocaleString("en").padStart(8)} saves/s   (${values.map((value) => Math.round(value)).join(", ")})`,
      );
    console.log(
      `States of ${wholeWalk.selectedOptions.length} answers, ${JSON.stringify(wholeWalk).length} bytes, ${connections} connections, each body new, answered after the fsync of its group`,
    );
    show("POST questionnaire", ourRounds);
    show("bare Fastify + node:sqlite group", bareRounds);
    console.log(`ratio ${ratio.toFixed(2)} (at least ${leastRatio})`);
    if (ratio < leastRatio) process.exitCode = 1;
  } finally {
    ours.server.kill("SIGKILL");
    bare.server.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}
