/** All pictures, by name. `README.md` in this folder explains how to add one; `scripts/media.test.ts` checks the list. */
import type { PictureSource } from "#core/pictures.ts";

const everyVariant = ["tablet", "desktop"] as const;

/** A transparent drawing without text, the same in every locale. Width and height are CSS pixels at the phone's size. */
function drawing(name: string, width: number, height: number, variants: PictureSource["variants"] = everyVariant): PictureSource {
  return { name, width, height, ext: "png", variants, locales: [] };
}

const all: readonly PictureSource[] = [
  // The home page's two speakers: the one with the mug asks, the other answers.
  drawing("hero-left", 168, 251),
  drawing("hero-right", 164, 206),
  // Busts: cut straight at the bottom, to stand on an edge (a card, a shape, the page).
  drawing("guide", 132, 177),
  drawing("explain", 132, 188),
  drawing("coffee", 136, 187),
  drawing("phone", 132, 191),
  drawing("study", 132, 177),
  drawing("shy", 140, 187),
  drawing("think", 168, 188),
  drawing("celebrate", 210, 189),
  drawing("family", 200, 224),
  drawing("crowd", 320, 172),
  drawing("shrug", 200, 187),
  // The guide of the films. Each picture shows until its film plays. `scripts/clips.ts` animates the parts that have ids.
  drawing("guide-hello", 200, 240),
  drawing("guide-level", 200, 240),
  drawing("guide-plan", 200, 240),
  drawing("guide-offer", 200, 240),
  // One figure per study schedule.
  drawing("calm", 140, 218),
  drawing("steady", 84, 224),
  drawing("fast", 220, 212),
  // Whole figures that stand or sit in front of a shape.
  drawing("dance", 128, 277),
  drawing("point", 140, 277),
  drawing("sit", 190, 291),
  drawing("office", 102, 269),
  drawing("travel", 156, 279),
  drawing("read", 190, 276),
  drawing("sit-coffee", 190, 274),
  drawing("run", 140, 278),
  drawing("skate", 150, 280),
  drawing("dog", 250, 229),
  drawing("wave", 216, 282),
  // Heads for the template's example testimonials: square, cropped to a circle.
  drawing("testimonial-1", 96, 96),
  drawing("testimonial-2", 96, 96),
  drawing("testimonial-3", 96, 96),
  // Generic badges that name no real organization, and objects.
  drawing("badge-award", 72, 90),
  drawing("badge-patent", 72, 93),
  drawing("phone-app", 150, 289),
  drawing("bubble-waiting", 180, 115),
  // Pale speech bubbles for a page's background.
  drawing("wallpaper-bubbles", 390, 488),
];

export const pictures: Readonly<Record<string, PictureSource>> = Object.fromEntries(all.map((picture) => [picture.name, picture]));
