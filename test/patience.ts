/**
 * How long tests wait, ms: only one that hangs waits so long. However busy the machine is, no time limit decides whether a test passes;
 * what is measured is counted, or CPU time. The runners' configurations have these as their defaults: tests name no limits of their own.
 */
import { availableParallelism } from "node:os";

export const hangingTest = 20 * 60_000;
export const hangingWait = 5 * 60_000;

/** How many tests run at once: most wait for a database, a process or a page, so two cores have time for six. */
export const testWorkers = Math.max(6, availableParallelism());
