/** Reads all that an operator sees of one person. */
import { paymentProviders } from "#core/products.ts";
import { hasTries } from "../../mail/codeTries.ts";
import { pendingChange } from "../../accounts/emailChanges.ts";
import { needsConfirmation } from "../../handlers/shared/newAddress.ts";
import type { Services } from "../../handlers/shared/services.ts";
import { isUsable } from "../../payments/entitlement.ts";
import { leftOf } from "../../payments/refunds.ts";
import type { Queries } from "../../store/schema.ts";
import type { PersonPage } from "#studio/contract/people.ts";
import { declinesOf, linesOf } from "./lines.ts";
import { decisive, explain, type ExplainedOrder, whySentence } from "./why.ts";

/** Null when the account does not exist or is being erased. */
export const accountOf = (queries: Queries, uuid: string) =>
  queries
    .selectFrom("accounts")
    .selectAll()
    .where("uuid", "=", uuid)
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom("erasures").select("account_uuid").where("account_uuid", "=", uuid))))
    .executeTakeFirst();
type Account = NonNullable<Awaited<ReturnType<typeof accountOf>>>;

/** One account can have opened any number of checkouts. */
const latestOrders = 100;

/** The paid orders and the latest others, newest first. */
async function ordersOf(queries: Queries, uuid: string, now: number): Promise<readonly ExplainedOrder[]> {
  const own = queries.selectFrom("orders").selectAll().where("account_uuid", "=", uuid);
  const paid = await own.where("status", "in", ["completed", "failed", "duplicate"]).execute();
  const latest = await own.orderBy("created_at", "desc").orderBy("id").limit(latestOrders).execute();
  const rows = [...new Map([...paid, ...latest].map((order) => [order.id, order])).values()];
  const sorted = rows.toSorted((a, b) => b.created_at - a.created_at || (a.id < b.id ? -1 : 1));
  return Promise.all(sorted.map((order) => explain(queries, order, now)));
}

/** Payments, each with the amount that can still be refunded. */
async function paymentsOf(queries: Queries, orders: readonly ExplainedOrder[]): Promise<PersonPage["payments"]> {
  const payments = orders.flatMap(({ order, facts }) => {
    const adjustments = facts.filter((fact) => fact.kind === "adjustment");
    return facts
      .filter((fact) => fact.kind === "transaction")
      .filter(({ status, total }) => status === "completed" && total > 0)
      .map((fact) => ({
        transaction: fact.id,
        provider: order.payment_provider,
        at: fact.billedAt,
        total: fact.total,
        left: leftOf(fact, adjustments),
        currency: fact.currency ?? order.currency,
        subscription: order.subscription_id,
      }));
  });
  const ids = payments.map(({ transaction }) => transaction);
  const duties =
    ids.length === 0
      ? []
      : await queries
          .selectFrom("payment_duties")
          .selectAll()
          .where("done_at", "is", null)
          // Each by its index.
          .where(({ or, and, eb }) =>
            or([
              and([eb("payment_provider", "in", paymentProviders), eb("kind", "in", ["refund", "refund-part"]), eb("subject", "in", ids)]),
              eb("transaction_id", "in", ids),
            ]),
          )
          .execute();
  return payments.map((payment) => {
    const duty = duties.find(({ subject, transaction_id: of }) => (of ?? subject) === payment.transaction);
    const asked = duty === undefined ? null : { at: duty.created_at, error: duty.error, givenUp: duty.next_attempt_at === null };
    return { ...payment, asked };
  });
}

