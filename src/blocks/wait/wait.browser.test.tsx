import { renderBlock } from "#test/renderBlock.tsx";
import { preferReducedMotion } from "#test/screen.ts";
import { reducedWait } from "#ui/motion.ts";
import { expect, test } from "vitest";

test("it blocks for its duration, then the action button shows", async () => {
  const block = await renderBlock({ type: "wait", duration: 3000 });
  await block.advance(2999);
  expect(block.status()).toBe("block");
  await block.advance(1);
  expect(block.status()).toBe("pass");
  expect(block.onDone).toHaveBeenCalledOnce();
  expect(block.submit).not.toHaveBeenCalled();
});

test("without a text of its own it shows the default one", async () => {
  expect((await renderBlock({ type: "wait", duration: 3000 })).element.textContent).toBe("block.wait.text");
  expect((await renderBlock({ type: "wait", duration: 3000, text: "Ya casi" })).element.textContent).toBe("Ya casi");
});

test("with reduced motion a long wait is short", async () => {
  await preferReducedMotion();
  const block = await renderBlock({ type: "wait", duration: 3000 });
  await block.advance(reducedWait);
  expect(block.status()).toBe("pass");
});
