/** Background work of the payments: three chains, each of which runs one job at a time. */
import type { LedgerLog } from "./books.ts";

/** How long a stopping process waits for a provider. It may be killed at any point anyway. */
const stopWithinMs = 5_000;

/**
 * Each job with its chain, and what the log says when it fails. Webhooks are applied in another chain than the one that calls providers, so a
 * provider that hangs holds up no entitlement.
 */
const jobs = {
  apply: { chain: "applying", failure: "A stored webhook could not be applied; it is tried again." },
  bookEarlier: { chain: "applying", failure: "What was paid earlier could not be booked." },
  carryOut: { chain: "asking", failure: "What a provider must do could not be looked up." },
  endContracts: { chain: "asking", failure: "What ends a contract could not be looked up." },
  noteTrials: { chain: "asking", failure: "Trials that were had could not be noted." },
  reconcile: { chain: "asking", failure: "Payments could not be reconciled." },
  noteBuyers: { chain: "noting", failure: "Whose webhooks are could not be noted." },
} as const;
type Job = keyof typeof jobs;
type Chain = (typeof jobs)[Job]["chain"];

export interface Background {
  readonly run: (job: Job, work: () => Promise<void>) => void;
  /** The same, unless this job is waiting already: in a burst of webhooks it is queued once, not hundreds of times. */
  readonly runSoon: (job: Job, work: () => Promise<void>) => void;
  /** Begins a round now and then every `everyMs`, until it is stopped. */
  readonly repeat: (round: () => void, everyMs: number) => void;
  /** Jobs that loop look at it, and begin nothing more. */
  readonly stopped: () => boolean;
  /** Resolves when all chains are empty. */
  readonly settled: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

export function createBackground(log: LedgerLog): Background {
  const chains: Record<Chain, Promise<unknown>> = { applying: Promise.resolve(), asking: Promise.resolve(), noting: Promise.resolve() };
  const waiting = new Set<Job>();
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;
  const run = (job: Job, work: () => Promise<void>) => {
    const { chain, failure } = jobs[job];
    chains[chain] = chains[chain].then(work).catch((error: unknown) => log.error({ err: error }, failure));
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
      const now = () => Object.values(chains);
      while (now().some((work, index) => seen[index] !== work)) {
        seen = now();
        await Promise.all(seen);
      }
    },
    stop: async () => {
      stopped = true;
      if (timer !== null) clearInterval(timer);
      await Promise.all([chains.applying, chains.noting]);
      const late = Promise.withResolvers<void>();
      const patience = setTimeout(late.resolve, stopWithinMs);
      await Promise.race([chains.asking, late.promise]);
      clearTimeout(patience);
    },
  };
}
