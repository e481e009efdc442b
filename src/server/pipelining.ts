/** Limits pipelining: requests sent on a connection before earlier ones are answered. Browsers and proxies do not pipeline; floods do. */
import type { FastifyInstance } from "fastify";
import type { Socket } from "node:net";

const mostAtOnce = 8;

/** Node's parser of a connection. It calls `onIncoming` for each request whose headers it has read. It stops reading when that returns 2 (an upgrade). */
interface Parser {
  onIncoming: (() => number) | null;
}

/** Destroys a connection. Node would still begin each request of the bytes that it has already read: 2,000 in 64 kB. */
function cut(socket: Socket & { parser?: Parser | null }): void {
  if (socket.parser) socket.parser.onIncoming = () => 2;
  socket.destroy();
}

/**
 * Cuts a connection with too many unanswered requests, and begins each when the earlier ones of its connection are answered. Each costs the sender
 * forty bytes, and the process an answer that nobody may read: eight begun answers of files hold eight open files and half a megabyte.
 */
export function limitPipelining(app: FastifyInstance): void {
  const connections = new WeakMap<Socket, { unanswered: number }>();
  app.addHook("onRequest", (request, reply, done) => {
    const { socket } = request.raw;
    const connection = connections.get(socket) ?? { unanswered: 0 };
    // A socket without an address is closed, so nobody can read the answer.
    const isClosed = () => socket.destroyed || socket.remoteAddress === undefined;
    if (isClosed() || connection.unanswered >= mostAtOnce) {
      cut(socket);
      return void reply.hijack();
    }
    connections.set(socket, connection);
    connection.unanswered++;
    reply.raw.once("close", () => connection.unanswered--);
    // A response gets its socket when the connection's earlier ones have been sent. At the event Node is not done with that yet.
    if (reply.raw.socket !== null) return done();
    reply.raw.once("socket", () => setImmediate(() => (isClosed() ? void reply.hijack() : done())));
  });
}
