import { renderBlock } from "#test/renderBlock.tsx";
import { preferReducedMotion } from "#test/screen.ts";
import { reducedWait } from "#ui/motion.ts";
import { expect, test } from "vitest";
import { preparingTime } from "./spec.ts";

const content = { type: "preparingProgramSimple", text: "Preparando" } as const;

test("it goes on after 2.5 s, once, and never shows a button", async () => {
  expect(preparingTime).toBe(2500);
  const block = await renderBlock(content);
  await block.advance(preparingTime - 1);
  expect(block.submit).not.toHaveBeenCalled();
  await block.advance(1);
  expect(block.status()).toBe("block");
  await block.advance(preparingTime);
  expect(block.submit).toHaveBeenCalledOnce();
});

test("with reduced motion it goes on at once", async () => {
  await preferReducedMotion();
  const block = await renderBlock(content);
  await block.advance(reducedWait);
  expect(block.submit).toHaveBeenCalledOnce();
});
