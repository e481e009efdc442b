/**
 * Limits bodies in tiny chunks (Transfer-Encoding: chunked). Node keeps an object of 300 bytes for each chunk, however small: ten bodies of 200 kB in
 * chunks of one byte took 600 MB and three seconds. The limit of a body's bytes does not see that.
 */
import type { FastifyInstance } from "fastify";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** No proxy sends that many chunks for a body, unless they are long. */
const shortChunks = 500;
const shortBytes = 64;

function countChunks(request: IncomingMessage): void {
  const push = request.push.bind(request);
  let short = 0;
  request.push = (chunk: Buffer | null, encoding) => {
    if (chunk !== null && chunk.length < shortBytes) short++;
    if (short <= shortChunks) return push(chunk, encoding);
    stopHandingOver(request.socket);
    request.socket.destroy();
    return false;
  };
}

/**
 * Node parses all that it has read, up to 64 kB, and hands over each chunk of it, even if the connection has been destroyed: 15 ms for 11,000 chunks of one
 * byte. Without this callback the parser skips all chunks in one step. Node uses the parser again, but only after the connection has closed.
 */
function stopHandingOver(socket: Socket): void {
  const parser: unknown = "parser" in socket ? socket.parser : null;
  if (typeof parser !== "object" || parser === null) return;
  const found = Object.entries(parser).find(([, value]) => typeof value === "function" && value.name === "parserOnBody");
  if (found === undefined) return;
  const [name, callback] = found;
  Reflect.set(parser, name, undefined);
  socket.once("close", () => Reflect.set(parser, name, callback));
}

/** Cuts a connection that sends many tiny chunks. Also cuts one that was answered before its body ended, because nothing would count the rest. */
export function limitChunks(app: FastifyInstance): void {
  app.server.prependListener("request", (request: IncomingMessage, response) => {
    if (request.headers["transfer-encoding"] === undefined) return;
    countChunks(request);
    response.once("finish", () => {
      if (request.complete) return;
      stopHandingOver(request.socket);
      request.socket.destroySoon();
    });
  });
}
