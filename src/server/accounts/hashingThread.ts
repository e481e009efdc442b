/** A worker thread that hashes and compares passwords, one at a time (`hashing.ts`). */
import { hashSync, verifySync } from "@node-rs/argon2";
import { constants, getPriority, platform, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { cost, type HashJob } from "./hashing.ts";

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;
// On Linux a priority belongs to the thread, elsewhere to the whole process. A thread that already has the lowest one keeps it.
if (platform() === "linux") setPriority(0, Math.min(PRIORITY_LOW, getPriority() + PRIORITY_BELOW_NORMAL));

function answerTo(job: HashJob): string | boolean {
  return job.kind === "hash" ? hashSync(job.password, cost) : verifySync(job.hash, job.password);
}

parentPort?.on("message", (job: HashJob) => {
  try {
    parentPort?.postMessage(answerTo(job), []);
  } catch (error) {
    parentPort?.postMessage(error, []);
  }
});
