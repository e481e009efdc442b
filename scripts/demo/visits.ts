/** Draws the visits: who comes when, and with which traits. */
import type { Locale } from "#core/locales.ts";
import type { Platform } from "#core/questionnaire/context.ts";
import type { Chance } from "./chance.ts";
import { audience, bots, campaigns, compared, leaving, platforms } from "./truths.ts";

export interface Visit {
  /** Random generator for this visitor's behaviour. */
  readonly chance: Chance;
  readonly at: number;
  readonly device: string;
  readonly network: string;
  readonly locale: Locale;
  readonly country: string;
  readonly platform: Platform;
  readonly campaign: string | undefined;
  readonly isBot: boolean;
  /** Set for visits of the last night. They go on to the offer and leave there. */
  readonly night?: {
    readonly mailDomain: string;
    /** The user agent in which the offer page breaks. */
    readonly brokenIn: string | null;
  };
}

const dayMs = 86_400_000;
/** Visits by hour of the day, UTC: few at night, most in the evening. */
const hours = [3, 2, 1, 1, 1, 2, 3, 5, 6, 6, 6, 7, 8, 8, 7, 7, 8, 9, 11, 13, 14, 12, 8, 5].map((weight, hour): [number, number] => [
  hour,
  weight,
]);

/** Visits in order of their start. */
export function visitsOf(count: number, days: number, until: number, drawn: Chance): readonly Visit[] {
  const visits = Array.from({ length: count }, (_, index): Visit => {
    const chance = drawn.fork();
    const { locale, countries } = chance.pick(audience);
    // Recent days get slightly more visits than earlier ones.
    const daysAgo = Math.floor(days * (1 - chance.draw() ** 0.8));
    const midnight = until - (until % dayMs) - daysAgo * dayMs;
    const at = midnight + chance.pick(hours) * 3_600_000 + chance.draw() * 3_600_000;
    return {
      chance,
      // Moves a visit that would be in the future to yesterday, so that the number of visits does not depend on the time of day.
      at: at < until ? at : at - dayMs,
      device: chance.uuid(),
      network: `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`,
      locale,
      country: chance.pick(countries),
      platform: chance.pick(platforms),
      campaign: chance.pick(campaigns),
      isBot: chance.happens(bots),
    };
  });
  return visits.toSorted((a, b) => a.at - b.at);
}

/** Probability that a visitor leaves at a screen. */
export function leavesWith(
  { country, platform }: Visit,
  version: string,
  screen: "first" | "signup" | "offer" | "checkout" | "other",
): number {
  if (screen === "other") return leaving.each;
  if (screen !== "signup") return leaving[screen];
  if (version === compared.better) return leaving.signup.better;
  return version === compared.worse && country === "DE" && platform === "android" ? leaving.germansOnAndroid : leaving.signup.worse;
}
