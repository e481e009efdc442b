/** How `npm run doctor` learns how many proxies stand before a process: it asks through them, and the process tells what they added. */
import { timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { derivedToken, keysFor } from "./base/keys.ts";
import { refuse } from "./base/refusal.ts";
import type { Services } from "./handlers/shared/services.ts";
import { answerRefusal } from "./failures.ts";

export const proxiesPath = "/proxies";
/** The clocks of who asks and who answers may differ by this, ms. */
const goodFor = 10 * 60_000;

/** What opens the answer: who holds a secret key may know its own way through the proxies. */
export function askForProxies(secrets: readonly string[], now: number): string {
  const [key] = keysFor("doctor", secrets);
  if (key === undefined) throw new Error("There is no key to ask with");
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
  /** X-Forwarded-For as it came. */
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
