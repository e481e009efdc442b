/** What each change of a fact means to the plan's owner. */
import { describe, expect, it } from "vitest";
import { type Change, newsOf, type PlanNews } from "./planNews.ts";
import type { AdjustmentFact, Fact, SubscriptionFact, TransactionFact } from "./provider.ts";

const subscription = (status: SubscriptionFact["status"], action?: "cancel" | "pause" | "resume"): SubscriptionFact => ({
  kind: "subscription",
  id: "sub",
  status,
  transactionId: "first",
  end: 50,
  trialing: false,
  nextCharge: 40,
  change: action === undefined ? null : { action, at: 30 },
});
const payment = (id: string, billedAt: number, fact: Partial<TransactionFact> = {}): TransactionFact => ({
  kind: "transaction",
  id,
  status: "completed",
  items: [],
  subscriptionId: "sub",
  orderId: null,
  total: 1_000,
  tax: 138,
  currency: "MXN",
  forPeriod: true,
  billedAt,
  periodEnd: 60,
  ...fact,
});
const everything = new Set(["first", "second", "third"]);
const order = { transactionId: "first", trialDays: 7 };

describe("a subscription", () => {
  const active = subscription("active");
  const ending = subscription("active", "cancel");
  const pausing = subscription("active", "pause");
  const [overdue, paused, ended] = [subscription("past_due"), subscription("paused"), subscription("canceled")];

  it.each<[string, SubscriptionFact | null, SubscriptionFact, PlanNews | null]>([
    ["that is known first", null, ended, null],
    ["that did not change", active, active, null],
    ["that was ended", active, ended, { news: "cancelled", at: null }],
    ["that was ended while paused", paused, ended, { news: "cancelled", at: null }],
    ["that had ended before", ended, ended, null],
    ["that ends as planned", { ...ending, change: { action: "cancel", at: 50 } }, ended, null],
    [
      "that ends before the planned day",
      { ...ending, change: { action: "cancel", at: 50 + 24 * 60 * 60 * 1000 } },
      ended,
      { news: "cancelled", at: null, sooner: true },
    ],
    ["that was never paid", overdue, ended, { news: "unpaid" }],
    ["that ends as planned without a payment", subscription("past_due", "cancel"), ended, null],
    ["that was paused", active, paused, { news: "paused" }],
    ["that was paused before", paused, paused, null],
    ["that pauses as planned", pausing, paused, null],
    ["that will end", active, ending, { news: "cancelled", at: 30 }],
    ["that will end instead of pausing", pausing, ending, { news: "cancelled", at: 30 }],
    ["that would end before, too", ending, ending, null],
    ["that will pause", active, pausing, { news: "pausing", at: 30 }],
    ["that will pause instead of ending", ending, pausing, { news: "pausing", at: 30 }],
    ["that would pause before, too", pausing, pausing, null],
    ["whose charge failed", active, overdue, { news: "failed" }],
    ["whose charge had failed before", overdue, overdue, null],
    ["whose charge failed after a pause", paused, overdue, { news: "failed" }],
    ["that was paid after all, which the payment says", overdue, active, null],
    ["that goes on after a pause", paused, active, { news: "resumed", next: 40 }],
    ["that goes on after a pause as planned", subscription("paused", "resume"), active, { news: "resumed", next: 40 }],
    ["that does not end after all", ending, active, { news: "kept", next: 40 }],
    ["that does not pause after all", pausing, active, { news: "kept", next: 40 }],
    ["whose end of a pause is no longer planned", subscription("active", "resume"), active, null],
    ["that would have ended, and now resumes later", ending, subscription("active", "resume"), null],
  ])("%s", (_, before, after, news) => {
    expect(newsOf({ before, after }, order, [after], everything, [{ before, after }])).toEqual(news);
  });
});

