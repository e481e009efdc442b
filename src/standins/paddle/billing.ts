/** Paddle Billing's behavior as far as our funnel uses it: transactions, subscriptions, adjustments and their events. */
import type { ITransactionResponse } from "@paddle/paddle-node-sdk";
import { adjust, leftOf } from "./billing/adjustments.ts";
import { type BillingParts, type Books, openBooks } from "./billing/books.ts";
import { buyerOf, customerEntity, setBuyer } from "./billing/buyers.ts";
import { answerChallenge, pay } from "./billing/payments.ts";
import { discountEntity, priceEntity } from "./billing/prices.ts";
import { cancel, cardTransaction, keep, pause, recover, renew, replaceCard, resume } from "./billing/subscriptions.ts";
import { cancelTransaction, createTransaction, dueToday, recurringTotals, typeDiscount } from "./billing/transactions.ts";

export type Billing = ReturnType<typeof createBilling>;

export function createBilling(parts: BillingParts) {
  const books = openBooks(parts);
  /** All changes of one call are stored and sent together, or none. */
  const whole =
    <Input extends unknown[], Result>(change: (books: Books, ...input: Input) => Result) =>
    (...input: Input): Result =>
      parts.records.together(() => change(books, ...input));

  return {
    createTransaction: whole(createTransaction),
    getTransaction: (id: string): ITransactionResponse => ({
      ...books.getTransaction(id),
      adjustments: books.adjustments.all().filter((adjustment) => adjustment.transaction_id === id),
    }),
    transactions: () => books.transactions.all(),
    cancelTransaction: whole(cancelTransaction),
    typeDiscount: whole(typeDiscount),
    setBuyer: whole(setBuyer),
    buyerOf: (transaction: ITransactionResponse) => buyerOf(books, transaction),
    recurringTotals: (transaction: ITransactionResponse) => recurringTotals(books, transaction),
    dueToday: (priceId: string, code: string | null) => dueToday(books, priceId, code),
    pay: whole(pay),
    answerChallenge: whole(answerChallenge),
    getCustomer: (id: string) => customerEntity(books.getCustomer(id), new Date(books.now()).toISOString()),
    getSubscription: books.getSubscription,
    cardTransaction: (id: string) => cardTransaction(books, id),
    subscriptions: () => books.subscriptions.all(),
    cancel: whole(cancel),
    pause: whole(pause),
    resume: whole(resume),
    keep: whole(keep),
    replaceCard: whole(replaceCard),
    renew: whole(renew),
    recover: whole(recover),
    adjust: whole(adjust),
    leftOf: (transactionId: string) => leftOf(books, transactionId),
    prices: () => parts.prices.map(priceEntity),
    discounts: () => parts.discounts.map(discountEntity),
    discountByCode: (code: string) => parts.discounts.find((discount) => discount.code.toLowerCase() === code.toLowerCase()),
  };
}
