import type { Output } from "#core/api.ts";

export type PaymentStatus = Output<"paymentStatus">["status"];

/** Between two questions, ms (spec 001 §9). */
export const pollInterval = 1500;
/** After so many, 30 s, the page says that it takes longer and offers a way on; later it lets the visitor ask again. */
export const slowAfter = 20;
export const giveUpAfter = 80;

export interface PollParts {
  readonly ask: () => Promise<PaymentStatus>;
  readonly signal: AbortSignal;
  readonly onSlow: () => void;
}

/** Asks until the payment is decided; pending when it is not within the limit or the signal stops it. A question without an answer is asked again. */
export async function pollPayment({ ask, signal, onSlow }: PollParts): Promise<PaymentStatus> {
  for (let asked = 1; asked <= giveUpAfter && !signal.aborted; asked += 1) {
    // No answer says nothing about the payment.
    const status = await ask().catch(() => "pending" as const);
    if (status !== "pending") return status;
    if (asked === slowAfter) onSlow();
    await new Promise((resolve) => setTimeout(resolve, pollInterval));
  }
  return "pending";
}
