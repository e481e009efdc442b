import { blockMarkup } from "#test/blockMarkup.tsx";
import { expect, it } from "vitest";

it("has a lang attribute when its language is not the page’s", () => {
  expect(blockMarkup({ type: "bubble", text: "Fancy a coffee?", size: "large", lang: "en" })).toContain('<q lang="en">Fancy a coffee?</q>');
  expect(blockMarkup({ type: "bubble", text: "Hola" })).not.toContain("lang=");
});

it("shows the speaker’s picture as decoration, loaded eagerly in a level question", () => {
  const large = blockMarkup({ type: "bubble", text: "Fancy a coffee?", size: "large", figure: "explain" });
  expect(large).toContain('alt=""');
  expect(large).toContain('loading="eager"');
  expect(blockMarkup({ type: "bubble", text: "Hola", figure: "explain" })).toContain('loading="lazy"');
});

it("shows no figure for an unknown name", () => {
  expect(blockMarkup({ type: "bubble", text: "Hola", figure: "nobody" })).not.toContain("<img");
});
