import { marketingConsentCountries } from "#core/countries.ts";
import type { Context } from "#core/questionnaire/context.ts";
import { type Device, localDate, platformOf } from "../device/device.ts";
import type { Snapshot } from "./session.ts";

/** The server's context, corrected with the device's country, platform and date. */
export function contextOf({ context }: Pick<Snapshot, "context">, { country }: Pick<Device, "country">): Context {
  return {
    ...context,
    country: country ?? context.country,
    platform: platformOf(navigator.userAgent, navigator.maxTouchPoints),
    requiresMarketingConsent: marketingConsentCountries.has(country ?? ""),
    today: localDate(new Date()),
  };
}
