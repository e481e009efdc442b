/** Assembles the server. `main.ts` listens with it; tests call it in process. */
import { appVersion } from "#core/appVersion.ts";
import { maxBodyBytes } from "#core/api.ts";
import type { Site } from "#core/page.ts";
import compress from "@fastify/compress";
import fastifyStatic from "@fastify/static";
import underPressure from "@fastify/under-pressure";
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import { existsSync, mkdirSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { constants } from "node:zlib";
import { createAccounts } from "./accounts/accounts.ts";
import { apiPrefix, registerCalls } from "./calls.ts";
import { answerRefusal, createAnswerError } from "./failures.ts";
import { refuse } from "./base/refusal.ts";
import { handlers, implemented } from "./handlers.ts";
import { type Counters, memoryCounters } from "./base/counters.ts";
import { createLimits } from "./base/limits.ts";
import { createVisits } from "./events/visits.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import type { AssetsBucket, AssetsPart } from "./olderBuilds.ts";
import { openapiOf } from "./openapi.ts";
import { requestLog } from "./requestLog.ts";
import { registerOperations } from "./operations.ts";
import { type CachedPages, createCachedPages } from "./cachedPages.ts";
import { type PageParts, pageRoute, registerPages } from "./pages.ts";
import { registerStudioCalls } from "./studioCalls.ts";
import { registerReleaseModules } from "./releaseModules.ts";
import { createReleases } from "./releases/releases.ts";
import { createRollouts } from "./releases/rollouts.ts";
import { registerStudioPage } from "./studioPage.ts";
import { createTurns } from "./turns.ts";
import { limitUnfinishedBodies } from "./unfinishedBodies.ts";
import type { Watch } from "./studio/operations/watch.ts";
import { limitChunks } from "./chunks.ts";
import { limitOpenConnections } from "./openConnections.ts";
import { limitPipelining } from "./pipelining.ts";
import { isTracing } from "./base/traces.ts";
import { traceRequests } from "./requestTraces.ts";
import { beginInTurns } from "./requestTurns.ts";
import type { Clock } from "./store/clock.ts";
import type { Services } from "./handlers/shared/services.ts";
import { apiHeaders, fileHeaders, headersFrom } from "./security.ts";
import { isFromThisMachine } from "./base/visitor.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The route's name in the metrics. */
    readonly key?: string;
  }
}

const silent = { warn: () => undefined };
const daySeconds = 24 * 60 * 60;
const compressFrom = 1_024;
const brotliQualityOnTheFly = 5;
const millisecondsPerSecond = 1_000;
const slowestRequestMs = 60 * millisecondsPerSecond;
const silentConnectionMs = 120 * millisecondsPerSecond;

