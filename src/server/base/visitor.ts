/** What a request reveals about its visitor's country, language and network. */
import { loopbackHosts } from "#core/links.ts";
import { defaultCountry, pricedCountry, audiences } from "#core/localeReach.ts";
import { isLocale, type Locale, locales } from "#core/locales.ts";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";
import { isIPv4 } from "node:net";

/** The country in the CDN's header, as an ISO 3166 alpha-2 code. Null when it is missing, unknown (XX) or Tor (T1). */
export function countryOf(
  { headers }: Pick<IncomingMessage, "headers">,
  { countryHeader }: { readonly countryHeader: string | null },
): string | null {
  const header = countryHeader === null ? undefined : headers[countryHeader];
  if (typeof header !== "string" || !/^[A-Za-z]{2}$/.test(header)) return null;
  const country = header.toUpperCase();
  return country === "XX" ? null : country;
}

/**
 * The country whose prices are shown (decision 060): 1. the CDN's country; 2. outside production, the country that the request names, if a developer chose
 * one; 3. the country that the page's language suggests.
 */
export function pricingCountry(
  { asked, known, locale }: { readonly asked: string; readonly known: string | null; readonly locale: Locale | undefined },
  { production }: { readonly production: boolean },
): string {
  if (known !== null) return known;
  if (asked !== defaultCountry && !production) return asked;
  return locale === undefined ? defaultCountry : pricedCountry[locale];
}

/** The countries whose prices a visitor may have been shown (`pricingCountry`); null for any. */
export function pricingCountries(known: string | null, { production }: { readonly production: boolean }): readonly string[] | null {
  if (known !== null) return [known];
  return production ? Object.values(pricedCountry) : null;
}

const reading = (kind: "languages" | "countries") =>
  new Map(locales.flatMap((locale) => audiences[locale][kind].map((key): [string, Locale] => [key, locale])));
const localeOfCountry = reading("countries");
const localeOfLanguage = reading("languages");

function localeOfTag(tag: string): Locale | null {
  const exact = locales.find((locale) => locale.toLowerCase() === tag.toLowerCase());
  return exact ?? localeOfLanguage.get(tag.slice(0, 2).toLowerCase()) ?? null;
}

/** The best locale for an `accept-language` header; null when it names none of ours. */
export function acceptedLocale(header: string | undefined): Locale | null {
  const preferences = (header ?? "")
    .slice(0, 500)
    .split(",")
    .map((part) => {
      const [tag = "", ...parameters] = part.trim().split(";");
      const q = parameters.map((parameter) => /^\s*q=([\d.]+)$/.exec(parameter)?.[1]).find((value) => value !== undefined);
      return { tag, weight: q === undefined ? 1 : Number(q) };
    })
    .filter(({ tag, weight }) => /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(tag) && weight > 0)
    .toSorted((a, b) => b.weight - a.weight);
  for (const { tag } of preferences) {
    const locale = localeOfTag(tag);
    if (locale !== null && isLocale(locale)) return locale;
  }
  return null;
}

/** The locale for a visitor who has none stored: from the browser's languages, else from the country. `/` redirects to it (spec 000 §2, §7). */
export function geoLocale(acceptLanguage: string | undefined, country: string | null): Locale {
  return acceptedLocale(acceptLanguage) ?? localeOfCountry.get(country ?? "") ?? "es-419";
}

/** Headers that a proxy adds, besides `x-forwarded-…`. */
const ofProxies: ReadonlySet<string> = new Set(["forwarded", "via", "x-real-ip", "cf-connecting-ip", "true-client-ip", "x-client-ip"]);

/**
 * Whether the request comes directly from this machine. A forwarded request does not count, because a reverse proxy here forwards everybody's
 * requests from a loopback address. Nor does a request whose Host is a foreign name that resolves to this machine (DNS rebinding).
 */
export function isFromThisMachine({ headers, socket }: Pick<FastifyRequest, "headers" | "socket">): boolean {
  const forwarded = Object.keys(headers).some((name) => name.startsWith("x-forwarded-") || ofProxies.has(name));
  const asked = `http://${headers.host ?? ""}`;
  return (
    !forwarded &&
    ["127.0.0.1", "::1", "::ffff:127.0.0.1"].includes(socket.remoteAddress ?? "") &&
    URL.canParse(asked) &&
    loopbackHosts.has(new URL(asked).hostname)
  );
}

/** Some proxies append the port: `203.0.113.7:51234`, `[2001:db8::1]:51234`. */
const withPort = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/;

/** The key that rate limits count by: an IPv4 address, or the /64 of an IPv6 address, which a household or phone has. */
export function networkOf(forwarded: string): string {
  if (isIPv4(forwarded)) return forwarded;
  const [, six, four] = withPort.exec(forwarded) ?? [];
  const ip = six ?? four ?? forwarded;
  const address = ip.split("%")[0] ?? "";
  if (isIPv4(address)) return address;
  if (!ipaddr.isValid(address)) return ip;
  // An IPv4-mapped IPv6 address counts as its IPv4 address.
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  const [first, ...others] = ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`).toNormalizedString().split(":");
  return `${[first, ...others.slice(0, 3)].join(":")}::/64`;
}

/** Whether the browser sends Global Privacy Control. */
export function refusesAdvertising(headers: IncomingHttpHeaders): boolean {
  return headers["sec-gpc"] === "1";
}

/** What a provider may assign to one customer, for a `networkOf`: the /48 around an IPv6 network, and an IPv4 address itself. */
export function siteOf(network: string): string {
  if (!network.endsWith("::/64")) return network;
  const groups = /^([\da-f]+:[\da-f]+:[\da-f]+):[\da-f]+::\/64$/.exec(network)?.[1];
  return groups === undefined ? network : `${groups}::/48`;
}
