/** The entitlement of an order, from every kind of fact (spec 001 §3, §4). */
import type { Product } from "#core/products.ts";
import { dayIn } from "#core/questionnaire/calendar.ts";
import { termsOf } from "#core/terms.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Because,
  type EntitlementState,
  entitlementNow,
  entitlementStatusOf,
  explainedOutcome,
  isUsable,
  isWhatItCosts,
  type OrderOutcome,
  type OrderTerms,
  outcomeOf,
  paymentsFor,
} from "./entitlement.ts";
import type { AdjustmentFact, Fact, GiftFact, SubscriptionFact, TransactionFact } from "./provider.ts";

const at = (day: string) => Date.parse(`${day}T10:20:30Z`);
const dayMs = 86_400_000;
const start = at("2026-11-20");

/** An order with its possible prices. */
interface Ordered extends OrderTerms {
  readonly prices: readonly number[];
}
const order = (terms: Partial<Ordered> = {}): Ordered => ({
  productType: "subscription",
  productPlan: "1M",
  trialDays: 0,
  priceId: "price",
  quantity: 1,
  transactionId: "first",
  currency: "EUR",
  prices: [100, 50],
  ...terms,
});
const transaction = (fact: Partial<TransactionFact> = {}): TransactionFact => ({
  kind: "transaction",
  id: "first",
  status: "completed",
  items: [{ priceId: "price", quantity: 1 }],
  subscriptionId: "subscription",
  orderId: null,
  total: 100,
  tax: 0,
  currency: "EUR",
  forPeriod: true,
  billedAt: start,
  periodEnd: null,
  ...fact,
});
const trialStart = transaction({ total: 0 });
const renewal = (fact: Partial<TransactionFact> = {}) => transaction({ id: "renewal", billedAt: at("2026-12-20"), ...fact });
const subscription = (fact: Partial<SubscriptionFact> = {}): SubscriptionFact => ({
  kind: "subscription",
  id: "subscription",
  status: "active",
  transactionId: "first",
  end: at("2027-05-05"),
  trialing: false,
  nextCharge: null,
  change: null,
  ...fact,
});
const adjustment = (action: AdjustmentFact["action"], fact: Partial<AdjustmentFact> = {}): AdjustmentFact => ({
  kind: "adjustment",
  id: `${action} ${JSON.stringify(fact)}`,
  transactionId: "first",
  subscriptionId: null,
  action,
  full: true,
  approved: true,
  total: null,
  at: null,
  ...fact,
});

/** Judges each payment by the order's prices. */
const verdictsOn = (terms: Ordered, facts: readonly Fact[]) =>
  new Map(paymentsFor(terms, facts).map((payment) => [payment.id, isWhatItCosts(terms, terms.prices, payment)] as const));
const outcomeOfOrder = (terms: Ordered, facts: readonly Fact[], now?: number): OrderOutcome =>
  outcomeOf(terms, facts, verdictsOn(terms, facts), now);

/** The end of the paid period, or a word for why nothing is granted. */
function endOf(terms: Ordered, ...facts: readonly Fact[]): string {
  const { status, entitlement } = outcomeOfOrder(terms, facts);
  if (status !== "completed" || entitlement === null) return `${status} ${entitlement?.status ?? "without"}`;
  return `${entitlement.status} ${entitlement.end === null ? "without end" : new Date(entitlement.end).toISOString().slice(0, 10)}`;
}

