/** Stores entries that only serve counting, if the law or the visitor allows it (§ 25 TDDDG, art. 5 (3) Directive 2002/58/EC; decision 181). */
import { marketingConsentCountries } from "#core/countries.ts";
import { type KeyValueStore, memoryStore } from "./storage.ts";

const countingKeys = ["eventSequence", "earlyEvents", "purchaseReported"] as const;

/** A store that keeps counting entries only in memory while they may not be stored. */
export interface CountingStore extends KeyValueStore {
  /** The visitor's choice; before a choice, whether the country requires none. False until the country is known. */
  readonly mayKeep: () => boolean;
  /** Sets the visitor's country; null if unknown. */
  readonly locate: (country: string | null) => void;
  /** To be called after a choice: moves the entries to storage or to memory. */
  readonly settle: () => void;
}

export function countingStore(store: KeyValueStore): CountingStore {
  const memory = memoryStore();
  let placeAllows = false;
  // Searches the JSON of `analytics/consent.ts` as text: a validator would delay every first page.
  const mayKeep = () => store.get("consent")?.includes('"analytics":true') ?? placeAllows;
  const self: CountingStore = {
    mayKeep,
    get: (key) => memory.get(key) ?? store.get(key),
    set(key, value) {
      self.remove(key);
      (mayKeep() ? store : memory).set(key, value);
    },
    remove(key) {
      memory.remove(key);
      store.remove(key);
    },
    locate(country) {
      placeAllows = country !== null && !marketingConsentCountries.has(country);
      self.settle();
    },
    settle() {
      for (const key of countingKeys) {
        const value = self.get(key);
        if (value !== null) self.set(key, value);
      }
    },
  };
  return self;
}
