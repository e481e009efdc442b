import type { Output } from "#core/api.ts";

export type PaymentStatus = Output<"paymentStatus">["status"];

/** Poll interval, ms (spec 001 §9). */
export const pollInterval = 1500;
/** Time before the page says that the payment takes longer and offers to go on, ms. */
export const slowAfter = 30_000;
/** Time before polling ends and the visitor can start it again, ms. */
export const giveUpAfter = 120_000;

export interface PollParts {
  readonly ask: () => Promise<PaymentStatus>;
  readonly signal: AbortSignal;
  readonly onSlow: () => void;
}

/**
 * Polls the payment's status until it is decided. Resolves with `pending` after `giveUpAfter` or when the signal aborts. A failed request is
 * repeated. A slow response delays neither `onSlow` nor the end.
 */
export async function pollPayment({ ask, signal, onSlow }: PollParts): Promise<PaymentStatus> {
  const over = new AbortController();
  const ended = new Promise<"pending">((resolve) => over.signal.addEventListener("abort", () => resolve("pending")));
  const slow = setTimeout(() => !signal.aborted && onSlow(), slowAfter);
  const end = setTimeout(() => over.abort(), giveUpAfter);
  const asking = async (): Promise<PaymentStatus> => {
    while (!over.signal.aborted && !signal.aborted) {
      // A failed request says nothing about the payment.
      const status = await ask().catch(() => "pending" as const);
      if (status !== "pending") return status;
      await new Promise((resolve) => setTimeout(resolve, pollInterval));
    }
    return "pending";
  };
  try {
    return await Promise.race([asking(), ended]);
  } finally {
    clearTimeout(slow);
    clearTimeout(end);
  }
}