describe("an order", () => {
  it.each([
    ["nobody has paid", []],
    ["has an open transaction", [transaction({ status: "open" })]],
    ["has one past due", [transaction({ status: "past_due" })]],
    ["has a subscription and no transaction", [subscription()]],
    ["has another's transaction", [transaction({ id: "another" })]],
  ])("that %s is pending", (_, facts) => {
    expect(outcomeOfOrder(order(), facts)).toEqual({ status: "pending", entitlement: null, mismatches: [] });
  });

  it("whose transaction was canceled is cancelled, and one without a transaction is pending whatever else is paid", () => {
    expect(outcomeOfOrder(order(), [transaction({ status: "canceled" })])).toEqual({
      status: "cancelled",
      entitlement: null,
      mismatches: [],
    });
    expect(outcomeOfOrder(order({ transactionId: null }), [transaction()])).toEqual({
      status: "pending",
      entitlement: null,
      mismatches: [],
    });
  });

  it.each([
    ["another price", [{ priceId: "cheaper", quantity: 1 }]],
    ["another quantity", [{ priceId: "price", quantity: 2 }]],
    ["nothing", []],
  ])("whose transaction bought %s has failed", (_, items) => {
    const first = transaction({ items });
    expect(outcomeOfOrder(order(), [first])).toEqual({ status: "failed", entitlement: null, mismatches: [first] });
  });

  it("is paid by a transaction that also contains other items", () => {
    const items = [
      { priceId: "other", quantity: 3 },
      { priceId: "price", quantity: 1 },
    ];
    expect(outcomeOfOrder(order(), [transaction({ items })]).status).toBe("completed");
  });
});

describe("the amount paid must be what the order costs:", () => {
  const failed = (fact: Partial<TransactionFact>, terms: Partial<Ordered> = {}) => {
    const first = transaction(fact);
    expect(outcomeOfOrder(order(terms), [first])).toEqual({ status: "failed", entitlement: null, mismatches: [first] });
  };
  const agrees = (fact: Partial<TransactionFact>, terms: Partial<Ordered> = {}) => {
    expect(outcomeOfOrder(order(terms), [transaction(fact)])).toMatchObject({ status: "completed", mismatches: [] });
  };

  it.each([0, 1, 2, 48, 52, 98, 102, 200])("a payment of %i for an order of 100 is refused", (total) => failed({ total }));

  it("in the order's currency", () => {
    failed({ currency: "ARS" });
    failed({ currency: "" });
    failed({ currency: "ARS", total: 0 }, { trialDays: 7 });
  });

  it("or a coupon's price, give or take the provider's rounding", () => {
    for (const total of [49, 50, 51, 99, 100, 101]) agrees({ total });
  });

  it("never almost nothing, however little the order costs", () => {
    failed({ total: 1 }, { prices: [1] });
    failed({ total: 0 }, { prices: [0] });
    agrees({ total: 2 }, { prices: [2] });
  });

  it("with tax included or on top", () => {
    agrees({ total: 100, tax: 16 });
    agrees({ total: 116, tax: 16 });
    failed({ total: 116, tax: 10 });
    failed({ total: 84, tax: 16 });
  });

  it("with any possible tax on top when the tax is unknown", () => {
    const untold = { tax: 0, taxUntold: true };
    for (const total of [49, 50, 65, 99, 100, 116, 130]) agrees({ ...untold, total });
    for (const total of [0, 1, 48, 66, 98, 131]) failed({ ...untold, total });
    failed({ tax: 0, taxUntold: false, total: 116 });
  });

  it("in the ordered quantity", () => {
    const twice = { items: [{ priceId: "price", quantity: 2 }] };
    agrees({ ...twice, total: 200 }, { quantity: 2 });
    failed({ ...twice, total: 100 }, { quantity: 2, prices: [100] });
  });

  it("nothing for a free trial, and only for that", () => {
    agrees({ total: 0 }, { trialDays: 7 });
    failed({ total: 100 }, { trialDays: 7 });
    failed({ total: 1 }, { trialDays: 7 });
  });

  it("unless an earlier release stored it without a currency", () => {
    agrees({ currency: null, total: 0 });
  });

  it("for a renewal too: another amount does not extend the plan, and is reported", () => {
    const [first, right, wrong] = [transaction(), renewal(), renewal({ id: "wrong", total: 0, billedAt: at("2027-01-20") })];
    const outcome = (...facts: readonly Fact[]) => outcomeOfOrder(order(), facts);
    expect(outcome(first, right, wrong, subscription())).toEqual({
      status: "completed",
      entitlement: { status: "active", end: at("2027-01-20") },
      mismatches: [wrong],
    });
    const earlier = { ...wrong, billedAt: at("2026-12-01") };
    expect(outcome(first, right, earlier, subscription())).toMatchObject({ entitlement: { end: at("2027-05-05") }, mismatches: [earlier] });
    const atOnce = { ...wrong, billedAt: right.billedAt };
    expect(outcome(first, right, atOnce, subscription())).toMatchObject({ entitlement: { end: at("2027-05-05") }, mismatches: [atOnce] });
    expect(outcome(first, right, wrong, subscription({ end: at("2026-12-24") }))).toMatchObject({ entitlement: { end: at("2026-12-24") } });
  });

  it("for the order's own payment whatever it contains, and for a later one if it contains the ordered product", () => {
    const items = [{ priceId: "another", quantity: 1 }];
    const first = transaction({ items, forPeriod: false });
    const later = renewal();
    expect(paymentsFor(order(), [subscription(), first, renewal({ items }), later, renewal({ status: "open" })])).toEqual([first, later]);
  });

  it("and a zero charge for changing the card is no renewal", () => {
    const card = renewal({ total: 0, forPeriod: false });
    expect(outcomeOfOrder(order(), [transaction(), card, subscription()])).toEqual({
      status: "completed",
      entitlement: { status: "active", end: at("2027-05-05") },
      mismatches: [],
    });
  });
});

