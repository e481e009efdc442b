/** Outboxes and inboxes: depth, age, entries, retries. */
import type { OutputOf } from "#studio/contract/call.ts";
import { type Box, boxes, type BoxState, type operationsCalls } from "#studio/contract/operations.ts";
import { sql, type RawBuilder } from "kysely";
import type { Queries } from "../../store/schema.ts";
import { mailTitle } from "../mailWords.ts";

type Entry = OutputOf<(typeof operationsCalls)["outbox"]>["rows"][number];
type Whole = Entry & { readonly content: string };

/**
 * The longest time for which an attempt claims its entry (payments, mail, erasures), ms. During an attempt the entry's next attempt is at most this
 * far away. If it is further away, nobody is trying the entry now.
 */
const longestClaim = 2 * 60_000;

/** A box in SQL. All boxes are read through the same columns. */
interface BoxTable {
  readonly table: string;
  /** The columns whose values make up an entry's id, with spaces between them. Only the last one's value may contain spaces. */
  readonly key: readonly string[];
  /** The form of ids that are numbers. PostgreSQL refuses to compare a number with other text. */
  readonly idPattern?: RegExp;
  readonly kind: RawBuilder<string>;
  readonly subject: RawBuilder<string>;
  readonly at: RawBuilder<number>;
  readonly attempts: RawBuilder<number>;
  readonly next: RawBuilder<number | null>;
  readonly done: RawBuilder<number | null>;
  readonly error: RawBuilder<string | null>;
  readonly content: RawBuilder<string>;
  /** The account, where the box has one. */
  readonly person?: RawBuilder<string | null>;
  /** For a box that may have very many entries, all waiting: faster expressions that do not read each entry. */
  readonly many?: { readonly waiting: RawBuilder<number>; readonly oldest: RawBuilder<number>; readonly latestFirst: RawBuilder<unknown> };
  readonly isWaiting: RawBuilder<boolean>;
  /** Neither waiting nor done: given up. An index finds these, and another one those that wait. */
  readonly isFailed: RawBuilder<boolean>;
  /** The update that makes an entry due; null when entries are never retried by hand. */
  readonly retried: ((now: number) => RawBuilder<unknown>) | null;
}

