/** Refunds and chargebacks. */
import type { IAdjustmentNotificationResponse } from "@paddle/paddle-node-sdk";
import { PaddleProblem } from "../problem.ts";
import type { Books } from "./books.ts";
import { newId } from "./ids.ts";

/** The amount paid and not refunded. */
export const leftOf = (books: Books, transactionId: string): number =>
  books.adjustments
    .all()
    .filter((adjustment) => adjustment.transaction_id === transactionId && adjustment.action === "refund")
    .reduce(
      (left, { totals }) => left - Number(totals?.total ?? 0),
      Number(books.getTransaction(transactionId).details?.totals?.grand_total ?? 0),
    );

/** A refund by the seller, or a chargeback by the bank and its reversal. Approved at once. */
export function adjust(
  books: Books,
  transactionId: string,
  action: "refund" | "chargeback" | "chargeback_reverse",
  type: "full" | "partial",
  /** The amount of a partial refund; default is half. */
  part?: number,
  reason = "requested_by_customer",
): IAdjustmentNotificationResponse {
  const transaction = books.getTransaction(transactionId);
  if (transaction.status !== "completed")
    throw new PaddleProblem(400, "adjustment_transaction_invalid_status", "only a completed transaction can be adjusted");
  const total = Number(transaction.details?.totals?.grand_total ?? 0);
  // A full refund gives back what is left, and no refund more.
  const left = action === "refund" ? leftOf(books, transactionId) : total;
  const wanted = type === "full" ? left : (part ?? Math.floor(total / 2));
  if (left <= 0 && total > 0)
    throw new PaddleProblem(
      400,
      "adjustment_transaction_item_has_already_been_fully_adjusted",
      "The transaction item has already been fully adjusted",
    );
  if (wanted > left)
    throw new PaddleProblem(
      400,
      "adjustment_total_amount_above_remaining_allowed",
      `The adjustment amount exceeds the total amount left to adjust. Amount to Adjust: ${wanted}, Amount Left: ${left}`,
    );
  const at = books.tick();
  const amount = String(wanted);
  const adjustment: IAdjustmentNotificationResponse = {
    id: newId("adj"),
    action,
    type,
    transaction_id: transaction.id,
    subscription_id: transaction.subscription_id ?? null,
    customer_id: transaction.customer_id ?? "",
    reason,
    credit_applied_to_balance: false,
    currency_code: transaction.currency_code,
    status: "pending_approval",
    items: (transaction.details?.line_items ?? []).map((line) => ({
      id: newId("adjitm"),
      item_id: line.id,
      type,
      amount: type === "full" ? null : amount,
      proration: null,
      totals: { subtotal: amount, tax: "0", total: amount, fee: "0", earnings: amount, currency_code: transaction.currency_code },
    })),
    totals: {
      subtotal: amount,
      tax: "0",
      total: amount,
      fee: "0",
      earnings: amount,
      currency_code: transaction.currency_code,
      retained_fee: "0",
    },
    payout_totals: null,
    created_at: at,
    updated_at: at,
  };
  books.adjustments.put(adjustment.id, adjustment);
  books.emit("adjustment.created", adjustment);
  const approved: IAdjustmentNotificationResponse = { ...adjustment, status: "approved", updated_at: books.tick() };
  books.adjustments.put(approved.id, approved);
  books.emit("adjustment.updated", approved);
  return approved;
}
