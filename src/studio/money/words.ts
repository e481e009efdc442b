/** English names for the values of the money contract. */
import type { Input } from "../client.ts";
import type { breakdowns, entryKinds } from "../contract/money.ts";
import type { MoneySearch } from "./search.ts";

export const breakdownWords: Readonly<Record<(typeof breakdowns)[number], string>> = {
  currency: "Currency",
  product: "Product",
  country: "Country",
  provider: "Provider",
  day: "Day",
};
export const kindWords: Readonly<Record<(typeof entryKinds)[number], string>> = {
  payment: "Payment",
  refund: "Refund",
  chargeback: "Chargeback",
  reversal: "Chargeback won",
};
export const kindsWords: Readonly<Record<(typeof entryKinds)[number], string>> = {
  payment: "Payments",
  refund: "Refunds",
  chargeback: "Chargebacks",
  reversal: "Chargebacks won",
};
export const providerWords: Readonly<Record<string, string>> = { paddlebilling: "Paddle Billing", paddle: "Paddle Classic" };

const regions = new Intl.DisplayNames("en", { type: "region" });
/** The English name of a country. CDNs also send codes like `T1` (Tor) that have none. */
export const countryWords = (country: string): string =>
  country === "none" ? "Not known" : /^[A-Z]{2}$/.test(country) ? (regions.of(country) ?? country) : country;
export function keyWords(by: (typeof breakdowns)[number], key: string): string {
  if (by === "country") return countryWords(key);
  return by === "provider" ? (providerWords[key] ?? key) : key;
}

const dayMs = 86_400_000;
const usualDays = 28;
export const dayBefore = (now: number, days: number): string => new Date(now - days * dayMs).toISOString().slice(0, 10);

/** The days and filters in the address; the last 28 whole days by default. */
export function filtersOf({ from, to, currency, product, country, provider }: MoneySearch, now: number) {
  const last = to ?? dayBefore(now, 1);
  const first = from ?? dayBefore(Date.parse(last), usualDays - 1);
  return { from: first, to: last, currency, product, country, provider } satisfies Input<"moneyRows">;
}
export const daysIn = ({ from, to }: { readonly from: string; readonly to: string }): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;
