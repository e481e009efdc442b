/** A subscription that begins with its first payment, or with a free trial. */
import type { ISubscriptionResponse, ITransactionResponse } from "@paddle/paddle-node-sdk";
import { type Books, withoutUrls } from "./books.ts";
import type { CardInput } from "./cards.ts";
import { newId } from "./ids.ts";
import { periodEnd } from "./periods.ts";
import { productEntity } from "./prices.ts";

interface Beginning {
  readonly id: string;
  readonly manageUrl: string;
  readonly cycle: ISubscriptionResponse["billing_cycle"];
  readonly isTrial: boolean;
  readonly period: NonNullable<ISubscriptionResponse["current_billing_period"]>;
}

function subscriptionEntity(
  transaction: ITransactionResponse,
  { id, manageUrl, cycle, isTrial, period }: Beginning,
): ISubscriptionResponse {
  const { starts_at: at, ends_at: ends } = period;
  return {
    id,
    status: isTrial ? "trialing" : "active",
    customer_id: transaction.customer_id ?? "",
    address_id: transaction.address_id ?? "",
    business_id: null,
    currency_code: transaction.currency_code,
    created_at: at,
    updated_at: at,
    started_at: at,
    first_billed_at: isTrial ? null : at,
    next_billed_at: ends,
    paused_at: null,
    canceled_at: null,
    discount: transaction.discount_id ? { id: transaction.discount_id, starts_at: at, ends_at: null } : null,
    collection_mode: "automatic",
    billing_details: null,
    current_billing_period: period,
    billing_cycle: cycle,
    scheduled_change: null,
    management_urls: { update_payment_method: manageUrl, cancel: manageUrl },
    items: transaction.items.flatMap((item) =>
      item.price?.billing_cycle == null
        ? []
        : [
            {
              status: isTrial ? ("trialing" as const) : ("active" as const),
              quantity: item.quantity,
              recurring: true,
              created_at: at,
              updated_at: at,
              previously_billed_at: isTrial ? null : at,
              next_billed_at: ends,
              trial_dates: isTrial ? period : null,
              price: item.price,
              product: productEntity(),
            },
          ],
    ),
    custom_data: transaction.custom_data ?? null,
  };
}

/** Starts a subscription if a price recurs and this payment belongs to none yet. */
export function startSubscription(books: Books, transaction: ITransactionResponse, card: CardInput, at: string): ITransactionResponse {
  const price = transaction.items.find((item) => item.price?.billing_cycle != null)?.price;
  if (transaction.subscription_id != null || price?.billing_cycle == null) return transaction;
  const { trial_period: trial, billing_cycle: cycle } = price;
  const { interval, frequency } = trial ?? cycle;
  const period = { starts_at: at, ends_at: periodEnd(at, interval, frequency) };
  const id = newId("sub");
  const subscription = subscriptionEntity(transaction, { id, manageUrl: books.manageUrl(id), cycle, isTrial: trial != null, period });
  books.subscriptions.put(id, subscription);
  books.storedCards.put(id, card);
  const next = books.save(transaction, { subscription_id: id, billing_period: period });
  books.emit("subscription.created", { ...withoutUrls(subscription), transaction_id: next.id });
  books.emit(trial ? "subscription.trialing" : "subscription.activated", withoutUrls(subscription));
  return next;
}
