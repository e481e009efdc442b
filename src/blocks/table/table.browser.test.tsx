import { renderBlock } from "#test/renderBlock.tsx";
import { resize } from "#test/screen.ts";
import { expect, onTestFinished, test } from "vitest";

const content = {
  type: "table",
  caption: "Comparación",
  columns: [
    { type: "text", content: "" },
    { type: "title", content: "Parlando", icon: "star" },
    { type: "text", content: "Otros", width: 30, align: "end", small: true },
  ],
  rows: [[{ type: "title", content: "Hablas" }, { type: "positive-icon" }, { type: "negative-icon", content: "casi nunca" }]],
} as const satisfies Parameters<typeof renderBlock>[0];

test("columns and rows have headings", async () => {
  const block = await renderBlock(content);
  expect(block.all("th[scope=col]")).toHaveLength(3);
  expect(block.all("th[scope=row]").map((heading) => heading.textContent)).toEqual(["Hablas"]);
  expect(block.one("caption").textContent).toBe("Comparación");
});

test("a mark has a label besides its color", async () => {
  const block = await renderBlock(content);
  expect(block.all("td").map((cell) => cell.textContent)).toEqual(["block.table.yes", "casi nunca"]);
  expect(block.all("[data-good]").map(({ dataset }) => dataset["good"])).toEqual(["true", "false"]);
  const [[naming]] = content.rows;
  const bare = await renderBlock({
    ...content,
    rows: [[naming, { type: "negative-icon" }, { type: "positive-icon", content: "siempre" }]],
  });
  expect(bare.all("td").map((cell) => cell.textContent)).toEqual(["block.table.no", "siempre"]);
});

test("width, alignment, size and icon are the column's", async () => {
  const block = await renderBlock(content);
  expect(block.all("col").map((column) => column.style.width)).toEqual(["", "", "30%"]);
  expect(block.all("td").map((cell) => [cell.dataset["align"], cell.dataset["small"]])).toEqual([
    ["center", undefined],
    ["end", "true"],
  ]);
  expect(block.all("th svg")).toHaveLength(1);
});

test("our own column is highlighted, the column of row names is not", async () => {
  const block = await renderBlock(content);
  expect(block.all("[data-ours]").map((cell) => cell.textContent)).toEqual(["Parlando", "block.table.yes"]);
});

/** Words of an element that stand on more than one line. */
function brokenWords(element: HTMLElement): readonly string[] {
  const text = element.firstChild;
  if (!(text instanceof Text)) return [];
  return [...text.data.matchAll(/\S+/g)].flatMap(({ 0: word, index }) => {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1 ? [word] : [];
  });
}

test("headings keep their words whole on a small phone", async () => {
  onTestFinished(async () => {
    document.body.style.width = "";
    await resize(390, 844);
  });
  await resize(360, 640);
  // Without the page's margins.
  document.body.style.width = "320px";
  const yes = { type: "positive-icon" } as const;
  const block = await renderBlock({
    type: "table",
    columns: [
      { type: "text", content: "", width: 40 },
      { type: "text", content: "Clase típica", small: true },
      { type: "text", content: "App sin profesores", small: true },
      { type: "title", content: "Parlando", small: true },
    ],
    rows: [[{ type: "text", content: "Practicas a la hora que quieras" }, yes, yes, yes]],
  });
  expect(block.all("th").flatMap(brokenWords)).toEqual([]);
  expect(block.one("table").getBoundingClientRect().width).toBeLessThanOrEqual(320);
});