/** Everything the server needs. `main.ts` builds it from the environment; tests build their own. */
export interface AppParts extends Omit<Services, "accounts" | "limits" | "releases" | "rollouts" | "visits"> {
  /** The build's name. */
  readonly code?: string;
  /** Where rate limits are counted. Default: in this process. */
  readonly counters?: Counters;
  /** For the metrics: how far the clock has gone wrong. */
  readonly clock?: Pick<Clock, "aheadMs">;
  readonly site: Site;
  /** Collects what the studio shows of this process. */
  readonly watch?: Pick<Watch, "refused" | "answered">;
  /** Whether the process is shutting down. It then still answers, reports not ready, and closes each connection after its answer. */
  readonly ending?: () => boolean;
  /** How long a connection with a request may transfer nothing, ms. */
  readonly silentConnectionMs?: number;
  /** The build's folder, with `client/` and `media/`. Null serves no files (tests). */
  readonly buildDir: string | null;
  /** The bucket from which files of other builds are fetched on request. */
  readonly assetsBucket?: AssetsBucket | null;
  /** More routes: the mailbox page, the payment stand-in, the development server's middleware. */
  readonly extensions?: readonly ((app: FastifyInstance, services: Services) => Promise<void>)[];
  /** Without it, nothing is logged. */
  readonly log?: FastifyBaseLogger;
  /** The development server's own answers. It calls `next` for everything else. */
  readonly middleware?: (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;
}

function registerCounters(
  app: FastifyInstance,
  metrics: Metrics,
  { counters = memoryCounters, clock }: Pick<AppParts, "counters" | "clock">,
): void {
  if (clock !== undefined)
    metrics.gauge(
      "parlando_clock_skew_seconds",
      "How far this machine's clock is ahead of the database's",
      () => clock.aheadMs() / millisecondsPerSecond,
    );
  metrics.gauge("parlando_limits_away", "Whether this process enforces its own share of the limits because Redis is away", () =>
    Number(counters.away()),
  );
  app.addHook("onClose", () => counters.close());
}

/** Builds the server without listening. The store must be migrated. */
export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { settings, store, world, questionnaires, payments, mail, erasing } = parts;
  const accounts = createAccounts({ settings, store, world, questionnaires, payments, cores: availableParallelism() });
  const services: Services = {
    settings,
    store,
    world,
    questionnaires,
    payments,
    mail,
    erasing,
    accounts,
    releases: createReleases({ store, world, questionnaires, code: parts.code ?? "", log: parts.log ?? silent }),
    rollouts: createRollouts({ store, world, settings, questionnaires }),
    limits: createLimits(settings.limits, parts.watch?.refused, parts.counters),
    visits: createVisits({ store, world }),
  };
  const metrics = createMetrics();
  metrics.info("parlando_build_info", "The running build", { version: appVersion, node: process.versions.node });
  const { ending = () => false } = parts;

  const answerError = createAnswerError();
  const app = Fastify({
    ...(parts.log ? { loggerInstance: parts.log, childLoggerFactory: requestLog } : {}),
    // Failures are logged where they happen. A line per request would only repeat /metrics.
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: "idle",
    // A request on a connection that is still open after the port has closed is answered normally.
    return503OnClosing: false,
    genReqId: () => world.uuid(),
    bodyLimit: maxBodyBytes,
    // The time limit for receiving a whole request, against clients that send slowly on purpose.
    requestTimeout: slowestRequestMs,
    // Against clients that do not read their answers, which the process would hold for ever.
    connectionTimeout: parts.silentConnectionMs ?? silentConnectionMs,
    // Hop 0 is the connected client. With no proxy in front, X-Forwarded-For is never trusted.
    trustProxy: settings.proxyHops === 0 ? false : (_address, hop) => hop < settings.proxyHops,
    routerOptions: { maxParamLength: 200 },
    rewriteUrl: (request) => decodable(pathOf(request.url ?? "/")),
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
  });
  registerCounters(app, metrics, parts);
  app.addHook("onListen", () => services.releases.enter());
  app.addHook("onClose", () => services.releases.stop());
  app.removeContentTypeParser("text/plain");
  app.setErrorHandler(answerError);
  app.setNotFoundHandler((_request, reply) => answerRefusal(reply, refuse("notFound")));
  const turns = createTurns();
  const cache = createCachedPages(world, turns.isBusy);
  const answered: Answered = (route, status, elapsedMs) => {
    metrics.count(route, status, elapsedMs / millisecondsPerSecond);
    parts.watch?.answered(status, elapsedMs);
  };
  if (!isTracing() && !settings.developing) answerPagesAtOnce(app, cache, answered, ending);
  limitClients(app);
  traceRequests(app);
  countAnswers(app, answered, ending);
  refuseTwoHosts(app);

  const { middleware } = parts;
  if (middleware)
    app.addHook("onRequest", (request, reply, done) =>
      middleware(request.raw, reply.raw, (error) => done(error instanceof Error ? error : undefined)),
    );
  refuseUnknown(app);

