/** Text at 200 % on a phone of 390 × 844: the same number of letters per line as on a screen of half its size. */
import { resize } from "#test/screen.ts";
import { stage } from "#test/stage.ts";
import { act, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { richText } from "./richText.tsx";

async function drawn(part: ReactNode): Promise<HTMLElement> {
  const element = stage("it-IT");
  const root = createRoot(element);
  await act(() => root.render(part));
  onTestFinished(() => act(() => root.unmount()));
  return element;
}

beforeEach(async () => {
  await document.fonts.load('700 28px "Bricolage Grotesque"');
  await document.fonts.load('400 16px "Figtree"');
  await resize(195, 422);
  onTestFinished(() => resize(390, 844));
});

/** How many lines a word takes. */
function linesOf(root: Element, word: string): number {
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const from = node.textContent?.indexOf(word) ?? -1;
    if (from === -1) continue;
    const range = document.createRange();
    range.setStart(node, from);
    range.setEnd(node, from + word.length);
    return new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => top)).size;
  }
  throw new Error(`no "${word}"`);
}

test("no usual word of a heading breaks, also in a browser that cannot hyphenate the language", async () => {
  const root = await drawn(
    <h1 lang="zxx" style={{ fontSize: "var(--t-28)", width: 175 }}>
      Congratulazioni, la tua prima conversazione
    </h1>,
  );
  expect(linesOf(root, "Congratulazioni,")).toBe(1);
  expect(linesOf(root, "conversazione")).toBe(1);
});

test("in a sentence “e-mail” never breaks at its hyphen, and an address only before its domain", async () => {
  for (let width = 120; width <= 175; width += 5) {
    const root = await drawn(<p style={{ width }}>{richText(["Codice ricevuto via e-mail da giulia.a@example.com."])}</p>);
    expect(linesOf(root, "e-mail"), `${width}`).toBe(1);
    expect(linesOf(root, "giulia.a"), `${width}`).toBe(1);
    expect(linesOf(root, "@example.com."), `${width}`).toBe(1);
  }
});
