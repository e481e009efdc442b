/** The values of placeholders in legal documents, shared by all documents and locales. Values are Markdown. */
import { type Locale, localeTraits } from "#core/locales.ts";
import { brand } from "../brand.ts";
import { type Authority, europe, latinAmerica, unitedStates } from "./authorities.ts";
import { type Provider, providers } from "./providers.ts";

/** Package names by license (SPDX), for the list of open-source software. */
export type PackagesByLicence = ReadonlyMap<string, readonly string[]>;

/** Placeholder → Markdown, in the reader's language. */
export function legalFacts(locale: Locale, packages: PackagesByLicence): Readonly<Record<string, string>> {
  const { intl } = localeTraits[locale];
  const regions = new Intl.DisplayNames(intl, { type: "region" });
  const country = (code: string) => regions.of(code) ?? code;

  const provider = ({ name, country: code, privacy }: Provider) => `[${name}](${privacy}), ${country(code)}`;
  const authorities = (list: readonly Authority[]) =>
    list
      .map(({ country: code, name, address, website }) => ({
        land: country(code),
        rest: [name, address, website && `[${website.replace(/^https:\/\/(www\.)?/, "")}](${website})`],
      }))
      .toSorted((a, b) => a.land.localeCompare(b.land, intl))
      .map(({ land, rest }) => `- **${land}**: ${rest.filter((part) => part).join(", ")}`)
      .join("\n");

  const { company } = brand;
  return {
    BRAND: brand.name,
    COMPANY: company.name,
    ADDRESS: [...company.address, company.country].join(", "),
    VAT_ID: company.vatId,
    EMAIL: `[${company.email}](mailto:${company.email})`,
    AUTHORITIES_EUROPE: authorities(europe),
    AUTHORITIES_LATIN_AMERICA: authorities(latinAmerica),
    AUTHORITIES_UNITED_STATES: authorities(unitedStates),
    PACKAGES: [...packages].map(([licence, names]) => `- **${licence}**: ${names.join(", ")}`).join("\n"),
    ...Object.fromEntries(Object.entries(providers).map(([role, value]) => [role, provider(value)])),
  };
}
