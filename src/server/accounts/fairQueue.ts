/**
 * A queue with lanes: everybody in an earlier lane is served before a later lane. Within a lane, groups are served in turn (round robin), so that a
 * crowd in one group delays only itself.
 */
export interface FairQueue {
  /** Waits for a turn. False when the queue is full, or when this place was given to somebody with priority. */
  readonly wait: (group: string, lane: number) => Promise<boolean>;
  /** Admits the next one; false when nobody waits. */
  readonly next: () => boolean;
  readonly length: () => number;
}

type Answer = (mayGo: boolean) => void;
/** In serving order: the group served most recently is last. */
type Groups = Map<string, Answer[]>;

export function createFairQueue(longest: number, laneCount: number): FairQueue {
  const lanes: readonly Groups[] = Array.from({ length: laneCount }, (): Groups => new Map());
  let length = 0;
  const laneAt = (lane: number): Groups => {
    const found = lanes[lane];
    if (found === undefined) throw new Error(`There is no lane ${lane}`);
    return found;
  };

  /** Evicts the last one of the largest group in the last lane, to make room for an earlier lane or for a group that stays smaller. */
  function makeRoom(group: string, lane: number): boolean {
    const last = lanes.findLastIndex(({ size }) => size > 0);
    if (last < lane) return false;
    const [largest] = [...laneAt(last)].toSorted(([, one], [, other]) => other.length - one.length);
    if (largest === undefined) return false;
    const [name, waiting] = largest;
    if (last === lane && waiting.length <= (laneAt(lane).get(group)?.length ?? 0) + 1) return false;
    length--;
    waiting.pop()?.(false);
    if (waiting.length === 0) laneAt(last).delete(name);
    return true;
  }

  return {
    wait: async (group, lane) => {
      if (length >= longest && !makeRoom(group, lane)) return false;
      return new Promise((resolve) => {
        const groups = laneAt(lane);
        const waiting = groups.get(group);
        if (waiting === undefined) groups.set(group, [resolve]);
        else waiting.push(resolve);
        length++;
      });
    },
    next: () => {
      const groups = lanes.find(({ size }) => size > 0);
      const [first] = groups ?? [];
      if (groups === undefined || first === undefined) return false;
      const [group, waiting] = first;
      groups.delete(group);
      if (waiting.length > 1) groups.set(group, waiting);
      length--;
      waiting.shift()?.(true);
      return true;
    },
    length: () => length,
  };
}
