/**
 * Records which account a webhook is about, when the webhook is applied, so that an index finds an account's webhooks. Webhooks that an
 * earlier release applied without this record get it later, in batches.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Queries } from "../store/schema.ts";
import { inOneSpelling } from "../store/spelling.ts";
import type { Store } from "../store/store.ts";
import type { Fact } from "./provider.ts";

/** Replaces the data of a buyer who was erased. */
const erased = "erased";
const nobody = "";
/** Rows per write. Few, because each is parsed. */
const batch = 20;
/** A webhook with more e-mail addresses than this is assumed to be about nobody. */
const mostAddresses = 5;

export interface StoredWebhook {
  readonly payment_provider: string;
  readonly event_id: string;
  readonly payload: string;
  readonly received_at: number;
}

const isAddress = (value: string): boolean => value.length <= 320 && /^[^\s@]+@[^\s@]+$/.test(value);
/** Fields that identify the buyer or their whereabouts. */
const naming: ReadonlySet<string> = new Set([
  "email",
  "customer_name",
  "customer_email_address",
  "cardholder_name",
  "first_line",
  "second_line",
  "city",
  "region",
  "postal_code",
  "company_number",
  "tax_identifier",
]);
/** Fields that identify the buyer only if they are beside one of those above, because products have them too. */
const namingBeside: ReadonlySet<string> = new Set(["name", "description"]);

function withoutBuyerIn(value: unknown): unknown {
  if (typeof value === "string") return isAddress(value) ? erased : value;
  if (Array.isArray(value)) return value.map(withoutBuyerIn);
  if (typeof value !== "object" || value === null) return value;
  const isOfBuyer = Object.keys(value).some((key) => naming.has(key));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      typeof inner === "string" && (naming.has(key) || (isOfBuyer && namingBeside.has(key))) ? [key, erased] : [key, withoutBuyerIn(inner)],
    ),
  );
}

/** Billing's webhooks are JSON, Classic's are forms. Null for broken JSON. */
function parsed(payload: string): unknown {
  if (!payload.startsWith("{")) return Object.fromEntries(new URLSearchParams(payload));
  try {
    return JSON.parse(payload);
  } catch {
    return null;
  }
}

/** The payload without its buyer. Amounts and ids stay: the law on bookkeeping requires them. */
export function withoutBuyer(payload: string): string {
  const left = withoutBuyerIn(parsed(payload));
  if (typeof left !== "object" || left === null) return erased;
  if (payload.startsWith("{")) return JSON.stringify(left);
  return new URLSearchParams(Object.entries(left).map(([name, value]) => [name, String(value)])).toString();
}

function addressesIn(value: unknown): readonly string[] {
  if (typeof value === "string") return isAddress(value) ? [inOneSpelling(value.toLowerCase())] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(addressesIn);
}

/** Null when the account was erased. */
async function accountOfOrder(queries: Queries, orderId: string): Promise<string | null> {
  return (await queries.selectFrom("orders").select("account_uuid").where("id", "=", orderId).executeTakeFirstOrThrow()).account_uuid;
}

/** The account of the order that the facts are about: undefined without such an order, null when its account was erased. */
async function accountOfFacts(queries: Queries, provider: string, facts: readonly Fact[]): Promise<string | null | undefined> {
  const known = await queries
    .selectFrom("provider_facts")
    .select(["transaction_id", "subscription_id"])
    .where("payment_provider", "=", provider)
    .where(
      "id",
      "in",
      facts.map(({ id }) => id),
    )
    .execute();
  const transactions = known.flatMap(({ transaction_id: id }) => id ?? []);
  const subscriptions = known.flatMap(({ subscription_id: id }) => id ?? []);
  for (const fact of facts) {
    transactions.push(...[fact.kind === "transaction" ? fact.id : fact.transactionId].flatMap((id) => id ?? []));
    subscriptions.push(...[fact.kind === "subscription" ? fact.id : fact.subscriptionId].flatMap((id) => id ?? []));
  }
  const orders = facts.flatMap((fact) => (fact.kind === "transaction" ? (fact.orderId ?? []) : []));
  const row = await queries
    .selectFrom("orders")
    .select("account_uuid")
    .where("payment_provider", "=", provider)
    .where((fields) =>
      fields.or([
        ...transactions.map((id) => fields("transaction_id", "=", id)),
        ...subscriptions.map((id) => fields("subscription_id", "=", id)),
        ...orders.map((id) => fields("id", "=", id)),
      ]),
    )
    .executeTakeFirst();
  return row?.account_uuid;
}

