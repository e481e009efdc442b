/** A person's time line: account, orders, payments, mails, visits. Newest first. */
import { paymentProviders } from "#core/products.ts";
import type { Line } from "#studio/contract/people.ts";
import { decodeJourney } from "../../events/journey.ts";
import { allowingStatistics } from "../../events/statisticsConsent.ts";
import type { AdjustmentFact, Fact } from "../../payments/provider.ts";
import type { MailOutboxTable, Queries } from "../../store/schema.ts";
import { mailTitle } from "../mailWords.ts";
import { canSendAgain } from "./mails.ts";
import type { ExplainedOrder } from "./why.ts";

const changeWords = { cancel: "The subscription ends", pause: "The subscription pauses", resume: "The subscription resumes" } as const;

const blank = { says: null, money: null, reference: null, state: null, mail: null, visit: null } as const;
const minuteMs = 60_000;

function mailLine(row: MailOutboxTable, accountEmail: string): Line {
  const state =
    row.sent_at !== null
      ? ({ tone: "good", words: "Sent" } as const)
      : row.next_attempt_at === null
        ? ({ tone: "bad", words: "Given up" } as const)
        : ({ tone: "care", words: row.attempts === 0 ? "Waits to be sent" : `Put off ${row.attempts} times` } as const);
  return {
    ...blank,
    id: `mail ${row.id}`,
    at: row.created_at,
    kind: "mails",
    title: `Mail: ${mailTitle(row)}`,
    says: [row.recipient === accountEmail ? null : `To ${row.recipient}`, row.error].filter((part) => part !== null).join(". ") || null,
    state,
    mail: { id: row.id, again: canSendAgain(row) },
  };
}

function adjustmentLine(fact: AdjustmentFact, currency: string): Line | null {
  if (fact.at == null) return null;
  const words = {
    refund: `${fact.approved ? "Given back" : "Refund"}${fact.full ? "" : " in part"}`,
    chargeback: "Chargeback",
    chargeback_reverse: "Chargeback reversed",
    other: "Adjusted",
  };
  return {
    ...blank,
    id: `fact ${fact.id}`,
    at: fact.at,
    kind: "payments",
    title: words[fact.action],
    money: fact.total == null ? null : { minor: fact.total, currency },
    reference: fact.id,
    state: fact.approved
      ? null
      : fact.rejected === undefined
        ? { tone: "care", words: "Not approved by the provider (yet)" }
        : { tone: "bad", words: "Rejected by the provider" },
  };
}

function factLine(fact: Fact, { order }: ExplainedOrder): Line | null {
  if (fact.kind === "adjustment") return adjustmentLine(fact, order.currency);
  if (fact.kind === "gift")
    return {
      ...blank,
      id: `fact ${fact.id}`,
      at: fact.at,
      kind: "payments",
      title: `${fact.days} ${fact.days === 1 ? "day" : "days"} given by us`,
    };
  if (fact.kind === "subscription") {
    const { change } = fact;
    // Future events are shown with the plan, past ones as mails and payments.
    return change === null || change === undefined
      ? null
      : {
          ...blank,
          id: `fact ${fact.id}`,
          at: change.at,
          kind: "payments",
          title: changeWords[change.action],
          reference: fact.id,
        };
  }
  if (fact.billedAt === null || fact.status !== "completed") return null;
  const trial = fact.total === 0 && order.trial_days > 0;
  return {
    ...blank,
    id: `fact ${fact.id}`,
    at: fact.billedAt,
    kind: "payments",
    title: trial ? `Trial of ${order.trial_days} days began` : fact.id === order.transaction_id ? "Paid" : "Renewal paid",
    money: trial ? null : { minor: fact.total, currency: fact.currency ?? order.currency },
    reference: fact.id,
  };
}

const orderLine = ({ order }: ExplainedOrder): Line => ({
  ...blank,
  id: `order ${order.id}`,
  at: order.created_at,
  kind: "payments",
  title: `Checkout opened: ${order.product_plan}${order.trial_days > 0 ? `, ${order.trial_days} days free` : ""}`,
  money: { minor: order.price, currency: order.currency },
  says: order.coupon_code === null ? null : `Coupon ${order.coupon_code}`,
  reference: order.id,
  state:
    order.status === "failed"
      ? { tone: "bad", words: "Paid another sum" }
      : order.status === "pending"
        ? { tone: "care", words: "Not paid" }
        : order.status === "cancelled"
          ? { tone: "none", words: "Given up" }
          : order.status === "duplicate"
            ? { tone: "bad", words: "Paid twice" }
            : { tone: "good", words: "Paid" },
});

/** Webhooks without a fact in the ledger. */
const declines: Readonly<Record<string, string>> = {
  "transaction.payment_failed": "A payment was declined",
  subscription_payment_failed: "A renewal was declined",
};

export async function declinesOf(
  queries: Queries,
  accountUuid: string,
): Promise<readonly { readonly at: number; readonly id: string; readonly title: string }[]> {
  const rows = await queries
    .selectFrom("provider_events")
    .select(["event_id", "event_type", "received_at"])
    .where("account_uuid", "=", accountUuid)
    .where("event_type", "in", Object.keys(declines))
    .execute();
  return rows.map(({ event_id: id, event_type: type, received_at: at }) => ({ id, at, title: declines[type] ?? type }));
}

