import { renderBlock } from "#test/renderBlock.tsx";
import { preferReducedMotion } from "#test/screen.ts";
import { reducedWait } from "#ui/motion.ts";
import { expect, test, vi } from "vitest";
import { defaultMessageDelay } from "./spec.ts";

const content = {
  type: "chatbot",
  messages: [
    { from: "guide", text: "Hola" },
    { from: "visitor", text: "¿Empezamos?", delay: 500 },
    { from: "guide", text: "Claro" },
  ],
} as const satisfies Parameters<typeof renderBlock>[0];

test("messages appear one after the other, the first at once", async () => {
  const block = await renderBlock(content);
  expect(block.all("[data-from]")).toHaveLength(1);
  await block.advance(500);
  expect(block.all("[data-from]")).toHaveLength(2);
  await block.advance(defaultMessageDelay - 1);
  expect(block.all("[data-from]")).toHaveLength(2);
  await block.advance(1);
  expect(block.all("[data-from]")).toHaveLength(3);
});

test("it blocks until the last message is shown", async () => {
  const block = await renderBlock(content);
  await block.advance(500 + defaultMessageDelay - 1);
  expect(block.status()).toBe("block");
  await block.advance(1);
  expect(block.status()).toBe("pass");
  expect(block.onDone).toHaveBeenCalledOnce();
});

test("the guide has a typing indicator, the visitor has none", async () => {
  const block = await renderBlock(content);
  expect(block.element.textContent).not.toContain("block.chatbot.typing");
  await block.advance(500);
  expect(block.element.textContent).toContain("block.chatbot.typing");
  await block.advance(defaultMessageDelay);
  expect(block.element.textContent).not.toContain("block.chatbot.typing");
});

test("opening it is tracked once", async () => {
  const track = vi.fn();
  const block = await renderBlock(content, { site: { track } });
  await block.advance(5000);
  expect(track.mock.calls).toEqual([["ChatbotOpen"]]);
});

test("the whole conversation shows at once on a second visit, and with reduced motion", async () => {
  expect((await renderBlock(content, { done: true })).all("[data-from]")).toHaveLength(3);
  await preferReducedMotion();
  const block = await renderBlock(content);
  await block.advance(reducedWait);
  expect(block.all("[data-from]")).toHaveLength(3);
});
