import { renderBlock } from "#test/renderBlock.tsx";
import { preferReducedMotion } from "#test/screen.ts";
import { reducedWait } from "#ui/motion.ts";
import { expect, test } from "vitest";
import { counterDelay, counterEnd, counterInterval } from "./spec.ts";

const content = { type: "proofProgress", label: "Comparando", text: "Listo" } as const;
const counting = counterEnd * counterInterval;

test("the counter waits 2000 ms, then counts from 0 to 100", () => {
  expect(counterDelay).toBe(2000);
  expect(counterEnd).toBe(100);
});

test("nothing moves before the delay is over", async () => {
  const block = await renderBlock(content);
  await block.advance(counterDelay - 1);
  expect(block.one("[role=progressbar]").ariaValueNow).toBe("0");
  await block.advance(1 + counterInterval);
  expect(block.one("[role=progressbar]").ariaValueNow).toBe("1");
});

test("it blocks until the counter is at 100, then passes once", async () => {
  const block = await renderBlock(content);
  await block.advance(counterDelay + counting - 1);
  expect(block.one("[role=progressbar]").ariaValueNow).toBe("99");
  expect(block.status()).toBe("block");
  await block.advance(1);
  expect(block.one("[role=progressbar]").ariaValueNow).toBe("100");
  expect(block.status()).toBe("pass");
  await block.advance(counting);
  expect(block.onDone).toHaveBeenCalledOnce();
});

test("its text appears at the end", async () => {
  const block = await renderBlock(content);
  expect(block.one("[aria-live] span").hidden).toBe(true);
  await block.advance(counterDelay + counting);
  expect(block.one("[aria-live] span").hidden).toBe(false);
});

test("without animation it is full at once and passes", async () => {
  const block = await renderBlock({ ...content, proofProgressOptions: { animation: false } });
  expect(block.one("[role=progressbar]").ariaValueNow).toBe("100");
  expect(block.status()).toBe("pass");
  expect(block.onDone).not.toHaveBeenCalled();
});

test("it is full on a second visit", async () => {
  const block = await renderBlock(content, { done: true });
  expect(block.one("[role=progressbar]").ariaValueNow).toBe("100");
});

test("versions with a talking guide get the second animation", async () => {
  const bar = await renderBlock(content);
  expect(bar.all("circle")).toHaveLength(0);
  const ring = await renderBlock(content, { site: { avatarVariant: true } });
  expect(ring.all("circle")).toHaveLength(2);
});

test("with reduced motion it is full after a short wait", async () => {
  await preferReducedMotion();
  const block = await renderBlock(content);
  await block.advance(reducedWait);
  expect(block.status()).toBe("pass");
});
