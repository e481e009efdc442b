/** Calls of the studio's money screen. Amounts are whole minor units of the currency beside them. */
import * as codes from "#core/errorCodes.ts";
import { paymentProviders } from "#core/products.ts";
import * as v from "valibot";
import type { StudioCalls } from "./call.ts";

export const breakdowns = ["currency", "product", "country", "provider", "day"] as const;
export const entryKinds = ["payment", "refund", "chargeback", "reversal"] as const;
const day = v.pipe(v.string(), v.isoDate());
const currency = v.pipe(v.string(), v.regex(/^[A-Z]{3}$/));
const filters = {
  from: day,
  to: day,
  currency: v.optional(currency),
  product: v.optional(v.pipe(v.string(), v.maxLength(100))),
  /** Two letters, or `none` for orders whose country is not known. */
  country: v.optional(v.pipe(v.string(), v.regex(/^([A-Z]{2}|none)$/))),
  provider: v.optional(v.picklist(paymentProviders)),
};
const provider = v.picklist(paymentProviders);

/** Definitions of the numbers, shown beside them. */
export const moneyWords = {
  gross: "Amounts charged, tax included, on the day of the charge (UTC).",
  tax: "Tax in charges less tax in refunds and chargebacks, as the provider reported it.",
  fees: "Fees that the provider kept, less fees that it returned. Counted only where the provider reported them.",
  refunds: "Amounts paid back to buyers, tax included, on the day of the refund.",
  chargebacks: "Amounts that buyers' banks took back, less disputes that were won.",
  net: "Gross less tax, provider's fees, refunds and chargebacks.",
  trials: "Trials that ended in these days, and how many of them were followed by a payment.",
  renewals: "Paid periods that ended in these days, and how many of them were followed by a payment.",
  churn: "Paid periods that ended in these days and were followed by no payment: cancelled, paused, or the charge failed.",
  failed: "Plans whose charge failed in these days, and how many of them were paid after it.",
  cancelled: "Plans whose cancellation was reported in these days, requested or final.",
  refunded: "Payments of these days that were refunded at any time, in part or whole.",
  cohorts:
    "Plans by the month (UTC) of their first payment. Each cell: of the plans that are old enough, how many had a paid period that many months later.",
} as const;

const sums = v.object({
  gross: v.number(),
  tax: v.number(),
  fees: v.number(),
  refunds: v.number(),
  chargebacks: v.number(),
  net: v.number(),
  payments: v.number(),
  refunded: v.number(),
  /** Number of rows for which the provider has not reported tax or fee. */
  untold: v.number(),
});
export type Sums = v.InferOutput<typeof sums>;
const ofPeriods = v.object({ due: v.number(), paid: v.number() });
const counts = v.object({
  trials: ofPeriods,
  renewals: ofPeriods,
  failed: ofPeriods,
  cancelled: v.number(),
  refunded: v.object({ due: v.number(), paid: v.number() }),
});
export type Counts = v.InferOutput<typeof counts>;
const rate = v.object({ rate: v.string(), day: v.string(), source: v.string() });

const differenceSchema = v.object({
  id: v.string(),
  transactionId: v.string(),
  orderId: v.nullable(v.string()),
  kind: v.picklist(entryKinds),
  state: v.picklist(["differs", "missing here", "missing there"]),
  here: v.nullable(v.object({ amount: v.number(), currency: v.string() })),
  there: v.nullable(v.object({ amount: v.number(), currency: v.string() })),
  at: v.number(),
});
export const findingsSchema = v.object({
  agree: v.number(),
  differences: v.array(differenceSchema),
  prices: v.array(v.string()),
  /** Why the comparison failed; null when it succeeded. */
  problem: v.nullable(v.string()),
});
export type Findings = v.InferOutput<typeof findingsSchema>;
export type Difference = v.InferOutput<typeof differenceSchema>;

