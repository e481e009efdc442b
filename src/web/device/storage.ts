/** The device's storage between visits. In-app browsers can block it: then it lasts as long as the page. */
export interface KeyValueStore {
  readonly get: (key: StorageKey) => string | null;
  readonly set: (key: StorageKey, value: string) => void;
  readonly remove: (key: StorageKey) => void;
}

/** All storage keys (spec 000 §3). The device store is one JSON value under the product's name. */
export const storageKeys = [
  "token",
  "refreshToken",
  "tokenAttempt",
  "signupEmail",
  "signupName",
  "config",
  "paymentStatus",
  "paymentRetryUrl",
  "paymentProvider",
  "product",
  "theme",
  "oldOSWarning",
  "questionnaireVersion",
  "questionnaireTarget",
  "questionnaireState",
  "questionnaireRoot",
  "questionnaireReset",
  "questionnaireSkip",
  "discount",
  "coupon",
  "consent",
  "marketingConsentDue",
  "eventSequence",
  "earlyEvents",
  "purchaseReported",
  "hasApp",
  "parlando",
] as const;
export type StorageKey = (typeof storageKeys)[number];

/** Keys of the device, which a logout keeps: its store, event counter, unsent events, and marks for things that happen once per device. */
const ofDevice: readonly StorageKey[] = ["parlando", "oldOSWarning", "eventSequence", "earlyEvents", "purchaseReported"];
/** Keys about a person, which logout and reset clear (spec 000 §4, "Logout or reset"): all but the device's own. */
export const personalKeys: readonly StorageKey[] = storageKeys.filter((key) => !ofDevice.includes(key));

/** Keys about an account's purchase. */
export const purchaseKeys = ["paymentStatus", "paymentRetryUrl", "paymentProvider", "product", "questionnaireSkip"] as const;

export function memoryStore(): KeyValueStore {
  const values = new Map<StorageKey, string>();
  return {
    get: (key) => values.get(key) ?? null,
    set: (key, value) => void values.set(key, value),
    remove: (key) => void values.delete(key),
  };
}

/** Whether the browser blocks its storage, or it is full. Then only this page knows the session, and a page that is loaded does not. */
export let isStorageBlocked = false;

/** Local storage, with memory as a fallback if it is blocked or full. `open` may throw: in some browsers reading `localStorage` throws. */
export function deviceStore(open: () => Storage): KeyValueStore {
  const memory = memoryStore();
  let storage: Storage | null = null;
  try {
    storage = open();
    storage.getItem("parlando");
  } catch {
    // The visit goes on, in memory only.
    storage = null;
    isStorageBlocked = true;
  }
  return {
    get: (key) => memory.get(key) ?? storage?.getItem(key) ?? null,
    set(key, value) {
      try {
        if (storage === null) return memory.set(key, value);
        storage.setItem(key, value);
        memory.remove(key);
      } catch {
        // Full: `get` prefers memory, so the outdated stored value does not count.
        memory.set(key, value);
        isStorageBlocked = true;
      }
    },
    remove(key) {
      memory.remove(key);
      storage?.removeItem(key);
    },
  };
}

/** A stored JSON object, unchecked; empty if there is none. */
export function storedFields(store: KeyValueStore, key: StorageKey): Readonly<Record<string, unknown>> {
  try {
    return Object.assign({}, JSON.parse(store.get(key) ?? "null"));
  } catch {
    // Not JSON: treated as missing.
    return {};
  }
}

/** The question at which this device began. A saved state before that question starts over (spec 001 §4). */
export function storedStart(store: KeyValueStore): number | undefined {
  const start = Number(store.get("questionnaireRoot") ?? Number.NaN);
  return Number.isInteger(start) ? start : undefined;
}

export function saveTokens(store: KeyValueStore, tokens: { readonly token: string; readonly refreshToken: string }): void {
  store.set("token", tokens.token);
  store.set("refreshToken", tokens.refreshToken);
}

export function removeTokens(store: KeyValueStore): void {
  store.remove("token");
  store.remove("refreshToken");
}

/** For the body of a login: the session that it replaces. */
export function replacedSession(store: KeyValueStore): { readonly refreshToken?: string } {
  const refreshToken = store.get("refreshToken");
  return refreshToken === null ? {} : { refreshToken };
}

export function isSignedIn(store: KeyValueStore): boolean {
  return store.get("token") !== null;
}
