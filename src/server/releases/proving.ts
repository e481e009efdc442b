/** Has versions proved on a thread: a proof takes up to a second of computing, which no visitor waits for. */
import { Worker } from "node:worker_threads";

export interface Proof {
  /** Screens, branches and ways in words. */
  readonly numbers: string;
  /** A line or more each; none when the version is sound. */
  readonly faults: readonly string[];
  readonly notes: readonly string[];
}

/** What the thread tells, a version at a time. */
export interface Proved {
  readonly version: string;
  readonly proof: Proof;
}

/** Resolves when all are proved and told, or when `signal` ends it. */
export function proveVersions(versions: readonly string[], tell: (proved: Proved) => Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let told = Promise.resolve();
    const worker = new Worker(new URL("provingThread.ts", import.meta.url), { workerData: versions });
    worker.unref();
    worker.on("message", (proved: Proved) => {
      told = told.then(() => (signal.aborted ? undefined : tell(proved)));
      told.catch(reject);
    });
    worker.once("error", reject);
    worker.once("exit", () => void told.then(resolve, reject));
    signal.addEventListener("abort", () => void worker.terminate());
  });
}
