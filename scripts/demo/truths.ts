/**
 * What is true of the demonstration's visitors, because it was made so. The studio's numbers must come to the same
 * (`test/e2e/demo.spec.ts`).
 */
import type { Locale } from "#core/locales.ts";
import type { Platform } from "#core/questionnaire/context.ts";

/** Who visits, in parts of all visitors. */
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

/** What visitors answer to the banner. Only visits that allowed statistics can be watched. */
export const consents: readonly (readonly ["all" | "necessary" | "nothing", number])[] = [
  ["all", 45],
  ["necessary", 30],
  ["nothing", 25],
];

/** Two versions share these locales by equal weights. One asks for the address better: fewer leave there. */
export const compared = { locales: ["es-ES", "it-IT", "de-DE"], worse: "83", better: "86" } as const;
/** The raffle of the demonstration, as the setting RAFFLE has it. */
export const raffle = Object.fromEntries(compared.locales.map((locale) => [locale, { [compared.worse]: 1, [compared.better]: 1 }]));

/** How many of those who come to a screen leave it. */
export const leaving = {
  first: 0.13,
  each: 0.009,
  signup: { worse: 0.32, better: 0.2 },
  /** Germans on Android leave version 83 where it asks for the address. */
  germansOnAndroid: 0.62,
  offer: 0.55,
  checkout: 0.3,
} as const;

/** Of those who pay: asks for the money back, erases the account, cancels. */
export const afterwards = { refund: 0.06, erase: 0.02, cancel: 0.2, declined: 0.05, renewalDeclined: 0.08 } as const;
/** Programs that open the first page and do nothing else, in parts of all visits. */
export const bots = 0.04;

/** What broke in the night before, and is to be found in Operations. */
export const night = {
  /** How long before the end it began. */
  hoursAgo: 10,
  /** A mailbox provider put mails off: each was tried in vain, an alarm told of it, and all went out in the end. */
  late: { visits: 4, domain: "example.net", minutes: 75 },
  /** A domain that refuses a mail for good: it was given up. */
  givenUp: { visits: 1, domain: "example.org" },
  /** Translating the page broke the offer, in one version and browser. Everybody of this campaign met it, and left. */
  broken: {
    visits: 5,
    campaign: "night-offer",
    locale: "pt-BR",
    country: "BR",
    message: "Failed to execute 'removeChild' on 'Node': The node to be removed is not a child of this node.",
    browser: "Chrome on Android",
    userAgent: "Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
  },
  /** A program guessed passwords for one address; after the tries that a limit allows, this many were refused. */
  guesses: { limit: "login.guesser", allowed: 10, refused: 7 },
} as const;
