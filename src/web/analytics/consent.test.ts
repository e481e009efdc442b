import { allGrants, consentTextVersion, noGrants } from "#core/consent.ts";
import { marketingConsentCountries } from "#core/countries.ts";
import { describe, expect, test, vi } from "vitest";
import { fakeApi } from "../session/fakeApi.ts";
import { memoryStore } from "../device/storage.ts";
import { createConsent } from "./consent.ts";

const some = { functional: true, analytics: false, marketing: false };

function visit({ store = memoryStore(), at = "2026-11-20T10:00:00Z", online = true, refuses = false } = {}) {
  let n = 0;
  let connected = online;
  const api = fakeApi({
    consent: () => {
      if (!connected) throw new Error("offline");
      return {};
    },
  });
  const consent = createConsent({
    store,
    api,
    now: () => new Date(at),
    uuid: () => `00000000-0000-4000-8000-00000000000${(n += 1)}`,
    refuses,
  });
  return { consent, store, api, connect: () => (connected = true) };
}

describe("consent", () => {
  test.each([...marketingConsentCountries, null])(
    "in %s nothing is allowed before the visitor has chosen, and the banner asks",
    (country) => {
      const { consent } = visit();
      consent.locate(country);
      expect([consent.grants(), consent.asks()]).toEqual([noGrants, true]);
    },
  );

  test.each(["MX", "AR", "US", "CO"])("in %s everything is allowed until the visitor objects, and no banner asks", (country) => {
    const { consent } = visit();
    consent.locate(country);
    expect([consent.grants(), consent.asks()]).toEqual([allGrants, false]);
    consent.choose(noGrants, "settings");
    expect(consent.grants()).toEqual(noGrants);
  });

  test("without a banner, Global Privacy Control refuses advertising and is recorded as the source", async () => {
    const { consent, api, store } = visit({ refuses: true });
    consent.locate("US");
    await consent.record();
    const withoutAds = { functional: true, analytics: true, marketing: false };
    expect([consent.grants(), consent.asks()]).toEqual([withoutAds, false]);
    expect(api.calls).toMatchObject([["consent", { source: "gpc", categories: withoutAds }]]);
    // Another page of the same visit records nothing new.
    const later = visit({ store, refuses: true });
    later.consent.locate("US");
    await later.consent.record();
    expect(later.api.calls).toEqual([]);
  });

  test("with a banner, Global Privacy Control overrules a yes to advertising, given before or after", async () => {
    const { consent, api } = visit({ refuses: true });
    consent.locate("DE");
    expect([consent.grants(), consent.asks()]).toEqual([noGrants, true]);
    consent.choose(allGrants, "banner");
    await consent.record();
    expect(consent.grants()).toEqual({ ...allGrants, marketing: false });
    expect(api.calls).toMatchObject([["consent", { source: "gpc" }]]);

    const store = memoryStore();
    visit({ store }).consent.choose(allGrants, "settings");
    const since = visit({ store, refuses: true });
    since.consent.locate("US");
    expect(since.consent.grants()).toEqual({ ...allGrants, marketing: false });
    expect(JSON.parse(store.get("consent") ?? "{}")).toMatchObject({ source: "gpc", categories: { marketing: false } });
  });

  test("nothing is allowed or asked until the country is known", () => {
    const { consent } = visit();
    expect([consent.grants(), consent.asks()]).toEqual([noGrants, false]);
  });

  test("consent is settled by a choice, or by a country that asks nobody, but not before the country is known", () => {
    const settled = (country: string) => {
      const { consent } = visit();
      const steps = [consent.settled()];
      consent.locate(country);
      steps.push(consent.settled());
      consent.choose(noGrants, "banner");
      return [...steps, consent.settled()];
    };
    expect([settled("MX"), settled("DE")]).toEqual([
      [false, true, true],
      [false, false, true],
    ]);
  });

  test("a refusal is remembered six months, then asked again", () => {
    const { consent, store } = visit();
    consent.choose(noGrants, "banner");
    for (const [at, asks] of [
      ["2026-11-21T00:00:00Z", false],
      ["2027-05-20T09:59:00Z", false],
      ["2027-05-20T10:00:00Z", true],
    ] as const) {
      const later = visit({ store, at }).consent;
      later.locate("DE");
      expect([at, later.asks(), later.grants()]).toEqual([at, asks, noGrants]);
    }
  });

  test("a choice for an older wording, or an unreadable one, is asked for again", () => {
    for (const kept of [
      '{"id":"00000000-0000-4000-8000-000000000001","at":"2026-11-19T10:00:00.000Z","textVersion":"2025-01-01","categories":{"functional":true,"analytics":true,"marketing":true},"source":"banner","recorded":true}',
      "{broken",
    ]) {
      const store = memoryStore();
      store.set("consent", kept);
      const { consent } = visit({ store });
      consent.locate("DE");
      expect([consent.asks(), consent.grants()]).toEqual([true, noGrants]);
      // Nothing else reads it as a yes.
      expect(store.get("consent")).toBeNull();
    }
  });

  test("a choice in another tab holds here at once", () => {
    const store = memoryStore();
    const [here, there] = [visit({ store }).consent, visit({ store }).consent];
    const heard = vi.fn();
    here.locate("DE");
    here.subscribe(heard);
    there.choose(allGrants, "banner");
    here.chosenElsewhere();
    there.choose(noGrants, "settings");
    here.chosenElsewhere();
    expect([heard.mock.calls, here.asks()]).toEqual([[[allGrants], [noGrants]], false]);
  });

  test("each choice is recorded with its id, time, wording, categories and source", async () => {
    const { consent, api } = visit();
    consent.choose(some, "banner");
    await consent.record();
    consent.choose(noGrants, "settings");
    await consent.record();
    await consent.record();
    expect(api.calls).toEqual([
      [
        "consent",
        {
          id: "00000000-0000-4000-8000-000000000001",
          at: "2026-11-20T10:00:00.000Z",
          textVersion: consentTextVersion,
          categories: some,
          source: "banner",
        },
      ],
      [
        "consent",
        {
          id: "00000000-0000-4000-8000-000000000002",
          at: "2026-11-20T10:00:00.000Z",
          textVersion: consentTextVersion,
          categories: noGrants,
          source: "settings",
        },
      ],
    ]);
  });

  test("a failed record is sent by a later page", async () => {
    const { consent, store } = visit({ online: false });
    consent.choose(some, "banner");
    await consent.record();
    const next = visit({ store });
    await next.consent.record();
    expect(next.api.calls).toHaveLength(1);
    await visit({ store }).consent.record();
    expect(JSON.parse(store.get("consent") ?? "")).toMatchObject({ recorded: true });
  });

  test("every listener is told of a change", () => {
    const { consent } = visit();
    const heard = vi.fn();
    consent.subscribe(heard);
    consent.locate("DE");
    consent.choose(some, "banner");
    expect(heard.mock.calls).toEqual([[noGrants], [some]]);
  });
});
