/**
 * Erases accounts. At once the account can neither be entered nor found, and nothing is handed out; what is stored about the person goes
 * in small writes, between which others get their turn. Whoever works at an erasure has claimed it (decision 084): one that a killed process
 * left behind is gone on with. What counts stays without the person: events and visits, and orders as bookkeeping needs them.
 */
import { knownLocale } from "#core/locales.ts";
import { sql } from "kysely";
import { setImmediate as nextTurn } from "node:timers/promises";
import { forgetVisits } from "../events/forget.ts";
import type { World } from "../base/world.ts";
import { forgetBuyer } from "../payments/buyers.ts";
import { addDuty } from "../payments/duties.ts";
import type { PaymentService } from "../payments/service.ts";
import { createRounds } from "../base/rounds.ts";
import type { Database, ErasuresTable, Queries } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { endLongWaits } from "../store/waits.ts";
import { forgetChanges } from "./emailChanges.ts";
import { queueMail } from "../mail/outbox.ts";

/** Rows a write: others wait no longer than one takes. */
export const erasedAtOnce = 250;
/** Longer than a write can take. */
const claimMs = 2 * 60_000;
const againAfterMs = 60_000;
const lookEveryMs = 60_000;
/** A uuid that is nobody's, in place of the person's. */
const nobody = "00000000-0000-4000-8000-000000000000";