  await app.register((data) => registerData(data, services, metrics, ending));
  for (const extension of parts.extensions ?? [])
    await app.register(async (scope) => {
      // Stand-ins are for developers on this machine only: the mailbox would let anyone log in to any account.
      scope.addHook("onRequest", async (request, reply) => {
        if (!isFromThisMachine(request)) return answerRefusal(reply, refuse("notFound"));
      });
      await extension(scope, services);
    });
  // Answers to calls are never compressed: they are small, and compressing a secret beside the caller's input could reveal it.
  await app.register((pages) => registerSite(pages, parts, services, { turns, cache }));
  return app;
}

/** Registers files, pages and the studio's page. */
async function registerSite(
  app: FastifyInstance,
  parts: AppParts,
  services: Services,
  { turns, cache }: Pick<PageParts, "turns" | "cache">,
): Promise<void> {
  const { site, settings, buildDir, assetsBucket = null } = parts;
  const { world, limits, releases } = services;
  const headers = await headersFrom(fileHeaders(settings));
  const withFileHeaders = (files: FastifyInstance) =>
    files.addHook("onRequest", (_request, reply, done) => {
      reply.headers(headers);
      done();
    });
  // The build has compressed them. Compressing them while they are sent would take fifty times as long as sending them.
  await app.register((files) => registerFiles(withFileHeaders(files), buildDir, settings.assetsDir, assetsBucket));
  await app.register(async (compressed) => {
    await compressed.register(compress, {
      encodings: ["br", "gzip"],
      threshold: compressFrom,
      // Nothing here reads a body.
      globalDecompression: false,
      brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQualityOnTheFly } },
    });
    await compressed.register(async (files) => registerReleaseModules(withFileHeaders(files), site, { limits, releases, turns }));
    await registerStudioPage(compressed, settings, buildDir);
    await registerPages(compressed, { site, settings, world, limits, releases, turns, cache });
  });
}

type Answered = (route: string, status: number, elapsedMs: number) => void;

/** How many pages may be answered without Fastify in one turn of the event loop. They take about three milliseconds. */
const pagesInOneTurn = 32;

/** Puts the request's id into each answer, counts the answer, and closes connections during shutdown. */
function countAnswers(app: FastifyInstance, answered: Answered, ending: () => boolean): void {
  app.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id);
    if (ending()) reply.header("connection", "close");
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    answered(request.routeOptions.config.key ?? request.routeOptions.url ?? "none", reply.statusCode, reply.elapsedTime);
    done();
  });
}

/**
 * Answers plain requests for cached pages before Fastify, whose routing and hooks take longer than sending a page. In each turn of the event loop only
 * a few: the others wait in line, where networks take turns.
 */
function answerPagesAtOnce(app: FastifyInstance, { answerAtOnce }: CachedPages, answered: Answered, ending: () => boolean): void {
  const handlers = app.server.listeners("request");
  app.server.removeAllListeners("request");
  let inThisTurn = 0;
  app.server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const began = performance.now();
    // A response gets its socket when the connection's earlier ones are sent. Fastify limits pipelining.
    const isNext = response.socket !== null;
    if (inThisTurn < pagesInOneTurn && isNext && !ending() && !hasTwoHosts(request) && answerAtOnce(request, response)) {
      if (inThisTurn++ === 0) setImmediate(() => (inThisTurn = 0));
      return answered(pageRoute, response.statusCode, performance.now() - began);
    }
    for (const handler of handlers) Reflect.apply(handler, app.server, [request, response]);
  });
}

