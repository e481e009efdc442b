/** The fonts of every page contain all characters of our texts (src/ui/fonts/README.md). */
import * as fontkit from "fontkit";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ui = join(import.meta.dirname, "../ui");
const faces = readFileSync(join(ui, "tokens.css"), "utf8").split("@font-face").slice(1);

/** The characters for which a font file is declared. */
function declared(file: string): ReadonlySet<number> {
  const range = /unicode-range:([^;]*);/.exec(faces.find((face) => face.includes(file)) ?? "")?.[1] ?? "";
  return new Set(
    range.split(",").flatMap((part) => {
      const [from = 0, to = from] = part
        .trim()
        .replace("U+", "")
        .split("-")
        .map((hex) => Number.parseInt(hex, 16));
      return Array.from({ length: to - from + 1 }, (_, index) => from + index);
    }),
  );
}

const own = ["./fonts/bricolage-grotesque.woff2", "./fonts/figtree.woff2"];

test.each(own)("%s has every character that the style sheet declares", (file) => {
  const font = fontkit.create(readFileSync(join(ui, file)));
  if (!("characterSet" in font)) throw new Error(`${file} holds several fonts`);
  const has = new Set(font.characterSet);
  expect([...declared(file)].filter((character) => !has.has(character))).toEqual([]);
});

test("the page's fonts cover our texts, so that no further font file is fetched", () => {
  const sources = globSync(join(import.meta.dirname, "../content/{texts/**/*.ts,questionnaires/**/*.ts,legal/*/*.md}"));
  expect(sources.length).toBeGreaterThan(60);
  const letters = new Set(sources.flatMap((source) => [...readFileSync(source, "utf8")]));
  for (const file of ["bricolage-grotesque-latin-opsz", "bricolage-grotesque-latin-ext", "figtree-latin-wght", "figtree-latin-ext"]) {
    const claimed = declared(file);
    expect(claimed.size, file).toBeGreaterThan(20);
    expect(
      [...letters].filter((letter) => claimed.has(letter.codePointAt(0) ?? 0)),
      file,
    ).toEqual([]);
  }
});

test("two faces of a family never declare the same character", () => {
  for (const [family, axis] of [
    ["bricolage-grotesque", "opsz"],
    ["figtree", "wght"],
  ]) {
    const files = [`./fonts/${family}.woff2`, `${family}-latin-${axis}`, `${family}-latin-ext`];
    const claimed = files.flatMap((file) => [...declared(file)]);
    expect(new Set(claimed).size, family).toBe(claimed.length);
  }
});
