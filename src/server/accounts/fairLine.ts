/** A line that serves those who wait group by group, so that a crowd of one group waits for itself. */
export interface FairLine {
  /** Waits for one's turn; false when the line is full of others, or gave this place to a smaller group. */
  readonly wait: (group: string) => Promise<boolean>;
  /** Lets the next one go; false when nobody waits. */
  readonly next: () => boolean;
  readonly length: () => number;
}

type Answer = (mayGo: boolean) => void;

export function createFairLine(longest: number): FairLine {
  /** Who was served last stands last. */
  const groups = new Map<string, Answer[]>();
  let length = 0;

  /** Makes room for one of `group` at the cost of the largest group, if that stays no smaller. */
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
