import type { Output } from "#core/api.ts";

export type PaymentStatus = Output<"paymentStatus">["status"];

/** Between two questions, ms (spec 001 §9). */
export const pollInterval = 1500;
/** After this long, ms, the page says that it takes longer and offers a way on; later it lets the visitor ask again. */
export const slowAfter = 30_000;
export const giveUpAfter = 120_000;

export interface PollParts {
  readonly ask: () => Promise<PaymentStatus>;
  readonly signal: AbortSignal;
  readonly onSlow: () => void;
}

/**
 * Asks until the payment is decided; pending when it is not within the limit or the signal stops it. A question without an answer
 * is asked again, and one whose answer is slow does not hold up what the page says meanwhile.
 */
export async function pollPayment({ ask, signal, onSlow }: PollParts): Promise<PaymentStatus> {
  const ended = Promise.withResolvers<"pending">();
  const over = new AbortController();
  const slow = setTimeout(() => !signal.aborted && onSlow(), slowAfter);
  const end = setTimeout(() => {
    over.abort();
    ended.resolve("pending");
  }, giveUpAfter);
  const asking = async (): Promise<PaymentStatus> => {
    while (!over.signal.aborted && !signal.aborted) {
      // No answer says nothing about the payment.
      const status = await ask().catch(() => "pending" as const);
      if (status !== "pending") return status;
      await new Promise((resolve) => setTimeout(resolve, pollInterval));
    }
    return "pending";
  };
  try {
    return await Promise.race([asking(), ended.promise]);
  } finally {
    clearTimeout(slow);
    clearTimeout(end);
  }
}
