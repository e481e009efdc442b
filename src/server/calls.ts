/** Registers the calls of the contract: rate limits, authorisation, input, handler, output. */
import {
  type Auth,
  type Body,
  clientHeaders,
  type Endpoint,
  endpoints,
  type EndpointSpec,
  type Output,
  type Query,
  maxBodyBytes,
  maxStateBytes,
} from "#core/api.ts";
import cors from "@fastify/cors";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Readable } from "node:stream";
import * as v from "valibot";
import { answerRefusal } from "./failures.ts";
import { readInput } from "./input.ts";
import type { Actor, ActorByAuth } from "./base/actor.ts";
import type { Call, Handler } from "./handlers/shared/handler.ts";
import { Refusal, refuse, Streamed } from "./base/refusal.ts";
import { crowdLimitOf, freeOnSuccess, accountLimitOf, networkLimitOf } from "./base/limits.ts";
import type { Services } from "./handlers/shared/services.ts";
import { type AccessLog, createAccessLog } from "./accessLog.ts";
import { accountOfSecret } from "./accountOfSecret.ts";
import { limitBodies } from "./bodies.ts";
import { inOneSpelling } from "./store/spelling.ts";
import { isUnavailable, type Store } from "./store/store.ts";
import { countryOf, networkOf, siteOf } from "./base/visitor.ts";
import { createGates } from "./base/gate.ts";

/** The API's path in this process. */
export const apiPrefix = "/api";
const preflightSeconds = 600;
const allMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;
const uuidSchema = v.pipe(v.string(), v.uuid());

type Schemas = {
  readonly [K in Endpoint]: {
    readonly query?: v.GenericSchema<unknown, Query<K>>;
    readonly body?: v.GenericSchema<unknown, Body<K>>;
    readonly output: v.GenericSchema<unknown, Output<K>>;
  };
};
const schemas: Schemas = endpoints;

export type Handlers<K extends Endpoint> = { readonly [Key in K]: Handler<Key> };

/** Registers `handlers` under the API's prefix or at the site's origin, as their rows say. Other methods get 405, other paths 404. */
export async function registerCalls<Implemented extends Endpoint>(
  app: FastifyInstance,
  services: Services,
  handlers: Handlers<Implemented>,
  keys: readonly Implemented[],
): Promise<void> {
  const { settings } = services;
  const access = createAccessLog({ log: app.log, secretKeys: settings.secretKeys, now: services.world.now });
  const shared = { access, inTurn: turnsAt(services.store) };
  const origins = new Set([new URL(settings.publicUrl).origin, ...settings.allowedOrigins]);
  const at = (place: EndpointSpec["at"], signed: boolean) =>
    keys.filter((key) => endpoints[key].at === place && (endpoints[key].auth === "signature") === signed);

  await app.register(async (site) => {
    for (const key of at("site", false)) route(site, key, handlers[key], services, shared);
  });
  await app.register(
    async (api) => {
      await api.register(cors, {
        origin: [...origins],
        credentials: true,
        methods: ["GET", "POST", "DELETE"],
        allowedHeaders: ["content-type", "authorization", "traceparent", ...Object.values(clientHeaders)],
        exposedHeaders: ["retry-after", "x-request-id"],
        maxAge: preflightSeconds,
      });
      api.addHook("onRequest", (request, reply, done) => {
        const { origin, "sec-fetch-site": site } = request.headers;
        const changes = request.method !== "GET" && request.method !== "HEAD" && request.method !== "OPTIONS";
        if (changes && site === "cross-site" && (origin === undefined || !origins.has(origin))) answerRefusal(reply, refuse("forbidden"));
        else done();
      });
      limitBodies(api, services.limits);
      for (const key of at("api", false)) route(api, key, handlers[key], services, shared);
      registerUnknown(api, keys);
    },
    { prefix: apiPrefix },
  );
  await app.register(
    async (signed) => {
      // A signature covers the raw bytes, whatever their content type.
      signed.removeAllContentTypeParsers();
      signed.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
      for (const key of at("api", true)) route(signed, key, handlers[key], services, { access, inTurn: (_, work) => work() });
    },
    { prefix: apiPrefix },
  );
}

