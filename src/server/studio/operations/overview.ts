/** A snapshot of processes, outboxes, database and alerts. */
import type { OutputOf } from "#studio/contract/call.ts";
import type { operationsCalls } from "#studio/contract/operations.ts";
import { type RawBuilder, sql } from "kysely";
import { isLimitName, ruleOf } from "../../base/limits.ts";
import type { Services } from "../../handlers/shared/services.ts";
import type { ProcessesTable } from "../../store/operationTables.ts";
import type { Queries } from "../../store/schema.ts";
import { isAlertRule } from "./alerts.ts";
import { knownUntil } from "../funnel/counting.ts";
import { boxStates } from "./boxes.ts";
import { stateOf } from "../../events/clickhouse/copy.ts";
import { livesFor } from "./rules.ts";

type Overview = OutputOf<(typeof operationsCalls)["operations"]>;
type Part = Overview["parts"][number];
const day = 24 * 60 * 60_000;
/** A slower answer means that the database is slow, ms. */
const slowDatabase = 200;
/** A standby that lags more is shown as slow, ms. */
const standbyLagsAfter = 60_000;
const mailIsSlowAfter = 15 * 60_000;
const alertsShown = 20;
const actionsShown = 8;
const number = (value: unknown) => Number(value ?? 0);

/** @param seesPeople whether the operator's role may see people */
export async function overview({ store, world, settings, payments }: Services, seesPeople: boolean): Promise<Overview> {
  const now = world.now();
  const asked = performance.now();
  const processes = await store.read.selectFrom("processes").selectAll().orderBy("started_at", "desc").limit(50).execute();
  const answeredIn = performance.now() - asked;
  const living = processes.filter((row) => row.ended_at === null && now - Number(row.seen_at) < livesFor);
  const newest = living[0] ?? processes[0];
  const [boxes, mail, webhooks, limits, alerts, actions] = await Promise.all([
    boxStates(store.read),
    mails(store.read, now),
    webhookCounts(store.read, now),
    refusals(store.read, now),
    alertsOf(store.read, alertsShown),
    store.read
      .selectFrom("operator_audit")
      .select(["at", "operator_name", "action", "subject", "account_uuid"])
      .orderBy("at", "desc")
      .limit(actionsShown)
      .execute(),
  ]);
  const database: Part = {
    name: "Database",
    state: answeredIn > slowDatabase ? "slow" : "works",
    says: `${store.dialect === "sqlite" ? "SQLite" : "PostgreSQL"}, answered in ${Math.ceil(answeredIn)} ms`,
    at: now,
  };
  return {
    at: now,
    versions: { code: newest?.code ?? "", schema: newest?.schema_name ?? "", content: newest?.content ?? "" },
    processes: processes
      .filter((row) => now - Number(row.seen_at) < day)
      .map((row) => ({
        id: row.id,
        startedAt: Number(row.started_at),
        seenAt: Number(row.seen_at),
        code: row.code,
        schema: row.schema_name,
        content: row.content,
        requests: Number(row.requests),
        failures: Number(row.failures),
        p95: row.p95_ms === null ? null : Number(row.p95_ms),
        lives: living.includes(row),
      })),
    parts: [
      pages(living),
      database,
      ...(await standbyParts(store, now)),
      mailPart(mail, now),
      ...(await clickhousePart(store.read, settings)),
      ...(await providerParts(store.read, payments.providers)),
    ],
    boxes: [...boxes],
    webhooks,
    mails: { queued: mail.queued, sent: mail.sent, waiting: mail.waiting, failed: mail.failed },
    limits: limits.flatMap(({ rule, ...row }) => (isLimitName(rule) ? [{ rule, ...row, ...ruleOf(rule, settings.limits) }] : [])),
    alerts,
    actions: actions.map(({ operator_name: operator, account_uuid: person, ...row }) => ({
      ...row,
      at: Number(row.at),
      operator,
      person: seesPeople ? person : null,
    })),
  };
}

function pages(living: readonly Pick<ProcessesTable, "requests" | "failures" | "seen_at" | "p95_ms">[]): Part {
  const requests = living.reduce((sum, row) => sum + Number(row.requests), 0);
  const failures = living.reduce((sum, row) => sum + Number(row.failures), 0);
  const slowest = Math.max(...living.flatMap((row) => (row.p95_ms === null ? [] : [Number(row.p95_ms)])), 0);
  const within = slowest === 0 ? "" : `, 95% within ${slowest} ms`;
  return {
    name: "Pages and API",
    state: living.length === 0 ? "unknown" : failures > 0 ? "fails" : "works",
    says: `${living.length} ${living.length === 1 ? "process" : "processes"}, ${requests} answers in five minutes${within}, ${failures} failures`,
    at: living[0] === undefined ? null : Number(living[0].seen_at),
  };
}

async function standbyParts(store: Services["store"], now: number): Promise<readonly Part[]> {
  if (store.standby === undefined) return [];
  const name = "Standby for counts";
  const known = await knownUntil(store, now).catch(() => null);
  if (known === null) return [{ name, state: "fails", says: "does not answer: Funnel and Today cannot count", at: null }];
  const behind = now - known;
  return [{ name, state: behind > standbyLagsAfter ? "slow" : "works", says: `${Math.ceil(behind / 1_000)} s behind`, at: known }];
}

