/** Repeats calls that the server was too busy for, or whose answer was lost. Only for calls that change nothing when repeated. */
import type { Api } from "./client.ts";
import { ApiError, callLimit, ConnectionError } from "./request.ts";

/** Statuses of a server, or of a proxy before it, that cannot answer right now. */
const busyStatuses: ReadonlySet<number> = new Set([502, 503, 504]);
/** The pause before a repetition if the answer names none, ms. It doubles. */
const firstPause = 1_000;

/** The same API. A repeated call ends with its last error, at most `callLimit` after it began. */
export function repeating(api: Api): Api {
  return {
    async call(endpoint, input) {
      const began = performance.now();
      let pause = firstPause;
      let asksLost = true;
      for (;;) {
        try {
          return await api.call(endpoint, input);
        } catch (error) {
          const isLost = error instanceof ConnectionError;
          const wait = isLost && !asksLost ? null : pauseAfter(error, pause);
          if (wait === null || performance.now() - began + wait >= callLimit) throw error;
          // A lost answer is asked for once.
          asksLost &&= !isLost;
          await new Promise((resolve) => setTimeout(resolve, wait));
          pause *= 2;
        }
      }
    },
  };
}

/** Milliseconds to wait before the call is repeated, or null if it is not. Without a connection the page waits for it instead. */
function pauseAfter(error: unknown, pause: number): number | null {
  if (error instanceof ApiError && busyStatuses.has(error.status)) return error.retryAfter ?? pause;
  return error instanceof ConnectionError && navigator.onLine ? pause : null;
}
