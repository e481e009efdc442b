/** The export of everything stored about a person. `erasing.ts` erases it. */
import { formatsFor } from "#core/formats.ts";
import { knownLocale, type Locale } from "#core/locales.ts";
import { stateSchema } from "#core/questionnaire/state.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import * as v from "valibot";
import { answersInWords, type QuestionnairesOfStates } from "./answersInWords.ts";
import type { Database, Queries } from "../store/schema.ts";

const iso = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());
const flag = (value: number | null): boolean | null => (value === null ? null : value === 1);
/** Rows per read, so that other readers never wait long. */
const piece = 250;

/**
 * Tables that name a person but are not exported, with the reason. Every other table is exported, and all tables are erased. A test reads the tables
 * from the database and checks each.
 */
export const notExported: Readonly<Partial<Record<keyof Database, string>>> = {
  client_errors: "says on which visit an error happened last, and the visits are exported",
  event_devices: "says which devices are theirs, and the visits name them",
  login_code_tries: "counts who was not let in, for a month at most",
  link_tokens: "opens the account, and says nothing that the account does not say",
  provider_events: "is what a payment provider sent; what it says of them stands in the orders",
};

/** A query's rows in the order of its two keys, in batches. Each batch starts after the last row of the previous one. */
async function* inPieces<Row extends object>(
  queries: Queries,
  query: { readonly rows: RawBuilder<Row>; readonly keys: readonly [string, string] },
): AsyncGenerator<readonly Row[]> {
  const nameOf = (key: string) => key.slice(key.lastIndexOf(".") + 1);
  const keys = sql.join(query.keys.map((key) => sql.ref(key)));
  let last: Row | undefined;
  do {
    const after = last === undefined ? [] : query.keys.map((key) => Reflect.get(last ?? {}, nameOf(key)));
    const from = after.length === 0 ? sql`` : sql`AND (${keys}) > (${sql.join(after)})`;
    const { rows } = await sql<Row>`${query.rows} ${from} ORDER BY ${keys} LIMIT ${sql.lit(piece)}`.execute(queries);
    yield rows;
    last = rows.length < piece ? undefined : rows.at(-1);
    await nextTurn();
  } while (last !== undefined);
}

/**
 * Everything stored about an account, for people and machines: the text of one JSON object, in pieces. Hashes and tokens are left out, because they
 * say nothing about the person. Null when the account is gone.
 */
export async function exportOf(
  queries: Queries,
  accountUuid: string,
  now: number,
  answered: QuestionnairesOfStates,
): Promise<AsyncIterable<string> | null> {
  const account = await queries
    .selectFrom("accounts")
    .selectAll()
    .where("uuid", "=", accountUuid)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("erasures").select("account_uuid").where("account_uuid", "=", accountUuid))),
    )
    .executeTakeFirst();
  if (!account) return null;
  const locale = knownLocale(account.locale);
  const [state] = await queries.selectFrom("questionnaire_states").selectAll().where("account_uuid", "=", accountUuid).execute();
  return jsonOf([
    ["exportedAt", iso(now)],
    [
      "account",
      {
        uuid: account.uuid,
        email: account.email,
        emailConfirmedAt: iso(account.email_confirmed_at),
        firstname: account.firstname,
        locale: account.locale,
        questionnaireVersion: account.questionnaire_version,
        marketingConsent: flag(account.marketing_consent),
        createdAt: iso(account.created_at),
        updatedAt: iso(account.updated_at),
      },
    ],
    [
      "questionnaire",
      state
        ? {
            version: state.version,
            level: state.user_level,
            savedAt: iso(state.saved_at),
            answers: await answersInWords(state, locale, answered),
            practice: practiceIn(state, locale),
            state: JSON.parse(state.state),
          }
        : null,
    ],
    ...listsOf(queries, accountUuid, locale),
  ]);
}

const practiceSchema = v.object({
  days: stateSchema.entries.days,
  studySchedule: stateSchema.entries.studySchedule,
  programEndDate: stateSchema.entries.programEndDate,
});

/** The agreed practice schedule, with its days named in the account's language. */
function practiceIn({ state }: { readonly state: string }, locale: Locale) {
  const kept = v.safeParse(practiceSchema, JSON.parse(state));
  if (!kept.success) return null;
  const { days, studySchedule, programEndDate } = kept.output;
  const { weekday } = formatsFor(locale);
  return {
    days: days.map((day) => weekday(day, "long")),
    minutesPerSession: studySchedule?.minutesPerSession ?? null,
    until: programEndDate ?? null,
  };
}

/** A row's timestamps as dates: `given_at` becomes `givenAt`. */
function datesOf(row: Readonly<Record<string, unknown>>): Readonly<Record<string, string | null>> {
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      name.endsWith("_at") && typeof value === "number"
        ? [[name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()), iso(value)]]
        : [],
    ),
  );
}

const currencies = new Set(Intl.supportedValuesOf("currency"));
/** "$747 MXN", but "53,70 €": only one currency has that sign. Null for an unknown currency. */
function priceIn(locale: Locale, price: number, currency: string): string | null {
  if (!currencies.has(currency)) return null;
  const amount = formatsFor(locale).money(price, currency);
  return amount.includes("€") ? amount : `${amount} ${currency}`;
}

/** An object as JSON text, member by member. An async iterable becomes a list. */
async function* jsonOf(members: Iterable<readonly [string, unknown]>): AsyncGenerator<string> {
  let before = "{";
  for (const [name, value] of members) {
    yield `${before}${JSON.stringify(name)}:`;
    if (isPieces(value)) yield* listOf(value);
    else yield JSON.stringify(value);
    before = ",";
  }
  yield "}";
}
async function* listOf(pieces: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  let before = "[";
  for await (const rows of pieces) {
    if (rows.length === 0) continue;
    yield before + rows.map((row) => JSON.stringify(row)).join(",");
    before = ",";
  }
  yield before === "[" ? "[]" : "]";
}
const isPieces = (value: unknown): value is AsyncIterable<readonly unknown[]> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;

