/** Finds people by what they may mention in a message. Without a search, lists the newest accounts. */
import { paymentProviders } from "#core/products.ts";
import { sql } from "kysely";
import type { OutputOf } from "#studio/contract/call.ts";
import type { peopleCalls } from "#studio/contract/people.ts";
import { entitlementStatusOf } from "../../payments/entitlement.ts";
import type { PaymentService } from "../../payments/service.ts";
import type { Queries } from "../../store/schema.ts";
import { inOneSpelling } from "../../store/spelling.ts";

type Found = OutputOf<(typeof peopleCalls)["people"]>;

const pageSize = 50;
/** Sorts after every letter: the upper bound of a prefix search. */
const last = "\u{10FFFF}";
/** The most matches per kind; operators type more to find fewer. */
const atMost = 200;

/** Accounts whose column begins with a prefix, by the byte-order index of both databases. */
async function beginsWith(queries: Queries, dialect: string, column: "email" | "firstname", start: string): Promise<readonly string[]> {
  const collation = dialect === "postgres" ? sql` COLLATE "C"` : sql``;
  const value = column === "email" ? sql`email${collation}` : sql`(lower(firstname)${collation})`;
  const { rows } = await sql<{ uuid: string }>`
    SELECT uuid FROM accounts WHERE ${value} >= ${start} AND ${value} < ${start + last} ORDER BY ${value} LIMIT ${sql.lit(atMost)}`.execute(
    queries,
  );
  return rows.map(({ uuid }) => uuid);
}

/** The accounts of an order, transaction or subscription. Only the ledger knows renewals. */
async function ownersOf(queries: Queries, reference: string): Promise<readonly string[]> {
  const orders = await queries
    .selectFrom("orders")
    .select("account_uuid")
    .where(({ or, eb }) => or([eb("id", "=", reference), eb("transaction_id", "=", reference), eb("subscription_id", "=", reference)]))
    .limit(atMost)
    .execute();
  const renewals = queries
    .selectFrom("provider_facts")
    .innerJoin("orders", (join) =>
      join
        .onRef("orders.payment_provider", "=", "provider_facts.payment_provider")
        .onRef("orders.subscription_id", "=", "provider_facts.subscription_id"),
    )
    .select("orders.account_uuid")
    .limit(atMost);
  // Two queries, each by its index: one query for both read the facts of all checkouts, which anybody can open.
  const [byPayment, byFact] = await Promise.all([
    renewals.where("provider_facts.transaction_id", "=", reference).execute(),
    renewals.where("provider_facts.payment_provider", "in", paymentProviders).where("provider_facts.id", "=", reference).execute(),
  ]);
  return [...orders, ...byPayment, ...byFact].flatMap(({ account_uuid: uuid }) => uuid ?? []);
}

async function found(queries: Queries, dialect: string, typed: string): Promise<readonly string[]> {
  const start = inOneSpelling(typed.toLowerCase());
  const ways = [
    beginsWith(queries, dialect, "email", start),
    ownersOf(queries, typed),
    ...(typed.includes("@") ? [] : [beginsWith(queries, dialect, "firstname", typed.toLowerCase())]),
    ...(/^[0-9a-f-]{36}$/i.test(typed) ? [Promise.resolve([typed.toLowerCase()])] : []),
  ];
  return [...new Set((await Promise.all(ways)).flat())];
}

export async function findPeople(
  { queries, dialect, payments }: { readonly queries: Queries; readonly dialect: string; readonly payments: PaymentService },
  { q, after }: { readonly q: string; readonly after?: string | undefined },
): Promise<Found> {
  let query = queries
    .selectFrom("accounts")
    .leftJoin("questionnaire_states", "questionnaire_states.account_uuid", "accounts.uuid")
    .select([
      "uuid",
      "email",
      "firstname",
      "email_confirmed_at",
      "locale",
      "created_at",
      "questionnaire_version",
      "questionnaire_states.version",
      "finished",
    ])
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("erasures").select("account_uuid").whereRef("account_uuid", "=", "uuid"))),
    )
    .orderBy("created_at", "desc")
    .orderBy("uuid", "desc")
    .limit(pageSize);
  if (q !== "") {
    const uuids = await found(queries, dialect, q);
    if (uuids.length === 0) return { rows: [], next: null };
    query = query.where("uuid", "in", uuids);
  }
  if (after !== undefined) {
    const [at, uuid = ""] = after.split(".");
    query = query.where(({ or, and, eb }) =>
      or([eb("created_at", "<", Number(at)), and([eb("created_at", "=", Number(at)), eb("uuid", "<", uuid)])]),
    );
  }
  const accounts = await query.execute();
  const plans = await newestPlans(
    queries,
    accounts.map(({ uuid }) => uuid),
  );
  const end = accounts.length === pageSize ? accounts.at(-1) : undefined;
  return {
    rows: await Promise.all(
      accounts.map(async (row) => {
        const plan = plans.get(row.uuid);
        const [state] = plan === undefined ? [] : await payments.entitlementsOf(row.uuid);
        return {
          uuid: row.uuid,
          email: row.email,
          firstname: row.firstname,
          confirmed: row.email_confirmed_at !== null,
          locale: row.locale,
          createdAt: row.created_at,
          version: row.version ?? row.questionnaire_version,
          finished: row.finished === 1,
          plan: plan === undefined || state === undefined ? null : { ...state, productPlan: plan },
        };
      }),
    ),
    next: end === undefined ? null : `${end.created_at}.${end.uuid}`,
  };
}

/** Each account's latest purchase and entitlement. */
async function newestPlans(queries: Queries, uuids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (uuids.length === 0) return new Map();
  const rows = await queries
    .selectFrom("entitlements")
    .innerJoin("orders", "orders.id", "entitlements.order_id")
    .select(["entitlements.account_uuid", "entitlements.status", "product_plan"])
    .where("entitlements.account_uuid", "in", uuids)
    .orderBy("entitlements.created_at")
    .orderBy("orders.created_at")
    .execute();
  return new Map(
    rows.flatMap(({ account_uuid: uuid, status, product_plan: plan }) =>
      uuid !== null && entitlementStatusOf(status) !== null ? [[uuid, plan] as const] : [],
    ),
  );
}
