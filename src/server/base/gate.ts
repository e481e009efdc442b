/** Runs work while the running work weighs at most `most` in total. Further work waits in line. */
export function createGate(most: number): <T>(weight: number, work: () => Promise<T>) => Promise<T> {
  const waiting: { readonly weight: number; readonly enter: () => void }[] = [];
  let inside = 0;

  function admit(): void {
    for (let next = waiting[0]; next !== undefined && (inside === 0 || inside + next.weight <= most); next = waiting[0]) {
      waiting.shift();
      inside += next.weight;
      next.enter();
    }
  }

  return async (weight, work) => {
    await new Promise<void>((enter) => {
      waiting.push({ weight, enter });
      admit();
    });
    try {
      return await work();
    } finally {
      inside -= weight;
      admit();
    }
  };
}

/** A gate for each group: at most `most` works of a group run at the same time, and the rest wait for their own group only. */
export function createGates(most: number): <T>(group: string, work: () => Promise<T>) => Promise<T> {
  const gates = new Map<string, { readonly gate: ReturnType<typeof createGate>; users: number }>();
  return async (group, work) => {
    const own = gates.get(group) ?? { gate: createGate(most), users: 0 };
    gates.set(group, own);
    own.users++;
    try {
      return await own.gate(1, work);
    } finally {
      own.users--;
      if (own.users === 0) gates.delete(group);
    }
  };
}
