/**
 * Keeps small files that never change in memory, as `@fastify/static` sent them. Opening one costs ten times as much as sending it, on the threads that
 * every other file and database waits for: a flood of requests for one file slowed all pages.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { encodings } from "./encodings.ts";

const mostBytes = 32_000_000;
/** Most scripts and styles are far smaller. */
const mostBytesPerFile = 300_000;
/** The headers that describe a file. All others belong to one request. */
const headersOfFile = [
  "content-type",
  "content-length",
  "content-encoding",
  "cache-control",
  "vary",
  "etag",
  "last-modified",
  "accept-ranges",
] as const;
/** With one of these, a request is not answered with the whole file. */
const partial = ["range", "if-none-match", "if-modified-since"] as const;

interface KeptFile {
  readonly headers: Readonly<Record<string, string | number | string[]>>;
  readonly body: Buffer;
}

/** The key of the file's form that the client gets, or null for a request that needs the file system. */
function keyOf({ method, url, headers }: FastifyRequest): string | null {
  if (method !== "GET" || partial.some((name) => headers[name] !== undefined)) return null;
  return `${encodings.negotiate(headers["accept-encoding"] ?? "")} ${url.split("?", 1)[0]}`;
}

function headersFor(reply: FastifyReply): KeptFile["headers"] {
  const headers: Record<string, string | number | string[]> = {};
  for (const name of headersOfFile) {
    const value = reply.getHeader(name);
    if (value !== undefined) headers[name] = value;
  }
  return headers;
}

/** Register it before `@fastify/static`, for files whose names have a hash of their content. */
export function keepFiles(scope: FastifyInstance): void {
  const kept = new LRUCache<string, KeptFile>({ maxSize: mostBytes, sizeCalculation: ({ body }, key) => body.length + key.length + 500 });
  scope.addHook("onRequest", async (request, reply) => {
    const key = keyOf(request);
    const file = key === null ? undefined : kept.get(key);
    return file === undefined ? undefined : reply.headers(file.headers).send(file.body);
  });
  scope.addHook("onSend", async (request, reply, payload) => {
    const key = keyOf(request);
    if (key === null || reply.statusCode !== 200 || !(payload instanceof Readable)) return payload;
    if (!(Number(reply.getHeader("content-length")) <= mostBytesPerFile)) return payload;
    const body = await buffer(payload);
    kept.set(key, { headers: headersFor(reply), body });
    return body;
  });
}
