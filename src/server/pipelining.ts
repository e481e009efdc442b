/** Limits pipelining: requests sent on a connection before earlier ones are answered. Browsers and proxies do not pipeline; floods do. */
import type { FastifyInstance } from "fastify";
import type { Socket } from "node:net";

const mostAtOnce = 8;

/** Node's parser of a connection. It hands over each request whose headers it has read, and reads on; after 2 (which means an upgrade) it stops. */
interface Parser {
  onIncoming: (() => number) | null;
}

/** Destroys a connection. Node would still begin each request of the bytes that it has already read: 2,000 in 64 kB. */
function cut(socket: Socket & { parser?: Parser | null }): void {
  if (socket.parser) socket.parser.onIncoming = () => 2;
  socket.destroy();
}

/** Cuts a connection with too many unanswered requests. Each costs the sender forty bytes, and the process an answer that nobody may read. */
export function limitPipelining(app: FastifyInstance): void {
  const underWay = new WeakMap<Socket, number>();
  app.addHook("onRequest", (request, reply, done) => {
    const { socket } = request.raw;
    const count = (underWay.get(socket) ?? 0) + 1;
    // A socket without an address is closed, so nobody can read the answer.
    if (socket.destroyed || socket.remoteAddress === undefined || count > mostAtOnce) {
      cut(socket);
      return void reply.hijack();
    }
    underWay.set(socket, count);
    reply.raw.once("close", () => void underWay.set(socket, (underWay.get(socket) ?? 1) - 1));
    done();
  });
}
