/** The payments' tables (db/migrations/*_payments), with the conventions of `schema.ts`. */
import type { Generated } from "kysely";

interface ProductsTable {
  product_id: string;
  product_type: string;
  product_plan: string;
  currency: string;
  price: number;
  list_price: number;
  frequency: number;
  trial_days: number;
  payment_provider: string;
  price_id: string;
  sold: number;
}
interface AskedPricesTable {
  product_id: string;
  since: number;
  price: number | null;
}
export interface CouponsTable {
  code: string;
  percentage: number;
  recurring: number;
  plans: string | null;
  valid: number;
}
export interface OrdersTable {
  id: string;
  account_uuid: string | null;
  product_id: string;
  product_type: string;
  product_plan: string;
  trial_days: number;
  price_id: string;
  quantity: number;
  currency: string;
  price: number;
  coupon_code: string | null;
  payment_provider: string;
  status: string;
  transaction_id: string | null;
  hosted_url: string | null;
  subscription_id: string | null;
  created_at: number;
  updated_at: number;
  checked_at: number | null;
  /** The buyer's time zone, if known. */
  time_zone: string | null;
  /** The country from which it was ordered, if known, as ISO 3166. The price is that country's. */
  country: string | null;
}
interface ProviderEventsTable {
  payment_provider: string;
  event_id: string;
  event_type: string;
  payload: string;
  received_at: number;
  applied_at: number | null;
  attempts: Generated<number>;
  /** Why the event could not be read or applied. */
  error: string | null;
  /** The account concerned. '' means none; null means that `buyers.ts` has not looked yet. */
  account_uuid: Generated<string | null>;
}
interface ProviderFactsTable {
  payment_provider: string;
  id: string;
  version: string;
  fact: string;
  transaction_id: string | null;
  subscription_id: string | null;
}
interface EntitlementsTable {
  order_id: string;
  account_uuid: string | null;
  status: string;
  ends_at: number | null;
  created_at: number;
  updated_at: number;
}

export interface PaymentDutiesTable {
  payment_provider: string;
  kind: string;
  subject: string;
  order_id: string | null;
  reason: string;
  created_at: number;
  attempts: number;
  next_attempt_at: number | null;
  done_at: number | null;
  error: string | null;
  /** A partial refund: the payment refunded, and the amount in minor units. */
  transaction_id: string | null;
  amount: number | null;
}

/** Contracts whose renewed term can be ended by the month. */
interface ContractEndsTable {
  order_id: string;
  ends_at: number;
  transaction_id: string;
  /** Minor units. */
  back: number;
  done_at: number | null;
}

/** Notices that end a contract, sent without logging in. */
export interface ContractNoticesTable {
  id: string;
  /** cancel or withdraw */
  kind: string;
  received_at: number;
  locale: string;
  time_zone: string | null;
  account_uuid: string | null;
  email: string;
  name: string;
  contract: string;
  for_cause: number;
  reason: string | null;
  /** YYYY-MM-DD */
  not_before: string | null;
  /** `due`, `done`, or `person` when an operator must look. */
  state: string;
  attempts: number;
  next_attempt_at: number | null;
  done_at: number | null;
}

/** Payments whose amount differs from their order's price. */
interface PaymentMismatchesTable {
  payment_provider: string;
  transaction_id: string;
  order_id: string;
  currency: string | null;
  /** Minor units. */
  total: number;
  noted_at: number;
  /** When an operator has looked, or a later payment agreed. */
  settled_at: number | null;
}

/** The verdict on whether a payment matches its order. */
interface PaymentVerdictsTable {
  payment_provider: string;
  transaction_id: string;
  /** What was paid: currency, amount and items. Empty for an operator's verdict, which holds whatever was paid (verdicts.ts). */
  paid: string;
  agreed: number;
  judged_at: number;
}

/** Which mailboxes have used which plan's trial. */
interface TrialsUsedTable {
  /** A hash of the mailbox, keyed with a secret. */
  hash: string;
  plan: string;
  order_id: string;
  used_at: number;
}

/** Movements of money, derived from `provider_facts` (payments/entries.ts). */
export interface MoneyEntriesTable {
  payment_provider: string;
  id: string;
  kind: "payment" | "refund" | "chargeback" | "reversal";
  transaction_id: string;
  subscription_id: string | null;
  order_id: string | null;
  for_period: number;
  at: number;
  day: string;
  currency: string;
  /** Minor units, positive in either direction. */
  gross: number;
  tax: number | null;
  fee: number | null;
  period_end: number | null;
}
interface PlanMomentsTable {
  payment_provider: string;
  subscription_id: string;
  kind: "failed" | "cancelled" | "kept" | "paused";
  at: number;
}
interface ExchangeRatesTable {
  base: string;
  currency: string;
  day: string;
  rate: string;
  source: string;
}
interface ReconciliationsTable {
  payment_provider: string;
  at: number;
  since: number;
  findings: string;
}

export interface PaymentTables {
  money_entries: MoneyEntriesTable;
  plan_moments: PlanMomentsTable;
  exchange_rates: ExchangeRatesTable;
  reconciliations: ReconciliationsTable;
  products: ProductsTable;
  asked_prices: AskedPricesTable;
  coupons: CouponsTable;
  orders: OrdersTable;
  provider_events: ProviderEventsTable;
  provider_facts: ProviderFactsTable;
  entitlements: EntitlementsTable;
  payment_duties: PaymentDutiesTable;
  contract_notices: ContractNoticesTable;
  contract_ends: ContractEndsTable;
  payment_mismatches: PaymentMismatchesTable;
  payment_verdicts: PaymentVerdictsTable;
  trials_used: TrialsUsedTable;
}
