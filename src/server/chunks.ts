/**
 * Limits bodies in tiny chunks (Transfer-Encoding: chunked). Node keeps an object of 300 bytes for each chunk, however small: ten bodies of 200 kB in
 * chunks of one byte took 600 MB and three seconds. The limit of a body's bytes does not see that.
 */
import type { FastifyInstance } from "fastify";
import type { IncomingMessage } from "node:http";

/** No proxy sends that many chunks for a body, unless they are long. */
const shortChunks = 500;
const shortBytes = 64;

function countChunks(request: IncomingMessage): void {
  const push = request.push.bind(request);
  let short = 0;
  request.push = (chunk: Buffer | null, encoding) => {
    if (chunk !== null && chunk.length < shortBytes) short++;
    if (short <= shortChunks) return push(chunk, encoding);
    // Node still hands over the chunks of what it has read: they are dropped.
    request.socket.destroy();
    return false;
  };
}

/** Cuts a connection that sends many tiny chunks, and one whose request was answered before its body had ended: nothing counts what follows. */
export function limitChunks(app: FastifyInstance): void {
  app.server.prependListener("request", (request: IncomingMessage, response) => {
    if (request.headers["transfer-encoding"] === undefined) return;
    countChunks(request);
    response.once("finish", () => {
      if (!request.complete) request.socket.destroySoon();
    });
  });
}
