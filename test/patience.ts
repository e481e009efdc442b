/**
 * How long tests wait, ms: only one that hangs waits so long. However busy the machine is, no time limit decides whether a test passes;
 * what is measured is counted, or CPU time. The runners' configurations have these as their defaults: tests name no limits of their own.
 */
export const hangingTest = 20 * 60_000;
export const hangingWait = 5 * 60_000;
