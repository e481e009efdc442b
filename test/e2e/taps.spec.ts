/** One tap gives one answer, by finger, mouse or key, on slow phones, and before hydration (decision 097). */
import type { Page } from "@playwright/test";
import { sampled } from "#test/sampled.ts";
import { type Hand, handOn, type Target, type Way, ways } from "./hand.ts";
import { expect, test } from "./site.ts";
import { currentQuestion, moved, readable, ready } from "./walk.ts";

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

const funnel = "/es-latam/habla-ingles/76";
/** Starting points: the first questions, the level test, and a theme without fades. */
const starts = [`${funnel}/2/`, `${funnel}/41/`, "/es-latam/habla-ingles/88/2/"] as const;
const intervals = Array.from({ length: 200 }, (_, index) => 60 + Math.round((540 * index) / 199));

/** Counts input events before the page handles them. */
const listen = (page: Page) =>
  page.addInitScript(() => {
    Object.assign(window, { heard: { click: 0, keyup: 0 } });
    for (const type of ["click", "keyup"] as const)
      addEventListener(type, () => void (Reflect.get(window, "heard")[type] += 1), { capture: true });
  });
const heard = (page: Page, way: Way, times: number) =>
  page.waitForFunction(([type, times]) => Reflect.get(window, "heard")[type] >= times, [way === "key" ? "keyup" : "click", times] as const);
const forget = (page: Page) => page.evaluate(() => Object.assign(Reflect.get(window, "heard"), { click: 0, keyup: 0 }));

/** The tap target of a visible option. */
async function option(page: Page, nth = 0): Promise<Target> {
  const box = await page.locator("main [data-option-id]").nth(nth).boundingBox();
  if (box === null) throw new Error("no such option");
  return { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2), letter: "abcdef"[nth] ?? "a" };
}

const answers = (page: Page): Promise<readonly number[]> =>
  page.evaluate(() => {
    const { selectedOptions } = JSON.parse(localStorage.getItem("questionnaireState") ?? '{"selectedOptions":[]}');
    return selectedOptions.map(({ questionId }: { readonly questionId: number }) => questionId);
  });

/** The current question. Starts again at `address` when it has no answers to tap. */
async function atQuestion(page: Page, address: string): Promise<number> {
  const cards = page.locator('main[data-route="questionnaire/question"] li [data-option-id]');
  if (!page.url().startsWith(address.slice(0, address.lastIndexOf("/", address.length - 2))) || (await cards.count()) < 2) {
    await page.evaluate(() => localStorage.clear());
    await page.goto(address);
  }
  // Before hydration, letters choose nothing.
  await ready(page);
  await readable(page);
  return currentQuestion(page);
}

/** Taps twice. @returns whether the page accepted the second tap's timestamp */
async function doubleTap(page: Page, hand: Hand, way: Way, interval: number): Promise<boolean> {
  const target = await option(page);
  await forget(page);
  const first = await hand.tap(way, target);
  const isBelieved = await hand.tapAt(way, target, first + interval);
  await heard(page, way, 2);
  return isBelieved;
}

for (const rate of sampled([6, 1], 1)) {
  test(`a double tap is one answer, at every interval from 60 to 600 ms, by finger, mouse and key, on a machine slowed down ${rate} times`, async ({
    page,
    site,
  }) => {
    await listen(page);
    await page.goto(site.url + starts[0]);
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("Emulation.setCPUThrottlingRate", { rate });
    const hand = await handOn(page);
    let seen = 0;
    for (const [index, interval] of sampled(intervals, 3).entries()) {
      const way = ways[index % ways.length] ?? "finger";
      const question = await atQuestion(page, `${site.url}${starts[Math.floor(index / ways.length) % starts.length]}`);
      const before = await answers(page);
      const isBelieved = await doubleTap(page, hand, way, interval);
      await moved(page, question);
      if (!isBelieved) continue;
      expect([way, interval, await answers(page)]).toEqual([way, interval, [...before, question]]);
      seen += 1;
    }
    expect(seen).toBeGreaterThan(0);
  });
}

test("a held key answers one question; the next press answers the next one", async ({ page, site }) => {
  await listen(page);
  await page.goto(site.url + starts[0]);
  const hand = await handOn(page);
  for (const letter of ["a", "Enter"]) {
    const question = await atQuestion(page, site.url + starts[0]);
    await page.locator("main [data-option-id]").first().focus();
    await readable(page);
    await forget(page);
    await hand.hold(letter, 12);
    await heard(page, "key", 1);
    await moved(page, question);
    await readable(page);
    expect((await answers(page)).at(-1)).toBe(question);
  }
  expect(await answers(page)).toEqual([2, 3]);
});

test("taps at different places count as soon as each question is readable", async ({ page, site }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(site.url + starts[0]);
  await ready(page);
  const hand = await handOn(page);
  const path: number[] = [];
  for (const nth of [0, 2]) {
    const question = await currentQuestion(page);
    path.push(question);
    await readable(page);
    await hand.tap("finger", await option(page, nth));
    await moved(page, question);
  }
  expect(await answers(page)).toEqual(path);
});

const painted = (page: Page) => page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
/** Blocks the page's scripts. */
const withoutModules = (page: Page) => page.route(/\/assets\/.*\.js$/, (route) => route.abort());

/** Answers by a double tap. @returns whether the page accepted the second tap's timestamp */
async function answerByDoubleTap(page: Page, hand: Hand, address: string): Promise<boolean> {
  await page.goto(address);
  await painted(page);
  const target = await option(page);
  const first = await hand.tap("finger", target);
  await page.waitForURL(/a=2\.1$/);
  await painted(page);
  return hand.tapAt("finger", target, first + 340);
}

for (const [place, address] of [
  ["a question", `${funnel}/2/`],
  ["the home page", "/es-latam/"],
] as const) {
  test(`a double tap on ${place} is one answer before hydration`, async ({ context, site }) => {
    let page: Page;
    let hand: Hand;
    do {
      page = await context.newPage();
      hand = await handOn(page);
      await withoutModules(page);
    } while (!(await answerByDoubleTap(page, hand, site.url + address)));
    await page.waitForFunction(() => document.querySelector('[data-readable=""]') === null);
    // The intended answer. If the second tap had counted, another question would show.
    await hand.tap("finger", await option(page, 1));
    await page.waitForURL(/a=2\.1~/);
    expect(new URL(page.url()).searchParams.get("a")).toBe("2.1~3.2");
  });
}

test.describe("with scripts switched off", () => {
  test.use({ javaScriptEnabled: false });

  test("a page accepts no tap while the second half of a double tap may come", async ({ page, site }) => {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("Animation.enable");
    await cdp.send("Animation.setPlaybackRate", { playbackRate: 0 });
    await page.goto(`${site.url}${funnel}/3/?a=2.1`);
    const hand = await handOn(page);
    await page.locator("main [data-option-id]").first().waitFor();
    await hand.tap("mouse", await option(page));
    await cdp.send("Animation.setPlaybackRate", { playbackRate: 1 });
    await page.locator("main [data-option-id]").nth(1).click();
    await page.waitForURL(/a=2\.1~/);
    expect(new URL(page.url()).searchParams.get("a")).toBe("2.1~3.2");
  });
});
