/** Registers the calls of the studio's contract at `/studio/api/<key>`: origin, session, input, handler, output. */
import type { CodeOf } from "#core/errors.ts";
import type { Role, StudioCall } from "#studio/contract/call.ts";
import { mayAs } from "#studio/contract/call.ts";
import { asksForFreshSession, isStudioKey, studioCalls, type StudioKey } from "#studio/contract.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Readable } from "node:stream";
import * as v from "valibot";
import type { LimitName } from "./base/limits.ts";
import { Refusal, refuse, Streamed } from "./base/refusal.ts";
import { limitBodies } from "./bodies.ts";
import { networkOf } from "./base/visitor.ts";
import { type AccessLog, createAccessLog } from "./accessLog.ts";
import { answerRefusal } from "./failures.ts";
import type { Services } from "./handlers/shared/services.ts";
import { readInput } from "./input.ts";
import { browserIn } from "./base/browser.ts";
import { type OperatorSession, sessionOf } from "./studio/operators/sessions.ts";
import type { BrowserSession, StudioCallContext, StudioHandler } from "./studio/handler.ts";
import { studioHandlers } from "./studio/handlers.ts";
import { maySignInDespiteOthers } from "./studioEntry.ts";
import { createEventStreams, type EventStreams } from "./studioEvents.ts";

const studioPath = "/studio";
export const studioApiPrefix = `${studioPath}/api`;
const cookieName = "parlando-studio";
/** Marks a call that the page makes without the operator, such as a refresh. It does not prolong the session. */
const byItselfHeader = "x-by-itself";
/** A file of exchange rates is large. */
const maxStudioBytes = { ratesImport: 2_000_000, others: 200_000 } as const;

type EntryKey = { [K in StudioKey]: (typeof studioCalls)[K] extends { role: "anyone"; method: "POST" } ? K : never }[StudioKey];
/** Calls without a session are counted per network, with one limit for each way in. */
const entryLimitOf: Readonly<Partial<Record<StudioKey, LimitName>>> = {
  signInLink: "studio-mail.network",
  linkOwner: "studio-by-link.network",
  enterByLink: "studio-by-link.network",
  passkeyWanted: "studio-by-passkey.network",
  enterByPasskey: "studio-by-passkey.network",
  companyWanted: "studio-by-company.network",
  enterByCompany: "studio-by-company.network",
} satisfies Record<EntryKey, LimitName>;
/** Calls that sign an operator in. Attempts are counted before they are made; a successful one does not count in the end. */
const entering: ReadonlySet<StudioKey> = new Set(["enterByLink", "enterByPasskey", "enterByCompany", "linkOwner"]);
const allMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

export async function registerStudioCalls(app: FastifyInstance, services: Services): Promise<void> {
  const keys = Object.keys(studioCalls).filter(isStudioKey);
  const { settings, world } = services;
  const { origin } = new URL(settings.publicUrl);
  const access = createAccessLog({
    log: app.log,
    secretKeys: settings.secretKeys,
    now: world.now,
    refusedCall: "A call of the studio was refused",
  });
  await app.register(
    async (api) => {
      api.addHook("onRequest", (request, reply, done) => {
        reply.header("cross-origin-resource-policy", "same-origin");
        if (comesFromTheStudio(request, origin)) done();
        else answerRefusal(reply, refuse("forbidden"));
      });
      limitBodies(api, services.limits);
      const streams = createEventStreams();
      // Open event streams must not delay the server's shutdown.
      api.addHook("preClose", async () => streams.close());
      for (const key of keys) route(api, key, services, { streams, access });
      const answer = async (_request: FastifyRequest, reply: FastifyReply) => answerRefusal(reply, refuse("notFound"));
      for (const url of ["/", "/*"])
        api.route({ method: [...allMethods], url, exposeHeadRoute: false, onRequest: answer, handler: answer });
    },
    { prefix: studioApiPrefix },
  );
}

/** Whether a call comes from the studio's own page. Browsers say where a call comes from. A call that changes something must name its origin. */
function comesFromTheStudio({ method, headers }: FastifyRequest, site: string): boolean {
  const { origin, "sec-fetch-site": from } = headers;
  if (from !== undefined && from !== "same-origin" && !(from === "none" && method === "GET")) return false;
  return origin === undefined ? method === "GET" || method === "HEAD" : origin === site;
}

function sessionCookie(request: FastifyRequest): string | null {
  for (const pair of (request.headers.cookie ?? "").split(";")) {
    const [name, value] = pair.trim().split("=");
    if (name === cookieName && value !== undefined && /^[\w-]{40,60}$/.test(value)) return value;
  }
  return null;
}

