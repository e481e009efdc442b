/** Who pays: Paddle keeps a customer and an address for each e-mail address and country. */
import type { ITransactionResponse } from "@paddle/paddle-node-sdk";
import type { Books, Customer } from "./books.ts";
import { newId } from "./ids.ts";

export interface BuyerInput {
  readonly email: string;
  readonly countryCode: string;
}

export const buyerOf = (books: Books, transaction: ITransactionResponse) =>
  transaction.customer_id ? books.customers.get(transaction.customer_id) : undefined;

export const customerEntity = ({ id, email }: Customer, at: string) => ({
  id,
  name: null,
  email,
  marketing_consent: false,
  status: "active",
  custom_data: null,
  locale: "en",
  created_at: at,
  updated_at: at,
  import_meta: null,
});

function newCustomer(books: Books, buyer: BuyerInput): Customer {
  const customer = { id: newId("ctm"), addressId: newId("add"), ...buyer };
  books.customers.put(customer.id, customer);
  const at = books.tick();
  books.emit("customer.created", customerEntity(customer, at));
  books.emit("address.created", {
    id: customer.addressId,
    customer_id: customer.id,
    description: null,
    first_line: null,
    second_line: null,
    city: null,
    postal_code: null,
    region: null,
    country_code: customer.countryCode,
    custom_data: null,
    status: "active",
    created_at: at,
    updated_at: at,
    import_meta: null,
  });
  return customer;
}

/** Sets the buyer, as Paddle's checkout does once it has the e-mail and the country. */
export function setBuyer(books: Books, transactionId: string, buyer: BuyerInput): ITransactionResponse {
  const transaction = books.getTransaction(transactionId);
  if (transaction.status !== "draft" && transaction.status !== "ready") return transaction;
  const before = buyerOf(books, transaction);
  if (before?.email === buyer.email && before.countryCode === buyer.countryCode) return transaction;
  const known = books.customers.all().find((customer) => customer.email === buyer.email && customer.countryCode === buyer.countryCode);
  const customer = known ?? newCustomer(books, buyer);
  const next = books.save(transaction, { status: "ready", customer_id: customer.id, address_id: customer.addressId });
  books.emit(transaction.status === "draft" ? "transaction.ready" : "transaction.updated", next);
  return next;
}