/** One account can have any number of devices and visits. */
const mostVisits = 200;

async function visitLines(queries: Queries, accountUuid: string): Promise<readonly Line[]> {
  const rows = await queries
    .selectFrom("event_devices")
    .innerJoin("journeys", "journeys.device_id", "event_devices.device_id")
    .selectAll("journeys")
    .where("event_devices.visitor", "=", accountUuid)
    .orderBy("journeys.started_at", "desc")
    .limit(mostVisits)
    .execute();
  const allowing = await allowingStatistics(
    queries,
    rows.map(({ device_id: device }) => device),
  );
  return rows.map((row) => {
    const { steps, purchasedAt } = decodeJourney(row);
    const minutes = Math.max(1, Math.round((row.last_at - row.started_at) / minuteMs));
    const where = [row.platform, row.country, row.locale].filter((part) => part !== null).join(", ");
    return {
      ...blank,
      id: `visit ${row.device_id} ${row.version}`,
      at: row.started_at,
      kind: "visits" as const,
      visit: allowing.has(row.device_id) ? { visit: row.device_id, version: row.version } : null,
      title: `Visit to version ${row.version}${purchasedAt === null ? "" : ", ended in a purchase"}`,
      says: `${steps.size} questions within ${minutes} min${where === "" ? "" : ` · ${where}`}${row.campaign === null ? "" : ` · campaign ${row.campaign}`}`,
    };
  });
}

const auditWords: Readonly<Record<string, string>> = {
  "refresh token reused": "A session's old token was used again: the session ended",
  "address proven by another device": "The address was proven on another device",
  "password reset": "Chose a new password",
  "email change asked": "Asked for another address",
  "email changed": "The address was changed",
  "email change undone": "A change of the address was undone",
  "account exported": "Everything stored was exported",
  "payment-mismatch": "A payment was not what the order costs",
};

async function accountLines(
  queries: Queries,
  account: { readonly uuid: string; readonly created_at: number; readonly email_confirmed_at: number | null },
) {
  const rows = await queries.selectFrom("audit").select(["id", "at", "kind"]).where("account_uuid", "=", account.uuid).execute();
  const lines: Line[] = rows.map(({ id, at, kind }) => ({
    ...blank,
    id: `audit ${id}`,
    at,
    kind: "account",
    title: auditWords[kind] ?? kind,
  }));
  lines.push({ ...blank, id: "signed up", at: account.created_at, kind: "account", title: "Signed up" });
  if (account.email_confirmed_at !== null)
    lines.push({ ...blank, id: "confirmed", at: account.email_confirmed_at, kind: "account", title: "Confirmed the address" });
  return lines;
}

/** How a plan changed. A failed charge is shown by the provider's webhook instead. */
const momentWords = {
  cancelled: "The plan was cancelled",
  kept: "The cancellation was revoked",
  paused: "The plan was paused",
} as const;
const toldMoments = Object.keys(momentWords) as (keyof typeof momentWords)[];

async function momentLines(queries: Queries, orders: readonly ExplainedOrder[]): Promise<readonly Line[]> {
  const subscriptions = orders.flatMap(({ order }) => (order.subscription_id === null ? [] : [order.subscription_id]));
  if (subscriptions.length === 0) return [];
  const rows = await queries
    .selectFrom("plan_moments")
    .select(["payment_provider", "subscription_id", "kind", "at"])
    .where("payment_provider", "in", paymentProviders)
    .where("subscription_id", "in", subscriptions)
    .where("kind", "in", toldMoments)
    .execute();
  return rows.flatMap(({ payment_provider: provider, subscription_id: subscription, kind, at }) =>
    kind === "failed" || !orders.some(({ order }) => order.payment_provider === provider && order.subscription_id === subscription)
      ? []
      : [
          {
            ...blank,
            id: `moment ${subscription} ${kind} ${at}`,
            at,
            kind: "payments" as const,
            title: momentWords[kind],
            reference: subscription,
          },
        ],
  );
}

export async function linesOf(
  queries: Queries,
  account: { readonly uuid: string; readonly email: string; readonly created_at: number; readonly email_confirmed_at: number | null },
  orders: readonly ExplainedOrder[],
): Promise<Line[]> {
  const mails = await queries.selectFrom("mail_outbox").selectAll().where("account_uuid", "=", account.uuid).execute();
  const declined = await declinesOf(queries, account.uuid);
  const facts = new Map(
    orders.flatMap((order) => order.facts.map((fact) => [`${order.order.payment_provider} ${fact.id}`, factLine(fact, order)] as const)),
  );
  return [
    ...(await accountLines(queries, account)),
    ...orders.map(orderLine),
    ...[...facts.values()].filter((line) => line !== null),
    ...declined.map(({ id, at, title }): Line => ({
      ...blank,
      id: `told ${id}`,
      at,
      kind: "payments",
      title,
      state: { tone: "bad", words: "Declined" },
    })),
    ...(await momentLines(queries, orders)),
    ...mails.map((row) => mailLine(row, account.email)),
    ...(await visitLines(queries, account.uuid)),
  ].toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
}
