/** Completed purchases as Classic lists them. */
import type { ITransactionResponse } from "@paddle/paddle-node-sdk";
import { PaddleProblem } from "../problem.ts";
import { customOf, type Desk, orderIdOf, receiptUrl } from "./desk.ts";
import { major, seconds } from "./formats.ts";

const perPage = 15;

/** Newest last. */
export const paidOf = ({ billing }: Desk) => billing.transactions().filter(({ status }) => status === "completed");

function listed(desk: Desk, transaction: ITransactionResponse): object {
  const refunds =
    desk.billing.getTransaction(transaction.id).adjustments?.filter(({ action, status }) => action === "refund" && status === "approved") ??
    [];
  const { checkout, passthrough } = customOf(transaction);
  return {
    order_id: orderIdOf(desk, transaction),
    checkout_id: checkout,
    amount: major(transaction.details?.totals?.grand_total, transaction.currency_code),
    currency: transaction.currency_code,
    status: refunds.length === 0 ? "completed" : desk.billing.leftOf(transaction.id) <= 0 ? "refunded" : "partially_refunded",
    created_at: seconds(transaction.billed_at),
    passthrough,
    product_id: Number(transaction.items[0]?.price?.id),
    is_subscription: transaction.subscription_id != null,
    is_one_off: transaction.subscription_id == null,
    subscription:
      transaction.subscription_id == null
        ? null
        : { subscription_id: Number(desk.numberOf(transaction.subscription_id)), status: "active" },
    user: { email: desk.billing.buyerOf(transaction)?.email ?? "" },
    receipt_url: receiptUrl(desk),
  };
}

/** `{checkout,order,product}/…/transactions`, newest first. */
export function transactionList(desk: Desk, path: string, fields: Readonly<Record<string, string>>): unknown {
  const [, entity, wanted] = /^(checkout|order|product)\/([^/]+)\/transactions$/.exec(path) ?? [];
  if (entity === undefined) throw new PaddleProblem(200, "100", "Unable to find requested resource");
  const found = paidOf(desk).filter((transaction) =>
    entity === "checkout"
      ? customOf(transaction).checkout === wanted
      : entity === "order"
        ? orderIdOf(desk, transaction) === wanted
        : transaction.items[0]?.price?.id === wanted,
  );
  const from = (Number(fields["page"] ?? "1") - 1) * perPage;
  return found
    .toReversed()
    .slice(from, from + perPage)
    .map((transaction) => listed(desk, transaction));
}
