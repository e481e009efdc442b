/**
 * Begins only a few requests in each turn of the event loop, and takes networks in turn. A login takes some fifty turns, for its queries
 * and limits. Without this limit, one stranger with 300 connections had 300 requests begun in each of those turns, even requests that were
 * refused at once.
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
    void line.wait(siteOf(networkOf(ip)), 0).then(() => done());
  });
}
