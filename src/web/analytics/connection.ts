/** What waits for a connection goes on by itself when it is back. */
import type { Services } from "../services.ts";
import type { Session } from "../session/session.ts";

/** A server that does not answer though there is a network is asked again after this, ms. */
export const askAgainAfter = 5000;

export interface ConnectionParts {
  readonly session: Pick<Session, "snapshot" | "subscribe" | "choose">;
  readonly offer: Pick<Services["offer"], "snapshot" | "retry">;
  readonly online: () => boolean;
  /** The question that shows, null on other pages. */
  readonly questionId: () => number | null;
  /** Calls back whenever the browser is online again. */
  readonly onOnline: (back: () => void) => void;
}

export function goOnWhenConnected({ session, offer, online, questionId, onOnline }: ConnectionParts): void {
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** The answer that could not be sent, as long as the visitor has not turned to something else. */
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
