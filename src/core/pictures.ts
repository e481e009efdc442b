/** Pictures by name, and the URLs of their variants: `/media/{name}[-tablet|-desktop][-locale].{ext}` (spec 001 §7). */
import { localeTraits } from "./locales.ts";
import type { Locale } from "./locales.ts";

export interface PictureSource {
  readonly name: string;
  /** CSS pixels of the phone variant at 1×. */
  readonly width: number;
  readonly height: number;
  readonly ext: "png" | "jpg";
  /** Wider variants besides the phone's. */
  readonly variants: readonly ("tablet" | "desktop")[];
  /** Locales with their own version of the picture. */
  readonly locales: readonly Locale[];
}

export type PictureVariant = "phone" | "tablet" | "desktop";
export type PictureDensity = 1 | 2;

/** Width of a variant relative to the phone's. */
export const variantScale: Readonly<Record<PictureVariant, number>> = { phone: 1, tablet: 1.5, desktop: 2 };

/** The widest existing variant that is no wider than the requested one. A picture without variants has only the phone's. */
export function servedVariant(source: PictureSource, variant: PictureVariant): PictureVariant {
  if (variant === "desktop" && source.variants.includes("desktop")) return "desktop";
  return variant !== "phone" && source.variants.includes("tablet") ? "tablet" : "phone";
}

/** Size of a variant in whole CSS pixels. */
export function pictureSize(source: PictureSource, variant: PictureVariant): { readonly width: number; readonly height: number } {
  const scale = variantScale[servedVariant(source, variant)];
  return { width: Math.round(source.width * scale), height: Math.round(source.height * scale) };
}

/**
 * URL of one file of a picture (spec 001 §7). A missing variant falls back to the next narrower one, and a locale without its own picture to the
 * common one. en-US uses the pictures of es-419.
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

/** File name without extension, shared by the build step that writes the file and the page that requests it. */
export function pictureFile(name: string, variant: PictureVariant, locale: Locale | null, density: PictureDensity): string {
  return `${name}${variant === "phone" ? "" : `-${variant}`}${locale === null ? "" : `-${locale}`}${density === 1 ? "" : "@2x"}`;
}

/** URL of the picture (1200×630) for shared links to a page of this locale. */
export function openGraphUrl(locale: Locale): string {
  return `/media/open-graph-${locale}.png`;
}
