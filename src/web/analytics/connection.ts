/** Resumes pending work when the connection is back. */
import type { Services } from "../services.ts";
import type { Session } from "../session/session.ts";

/** Retry delay if the server does not answer although there is a network, ms. */
export const askAgainAfter = 5000;

export interface ConnectionParts {
  readonly session: Pick<Session, "snapshot" | "subscribe" | "choose">;
  readonly offer: Pick<Services["offer"], "snapshot" | "retry">;
  readonly online: () => boolean;
  /** The shown question; null on other pages. */
  readonly questionId: () => number | null;
  /** Calls `back` whenever the browser comes online. */
  readonly onOnline: (back: () => void) => void;
}

export function goOnWhenConnected({ session, offer, online, questionId, onOnline }: ConnectionParts): void {
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Resubmits the answer that failed, unless the visitor has moved on. */
  function goOn() {
    const { problem, busy, tried } = session.snapshot();
    if (problem === "connection" && !busy && tried !== undefined && tried.questionId === questionId())
      void session.choose(tried.questionId, tried.optionId);
  }
  session.subscribe(() => {
    const { problem, busy } = session.snapshot();
    clearTimeout(timer);
    if (problem === "connection" && !busy) timer = setTimeout(() => online() && goOn(), askAgainAfter);
  });
  onOnline(() => {
    goOn();
    if (offer.snapshot().status === "failed") offer.retry();
  });
}
