/**
 * `npm run bench:pages`: compares a cached page, with and without tracking parameters, with a Map of the same bytes behind bare Fastify. The three
 * take turns, so that load on the machine affects all alike. Fails below 0.6 of the bare server's rate, or when the 99th percentile at half of the
 * page's own rate is over 20 ms in each of three tries. `npm run build` must have run.
 */
import Fastify from "fastify";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { startBuiltSite } from "./runningSite.ts";
import { median, quantile } from "./statistics.ts";

const page = "/es-latam/habla-ingles/76/2/";
const tracked = `${page}?utm_source=ad&utm_campaign=spring&fbclid=abc`;
const connections = 32;
const rounds = 9;
const roundMilliseconds = 1_000;
const leastRatio = 0.6;
const halfLoadMilliseconds = 3_000;
const mostP99Ms = 20;
const mostTries = 3;

if (process.argv[2] === "bare") await serveBare(process.argv[3] ?? "");
else await compare();

/** The baseline: a Map from path to the page's bytes, fetched once from the real server. */
async function serveBare(from: string): Promise<void> {
  const bytes = await fetchBytes(new URL(page, from));
  const cached = new Map([[page, bytes]]);
  const app = Fastify();
  app.get("/*", (incoming, reply) =>
    reply
      .headers({ "content-type": "text/html; charset=utf-8", "content-encoding": "br" })
      .send(cached.get(incoming.url.split("?", 1)[0] ?? "")),
  );
  console.log(await app.listen({ host: "127.0.0.1", port: 0 }));
}

function fetchBytes(url: URL): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    request(url, { headers: { "accept-encoding": "br" } }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve(Buffer.concat(chunks)));
    })
      .on("error", reject)
      .end();
  });
}

async function startBare(from: string): Promise<{ readonly server: ChildProcess; readonly url: string }> {
  const server = spawn(process.execPath, [import.meta.filename, "bare", from], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(server.stdout, "data");
  return { server, url: String(line).trim() };
}

/** Asks for one page again and again on raw connections: Node's client would take longer than the server. */
interface Asking {
  readonly connections: readonly (() => Promise<void>)[];
  readonly end: () => void;
}

async function openConnections(url: string, path: string): Promise<Asking> {
  const { hostname, port, host } = new URL(url);
  const asked = `GET ${path} HTTP/1.1\r\nhost: ${host}\r\naccept-encoding: br\r\n\r\n`;
  const length = await lengthOf(url, asked);
  const sockets = Array.from({ length: connections }, () => connect(Number(port), hostname).setNoDelay(true));
  return {
    connections: sockets.map((socket) => {
      let bytes = 0;
      let answered = () => {};
      let failed: (error: Error) => void = () => {};
      socket.on("error", (error) => failed(error));
      socket.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes < length) return;
        bytes -= length;
        answered();
      });
      return () =>
        new Promise((resolve, reject) => {
          [answered, failed] = [resolve, reject];
          socket.write(asked);
        });
    }),
    end: () => sockets.forEach((socket) => socket.destroy()),
  };
}

/** @returns the length of the whole answer, bytes */
function lengthOf(url: string, asked: string): Promise<number> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let text = "";
    socket.on("error", reject);
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      const bodyAt = text.indexOf("\r\n\r\n");
      if (bodyAt < 0) return;
      if (!text.startsWith("HTTP/1.1 200")) return reject(new Error(text.slice(0, 200)));
      const whole = bodyAt + 4 + Number(/^content-length: (\d+)/im.exec(text)?.[1]);
      if (text.length < whole) return;
      socket.destroy();
      resolve(whole);
    });
    socket.write(asked);
  });
}

/** Requests sequentially on each connection. @returns responses per second */
async function perSecond(url: string, path: string, milliseconds: number): Promise<number> {
  const asking = await openConnections(url, path);
  const began = performance.now();
  let served = 0;
  await Promise.all(
    asking.connections.map(async (ask) => {
      while (performance.now() - began < milliseconds) {
        await ask();
        served += 1;
      }
    }),
  );
  const seconds = (performance.now() - began) / 1_000;
  asking.end();
  return served / seconds;
}

/** @returns durations of requests sent at this rate, ms, including the wait for a free connection */
async function atRate(url: string, path: string, rate: number): Promise<readonly number[]> {
  const asking = await openConnections(url, path);
  const free = [...asking.connections];
  const waiting: number[] = [];
  const times: number[] = [];
  const send = async (ask: () => Promise<void>): Promise<void> => {
    for (let due = waiting.shift(); due !== undefined; due = waiting.shift()) {
      await ask();
      times.push(performance.now() - due);
    }
    free.push(ask);
  };
  const began = performance.now();
  const passed = () => performance.now() - began;
  const sending: Promise<void>[] = [];
  for (let sent = 0; passed() < halfLoadMilliseconds;) {
    for (; sent < (passed() / 1_000) * rate; sent += 1) {
      waiting.push(began + (sent * 1_000) / rate);
      const ask = free.pop();
      if (ask !== undefined) sending.push(send(ask));
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(sending);
  asking.end();
  return times;
}

async function compare(): Promise<void> {
  const site = await startBuiltSite(23_590);
  const bare = await startBare(site.url);
  try {
    const turns = {
      page: () => perSecond(site.url, page, roundMilliseconds),
      "page with tracking parameters": () => perSecond(site.url, tracked, roundMilliseconds),
      "Map behind bare Fastify": () => perSecond(bare.url, page, roundMilliseconds),
    };
    const rates = { page: [], "page with tracking parameters": [], "Map behind bare Fastify": [] } as Record<keyof typeof turns, number[]>;
    const names = Object.keys(turns) as (keyof typeof turns)[];
    // The first round warms up.
    for (let round = 0; round <= rounds; round++)
      for (const name of names) {
        const rate = await turns[name]();
        if (round > 0) rates[name].push(rate);
      }
    for (const name of names) console.log(`${name.padEnd(30)} ${median(rates[name]).toFixed(0).padStart(6)} a second`);
    for (const name of names.slice(0, 2)) {
      const ratio = median(rates[name].map((rate, round) => rate / (rates["Map behind bare Fastify"][round] ?? Number.NaN)));
      report(`${name}, relative to the Map`, ratio.toFixed(2), ratio >= leastRatio, `at least ${leastRatio}`);
    }
    let best = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < mostTries && best > mostP99Ms; tries++)
      best = Math.min(best, quantile(await atRate(site.url, page, median(rates.page) / 2), 0.99));
    report("99th percentile at half load", `${best.toFixed(1)} ms`, best <= mostP99Ms, `at most ${mostP99Ms} ms`);
  } finally {
    bare.server.kill("SIGKILL");
    await site.stop();
  }
}

function report(what: string, value: string, holds: boolean, limit: string): void {
  console.log(`${holds ? "ok  " : "FAIL"} ${what}: ${value} (${limit})`);
  if (!holds) process.exitCode = 1;
}