/**
 * The account of a webhook that is about no order: the one with the webhook's e-mail address, even if it was erased after the webhook
 * arrived.
 */
async function accountOfAddress(queries: Queries, { payload, received_at: receivedAt }: StoredWebhook): Promise<string | undefined> {
  const addresses = [...new Set(addressesIn(parsed(payload)))];
  if (addresses.length === 0 || addresses.length > mostAddresses) return undefined;
  const erasing = await queries
    .selectFrom("erasures")
    .select("account_uuid")
    .where("email", "in", addresses)
    .where("asked_at", ">=", receivedAt)
    .executeTakeFirst();
  if (erasing !== undefined) return erasing.account_uuid;
  return (await queries.selectFrom("accounts").select("uuid").where("email", "in", addresses).executeTakeFirst())?.uuid;
}

/**
 * Records which account a webhook is about, within the caller's write. Removes the buyer's data if their account was erased, or if the
 * webhook has no facts and no account.
 * @param facts null when the webhook cannot be read; it then stays unchanged, so that a person can look at it
 * @param orderId an order that the facts are about; null to look for one
 */
export async function noteBuyer(
  queries: Queries,
  webhook: StoredWebhook,
  facts: readonly Fact[] | null,
  orderId: string | null,
): Promise<void> {
  const { payment_provider: provider, event_id: id, payload } = webhook;
  const ofOrder =
    orderId !== null
      ? await accountOfOrder(queries, orderId)
      : facts === null || facts.length === 0
        ? undefined
        : await accountOfFacts(queries, provider, facts);
  const whose = ofOrder === undefined ? await accountOfAddress(queries, webhook) : ofOrder;
  const isOfNoUse = facts?.length === 0 && whose === undefined;
  await queries
    .updateTable("provider_events")
    .set({ account_uuid: whose ?? nobody, ...(ofOrder === null || isOfNoUse ? { payload: withoutBuyer(payload) } : {}) })
    .where("payment_provider", "=", provider)
    .where("event_id", "=", id)
    .execute();
}

/** Does the same for all webhooks without this record. */
export async function noteBuyers(
  store: Store,
  factsOf: (webhook: StoredWebhook) => readonly Fact[] | null,
  stopped: () => boolean,
): Promise<void> {
  while (!stopped()) {
    const rows = await store.read
      .selectFrom("provider_events")
      .select(["payment_provider", "event_id", "payload", "received_at"])
      .where("account_uuid", "is", null)
      .orderBy("received_at")
      .limit(batch)
      .execute();
    if (rows.length === 0) return;
    await store.write(async (queries) => {
      for (const row of rows) await noteBuyer(queries, row, factsOf(row), null);
    });
    await nextTurn();
  }
}

/** Removes the buyer from a batch of the account's webhooks, within the caller's write. Returns the number of webhooks. */
export async function forgetBuyer(queries: Queries, accountUuid: string): Promise<number> {
  const rows = await queries
    .selectFrom("provider_events")
    .select(["payment_provider", "event_id", "payload"])
    .where("account_uuid", "=", accountUuid)
    .limit(batch)
    .execute();
  for (const { payment_provider: provider, event_id: id, payload } of rows)
    await queries
      .updateTable("provider_events")
      .set({ payload: withoutBuyer(payload), account_uuid: nobody })
      .where("payment_provider", "=", provider)
      .where("event_id", "=", id)
      .execute();
  return rows.length;
}
