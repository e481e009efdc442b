/** A purchase and its amounts: opened, given a code, or canceled before it is paid. */
import type { ISubscriptionResponse, ITransactionResponse } from "@paddle/paddle-node-sdk";
import { PaddleProblem } from "../problem.ts";
import { detailsOf, totalsOf } from "./amounts.ts";
import type { Books } from "./books.ts";
import { newId } from "./ids.ts";
import { currencyOf, priceEntity } from "./prices.ts";

interface Purchase {
  readonly items: readonly { readonly priceId: string; readonly quantity: number }[];
  readonly discountId?: string | null;
  readonly customData?: object | null;
  readonly currencyCode?: string | null;
  readonly origin: "api" | "web" | "subscription_recurring";
  readonly subscription?: ISubscriptionResponse;
}

/** The amount of each later period, with a recurring discount. */
export function recurringTotals(books: Books, transaction: ITransactionResponse) {
  const items = transaction.items.flatMap(({ price, quantity }) =>
    price?.billing_cycle == null ? [] : [{ price: books.priceOf(price.id), quantity }],
  );
  const discount = books.discounts.find(({ id, recurring }) => recurring && id === transaction.discount_id);
  return totalsOf(items, discount, false, books.taxOnTop());
}

/** Today's amount for a price with a code, before a transaction exists. */
export function dueToday(books: Books, priceId: string, code: string | null): string {
  const discount = code === null ? undefined : books.discounts.find((one) => one.code.toLowerCase() === code.toLowerCase());
  return totalsOf([{ price: books.priceOf(priceId), quantity: 1 }], discount, true, books.taxOnTop()).total;
}

export function createTransaction(books: Books, input: Purchase): ITransactionResponse {
  const items = input.items.map(({ priceId, quantity }) => ({ price: books.priceOf(priceId), quantity }));
  const [first] = items;
  if (first === undefined) throw new PaddleProblem(400, "invalid_field", "items must not be empty");
  if (items.some(({ quantity, price }) => quantity !== 1 || price.currency !== first.price.currency))
    throw new PaddleProblem(400, "transaction_item_quantity_out_of_range", "quantity must be 1, in one currency");
  if (input.currencyCode != null && input.currencyCode !== first.price.currency)
    throw new PaddleProblem(400, "transaction_currency_code_invalid", `price is in ${first.price.currency}`);
  const discount = input.discountId == null ? undefined : books.discounts.find(({ id }) => id === input.discountId);
  if (input.discountId != null && discount === undefined)
    throw new PaddleProblem(400, "transaction_discount_not_found", `discount ${input.discountId} does not exist`);
  const at = books.tick();
  const id = newId("txn");
  const code = currencyOf(first.price.currency);
  const transaction: ITransactionResponse = {
    id,
    status: input.subscription ? "billed" : "draft",
    customer_id: input.subscription?.customer_id ?? null,
    address_id: input.subscription?.address_id ?? null,
    business_id: null,
    custom_data: input.customData == null ? null : { ...input.customData },
    currency_code: code,
    origin: input.origin,
    subscription_id: input.subscription?.id ?? null,
    invoice_id: null,
    invoice_number: null,
    collection_mode: "automatic",
    discount_id: discount?.id ?? null,
    billing_details: null,
    billing_period: input.subscription?.current_billing_period ?? null,
    items: items.map(({ price, quantity }) => ({ price_id: price.id, price: priceEntity(price), quantity, proration: null })),
    details: detailsOf(code, totalsOf(items, discount, input.subscription === undefined, books.taxOnTop())),
    payments: [],
    checkout: { url: books.checkoutUrl(id) },
    created_at: at,
    updated_at: at,
    billed_at: input.subscription ? at : null,
    revised_at: null,
  };
  books.transactions.put(id, transaction);
  books.emit("transaction.created", transaction);
  return transaction;
}

/** A buyer enters a code in Paddle's form. */
export function typeDiscount(books: Books, transactionId: string, code: string): ITransactionResponse {
  const transaction = books.getTransaction(transactionId);
  const discount = books.discounts.find((one) => one.code === code);
  const items = transaction.items.map(({ price, quantity }) => ({ price: books.priceOf(price?.id ?? ""), quantity }));
  const details = detailsOf(currencyOf(transaction.currency_code), totalsOf(items, discount, true, books.taxOnTop()));
  const next = books.save(transaction, { discount_id: discount?.id ?? null, details });
  books.emit("transaction.updated", next);
  return next;
}

export function cancelTransaction(books: Books, id: string): ITransactionResponse {
  const transaction = books.getTransaction(id);
  if (transaction.status === "canceled") return transaction;
  // A draft, whose buyer has not said who they are, is refused too.
  if (!["ready", "billed"].includes(transaction.status))
    throw new PaddleProblem(400, "transaction_invalid_status_change", `transaction is ${transaction.status}`);
  const next = books.save(transaction, { status: "canceled" });
  books.emit("transaction.canceled", next);
  return next;
}