describe("the paid period ends", () => {
  it.each([
    ["1M", "2026-11-20", "2026-12-20"],
    ["2W", "2026-11-20", "2026-12-04"],
    ["6M", "2026-11-20", "2027-05-20"],
    ["1M", "2027-01-31", "2027-02-28"],
    ["1M", "2028-01-31", "2028-02-29"],
    ["3M", "2026-11-30", "2027-02-28"],
    ["1M", "2026-12-01", "2027-01-01"],
    ["12M", "2028-02-29", "2029-02-28"],
  ])("%s after %s on %s, to the second", (productPlan, from, to) => {
    const { entitlement } = outcomeOfOrder(order({ productType: "onetime", productPlan }), [transaction({ billedAt: at(from) })]);
    expect(entitlement).toEqual({ status: "active", end: at(to) });
  });

  it("with the trial first, and with the plan after the first renewal", () => {
    const terms = order({ trialDays: 7, productPlan: "3M" });
    expect(endOf(terms, trialStart)).toBe("active 2026-11-27");
    expect(endOf(terms, trialStart, renewal({ billedAt: at("2026-11-27") }))).toBe("active 2027-02-27");
  });

  it("when the provider says so", () => {
    expect(endOf(order({ trialDays: 7 }), transaction({ total: 0, periodEnd: at("2026-12-24") }))).toBe("active 2026-12-24");
  });

  it("with the latest payment's, in whatever order the payments are reported", () => {
    const later = renewal({ id: "later", billedAt: at("2027-01-20") });
    const [first, second] = [transaction(), renewal()];
    for (const facts of [
      [first, second, later],
      [later, second, first],
      [second, later, first],
    ])
      expect(endOf(order(), ...facts)).toBe("active 2027-02-20");
  });

  it.each([
    ["is open", renewal({ status: "open" })],
    ["is past due", renewal({ status: "past_due" })],
    ["is for another price", renewal({ items: [{ priceId: "cheaper", quantity: 1 }] })],
    ["has no time", renewal({ billedAt: null, periodEnd: at("2030-01-01") })],
    ["has the first one's time", renewal({ billedAt: start, periodEnd: at("2030-01-01") })],
  ])("by the first one when a renewal %s", (_, second) => {
    expect(endOf(order(), transaction(), second)).toBe("active 2026-12-20");
  });

  it("counted from 1970 when no time is reported", () => {
    expect(endOf(order(), transaction({ billedAt: null }))).toBe("active 1970-02-01");
    expect(endOf(order(), transaction({ billedAt: null }), renewal())).toBe("active 2027-01-20");
  });
});

