/** A subscription's later life: renewals, cards, pauses and the end. */
import type { ISubscriptionResponse, ITransactionResponse } from "@paddle/paddle-node-sdk";
import { PaddleProblem } from "../problem.ts";
import { type Books, withoutUrls } from "./books.ts";
import { behaviourOf, type CardInput, goodCard, isComplete } from "./cards.ts";
import { capture, decline } from "./payments.ts";
import { newId } from "./ids.ts";
import { periodEnd } from "./periods.ts";
import { createTransaction } from "./transactions.ts";

/** Plans a change for the end of the period. */
const scheduled = (books: Books, subscription: ISubscriptionResponse, action: "cancel" | "pause") =>
  books.change(
    subscription,
    { scheduled_change: { action, effective_at: subscription.current_billing_period?.ends_at ?? books.tick(), resume_at: null } },
    "subscription.updated",
  );

export function cancel(books: Books, id: string, immediately: boolean): ISubscriptionResponse {
  const subscription = books.getSubscription(id);
  if (subscription.status === "canceled") throw new PaddleProblem(400, "subscription_is_canceled_action_invalid", "already canceled");
  if (!immediately) return scheduled(books, subscription, "cancel");
  return books.change(
    subscription,
    { status: "canceled", canceled_at: books.tick(), next_billed_at: null, current_billing_period: null, scheduled_change: null },
    "subscription.canceled",
  );
}

export function pause(books: Books, id: string, immediately: boolean): ISubscriptionResponse {
  const subscription = books.getSubscription(id);
  if (!immediately) return scheduled(books, subscription, "pause");
  return books.change(
    subscription,
    { status: "paused", paused_at: books.tick(), next_billed_at: null, current_billing_period: null, scheduled_change: null },
    "subscription.paused",
  );
}

/** Pays a period's transaction, or leaves it past due. */
function collect(books: Books, transaction: ITransactionResponse, subscription: ISubscriptionResponse, ok: boolean): void {
  const card = books.storedCards.get(subscription.id) ?? goodCard;
  if (ok) {
    capture(books, transaction, card);
    if (subscription.status !== "active")
      books.change(
        subscription,
        { status: "active", first_billed_at: subscription.first_billed_at ?? transaction.billed_at ?? null },
        subscription.status === "paused" ? "subscription.resumed" : "subscription.activated",
      );
    else books.emit("subscription.updated", withoutUrls(subscription));
    return;
  }
  const failed = decline(books, transaction, card);
  books.emit("transaction.past_due", books.save(failed, { status: "past_due" }));
  books.change(subscription, { status: "past_due" }, "subscription.past_due");
}

/** The next billing date has come: charges the period, or applies the scheduled change. */
export function renew(books: Books, id: string): ISubscriptionResponse {
  const subscription = books.getSubscription(id);
  const due = subscription.scheduled_change?.effective_at ?? subscription.next_billed_at;
  if (due == null) throw new PaddleProblem(400, "subscription_not_active", `subscription is ${subscription.status}`);
  books.forwardTo(due);
  if (subscription.scheduled_change?.action === "cancel") return cancel(books, id, true);
  if (subscription.scheduled_change?.action === "pause") return pause(books, id, true);
  charge(books, subscription, due);
  return books.getSubscription(id);
}

/** Starts the next period and collects its price. */
function charge(books: Books, subscription: ISubscriptionResponse, from: string): void {
  const ends = periodEnd(from, subscription.billing_cycle.interval, subscription.billing_cycle.frequency);
  const next = {
    ...subscription,
    current_billing_period: { starts_at: from, ends_at: ends },
    next_billed_at: ends,
    updated_at: books.tick(),
  };
  books.subscriptions.put(next.id, next);
  const keepsDiscount = books.discounts.find((discount) => discount.id === subscription.discount?.id)?.recurring === true;
  const transaction = createTransaction(books, {
    items: next.items.map((item) => ({ priceId: item.price.id, quantity: item.quantity })),
    discountId: keepsDiscount ? (subscription.discount?.id ?? null) : null,
    customData: subscription.custom_data ?? null,
    origin: "subscription_recurring",
    subscription: next,
  });
  books.emit("transaction.billed", transaction);
  const card = books.storedCards.get(subscription.id);
  collect(books, transaction, next, card === undefined || behaviourOf(card.number) !== "renewal declined");
}

/** The buyer entered a new card, or the bank accepts now: pays what is past due. */
export function recover(books: Books, id: string, card: CardInput = goodCard): ISubscriptionResponse {
  const subscription = books.getSubscription(id);
  const open = books.transactions.all().findLast((transaction) => transaction.subscription_id === id && transaction.status === "past_due");
  if (open === undefined) throw new PaddleProblem(400, "subscription_not_past_due", "nothing is past due");
  books.storedCards.put(id, card);
  collect(books, open, subscription, behaviourOf(card.number) !== "declined");
  return books.getSubscription(id);
}

/** Cancels the scheduled change. */
export const keep = (books: Books, id: string) =>
  books.change(books.getSubscription(id), { scheduled_change: null }, "subscription.updated");

/** The transaction whose checkout changes the card: the one that is past due, else one without an amount, which is not stored here. */
export function cardTransaction(books: Books, id: string): ITransactionResponse {
  const { status, management_urls: urls } = books.getSubscription(id);
  const own = books.transactions.all().filter((transaction) => transaction.subscription_id === id);
  const open = own.findLast((transaction) => transaction.status === "past_due");
  const [first] = own;
  if (first === undefined || status === "canceled") throw new PaddleProblem(400, "subscription_is_canceled_action_invalid", "canceled");
  return { ...(open ?? { ...first, id: newId("txn"), status: "ready" }), checkout: { url: urls?.update_payment_method ?? null } };
}

/** The buyer entered another card; it pays what is past due. */
export function replaceCard(books: Books, id: string, card: CardInput): ISubscriptionResponse {
  const subscription = books.getSubscription(id);
  if (!isComplete(card, books.now()) || behaviourOf(card.number) === undefined)
    throw new PaddleProblem(400, "invalid_payment_details", "the card is not valid");
  if (subscription.status === "past_due") return recover(books, id, card);
  books.storedCards.put(id, card);
  return subscription;
}

export function resume(books: Books, id: string): ISubscriptionResponse {
  const subscription = books.getSubscription(id);
  if (subscription.status !== "paused") return books.change(subscription, { scheduled_change: null }, "subscription.updated");
  charge(books, { ...subscription, paused_at: null }, books.tick());
  return books.getSubscription(id);
}
