/** The six locales, and everything that depends on the locale alone (spec 000 §2, §9; spec 001 §2, §9). */
export const locales = ["en-US", "es-419", "es-ES", "pt-BR", "it-IT", "de-DE"] as const;
export type Locale = (typeof locales)[number];
/** The languages of the locales: "es" for both Spanish locales. */
export type Language = Locale extends infer One ? (One extends `${infer Name}-${string}` ? Name : never) : never;

export interface LocaleTraits {
  /** First path segment, without slashes (spec 000 §2). */
  readonly prefix: string;
  /** Path word of the questionnaire root (spec 001 §2). */
  readonly rootWord: string;
  /** The locale for `Intl` formats: es-419 formats as es-MX (spec 001 §9). */
  readonly intl: string;
  /** The locale for pictures and the configuration call: en-US uses es-419 (spec 000 §7, spec 001 §7). */
  readonly backend: Locale;
  /** The locale that is searched next for a missing text; the last resort is the key itself (spec 000 §8, §9). */
  readonly fallback: Locale;
  /** The language's own name, shown in the language switcher. */
  readonly name: string;
  /** Two letters for the narrow switcher. */
  readonly short: string;
}

export const localeTraits: Readonly<Record<Locale, LocaleTraits>> = {
  "en-US": { prefix: "en", rootWord: "speak-english", intl: "en-US", backend: "es-419", fallback: "es-419", name: "English", short: "EN" },
  "es-419": {
    prefix: "es-latam",
    rootWord: "habla-ingles",
    intl: "es-MX",
    backend: "es-419",
    fallback: "en-US",
    name: "Español (Latinoamérica)",
    short: "ES",
  },
  "es-ES": {
    prefix: "es",
    rootWord: "habla-ingles",
    intl: "es-ES",
    backend: "es-ES",
    fallback: "es-419",
    name: "Español (España)",
    short: "ES",
  },
  "pt-BR": {
    prefix: "pt-br",
    rootWord: "fale-ingles",
    intl: "pt-BR",
    backend: "pt-BR",
    fallback: "es-419",
    name: "Português",
    short: "PT",
  },
  "it-IT": { prefix: "it", rootWord: "parla-inglese", intl: "it-IT", backend: "it-IT", fallback: "es-419", name: "Italiano", short: "IT" },
  "de-DE": {
    prefix: "de",
    rootWord: "englisch-sprechen",
    intl: "de-DE",
    backend: "de-DE",
    fallback: "es-419",
    name: "Deutsch",
    short: "DE",
  },
};

export function isLocale(value: unknown): value is Locale {
  return typeof value === "string" && Object.hasOwn(localeTraits, value);
}
/** A stored locale; Latin American Spanish if it no longer exists. */
export function knownLocale(stored: string): Locale {
  return isLocale(stored) ? stored : "es-419";
}

export function perLocale<Of>(of: (locale: Locale) => Of): Readonly<Record<Locale, Of>> {
  return {
    "en-US": of("en-US"),
    "es-419": of("es-419"),
    "es-ES": of("es-ES"),
    "pt-BR": of("pt-BR"),
    "it-IT": of("it-IT"),
    "de-DE": of("de-DE"),
  };
}

/** The locales with a raffle of their own. Visitors of any other locale take part in the raffle of its `backend` locale. */
export const raffleLocales: readonly Locale[] = locales.filter((locale) => localeTraits[locale].backend === locale);
