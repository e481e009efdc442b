/**
 * Argon2id on low-priority threads. A hash occupies a core for about 25 ms. The library's own promises run on Node's thread pool, which
 * competes with the main thread at equal priority; with low-priority threads, answering requests comes first.
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Options } from "@node-rs/argon2";

/** Argon2id is the library's default. */
export const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const satisfies Options;

export type HashJob =
  | { readonly kind: "hash"; readonly password: string }
  | { readonly kind: "verify"; readonly hash: string; readonly password: string };

/** Idle threads. They are reused, and do not keep the process alive. */
const idle: Worker[] = [];

async function done(job: HashJob): Promise<unknown> {
  const worker = idle.pop() ?? new Worker(new URL("hashingThread.ts", import.meta.url));
  worker.ref();
  const answered = once(worker, "message");
  worker.postMessage(job, []);
  // Rejects when the thread dies; that thread is not reused.
  const [answer]: unknown[] = await answered;
  worker.unref();
  idle.push(worker);
  if (answer instanceof Error) throw answer;
  return answer;
}

/** The encoded hash of a password, at the current cost. */
export async function hash(password: string): Promise<string> {
  return String(await done({ kind: "hash", password }));
}

export async function verify(encoded: string, password: string): Promise<boolean> {
  return (await done({ kind: "verify", hash: encoded, password })) === true;
}
