import { describe, expect, test } from "vitest";
import { openGraphUrl, pictureSize, pictureUrl } from "./pictures.ts";
import type { PictureSource } from "./pictures.ts";

const plain: PictureSource = { name: "guide", width: 133, height: 177, ext: "png", variants: [], locales: [] };
const rich: PictureSource = { ...plain, name: "badge", variants: ["tablet", "desktop"], locales: ["es-419", "de-DE"] };

describe("the address of a picture (spec 001 §7)", () => {
  test("the phone's variant at 1× has the name without a suffix", () => {
    expect(pictureUrl(plain, "phone", 1, "de-DE", "png")).toBe("/media/guide.png");
  });

  test("variant, locale and density follow the name in this order", () => {
    expect(pictureUrl(rich, "desktop", 2, "de-DE", "webp")).toBe("/media/badge-desktop-de-DE@2x.webp");
    expect(pictureUrl(rich, "tablet", 1, "de-DE", "webp")).toBe("/media/badge-tablet-de-DE.webp");
  });

  test("en-US gets the picture of es-419", () => {
    expect(pictureUrl(rich, "phone", 1, "en-US", "png")).toBe("/media/badge-es-419.png");
  });

  test("a locale without its own picture gets the common one", () => {
    expect(pictureUrl(rich, "phone", 1, "it-IT", "png")).toBe("/media/badge.png");
  });

  test("a missing variant falls back to the next narrower one", () => {
    expect(pictureUrl(plain, "desktop", 1, "it-IT", "png")).toBe("/media/guide.png");
    expect(pictureUrl({ ...plain, variants: ["tablet"] }, "desktop", 1, "it-IT", "png")).toBe("/media/guide-tablet.png");
    expect(pictureUrl({ ...plain, variants: ["desktop"] }, "tablet", 1, "it-IT", "png")).toBe("/media/guide.png");
    expect(pictureUrl({ ...plain, variants: ["tablet", "desktop"] }, "phone", 1, "it-IT", "png")).toBe("/media/guide.png");
  });
});

test("each locale has its own picture for pages that are shared", () => {
  expect(openGraphUrl("de-DE")).toBe("/media/open-graph-de-DE.png");
});

test("a wider variant has whole pixels and keeps the picture's proportions", () => {
  expect(pictureSize(rich, "desktop")).toEqual({ width: 266, height: 354 });
  expect(pictureSize(rich, "tablet")).toEqual({ width: 200, height: 266 });
  expect(pictureSize(plain, "desktop")).toEqual({ width: 133, height: 177 });
});
