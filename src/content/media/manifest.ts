/** Every picture there is, by name. `README.md` beside this file tells how to add one; `manifest.test.ts` holds it true. */
import type { PictureSource } from "#core/pictures.ts";

const everyVariant = ["tablet", "desktop"] as const;

/** A transparent drawing without words, the same in every locale; width and height are CSS pixels on a phone. */
function drawing(name: string, width: number, height: number, variants: PictureSource["variants"] = everyVariant): PictureSource {
  return { name, width, height, ext: "png", variants, locales: [] };
}

const all: readonly PictureSource[] = [
  // The home page's two speakers; the mug asks, the finger answers.
  drawing("hero-left", 168, 251),
  drawing("hero-right", 164, 206),
  // The guide, as a bust, for rewards and large bubbles.
  drawing("guide", 132, 177),
  drawing("explain", 132, 188),
  // One figure per study schedule.
  drawing("calm", 140, 218),
  drawing("steady", 84, 224),
  drawing("fast", 220, 212),
  // Whole figures.
  drawing("dance", 128, 277),
  drawing("point", 140, 277),
  drawing("sit", 190, 291),
];

export const pictures: Readonly<Record<string, PictureSource>> = Object.fromEntries(all.map((picture) => [picture.name, picture]));
