import "#ui/tokens.css";
import "#ui/base.css";
import { renderBlock } from "#test/renderBlock.tsx";
import { preferReducedMotion } from "#test/screen.ts";
import { expect, test } from "vitest";

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
