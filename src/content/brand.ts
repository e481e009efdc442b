/** Under which name the funnel runs, and who answers for it. A template: an operator writes their own here. */
export const brand = {
  /** Stands for `{BRAND}` in every text. */
  name: "Parlando",
  /** Where the AI product lives; versions ai and aimx lead there. Ends in a slash. */
  aiSite: "https://ai.parlando.example/",
  /** What the app's users give it, out of 5. */
  appRating: 4.6,
  /**
   * What here and in the texts is the operator's own and true. The rest is the template's example: it is marked as one, and in production it does
   * not show (decision 136).
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
    /** Who signs for the company, and who answers for what the site says (§ 18 Abs. 2 MStV). */
    representedBy: "Name of the managing director",
    responsible: "Name, 1 Example Street, 00000 Example City",
    /** Court or office, and the number there. */
    register: "Example Register, 000000",
    phone: "+00 000 000000",
    email: "hola@parlando.example",
    /** Where a team asks for an offer. */
    businessEmail: "equipos@parlando.example",
  },
} as const;
