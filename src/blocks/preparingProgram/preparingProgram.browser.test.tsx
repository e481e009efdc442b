import "#ui/tokens.css";
import { renderBlock } from "#test/renderBlock.tsx";
import { preferReducedMotion } from "#test/screen.ts";
import { reducedWait } from "#ui/motion.ts";
import { expect, test } from "vitest";
import { barTicks, finalWait } from "./spec.ts";

const content = {
  type: "preparingProgram",
  items: [
    { label: "Tu nivel", duration: 2000, titles: ["Leyendo", "Comparando", "Hecho"] },
    { label: "Tu semana", duration: 3000, titles: ["Repartiendo"] },
  ],
} as const satisfies Parameters<typeof renderBlock>[0];

const bars = (block: Awaited<ReturnType<typeof renderBlock>>) => block.all("[role=progressbar]").map((bar) => Number(bar.ariaValueNow));

test("a bar has 100 ticks and the last wait is 1.5 s", () => {
  expect(barTicks).toBe(100);
  expect(finalWait).toBe(1500);
});

test("bars fill one after the other, each in its own duration and in whole percents", async () => {
  const block = await renderBlock(content);
  await block.advance(20);
  expect(bars(block)).toEqual([1, 0]);
  await block.advance(1000 - 20);
  expect(bars(block)).toEqual([50, 0]);
  await block.advance(1000);
  expect(bars(block)).toEqual([100, 0]);
  await block.advance(1500);
  expect(bars(block)).toEqual([100, 50]);
});

test("the title follows the percentage", async () => {
  const block = await renderBlock(content);
  const title = () => block.one("[aria-live]").textContent;
  expect(title()).toBe("Leyendo");
  await block.advance(0.33 * 2000);
  expect(title()).toBe("Leyendo");
  await block.advance(0.01 * 2000);
  expect(title()).toBe("Comparando");
  await block.advance(0.33 * 2000);
  expect(title()).toBe("Hecho");
  await block.advance(0.33 * 2000);
  expect(title()).toBe("Repartiendo");
});

test("it goes on once, 1.5 s after the last bar is full, and never shows a button", async () => {
  const block = await renderBlock(content);
  await block.advance(5000 + finalWait - 1);
  expect(bars(block)).toEqual([100, 100]);
  expect(block.submit).not.toHaveBeenCalled();
  await block.advance(1);
  expect(block.submit).toHaveBeenCalledOnce();
  await block.advance(5000);
  expect(block.submit).toHaveBeenCalledOnce();
  expect(block.status()).toBe("block");
});

test("with reduced motion the bars are empty or full and it ends soon", async () => {
  await preferReducedMotion();
  const block = await renderBlock(content);
  await block.advance(reducedWait);
  expect(bars(block)).toEqual([100, 0]);
  await block.advance(2 * reducedWait);
  expect(block.submit).toHaveBeenCalledOnce();
});

test("each bar and each label has the colour that the content gives it", async () => {
  const [{ duration, titles }] = content.items;
  const plain = { duration, titles, label: "Tu nivel" };
  const block = await renderBlock({ type: "preparingProgram", items: [plain, { ...plain, barColor: "accent", textColor: "success" }] });
  const colours = (selector: string, property: string) =>
    new Set(block.all(selector).map((element) => getComputedStyle(element).getPropertyValue(property)));
  await block.advance(duration);
  expect(colours("[role=progressbar] i", "background-color").size).toBe(2);
  expect(colours("[role=progressbar]", "background-color").size).toBe(1);
  expect(colours("li > :first-child", "color").size).toBe(2);
});
