/** Pictures by name, and the addresses of their variants: `/media/{name}[-tablet|-desktop][-locale].{ext}` (spec 001 §7). */
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
