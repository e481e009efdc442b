/** What is kept on the device for nothing but counting: only where that is allowed (§ 25 TDDDG, art. 5 (3) Directive 2002/58/EC; decision 181). */
import { marketingConsentCountries } from "#core/countries.ts";
import { type KeyValueStore, memoryStore } from "./storage.ts";

const countingKeys = ["eventSequence", "earlyEvents", "purchaseReported"] as const;

/** A store whose counting entries live as long as the page while they may not be kept. */
export interface CountingStore extends KeyValueStore {
  /** As the visitor chose; before a choice, where the law asks for none. Not before it is known where the visitor is. */
  readonly mayKeep: () => boolean;
  /** Where the visitor is; null for unknown. */
  readonly locate: (country: string | null) => void;
  /** The visitor has chosen: what there is goes where it may lie now. */
  readonly settle: () => void;
}

export function countingStore(store: KeyValueStore): CountingStore {
  const memory = memoryStore();
  let placeAllows = false;
  // As `analytics/consent.ts` wrote it; reading it whole would cost every first page a parser.
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
