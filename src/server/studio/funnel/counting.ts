/** Runs counts on a thread with its own database connection, so that no visitor waits for them. */
import { Worker } from "node:worker_threads";
import { writtenUntil } from "../../store/standby.ts";
import { type Store, type StorePlace, StoreUnavailable } from "../../store/store.ts";
import type { Count, CountInput, CountOutput } from "./counts.ts";

/** A request to the thread. */
export interface CountJob<K extends Count = Count> {
  readonly id: number;
  readonly place: StorePlace;
  readonly isStandby: boolean;
  readonly count: K;
  readonly input: CountInput<K>;
}
/** The thread's answer; `error` is null on success. */
export interface CountAnswer {
  readonly id: number;
  readonly output: unknown;
  readonly error: unknown;
  /** Whether this is a temporary failure of the database. The flag is needed because an error loses its class between threads. */
  readonly unavailable: boolean;
}

interface Waiting {
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: unknown) => void;
}
let thread: Worker | null = null;
const waiting = new Map<number, Waiting>();
/** Counts in progress. Operators who request the same count share one. */
const inProgress = new Map<string, Promise<unknown>>();
let jobs = 0;

/** Starts the thread at the first request. The thread does not keep the process alive. */
function countingThread(): Worker {
  if (thread !== null) return thread;
  const worker = new Worker(new URL("countingThread.ts", import.meta.url));
  worker.on("message", ({ id, output, error, unavailable }: CountAnswer) => {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) worker.unref();
    if (error === null) asked?.resolve(output);
    else asked?.reject(unavailable ? new StoreUnavailable("The database used for counting does not answer.", { cause: error }) : error);
  });
  // When the thread dies, its requests fail; the next request starts a new thread.
  const lost = (error: unknown) => {
    if (thread === worker) thread = null;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.on("error", lost);
  worker.on("exit", () => lost(new Error("The counting thread has ended.")));
  thread = worker;
  return worker;
}

type Places = Pick<Store, "place" | "standby">;

/** Counted on the primary: some results are stored, so they must not lack anything, and an operator looks at the money they have just changed. */
const ofPrimary: ReadonlySet<Count> = new Set(["day", "hour", "busyHours", "checkpoint", "money", "cohorts"]);

/** Runs `counts[count]` on the thread, reading from the standby if there is one. */
export async function runCount<K extends Count>(store: Places, count: K, input: CountInput<K>): Promise<CountOutput<K>> {
  const isStandby = store.standby !== undefined && !ofPrimary.has(count);
  const place = (isStandby ? store.standby : undefined) ?? store.place;
  const key = JSON.stringify([place, count, input]);
  let answer = inProgress.get(key);
  if (answer === undefined) {
    answer = asked({ id: (jobs += 1), place, isStandby, count, input }).finally(() => inProgress.delete(key));
    inProgress.set(key, answer);
  }
  return (await answer) as CountOutput<K>;
}

/** The time up to which counts are complete, ms: now, unless a standby lags. Ask before counting, and count as of that time. */
export async function knownUntil(store: Places & Pick<Store, "read">, now: number): Promise<number> {
  if (store.standby === undefined) return now;
  const replayed = await runCount(store, "replayed", { written: await writtenUntil(store.read) });
  return Math.min(now, replayed ?? now);
}

function asked(job: CountJob): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const worker = countingThread();
    waiting.set(job.id, { resolve, reject });
    worker.ref();
    worker.postMessage(job, []);
  });
}
