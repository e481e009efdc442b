/**
 * Time limits of tests, ms. They are long, so that only a hanging test reaches them: on a busy machine no time limit decides a result. Tests measure
 * counts or CPU time instead. The runners use these limits by default, and tests set none of their own.
 */
import { availableParallelism } from "node:os";

export const hangingTest = 20 * 60_000;
export const hangingWait = 5 * 60_000;

/** Number of parallel tests. Most wait for a database, a process or a page, so two cores can run eight. */
export const testWorkers = Math.max(8, availableParallelism());
/** Number of parallel browser journeys. They wait for fades as well: with eight, the cores were idle for a third of the time. */
export const journeyWorkers = Math.max(12, availableParallelism());
