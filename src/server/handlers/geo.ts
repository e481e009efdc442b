import type { Handler } from "./shared/handler.ts";
import { defaultCountry } from "#core/localeReach.ts";
import { geoLocale } from "../base/visitor.ts";

export const geo: Handler<"geo"> = async ({ country, headers }, { settings }) => ({
  backendUrlWeb: settings.backendUrl,
  locale: geoLocale(headers["accept-language"], country),
  country: country ?? defaultCountry,
  countryKnown: country !== null,
});