describe("a payment", () => {
  const [first, second, third] = [payment("first", 1), payment("second", 2), payment("third", 3)];
  const news = (word: PlanNews["news"], tax: number | null = 138): PlanNews => ({ news: word, money: { total: 1_000, tax }, next: 60 });
  const open = (fact: TransactionFact): Change => ({ before: { ...fact, status: "open" }, after: fact });
  const made = (fact: TransactionFact): Change => ({ before: null, after: fact });
  const again = (fact: TransactionFact): Change => ({ before: fact, after: fact });

  it.each<[string, Change, readonly Fact[], readonly Change[], PlanNews | null]>([
    ["that began the order has a receipt", made(first), [first], [], null],
    ["after the trial begins the plan", made(second), [first, second], [], news("begun")],
    ["that was open before, too", open(second), [first, second], [], news("begun")],
    ["after another one renews it", made(third), [first, second, third], [], news("renewed")],
    ["that was told before", again(second), [first, second], [], null],
    ["that is not made", made({ ...second, status: "open" }), [first], [], null],
    ["that is not what the order costs", made(payment("other", 2)), [first, payment("other", 2)], [], null],
    ["told with a later one begins the plan", made(second), [first, second, third], [made(third)], news("begun")],
    ["told with a later one that was open begins it, too", made(second), [first, second, third], [open(third)], news("begun")],
    ["told with an earlier one renews the plan", made(third), [first, second, third], [made(second)], news("renewed")],
    [
      "told with one of the same moment renews the plan",
      made(second),
      [first, second, payment("third", 2)],
      [made(payment("third", 2))],
      news("renewed"),
    ],
    ["told after a later one renews the plan", made(second), [first, second, third], [], news("renewed")],
    ["told with a later one that was known renews the plan", made(second), [first, second, third], [again(third)], news("renewed")],
    ["beside one that does not count begins the plan", made(second), [first, second, payment("other", 1)], [], news("begun")],
    ["after a failed charge", made(second), [first, second, subscription("past_due")], [], news("recovered")],
    [
      "told with the end of the failure",
      made(second),
      [first, second, subscription("active")],
      [{ before: subscription("past_due"), after: subscription("active") }],
      news("recovered"),
    ],
    ["whose tax is not known", made({ ...second, taxUntold: true }), [first, second], [], news("begun", null)],
    ["whose tax is known", made({ ...second, taxUntold: false }), [first, second], [], news("begun")],
  ])("%s", (_, change, known, others, told) => {
    expect(newsOf(change, order, known, everything, [change, ...others])).toEqual(told);
  });

  it("without a trial before it renews the plan", () => {
    expect(newsOf(made(second), { ...order, trialDays: 0 }, [first, second], everything, [made(second)])).toEqual(news("renewed"));
  });
});

describe("an adjustment", () => {
  const paid = [payment("another", 1, { total: 7 }), payment("first", 1)];
  const refund = (fact: Partial<AdjustmentFact> = {}): AdjustmentFact => ({
    kind: "adjustment",
    id: "adj",
    transactionId: "first",
    subscriptionId: null,
    action: "refund",
    full: true,
    approved: true,
    total: null,
    at: null,
    ...fact,
  });
  const news = (word: PlanNews["news"], total: number | null): PlanNews => ({ news: word, money: { total, tax: null } });

  it.each<[string, AdjustmentFact | null, AdjustmentFact, PlanNews | null]>([
    ["of everything is of the payment's amount", null, refund(), news("refunded", 1_000)],
    ["of everything is of its own amount", null, refund({ total: 999 }), news("refunded", 999)],
    ["of everything of an unknown payment", null, refund({ transactionId: "unknown" }), news("refunded", null)],
    ["of a part is of its amount", null, refund({ full: false, total: 5 }), news("partRefunded", 5)],
    ["of a part of an unknown amount", null, refund({ full: false }), news("partRefunded", null)],
    ["that waits for approval", null, refund({ approved: false }), null],
    ["that was approved", refund({ approved: false }), refund(), news("refunded", 1_000)],
    ["that had been approved before", refund(), refund(), null],
    ["by the buyer's bank", null, refund({ action: "chargeback" }), null],
  ])("%s", (_, before, after, told) => {
    expect(newsOf({ before, after }, order, [...paid, after], everything, [])).toEqual(told);
  });
});

it("granted days are no news", () => {
  const gift = { kind: "gift", id: "gift-1", transactionId: "first", subscriptionId: null, days: 3, at: 1 } as const;
  expect(newsOf({ before: null, after: gift }, order, [gift], everything, [])).toBeNull();
});
