/** Limits pipelining: requests sent on a connection before earlier ones are answered. Browsers and proxies do not pipeline; floods do. */
import type { FastifyInstance } from "fastify";
import type { Socket } from "node:net";

const mostAtOnce = 8;

/** Cuts a connection with too many unanswered requests. Each costs the sender forty bytes, and the process an answer that nobody may read. */
export function limitPipelining(app: FastifyInstance): void {
  const underWay = new WeakMap<Socket, number>();
  app.addHook("onRequest", (request, reply, done) => {
    const { socket } = request.raw;
    const count = (underWay.get(socket) ?? 0) + 1;
    // A socket without an address is closed, so nobody can read the answer.
    if (socket.destroyed || socket.remoteAddress === undefined || count > mostAtOnce) {
      socket.destroy();
      return void reply.hijack();
    }
    underWay.set(socket, count);
    reply.raw.once("close", () => void underWay.set(socket, (underWay.get(socket) ?? 1) - 1));
    done();
  });
}
