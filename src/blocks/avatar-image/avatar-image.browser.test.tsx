import { renderBlock } from "#test/renderBlock.tsx";
import { preferReducedMotion } from "#test/screen.ts";
import { reducedWait } from "#ui/motion.ts";
import { expect, test } from "vitest";
import { defaultTimer } from "./spec.ts";

const content = { type: "avatar-image", image: "guide", text: "Hola" } as const;

test("a fullscreen picture blocks until its timer is over", async () => {
  const block = await renderBlock({ ...content, timer: 1500 });
  await block.advance(1499);
  expect(block.status()).toBe("block");
  await block.advance(1);
  expect(block.status()).toBe("pass");
});

test("the default timer is two seconds", async () => {
  expect(defaultTimer).toBe(2000);
  const block = await renderBlock(content);
  await block.advance(defaultTimer - 1);
  expect(block.status()).toBe("block");
  await block.advance(1);
  expect(block.status()).toBe("pass");
});

test("a picture that is not fullscreen never blocks", async () => {
  expect((await renderBlock({ ...content, fullscreen: false })).status()).toBe("pass");
});

test("with reduced motion the button appears soon", async () => {
  await preferReducedMotion();
  const block = await renderBlock({ ...content, timer: 9000 });
  await block.advance(reducedWait);
  expect(block.status()).toBe("pass");
});
