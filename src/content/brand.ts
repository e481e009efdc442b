import type { Locale } from "#core/locales.ts";

/** The brand, and the company responsible for it. Template values: an operator enters their own. */
export const brand = {
  /** The value of `{BRAND}` in every text. */
  name: "Parlando",
  /** The AI product's site, where versions ai and aimx lead. Ends in a slash. */
  aiSite: "https://ai.parlando.example/",
  /** The app's average rating, out of 5. */
  appRating: 4.6,
  /**
   * Names of the values and texts that the operator has replaced with facts. All others are the template's examples: they are marked as
   * examples, and hidden in production (decision 136).
   */
  isOwn: {
    /** Everything under `company`. */
    company: false,
    appRating: false,
    /** The testimonials: `voices.*`, `page.reactivate.review*`. */
    voices: false,
    /** The award and the patent on the home page: `home.badge.*`. */
    badges: false,
  } satisfies Readonly<Record<string, boolean>>,
  company: {
    name: "Parlando Example Ltd.",
    address: ["1 Example Street", "00000 Example City"],
    country: "Example Country",
    vatId: "XX000000000",
    /** The company's legal representative, also responsible for the site's content (§ 18 Abs. 2 MStV). */
    representedBy: "Name of the managing director",
    responsible: "Name, 1 Example Street, 00000 Example City",
    /** Court or office of registration, with the number. */
    register: "Example Register, 000000",
    phone: "+00 000 000000",
    /** All locales and the mails' sender use this one address. So the part before the @ must be a word in every language. */
    email: "info@parlando.example",
    /** The address for quotes for teams. */
    businessEmail: {
      "en-US": "teams@parlando.example",
      "es-419": "equipos@parlando.example",
      "es-ES": "equipos@parlando.example",
      "pt-BR": "equipes@parlando.example",
      "it-IT": "aziende@parlando.example",
      "de-DE": "teams@parlando.example",
    } satisfies Readonly<Record<Locale, string>>,
  },
} as const;
