/** A queue that serves groups in turn (round robin), so that a crowd in one group delays only itself. */
export interface FairQueue {
  /** Waits for a turn; false when the queue is full, or when this place was given to a smaller group. */
  readonly wait: (group: string) => Promise<boolean>;
  /** Admits the next one; false when nobody waits. */
  readonly next: () => boolean;
  readonly length: () => number;
}

type Answer = (mayGo: boolean) => void;

export function createFairQueue(longest: number): FairQueue {
  /** In serving order: the group served most recently is last. */
  const groups = new Map<string, Answer[]>();
  let length = 0;

  /** Evicts one of the largest group for one of `group`, if `group` stays smaller. */
  function makeRoom(group: string): boolean {
    const [largest] = [...groups].toSorted(([, one], [, other]) => other.length - one.length);
    if (largest === undefined || largest[1].length <= (groups.get(group)?.length ?? 0) + 1) return false;
    length--;
    largest[1].pop()?.(false);
    return true;
  }

  return {
    wait: async (group) => {
      if (length >= longest && !makeRoom(group)) return false;
      return new Promise((resolve) => {
        groups.set(group, [...(groups.get(group) ?? []), resolve]);
        length++;
      });
    },
    next: () => {
      const [first] = groups;
      if (first === undefined) return false;
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
