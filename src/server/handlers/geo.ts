import type { Handler } from "../handler.ts";
import { localeForCountry } from "../visitor.ts";

/** Where an unknown visitor is taken to be, for texts and prices (spec 000 §7). */
const defaultCountry = "MX";

export const geo: Handler<"geo"> = async ({ country, acceptedLocale }, { settings }) => ({
  backendUrlWeb: settings.backendUrl,
  locale: acceptedLocale ?? localeForCountry(country),
  country: country ?? defaultCountry,
});
