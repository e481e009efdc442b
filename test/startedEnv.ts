/** The environment of a process that a test starts: nothing of the machine's settings, and the run's compile cache (`scripts/test.ts`). */
const { PATH, NODE_COMPILE_CACHE } = process.env;
export const startedEnv = { PATH, ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }) };