function registerUnknown(api: FastifyInstance, keys: readonly Endpoint[]): void {
  const methodsOf = new Map<string, string[]>();
  for (const key of keys) {
    const { at, path, method } = endpoints[key];
    if (at === "api") methodsOf.set(`${apiPrefix}/${path}`, [...(methodsOf.get(`${apiPrefix}/${path}`) ?? []), method]);
  }
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const methods = methodsOf.get(request.url.split("?")[0] ?? "");
    if (!methods) return answerRefusal(reply, refuse("notFound"));
    return answerRefusal(reply.header("allow", methods.join(", ")), refuse("wrongMethod"));
  };
  // Answers before reading the body: these paths accept none.
  for (const url of ["/", "/*"]) api.route({ method: [...allMethods], url, exposeHeadRoute: false, onRequest: answer, handler: answer });
}

/** Calls that wait for something other than the database: a password's hash, a payment provider, or an answer's least time. */
const waitsElsewhere: ReadonlySet<Endpoint> = new Set([
  "signup",
  "login",
  "token",
  "loginLink",
  "forgotPassword",
  "resetPassword",
  "updateEmail",
  "endSessions",
  "accountErase",
  "contractNotice",
  "payLink",
  "payLinkMail",
  "createTransaction",
  "subscriptionChange",
  "subscriptionCard",
  "keepSubscription",
]);
/**
 * The most calls of one network that use PostgreSQL at the same time. A process has twenty connections. Without this limit, a burst of 1,500 saves, which
 * one network may send in a minute, made others' calls wait two seconds for a connection.
 */
const connectionsOfNetwork = 16;
/** Runs the work of a call in its network's turn. SQLite has no connections to share, and commits simultaneous writes together. */
type InTurn = <T>(network: string, work: () => Promise<T>) => Promise<T>;
const turnsAt = ({ dialect }: Store): InTurn => {
  if (dialect === "sqlite") return (_, work) => work();
  const gates = createGates(connectionsOfNetwork);
  return (network, work) => gates(siteOf(network), work);
};
/** What all calls have in common. */
interface Shared {
  readonly access: AccessLog;
  readonly inTurn: InTurn;
}

/** Reads a call's body and query. */
function inputReader<K extends Endpoint>(key: K): (request: FastifyRequest) => Pick<Call<K>, "body" | "query"> | Refusal {
  const signed = endpoints[key].auth === "signature";
  const read = {
    body: schemas[key].body ?? v.custom<Body<K>>((value) => typeof value === "object"),
    query: schemas[key].query ?? v.custom<Query<K>>((value) => typeof value === "object"),
  };
  return (request) => {
    const input = readInput(read, request, signed ? {} : request.body);
    return input instanceof Refusal ? input : { ...input, body: respelled(input.body) };
  };
}

