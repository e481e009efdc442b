/** For tests of requests to outside services: a server that records requests and gives the test's answers. */
import { createServer } from "node:http";
import { afterAll, beforeAll, beforeEach } from "vitest";

import { hangingTest } from "./patience.ts";
export interface HttpCall {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: string;
}
export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}
export interface HttpAnswers {
  readonly origin: () => string;
  /** Requests since the start of the test. */
  readonly calls: HttpCall[];
  /** Sets the answer for further requests. Null: no answer. */
  readonly answer: (to: (call: HttpCall) => HttpAnswer | null) => void;
}

/** Starts a server for a `describe` or a file. The default answer is 404. */
export function httpAnswers(): HttpAnswers {
  const calls: HttpCall[] = [];
  const nothing: HttpAnswer = { status: 404, body: "{}" };
  let answer: (call: HttpCall) => HttpAnswer | null = () => nothing;
  let origin = "";
  // Keeps idle connections open. Our code could reuse one at the moment at which the server closes it, and its call would fail.
  const server = createServer({ keepAliveTimeout: hangingTest }, (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://others");
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      const call = { method: request.method ?? "", path: pathname, query: Object.fromEntries(searchParams), body };
      calls.push(call);
      const found = answer(call);
      if (found !== null) response.writeHead(found.status, { "content-type": "application/json", ...found.headers }).end(found.body);
    });
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("The server has no port");
    origin = `http://127.0.0.1:${address.port}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  beforeEach(() => {
    calls.length = 0;
    answer = () => nothing;
  });
  return { origin: () => origin, calls, answer: (to) => void (answer = to) };
}
