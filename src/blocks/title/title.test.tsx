import { blockMarkup } from "#test/blockMarkup.tsx";
import { expect, it } from "vitest";

it("is the page’s heading and can be focused after a step, but not with the Tab key", () => {
  for (const type of ["title", "title-sparkle"] as const)
    expect(blockMarkup({ type, text: "Hola" })).toContain('<h1 id="block" tabindex="-1"');
});

it("renders the visitor’s name and inline tags", () => {
  expect(blockMarkup({ type: "title", text: ["Hola, ", ["arg", "FIRSTNAME"], ": ", ["tag", "b", ["ya"]]] })).toContain(
    "Hola, Lucía: <b>ya</b>",
  );
});
