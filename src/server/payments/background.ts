/** Background jobs of the payments, in four queues. Each queue runs one job at a time. */
import type { LedgerLog } from "./ledgerParts.ts";

/** How long a stopping process waits for a provider. It may be killed at any point anyway. */
const stopWithinMs = 5_000;

/**
 * Each job with its queue, and the log message when it fails. Webhooks are applied in another queue than the one that calls providers, so a
 * provider that does not answer delays no entitlement. Nor does the look at all earlier payments, which takes minutes after a few years.
 */
const jobs = {
  apply: { queue: "applying", failure: "A stored webhook could not be applied; it is tried again." },
  bookEarlier: { queue: "booking", failure: "Earlier payments could not be booked." },
  carryOut: { queue: "asking", failure: "The duties of the providers could not be read." },
  endContracts: { queue: "asking", failure: "Notices that end a contract could not be read." },
  noteTrials: { queue: "asking", failure: "Used trials could not be recorded." },
  reconcile: { queue: "asking", failure: "Payments could not be reconciled." },
  noteBuyers: { queue: "noting", failure: "The accounts of webhooks could not be recorded." },
} as const;
type Job = keyof typeof jobs;
type Queue = (typeof jobs)[Job]["queue"];

export interface Background {
  readonly run: (job: Job, work: () => Promise<void>) => void;
  /** Like `run`, but does nothing while this job is already queued: a burst of webhooks queues it once. */
  readonly runSoon: (job: Job, work: () => Promise<void>) => void;
  /** Starts a round at once, and another every `everyMs` until `stop`. */
  readonly repeat: (round: () => void, everyMs: number) => void;
  /** True once the process is stopping. Jobs that loop check it and start nothing more. */
  readonly stopped: () => boolean;
  /** Resolves when all queues are empty. */
  readonly settled: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

export function createBackground(log: LedgerLog): Background {
  const empty = Promise.resolve();
  const queues: Record<Queue, Promise<unknown>> = { applying: empty, booking: empty, asking: empty, noting: empty };
  const waiting = new Set<Job>();
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;
  const run = (job: Job, work: () => Promise<void>) => {
    const { queue, failure } = jobs[job];
    queues[queue] = queues[queue].then(work).catch((error: unknown) => log.error({ err: error }, failure));
  };
  return {
    run,
    runSoon: (job, work) => {
      if (waiting.has(job)) return;
      waiting.add(job);
      run(job, () => {
        waiting.delete(job);
        return work();
      });
    },
    repeat: (round, everyMs) => {
      round();
      timer = setInterval(round, everyMs).unref();
    },
    stopped: () => stopped,
    settled: async () => {
      let seen: readonly unknown[] = [];
      const now = () => Object.values(queues);
      while (now().some((work, index) => seen[index] !== work)) {
        seen = now();
        await Promise.all(seen);
      }
    },
    stop: async () => {
      stopped = true;
      if (timer !== null) clearInterval(timer);
      await Promise.all([queues.applying, queues.booking, queues.noting]);
      const late = Promise.withResolvers<void>();
      const patience = setTimeout(late.resolve, stopWithinMs);
      await Promise.race([queues.asking, late.promise]);
      clearTimeout(patience);
    },
  };
}
