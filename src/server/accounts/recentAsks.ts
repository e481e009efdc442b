/** Counts what each network or account has asked for in the last ten to twenty minutes, by a clock that never goes back. */

const lately = 10 * 60_000;
/** The most networks counted. Above it, the older counts are dropped. */
const mostNetworks = 100_000;

/** @returns a function that counts one more (or `more`), and returns the number of recent ones */
export function createRecentAsks(): (asker: string, more?: number) => number {
  let [current, before] = [new Map<string, number>(), new Map<string, number>()];
  let since = performance.now();
  return (asker, more = 1) => {
    const now = performance.now();
    const passed = now - since;
    if (passed >= lately || current.size >= mostNetworks) {
      before = passed >= 2 * lately ? new Map() : current;
      current = new Map();
      since = now;
    }
    const asked = (current.get(asker) ?? 0) + more;
    current.set(asker, asked);
    return asked + (before.get(asker) ?? 0);
  };
}
