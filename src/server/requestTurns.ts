/**
 * Begins few requests in a turn of the event loop, of each network in turn. A login takes some fifty turns, for its queries and limits: one stranger with 300
 * connections had as many requests begun in each of them, whatever those were and however soon they were refused.
 */
import type { FastifyInstance } from "fastify";
import { createFairQueue } from "./accounts/fairQueue.ts";
import { networkOf, siteOf } from "./base/visitor.ts";

/** Most take less than half a millisecond of the process. */
const begunInATurn = 8;

export function beginInTurns(app: FastifyInstance): void {
  const line = createFairQueue(Infinity, 1);
  let begun = 0;
  let isWatching = false;
  function nextTurn(): void {
    for (begun = 0; begun < begunInATurn && line.next();) begun++;
    isWatching = begun > 0;
    if (isWatching) setImmediate(nextTurn);
  }
  app.addHook("onRequest", ({ ip }, _reply, done) => {
    if (!isWatching) setImmediate(nextTurn);
    isWatching = true;
    if (begun < begunInATurn && line.length() === 0) {
      begun++;
      return done();
    }
    // A /48 has one customer.
    const network = networkOf(ip);
    void line.wait(siteOf(network) ?? network, 0).then(() => done());
  });
}
