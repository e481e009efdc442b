/** Turns at rendering, for pages and for the modules of older releases (decision 094). */
import { createFairQueue } from "./accounts/fairQueue.ts";
import { createRecentAsks } from "./accounts/recentAsks.ts";
import { siteOf } from "./base/visitor.ts";

/** No visit needs this many pages that are not cached. Networks that have lately asked for more wait behind the others. */
const mostRecentPages = 10;

export interface Turns {
  /** Waits for the network's turn, and then renders. */
  readonly make: <T>(network: string, make: () => Promise<T>) => Promise<T>;
  /** Whether somebody waits. */
  readonly isBusy: () => boolean;
}

/**
 * Renders one page at a time and lets all other waiting work run first, because rendering occupies the whole process. Networks take turns, so that
 * whoever asks for many pages waits for them alone. With hundreds of such networks a turn would take seconds, so they wait in a lane of their own.
 */
export function createTurns(): Turns {
  const line = createFairQueue(Infinity, 2);
  const recentPages = createRecentAsks();
  let rendering = false;
  return {
    make: async (network, make) => {
      const group = siteOf(network);
      const lane = recentPages(group) > mostRecentPages ? 1 : 0;
      if (rendering) await line.wait(group, lane);
      rendering = true;
      try {
        await new Promise((resolve) => setImmediate(resolve));
        return await make();
      } finally {
        rendering = line.next();
      }
    },
    isBusy: () => line.length() > 0,
  };
}
