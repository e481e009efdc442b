import { expect, it } from "vitest";
import { isLocale, knownLocale, locales, localeTraits } from "./locales.ts";

it("locales are five and English, which stands behind Latin American Spanish as a fallback (spec 000 §9)", () => {
  expect(locales.toSorted()).toEqual(["de-DE", "en-US", "es-419", "es-ES", "it-IT", "pt-BR"]);
  expect(Object.fromEntries(locales.map((locale) => [locale, localeTraits[locale].fallback]))).toEqual({
    "de-DE": "es-419",
    "en-US": "es-419",
    "es-419": "en-US",
    "es-ES": "es-419",
    "it-IT": "es-419",
    "pt-BR": "es-419",
  });
});

it("Latin American Spanish is formatted as Mexico's, every other locale as itself", () => {
  for (const locale of locales) expect(localeTraits[locale].intl).toBe(locale === "es-419" ? "es-MX" : locale);
});

it("only English has another locale's pictures and configuration", () => {
  for (const locale of locales) expect(localeTraits[locale].backend).toBe(locale === "en-US" ? "es-419" : locale);
});

it("recognizes only our locales, and replaces a stored locale that no longer exists by Latin American Spanish", () => {
  expect(["de-DE", "xx-XX", "toString", null, 5, ["de-DE"]].map(isLocale)).toEqual([true, false, false, false, false, false]);
  expect(["de-DE", "xx-XX"].map(knownLocale)).toEqual(["de-DE", "es-419"]);
});
