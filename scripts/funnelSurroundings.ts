/** What the checker asks of the blocks, the media and the catalogue. */
import { existsSync } from "node:fs";
import { isTitle } from "#blocks/contents.ts";
import { blockSpecs, isBlockType } from "#blocks/specs.ts";
import { coupons } from "#content/catalog/coupons.ts";
import { products } from "#content/catalog/products.ts";
import { pictures } from "#content/media/manifest.ts";
import { marketingConsentCountries } from "#core/countries.ts";
import type { Surroundings } from "#core/questionnaire/check.ts";
import type { ContentItem } from "#core/questionnaire/definition.ts";

/** `daySelection` fills these itself, and asks for the schedule only when it takes its number of days from it. */
const dayCounts: readonly string[] = ["CHOSEN", "REQUIRED", "LEFT"];

function takesDaysFromSchedule({ daySelectionOptions: options }: ContentItem): boolean {
  return typeof options === "object" && options !== null && "days" in options && options.days === "schedule";
}

export const surroundings: Surroundings = {
  blockNeeds: (item) => [
    ...(isBlockType(item.type) ? (blockSpecs[item.type].needs ?? []) : []),
    ...(item.type === "daySelection" && takesDaysFromSchedule(item) ? (["schedule"] as const) : []),
  ],
  blockPlaceholders: (item) => (item.type === "daySelection" ? dayCounts : []),
  isHeading: isTitle,
  requiresConsent: (country) => marketingConsentCountries.has(country),
  hasPicture: (name) => Object.hasOwn(pictures, name),
  hasVideo: (filename) =>
    ["webm", "mp4"].every((extension) => existsSync(new URL(`../src/content/media/clips/${filename}.${extension}`, import.meta.url))),
  hasProduct: (productType, productPlan, currency) =>
    products.some(
      (product) =>
        product.productType === productType &&
        product.productPlan === productPlan &&
        (currency === undefined || product.currency === currency),
    ),
  hasCoupon: (code) => coupons.some((coupon) => coupon.code === code),
};
