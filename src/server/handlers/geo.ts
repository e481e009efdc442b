import type { Handler } from "../handler.ts";
import { acceptedLocale, defaultCountry, localeForCountry } from "../visitor.ts";

export const geo: Handler<"geo"> = async ({ country, headers }, { settings }) => ({
  backendUrlWeb: settings.backendUrl,
  locale: acceptedLocale(headers["accept-language"]) ?? localeForCountry(country),
  country: country ?? defaultCountry,
  countryKnown: country !== null,
});
