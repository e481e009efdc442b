/** Limits what a network sends, before a body is read. Webhooks have no such limit: payments must arrive, and their check is cheap. */
import { maxBodyBytes } from "#core/api.ts";
import type { FastifyInstance } from "fastify";
import { answerRefusal } from "./failures.ts";
import type { Limits } from "./base/limits.ts";
import { networkOf, siteOf } from "./base/visitor.ts";

const kilobyte = 1_024;

/** The size that a request announces; for one sent in chunks, the largest that is read. */
function announcedBytes({ "content-length": length, "transfer-encoding": encoding }: NodeJS.Dict<string | string[]>): number {
  if (encoding !== undefined) return maxBodyBytes;
  return Math.min(Number(length ?? 0), maxBodyBytes);
}

export function limitBodies(app: FastifyInstance, limits: Limits): void {
  app.addHook("onRequest", async (request, reply) => {
    const bytes = announcedBytes(request.headers);
    if (bytes === 0) return;
    const network = networkOf(request.ip);
    // A /48 has one customer.
    const tooMany = await limits.take("bodies.network", siteOf(network) ?? network, Math.ceil(bytes / kilobyte));
    if (tooMany) await answerRefusal(reply, tooMany);
  });
}
