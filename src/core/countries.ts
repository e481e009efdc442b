/** Countries where marketing needs consent: EU/EEA, UK, CH, BR (spec 000 §9). ISO 3166 alpha-2. */
export const marketingConsentCountries: ReadonlySet<string> = new Set(
  "FR DE IT ES NL SE BE FI DK PT PL IE AT HU CZ RO BG HR LT LV EE SK SI LU GR CY MT NO IS LI GB CH BR".split(" "),
);