function route<K extends Endpoint>(
  app: FastifyInstance,
  key: K,
  handler: Handler<K>,
  services: Services,
  { access, inTurn }: Shared,
): void {
  const spec: EndpointSpec = endpoints[key];
  const auth: Auth<K> = endpoints[key].auth;
  const { output } = schemas[key];
  const inputOf = inputReader(key);
  const accountLimit = accountLimitOf[key];
  const { accounts, limits, visits, settings } = services;

  app.route({
    method: spec.method,
    url: spec.at === "site" ? spec.path : `/${spec.path}`,
    bodyLimit: key === "questionnairePost" ? maxStateBytes : maxBodyBytes,
    config: { key },
    handler: async (request, reply) => {
      const [network, device] = [networkOf(request.ip), deviceOf(request)];
      if (device !== null) visits.called(device);
      const answerRefused = (refusal: Refusal, account?: string) => {
        access.refused(request, { call: key, network, account, code: refusal.code });
        return answerRefusal(reply, refusal);
      };
      const actor = spec.auth === "bearer" || spec.auth === "optional" ? await accounts.actorOf(request.headers.authorization) : null;
      const counted = await countForNetwork(key, { network, device, actor, body: request.body }, services, inTurn);
      if (counted.refusal) return answerRefused(counted.refusal, actor?.accountUuid);
      if (spec.auth === "bearer" && !actor) return answerRefused(refuse("invalidAccessToken"));
      if (accountLimit && actor) {
        const refusal = await limits.take(accountLimit, actor.accountUuid);
        if (refusal) return answerRefused(refusal, actor.accountUuid);
      }

      const input = inputOf(request);
      if (input instanceof Refusal) return answerRefused(input, actor?.accountUuid);
      const call: Call<K> = {
        ...input,
        actor: actorsFor(actor)[auth],
        device,
        knownAs: (account) => accounts.devices.knownAs(request.headers.cookie, account),
        remember: (account) => void reply.header("set-cookie", accounts.devices.remember(request.headers.cookie, account)),
        network,
        country: countryOf(request, settings),
        headers: request.headers,
        rawBody: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
        log: request.log,
      };
      const run = async () => handler(call, services);
      const result = await (waitsElsewhere.has(key) ? run() : inTurn(network, run)).catch(async (error: unknown) => {
        // This process still accepts a session for a few seconds after another process has erased its account.
        if (spec.auth === "bearer" && actor && !isUnavailable(error) && !(await accounts.sessions.isStillAlive(actor.sessionId)))
          return refuse("invalidAccessToken");
        throw error;
      });
      if (result instanceof Refusal) return answerRefused(result, actor?.accountUuid);
      access.granted(request, { call: key, network });
      if (freeOnSuccess.has(key)) await counted.giveBack();
      return reply
        .status(spec.status ?? 200)
        .header("content-type", "application/json; charset=utf-8")
        .header("cache-control", "no-store")
        .send(result instanceof Streamed ? Readable.from(result.pieces, { highWaterMark: 1 }) : JSON.stringify(v.parse(output, result)));
    },
  });
}

interface Counted {
  readonly network: string;
  readonly device: string | null;
  readonly actor: Actor | null;
  readonly body: unknown;
}

/** Counts a call for its network, before its input is validated. The refusal is null when the call may go on. */
async function countForNetwork(key: Endpoint, call: Counted, services: Services, inTurn: InTurn) {
  const { limits } = services;
  const { network, actor } = call;
  const name = networkLimitOf[key];
  const nothing = async () => {};
  if (name === undefined) return { refusal: null, giveBack: nothing };
  // Calls without the session that they need must not use up the limit of those with one.
  const counted = endpoints[key].auth === "bearer" && !actor ? `${siteOf(network)} without a session` : network;
  const refusal = await limits.take(name, counted);
  if (refusal === null) return { refusal, giveBack: () => limits.giveBack(name, counted) };
  const passes = (await passesCrowdLimit(key, call, services)) || (await inTurn(network, () => passesAsProven(key, call, services)));
  return { refusal: passes ? null : refusal, giveBack: nothing };
}

/** Whether a refused visitor may use the limit for crowds: the server must have known their visit for a while. */
async function passesCrowdLimit(key: Endpoint, { device, network }: Counted, { limits, visits }: Services): Promise<boolean> {
  const crowd = crowdLimitOf[key];
  return crowd !== undefined && (await visits.isKnown(device)) && (await limits.take(crowd, network)) === null;
}

/** Whether a refused caller may use their account's own limit: nobody else has its session, or a link that was mailed to it. */
async function passesAsProven(key: Endpoint, { actor, body }: Counted, services: Services): Promise<boolean> {
  const account = actor?.accountUuid ?? (await accountOfSecret(key, body, services));
  return account !== null && (await services.limits.take("proven.account", account)) === null;
}

/** Normalizes the domain of an e-mail address, so that one address always names one account. */
function respelled<T>(body: T): T {
  if (typeof body !== "object" || body === null || !("email" in body) || typeof body.email !== "string") return body;
  return { ...body, email: inOneSpelling(body.email) };
}

function actorsFor(actor: Actor | null): ActorByAuth {
  return {
    none: null,
    signature: null,
    optional: actor,
    get bearer() {
      if (!actor) throw new Error("A call that requires a bearer token ran without one");
      return actor;
    },
  };
}

function deviceOf(request: FastifyRequest): string | null {
  const device = v.safeParse(uuidSchema, request.headers[clientHeaders.device]);
  return device.success ? device.output : null;
}
