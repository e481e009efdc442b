/** For tests: a process that kills itself at one of the places where it waits for the database or for somebody outside. */
import type { Queries } from "#server/store/schema.ts";
import type { Store } from "#server/store/store.ts";

/**
 * @param killAt at which of its waits, 1 the first; 0 for none
 * @param killAfter part of an address: ends after something was changed there
 */
export function countAwaits(store: Store, killAt: number, killAfter: string): Store {
  let waits = 0;
  const end = () => process.kill(process.pid, "SIGKILL");
  const wait = () => {
    waits += 1;
    if (waits === killAt) end();
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
    wait();
    const response = await fetch(...request);
    const [input, init] = request;
    const { url, method = "GET" } = input instanceof Request ? input : { url: String(input), method: init?.method };
    // It is done there, and nobody here knows.
    if (killAfter !== "" && method !== "GET" && url.includes(killAfter)) end();
    wait();
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
