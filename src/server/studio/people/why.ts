/** Explains in a sentence why somebody is entitled or not, from the facts that the ledger's rule used. */
import { minorUnitsOf } from "#core/formats.ts";
import {
  type Because,
  type EntitlementState,
  entitlementNow,
  explainedOutcome,
  isUsable,
  type OrderOutcome,
} from "../../payments/entitlement.ts";
import type { Fact } from "../../payments/provider.ts";
import { factsOf, termsOf } from "../../payments/settlement.ts";
import { keptVerdicts } from "../../payments/verdicts.ts";
import type { OrdersTable } from "../../store/paymentTables.ts";
import type { Queries } from "../../store/schema.ts";

export interface ExplainedOrder {
  readonly order: OrdersTable;
  readonly facts: readonly Fact[];
  readonly state: EntitlementState | null;
  readonly outcome: OrderOutcome | null;
  readonly because: Because | null;
}

/** An order, its facts, and the ledger's current outcome. */
export async function explain(queries: Queries, order: OrdersTable, now: number): Promise<ExplainedOrder> {
  if (order.transaction_id === null) return { order, facts: [], state: null, outcome: null, because: null };
  const { facts } = await factsOf(queries, order.payment_provider, { ...order, transaction_id: order.transaction_id });
  const verdicts = await keptVerdicts(queries, order.payment_provider, facts);
  const { outcome, because } = explainedOutcome(termsOf(order), facts, verdicts, now);
  const entitled = order.status === "duplicate" ? null : outcome.entitlement;
  return { order, facts, outcome, because, state: entitled === null ? null : entitlementNow(entitled, order.product_type, now) };
}

const money = (minor: number, currency: string) =>
  new Intl.NumberFormat("en-US", { style: "currency", currency }).format(minor / minorUnitsOf(currency));
/** In UTC, as everywhere in the studio. */
const dayFormat = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" });
const day = (at: number | null) => (at === null || !Number.isFinite(at) ? "an unknown day" : dayFormat.format(at));

/** The explanation; `because` is the fact that decided the outcome. */
export function whySentence({ order, facts, state, because }: ExplainedOrder, now: number): string {
  if (order.status === "duplicate") return "This order was paid by somebody who already had a plan: it is refunded.";
  if (because === null || because.kind === "unpaid")
    return because?.payment == null
      ? "An order was opened, but no payment was reported."
      : "The order is not paid: its checkout is still open at the provider.";
  const { payment } = because;
  const paid = money(payment.total, order.currency);
  if (because.kind === "given up") return "The checkout was ended without a payment.";
  if (because.kind === "mismatch")
    return `${paid} were paid on ${day(payment.billedAt)}, which is not what the order costs: somebody has to look (Money).`;
  const gifts = facts.filter((fact) => fact.kind === "gift");
  const given = gifts.reduce((sum, { days }) => sum + days, 0);
  const more =
    given > 0 ? ` ${given} ${given === 1 ? "day was" : "days were"} given by us: access lasts until ${day(state?.end ?? null)}.` : "";
  return `${sentenceOf(because, paid, now, state !== null && isUsable(state))}${more}`;
}

const begun = (total: number, paid: string, on: string) => (total === 0 ? `The free trial began ${on}` : `${paid} were paid ${on}`);

function sentenceOf(
  because: Exclude<Because, { readonly kind: "unpaid" | "given up" | "mismatch" }>,
  paid: string,
  now: number,
  usable: boolean,
): string {
  const { payment, until } = because;
  const on = `on ${day(payment.billedAt)}`;
  switch (because.kind) {
    case "taken back":
      return `${paid} were paid ${on} and went back: access ended on ${day(until)}.`;
    case "trial":
      return `The free trial began ${on} and lasts until ${day(until)}.`;
    case "paid":
      return `${paid} were paid ${on} for the time until ${day(until)}${until <= now ? ", and no word of a renewal came since" : ""}.${
        because.short ? " A later payment is not what was agreed and counts for nothing." : ""
      }`;
    case "overdue":
      return `${begun(payment.total, paid, on)}; the charge after it failed. ${
        until > now
          ? `Access stays until ${day(until)} so that another card can be left.`
          : usable
            ? `Access ran to ${day(until)}; for three days more they are let in, should word of a payment be late.`
            : `Access ended on ${day(until)}; a payment opens it again.`
      }`;
    case "paused":
      return `${paid} were paid ${on}; the plan is paused since ${day(until)}.`;
    case "ended":
      return `${paid} were paid ${on}; the subscription ended on ${day(until)}.`;
  }
}

/** The deciding order: the newest that entitles, else the newest with a state, else the first. */
export function decisive(orders: readonly ExplainedOrder[]): ExplainedOrder | null {
  return orders.find(({ state }) => state !== null && isUsable(state)) ?? orders.find(({ state }) => state !== null) ?? orders[0] ?? null;
}
