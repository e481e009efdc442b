import { blockMarkup } from "#test/blockMarkup.tsx";
import { expect, it } from "vitest";

it("has an alternative text and its size, and loads lazily", () => {
  const markup = blockMarkup({ type: "image", image: "dance", alt: "Una alumna que baila", badge: "Día 1" });
  expect(markup).toMatch(/<img[^>]*alt="Una alumna que baila" width="\d+" height="\d+" loading="lazy"/);
  expect(markup).toContain("Día 1");
});

it("shows nothing for an unknown picture", () => {
  expect(blockMarkup({ type: "image", image: "nothing", alt: "" })).toBe('<div data-block="image"></div>');
});
