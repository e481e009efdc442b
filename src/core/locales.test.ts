import { expect, it } from "vitest";
import { isLocale, knownLocale, locales, localeTraits, perLocale } from "./locales.ts";

it("there are five locales and English, which falls back to Latin American Spanish (spec 000 §9)", () => {
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

it("Latin American Spanish uses the formats of Mexico, every other locale its own", () => {
  for (const locale of locales) expect(localeTraits[locale].intl).toBe(locale === "es-419" ? "es-MX" : locale);
});

it("only English uses the pictures and configuration of another locale", () => {
  for (const locale of locales) expect(localeTraits[locale].backend).toBe(locale === "en-US" ? "es-419" : locale);
});

it("recognizes only our locales, and replaces a stored locale that no longer exists with Latin American Spanish", () => {
  expect(["de-DE", "xx-XX", "toString", null, 5, ["de-DE"]].map(isLocale)).toEqual([true, false, false, false, false, false]);
  expect(["de-DE", "xx-XX"].map(knownLocale)).toEqual(["de-DE", "es-419"]);
});

it("makes a value for every locale", () => {
  expect(perLocale((locale) => `in ${locale}`)).toEqual(Object.fromEntries(locales.map((locale) => [locale, `in ${locale}`])));
});
