/** What is stored about a person: all of it on their wish, and none of it after another wish (the privacy policy promises it). */
import { sql } from "kysely";
import { forgetVisitor } from "../events/forget.ts";
import { forgetChanges } from "./emailChanges.ts";
import { addDuty } from "../payments/duties.ts";
import type { World } from "../parts.ts";
import type { Database, Queries } from "../store/schema.ts";

const iso = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());
const flag = (value: number | null): boolean | null => (value === null ? null : value === 1);

/**
 * Tables that name a person and are not handed out, with the reason. Every other one is, and none keeps the person after
 * `erase`: a test reads the tables from the database and tries it with all of them.
 */
export const notExported: Readonly<Partial<Record<keyof Database, string>>> = {
  event_devices: "says which devices are theirs, and the visits name them",
  login_code_tries: "counts who was not let in, for a month at most",
  link_tokens: "opens the account, and says nothing that the account does not say",
};

/** Everything stored about an account, readable by people and machines; hashes and tokens are not about anybody. Null when it is gone. */
export async function exportOf(queries: Queries, accountUuid: string): Promise<Readonly<Record<string, unknown>> | null> {
  const account = await queries.selectFrom("accounts").selectAll().where("uuid", "=", accountUuid).executeTakeFirst();
  if (!account) return null;
  const rowsOf = async (table: "sessions" | "study_schedules" | "marketing_consents" | "popups" | "consent_records") => {
    const { rows } = await sql<Record<string, unknown>>`SELECT * FROM ${sql.table(table)} WHERE account_uuid = ${accountUuid}`.execute(
      queries,
    );
    return rows.map(({ id: _id, account_uuid: _account, ...row }) => row);
  };
  const [state] = await queries.selectFrom("questionnaire_states").selectAll().where("account_uuid", "=", accountUuid).execute();
  const orders = await queries
    .selectFrom("orders")
    .leftJoin("entitlements", "entitlements.order_id", "orders.id")
    .select([
      "orders.id",
      "orders.product_type",
      "orders.product_plan",
      "orders.currency",
      "orders.price",
      "orders.coupon_code",
      "orders.payment_provider",
      "orders.transaction_id",
      "orders.subscription_id",
      "orders.status",
      "orders.created_at",
      "entitlements.status as entitlement",
      "entitlements.ends_at",
    ])
    .where("orders.account_uuid", "=", accountUuid)
    .execute();
  const events = await queries.selectFrom("events").selectAll().where("account_uuid", "=", accountUuid).orderBy("happened_at").execute();
  // Visits before signing up are the account's by the device that they were made on.
  const journeys = await queries
    .selectFrom("journeys")
    .innerJoin("event_devices", "event_devices.device_id", "journeys.device_id")
    .selectAll("journeys")
    .where("event_devices.visitor", "=", accountUuid)
    .execute();
  const mails = await queries
    .selectFrom("mail_outbox")
    .select(["template", "locale", "created_at", "sent_at"])
    .where("recipient", "=", account.email)
    .execute();
  const emailChanges = await queries
    .selectFrom("email_changes")
    .selectAll()
    .where("account_uuid", "=", accountUuid)
    .orderBy("asked_at")
    .execute();
  const audit = await queries.selectFrom("audit").select(["at", "kind"]).where("account_uuid", "=", accountUuid).execute();
  return {
    account: {
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
    emailChanges: emailChanges.map(({ from_email: from, to_email: to, asked_at, outcome, ended_at }) => ({
      from,
      to,
      askedAt: iso(asked_at),
      outcome,
      endedAt: iso(ended_at),
    })),
    questionnaire: state
      ? { version: state.version, level: state.user_level, savedAt: iso(state.saved_at), state: JSON.parse(state.state) }
      : null,
    studySchedules: await rowsOf("study_schedules"),
    marketingConsents: await rowsOf("marketing_consents"),
    popups: await rowsOf("popups"),
    consents: await rowsOf("consent_records"),
    sessions: await rowsOf("sessions"),
    orders: orders.map(({ created_at, ends_at, ...order }) => ({ ...order, createdAt: iso(created_at), entitlementEnd: iso(ends_at) })),
    events: events.map(({ id, event_type, country, payload, happened_at }) => ({
      id,
      type: event_type,
      country,
      at: iso(happened_at),
      payload: JSON.parse(payload),
    })),
    visits: journeys.map(({ device_id: device, started_at, last_at, steps, ...visit }) => ({
      device,
      startedAt: iso(started_at),
      lastAt: iso(last_at),
      ...visit,
      steps: JSON.parse(steps),
    })),
    mails: mails.map(({ template, locale, created_at, sent_at }) => ({
      template,
      locale,
      createdAt: iso(created_at),
      sentAt: iso(sent_at),
    })),
    log: audit.map(({ at, kind }) => ({ at: iso(at), kind })),
  };
}

/**
 * Removes a person within the caller's write. What counts stays without them: events lose the person and the device, orders
 * the account, as bookkeeping needs them. A running subscription is ended at its provider.
 */
export async function erase(
  queries: Queries,
  world: World,
  { accountUuid, email }: { readonly accountUuid: string; readonly email: string },
): Promise<void> {
  const subscriptions = await queries
    .selectFrom("orders")
    .select(["id", "payment_provider", "subscription_id"])
    .where("account_uuid", "=", accountUuid)
    .where("subscription_id", "is not", null)
    .execute();
  for (const { id, payment_provider: provider, subscription_id: subject } of subscriptions)
    if (subject !== null)
      await addDuty(queries, { provider, kind: "cancel-subscription", subject, orderId: id, reason: "account erased", now: world.now() });

  await queries.updateTable("orders").set({ account_uuid: null }).where("account_uuid", "=", accountUuid).execute();
  await queries.updateTable("entitlements").set({ account_uuid: null }).where("account_uuid", "=", accountUuid).execute();
  await queries.updateTable("audit").set({ account_uuid: null }).where("account_uuid", "=", accountUuid).execute();
  await queries.deleteFrom("mail_outbox").where("recipient", "=", email).execute();
  await forgetChanges(queries, accountUuid);
  // Visits before signing up carry the same uuid in their payload only.
  const nobody = "00000000-0000-4000-8000-000000000000";
  await queries
    .updateTable("events")
    .set((fields) => ({
      account_uuid: null,
      device_id: null,
      payload: fields.fn<string>("replace", ["payload", fields.val(accountUuid), fields.val(nobody)]),
    }))
    .where((fields) => fields.or([fields("account_uuid", "=", accountUuid), fields("payload", "like", `%${accountUuid}%`)]))
    .execute();
  // The proof stays, of nobody in particular.
  await queries
    .updateTable("consent_records")
    .set({ account_uuid: null, device_id: null })
    .where("account_uuid", "=", accountUuid)
    .execute();
  await forgetVisitor(queries, world, accountUuid);
  // What the provider told of the buyer; the amounts and ids stay as the law on bookkeeping asks.
  await forgetBuyer(queries, email);
  // With it go sessions, tokens, links, state, schedule, consents and popups (ON DELETE CASCADE).
  await queries.deleteFrom("accounts").where("uuid", "=", accountUuid).execute();
}

/** In the webhooks that were kept: Billing's are JSON, Classic's a form. As a value of its own, because one address may be the end of another. */
async function forgetBuyer(queries: Queries, email: string): Promise<void> {
  const inForm = new URLSearchParams({ email }).toString().slice("email=".length).toLowerCase();
  const events = await queries
    .selectFrom("provider_events")
    .select(["payment_provider", "event_id", "payload"])
    .where((fields) => fields.or([email, inForm].map((spelled) => fields(fields.fn("lower", ["payload"]), "like", `%${spelled}%`))))
    .execute();
  const inJson = new RegExp(`"${RegExp.escape(email)}"`, "gi");
  for (const { payment_provider: provider, event_id: id, payload } of events) {
    const without = payload.startsWith("{")
      ? payload.replace(inJson, '"erased"')
      : new URLSearchParams(
          [...new URLSearchParams(payload)].map(([name, value]) => [name, value.toLowerCase() === email ? "erased" : value]),
        ).toString();
    await queries
      .updateTable("provider_events")
      .set({ payload: without })
      .where("payment_provider", "=", provider)
      .where("event_id", "=", id)
      .execute();
  }
}