/** Each number is found by an index of its own: there are very many mails, and the screen asks every ten seconds. */
async function mails(queries: Queries, now: number) {
  const since = now - day;
  const waits = sql`next_attempt_at IS NOT NULL`;
  const rests = sql`next_attempt_at IS NULL`;
  const count = (condition: RawBuilder<unknown>) => sql<unknown>`(SELECT COUNT(*) FROM mail_outbox WHERE ${condition})`;
  const { rows } = await sql<
    Readonly<Record<"queued" | "sent" | "waiting" | "failed" | "last" | "oldest", unknown>> & { readonly error: string | null }
  >`SELECT ${count(sql`${waits} AND created_at > ${since}`)} + ${count(sql`${rests} AND created_at > ${since}`)} AS queued,
      ${count(sql`sent_at > ${since}`)} AS sent,
      ${count(waits)} AS waiting,
      ${count(sql`${rests} AND sent_at IS NULL AND created_at > ${since}`)} AS failed,
      (SELECT MAX(sent_at) FROM mail_outbox WHERE sent_at IS NOT NULL) AS last,
      (SELECT MIN(created_at) FROM mail_outbox WHERE ${waits}) AS oldest,
      (SELECT error FROM mail_outbox WHERE error IS NOT NULL ORDER BY created_at DESC LIMIT 1) AS error`.execute(queries);
  const [row] = rows;
  return {
    queued: number(row?.queued),
    sent: number(row?.sent),
    waiting: number(row?.waiting),
    failed: number(row?.failed),
    last: row?.last == null ? null : Number(row.last),
    oldest: row?.oldest == null ? null : Number(row.oldest),
    error: row?.error ?? null,
  };
}

/** Refusing mailboxes do not mean that sending is broken, unless they outnumber those that accepted a mail. */
function mailPart({ oldest, failed, sent, last, error, waiting }: Awaited<ReturnType<typeof mails>>, now: number): Part {
  const isLate = oldest !== null && now - oldest > mailIsSlowAfter;
  const fails = failed > sent;
  const counts = failed > 0 ? `${waiting} wait, ${failed} given up` : `${waiting} wait`;
  return {
    name: "Mail sending",
    state: fails ? "fails" : isLate ? "slow" : last === null ? "unknown" : "works",
    says: error !== null && (fails || isLate) ? error : counts,
    at: last,
  };
}

/** Empty when ClickHouse is not configured. */
async function clickhousePart(queries: Queries, { clickhouseUrl }: Services["settings"]): Promise<readonly Part[]> {
  if (clickhouseUrl === null) return [];
  const state = await stateOf(queries);
  return [
    {
      name: "ClickHouse",
      state: state === undefined ? "unknown" : state.error !== null ? "fails" : state.complete_at === null ? "slow" : "works",
      says:
        state === undefined
          ? "no copy has begun"
          : (state.error ?? (state.complete_at === null ? "the first copy is under way" : "has journeys and counts them")),
      at: state?.tried_at ?? null,
    },
  ];
}

const titles: Readonly<Record<string, string>> = { paddlebilling: "Paddle Billing", paddle: "Paddle Classic" };

async function providerParts(queries: Queries, providers: readonly string[]): Promise<readonly Part[]> {
  const compared = await queries.selectFrom("reconciliations").select(["payment_provider", "at", "findings"]).execute();
  return Promise.all(
    providers.map(async (provider) => {
      const webhook = await queries
        .selectFrom("provider_events")
        .select((eb) => eb.fn.max("received_at").as("at"))
        .where("payment_provider", "=", provider)
        .executeTakeFirst();
      const comparison = compared.find((row) => row.payment_provider === provider);
      const problem = comparison === undefined ? null : (JSON.parse(comparison.findings) as { readonly problem: string | null }).problem;
      return {
        name: titles[provider] ?? provider,
        state: comparison === undefined ? ("unknown" as const) : problem === null ? ("works" as const) : ("fails" as const),
        says: problem ?? (comparison === undefined ? "not asked yet" : "its list answered"),
        at: Math.max(Number(webhook?.at ?? 0), problem === null ? Number(comparison?.at ?? 0) : 0) || null,
      };
    }),
  );
}

async function webhookCounts(queries: Queries, now: number) {
  const row = await queries
    .selectFrom("provider_events")
    .select([
      sql<unknown>`COUNT(*)`.as("received"),
      sql<unknown>`SUM(CASE WHEN applied_at IS NOT NULL AND error IS NULL THEN 1 ELSE 0 END)`.as("applied"),
      sql<unknown>`SUM(CASE WHEN error IS NOT NULL THEN 1 ELSE 0 END)`.as("failed"),
    ])
    .where("received_at", ">", now - day)
    .executeTakeFirst();
  return { received: number(row?.received), applied: number(row?.applied), failed: number(row?.failed) };
}

async function refusals(queries: Queries, now: number) {
  const rows = await queries
    .selectFrom("limit_refusals")
    .select((eb) => ["rule", eb.fn.sum("refused").as("refused"), eb.fn.max("last_at").as("last")])
    .where("hour", ">", now - day)
    .groupBy("rule")
    .execute();
  return rows
    .map((row) => ({ rule: row.rule, refused: Number(row.refused), lastAt: Number(row.last) }))
    .toSorted((a, b) => b.refused - a.refused);
}

export async function alertsOf(queries: Queries, limit: number): Promise<Overview["alerts"]> {
  const rows = await queries
    .selectFrom("alerts")
    .selectAll()
    .orderBy(sql`CASE WHEN ended_at IS NULL THEN 0 ELSE 1 END`)
    .orderBy("began_at", "desc")
    .limit(limit)
    .execute();
  return rows.flatMap((row) =>
    isAlertRule(row.rule)
      ? [
          {
            id: row.id,
            rule: row.rule,
            says: row.says,
            beganAt: Number(row.began_at),
            endedAt: row.ended_at === null ? null : Number(row.ended_at),
            seenBy: row.seen_by,
            seenAt: row.seen_at === null ? null : Number(row.seen_at),
          },
        ]
      : [],
  );
}
