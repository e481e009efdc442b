/** Bodies in tiny chunks, which cost the process a hundred times their size. */
import { createTestApp, type TestApp } from "#test/app.ts";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";

let t: TestApp;
let port = 0;
let chunksRead = 0;
beforeEach(async () => {
  t = await createTestApp({ database: "sqlite" });
  port = Number(new URL(await t.app.listen({ port: 0, host: "127.0.0.1" })).port);
  chunksRead = 0;
  // Before the limit's own listener, so that what the limit drops is not counted.
  t.app.server.prependListener("request", (request: IncomingMessage) => {
    const push = request.push.bind(request);
    request.push = (chunk: unknown, encoding) => {
      // Without the limit the connection would stay open.
      if (chunk !== null && ++chunksRead > 2_000) request.socket.destroy();
      return push(chunk, encoding);
    };
  });
});
afterEach(() => t.close());

const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

/** Sends a request and keeps the connection open. Returns the answer once the connection has ended, or once `enough` of it has come. */
function answerTo(line: string, body: string, enough?: RegExp): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  socket.write(`${line} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${body}`);
  return new Promise((resolve) => {
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(received));
    socket.on("data", (data) => {
      received += String(data);
      if (enough?.test(received)) socket.destroy();
    });
  });
}

it.each(["POST /api/check-email", "POST /api/webhooks/paddle-billing"])(
  "%s reads a few hundred of them, and cuts the connection",
  async (line) => {
    await answerTo(line, chunk(" ").repeat(100_000));
    expect(chunksRead).toBeGreaterThan(0);
    expect(chunksRead).toBeLessThanOrEqual(500);
  },
);

it.each(["POST /api/check-email", "GET /healthz"])(
  "%s: of what Node has read at once, its parser does not even hand over the chunks after the limit or the answer, and is used again",
  async (line) => {
    let handedOver = 0;
    // After the limit's own listener.
    t.app.server.on("request", ({ socket }: IncomingMessage) => {
      const parser: unknown = "parser" in socket ? socket.parser : null;
      for (const [name, callback] of Object.entries(parser ?? {})) {
        if (typeof callback !== "function" || callback.name !== "parserOnBody") continue;
        const counted = new Proxy(callback, {
          apply: (target, self, given) => {
            handedOver++;
            Reflect.apply(target, self, given);
          },
        });
        Reflect.set(Object(parser), name, counted);
      }
    });
    await answerTo(line, chunk(" ").repeat(100_000));
    expect(handedOver).toBeGreaterThan(0);
    expect(handedOver).toBeLessThanOrEqual(501);
    const body = chunk(`{"email":"free@example.com"${" ".repeat(100)}}`);
    expect(await answerTo("POST /api/check-email", `${body}0\r\n\r\n`, /\r\n\r\n.+/s)).toMatch(/^HTTP\/1\.1 200/);
  },
);

it("a connection ends with an answer that did not wait for the body, because nothing counts what follows", async () => {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(`GET /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${chunk(" ")}`);
  const [answer] = await once(socket, "data");
  expect(String(answer)).toMatch(/^HTTP\/1\.1 200/);
  socket.write("0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
  const next = await Promise.race([once(socket, "data"), once(socket, "close")]);
  socket.destroy();
  expect(String(next)).not.toContain("HTTP/1.1 200");
});

it("a body in chunks of ordinary size is read, and the connection stays open", async () => {
  const body = JSON.stringify({ email: "free@example.com", padding: "x".repeat(100_000) });
  const chunks = (body.match(/.{1,100}/gs) ?? []).map((part) => chunk(part)).join("");
  const answer = await answerTo("POST /api/check-email", `${chunks}0\r\n\r\n`, /\r\n\r\n.+/s);
  expect(answer).toMatch(/^HTTP\/1\.1 200/);
  expect(answer).toMatch(/connection: keep-alive/i);
});
