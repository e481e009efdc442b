/**
 * The visitors of each locale. Every table is keyed by `Locale`, so that a missing row does not compile. Each table is its own export, so
 * that a page loads only what it uses.
 */
import type { Locale } from "./locales.ts";

type ByLocale<T> = Readonly<Record<Locale, T>>;

/** Other spellings of a locale's path prefix. They redirect to it. */
export const otherPrefixes: ByLocale<readonly string[]> = {
  "en-US": ["en-us"],
  "es-419": ["es-419", "es-mx"],
  "es-ES": ["es-es"],
  "pt-BR": ["pt"],
  "it-IT": ["it-it"],
  "de-DE": ["de-de"],
};

/** Languages (ISO 639) and countries (ISO 3166) whose visitors get this locale, unless their browser prefers another one of ours. */
export const audiences: ByLocale<{ readonly languages: readonly string[]; readonly countries: readonly string[] }> = {
  "en-US": { languages: ["en"], countries: ["US", "GB"] },
  "es-419": { languages: ["es"], countries: [] },
  "es-ES": { languages: [], countries: ["ES"] },
  "pt-BR": { languages: ["pt"], countries: ["BR", "PT"] },
  "it-IT": { languages: ["it"], countries: ["IT"] },
  "de-DE": { languages: ["de"], countries: ["DE", "AT", "CH"] },
};

/** The countries whose law a locale's texts follow (`core/duties.ts`). */
export const lawCountries: ByLocale<readonly string[]> = {
  "en-US": ["US", "GB"],
  "es-419": ["MX", "AR", "CO", "CL", "PE"],
  "es-ES": ["ES"],
  "pt-BR": ["BR", "PT"],
  "it-IT": ["IT"],
  "de-DE": ["DE", "AT", "CH"],
};

/** The country of a visitor whose country is unknown (spec 000 §7). */
export const defaultCountry = "MX";
/** The country whose prices are shown when the visitor's country is unknown. */
export const pricedCountry: ByLocale<string> = {
  "en-US": defaultCountry,
  "es-419": defaultCountry,
  "es-ES": "ES",
  "pt-BR": "BR",
  "it-IT": "IT",
  "de-DE": "DE",
};

/** Mail domains common among the locale's visitors. */
export const mailDomains: ByLocale<readonly string[]> = {
  "en-US": ["gmail.com", "hotmail.com", "outlook.com", "yahoo.com", "icloud.com", "live.com", "googlemail.com"],
  "es-419": ["yahoo.com.mx"],
  "es-ES": ["hotmail.es", "yahoo.es", "outlook.es"],
  "pt-BR": ["yahoo.com.br", "hotmail.com.br", "uol.com.br", "bol.com.br", "terra.com.br"],
  "it-IT": ["libero.it", "hotmail.it", "yahoo.it", "virgilio.it", "tiscali.it"],
  "de-DE": ["gmx.de", "web.de", "t-online.de", "hotmail.de", "yahoo.de", "gmx.net"],
};