/** A query's rows, each mapped by `tell`. */
async function* mappedRows<Row extends object>(
  queries: Queries,
  rows: RawBuilder<Row>,
  keys: readonly [string, string],
  tell: (row: Row) => unknown,
): AsyncGenerator<readonly unknown[]> {
  for await (const some of inPieces(queries, { rows, keys })) yield some.map(tell);
}
const asStored = (queries: Queries, accountUuid: string, table: keyof Database, keys: readonly [string, string]) =>
  mappedRows(
    queries,
    sql<Record<string, unknown>>`SELECT * FROM ${sql.table(table)} WHERE account_uuid = ${accountUuid}`,
    keys,
    ({ id: _id, account_uuid: _account, ...row }) => ({ ...row, ...datesOf(row) }),
  );

type Lists = Generator<readonly [name: string, rows: AsyncIterable<readonly unknown[]>]>;

function* listsOf(queries: Queries, accountUuid: string, locale: Locale): Lists {
  yield* accountLists(queries, accountUuid);
  yield* orderLists(queries, accountUuid, locale);
  yield* visitLists(queries, accountUuid);
  yield* messageLists(queries, accountUuid);
}

function* accountLists(queries: Queries, accountUuid: string): Lists {
  yield ["studySchedules", asStored(queries, accountUuid, "study_schedules", ["account_uuid", "saved_at"])];
  yield ["marketingConsents", asStored(queries, accountUuid, "marketing_consents", ["given_at", "id"])];
  yield ["popups", asStored(queries, accountUuid, "popups", ["questionnaire", "popup_id"])];
  yield ["consents", asStored(queries, accountUuid, "consent_records", ["chosen_at", "id"])];
  yield [
    "emailChanges",
    mappedRows(
      queries,
      sql<Database["email_changes"]>`SELECT * FROM email_changes WHERE account_uuid = ${accountUuid}`,
      ["asked_at", "id"],
      ({ from_email: from, to_email: to, asked_at, outcome, ended_at }) => ({
        from,
        to,
        askedAt: iso(asked_at),
        outcome,
        endedAt: iso(ended_at),
      }),
    ),
  ];
  yield ["contractNotices", asStored(queries, accountUuid, "contract_notices", ["received_at", "id"])];
  yield ["sessions", asStored(queries, accountUuid, "sessions", ["started_at", "id"])];
  yield [
    "doneByOperators",
    mappedRows(
      queries,
      sql<Database["operator_audit"]>`SELECT * FROM operator_audit WHERE account_uuid = ${accountUuid}`,
      ["at", "id"],
      ({ at, action, before_values: before, after_values: after, reason }) => ({ at: iso(at), action, before, after, reason }),
    ),
  ];
}

function* orderLists(queries: Queries, accountUuid: string, locale: Locale): Lists {
  yield [
    "orders",
    mappedRows(
      queries,
      sql<{ created_at: number; ends_at: number | null; price: number; currency: string }>`
        SELECT orders.id, product_type, product_plan, currency, price, coupon_code, payment_provider, transaction_id, subscription_id, time_zone, country,
          orders.status, orders.created_at, entitlements.status AS entitlement, entitlements.ends_at
        FROM orders LEFT JOIN entitlements ON entitlements.order_id = orders.id WHERE orders.account_uuid = ${accountUuid}`,
      ["orders.created_at", "orders.id"],
      ({ created_at, ends_at, ...order }) => ({
        ...order,
        priceInWords: priceIn(locale, order.price, order.currency),
        createdAt: iso(created_at),
        entitlementEnd: iso(ends_at),
      }),
    ),
  ];
}

function* visitLists(queries: Queries, accountUuid: string): Lists {
  yield [
    "events",
    mappedRows(
      queries,
      sql<Database["events"]>`SELECT * FROM events WHERE account_uuid = ${accountUuid}`,
      ["happened_at", "id"],
      ({ id, event_type, country, payload, happened_at }) => ({
        id,
        type: event_type,
        country,
        at: iso(happened_at),
        payload: JSON.parse(payload),
      }),
    ),
  ];
  // Visits from before sign-up belong to the account by their device.
  yield [
    "visits",
    mappedRows(
      queries,
      sql<Database["journeys"]>`
        SELECT journeys.* FROM event_devices JOIN journeys ON journeys.device_id = event_devices.device_id
        WHERE event_devices.visitor = ${accountUuid}`,
      ["event_devices.device_id", "journeys.version"],
      ({ device_id: device, started_at, last_at, steps, ...visit }) => ({
        device,
        startedAt: iso(started_at),
        lastAt: iso(last_at),
        ...visit,
        steps: JSON.parse(steps),
      }),
    ),
  ];
}

function* messageLists(queries: Queries, accountUuid: string): Lists {
  // Selected by account: the address may have belonged to another person before.
  yield [
    "mails",
    mappedRows(
      queries,
      sql<Database["mail_outbox"]>`SELECT id, template, locale, created_at, sent_at FROM mail_outbox WHERE account_uuid = ${accountUuid}`,
      ["created_at", "id"],
      ({ template, locale, created_at, sent_at }) => ({ template, locale, createdAt: iso(created_at), sentAt: iso(sent_at) }),
    ),
  ];
  yield [
    "log",
    mappedRows(
      queries,
      sql<Database["audit"]>`SELECT id, at, kind FROM audit WHERE account_uuid = ${accountUuid}`,
      ["at", "id"],
      ({ at, kind }) => ({
        at: iso(at),
        kind,
      }),
    ),
  ];
}
