/**
 * Limits the memory of bodies that have not ended. A connection may take a minute for its body, and each holds what has arrived: 6,000 networks held
 * 0.8 GB with a body each.
 */
import type { FastifyInstance } from "fastify";
import type { IncomingMessage } from "node:http";

/** 256 of the largest bodies, and 20,000 of ordinary size. */
const heldAtMost = 64 * 1_024 * 1_024;

/**
 * Cuts connections while the unfinished bodies together hold more than the limit: always the oldest of those that hold at least the average. Somebody
 * with a small body on a slow line is not cut for the large ones of others.
 */
export function limitUnfinishedBodies(app: FastifyInstance): void {
  /** What each holds, in bytes; the oldest first. */
  const held = new Map<IncomingMessage, number>();
  let total = 0;

  function end(request: IncomingMessage): void {
    total -= held.get(request) ?? 0;
    held.delete(request);
  }
  function cutTooMuch(): void {
    for (const [request, bytes] of held) {
      if (total <= heldAtMost) return;
      if (bytes * held.size < total) continue;
      end(request);
      request.socket.destroy();
    }
  }
  function count(request: IncomingMessage, bytes: number): void {
    const before = held.get(request);
    if (before === undefined) return;
    held.set(request, before + bytes);
    total += bytes;
    if (total > heldAtMost) cutTooMuch();
  }

  app.server.prependListener("request", (request: IncomingMessage, response) => {
    if (request.headers["content-length"] === undefined && request.headers["transfer-encoding"] === undefined) return;
    held.set(request, 0);
    const push = request.push.bind(request);
    request.push = (chunk: Buffer | null, encoding) => {
      if (chunk === null) end(request);
      else count(request, chunk.length);
      return push(chunk, encoding);
    };
    request.once("close", () => end(request));
    // What follows an answer is dropped.
    response.once("close", () => end(request));
  });
}
