/** Monitoring. Each process reports a heartbeat, and one of them evaluates the alert rules. */
import { createRounds } from "../../base/rounds.ts";
import type { LimitName } from "../../base/limits.ts";
import type { Services } from "../../handlers/shared/services.ts";
import { takeLease } from "../../store/lease.ts";
import { readMigrations } from "../../store/migrate.ts";
import { reconcileWith } from "../money/reconciliation.ts";
import { evaluateRules } from "./alerts.ts";
import { type Answers, createAnswers } from "./answers.ts";
import { deliverDue, type DeliveryParts } from "./deliveries.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const roundEvery = 15 * second;
/** Longer than one round can take, ms. */
const leaseFor = 2 * minute;
/** How long a stopping process waits for a round, ms. */
const stopWithin = 5 * second;
const kept = { processes: 7 * day, refusals: 30 * day, errors: 90 * day, deliveries: 30 * day } as const;

export interface Watch {
  readonly refused: (limit: LimitName) => void;
  readonly answered: Answers["count"];
  /** One round without the comparison with the providers: the heartbeat, then the tasks that only one process does. */
  readonly round: () => Promise<void>;
  readonly start: () => void;
  readonly stop: () => Promise<void>;
}

export interface WatchParts extends Pick<Services, "store" | "world" | "payments">, Pick<DeliveryParts, "fetch"> {
  readonly onMail: () => void;
  readonly code: string;
  readonly content: string;
  readonly log: { readonly warn: (details: object, message: string) => void; readonly error: (details: object, message: string) => void };
}

/** Reconciles with each provider once an hour. */
async function compare(parts: WatchParts): Promise<void> {
  const { store, world } = parts;
  const before = await store.read.selectFrom("reconciliations").select(["payment_provider", "at"]).execute();
  for (const provider of parts.payments.providers) {
    const last = before.find((row) => row.payment_provider === provider);
    if (last === undefined || world.now() - Number(last.at) >= hour || Number(last.at) > world.now()) await reconcileWith(parts, provider);
  }
}

/** Deletes old counts of errors, in one write those of a cause on a day: anybody can report 150,000 kinds of made-up errors a day. */
async function forgetErrors({ store }: WatchParts, before: string): Promise<void> {
  for (;;) {
    const old = await store.read
      .selectFrom("client_error_counts")
      .select(["cause", "day"])
      .where("day", "<", before)
      .orderBy("day")
      .limit(1)
      .executeTakeFirst();
    if (old === undefined) return;
    await store.write((queries) =>
      queries.deleteFrom("client_error_counts").where("cause", "=", old.cause).where("day", "=", old.day).execute(),
    );
  }
}

async function forget(parts: WatchParts): Promise<void> {
  const { store, world } = parts;
  const now = world.now();
  await forgetErrors(parts, new Date(now - kept.errors).toISOString().slice(0, 10));
  await store.write(async (queries) => {
    await queries
      .deleteFrom("processes")
      .where("seen_at", "<", now - kept.processes)
      .execute();
    await queries
      .deleteFrom("limit_refusals")
      .where("hour", "<", now - kept.refusals)
      .execute();
    await queries
      .deleteFrom("alert_deliveries")
      .where("created_at", "<", now - kept.deliveries)
      .where("next_attempt_at", "is", null)
      .execute();
    await queries
      .deleteFrom("client_errors")
      .where("last_at", "<", now - kept.errors)
      .execute();
  });
}

export function createWatch(parts: WatchParts): Watch {
  const { store, world, log } = parts;
  const id = world.uuid();
  const startedAt = world.now();
  const schema = readMigrations(store.dialect).at(-1)?.name ?? "";
  const answers = createAnswers(world.now);
  let refusals = new Map<LimitName, { count: number; at: number }>();

  async function beat(endedAt: number | null = null): Promise<void> {
    const now = world.now();
    const counted = refusals;
    refusals = new Map();
    const lives = { seen_at: now, ended_at: endedAt, ...answers.lately() };
    await store.write(async (queries) => {
      await queries
        .insertInto("processes")
        .values({ id, started_at: startedAt, code: parts.code, schema_name: schema, content: parts.content, ...lives })
        .onConflict((conflict) => conflict.column("id").doUpdateSet(lives))
        .execute();
      for (const [rule, { count, at }] of counted)
        await queries
          .insertInto("limit_refusals")
          .values({ rule, hour: at - (at % hour), refused: count, last_at: at })
          .onConflict((conflict) =>
            conflict.columns(["rule", "hour"]).doUpdateSet((row) => ({ refused: row("limit_refusals.refused", "+", count), last_at: at })),
          )
          .execute();
    });
  }

  /** Does work that one process does at a time. */
  async function alone(task: string, forMs: number, work: () => Promise<void>): Promise<void> {
    const lease = await takeLease(parts, task, forMs);
    if (lease === null) return;
    try {
      await work();
    } finally {
      await lease.release();
    }
  }
  async function round(): Promise<void> {
    await beat();
    await alone("operations", leaseFor, async () => {
      await evaluateRules(parts);
      await deliverDue(parts);
      await forget(parts);
    });
  }

  const rounds = createRounds(round, (err) => log.error({ err }, "A monitoring round failed"));
  // A month of payments takes a provider minutes to list. Heartbeats and alerts do not wait for it.
  const comparisons = createRounds(
    () => alone("comparison with the providers", hour, () => compare(parts)),
    (err) => log.error({ err }, "The books could not be compared with the provider"),
  );
  return {
    refused: (limit) => {
      refusals.set(limit, { count: (refusals.get(limit)?.count ?? 0) + 1, at: world.now() });
    },
    answered: answers.count,
    round,
    start: () => {
      rounds.start(roundEvery);
      comparisons.start(roundEvery);
    },
    stop: async () => {
      const late = Promise.withResolvers<void>();
      const patience = setTimeout(late.resolve, stopWithin);
      await Promise.race([Promise.all([rounds.stop(), comparisons.stop()]), late.promise]);
      clearTimeout(patience);
      await beat(world.now()).catch((err: unknown) => log.warn({ err }, "A process could not report that it is shutting down"));
    },
  };
}