/** Possible reasons why the person cannot log in. */
async function obstaclesOf(
  { store, world }: Services,
  account: Account,
  orders: readonly ExplainedOrder[],
  usable: boolean,
): Promise<PersonPage["obstacles"]> {
  const queries = store.read;
  const obstacles: PersonPage["obstacles"] = [];
  const declined = (await declinesOf(queries, account.uuid)).toSorted((a, b) => b.at - a.at)[0];
  if (!usable && declined !== undefined)
    obstacles.push({
      title: "Their payment was declined",
      says: "Nothing was charged. They can try again, with this card or another one: mail them a login link.",
    });
  else if (!usable)
    obstacles.push({
      title: "They have no access now",
      says: orders.length === 0 ? "They have never opened a checkout." : "Access says why.",
    });
  if (account.email_confirmed_at === null)
    obstacles.push({
      title: "The address was never confirmed",
      says: "If it has a typing error, no mail reaches them. Correct it, or send the mail again.",
    });
  const mail = await queries
    .selectFrom("mail_outbox")
    .select(["error"])
    .where("account_uuid", "=", account.uuid)
    .where("sent_at", "is", null)
    .where("error", "is not", null)
    .orderBy("created_at", "desc")
    .executeTakeFirst();
  if (mail !== undefined) obstacles.push({ title: "A mail to them did not go out", says: mail.error ?? "" });
  if (!(await hasTries(queries, world, { accountUuid: account.uuid, byKnownDevice: false })))
    obstacles.push({
      title: "Codes are limited",
      says: "Too many wrong codes were typed, so mails have only the link for now. The link still logs them in.",
    });
  if (account.password_hash === null)
    obstacles.push({ title: "There is no password", says: "They can log in by a mailed link, or choose a new password with one." });
  return obstacles;
}

async function auditOf(queries: Queries, uuid: string): Promise<PersonPage["audit"]> {
  const rows = await queries
    .selectFrom("operator_audit")
    .selectAll()
    .where("account_uuid", "=", uuid)
    .orderBy("at", "desc")
    .limit(100)
    .execute();
  return rows.map(({ at, operator_name: who, action: what, reason }) => ({ at, who, what, reason }));
}

export async function personPage(services: Services, account: Account): Promise<PersonPage> {
  const { store, world, payments } = services;
  const queries = store.read;
  const { uuid } = account;
  const now = world.now();
  const orders = await ordersOf(queries, uuid, now);
  const counts = decisive(orders);
  const [state, plan, change] = await Promise.all([
    queries
      .selectFrom("questionnaire_states")
      .select(["version", "user_level", "finished", "saved_at"])
      .where("account_uuid", "=", uuid)
      .executeTakeFirst(),
    payments.planOf(uuid),
    pendingChange(queries, world, uuid),
  ]);
  const usable = counts?.state != null && isUsable(counts.state);
  const consents = await queries
    .selectFrom("consent_records")
    .selectAll()
    .where("account_uuid", "=", uuid)
    .orderBy("chosen_at", "desc")
    .limit(50)
    .execute();
  const sessions = await queries
    .selectFrom("sessions")
    .selectAll()
    .where("account_uuid", "=", uuid)
    .orderBy("started_at", "desc")
    .limit(50)
    .execute();
  return {
    account: {
      uuid,
      email: account.email,
      firstname: account.firstname,
      confirmedAt: account.email_confirmed_at,
      hasPassword: account.password_hash !== null,
      locale: account.locale,
      createdAt: account.created_at,
      appVersion: account.app_version,
      marketing: account.marketing_consent === null ? null : account.marketing_consent === 1,
      newEmail: change?.to_email ?? null,
      addressStays: await needsConfirmation(queries, account),
    },
    learning: {
      version: state?.version ?? account.questionnaire_version,
      finished: state?.finished === 1,
      level: state?.user_level ?? null,
      savedAt: state?.saved_at ?? null,
    },
    entitlement: {
      usable,
      status: counts?.state?.status ?? null,
      end: counts?.state?.end ?? null,
      why: counts === null ? "They have never opened a checkout." : whySentence(counts, now),
    },
    obstacles: await obstaclesOf(services, account, orders, usable),
    plan:
      plan === null || counts === null
        ? null
        : { ...planOf(plan), provider: counts.order.payment_provider, subscription: counts.order.subscription_id },
    payments: await paymentsOf(queries, orders),
    consents: consents.map(({ chosen_at: at, functional, analytics, marketing, source }) => ({
      at,
      functional: functional === 1,
      analytics: analytics === 1,
      marketing: marketing === 1,
      source,
    })),
    sessions: sessions.map(({ started_at, entered_by, ended_at, end_reason }) => ({
      startedAt: started_at,
      enteredBy: entered_by,
      endedAt: ended_at,
      endReason: end_reason,
    })),
    lines: await linesOf(queries, account, orders),
    audit: await auditOf(queries, uuid),
  };
}

function planOf({
  productPlan,
  price,
  currency,
  trialing,
  nextCharge,
  change,
  actions,
  moneyBackUntil,
}: NonNullable<Awaited<ReturnType<Services["payments"]["planOf"]>>>) {
  return { productPlan, price, currency, trialing, nextCharge, change, actions: [...actions], moneyBackUntil };
}