describe("a refund or chargeback", () => {
  const after = (...adjustments: readonly AdjustmentFact[]) => endOf(order({ productType: "onetime" }), transaction(), ...adjustments);
  const kept = "active 2026-12-20";
  const taken = "deleted 2026-12-20";

  it("ends the entitlement, and a reversal restores it", () => {
    expect(after(adjustment("refund"))).toBe(taken);
    expect(after(adjustment("chargeback"))).toBe(taken);
    expect(after(adjustment("chargeback"), adjustment("chargeback_reverse"))).toBe(kept);
    expect(after(adjustment("chargeback"), adjustment("chargeback", { id: "again" }), adjustment("chargeback_reverse"))).toBe(taken);
    expect(after(adjustment("refund"), adjustment("refund", { full: false }))).toBe(taken);
  });

  it("ends the entitlement at its own time, but never later than it would have ended", () => {
    const [early, late] = [at("2026-11-25"), at("2027-01-05")];
    expect(after(adjustment("refund", { at: early }))).toBe("deleted 2026-11-25");
    expect(after(adjustment("refund", { at: late }))).toBe(taken);
    const [first, last] = [adjustment("chargeback", { at: early }), adjustment("chargeback", { id: "again", at: early + 86_400_000 })];
    expect(after(first)).toBe("deleted 2026-11-25");
    for (const both of [
      [first, last],
      [last, first],
    ])
      expect(after(...both)).toBe("deleted 2026-11-26");
    expect(after(last, adjustment("refund", { at: early }))).toBe("deleted 2026-11-25");
  });

  it("ends the entitlement when partial refunds add up to the whole payment", () => {
    const part = (total: number, fact: Partial<AdjustmentFact> = {}) => adjustment("refund", { full: false, total, ...fact });
    expect(after(part(100))).toBe(taken);
    expect(after(part(60), part(40))).toBe(taken);
    expect(after(part(60), part(39))).toBe(taken);
    expect(after(part(60), part(38))).toBe(kept);
    expect(after(part(60), part(40, { approved: false }))).toBe(kept);
    expect(after(part(60), part(40, { transactionId: "another" }))).toBe(kept);
    expect(after(part(60), adjustment("other", { full: false, total: 40 }))).toBe(kept);
    expect(endOf(order({ trialDays: 7 }), trialStart, part(0))).toBe("active 2026-11-27");
  });

  it.each([
    ["a part of it", adjustment("refund", { full: false })],
    ["what is not approved", adjustment("refund", { approved: false })],
    ["a chargeback that is not approved", adjustment("chargeback", { approved: false })],
    ["another transaction's", adjustment("refund", { transactionId: "another" })],
    ["a reversal alone", adjustment("chargeback_reverse")],
    ["something else", adjustment("other")],
  ])("leaves it when it is %s", (_, one) => {
    expect(after(one)).toBe(kept);
  });

  it("of a subscription counts if it is of the latest payment", () => {
    const facts = [transaction(), renewal(), subscription()];
    expect(endOf(order(), ...facts, adjustment("refund"))).toBe("active 2027-05-05");
    expect(endOf(order(), ...facts, adjustment("refund", { transactionId: "renewal" }))).toBe("deleted 2027-01-20");
  });
});

describe("a subscription", () => {
  it.each([
    ["active", "active 2027-05-05"],
    ["paused", "paused 2027-05-05"],
    ["canceled", "deleted 2027-05-05"],
  ] as const)("that is %s gives its status and its end", (status, said) => {
    expect(endOf(order(), transaction(), subscription({ status }))).toBe(said);
  });

  it("that is past due ends a week after the paid period, or with the trial if nothing was paid, however long its unpaid period is", () => {
    expect(endOf(order(), transaction(), subscription({ status: "past_due" }))).toBe("past_due 2026-12-27");
    expect(endOf(order(), transaction(), renewal(), subscription({ status: "past_due" }))).toBe("past_due 2027-01-27");
    expect(endOf(order({ trialDays: 7 }), transaction({ total: 0 }), subscription({ status: "past_due" }))).toBe("past_due 2026-11-27");
    expect(endOf(order(), transaction(), subscription({ status: "past_due", end: Date.parse("2026-12-21") }))).toBe("past_due 2026-12-21");
  });

  it("without an end of its own ends with the paid period, and does not affect one-time purchases", () => {
    expect(endOf(order(), transaction(), subscription({ end: null, status: "past_due" }))).toBe("past_due 2026-12-20");
    expect(endOf(order({ productType: "onetime" }), transaction(), subscription({ status: "paused" }))).toBe("active 2026-12-20");
    expect(endOf(order(), transaction())).toBe("active 2026-12-20");
  });
});

