/** For tests: a process that kills itself at one of the places where it waits for the database or for somebody outside. */
import type { Queries } from "#server/store/schema.ts";
import type { Store } from "#server/store/store.ts";

/**
 * @param killAt at which of its waits, 1 the first; 0 for none
 * @param killAtCall the same of the waits before and after a call to somebody outside alone
 */
export function countAwaits(store: Store, killAt: number, killAtCall: number): Store {
  let waits = 0;
  let calls = 0;
  const end = () => process.kill(process.pid, "SIGKILL");
  const wait = () => {
    waits += 1;
    if (waits === killAt) end();
  };
  const waitForOthers = () => {
    calls += 1;
    if (calls === killAtCall) end();
    wait();
  };
  const counted = (queries: Queries) =>
    queries.withPlugin({
      transformQuery: ({ node }) => {
        wait();
        return node;
      },
      transformResult: async ({ result }) => {
        wait();
        return result;
      },
    });
  const { fetch } = globalThis;
  globalThis.fetch = async (...request) => {
    waitForOthers();
    const response = await fetch(...request);
    // It is done there, and nobody here knows.
    waitForOthers();
    return response;
  };
  return {
    ...store,
    read: counted(store.read),
    write: async (work) => {
      const result = await store.write((queries) => work(counted(queries)));
      // Durable, and nobody was answered.
      wait();
      return result;
    },
  };
}
