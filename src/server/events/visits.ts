/** Visits that the server has known for a while. A program that only signs up has none (decisions 095, 212). */
import { LRUCache } from "lru-cache";
import type { Store } from "../store/store.ts";
import type { World } from "../base/world.ts";

/** Nobody who answers the questions is ready to sign up sooner, ms. */
const shortestVisit = 60_000;
/** Above it, the devices that called longest ago are forgotten. */
const mostDevices = 100_000;
const remembered = 60 * 60_000;

export interface Visits {
  /** Remembers when a device first called. Call it for every call. */
  readonly called: (device: string) => void;
  /** Whether this device's visit began at least a minute ago. */
  readonly isKnown: (device: string | null) => Promise<boolean>;
}

export function createVisits({ store, world }: { readonly store: Store; readonly world: World }): Visits {
  // A visitor who declined statistics has no journey. Each process remembers its own calls.
  // `max` would allocate room for all of them at the start.
  const firstCalls = new LRUCache<string, number>({ maxSize: mostDevices, sizeCalculation: () => 1, ttl: remembered });
  return {
    called: (device) => {
      if (!firstCalls.has(device)) firstCalls.set(device, world.now());
    },
    isKnown: async (device) => {
      if (device === null) return false;
      const before = world.now() - shortestVisit;
      if ((firstCalls.get(device) ?? Number.POSITIVE_INFINITY) < before) return true;
      const journey = await store.read
        .selectFrom("journeys")
        .select("device_id")
        .where("device_id", "=", device)
        .where("started_at", "<", before)
        .executeTakeFirst();
      return journey !== undefined;
    },
  };
}
