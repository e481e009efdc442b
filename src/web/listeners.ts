/** A list of subscribers. `subscribe` fits React's `useSyncExternalStore`. */
export interface Listeners<News extends readonly unknown[]> {
  readonly subscribe: (changed: (...news: News) => void) => () => void;
  readonly notify: (...news: News) => void;
}

export function createListeners<News extends readonly unknown[] = []>(): Listeners<News> {
  const listeners = new Set<(...news: News) => void>();
  return {
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    notify(...news) {
      for (const listener of listeners) listener(...news);
    },
  };
}
