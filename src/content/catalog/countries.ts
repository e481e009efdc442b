/** Country → currency. */
import type { Currency } from "./products.ts";

const ownCurrency: Readonly<Record<string, Currency>> = {
  MX: "MXN",
  BR: "BRL",
  AR: "ARS",
  CO: "COP",
  CL: "CLP",
  PE: "PEN",
  CH: "CHF",
  LI: "CHF",
};

/** Members of the euro area, and small states that use the euro. */
const euroCountries: ReadonlySet<string> = new Set(
  "AD AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MC ME MT NL PT SI SK SM VA XK".split(" "),
);

/** The currency of an ISO 3166 alpha-2 country; US dollars for countries not in the table. */
export function currencyOf(country: string): Currency {
  const own = Object.hasOwn(ownCurrency, country) ? ownCurrency[country] : undefined;
  return own ?? (euroCountries.has(country) ? "EUR" : "USD");
}
