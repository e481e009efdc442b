/** Has numbers counted on a thread with a connection of its own: however many visitors there are, nobody who walks the funnel waits for it. */
import { Worker } from "node:worker_threads";
import type { Store, StorePlace } from "../../store/store.ts";
import type { Count, CountInput, CountOutput } from "./counts.ts";

/** What the thread is asked. */
export interface CountJob<K extends Count = Count> {
  readonly id: number;
  readonly place: StorePlace;
  readonly count: K;
  readonly input: CountInput<K>;
}
/** What it answers; `error` is what went wrong, if anything did. */
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
/** Several operators who look at the same are answered by one count. */
const under = new Map<string, Promise<unknown>>();
let jobs = 0;

/** Begins at the first question; it does not keep the process running. */
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
  // A thread that dies takes with it what it was asked; the next question begins another.
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

/** @returns what `counts[count]` returns, counted elsewhere */
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
