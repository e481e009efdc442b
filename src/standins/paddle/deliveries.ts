/** Signed webhooks, delivered like Paddle's: at least once, separately, and retried until a 2xx answer. */
import { createHmac } from "node:crypto";
import type { Records } from "../records.ts";

/** A webhook ready to be sent. */
interface Message {
  readonly id: string;
  readonly name: string;
  readonly body: string;
}
export interface Delivery extends Message {
  readonly attempts: number;
}

const firstRetryMs = 1_000;
const longestRetryMs = 60_000;
/** Paddle's live system retries up to 60 times. */
const mostAttempts = 60;
/** Milliseconds that Paddle waits for an answer. */
const paddleAnswerMs = 5_000;

/** `ts=…;h1=…` over the body as sent. */
export function signature(secret: string, rawBody: string, unixSeconds: number): string {
  return `ts=${unixSeconds};h1=${createHmac("sha256", secret).update(`${unixSeconds}:${rawBody}`).digest("hex")}`;
}

export interface Deliveries {
  readonly send: (message: Message) => void;
  /** Resolves when no webhook is in flight, not counting those waiting for a retry. */
  readonly settled: () => Promise<void>;
  /** Sends all waiting webhooks now, in the order of their events. */
  readonly retryNow: () => void;
  readonly close: () => Promise<void>;
}

export function startDeliveries(parts: {
  readonly pending: Records<Delivery>;
  readonly url: () => string;
  /** Called for each attempt, because a signature may contain the time. */
  readonly headers: (body: string) => Readonly<Record<string, string>>;
  readonly onFailure: (message: string) => void;
  /** Overrides Paddle's time limit for an answer. */
  readonly answerMs?: number | undefined;
}): Deliveries {
  const onTheirWay = new Set<Promise<void>>();
  const retries = new Map<string, NodeJS.Timeout>();
  const closing = new AbortController();
  // One at a time: Paddle guarantees no order, but sending in parallel would be no more realistic.
  let last: Promise<void> = Promise.resolve();

  async function attempt(id: string): Promise<void> {
    const delivery = parts.pending.get(id);
    if (delivery === undefined || closing.signal.aborted) return;
    const { body } = delivery;
    const failure = await fetch(parts.url(), {
      method: "POST",
      body,
      headers: { "user-agent": "Paddle", ...parts.headers(body) },
      signal: AbortSignal.any([AbortSignal.timeout(parts.answerMs ?? paddleAnswerMs), closing.signal]),
    }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.ok ? null : `status ${response.status}`;
      },
      (error: unknown) => String(error),
    );
    if (closing.signal.aborted) return;
    if (failure === null) return parts.pending.remove(id);
    const attempts = delivery.attempts + 1;
    parts.onFailure(`webhook ${delivery.name} ${id}: ${failure} (attempt ${attempts})`);
    if (attempts >= mostAttempts) return parts.pending.remove(id);
    parts.pending.put(id, { ...delivery, attempts });
    retries.set(id, setTimeout(() => start(id), Math.min(firstRetryMs * 2 ** (attempts - 1), longestRetryMs)).unref());
  }

  function start(id: string): void {
    clearTimeout(retries.get(id));
    retries.delete(id);
    const work: Promise<void> = last.then(() => attempt(id)).finally(() => onTheirWay.delete(work));
    last = work;
    onTheirWay.add(work);
  }

  // Webhooks that a stopped process left are sent later, when the server listens.
  for (const { id } of parts.pending.all()) retries.set(id, setTimeout(() => start(id), firstRetryMs).unref());

  return {
    send: (message) => {
      parts.pending.put(message.id, { ...message, attempts: 0 });
      start(message.id);
    },
    settled: async () => {
      while (onTheirWay.size > 0) await Promise.all(onTheirWay);
    },
    retryNow: () => {
      for (const { id } of parts.pending.all()) if (retries.has(id)) start(id);
    },
    close: async () => {
      closing.abort();
      for (const timer of retries.values()) clearTimeout(timer);
      await Promise.allSettled(onTheirWay);
    },
  };
}
