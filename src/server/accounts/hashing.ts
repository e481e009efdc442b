/**
 * Argon2id on threads that give way. A hash keeps a core busy for some 25 ms; the library's own promises would have it done by
 * Node's thread pool, which the system takes as seriously as the thread that answers. Here whoever answers comes first.
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Options } from "@node-rs/argon2";

/** Argon2id is the library's default algorithm. */
export const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const satisfies Options;

export type HashJob =
  | { readonly kind: "hash"; readonly password: string }
  | { readonly kind: "verify"; readonly hash: string; readonly password: string };

/** Threads without work. They are kept for the process, and do not keep it running. */
const idle: Worker[] = [];

async function done(job: HashJob): Promise<unknown> {
  const worker = idle.pop() ?? new Worker(new URL("hashingThread.ts", import.meta.url));
  worker.ref();
  const answered = once(worker, "message");
  worker.postMessage(job, []);
  // A thread that dies rejects this, and is not used again.
  const [answer]: unknown[] = await answered;
  worker.unref();
  idle.push(worker);
  if (answer instanceof Error) throw answer;
  return answer;
}

/** The encoded hash of a password, with today's cost. */
export async function hash(password: string): Promise<string> {
  return String(await done({ kind: "hash", password }));
}

export async function verify(encoded: string, password: string): Promise<boolean> {
  return (await done({ kind: "verify", hash: encoded, password })) === true;
}
