/** The parameters from which the demonstration's visitors are drawn. The studio's numbers must match them (`test/e2e/demo.spec.ts`). */
import type { Locale } from "#core/locales.ts";
import type { Platform } from "#core/questionnaire/context.ts";

/** Shares of visitors by locale and country. */
export const audience: readonly (readonly [
  { readonly locale: Locale; readonly countries: readonly (readonly [string, number])[] },
  number,
])[] = [
  [
    {
      locale: "es-419",
      countries: [
        ["MX", 5],
        ["CO", 2],
        ["AR", 2],
        ["CL", 1],
        ["PE", 1],
      ],
    },
    30,
  ],
  [{ locale: "pt-BR", countries: [["BR", 1]] }, 22],
  [
    {
      locale: "de-DE",
      countries: [
        ["DE", 8],
        ["AT", 1],
        ["CH", 1],
      ],
    },
    20,
  ],
  [{ locale: "es-ES", countries: [["ES", 1]] }, 12],
  [{ locale: "it-IT", countries: [["IT", 1]] }, 11],
  [{ locale: "en-US", countries: [["US", 1]] }, 5],
];
export const platforms: readonly (readonly [Platform, number])[] = [
  ["android", 58],
  ["apple", 34],
  ["other", 8],
];
export const campaigns: readonly (readonly [string | undefined, number])[] = [
  [undefined, 40],
  ["autumn-video", 35],
  ["search-brand", 15],
  ["newsletter", 10],
];

/** Shares of answers to the consent banner. Only visits that allowed statistics can be watched. */
export const consents: readonly (readonly ["all" | "necessary" | "nothing", number])[] = [
  ["all", 45],
  ["necessary", 30],
  ["nothing", 25],
];

/** Two versions that share the visitors of these locales equally. At the question for the address, the better version loses fewer visitors than the worse one. */
export const compared = { locales: ["es-ES", "it-IT", "de-DE"], worse: "83", better: "86" } as const;
/** The raffle of the demonstration, as the setting RAFFLE has it. */
export const raffle = Object.fromEntries(compared.locales.map((locale) => [locale, { [compared.worse]: 1, [compared.better]: 1 }]));

/** Probabilities of leaving at a screen. */
export const leaving = {
  first: 0.13,
  each: 0.009,
  signup: { worse: 0.32, better: 0.2 },
  /** For Germans on Android, at version 83's question for the address. */
  germansOnAndroid: 0.62,
  offer: 0.55,
  checkout: 0.3,
} as const;

/** Probabilities for buyers: a refund, an erasure, a cancellation, a declined card. */
export const afterwards = { refund: 0.06, erase: 0.02, cancel: 0.2, declined: 0.05, renewalDeclined: 0.08 } as const;
/** Share of visits by bots, which only open the first page. */
export const bots = 0.04;

/** Failures in the last night. Operations must show them. */
export const night = {
  /** When the night starts: this many hours before the demonstration's last moment. */
  hoursAgo: 10,
  /** A mail server deferred mails: attempts failed, an alarm was raised, and all were delivered in the end. */
  late: { visits: 4, domain: "example.net", minutes: 75 },
  /** A domain rejected a mail for good: the mail was given up. */
  givenUp: { visits: 1, domain: "example.org" },
  /** A browser's translation broke the offer page of one version. All visitors of this campaign saw the error and left. */
  broken: {
    visits: 5,
    campaign: "night-offer",
    locale: "pt-BR",
    country: "BR",
    message: "Failed to execute 'removeChild' on 'Node': The node to be removed is not a child of this node.",
    browser: "Chrome on Android",
    userAgent: "Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
  },
  /** A bot guessed passwords for one address. The rate limit allowed some attempts and refused the rest. */
  guesses: { limit: "login.guesser", allowed: 10, refused: 7 },
} as const;