/**
 * What a handler needs to know of the browser, and how it sets or clears the session cookie. No script can read the cookie, no other site can send
 * it, and only the studio receives it.
 */
function browserSessionOf(request: FastifyRequest, reply: FastifyReply, session: OperatorSession | null, secure: boolean): BrowserSession {
  const set = (value: string, more: string) =>
    void reply.header(
      "set-cookie",
      `${cookieName}=${value}; Path=${studioPath}; HttpOnly; SameSite=Strict${secure ? "; Secure" : ""}${more}`,
    );
  return {
    sessionId: session?.id ?? null,
    browser: browserIn(request.headers["user-agent"] ?? ""),
    setSession: (token) => set(token, ""),
    clearSession: () => set("", "; Max-Age=0"),
  };
}

/** Why the session may not make the call; null when it may. */
function refusalOf(
  key: StudioKey,
  role: Role | "anyone",
  session: OperatorSession | null,
): Refusal<CodeOf<"invalidAccessToken" | "forbidden">> | null {
  if (role === "anyone") return null;
  if (session === null) return refuse("invalidAccessToken");
  if (!mayAs(session.operator.role, role)) return refuse("forbidden");
  return asksForFreshSession(key) && !session.fresh ? refuse("invalidAccessToken", { fields: { session: "stale" } }) : null;
}

/** What all calls have in common. */
interface Shared {
  readonly streams: EventStreams;
  readonly access: AccessLog;
}

function route(app: FastifyInstance, key: StudioKey, services: Services, { streams, access }: Shared): void {
  const spec: StudioCall = studioCalls[key];
  // Each handler has its call's own types. The call's schema parses the input below.
  const handler = studioHandlers[key] as unknown as StudioHandler<StudioCall>;
  const { limits, settings } = services;
  const anything = v.custom<object>((value) => typeof value === "object");
  const schemas = spec.method === "GET" ? { body: anything, query: spec.input } : { body: spec.input, query: anything };
  const secure = settings.publicUrl.startsWith("https:");

  app.route({
    method: spec.method,
    url: `/${key}`,
    exposeHeadRoute: false,
    bodyLimit: key === "ratesImport" ? maxStudioBytes.ratesImport : maxStudioBytes.others,
    // The body of a request without a session is not read.
    onRequest: async (request, reply) => {
      if (spec.role === "anyone" || spec.method === "GET") return;
      const cookie = sessionCookie(request);
      if (cookie === null || (await sessionOf(services, cookie, true)) === null) await answerRefusal(reply, refuse("invalidAccessToken"));
    },
    config: { key: `studio ${key}` },
    handler: async (request, reply) => {
      const network = networkOf(request.ip);
      const entryLimit = entryLimitOf[key];
      const cookie = sessionCookie(request);
      const usedUp = entryLimit === undefined ? null : await limits.take(entryLimit, network);
      if (usedUp && !(await maySignInDespiteOthers(services, { cookie, body: request.body }))) return answerRefusal(reply, usedUp);
      const session = cookie === null ? null : await sessionOf(services, cookie, request.headers[byItselfHeader] !== undefined);
      const refusal = refusalOf(key, spec.role, session);
      if (refusal) {
        access.refused(request, { call: key, network, code: refusal.code, operator: session?.operator.id });
        return answerRefusal(reply, refusal);
      }
      const tooMany = session === null ? null : await limits.take("studio.operator", session.operator.id);
      if (tooMany) return answerRefusal(reply, tooMany);
      const read = readInput(schemas, request, spec.method === "GET" ? {} : request.body);
      if (read instanceof Refusal) return answerRefusal(reply, read);
      const listening = new AbortController();
      const result = await handler(
        {
          input: spec.method === "GET" ? read.query : read.body,
          operator: session?.operator ?? null,
          network,
          browserSession: browserSessionOf(request, reply, session, secure),
          log: request.log,
          signal: listening.signal,
        } as StudioCallContext<StudioCall>,
        services,
      );
      if (result instanceof Refusal) return answerRefusal(reply, result);
      if (spec.events === true && session !== null) {
        const stillIn = async () => cookie !== null && refusalOf(key, spec.role, await sessionOf(services, cookie, true)) === null;
        const events = result as AsyncIterable<unknown>;
        return streams.answer(reply, { operatorId: session.operator.id, events, output: spec.output, listening, stillIn });
      }
      if (entryLimit !== undefined && usedUp === null && entering.has(key)) await limits.giveBack(entryLimit, network);
      return reply
        .header("content-type", "application/json; charset=utf-8")
        .header("cache-control", "no-store")
        .send(
          result instanceof Streamed ? Readable.from(result.pieces, { highWaterMark: 1 }) : JSON.stringify(v.parse(spec.output, result)),
        );
    },
  });
}
