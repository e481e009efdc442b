/** Lets work in while what is inside weighs at most `most`. The rest waits in line. */
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
