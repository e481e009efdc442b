/**
 * Erases accounts. The account is closed, hidden and unexportable at once. The personal data is deleted afterwards in small writes, so that
 * other writers are not held up. Each erasure is claimed with a lease (decision 084); when its process is killed, another one continues.
 * Data that is only counted stays without the person: events and visits, and orders for bookkeeping.
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

/** Rows per write, so that other writers wait for one small write at most. */
export const erasedAtOnce = 250;
/** Longer than any write takes. */
const claimMs = 2 * 60_000;
const againAfterMs = 60_000;
const lookEveryMs = 60_000;
/** Replaces the person's uuid. It belongs to nobody. */
const nobody = "00000000-0000-4000-8000-000000000000";

export interface Erasing {
  /** Closes and hides the account in the caller's transaction; null when it is already gone. Call `wake` afterwards. */
  readonly begin: (queries: Queries, accountUuid: string) => Promise<"begun" | null>;
  readonly wake: () => void;
  /** Polls every minute for erasures that another process left unfinished. */
  readonly start: () => void;
  /** Resolves when all due erasures are done. */
  readonly settled: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

type Erasure = Pick<ErasuresTable, "account_uuid" | "email" | "stand_in" | "asked_at">;
/** The position after a step's last write; null at the start. */
interface Place {
  after: readonly unknown[] | null;
}
/** Erases some rows of a person and returns how many. */
type Step = (queries: Queries, erasure: Erasure, world: World, place: Place) => Promise<number>;

const affected = async (query: ReturnType<typeof sql>, queries: Queries) => Number((await query.execute(queries)).numAffectedRows ?? 0n);
const some = sql.lit(erasedAtOnce);

/** Up to one batch of a table's rows that match a condition, by primary key. */
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

/** Orders lose the person. At the provider, running subscriptions are canceled and open checkouts closed. */
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
  // A mail written later belongs to whoever has signed up with the address since.
  affected(
    sql`DELETE FROM mail_outbox WHERE ${someOf("mail_outbox", ["id"], sql`recipient = ${email} AND created_at <= ${asked_at} AND template <> 'erased'`)}`,
    queries,
  );
/** Includes mails to earlier addresses of the account. */
const mails = removing("mail_outbox", ["id"], "account_uuid");

/** Whether the account has a plan that would renew or could still be used. */
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

/** The one mail that outlives the account. It no longer names the account, and leaves the outbox once sent. */
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
 * Events lose the person and the device. Those from before sign-up name the person only in their payload. There can be very many, so each
 * write continues after the previous one's last row, and none rereads rows that PostgreSQL has not vacuumed yet.
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

/** The order matters: rows that stay for statistics or bookkeeping lose the person first, then the person's own rows are deleted. */
const stepsOf = (dialect: Store["dialect"]): readonly Step[] => {
  // The same expression as in the index.
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
    // The proof of consent stays, without the person.
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

  /** Writes only while the claim is held, and extends it; null when another process holds it. */
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

  /** Continues until nothing is left, the claim is lost, or the process shuts down. */
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
        // Start over: rows may have been added meanwhile.
        place.after = null;
      }
    }
    await payments.noteBuyers();
    for (let done = false; !done && !rounds.stopped();) {
      // Deleting the account deletes its erasure.
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
        // Releases the claim, so that another process need not wait for it to expire.
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
        // No real address is spelled like this: nobody can log in by it, and the old address becomes free.
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
      // No link may restore an address of an account that is being erased.
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
