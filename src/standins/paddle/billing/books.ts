/** What Paddle Billing stores between calls, its clock, and the reporting of changes. */
import type {
  IAdjustmentNotificationResponse,
  IEventsResponse,
  ISubscriptionResponse,
  ITransactionResponse,
} from "@paddle/paddle-node-sdk";
import type { RecordFile } from "../../records.ts";
import { PaddleProblem } from "../problem.ts";
import type { CardInput } from "./cards.ts";
import { newId } from "./ids.ts";
import type { StandinDiscount, StandinPrice } from "./prices.ts";

export interface BillingParts {
  readonly records: RecordFile;
  readonly prices: readonly StandinPrice[];
  readonly discounts: readonly StandinDiscount[];
  readonly checkoutUrl: (transactionId: string) => string;
  readonly manageUrl: (subscriptionId: string) => string;
  readonly now: () => number;
  readonly send: (event: IEventsResponse) => void;
  /** The bank asks to confirm every valid card. */
  readonly challengesAll?: () => boolean;
  /** Percent of tax added to prices; read for each calculation. */
  readonly taxOnTop?: (() => number) | undefined;
}

export interface Customer {
  readonly id: string;
  readonly email: string;
  readonly addressId: string;
  readonly countryCode: string;
}

/** A payment that waits for the buyer's confirmation at the bank. */
interface Attempt {
  readonly card: CardInput;
  readonly attemptId: string;
}

/** Notifications contain no management links. */
export function withoutUrls(subscription: ISubscriptionResponse) {
  const { management_urls: _urls, ...rest } = subscription;
  return rest;
}

export type Books = ReturnType<typeof openBooks>;

export function openBooks(parts: BillingParts) {
  const transactions = parts.records.kind<ITransactionResponse>("transaction");
  const subscriptions = parts.records.kind<ISubscriptionResponse>("subscription");
  const customers = parts.records.kind<Customer>("customer");
  const meters = parts.records.kind<number>("meter");

  /** Strictly ascending times, even after subscriptions were fast-forwarded. */
  function tick(): string {
    const time = Math.max(parts.now(), (meters.get("clock") ?? 0) + 1);
    meters.put("clock", time);
    return new Date(time).toISOString();
  }
  function emit(type: string, data: object): void {
    parts.send({
      event_id: newId("evt"),
      event_type: type,
      occurred_at: tick(),
      notification_id: newId("ntf"),
      data: structuredClone(data),
    });
  }
  function found<T>(what: string, id: string, one: T | undefined): T {
    if (one === undefined) throw new PaddleProblem(404, "not_found", `${what} ${id} does not exist`);
    return one;
  }

  return {
    ...parts,
    challengesAll: parts.challengesAll ?? (() => false),
    taxOnTop: parts.taxOnTop ?? (() => 0),
    transactions,
    subscriptions,
    adjustments: parts.records.kind<IAdjustmentNotificationResponse>("adjustment"),
    customers,
    attempts: parts.records.kind<Attempt>("challenge"),
    storedCards: parts.records.kind<CardInput>("card"),
    tick,
    forwardTo: (time: string) => meters.put("clock", Math.max(meters.get("clock") ?? 0, Date.parse(time))),
    emit,
    priceOf: (id: string) =>
      found(
        "price",
        id,
        parts.prices.find((candidate) => candidate.id === id),
      ),
    getTransaction: (id: string) => found("transaction", id, transactions.get(id)),
    getCustomer: (id: string) => found("customer", id, customers.get(id)),
    getSubscription: (id: string) => found("subscription", id, subscriptions.get(id)),
    save: (transaction: ITransactionResponse, changes: Partial<ITransactionResponse>): ITransactionResponse => {
      const next = { ...transaction, ...changes, updated_at: tick() };
      transactions.put(next.id, next);
      return next;
    },
    change: (subscription: ISubscriptionResponse, changes: Partial<ISubscriptionResponse>, event: string): ISubscriptionResponse => {
      const next = { ...subscription, ...changes, updated_at: tick() };
      subscriptions.put(next.id, next);
      emit(event, withoutUrls(next));
      return next;
    },
  };
}