const none = sql<null>`NULL`;
const nothing = sql<string>`''`;
const dueNow = (now: number) => sql`next_attempt_at = ${now}`;
const tables: Readonly<Record<Box, BoxTable>> = {
  mail: {
    table: "mail_outbox",
    key: ["id"],
    kind: sql`template`,
    subject: sql`recipient`,
    at: sql`created_at`,
    attempts: sql`attempts`,
    next: sql`next_attempt_at`,
    done: sql`sent_at`,
    error: sql`error`,
    content: sql`data`,
    person: sql`account_uuid`,
    isWaiting: sql`next_attempt_at IS NOT NULL`,
    isFailed: sql`next_attempt_at IS NULL AND sent_at IS NULL`,
    retried: dueNow,
  },
  conversions: {
    table: "conversions",
    key: ["order_id", "destination"],
    kind: sql`destination`,
    subject: sql`'order ' || order_id`,
    at: sql`created_at`,
    attempts: sql`attempts`,
    next: sql`next_attempt_at`,
    done: none,
    error: sql`error`,
    content: sql`status`,
    isWaiting: sql`next_attempt_at IS NOT NULL`,
    // Not those withheld by consent, or too late for the network.
    isFailed: sql`status = 'refused'`,
    retried: (now) => sql`status = 'waiting', next_attempt_at = ${now}`,
  },
  webhooks: {
    table: "provider_events",
    key: ["payment_provider", "event_id"],
    kind: sql`event_type`,
    subject: sql`payment_provider || ' ' || event_id`,
    at: sql`received_at`,
    attempts: sql`attempts`,
    next: none,
    done: sql`applied_at`,
    error: sql`error`,
    content: sql`payload`,
    // '' means none.
    person: sql`NULLIF(account_uuid, '')`,
    isWaiting: sql`applied_at IS NULL`,
    isFailed: sql`applied_at IS NOT NULL AND error IS NOT NULL`,
    // As a new one, before others that failed.
    retried: () => sql`applied_at = NULL, attempts = 0`,
  },
  duties: {
    table: "payment_duties",
    key: ["payment_provider", "kind", "subject"],
    kind: sql`kind`,
    subject: sql`subject`,
    at: sql`created_at`,
    attempts: sql`attempts`,
    next: sql`next_attempt_at`,
    done: sql`done_at`,
    error: sql`error`,
    content: sql`reason || COALESCE(' (order ' || order_id || ')', '')`,
    isWaiting: sql`next_attempt_at IS NOT NULL`,
    isFailed: sql`next_attempt_at IS NULL AND done_at IS NULL`,
    retried: dueNow,
  },
  erasures: {
    table: "erasures",
    key: ["account_uuid"],
    kind: sql`'erasure'`,
    subject: sql`account_uuid`,
    person: sql`account_uuid`,
    at: sql`asked_at`,
    attempts: sql`attempts`,
    next: sql`next_attempt_at`,
    done: none,
    error: none,
    content: nothing,
    isWaiting: sql`1 = 1`,
    isFailed: sql`1 = 0`,
    retried: null,
  },
  alerts: {
    table: "alert_deliveries",
    key: ["id"],
    kind: sql`'webhook'`,
    subject: sql`id`,
    at: sql`created_at`,
    attempts: sql`attempts`,
    next: sql`next_attempt_at`,
    done: sql`sent_at`,
    error: sql`error`,
    content: sql`body`,
    isWaiting: sql`next_attempt_at IS NOT NULL`,
    isFailed: sql`next_attempt_at IS NULL AND sent_at IS NULL`,
    retried: dueNow,
  },
  journeys: {
    table: "journey_changes",
    key: ["id"],
    idPattern: /^\d{1,15}$/,
    kind: sql`'version ' || version`,
    subject: sql`device_id`,
    at: sql`at`,
    // Batches are tried, not entries.
    attempts: sql`(SELECT tries FROM journey_copy)`,
    next: none,
    done: none,
    error: sql`(SELECT error FROM journey_copy)`,
    content: nothing,
    // Many entries collect after a day without ClickHouse. Their ids are consecutive, and they are processed in order.
    many: {
      waiting: sql`COALESCE(MAX(id) - MIN(id) + 1, 0)`,
      oldest: sql`(SELECT at FROM journey_changes ORDER BY id LIMIT 1)`,
      latestFirst: sql`id DESC`,
    },
    isWaiting: sql`1 = 1`,
    isFailed: sql`1 = 0`,
    retried: null,
  },
};

const dutyWords: Readonly<Record<string, string>> = {
  refund: "Refund a payment",
  "refund-part": "Refund the months after an early end",
  "refund-asked": "Refund a part that an operator gave back",
  "cancel-checkout": "Cancel a checkout",
  "cancel-lost-checkout": "Cancel a checkout that may have been made",
  "cancel-subscription": "End a subscription",
  "confirm-cancellation": "Tell somebody what came of their cancellation",
};
const destinationWords: Readonly<Record<string, string>> = { meta: "Purchase to Meta", tiktok: "Purchase to TikTok" };

