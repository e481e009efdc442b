/** Requests that wait for their answers on one connection. Browsers and proxies send the next one after the answer; only floods do not. */
import type { FastifyInstance } from "fastify";
import type { Socket } from "node:net";

const mostAtOnce = 8;

/** Cuts a connection that sends more: each costs its sender forty bytes, and the process the work of an answer that nobody may read. */
export function limitPipelining(app: FastifyInstance): void {
  const underWay = new WeakMap<Socket, number>();
  app.addHook("onRequest", (request, reply, done) => {
    const { socket } = request.raw;
    const count = (underWay.get(socket) ?? 0) + 1;
    // Without an address nobody is there any more to read an answer.
    if (socket.destroyed || socket.remoteAddress === undefined || count > mostAtOnce) {
      socket.destroy();
      return void reply.hijack();
    }
    underWay.set(socket, count);
    reply.raw.once("close", () => void underWay.set(socket, (underWay.get(socket) ?? 1) - 1));
    done();
  });
}
