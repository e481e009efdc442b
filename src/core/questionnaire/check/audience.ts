/** Describes the visitors that a finding affects, by the properties that distinguish them from all others. */
import type { Context, Platform } from "../context.ts";

const platformNames: Readonly<Record<Platform, string>> = { android: "Android", apple: "Apple", other: "other platforms" };

/**
 * Which visitors a finding affects, in words; empty when it affects everybody. `named` are the countries that rules mention. One other country stands for all
 * others.
 */
export function audienceOf(found: readonly Context[], all: readonly Context[], named: ReadonlySet<string>): string {
  if (found.length === 0 || found.length === all.length) return "";
  const some = <Value>(value: (context: Context) => Value) => {
    const [here, everywhere] = [new Set(found.map(value)), new Set(all.map(value))];
    return { here, missing: [...everywhere].filter((each) => !here.has(each)) };
  };
  const platform = some((context) => context.platform);
  const country = some((context) => context.country);
  const locale = some((context) => context.locale);
  const consent = some((context) => context.requiresMarketingConsent);
  const covered = all.filter((each) =>
    [platform.here.has(each.platform), country.here.has(each.country), locale.here.has(each.locale)].every(Boolean),
  );
  const [example] = found;
  if (covered.length !== found.length && example !== undefined && consent.missing.length === 0)
    return [
      `for example in ${example.country}`,
      ...(new Set(all.map((each) => each.platform)).size > 1 ? [`on ${platformNames[example.platform]}`] : []),
      ...(new Set(all.map((each) => each.locale)).size > 1 ? [`in ${example.locale}`] : []),
    ].join(" ");
  const unnamed = [...country.here].some((each) => !named.has(each));
  const excluded = country.missing.filter((each) => named.has(each));
  return [
    ...(platform.missing.length === 0 ? [] : [onPlatforms([...platform.here], platform.missing)]),
    ...(country.missing.length === 0 || (unnamed && excluded.length === 0)
      ? []
      : [unnamed ? `not in ${list(excluded)}` : `in ${list([...country.here])} only`]),
    ...(locale.missing.length === 0 ? [] : [`in ${list([...locale.here])} only`]),
    ...(consent.missing.length === 0 || (!unnamed && country.missing.length > 0)
      ? []
      : [consent.here.has(true) ? "where consent is required" : "where no consent is required"]),
  ].join(", ");
}

function onPlatforms(here: readonly Platform[], missing: readonly Platform[]): string {
  const names = (platforms: readonly Platform[]) => list(platforms.map((each) => platformNames[each]));
  return here.length > missing.length ? `not on ${names(missing)}` : `on ${names(here)} only`;
}

function list(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
