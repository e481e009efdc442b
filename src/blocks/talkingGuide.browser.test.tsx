import { renderBlock } from "#test/renderBlock.tsx";
import { preferReducedMotion } from "#test/screen.ts";
import { subtitlePollInterval, subtitleStartDelay } from "#core/subtitles.ts";
import { reducedWait } from "#ui/motion.ts";
import { describe, expect, test } from "vitest";

const said = (block: Awaited<ReturnType<typeof renderBlock>>) => block.all("[data-said=true]").map((word) => word.textContent.trim());

describe.each(["avatar", "avatar-video"] as const)("%s", (type) => {
  const content = {
    type,
    // The video does not exist, so the clock drives the subtitles.
    video: { filename: "guide", extension: "webm" },
    subtitles: [
      { text: "uno dos tres cuatro", timing: { "es-419": { from: 500, duration: 5000 }, "de-DE": { from: 0, duration: 1000 } } },
      { text: "adiós", timing: { "es-419": { from: 6000, duration: 1000 }, "de-DE": { from: 1000, duration: 1000 } } },
    ],
  } as const satisfies Parameters<typeof renderBlock>[0];

  test("a fullscreen guide blocks until the timer is over", async () => {
    const block = await renderBlock({ ...content, timer: 3000 });
    await block.advance(2999);
    expect(block.status()).toBe("block");
    await block.advance(1);
    expect(block.status()).toBe("pass");
    expect(block.onDone).toHaveBeenCalledOnce();
  });

  test("without a timer it blocks until the last subtitle in the page's language ends", async () => {
    const spanish = await renderBlock(content);
    await spanish.advance(6999);
    expect(spanish.status()).toBe("block");
    await spanish.advance(1);
    expect(spanish.status()).toBe("pass");
    const german = await renderBlock(content, { locale: "de-DE" });
    await german.advance(2000);
    expect(german.status()).toBe("pass");
  });

  test("a guide that is not fullscreen never blocks", async () => {
    expect((await renderBlock({ ...content, fullscreen: false })).status()).toBe("pass");
  });

  test("the clock is polled after 500 ms and then every 25 ms; words appear within 80 % of the duration", async () => {
    const block = await renderBlock(content);
    await block.advance(subtitleStartDelay - 1);
    expect(said(block)).toEqual([]);
    await block.advance(1);
    expect(said(block)).toEqual(["uno"]);
    await block.advance(1000 - subtitlePollInterval);
    expect(said(block)).toEqual(["uno"]);
    await block.advance(subtitlePollInterval);
    expect(said(block)).toEqual(["uno", "dos"]);
    await block.advance(2000);
    expect(said(block)).toEqual(["uno", "dos", "tres", "cuatro"]);
  });

  test("words due before the first poll appear with it, later words at their time", async () => {
    const subtitles = [{ text: "uno dos tres cuatro", timing: { "es-419": { from: 25, duration: 1000 } } }];
    const block = await renderBlock({ ...content, subtitles });
    await block.advance(499);
    expect(said(block)).toEqual([]);
    await block.advance(1);
    expect(said(block)).toEqual(["uno", "dos", "tres"]);
    await block.advance(124);
    expect(said(block)).toEqual(["uno", "dos", "tres"]);
    await block.advance(1);
    expect(said(block)).toEqual(["uno", "dos", "tres", "cuatro"]);
  });

  test("no text shows between two subtitles, and the last subtitle stays", async () => {
    const block = await renderBlock(content);
    await block.advance(5500 + subtitlePollInterval);
    expect(said(block)).toEqual([]);
    await block.advance(500);
    expect(said(block)).toEqual(["adiós"]);
    await block.advance(10_000);
    expect(said(block)).toEqual(["adiós"]);
  });

  test("the video plays muted and inline, and the poster shows while it does not play", async () => {
    const block = await renderBlock(content);
    const video = block.one("video");
    expect(video).toHaveProperty("muted", true);
    expect(video).toHaveProperty("playsInline", true);
    expect(block.all("source[type='video/webm'], source[type='video/mp4']").map((source) => source.getAttribute("src"))).toEqual([
      "/media/guide.webm",
      "/media/guide.mp4",
    ]);
    expect(block.all("img")).toHaveLength(1);
  });

  test("a hidden guide shows only the words", async () => {
    const block = await renderBlock({ ...content, hidden: true });
    await block.advance(subtitleStartDelay);
    expect(block.all("video, img")).toHaveLength(0);
    expect(said(block)).toEqual(["uno"]);
  });

  test("with reduced motion nothing plays, all words show at once and the button appears soon", async () => {
    await preferReducedMotion();
    const block = await renderBlock(content);
    expect(block.all("video")).toHaveLength(0);
    expect(said(block)).toEqual(["uno", "dos", "tres", "cuatro", "adiós"]);
    await block.advance(reducedWait);
    expect(block.status()).toBe("pass");
  });
});
