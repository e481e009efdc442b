import { compile } from "#core/questionnaire/compile.ts";
import { smallQuestionnaire } from "#test/questionnaires.ts";
import { expect, onTestFinished, test } from "vitest";
import { readDevice, saveDevice } from "../device/device.ts";
import { memoryStore } from "../device/storage.ts";
import { frozenSession, renderedSnapshot } from "../session/session.ts";
import { runAfterHydration } from "./afterHydration.ts";

test("the language for the site's root is stored again when Back shows a page that the browser has kept (spec 000 §2)", () => {
  onTestFinished(() => void (document.cookie = "parlando-locale=; path=/; max-age=0"));
  const compiled = compile(smallQuestionnaire);
  const context = { locale: "de-DE", country: "DE", platform: "other", requiresMarketingConsent: true, today: "2026-11-20" } as const;
  const store = memoryStore();
  const device = { deviceUuid: "8a0b6c0e-0f55-4d5c-8f0b-1a2b3c4d5e6f", country: "BR" };
  runAfterHydration({
    session: frozenSession(compiled, renderedSnapshot(compiled, context, "")),
    store,
    api: { call: () => Promise.reject(new Error("no connection")) },
    arrival: new URLSearchParams(),
    servedPath: location.pathname,
    located: () => Promise.reject(new Error("no connection")),
    loadLaterPages: () => Promise.resolve(),
    loadAnalytics: () => Promise.resolve(),
  });
  expect(document.cookie).toContain("parlando-locale=de-DE");

  // A page in another language, opened from this one.
  document.cookie = "parlando-locale=pt-BR; path=/";
  saveDevice(store, { ...device, locale: "pt-BR" });
  dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
  expect(document.cookie).toContain("parlando-locale=de-DE");
  expect(readDevice(store)).toEqual({ ...device, locale: "de-DE" });
});
