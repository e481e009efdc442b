/** The studio's event streams, over a real connection. */
import Fastify, { type FastifyInstance } from "fastify";
import * as v from "valibot";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createEventStreams, type EventStreams } from "./studioEvents.ts";

let app: FastifyInstance;
let streams: EventStreams;
/** Resolved when the handler learns that the client has left. */
let left: PromiseWithResolvers<void>;
let stillIn = true;
let url: string;

/** One event, then nothing until the client leaves. */
async function* untilLeft(signal: AbortSignal) {
  yield { at: 1, secret: "is not of the contract" };
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  left.resolve();
}

beforeEach(async () => {
  app = Fastify();
  streams = createEventStreams(1);
  left = Promise.withResolvers();
  stillIn = true;
  app.addHook("preClose", async () => streams.close());
  app.get("/", async (_request, reply) => {
    const listening = new AbortController();
    const events = untilLeft(listening.signal);
    return streams.answer(reply, {
      operatorId: "Ines",
      events,
      output: v.object({ at: v.number() }),
      listening,
      stillIn: async () => stillIn,
    });
  });
  url = await app.listen({ host: "127.0.0.1", port: 0 });
});
afterEach(() => app.close());

async function listen() {
  const leaving = new AbortController();
  const response = await fetch(url, { signal: leaving.signal });
  const reader = (response.body ?? new ReadableStream<Uint8Array>()).getReader();
  const text = async () => new TextDecoder().decode((await reader.read()).value);
  return { response, reader, text, leave: () => leaving.abort() };
}

it("send the contract's events, each at once, with keep-alive messages in between", async () => {
  const { response, text, leave } = await listen();
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(response.headers.get("cache-control")).toBe("no-store");
  let heard = "";
  while (!heard.includes("\n\n:\n\n")) heard += await text();
  expect(heard).toMatch(/^data: \{"at":1\}\n\n(?::\n\n)+$/);
  leave();
});

it("end when the client leaves, when its session ends, and when the process shuts down", async () => {
  const one = await listen();
  await one.text();
  one.leave();
  await left.promise;

  for (const end of [() => void (stillIn = false), () => void app.close()]) {
    left = Promise.withResolvers();
    const other = await listen();
    end();
    let done = false;
    while (!done) ({ done } = await other.reader.read());
    await left.promise;
    stillIn = true;
  }
});
