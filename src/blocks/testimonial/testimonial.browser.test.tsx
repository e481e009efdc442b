import { renderBlock } from "#test/renderBlock.tsx";
import { expect, test } from "vitest";

const content = { type: "testimonial", text: "Ya contesto yo.", name: "Mariana", country: "México" } as const;

test("the person's first letter replaces a missing picture", async () => {
  expect((await renderBlock(content)).one("figcaption [aria-hidden]").textContent).toBe("M");
  expect((await renderBlock({ ...content, image: "missing" })).one("figcaption [aria-hidden]").textContent).toBe("M");
  expect((await renderBlock({ ...content, image: "guide" })).all("img")).toHaveLength(1);
});

test("a quote in another language than the page's has a lang attribute", async () => {
  expect((await renderBlock({ ...content, locale: "de-DE" })).one("blockquote").lang).toBe("de-DE");
  expect((await renderBlock({ ...content, locale: "es-419" })).one("blockquote").hasAttribute("lang")).toBe(false);
});

test("the author and the country are shown below it", async () => {
  const block = await renderBlock(content);
  expect([block.one("figcaption b").textContent, block.one("figcaption small").textContent]).toEqual(["Mariana", "México"]);
});
