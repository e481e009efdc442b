/** For tests: makes a process kill itself at a chosen await of the database or of an outside service. */
import type { Queries } from "#server/store/schema.ts";
import type { Store } from "#server/store/store.ts";

/**
 * @param killAt the number of the await at which the process ends, from 1; 0 for never
 * @param killAfter part of a URL: the process ends after a request to it that is not a GET
 */
export function countAwaits(store: Store, killAt: number, killAfter: string): Store {
  if (killAt === 0 && killAfter === "") return store;
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
    // The outside service has done its work, but this process never learns of it.
    if (killAfter !== "" && method !== "GET" && url.includes(killAfter)) end();
    wait();
    return response;
  };
  return {
    ...store,
    read: counted(store.read),
    write: async (work) => {
      const result = await store.write((queries) => work(counted(queries)));
      // The write is durable but not acknowledged.
      wait();
      return result;
    },
  };
}
