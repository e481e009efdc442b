import { describe, expect, test, vi } from "vitest";
import { localDate, localTimeZone, openDevice, platformOf, readDevice, saveDevice } from "./device.ts";
import { deviceStore, isStorageBlocked, memoryStore } from "./storage.ts";
import { storeLinkFor } from "./storeLink.ts";

describe("the device", () => {
  test("gets one id and keeps it", () => {
    const store = memoryStore();
    let made = 0;
    const uuid = () => `device-${(made += 1)}`;
    openDevice(store, "es-419", new URLSearchParams(), uuid);
    expect(openDevice(store, "de-DE", new URLSearchParams(), uuid)).toMatchObject({ deviceUuid: "device-1", locale: "de-DE" });
    expect(store.get("parlando")).toContain("device-1");
  });

  test("remembers its campaign link's ids; a later link replaces them, a visit without one keeps them", () => {
    const store = memoryStore();
    openDevice(store, "es-419", new URLSearchParams("cid=spring&adid=a1&other=x"), () => "d");
    openDevice(store, "es-419", new URLSearchParams("cid=summer"), () => "d");
    expect(openDevice(store, "es-419", new URLSearchParams(), () => "d")).toEqual({
      deviceUuid: "d",
      locale: "es-419",
      cid: "summer",
      adid: "a1",
    });
  });

  test("cuts an id to the server's limit", () => {
    const query = new URLSearchParams({ cid: "c".repeat(300) });
    expect(openDevice(memoryStore(), "es-419", query, () => "d").cid).toBe("c".repeat(255));
  });

  test("is created anew if the stored value is not a device", () => {
    const store = memoryStore();
    store.set("parlando", "[1]");
    expect(openDevice(store, "es-419", new URLSearchParams(), () => "new").deviceUuid).toBe("new");
  });

  test("has the specification's fields and drops others (spec 000 §3)", () => {
    const store = memoryStore();
    const device = {
      backendUrlWeb: "https://api.example",
      country: "AR",
      locale: "es-419",
      deviceUuid: "d",
      vid: "83",
      cid: "spring",
      adid: "a1",
      brazeUserId: "anon-user",
      brazeInAppMessage: true,
    };
    store.set("parlando", JSON.stringify({ ...device, colour: "red" }));
    expect(readDevice(store)).toEqual(device);
    store.set("parlando", JSON.stringify({ deviceUuid: "d", country: 5, locale: "xx", vid: null, brazeInAppMessage: "true" }));
    expect(readDevice(store)).toEqual({ deviceUuid: "d" });
  });

  test("keeps geo's response", () => {
    const store = memoryStore();
    saveDevice(store, { deviceUuid: "d", country: "AR", backendUrlWeb: "https://api.example" });
    expect(readDevice(store)).toMatchObject({ country: "AR", backendUrlWeb: "https://api.example" });
  });
});

test.each([
  ["Mozilla/5.0 (Linux; Android 14; Pixel 8) Instagram 300", 5, "android"],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)", 5, "apple"],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)", 5, "apple"],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)", 0, "other"],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)", 1, "other"],
  ["Mozilla/5.0 (X11; Linux x86_64)", 0, "other"],
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64)", 10, "other"],
] as const)("%s with %i touch points is %s", (userAgent, touchPoints, platform) => {
  expect(platformOf(userAgent, touchPoints)).toBe(platform);
});

test("the store's link is that of the platform, or the only one", () => {
  const [android, apple] = ["https://play.example", "https://apps.example"];
  const links = { android, apple };
  expect((["android", "apple", "other"] as const).map((platform) => storeLinkFor(links, platform))).toEqual([android, apple, apple]);
  expect([storeLinkFor({ android: null, apple }, "android"), storeLinkFor({ android, apple: null }, "apple")]).toEqual([apple, android]);
});

test("the time zone is the device's, or UTC if its name is unknown", () => {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  expect(localTimeZone()).toBe(timeZone);
  const options = new Intl.DateTimeFormat().resolvedOptions();
  vi.spyOn(Intl.DateTimeFormat.prototype, "resolvedOptions").mockReturnValue({ ...options, timeZone: "Mars/Olympus" });
  expect(localTimeZone()).toBe("UTC");
});

test("today is the device's own date", () => {
  expect(localDate(new Date(2026, 0, 5, 23, 59))).toBe("2026-01-05");
});

test("a value that fits into storage again removes the copy in memory", () => {
  const kept = new Map<string, string>();
  let full = true;
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (full) throw new DOMException("full", "QuotaExceededError");
      kept.set(key, value);
    },
    removeItem: (key: string) => void kept.delete(key),
    clear: () => {},
    key: () => null,
    length: 0,
  };
  const store = deviceStore(() => storage);
  expect(isStorageBlocked).toBe(false);
  store.set("theme", "Kosmo");
  // A page that is loaded now would not know the value.
  expect(isStorageBlocked).toBe(true);
  full = false;
  store.set("theme", "parlando");
  kept.set("theme", "HablaIngles");
  expect(store.get("theme")).toBe("HablaIngles");
});
