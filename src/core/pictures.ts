/** Pictures by name, and the addresses of their variants: `/media/{name}[-tablet|-desktop][-locale].{ext}` (spec 001 §7). */
import { localeTraits } from "./locales.ts";
import type { Locale } from "./locales.ts";

export interface PictureSource {
  readonly name: string;
  /** CSS pixels of the 1× phone variant. */
  readonly width: number;
  readonly height: number;
  readonly ext: "png" | "jpg";
  /** Wider variants that exist beside the phone's. */
  readonly variants: readonly ("tablet" | "desktop")[];
  /** Locales that have a picture of their own. */
  readonly locales: readonly Locale[];
}

export type PictureVariant = "phone" | "tablet" | "desktop";
export type PictureDensity = 1 | 2;

/** How much larger than the phone's a variant is drawn, in CSS pixels. */
export const variantScale: Readonly<Record<PictureVariant, number>> = { phone: 1, tablet: 1.5, desktop: 2 };

/** The widest variant that exists and is not wider than the asked one: a picture without variants has only the phone's. */
export function servedVariant(source: PictureSource, variant: PictureVariant): PictureVariant {
  if (variant === "desktop" && source.variants.includes("desktop")) return "desktop";
  return variant !== "phone" && source.variants.includes("tablet") ? "tablet" : "phone";
}

/** Size of a variant in CSS pixels, whole numbers. */
export function pictureSize(source: PictureSource, variant: PictureVariant): { readonly width: number; readonly height: number } {
  const scale = variantScale[servedVariant(source, variant)];
  return { width: Math.round(source.width * scale), height: Math.round(source.height * scale) };
}

/**
 * Address of one file of a picture (spec 001 §7). A variant that does not exist falls back to the next narrower one, a locale
 * without a picture of its own to the common picture; en-US takes es-419's (spec 001 §7).
 */
export function pictureUrl(
  source: PictureSource,
  variant: PictureVariant,
  density: PictureDensity,
  locale: Locale,
  ext: PictureSource["ext"] | "webp",
): string {
  const { backend } = localeTraits[locale];
  return `/media/${pictureFile(source.name, servedVariant(source, variant), source.locales.includes(backend) ? backend : null, density)}.${ext}`;
}

/** File name without extension, the same for the build step that writes it and the page that asks for it. */
export function pictureFile(name: string, variant: PictureVariant, locale: Locale | null, density: PictureDensity): string {
  return `${name}${variant === "phone" ? "" : `-${variant}`}${locale === null ? "" : `-${locale}`}${density === 1 ? "" : "@2x"}`;
}

/** Address of the picture (1200×630) that shows when a page of this locale is shared. */
export function openGraphUrl(locale: Locale): string {
  return `/media/open-graph-${locale}.png`;
}