describe("granted days", () => {
  const gift = (days: number, given: string): GiftFact => ({
    kind: "gift",
    id: `gift-${days}`,
    transactionId: "first",
    subscriptionId: null,
    days,
    at: at(given),
  });
  const paid = [transaction(), subscription({ end: at("2026-12-20") })];
  const refunded = [transaction(), adjustment("refund", { at: at("2026-11-25") })];

  it.each<[string, readonly Fact[], string, string]>([
    ["follow the paid period", [...paid, gift(10, "2026-11-25")], "2026-11-25", "active 2026-12-30"],
    ["follow each other in time", [...paid, gift(3, "2027-02-01"), gift(10, "2026-11-25")], "2027-02-01", "active 2027-02-04"],
    ["begin when they are granted after the end", [...refunded, gift(10, "2026-12-01")], "2026-12-11", "deleted 2026-12-11"],
    ["entitle until then", [...refunded, gift(10, "2026-12-01")], "2026-12-10", "active 2026-12-11"],
    [
      "make no plan paid",
      [transaction(), subscription({ status: "past_due" }), gift(1, "2026-11-25")],
      "2026-11-25",
      "past_due 2026-12-28",
    ],
    ["wait during a pause", [transaction(), subscription({ status: "paused" }), gift(9, "2026-11-25")], "2026-11-25", "paused 2027-05-05"],
  ])("%s", (_, facts, now, said) => {
    const { entitlement } = outcomeOfOrder(order(), facts, at(now));
    expect(`${entitlement?.status} ${new Date(entitlement?.end ?? 0).toISOString().slice(0, 10)}`).toBe(said);
  });
});

describe("the reason for an outcome", () => {
  const first = transaction();
  const open = transaction({ status: "open" });
  const canceled = transaction({ status: "canceled" });
  const wrong = transaction({ total: 7 });
  const short = renewal({ id: "short", total: 7, billedAt: at("2026-12-20") });
  const month = at("2026-12-20");
  const planEnd = at("2027-05-05");

  it.each<[string, Because, readonly Fact[], Partial<Ordered>?]>([
    ["nothing paid", { kind: "unpaid", payment: null }, []],
    ["an open payment", { kind: "unpaid", payment: open }, [open]],
    ["a checkout that was left", { kind: "given up", payment: canceled }, [canceled]],
    ["another amount", { kind: "mismatch", payment: wrong }, [wrong]],
    ["a refund", { kind: "taken back", payment: first, until: at("2026-11-25") }, [first, adjustment("refund", { at: at("2026-11-25") })]],
    ["a purchase", { kind: "paid", payment: first, until: month, short: false }, [first], { productType: "onetime" }],
    ["a trial", { kind: "trial", payment: trialStart, until: at("2026-11-27"), short: false }, [trialStart], { trialDays: 7 }],
    ["a plan", { kind: "paid", payment: first, until: planEnd, short: false }, [first, subscription()]],
    ["a renewal for too little", { kind: "paid", payment: first, until: month, short: true }, [first, short, subscription()]],
    ["a failed charge", { kind: "overdue", payment: first, until: at("2026-12-27") }, [first, subscription({ status: "past_due" })]],
    ["a pause", { kind: "paused", payment: first, until: planEnd }, [first, subscription({ status: "paused" })]],
    ["the end of a plan", { kind: "ended", payment: first, until: planEnd }, [first, subscription({ status: "canceled" })]],
  ])("is %s", (_, because, facts, terms = {}) => {
    const ordered = order(terms);
    expect(explainedOutcome(ordered, facts, verdictsOn(ordered, facts)).because).toEqual(because);
  });
});

