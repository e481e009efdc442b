/** The steps of an erasure. Data for statistics and bookkeeping (events, visits, orders) stays, without the person. */
import { sql } from "kysely";
import type { World } from "../base/world.ts";
import { forgetVisits } from "../events/forget.ts";
import { leftByErasures } from "../mail/outbox.ts";
import { addDuty } from "../payments/duties.ts";
import type { Database, ErasuresTable, Queries } from "../store/schema.ts";
import type { Store } from "../store/store.ts";

/** Rows per write, so that other writers wait for one small write at most. */
export const erasedAtOnce = 250;
/** Replaces the person's uuid. It belongs to nobody: no account can have it. */
export const nobody = "00000000-0000-4000-8000-000000000000";

export type Erasure = Pick<ErasuresTable, "account_uuid" | "email" | "stand_in" | "asked_at">;
/** The position after a step's last write; null at the start. */
export interface Place {
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

/** Records in each visit whether its visitor bought, before the orders lose the person. The funnel's counts thus stay the same. */
const purchases: Step = (queries, { account_uuid }) =>
  affected(
    sql`UPDATE journeys SET bought = 1 WHERE ${someOf(
      "journeys",
      ["device_id", "version"],
      sql`bought = 0 AND device_id IN (SELECT device_id FROM event_devices WHERE visitor = ${account_uuid}) AND EXISTS (
        SELECT 1 FROM orders WHERE account_uuid = ${account_uuid} AND status = 'completed' AND created_at >= journeys.started_at)`,
    )}`,
    queries,
  );

/** Removes the person from their orders. At the provider, cancels running subscriptions and closes open checkouts. */
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
const keptMails = sql.join(leftByErasures.map((template) => sql.lit(template)));
/** Mails to the address, except those about another account: it had the address before. */
const mailsTo: Step = (queries, { account_uuid, email, asked_at }) =>
  // Later mails belong to the person who has signed up with the address since.
  affected(
    sql`DELETE FROM mail_outbox WHERE ${someOf("mail_outbox", ["id"], sql`recipient = ${email} AND COALESCE(account_uuid, ${account_uuid}) = ${account_uuid} AND created_at <= ${asked_at} AND template NOT IN (${keptMails})`)}`,
    queries,
  );
/** Notices that nobody has to answer: those that are done, and plain cancellations, because erasing cancels the subscription, too. */
const settledNotices: Step = (queries, { account_uuid }) =>
  affected(
    sql`DELETE FROM contract_notices WHERE ${someOf(
      "contract_notices",
      ["id"],
      sql`account_uuid = ${account_uuid} AND state <> 'person' AND NOT (state = 'due' AND (kind = 'withdraw' OR for_cause = 1))`,
    )}`,
    queries,
  );
/** Also covers mails to the account's earlier addresses. */
const mails = removing("mail_outbox", ["id"], "account_uuid");

const tokens: Step = (queries, { account_uuid }) =>
  affected(
    sql`DELETE FROM refresh_tokens WHERE token_hash IN (SELECT token_hash FROM sessions JOIN refresh_tokens ON session_id = id WHERE account_uuid = ${account_uuid} LIMIT ${some})`,
    queries,
  );

/**
 * Removes the person and the device from events. Events from before sign-up name the person only in their payload. There can be very many events, so
 * each write continues after the last row of the previous one, and none reads again the rows that PostgreSQL has not vacuumed yet.
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

/** The order matters: rows kept for statistics or bookkeeping lose the person first. Then the person's own rows are deleted. */
export const stepsOf = (dialect: Store["dialect"]): readonly Step[] => {
  // Must be the same expression as in the index.
  const personIn = dialect === "sqlite" ? sql`json_extract(payload, '$.uuid')` : sql`(payload::json ->> 'uuid')`;
  return [
    endedSessions,
    purchases,
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
    settledNotices,
    // A person still has to answer the remaining notices. They stay, as if they had been sent without an account.
    emptying("contract_notices", ["id"], ["account_uuid"]),
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

/** The steps in the write that begins an erasure. Once it is done, nobody can use any of this data. */
export const firstSteps: readonly Step[] = [endedSessions, purchases, orders, entitlements, mailsTo, mails];
