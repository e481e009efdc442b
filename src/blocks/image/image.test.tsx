import { blockMarkup } from "#test/blockMarkup.tsx";
import { expect, it } from "vitest";

it("has its text for those who cannot see it, its size, and waits until it comes near", () => {
  const markup = blockMarkup({ type: "image", image: "dance", alt: "Una alumna que baila", badge: "Día 1" });
  expect(markup).toMatch(/<img[^>]*alt="Una alumna que baila" width="\d+" height="\d+" loading="lazy"/);
  expect(markup).toContain("Día 1");
});

it("shows nothing for a picture that does not exist", () => {
  expect(blockMarkup({ type: "image", image: "nothing", alt: "" })).toBe('<div data-block="image"></div>');
});
