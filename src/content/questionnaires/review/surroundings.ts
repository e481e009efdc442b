/** The checker's data about the blocks, the media and the catalogue. */
import { isTitle } from "#blocks/bundled.ts";
import { takesDaysFromSchedule } from "#blocks/daySelection/spec.ts";
import { blockSchema, blockSpecs, isBlockType } from "#blocks/specs.ts";
import { coupons } from "../../catalog/coupons.ts";
import { currencies, products } from "../../catalog/products.ts";
import { authoringRules } from "../authoring.ts";
import { films } from "../../media/films.ts";
import { pictures } from "../../media/manifest.ts";
import { iconNames } from "#ui/iconNames.ts";
import { marketingConsentCountries } from "#core/countries.ts";
import type { Surroundings } from "#core/questionnaire/check.ts";

/** Placeholders that blocks fill themselves. */
const ownPlaceholders: Readonly<Record<string, readonly string[]>> = {
  daySelection: ["CHOSEN", "REQUIRED", "LEFT"],
  // Each card shows its own schedule's figures.
  studySchedule: ["MONTHS", "DAYS", "MINUTES"],
};

const icons: ReadonlySet<string> = new Set(iconNames);

export const surroundings: Surroundings = {
  authoring: authoringRules,
  blockSchema,
  blockNeeds: (item) => [
    ...(isBlockType(item.type) ? (blockSpecs[item.type].needs ?? []) : []),
    ...(takesDaysFromSchedule(item) ? (["schedule"] as const) : []),
  ],
  blockPlaceholders: (item) => ownPlaceholders[item.type] ?? [],
  isHeading: isTitle,
  requiresConsent: (country) => marketingConsentCountries.has(country),
  hasPicture: (name) => Object.hasOwn(pictures, name),
  hasIcon: (name) => icons.has(name),
  hasVideo: (filename) => Object.hasOwn(films, filename),
  hasProduct: (productType, productPlan, currency) =>
    products.some(
      (product) =>
        product.productType === productType &&
        product.productPlan === productPlan &&
        (currency === undefined || product.currency === currency) &&
        product.price > 0,
    ),
  currencies,
  hasCoupon: (code) => coupons.some((coupon) => coupon.code === code),
};