/** The kind of an entry in words. A provider's event type is its own words: "transaction.completed" is "Transaction completed". */
function titleOf(box: Box, { kind, content }: Pick<Stored, "kind" | "content">): string {
  if (box === "mail") return mailTitle({ template: kind, data: content });
  if (box === "duties") return dutyWords[kind] ?? kind;
  if (box === "conversions") return destinationWords[kind] ?? kind;
  const words = kind.replaceAll(/[._]+/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const number = (value: unknown): number | null => (value === null || value === undefined ? null : Number(value));

/** The depth and age of each box. The query must be cheap, because every process runs it every few seconds. */
export async function boxWaits(
  queries: Queries,
): Promise<readonly { readonly box: Box; readonly waiting: number; readonly oldest: number | null }[]> {
  return Promise.all(
    boxes.map(async (box) => {
      const { table, at, isWaiting, many } = tables[box];
      const { waiting = sql`COUNT(*)`, oldest = sql`MIN(${at})` } = many ?? {};
      const { rows } = await sql<{ readonly waiting: unknown; readonly oldest: unknown }>`
        SELECT ${waiting} AS waiting, ${oldest} AS oldest FROM ${sql.table(table)} WHERE ${isWaiting}`.execute(queries);
      return { box, waiting: number(rows[0]?.waiting) ?? 0, oldest: number(rows[0]?.oldest) };
    }),
  );
}

export async function boxStates(queries: Queries): Promise<readonly BoxState[]> {
  return Promise.all(
    boxes.map(async (box) => {
      const { table, at, attempts, next, isWaiting, isFailed, many } = tables[box];
      const sums =
        many === undefined
          ? sql`COUNT(*) AS waiting, SUM(CASE WHEN ${attempts} > 0 THEN 1 ELSE 0 END) AS tried, MIN(${at}) AS oldest, MIN(${next}) AS due`
          : sql`${many.waiting} AS waiting, CASE WHEN ${attempts} > 0 THEN ${many.waiting} ELSE 0 END AS tried, ${many.oldest} AS oldest, NULL AS due`;
      const [waiting, failed] = await Promise.all([
        sql<Readonly<Record<"waiting" | "tried" | "oldest" | "due", unknown>>>`
          SELECT ${sums} FROM ${sql.table(table)} WHERE ${isWaiting}`.execute(queries),
        sql<{ readonly count: unknown }>`SELECT COUNT(*) AS count FROM ${sql.table(table)} WHERE ${isFailed}`.execute(queries),
      ]);
      const [row] = waiting.rows;
      return {
        box,
        waiting: Number(row?.waiting ?? 0),
        tried: Number(row?.tried ?? 0),
        failed: Number(failed.rows[0]?.count ?? 0),
        oldestAt: number(row?.oldest),
        nextAt: number(row?.due),
      };
    }),
  );
}

interface Stored {
  readonly id: string;
  readonly kind: string;
  readonly subject: string;
  readonly person: string | null;
  readonly at: number | string;
  readonly attempts: number;
  readonly next: number | string | null;
  readonly done: number | string | null;
  readonly error: string | null;
  readonly waits: number;
  readonly finished: number;
  readonly content: string;
}
const idOf = ({ key }: Pick<BoxTable, "key">) =>
  sql.join(
    key.map((name) => sql`CAST(${sql.ref(name)} AS TEXT)`),
    sql` || ' ' || `,
  );

/** Whether a row is the entry with an id. The columns are compared one by one, so that an index finds the row. */
function hasId({ key, idPattern }: BoxTable, id: string): RawBuilder<boolean> {
  if (idPattern?.test(id) === false) return sql`1 = 0`;
  const values = id.split(" ");
  const last = values.splice(key.length - 1).join(" ");
  return sql<boolean>`${sql.join(
    key.map((name, place) => sql`${sql.ref(name)} = ${values[place] ?? last}`),
    sql` AND `,
  )}`;
}

const columns = ({
  key,
  kind,
  subject,
  at,
  attempts,
  next,
  done,
  error,
  isWaiting,
  isFailed,
  person,
}: BoxTable) => sql`${idOf({ key })} AS id, ${kind} AS kind,
  ${person ?? none} AS person, ${subject} AS subject, ${at} AS at, ${attempts} AS attempts, ${next} AS next, ${done} AS done, ${error} AS error,
  CASE WHEN ${isWaiting} THEN 1 ELSE 0 END AS waits, CASE WHEN (${isWaiting}) OR (${isFailed}) THEN 0 ELSE 1 END AS finished`;

function entryOf(box: Box, row: Stored, now: number): Entry {
  const state = row.waits === 1 ? "waiting" : row.finished === 1 ? "done" : "failed";
  return {
    id: row.id,
    kind: row.kind,
    title: titleOf(box, row),
    subject: row.subject,
    person: row.person,
    at: Number(row.at),
    attempts: row.attempts,
    nextAt: number(row.next),
    doneAt: number(row.done),
    error: row.error,
    state,
    mayRetry: tables[box].retried !== null && state !== "done" && isFree(box, number(row.next), now),
  };
}
/**
 * Whether no process holds a claim: the entry was given up, or waits longer than a claim lasts. Webhooks need no claim, because the write that
 * applies one claims it.
 */
const isFree = (box: Box, next: number | null, now: number) => box === "webhooks" || next === null || next > now + longestClaim;

export async function entriesOf(
  queries: Queries,
  now: number,
  {
    box,
    state,
    kind,
    limit,
  }: { readonly box: Box; readonly state?: Entry["state"] | undefined; readonly kind?: string | undefined; readonly limit: number },
): Promise<{ readonly rows: Entry[]; readonly more: boolean }> {
  const table = tables[box];
  const { isWaiting, isFailed } = table;
  const wanted =
    state === undefined
      ? sql`1 = 1`
      : state === "waiting"
        ? isWaiting
        : state === "done"
          ? sql`NOT (${isWaiting}) AND NOT (${isFailed})`
          : isFailed;
  const ofKind = kind === undefined ? sql`1 = 1` : sql`${table.kind} = ${kind}`;
  // Some mails' names depend on their data.
  const content = box === "mail" ? table.content : nothing;
  const { rows } = await sql<Stored>`SELECT ${columns(table)}, ${content} AS content FROM ${sql.table(table.table)}
    WHERE ${wanted} AND ${ofKind} ORDER BY ${table.many?.latestFirst ?? sql`${table.at} DESC, ${idOf(table)}`} LIMIT ${limit + 1}`.execute(
    queries,
  );
  return { rows: rows.slice(0, limit).map((row) => entryOf(box, row, now)), more: rows.length > limit };
}

export async function entryWhole(queries: Queries, now: number, box: Box, id: string): Promise<Whole | null> {
  const table = tables[box];
  const { rows } = await sql<Stored>`SELECT ${columns(table)}, ${table.content} AS content FROM ${sql.table(table.table)}
    WHERE ${hasId(table, id)}`.execute(queries);
  const [row] = rows;
  return row === undefined ? null : { ...entryOf(box, row, now), content: covered(row.content) };
}

/** Makes an entry due within the caller's write, unless a process may be trying it. */
export async function makeDue(queries: Queries, now: number, box: Box, id: string): Promise<boolean> {
  const { table, isWaiting, isFailed, next, retried } = tables[box];
  if (retried === null) return false;
  const free = box === "webhooks" ? sql`1 = 1` : sql`(${next} IS NULL OR ${next} > ${now + longestClaim})`;
  const { numAffectedRows } = await sql`UPDATE ${sql.table(table)} SET ${retried(now)}
    WHERE ${hasId(tables[box], id)} AND ((${isWaiting}) OR (${isFailed})) AND ${free}`.execute(queries);
  return (numAffectedRows ?? 0n) > 0n;
}

const secretName = /token|secret|password|signature|auth|hash|^url$|_url$|link|code$|passthrough|^p_/i;
const coverage = "•••";

/** Masks secrets by field name, so that an operator cannot use them to act as somebody else. */
function maskedValue(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => maskedValue(name, each));
  if (value !== null && typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, maskedValue(key, each)]));
  // Anybody with the address of a provider's page can open it.
  if (typeof value === "string" && /^https?:/i.test(value)) return coverage;
  return secretName.test(name) && value !== null && !/^(currency|country|product|plan)_?code$/i.test(name) ? coverage : value;
}

export function covered(content: string): string {
  try {
    return JSON.stringify(maskedValue("", JSON.parse(content)), null, 2);
  } catch {
    // Paddle Classic's alerts are form-encoded.
    if (!/^[^\s=&]+=[^\s]*$/.test(content)) return content;
    const fields = [...new URLSearchParams(content)].map(([name, value]) => [name, maskedValue(name, value)]);
    return JSON.stringify(Object.fromEntries(fields), null, 2);
  }
}
