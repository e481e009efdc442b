import { countriesWithDuties, dutiesIn } from "./duties.ts";

/** Countries where marketing needs consent: EU/EEA, UK, CH, BR (spec 000 §9). ISO 3166 alpha-2. */
export const marketingConsentCountries: ReadonlySet<string> = new Set(
  countriesWithDuties.filter((country) => dutiesIn(country).includes("storageConsent")),
);
