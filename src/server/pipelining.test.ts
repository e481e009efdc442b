import { loggerOptions } from "#server/logging.ts";
import { createTestApp, type TestApp } from "#test/app.ts";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";

let t: TestApp;
let port = 0;
beforeEach(async () => {
  t = await createTestApp({ database: "sqlite" });
  port = Number(new URL(await t.app.listen({ port: 0, host: "127.0.0.1" })).port);
});
afterEach(() => t.close());

const requestFor = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

/** Sends requests at once. Returns the number of answers, once all have come or the connection has ended. */
async function answersTo(requests: number, path = "/healthz"): Promise<number> {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  const answers = () => received.split("HTTP/1.1 200").length - 1;
  const all = Promise.withResolvers<void>();
  socket.on("error", () => undefined);
  socket.on("data", (chunk) => {
    received += String(chunk);
    if (answers() === requests) all.resolve();
  });
  socket.write(requestFor(path).repeat(requests));
  await Promise.race([all.promise, once(socket, "close")]);
  socket.destroy();
  return answers();
}

it("a few requests at once on one connection are all answered", async () => {
  expect(await answersTo(8)).toBe(8);
});

it("a connection that sends hundreds without waiting is cut, and costs a few answers at most", async () => {
  let begun = 0;
  t.app.server.on("request", (_, response) => response.once("finish", () => (begun += 1)));
  expect(await answersTo(800)).toBeLessThanOrEqual(8);
  expect(begun).toBeLessThanOrEqual(8);
});

it.each(["/healthz", "/en/", "/geo.json", "/api/config"])("of a thousand for %s that came together few are begun", async (path) => {
  let begun = 0;
  t.app.server.prependListener("request", () => (begun += 1));
  await answersTo(1_000, path);
  expect(begun).toBeGreaterThan(0);
  expect(begun).toBeLessThanOrEqual(9);
});

it("a connection that was cut leaves nothing to the next ones", async () => {
  for (let n = 0; n < 20; n++) {
    await answersTo(1_000);
    expect(await answersTo(4)).toBe(4);
  }
});

it("of several on one connection each begins when the answer before it is sent, so that unread answers hold one file", async () => {
  // More than the buffers of a connection hold.
  const largeFile = 10_000_000;
  const buildDir = mkdtempSync(join(tmpdir(), "parlando-pipelining-"));
  mkdirSync(join(buildDir, "media"));
  writeFileSync(join(buildDir, "media/film.mp4"), Buffer.alloc(largeFile));
  const serving = await createTestApp({ database: "sqlite", parts: { buildDir } });
  const at = new URL(await serving.app.listen({ port: 0, host: "127.0.0.1" }));
  const socket = connect(Number(at.port), at.hostname);
  onTestFinished(async () => {
    socket.destroy();
    await serving.close();
    rmSync(buildDir, { recursive: true, force: true });
  });
  const responses: ServerResponse[] = [];
  serving.app.server.prependListener("request", (_: IncomingMessage, response: ServerResponse) => void responses.push(response));
  const begun = () => responses.filter(({ headersSent }) => headersSent).length;
  socket.pause();
  socket.write(requestFor("/media/film.mp4").repeat(8));
  await expect.poll(() => responses.length).toBe(8);
  await expect.poll(() => responses[0]?.headersSent).toBe(true);
  // Whatever was begun before this answer has its file by now.
  expect((await (await fetch(new URL("/media/film.mp4", at))).arrayBuffer()).byteLength).toBe(largeFile);
  expect(begun()).toBe(2);
  let received = 0;
  socket.on("data", (chunk) => (received += chunk.length));
  socket.resume();
  await expect.poll(() => received).toBeGreaterThan(8 * largeFile);
  expect(begun()).toBe(9);
});

it("requests sent one after the other are all answered", async () => {
  const socket = connect(port, "127.0.0.1");
  for (let sent = 0; sent < 100; sent += 1) {
    socket.write(requestFor("/healthz"));
    const [chunk] = await once(socket, "data");
    expect(String(chunk)).toMatch(/^HTTP\/1\.1 200/);
  }
  socket.destroy();
});

it("a client that hangs up before its answer leaves no error in the log", async () => {
  const logged: string[] = [];
  const listening = await createTestApp({
    database: "sqlite",
    parts: { log: pino(loggerOptions({ logLevel: "info" }), { write: (line: string) => void logged.push(line) }) },
  });
  const at = new URL(await listening.app.listen({ port: 0, host: "127.0.0.1" }));
  for (let n = 0; n < 50; n++) {
    const socket = connect(Number(at.port), at.hostname);
    socket.on("error", () => undefined);
    await once(socket, "connect");
    socket.write(`GET /es-latam/page-${n}/ HTTP/1.1\r\nHost: parlando.example\r\n\r\n`);
    socket.resetAndDestroy();
  }
  expect((await fetch(new URL("/es-latam/", at))).status).toBe(200);
  await listening.close();
  expect(logged.filter((line) => line.includes('"level":50'))).toEqual([]);
});