/** Registers the calls, the studio's calls and the operations endpoints. */
async function registerData(data: FastifyInstance, services: Services, metrics: Metrics, ending: () => boolean): Promise<void> {
  const { settings } = services;
  const headers = apiHeaders(settings);
  data.addHook("onRequest", (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
  registerOperations(data, services, metrics, ending);
  // Only calls are refused under load. A page whose script or picture is refused is worse than a slow page, and a monitor must not restart a process
  // that is merely busy.
  await data.register(async (calls) => {
    await calls.register(underPressure, { maxEventLoopDelay: settings.busyAfterMs });
    await registerCalls(calls, services, handlers, implemented);
  });
  // Operators need the studio most when the process is busy, so its calls are not refused.
  await registerStudioCalls(data, services);
  let openapi: string | null = null;
  data.get(`${apiPrefix}/openapi.json`, { config: { key: "openapi" } }, async (_request, reply) => {
    openapi ??= JSON.stringify(
      openapiOf(implemented, { backendUrl: settings.backendUrl, publicUrl: settings.publicUrl, version: appVersion }),
    );
    return reply.header("content-type", "application/json; charset=utf-8").send(openapi);
  });
}

/** Limits what clients can have open and begun at a time. Before all other hooks. */
function limitClients(app: FastifyInstance): void {
  limitOpenConnections(app);
  limitPipelining(app);
  limitChunks(app);
  limitUnfinishedBodies(app);
  beginInTurns(app);
}

function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let n = 0; n < rawHeaders.length; n += 2) if (rawHeaders[n]?.toLowerCase() === "host") hosts++;
  return hosts > 1;
}

/** Refuses a request with two Host headers: Node reads the first, a proxy may have read the other. */
function refuseTwoHosts(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    if (hasTwoHosts(request.raw)) answerRefusal(reply, refuse("malformed"));
    else done();
  });
}

/** Answers a request without a route before reading its body: that would take long, and no limit counts such bodies. */
function refuseUnknown(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    if (request.is404) answerRefusal(reply, refuse("notFound"));
    else done();
  });
}

/** The path of a request target. HTTP also allows an absolute URL there, as sent to a proxy; its host is ignored. */
function pathOf(target: string): string {
  const path = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "");
  return path.startsWith("/") ? path : `/${path}`;
}

/** Escapes a path with broken percent-encoding, so that it is answered with "not found". */
function decodable(url: string): string {
  if (!url.includes("%") || url.startsWith(apiPrefix)) return url;
  const [path = "", ...query] = url.split("?");
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return [path.replaceAll("%", "%25"), ...query].join("?");
  }
}

/** All files lie directly in their folder. A name that begins with a dot is that of an unfinished copy. */
const fileName = /^[\w@-][\w@.-]*$/;

/** Files under `/assets/` never change, because each name has a hash. Pictures may change. */
async function registerFiles(
  app: FastifyInstance,
  buildDir: string | null,
  assetsDir: string | null,
  bucket: AssetsBucket | null,
): Promise<void> {
  if (buildDir === null) return;
  const own = (part: AssetsPart) => join(buildDir, part, "assets");
  const hashed = (part: AssetsPart) => [own(part), ...(assetsDir === null ? [] : [join(assetsDir, part)])];
  const folders = [
    { prefix: "/assets/", part: "client", roots: hashed("client"), immutable: true, maxAge: 365 * daySeconds * millisecondsPerSecond },
    {
      prefix: "/studio/assets/",
      part: "studio",
      roots: hashed("studio"),
      immutable: true,
      maxAge: 365 * daySeconds * millisecondsPerSecond,
    },
    { prefix: "/media/", part: null, roots: [join(buildDir, "media")], immutable: false, maxAge: daySeconds * millisecondsPerSecond },
  ] as const;
  for (const { prefix, part, roots, immutable, maxAge } of folders) {
    if (bucket !== null && part !== null) for (const folder of roots) mkdirSync(folder, { recursive: true });
    const root = roots.filter((folder) => existsSync(folder));
    if (root.length === 0) continue;
    await app.register(async (scope) => {
      // The plugin's own route would read the whole folder for each file, to compare the spelling of its name.
      await scope.register(fastifyStatic, { root, immutable, maxAge, serve: false, index: false, preCompressed: true });
      scope.get<{ Params: { "*": string } }>(`${prefix}*`, async (request, reply) => {
        const { "*": name } = request.params;
        if (!fileName.test(name)) return answerRefusal(reply, refuse("notFound"));
        if (bucket !== null && part !== null && !existsSync(join(own(part), name)))
          await bucket
            .bring(part, name)
            .catch((err: unknown) => request.log.error({ err }, "ASSETS_BUCKET cannot be read: a page of another build lacks a file"));
        return reply.sendFile(name);
      });
    });
  }
}
