/** Runs counts on a thread with its own database connection, so that no visitor waits for them. */
import { Worker } from "node:worker_threads";
import type { Store, StorePlace } from "../../store/store.ts";
import type { Count, CountInput, CountOutput } from "./counts.ts";

/** A request to the thread. */
export interface CountJob<K extends Count = Count> {
  readonly id: number;
  readonly place: StorePlace;
  readonly count: K;
  readonly input: CountInput<K>;
}
/** The thread's answer; `error` is null on success. */
export interface CountAnswer {
  readonly id: number;
  readonly output: unknown;
  readonly error: unknown;
}

interface Waiting {
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: unknown) => void;
}
let thread: Worker | null = null;
const waiting = new Map<number, Waiting>();
/** Counts in progress: operators who ask for the same share one. */
const under = new Map<string, Promise<unknown>>();
let jobs = 0;

/** Starts with the first request. It does not keep the process alive. */
function threadThatCounts(): Worker {
  if (thread !== null) return thread;
  const worker = new Worker(new URL("countingThread.ts", import.meta.url));
  worker.on("message", ({ id, output, error }: CountAnswer) => {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) worker.unref();
    if (error === null) asked?.resolve(output);
    else asked?.reject(error);
  });
  // When the thread dies, its requests fail; the next request starts a new thread.
  const lost = (error: unknown) => {
    if (thread === worker) thread = null;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.on("error", lost);
  worker.on("exit", () => lost(new Error("The thread that counts has ended.")));
  thread = worker;
  return worker;
}

/** Runs `counts[count]` on the thread. */
export async function counted<K extends Count>({ place }: Pick<Store, "place">, count: K, input: CountInput<K>): Promise<CountOutput<K>> {
  const key = JSON.stringify([place, count, input]);
  let answer = under.get(key);
  if (answer === undefined) {
    answer = asked({ id: (jobs += 1), place, count, input }).finally(() => under.delete(key));
    under.set(key, answer);
  }
  return (await answer) as CountOutput<K>;
}

function asked(job: CountJob): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const worker = threadThatCounts();
    waiting.set(job.id, { resolve, reject });
    worker.ref();
    worker.postMessage(job, []);
  });
}
