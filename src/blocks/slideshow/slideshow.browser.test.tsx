import { renderBlock } from "#test/renderBlock.tsx";
import { preferReducedMotion, resize } from "#test/screen.ts";
import { expect, onTestFinished, test } from "vitest";
import { defaultSlideDelay } from "./spec.ts";

const items = [
  { image: "guide", text: "Uno" },
  { image: "explain", text: "Dos" },
  { image: "point", text: "Tres" },
];
const content = { type: "slideshow", slideshowOptions: { items } } as const;

const slide = (block: Awaited<ReturnType<typeof renderBlock>>) => block.one("[aria-live]").lastChild?.textContent;

test("a slide shows for 4500 ms unless the content has a delay", async () => {
  expect(defaultSlideDelay).toBe(4500);
  const block = await renderBlock(content);
  await block.advance(defaultSlideDelay - 1);
  expect(slide(block)).toBe("Uno");
  await block.advance(1);
  expect(slide(block)).toBe("Dos");
  const slow = await renderBlock({ type: "slideshow", slideshowOptions: { items, delay: 8000 } });
  await slow.advance(7999);
  expect(slide(slow)).toBe("Uno");
  await slow.advance(1);
  expect(slide(slow)).toBe("Dos");
});

test("after the last slide it goes on, once, and never shows a button", async () => {
  const block = await renderBlock(content);
  await block.advance(3 * defaultSlideDelay - 1);
  expect(block.submit).not.toHaveBeenCalled();
  await block.advance(1);
  await block.advance(3 * defaultSlideDelay);
  expect(block.submit).toHaveBeenCalledOnce();
  expect(block.status()).toBe("block");
});

test("pausing stops it, and resuming restarts the slide's time", async () => {
  const block = await renderBlock(content);
  await block.advance(3000);
  await block.click(block.button("block.slideshow.pause"));
  await block.advance(3 * defaultSlideDelay);
  expect(slide(block)).toBe("Uno");
  await block.click(block.button("block.slideshow.play"));
  await block.advance(defaultSlideDelay);
  expect(slide(block)).toBe("Dos");
});

test("next and previous change the slide; on the last one the button promises no further picture, and goes on", async () => {
  const block = await renderBlock(content);
  await block.click(block.button("block.slideshow.next"));
  await block.click(block.button("block.slideshow.next"));
  expect(slide(block)).toBe("Tres");
  await block.click(block.button("block.slideshow.previous"));
  expect(slide(block)).toBe("Dos");
  await block.click(block.button("block.slideshow.next"));
  await block.click(block.button("block.slideshow.last"));
  expect(block.submit).toHaveBeenCalledOnce();
});

test("bars show only if the content enables them", async () => {
  expect((await renderBlock(content)).all("ol li")).toHaveLength(3);
  expect((await renderBlock({ type: "slideshow", slideshowOptions: { items, progress: false } })).all("ol li")).toHaveLength(0);
});

test("reduced motion does not shorten the reading time", async () => {
  await preferReducedMotion();
  const block = await renderBlock(content);
  await block.advance(defaultSlideDelay - 1);
  expect(slide(block)).toBe("Uno");
});

test("on a low screen and with large text the picture is smaller, so that the buttons do not cover the sentence", async () => {
  await import("#ui/tokens.css");
  await import("#ui/base.css");
  const { fontSize } = document.documentElement.style;
  onTestFinished(() => {
    document.documentElement.style.fontSize = fontSize;
    document.body.style.paddingTop = "";
  });
  // The header and the question's title.
  document.body.style.paddingTop = "11rem";
  const block = await renderBlock({
    type: "slideshow",
    slideshowOptions: { items: [{ image: "guide", text: "La dici. Tutte le volte che vuoi, finché non ti viene bene." }] },
  });
  const height = () => block.one("[data-shape]").getBoundingClientRect().height;
  for (const [width, tall, size] of [
    [1280, 800, "200%"],
    [360, 640, "100%"],
    // A desktop of 1280 × 800 zoomed to 200 %.
    [640, 400, "100%"],
  ] as const) {
    document.documentElement.style.fontSize = size;
    await resize(width, tall);
    const controls = block.button("block.slideshow.last").parentElement?.getBoundingClientRect().top ?? 0;
    expect(block.one("[aria-live]").getBoundingClientRect().bottom, size).toBeLessThanOrEqual(controls);
    expect(height()).toBeGreaterThan(90);
  }
  await resize(390, 844);
  expect(height()).toBe(296);
});
