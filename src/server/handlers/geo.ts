import type { Handler } from "../handler.ts";
import { acceptedLocale, localeForCountry } from "../visitor.ts";

/** Where an unknown visitor is taken to be, for texts and prices (spec 000 §7). */
const defaultCountry = "MX";

export const geo: Handler<"geo"> = async ({ country, headers }, { settings }) => ({
  backendUrlWeb: settings.backendUrl,
  locale: acceptedLocale(headers["accept-language"]) ?? localeForCountry(country),
  country: country ?? defaultCountry,
  countryKnown: country !== null,
});
