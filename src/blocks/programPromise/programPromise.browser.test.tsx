import "#ui/tokens.css";
import "#ui/base.css";
import { examplePlan, exampleState } from "#blocks/exampleSite.ts";
import { renderBlock } from "#test/renderBlock.tsx";
import { preferReducedMotion } from "#test/screen.ts";
import { expect, onTestFinished, test } from "vitest";

/** Milliseconds from start to end of each animation, by the animated element's tag. */
function moving(element: Element): Readonly<Record<string, number>> {
  return Object.fromEntries(
    element.getAnimations({ subtree: true }).map((animation) => {
      const { effect } = animation;
      const target = effect instanceof KeyframeEffect ? effect.target : null;
      return [target?.classList[0]?.replace(/^_?(\w+?)_.*$/, "$1") ?? "", Number(effect?.getComputedTiming().endTime)];
    }),
  );
}

test("the line is drawn in 900 ms, then band, dot and date; the axis is there from the start", async () => {
  const block = await renderBlock({ type: "programPromise" });
  const ends = moving(block.one("figure"));
  expect(ends["line"]).toBe(900);
  for (const later of ["band", "end", "date"]) expect(ends[later], later).toBeGreaterThan(900);
  expect(Object.keys(ends).toSorted()).toEqual(["band", "date", "end", "line"]);
});

test("with reduced motion everything shows at once", async () => {
  await preferReducedMotion();
  const block = await renderBlock({ type: "programPromise" });
  for (const end of Object.values(moving(block.one("figure")))) expect(end).toBeLessThan(1);
});

test("with text twice as large on a phone, today's level of two lines stands clear of the month, and the month of the date", async () => {
  const { style } = document.documentElement;
  style.fontSize = "200%";
  onTestFinished(() => void style.removeProperty("font-size"));
  const name = "intermediário avançado";
  const level = { name, text: "" };
  const levels = { beginner: level, basic: level, intermediate: level, upperintermediate: level };
  const plan = examplePlan(exampleState, { initial: "upperintermediate", target: "upperintermediate" });
  const block = await renderBlock({ type: "programPromise" }, { site: { plan, levels } });
  block.element.style.width = "350px";
  const boxOf = (text: string, among: string) => {
    const found = block.all(`figure [aria-hidden] ${among}`).find(({ textContent }) => textContent === text);
    if (!found) throw new Error(`no ${text}`);
    return found.getBoundingClientRect();
  };
  const today = boxOf(name, "span");
  const month = block.one("[class*=months] span:first-child").getBoundingClientRect();
  const date = block.one("[class*=date]").getBoundingClientRect();
  const line = month.height;
  expect(today.height).toBeGreaterThan(1.5 * line);
  expect(today.bottom).toBeLessThanOrEqual(month.top);
  expect(month.bottom).toBeLessThanOrEqual(date.top);
});
