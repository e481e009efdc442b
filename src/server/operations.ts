/** The endpoints for load balancers and monitoring: alive, ready, metrics. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sql } from "kysely";
import { timingSafeEqual } from "node:crypto";
import { statfs } from "node:fs/promises";
import { answerRefusal } from "./failures.ts";
import { refuse } from "./base/refusal.ts";
import { createLogLimit } from "./base/logLimit.ts";
import type { Metrics } from "./metrics.ts";
import type { Store } from "./store/store.ts";
import type { Services } from "./handlers/shared/services.ts";
import { registerGauges } from "./gauges.ts";
import { registerProxies } from "./proxies.ts";

const leastFreeBytes = 50 * 1024 * 1024;
const minute = 60_000;
/** If a mail waits longer, sending is broken. Visitors are still served. */
const oldestWaitingMail = 15 * minute;
/** The time limit for a readiness answer, ms. A load balancer treats a late one as a failure. */
const answeredWithin = 1_500;
/** The time limit for the readiness of pages, ms. Pages need no database, so a slow database must not delay this answer. */
const pagesAnsweredWithin = 100;

interface Readiness {
  /** Why calls fail, by name; empty when they work. Pages are served in any case. */
  readonly problems: readonly string[];
  /** Problems that make no call fail. */
  readonly warnings: readonly string[];
}

/** Whether the database answers and takes writes, found out without writing. A PostgreSQL standby does not take writes. */
async function databaseIsUsable({ read, dialect }: Store): Promise<boolean> {
  if (dialect === "sqlite") return (await sql`SELECT 1`.execute(read)).rows.length === 1;
  const { rows } = await sql<{ standby: boolean }>`SELECT pg_is_in_recovery() AS standby`.execute(read);
  return rows[0]?.standby === false;
}

async function readinessOf({ store, world, settings }: Services): Promise<Readiness> {
  const problems: string[] = [];
  let mailWaitsSince: unknown = null;
  try {
    if (!(await databaseIsUsable(store))) problems.push("database");
    const waiting = await store.read
      .selectFrom("mail_outbox")
      .select((q) => q.fn.min("created_at").as("since"))
      .where("next_attempt_at", "is not", null)
      .executeTakeFirst();
    mailWaitsSince = waiting?.since ?? null;
  } catch {
    problems.push("database");
  }
  if (store.dialect === "sqlite") {
    const disk = await statfs(settings.dataDir).catch(() => null);
    if (disk === null || disk.bavail * disk.bsize < leastFreeBytes) problems.push("disk");
  }
  const mailIsLate = mailWaitsSince !== null && world.now() - Number(mailWaitsSince) > oldestWaitingMail;
  return { problems, warnings: mailIsLate ? ["mail"] : [] };
}

/** Checks readiness with one query at a time, whose answer concurrent requests share. Each request waits no longer than `withinMs`. */
function readinessProbe(services: Services): (withinMs: number) => Promise<Readiness> {
  let asking: Promise<Readiness> | null = null;
  return async (withinMs) => {
    asking ??= readinessOf(services).finally(() => (asking = null));
    const late = new Promise<Readiness>((resolve) => {
      setTimeout(() => resolve({ problems: ["database"], warnings: [] }), withinMs).unref();
    });
    return Promise.race([asking, late]);
  };
}

function mayReadMetrics(request: FastifyRequest, token: string | null): boolean {
  const given = Buffer.from(request.headers.authorization ?? "");
  const asked = Buffer.from(`Bearer ${token ?? ""}`);
  return token !== null && given.length === asked.length && timingSafeEqual(given, asked);
}

/** @param ending whether the process is shutting down: it is then not ready, but still answers */
export function registerOperations(app: FastifyInstance, services: Services, metrics: Metrics, ending: () => boolean): void {
  const { settings } = services;
  registerGauges(metrics, services);

  app.get("/healthz", { config: { key: "healthz" } }, async (_request, reply) =>
    reply.header("cache-control", "no-store").send({ ok: true }),
  );
  const readiness = readinessProbe(services);
  const linesLeftOut = createLogLimit();
  const notReady = (request: FastifyRequest, reply: FastifyReply, problems: readonly string[]) => {
    const leftOut = linesLeftOut();
    if (leftOut !== null) request.log.warn({ problems, leftOut }, "Not ready");
    return answerRefusal(reply, refuse("notReady", { fields: Object.fromEntries(problems.map((name) => [name, "failing"])) }));
  };
  const ready = (reply: FastifyReply, warnings: readonly string[]) =>
    reply.header("cache-control", "no-store").send({ ok: true, ...(warnings.length > 0 ? { warnings } : {}) });
  app.get("/readyz", { config: { key: "readyz" } }, async (request, reply) => {
    if (ending()) return notReady(request, reply, ["ending"]);
    const { problems, warnings } = await readiness(pagesAnsweredWithin);
    return ready(reply, [...problems, ...warnings]);
  });
  app.get("/readyz/calls", { config: { key: "readyz" } }, async (request, reply) => {
    if (ending()) return notReady(request, reply, ["ending"]);
    const { problems, warnings } = await readiness(answeredWithin);
    return problems.length > 0 ? notReady(request, reply, problems) : ready(reply, warnings);
  });
  app.get("/metrics", { config: { key: "metrics" } }, async (request, reply) => {
    if (!mayReadMetrics(request, settings.metricsToken)) return answerRefusal(reply, refuse("notFound"));
    return reply
      .header("content-type", "text/plain; version=0.0.4; charset=utf-8")
      .header("cache-control", "no-store")
      .send(await metrics.text());
  });
  registerProxies(app, services);
}