export const moneyCalls = {
  money: {
    method: "GET",
    role: "viewer",
    input: v.object({ ...filters, by: v.optional(v.picklist(breakdowns), "currency") }),
    output: v.object({
      base: v.string(),
      /** Day of the newest rate used; null when none was needed or known. */
      ratesDay: v.nullable(v.string()),
      ratesSource: v.nullable(v.string()),
      /** Currencies without a known rate. No total includes them. */
      withoutRate: v.array(v.string()),
      /** Sums of all currencies with a rate, in the base currency. */
      total: sums,
      counts,
      /** The period of the same length before. */
      before: v.object({ from: v.string(), to: v.string(), total: sums, counts }),
      days: v.array(v.object({ day: v.string(), sums })),
      /** In their own currency, and in the base currency where a rate is known. */
      groups: v.array(v.object({ key: v.string(), currency: v.string(), sums, rate: v.nullable(rate), inBase: v.nullable(sums) })),
      choices: v.object({ currencies: v.array(v.string()), products: v.array(v.string()), countries: v.array(v.string()) }),
      /** When the newest row was added; null without rows. */
      latest: v.nullable(v.number()),
    }),
    errors: [codes.invalidInput],
  },
  /** The rows behind a sum, the latest first. */
  moneyRows: {
    method: "GET",
    role: "viewer",
    input: v.object({
      ...filters,
      kind: v.optional(v.picklist(entryKinds)),
      after: v.optional(v.pipe(v.string(), v.regex(/^\d{1,15}\..{1,150}$/))),
      limit: v.optional(v.pipe(v.string(), v.regex(/^\d{1,4}$/), v.transform(Number), v.minValue(1), v.maxValue(1_000)), "100"),
    }),
    output: v.object({
      rows: v.array(
        v.object({
          id: v.string(),
          provider: v.string(),
          kind: v.picklist(entryKinds),
          transactionId: v.string(),
          orderId: v.nullable(v.string()),
          product: v.nullable(v.string()),
          country: v.nullable(v.string()),
          at: v.number(),
          day: v.string(),
          currency: v.string(),
          gross: v.number(),
          tax: v.nullable(v.number()),
          fee: v.nullable(v.number()),
          net: v.number(),
        }),
      ),
      next: v.nullable(v.string()),
    }),
    errors: [codes.invalidInput],
  },
  /** The plans whose charge failed, the latest first. */
  failedCharges: {
    method: "GET",
    role: "viewer",
    input: v.object(filters),
    output: v.object({
      /** Number of all such plans; only the latest are listed. */
      count: v.number(),
      rows: v.array(
        v.object({
          provider: v.string(),
          subscriptionId: v.string(),
          at: v.number(),
          product: v.nullable(v.string()),
          country: v.nullable(v.string()),
          /** Null until it is paid. */
          paidAt: v.nullable(v.number()),
          /** The account's id. Null for roles that may not see people, and when the account was erased. */
          person: v.nullable(v.string()),
        }),
      ),
    }),
    errors: [codes.invalidInput],
  },
  cohorts: {
    method: "GET",
    role: "viewer",
    input: v.object({
      months: v.optional(v.pipe(v.string(), v.regex(/^\d{1,2}$/), v.transform(Number), v.minValue(1), v.maxValue(24)), "6"),
    }),
    output: v.object({
      rows: v.array(
        v.object({
          month: v.string(),
          plans: v.number(),
          /** Index: months since the first payment. Null when no plan is old enough. */
          cells: v.array(v.nullable(v.object({ of: v.number(), kept: v.number() }))),
        }),
      ),
    }),
    errors: [codes.invalidInput],
  },
  reconciliation: {
    method: "GET",
    role: "viewer",
    input: v.object({}),
    output: v.array(
      v.object({
        provider,
        at: v.number(),
        since: v.number(),
        ...findingsSchema.entries,
        gross: v.array(v.object({ currency: v.string(), amount: v.number() })),
      }),
    ),
    errors: [],
  },
  /** Reconciles now instead of at the next full hour. */
  reconcile: {
    method: "POST",
    role: "support",
    input: v.object({ provider }),
    output: v.object({ agree: v.number(), differences: v.number(), problem: v.nullable(v.string()) }),
    errors: [codes.invalidInput],
  },
  /** Replaces our entries of a transaction with the provider's. */
  reconcileTake: {
    method: "POST",
    role: "support",
    input: v.object({
      provider,
      transactionId: v.pipe(v.string(), v.minLength(1), v.maxLength(150)),
      reason: v.pipe(v.string(), v.trim(), v.minLength(3, "validator_required"), v.maxLength(500, "validator_too_long")),
    }),
    output: v.object({ agrees: v.boolean() }),
    errors: [codes.invalidInput, codes.notFound],
  },
  rates: {
    method: "GET",
    role: "viewer",
    input: v.object({}),
    output: v.object({
      base: v.string(),
      rates: v.array(v.object({ currency: v.string(), day: v.string(), rate: v.string(), source: v.string() })),
    }),
    errors: [],
  },
  /** Imports lines of `day,currency,rate`, all or none. A rate is the price of one unit of the base currency in that currency. */
  ratesImport: {
    method: "POST",
    role: "admin",
    input: v.object({
      csv: v.pipe(v.string(), v.minLength(1, "validator_required"), v.maxLength(1_000_000, "validator_too_long")),
      source: v.pipe(v.string(), v.trim(), v.minLength(2, "validator_required"), v.maxLength(100, "validator_too_long")),
    }),
    output: v.object({ imported: v.number(), changed: v.number() }),
    errors: [codes.invalidInput],
  },
} as const satisfies StudioCalls;
