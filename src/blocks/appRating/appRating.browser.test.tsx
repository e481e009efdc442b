import { renderBlock } from "#test/renderBlock.tsx";
import { expect, test } from "vitest";

test("the stars fill to a tenth of a star, and the label is a sentence", async () => {
  const block = await renderBlock({ type: "appRating", rating: 3.7, text: "En la tienda" });
  expect(block.all("clipPath rect").map((star) => Number(star.getAttribute("width")) / 24)).toEqual([1, 1, 1, expect.closeTo(0.7), 0]);
  expect(block.one("[role=img]").ariaLabel).toBe("block.appRating.stars 3.7 5");
});

test("the number has the language's format", async () => {
  expect((await renderBlock({ type: "appRating", rating: 3.7, text: "Im Store" }, { locale: "de-DE" })).element.textContent).toContain(
    "3,7",
  );
});
