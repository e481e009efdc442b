import { describe, expect, it } from "vitest";
import { countingStore } from "./counting.ts";
import { memoryStore } from "./storage.ts";

const choice = (analytics: boolean) => JSON.stringify({ categories: { functional: true, analytics, marketing: true } });

describe("entries that only serve counting", () => {
  it.each([
    ["nobody knows where", null, null, false],
    ["Germany", "DE", null, false],
    ["Brazil", "BR", null, false],
    ["Mexico", "MX", null, true],
    ["Germany, allowed", "DE", choice(true), true],
    ["Germany, refused", "DE", choice(false), false],
    ["Mexico, refused", "MX", choice(false), false],
  ])("are stored on a device in %s: %s %s → %s", (_name, country, consent, expected) => {
    const store = memoryStore();
    if (consent !== null) store.set("consent", consent);
    const counting = countingStore(store);
    counting.locate(country);
    counting.set("eventSequence", "1");
    expect([counting.get("eventSequence"), store.get("eventSequence"), counting.mayKeep()]).toEqual(["1", expected ? "1" : null, expected]);
  });

  it("stay in memory until the country is known", () => {
    const store = memoryStore();
    const counting = countingStore(store);
    counting.set("earlyEvents", "[1]");
    expect([counting.get("earlyEvents"), store.get("earlyEvents")]).toEqual(["[1]", null]);
    counting.locate("MX");
    expect([counting.get("earlyEvents"), store.get("earlyEvents")]).toEqual(["[1]", "[1]"]);
  });

  it("that do not exist are not stored either", () => {
    const store = memoryStore();
    const stored: unknown[] = [];
    const counting = countingStore({ ...store, set: (...entry) => void stored.push(entry) });
    counting.locate("MX");
    expect(stored).toEqual([]);
  });

  it("leave storage after a refusal, and return with permission", () => {
    const store = memoryStore();
    const counting = countingStore(store);
    counting.locate("MX");
    counting.set("eventSequence", "1");
    store.set("consent", choice(false));
    counting.settle();
    expect([counting.get("eventSequence"), store.get("eventSequence")]).toEqual(["1", null]);
    store.set("consent", choice(true));
    counting.settle();
    expect([counting.get("eventSequence"), store.get("eventSequence")]).toEqual(["1", "1"]);
    counting.remove("eventSequence");
    expect([counting.get("eventSequence"), store.get("eventSequence")]).toEqual([null, null]);
  });
});
