/** Payments by card: charged, declined, or confirmed at the bank first. */
import type { ITransactionResponse } from "@paddle/paddle-node-sdk";
import { PaddleProblem } from "../problem.ts";
import { withFee } from "./amounts.ts";
import type { Books } from "./books.ts";
import { behaviourOf, type CardInput, digitsOf, isComplete } from "./cards.ts";
import { newId } from "./ids.ts";
import { startSubscription } from "./newSubscription.ts";

export type PaymentResult =
  | { readonly status: "completed" }
  | { readonly status: "declined"; readonly code: string }
  | { readonly status: "action_required" };

/** One attempt to pay. */
function payment(
  books: Books,
  card: CardInput,
  transaction: ITransactionResponse,
  status: "captured" | "error" | "action_required",
  attemptId = newId("payatt").slice(7),
): ITransactionResponse["payments"][number] {
  const at = books.tick();
  return {
    payment_attempt_id: attemptId,
    stored_payment_method_id: newId("paymtd").slice(7),
    payment_method_id: newId("paymtd"),
    amount: transaction.details?.totals?.grand_total ?? "0",
    status,
    error_code: status === "error" ? "declined" : null,
    method_details: {
      type: "card",
      card: {
        type: "visa",
        last4: card.number.slice(-4),
        expiry_month: Number(card.expiry.slice(0, 2)),
        expiry_year: 2000 + Number(card.expiry.slice(-2)),
        cardholder_name: card.name,
      },
      paypal: null,
      south_korea_local_card: null,
      underlying_details: null,
    },
    created_at: at,
    captured_at: status === "captured" ? at : null,
  };
}

export function decline(books: Books, transaction: ITransactionResponse, card: CardInput, attemptId?: string): ITransactionResponse {
  const others = transaction.payments.filter((attempt) => attempt.payment_attempt_id !== attemptId);
  const next = books.save(transaction, { payments: [payment(books, card, transaction, "error", attemptId), ...others] });
  books.emit("transaction.payment_failed", next);
  return next;
}

/**
 * Captures the payment in Paddle's order: paid, then a subscription if a price recurs, then completed. A second attempt at the same
 * time is refused.
 */
export function capture(books: Books, open: ITransactionResponse, card: CardInput, attemptId?: string): void {
  const { status } = books.getTransaction(open.id);
  if (status === "paid" || status === "completed")
    throw new PaddleProblem(409, "transaction_already_completed", "this transaction is paid");
  if (status === "canceled") throw new PaddleProblem(400, "transaction_immutable", "this transaction is canceled");
  const others = open.payments.filter((attempt) => attempt.payment_attempt_id !== attemptId);
  const at = books.tick();
  let transaction = books.save(open, {
    status: "paid",
    billed_at: at,
    payments: [payment(books, card, open, "captured", attemptId), ...others],
  });
  books.emit("transaction.paid", transaction);
  transaction = startSubscription(books, transaction, card, at);
  books.emit(
    "transaction.completed",
    books.save(transaction, {
      status: "completed",
      ...withFee(transaction),
      invoice_id: newId("inv"),
      invoice_number: `3000-${10_000 + books.transactions.all().length}`,
    }),
  );
}

export function pay(books: Books, transactionId: string, given: CardInput): PaymentResult {
  const transaction = books.getTransaction(transactionId);
  if (transaction.status === "completed" || transaction.status === "paid")
    throw new PaddleProblem(409, "transaction_already_completed", "this transaction is paid");
  if (transaction.status !== "ready") throw new PaddleProblem(400, "transaction_not_ready_cannot_be_paid", "who pays is not known yet");
  const card = { ...given, number: digitsOf(given.number) };
  const behaviour = behaviourOf(card.number);
  if (behaviour === undefined || !isComplete(card, books.now())) return { status: "declined", code: "invalid_payment_details" };
  if (behaviour === "declined") {
    decline(books, transaction, card);
    return { status: "declined", code: "declined" };
  }
  if (behaviour === "challenge" || books.challengesAll()) {
    const attempt = payment(books, card, transaction, "action_required");
    books.save(transaction, { payments: [attempt, ...transaction.payments] });
    books.attempts.put(transactionId, { card, attemptId: attempt.payment_attempt_id });
    return { status: "action_required" };
  }
  capture(books, transaction, card);
  return { status: "completed" };
}

/** The bank's answer in the 3-D Secure window. */
export function answerChallenge(books: Books, transactionId: string, approved: boolean): PaymentResult {
  const attempt = books.attempts.get(transactionId);
  if (attempt === undefined) throw new PaddleProblem(404, "not_found", "no challenge is open");
  books.attempts.remove(transactionId);
  const transaction = books.getTransaction(transactionId);
  if (!approved) {
    decline(books, transaction, attempt.card, attempt.attemptId);
    return { status: "declined", code: "authentication_failed" };
  }
  capture(books, transaction, attempt.card, attempt.attemptId);
  return { status: "completed" };
}
