/**
 * How `npm run doctor` learns how many proxies stand in front of a process: it sends a request through them, and the process answers with the headers
 * they added.
 */
import { timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { derivedToken, keysFor } from "./base/keys.ts";
import { refuse } from "./base/refusal.ts";
import type { Services } from "./handlers/shared/services.ts";
import { answerRefusal } from "./failures.ts";

export const proxiesPath = "/proxies";
/** How far the clocks of doctor and process may differ, ms. */
const goodFor = 10 * 60_000;

/** The token that the answer requires: only holders of a secret key may see the proxies in front of them. */
export function proxiesToken(secrets: readonly string[], now: number): string {
  const [key] = keysFor("doctor", secrets);
  if (key === undefined) throw new Error("No secret key is configured: the process cannot be asked about its proxies");
  return `${now}.${derivedToken(key, String(now))}`;
}

function mayAsk(request: FastifyRequest, { settings, world }: Services): boolean {
  const [at = "", token = ""] = (request.headers.authorization ?? "").replace(/^Bearer /, "").split(".");
  if (!/^\d{1,15}$/.test(at) || Math.abs(world.now() - Number(at)) > goodFor) return false;
  return keysFor("doctor", settings.secretKeys).some((key) => {
    const wanted = Buffer.from(derivedToken(key, at));
    const given = Buffer.from(token);
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}

export interface ProxiesAnswer {
  /** X-Forwarded-For as received. */
  readonly forwarded: readonly string[];
  readonly proxyHops: number;
  readonly now: number;
}

export function registerProxies(app: FastifyInstance, services: Services): void {
  app.get(proxiesPath, { config: { key: "proxies" } }, async (request, reply) => {
    if (!mayAsk(request, services)) return answerRefusal(reply, refuse("notFound"));
    const header = String(request.headers["x-forwarded-for"] ?? "");
    const answer: ProxiesAnswer = {
      forwarded: header
        .split(",")
        .map((part) => part.trim())
        .filter((part) => part !== ""),
      proxyHops: services.settings.proxyHops,
      now: services.world.now(),
    };
    return reply.header("cache-control", "no-store").send(answer);
  });
}