describe("the entitlement at a given time", () => {
  const state = (status: EntitlementState["status"], end: number | null = start): EntitlementState => ({ status, end });
  const statusAt = (status: EntitlementState["status"], productType: string, now: number) =>
    entitlementNow(state(status), productType, now);

  it("a one-time purchase is over at its end, a subscription three days later", () => {
    expect(statusAt("active", "onetime", start - 1)).toEqual(state("active"));
    expect(statusAt("active", "onetime", start)).toEqual(state("deleted"));
    for (const status of ["active", "past_due"] as const) {
      expect(statusAt(status, "subscription", start + 3 * dayMs - 1)).toEqual(state(status));
      expect(statusAt(status, "subscription", start + 3 * dayMs)).toEqual(state("deleted"));
    }
  });

  it("a paused and an ended one do not change, and one without an end does not end", () => {
    for (const word of ["paused", "deleted"] as const) expect(statusAt(word, "subscription", start + 99 * dayMs)).toEqual(state(word));
    expect(entitlementNow(state("active", null), "subscription", start)).toEqual(state("active", null));
  });

  it("active and past due ones are usable unless they have no end", () => {
    const words = ["active", "past_due", "paused", "deleted"] as const;
    expect(words.map((word) => isUsable(state(word)))).toEqual([true, true, false, false]);
    expect(words.map((word) => isUsable(state(word, null)))).toEqual([false, false, false, false]);
  });

  it("a stored status is one of four words", () => {
    for (const word of ["active", "past_due", "paused", "deleted"]) expect(entitlementStatusOf(word)).toBe(word);
    expect(entitlementStatusOf("canceled")).toBeNull();
  });
});

describe("the day of the next charge", () => {
  const zones = [
    "America/Mexico_City",
    "America/Argentina/Buenos_Aires",
    "America/Sao_Paulo",
    "America/New_York",
    "Europe/Berlin",
    "Europe/Madrid",
    "Atlantic/Canary",
    "Australia/Lord_Howe",
    "Pacific/Kiritimati",
    "Pacific/Pago_Pago",
    "UTC",
  ];
  const offered: Product = {
    productId: "p",
    productType: "subscription",
    productPlan: "1M",
    currency: "EUR",
    price: 100,
    listPrice: 100,
    frequency: 1,
    trialDays: 0,
    paymentProvider: "paddlebilling",
  };
  /** Any minute, often one around midnight at the end of a month. */
  const times = fc.oneof(
    fc.date({ min: new Date("2024-01-01"), max: new Date("2036-01-01"), noInvalidDate: true }).map((date) => date.getTime()),
    fc
      .tuple(fc.integer({ min: 2024, max: 2035 }), fc.integer({ min: 0, max: 11 }), fc.integer({ min: -26 * 60, max: 14 * 60 }))
      .map(([year, month, minutes]) => Date.UTC(year, month + 1, 1) + minutes * 60_000),
  );

  it("is the same on the offer and after the purchase, in every time zone, across daylight saving and at the ends of months", () => {
    fc.assert(
      fc.property(
        times,
        fc.constantFrom(...zones),
        fc.constantFrom("1W", "2W", "1M", "3M", "6M", "12M"),
        fc.constantFrom(0, 3, 7, 14),
        (now, timeZone, productPlan, trialDays) => {
          const once = outcomeOfOrder(order({ productType: "onetime", productPlan, trialDays: 0 }), [transaction({ billedAt: now })]);
          expect(termsOf({ ...offered, productType: "onetime", productPlan }, { now, timeZone }).end).toBe(
            once.entitlement && dayIn(once.entitlement.end, timeZone),
          );
          const paid = transaction({ billedAt: now, total: trialDays > 0 ? 0 : 100 });
          const { entitlement } = outcomeOfOrder(order({ productPlan, trialDays }), [paid]);
          const { nextCharge } = termsOf({ ...offered, productPlan, trialDays }, { now, timeZone });
          expect(nextCharge).toBe(entitlement && dayIn(entitlement.end, timeZone));
        },
      ),
      { numRuns: 500 },
    );
  });
});
