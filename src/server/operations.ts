/** What an operator and a load balancer ask: alive, ready, how it goes. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { timingSafeEqual } from "node:crypto";
import { statfs } from "node:fs/promises";
import { answerRefusal } from "./failures.ts";
import { refuse } from "./handler.ts";
import type { Metrics } from "./metrics.ts";
import type { Services } from "./parts.ts";
import { isFromThisMachine } from "./visitor.ts";

const leastFreeBytes = 50 * 1024 * 1024;
const minute = 60_000;
/** A mail that waits longer says that sending does not work; visitors are still served. */
const oldestWaitingMail = 15 * minute;

/** What is wrong, by name; empty when ready. */
async function problems({ store, world, settings }: Services): Promise<readonly string[]> {
  const now = world.now();
  const found: string[] = [];
  try {
    await store.write(async (queries) => {
      await queries
        .insertInto("probes")
        .values({ name: "ready", at: now })
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ at: now }))
        .execute();
    });
  } catch {
    found.push("database");
  }
  if (store.dialect === "sqlite") {
    const disk = await statfs(settings.dataDir).catch(() => null);
    if (disk === null || disk.bavail * disk.bsize < leastFreeBytes) found.push("disk");
  }
  return found;
}

function mayReadMetrics(request: FastifyRequest, token: string | null): boolean {
  const given = Buffer.from(request.headers.authorization ?? "");
  const asked = Buffer.from(`Bearer ${token ?? ""}`);
  if (token !== null && given.length === asked.length && timingSafeEqual(given, asked)) return true;
  return isFromThisMachine(request);
}

export function registerOperations(app: FastifyInstance, services: Services, metrics: Metrics): void {
  const { store, world, settings, accounts } = services;
  metrics.gauge("parlando_password_hashes", "Password hashes under way and waiting", accounts.passwords.load);
  metrics.gauge("parlando_mails_waiting", "Mails in the outbox that are not sent", async () => {
    const row = await store.read
      .selectFrom("mail_outbox")
      .select((q) => q.fn.countAll().as("n"))
      .where("next_attempt_at", "is not", null)
      .executeTakeFirst();
    return Number(row?.n ?? 0);
  });

  app.get("/healthz", { config: { key: "healthz" } }, async (_request, reply) =>
    reply.header("cache-control", "no-store").send({ ok: true }),
  );
  app.get("/readyz", { config: { key: "readyz" } }, async (request, reply) => {
    const found = await problems(services);
    if (found.length > 0) {
      request.log.warn({ problems: found }, "Not ready");
      return answerRefusal(reply, refuse(1503, { fields: Object.fromEntries(found.map((name) => [name, "failing"])) }));
    }
    const waiting = await store.read
      .selectFrom("mail_outbox")
      .select((q) => q.fn.min("created_at").as("since"))
      .where("next_attempt_at", "is not", null)
      .executeTakeFirst();
    const mailIsLate = waiting?.since !== null && waiting?.since !== undefined && world.now() - Number(waiting.since) > oldestWaitingMail;
    return reply.header("cache-control", "no-store").send({ ok: true, ...(mailIsLate ? { warnings: ["mail"] } : {}) });
  });
  app.get("/metrics", { config: { key: "metrics" } }, async (request, reply) => {
    if (!mayReadMetrics(request, settings.metricsToken)) return answerRefusal(reply, refuse(1404));
    return reply
      .header("content-type", "text/plain; version=0.0.4; charset=utf-8")
      .header("cache-control", "no-store")
      .send(await metrics.text());
  });
}
