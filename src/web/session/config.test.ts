import type { Locale } from "#core/locales.ts";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { fetchConfig, identify, knownVersion } from "./config.ts";
import { expectsPlan, learnAddress, saveSession } from "../device/cachedConfig.ts";
import { openDevice } from "../device/device.ts";
import { fakeApi } from "./fakeApi.ts";
import { type KeyValueStore, memoryStore, storedFields } from "../device/storage.ts";

const uuid = "8a0b6c0e-0f55-4d5c-8f0b-1a2b3c4d5e6f";
const config = (questionnaireVersion = "76") => ({ uuid, questionnaireVersion, completed: false, entitlementExists: false });
const accountUuid = "1a0b6c0e-0f55-4d5c-8f0b-1a2b3c4d5e6f";
const day = 24 * 60 * 60 * 1000;

/** Opens a page with a query and requests its configuration. */
async function openPage(store: KeyValueStore, locale: Locale, query = "", version = "76") {
  openDevice(store, locale, new URLSearchParams(query), () => "d");
  const api = fakeApi({ config: () => config(version) });
  const { questionnaireVersion } = await fetchConfig(api, store, { locale });
  return { asked: api.calls.map(([, input]) => input), questionnaireVersion };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("the configuration call", () => {
  test("sends English as Latin American Spanish, and every other locale unchanged (spec 000 §7)", async () => {
    expect((await openPage(memoryStore(), "en-US")).asked).toEqual([{ version: "v5.7.8", uiLanguage: "es-419" }]);
    expect((await openPage(memoryStore(), "pt-BR")).asked).toEqual([{ version: "v5.7.8", uiLanguage: "pt-BR" }]);
  });

  test("sends campaign, version and advertisement of the campaign link", async () => {
    expect((await openPage(memoryStore(), "es-419", "cid=spring&vid=83&adid=a1")).asked).toEqual([
      { version: "v5.7.8", uiLanguage: "es-419", campaignId: "spring", versionId: "83", advertisementId: "a1" },
    ]);
  });

  test("is shared by simultaneous requests, except by a fresh one", async () => {
    const api = fakeApi({ config: () => config() });
    const store = memoryStore();
    const ask = (fresh: boolean) => fetchConfig(api, store, { locale: "es-419", fresh });
    expect(await Promise.all([ask(false), ask(false), ask(true)])).toEqual([config(), config(), config()]);
    expect(api.calls).toHaveLength(2);
  });
});

describe("the cached configuration", () => {
  test("is valid for a day, on every page of the same language", async () => {
    const store = memoryStore();
    await openPage(store, "es-419", "cid=spring");
    vi.advanceTimersByTime(day - 1);
    expect((await openPage(store, "es-419")).asked).toEqual([]);
    vi.advanceTimersByTime(1);
    expect((await openPage(store, "es-419")).asked).toHaveLength(1);
  });

  test.each(["vid=84", "cid=spring", "adid=a1"])("is requested again after a link with %s", async (query) => {
    const store = memoryStore();
    await openPage(store, "es-419", "vid=83&cid=winter&adid=a0");
    expect((await openPage(store, "es-419", query)).asked).toHaveLength(1);
    expect((await openPage(store, "es-419")).asked).toEqual([]);
  });

  test("is requested again in another language", async () => {
    const store = memoryStore();
    await openPage(store, "es-419");
    expect((await openPage(store, "de-DE", "", "83")).questionnaireVersion).toBe("83");
  });

  test.each([
    ["names a version that was retired", { ...config("77"), asked: { locale: "es-419" }, at: 0 }],
    ["was kept by a clock that has been put back", { ...config(), asked: { locale: "es-419" }, at: Date.now() + 10 * day }],
    ["does not say what it answers, as an older build kept it", config()],
    ["is none", "{]"],
  ])("is requested again when it %s", async (_name, kept) => {
    const store = memoryStore();
    const at = typeof kept === "object" && "at" in kept && kept.at === 0 ? { at: Date.now() } : {};
    store.set("config", typeof kept === "string" ? kept : JSON.stringify({ ...kept, ...at }));
    expect(await openPage(store, "es-419")).toMatchObject({ asked: [{ uiLanguage: "es-419" }], questionnaireVersion: "76" });
  });

  function signedIn() {
    const store = memoryStore();
    openDevice(store, "es-419", new URLSearchParams(), () => "d");
    refreshed(store);
    return store;
  }
  function refreshed(store: KeyValueStore, version = "83") {
    const features = { questionnaire: { version, completed: true, entitlementExists: true } };
    const user = { uuid: accountUuid, email: "ana@example.com", firstname: null };
    saveSession(store, { token: "t", refreshToken: "r", backendUrl: "", user, features });
  }

  test.each([
    ["a campaign's link", "es-419", "cid=spring"],
    ["another language", "de-DE", ""],
  ] as const)("of an account keeps its id and flags: %s only chooses the version anew (decision 034)", async (_name, locale, query) => {
    const store = signedIn();
    expect(await openPage(store, locale, query, "91")).toMatchObject({ asked: [{}], questionnaireVersion: "91" });
    const account = { uuid: accountUuid, completed: true, entitlementExists: true };
    expect(storedFields(store, "config")).toMatchObject({ ...account, questionnaireVersion: "91" });
    expect(expectsPlan(store)).toBe(true);
    expect((await openPage(store, locale)).asked).toEqual([]);
  });

  test("of an account keeps the version that a campaign's link has chosen through refreshes, until the account has another one", async () => {
    const store = signedIn();
    openDevice(store, "es-419", new URLSearchParams("vid=91"), () => "d");
    // The page's first call may renew the tokens before the link's version is asked for.
    refreshed(store);
    expect(await openPage(store, "es-419", "vid=91", "91")).toMatchObject({ asked: [{ versionId: "91" }], questionnaireVersion: "91" });
    refreshed(store);
    expect(await openPage(store, "es-419")).toEqual({ asked: [], questionnaireVersion: "91" });
    refreshed(store, "76");
    expect(await openPage(store, "es-419")).toEqual({ asked: [], questionnaireVersion: "76" });
  });

  test("of an account comes with login and refresh, and is not requested after a day", async () => {
    const store = signedIn();
    vi.advanceTimersByTime(2 * day);
    expect(await openPage(store, "es-419")).toEqual({ asked: [], questionnaireVersion: "83" });
    expect(await fetchConfig(fakeApi({}), store, { locale: "es-419" })).toEqual({
      uuid: accountUuid,
      questionnaireVersion: "83",
      completed: true,
      entitlementExists: true,
    });
  });
});

test("a plan is expected if the account had one at the last login or refresh", () => {
  const store = memoryStore();
  const expected = (kept: string) => {
    store.set("config", kept);
    return expectsPlan(store);
  };
  expect(expectsPlan(store)).toBe(false);
  const logIn = (entitlementExists: boolean) => {
    const features = { questionnaire: { version: "83", completed: true, entitlementExists } };
    const user = { uuid, email: "ana@example.com", firstname: null };
    saveSession(store, { token: "t", refreshToken: "r", backendUrl: "", user, features });
    return expectsPlan(store);
  };
  expect([logIn(true), logIn(false)]).toEqual([true, false]);
  expect(["{]", JSON.stringify({ entitlementExists: true })].map(expected)).toEqual([false, false]);
});

test("a refresh after a change of address gives the stored answers the new one, but not another account's answers", () => {
  const features = { questionnaire: { version: "83", completed: true, entitlementExists: true } };
  const shownTo = (ofAnswers: string) => {
    const store = memoryStore();
    store.set("questionnaireState", JSON.stringify({ id: "90", user: { uuid: ofAnswers, email: "old@example.com", firstname: "Ana" } }));
    saveSession(store, {
      token: "t",
      refreshToken: "r",
      backendUrl: "",
      user: { uuid, email: "new@example.com", firstname: null },
      features,
    });
    return storedFields(store, "questionnaireState");
  };
  expect(shownTo(uuid)).toEqual({ id: "90", user: { uuid, email: "new@example.com", firstname: "Ana" } });
  expect(shownTo("another")).toMatchObject({ user: { email: "old@example.com" } });
});

test("an unknown version is replaced by the locale's default (spec 000 §5)", () => {
  expect((["es-419", "pt-BR", "de-DE"] as const).map((locale) => knownVersion("77", locale))).toEqual(["76", "78", "83"]);
  expect([knownVersion(undefined, "it-IT"), knownVersion("aimx", "it-IT")]).toEqual(["83", "aimx"]);
});

describe("a visitor without an id", () => {
  const identified = async (store: KeyValueStore, user: { readonly uuid?: string }, locale: Locale = "es-419") => {
    const api = fakeApi({ config: () => config() });
    const events: unknown[] = [];
    const snapshot = () => ({ context: { locale }, state: { user } });
    await identify({ snapshot, dispatch: (event) => void events.push(event) }, api, store);
    return { events, asked: api.calls.map(([, input]) => input) };
  };

  test("gets the configuration's, requested in their language", async () => {
    expect(await identified(memoryStore(), {}, "pt-BR")).toEqual({
      events: [{ type: "setUser", user: { uuid } }],
      asked: [{ version: "v5.7.8", uiLanguage: "pt-BR" }],
    });
  });

  test("keeps none while signed in, and another one never changes", async () => {
    const store = memoryStore();
    expect((await identified(store, { uuid: "mine" })).events).toEqual([]);
    store.set("token", "h.e30.s");
    expect((await identified(store, {})).events).toEqual([]);
  });
});

test("a changed address replaces the account's former address in the forms too, but not another address that was typed", () => {
  const prefilled = (typed: string) => {
    const store = memoryStore();
    store.set("config", JSON.stringify({ ...config(), email: "old@example.com" }));
    store.set("signupEmail", typed);
    learnAddress(store, "new@example.com");
    return [store.get("signupEmail"), storedFields(store, "config")["email"]];
  };
  expect(prefilled("old@example.com")).toEqual(["new@example.com", "new@example.com"]);
  expect(prefilled("friend@example.com")).toEqual(["friend@example.com", "new@example.com"]);
});