export interface Erasing {
  /** Takes the account out of everybody's sight, within the caller's write; null when it is gone already. Wake afterwards. */
  readonly begin: (queries: Queries, accountUuid: string) => Promise<"begun" | null>;
  readonly wake: () => void;
  /** Looks every minute, for what another process left behind. */
  readonly start: () => void;
  /** Resolves when everything that is due has been done. */
  readonly settled: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

type Erasure = Pick<ErasuresTable, "account_uuid" | "email" | "stand_in" | "asked_at">;
/** Where a step's last write ended; null at its beginning. */
interface Place {
  after: readonly unknown[] | null;
}
/** Takes away some rows of a person and says how many. */
type Step = (queries: Queries, erasure: Erasure, world: World, place: Place) => Promise<number>;

const affected = async (query: ReturnType<typeof sql>, queries: Queries) => Number((await query.execute(queries)).numAffectedRows ?? 0n);
const some = sql.lit(erasedAtOnce);

/** Some rows of a table that a condition finds, by their key. */
const someOf = (table: keyof Database, key: readonly string[], condition: ReturnType<typeof sql>) => {
  const columns = sql.join(key.map((name) => sql.ref(name)));
  return sql`(${columns}) IN (SELECT ${columns} FROM ${sql.table(table)} WHERE ${condition} LIMIT ${some})`;
};
const removing =
  (table: keyof Database, key: readonly string[], owner: string): Step =>
  (queries, { account_uuid }) =>
    affected(sql`DELETE FROM ${sql.table(table)} WHERE ${someOf(table, key, sql`${sql.ref(owner)} = ${account_uuid}`)}`, queries);
const emptying =
  (table: keyof Database, key: readonly string[], columns: readonly string[]): Step =>
  (queries, { account_uuid }) => {
    const empty = sql.join(columns.map((name) => sql`${sql.ref(name)} = NULL`));
    return affected(sql`UPDATE ${sql.table(table)} SET ${empty} WHERE ${someOf(table, key, sql`account_uuid = ${account_uuid}`)}`, queries);
  };

/** Orders lose the person; at their provider a running subscription is ended, and an open checkout, which nobody is to pay any more. */
const orders: Step = async (queries, { account_uuid }, world) => {
  const left = await queries
    .updateTable("orders")
    .set({ account_uuid: null, time_zone: null, country: null })
    .where("id", "in", (fields) => fields.selectFrom("orders").select("id").where("account_uuid", "=", account_uuid).limit(erasedAtOnce))
    .returning(["id", "payment_provider", "subscription_id", "transaction_id", "status"])
    .execute();
  for (const { id, payment_provider: provider, subscription_id: subscription, transaction_id: checkout, status } of left) {
    const duty = { provider, orderId: id, reason: "account erased", now: world.now() };
    if (subscription !== null) await addDuty(queries, { ...duty, kind: "cancel-subscription", subject: subscription });
    else if (status === "pending" && checkout !== null) await addDuty(queries, { ...duty, kind: "cancel-checkout", subject: checkout });
  }
  return left.length;
};
const entitlements = emptying("entitlements", ["order_id"], ["account_uuid"]);
const endedSessions: Step = (queries, { account_uuid }, world) =>
  affected(
    sql`UPDATE sessions SET ended_at = ${world.now()}, end_reason = 'erased' WHERE ${someOf("sessions", ["id"], sql`account_uuid = ${account_uuid} AND ended_at IS NULL`)}`,
    queries,
  );
const mailsTo: Step = (queries, { email, asked_at }) =>
  // One that was written later is to who has signed up with the address since.
  affected(
    sql`DELETE FROM mail_outbox WHERE ${someOf("mail_outbox", ["id"], sql`recipient = ${email} AND created_at <= ${asked_at} AND template <> 'erased'`)}`,
    queries,
  );
/** Also those that went to an address the account had before. */
const mails = removing("mail_outbox", ["id"], "account_uuid");

/** Whether something would be charged, or could be used, if the account stayed. */
async function hasPlan(queries: Queries, accountUuid: string, now: number): Promise<boolean> {
  const found = await queries
    .selectFrom("entitlements")
    .select("order_id")
    .where("account_uuid", "=", accountUuid)
    .where("status", "<>", "deleted")
    .where((fields) => fields.or([fields("status", "=", "paused"), fields("ends_at", ">", now)]))
    .executeTakeFirst();
  return found !== undefined;
}

/** The one mail that outlives the account: nobody's by then, and gone from the outbox once it is sent. */
async function confirmInWriting(
  queries: Queries,
  world: World,
  { email, firstname, locale }: { readonly email: string; readonly firstname: string | null; readonly locale: string },
): Promise<void> {
  await queueMail(queries, world, {
    accountUuid: null,
    template: "erased",
    locale: knownLocale(locale),
    recipient: email,
    data: { firstname },
  });
}

const tokens: Step = (queries, { account_uuid }) =>
  affected(
    sql`DELETE FROM refresh_tokens WHERE token_hash IN (SELECT token_hash FROM sessions JOIN refresh_tokens ON session_id = id WHERE account_uuid = ${account_uuid} LIMIT ${some})`,
    queries,
  );

/**
 * Events keep neither the person nor the device. Those before signing up name the person in their payload only. There may be very many:
 * each write goes on where the one before ended, and none looks again at what PostgreSQL has not cleared away yet.
 */
const eventsThat =
  (are: (accountUuid: string) => ReturnType<typeof sql>, keys: readonly ("happened_at" | "id")[]): Step =>
  async (queries, { account_uuid }, _world, place) => {
    const columns = sql.join(keys.map((key) => sql.ref(key)));
    const from = place.after === null ? sql`` : sql`AND (${columns}) > (${sql.join(place.after)})`;
    const { rows: found } = await sql<Pick<Database["events"], "happened_at" | "id">>`
      SELECT happened_at, id FROM events WHERE ${are(account_uuid)} ${from} ORDER BY ${columns} LIMIT ${some}`.execute(queries);
    const last = found.at(-1);
    if (last === undefined) return 0;
    place.after = keys.map((key) => last[key]);
    await sql`UPDATE events SET account_uuid = NULL, device_id = NULL, payload = replace(payload, ${account_uuid}, ${nobody})
        WHERE id IN (${sql.join(found.map(({ id }) => id))})`.execute(queries);
    return found.length;
  };

/** In this order. What only counts or is kept for the books first loses the person, then all that is theirs goes. */
const stepsOf = (dialect: Store["dialect"]): readonly Step[] => {
  // As the index has it.
  const personIn = dialect === "sqlite" ? sql`json_extract(payload, '$.uuid')` : sql`(payload::json ->> 'uuid')`;
  return [
    endedSessions,
    orders,
    entitlements,
    mailsTo,
    mails,
    tokens,
    removing("sessions", ["id"], "account_uuid"),
    removing("link_tokens", ["id"], "account_uuid"),
    removing("login_code_tries", ["account_uuid", "by_known_device", "days", "period"], "account_uuid"),
    removing("questionnaire_states", ["account_uuid"], "account_uuid"),
    removing("study_schedules", ["account_uuid"], "account_uuid"),
    removing("marketing_consents", ["id"], "account_uuid"),
    removing("contract_notices", ["id"], "account_uuid"),
    removing("popups", ["account_uuid", "questionnaire", "popup_id"], "account_uuid"),
    emptying("audit", ["id"], ["account_uuid"]),
    emptying("operator_audit", ["id"], ["account_uuid", "before_values", "after_values", "reason"]),
    // The proof stays, of nobody in particular.
    emptying("consent_records", ["id"], ["account_uuid", "device_id"]),
    eventsThat((accountUuid) => sql`account_uuid = ${accountUuid}`, ["happened_at", "id"]),
    eventsThat((accountUuid) => sql`${personIn} = ${accountUuid}`, ["id"]),
    (queries, { account_uuid, stand_in }, world) => forgetVisits(queries, world, account_uuid, stand_in),
  ];
};

export function createErasing(parts: {
  readonly store: Store;
  readonly world: World;
  readonly payments: Pick<PaymentService, "noteBuyers">;
  readonly log: { readonly error: (details: object, message: string) => void };
}): Erasing {
  const { store, world, payments, log } = parts;
  const steps = stepsOf(store.dialect);

  /** Writes only while the claim holds, and makes it last longer; null when another process has it. */
  function claimed<T>({ account_uuid }: Erasure, attempts: number, work: (queries: Queries) => Promise<T>): Promise<T | null> {
    return store.write(async (queries) => {
      const { numUpdatedRows } = await queries
        .updateTable("erasures")
        .set({ next_attempt_at: world.now() + claimMs })
        .where("account_uuid", "=", account_uuid)
        .where("attempts", "=", attempts)
        .executeTakeFirst();
      return numUpdatedRows === 0n ? null : work(queries);
    });
  }

  /** Goes on until nothing is left, it loses the claim, or the process ends. */
  async function erase(erasure: Erasure, attempts: number): Promise<void> {
    for (const step of steps) {
      const place: Place = { after: null };
      for (;;) {
        if (rounds.stopped()) return;
        const rows = await claimed(erasure, attempts, (queries) => step(queries, erasure, world, place));
        if (rows === null) return;
        await nextTurn();
        if (rows > 0) continue;
        if (place.after === null) break;
        // Once more from the beginning: something may have come in behind its back.
        place.after = null;
      }
    }
    await payments.noteBuyers();
    for (let done = false; !done && !rounds.stopped();) {
      // With the account goes the erasure.
      const gone = await claimed(erasure, attempts, async (queries) => {
        if ((await forgetBuyer(queries, erasure.account_uuid)) > 0) return false;
        await queries.deleteFrom("accounts").where("uuid", "=", erasure.account_uuid).execute();
        return true;
      });
      await nextTurn();
      done = gone ?? true;
    }
  }

  async function eraseDue(): Promise<void> {
    const now = world.now();
    await endLongWaits(store, now, "erasures", [0, claimMs]);
    const due = await store.read.selectFrom("erasures").selectAll().where("next_attempt_at", "<=", now).orderBy("asked_at").execute();
    for (const { attempts: before, ...erasure } of due) {
      if (rounds.stopped()) return;
      const attempts = before + 1;
      const { numUpdatedRows } = await store.write((queries) =>
        queries
          .updateTable("erasures")
          .set({ attempts, next_attempt_at: world.now() + claimMs })
          .where("account_uuid", "=", erasure.account_uuid)
          .where("attempts", "=", before)
          .executeTakeFirst(),
      );
      if (numUpdatedRows === 0n) continue;
      const leave = (forMs: number) =>
        store.write((queries) =>
          queries
            .updateTable("erasures")
            .set({ next_attempt_at: world.now() + forMs })
            .where("account_uuid", "=", erasure.account_uuid)
            .where("attempts", "=", attempts)
            .execute(),
        );
      try {
        await erase(erasure, attempts);
        // Another process need not wait for a claim to run out.
        if (rounds.stopped()) await leave(0);
      } catch (error) {
        log.error({ err: error, account: erasure.account_uuid }, "An account could not be erased yet.");
        await leave(againAfterMs);
      }
    }
  }

  const rounds = createRounds(eraseDue, (error) => log.error({ err: error }, "What is to be erased could not be looked up."));

  return {
    begin: async (queries, accountUuid) => {
      const now = world.now();
      const account = await queries
        .selectFrom("accounts")
        .select(["email", "firstname", "locale"])
        .where("uuid", "=", accountUuid)
        .executeTakeFirst();
      if (account === undefined) return null;
      const erasure: Erasure = { account_uuid: accountUuid, email: account.email, stand_in: world.uuid(), asked_at: now };
      const begun = await queries
        .insertInto("erasures")
        .values({ ...erasure, attempts: 0, next_attempt_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .returning("account_uuid")
        .executeTakeFirst();
      if (begun === undefined) return null;
      await queries
        .updateTable("accounts")
        // No address is spelled so: nobody comes in by it, and the one that it had is free.
        .set({
          email: `erased ${accountUuid}`,
          email_confirmed_at: null,
          password_hash: null,
          firstname: null,
          marketing_consent: null,
          trust_epoch: world.uuid(),
          updated_at: now,
        })
        .where("uuid", "=", accountUuid)
        .execute();
      if (await hasPlan(queries, accountUuid, now)) await confirmInWriting(queries, world, account);
      for (const step of [endedSessions, orders, entitlements, mailsTo, mails]) await step(queries, erasure, world, { after: null });
      // No link puts an address back into an account that is being erased.
      await forgetChanges(queries, accountUuid);
      return "begun";
    },
    wake: rounds.wake,
    start: () => rounds.start(lookEveryMs),
    settled: async () => {
      for (let running = rounds.running(); running !== null; running = rounds.running()) await running;
    },
    stop: rounds.stop,
  };
}
