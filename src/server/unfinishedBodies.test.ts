/** Bodies that do not end, from more networks than any limit per network sees. */
import { createTestApp, type TestApp } from "#test/app.ts";
import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";

const many = 300;
const large = 250_000;
/** The limit that the large bodies together are above. */
const limit = 64 * 1_024 * 1_024;

let t: TestApp;
let port = 0;
const sockets: Socket[] = [];
beforeEach(async () => {
  const wide = { points: 1_000_000, seconds: 60 };
  t = await createTestApp({ database: "sqlite", settings: { limits: { "bodies.network": wide, "check-email.network": wide } } });
  port = Number(new URL(await t.app.listen({ port: 0, host: "127.0.0.1" })).port);
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  return t.close();
});

/** Begins a call with a body of `size` bytes, and sends `part` of it. */
function begin(size: number, part: string) {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  const sender = { received: "", isCut: false, send: (text: string) => void socket.write(text) };
  socket.on("error", () => undefined);
  socket.on("close", () => (sender.isCut = true));
  socket.on("data", (data) => (sender.received += String(data)));
  sender.send(`POST /api/check-email HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${size}\r\n\r\n${part}`);
  return sender;
}

it("have a limit for all together: the oldest large ones are cut, and a small one that began before them is read", async () => {
  const body = JSON.stringify({ email: "free@example.com" });
  const honest = begin(body.length, body.slice(0, 5));
  const senders = Array.from({ length: many }, () => begin(large + 1, "x".repeat(large)));
  const cut = () => senders.filter(({ isCut }) => isCut).length;
  await expect.poll(cut).toBeGreaterThanOrEqual(many - Math.floor(limit / large));
  honest.send(body.slice(5));
  await expect.poll(() => honest.received).toMatch(/^HTTP\/1\.1 200/);
  // Those that were not cut are answered once they end: the text is no JSON.
  for (const { send } of senders) send("x");
  await expect.poll(() => senders.every(({ isCut, received }) => isCut || received.startsWith("HTTP/1.1 400"))).toBe(true);
  expect(cut()).toBeLessThan(many);
});

it("no longer count once they have ended or lost their connection", async () => {
  for (let round = 0; round < 3; round++) {
    const text = JSON.stringify({ email: "free@example.com", padding: "x".repeat(large) });
    const [ended, lost] = [0, 1].map((kind) =>
      Array.from({ length: 100 }, () => begin(text.length, kind === 0 ? text : text.slice(0, -1))),
    );
    await expect.poll(() => ended?.every(({ received }) => received.startsWith("HTTP/1.1 200"))).toBe(true);
    expect(lost?.some(({ isCut }) => isCut)).toBe(false);
    for (const socket of sockets.splice(0)) socket.destroy();
    await expect.poll(() => new Promise((resolve) => t.app.server.getConnections((_, count) => resolve(count)))).toBe(0);
  }
});
