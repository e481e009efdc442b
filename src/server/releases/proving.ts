/** Runs proofs on a thread, because each takes up to a second of CPU time. */
import { Worker } from "node:worker_threads";

export interface Proof {
  /** The numbers of screens, branches and paths, as a sentence. */
  readonly numbers: string;
  /** The findings, at least one line each. Empty when the version is sound. */
  readonly faults: readonly string[];
  readonly notes: readonly string[];
}

/** The thread's message about one version. */
export interface Proved {
  readonly version: string;
  readonly proof: Proof;
}

/** Resolves when all versions are proved, or when `signal` aborts. */
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
