/** Layout stability on a slow connection: pictures, fonts and the script load late without moving the page. */
import type { Page, Route } from "@playwright/test";
import { sampled } from "#test/sampled.ts";
import { expect, test } from "./site.ts";
import { calm, ready } from "./walk.ts";

/** Delays matching requests until the returned function is called. */
async function hold(page: Page, what: RegExp): Promise<() => Promise<void>> {
  const held: Route[] = [];
  let open = false;
  await page.route(what, (route) => {
    if (open) return route.continue();
    held.push(route);
    return undefined;
  });
  return async () => {
    open = true;
    await Promise.all(held.splice(0).map((route) => route.continue()));
  };
}

/** Records layout shifts from the first paint on. */
function watchShifts(): void {
  const root = document.documentElement;
  root.dataset["shift"] = "0";
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      root.dataset["shift"] = String(Number(root.dataset["shift"]) + Number(Reflect.get(entry, "value")));
  }).observe({ type: "layout-shift", buffered: true });
}

/** Largest tolerated layout shift: a line that becomes slightly wider. An added line or a picture without reserved space is many times that. */
const barelySeen = 0.01;

const painted = (page: Page) =>
  page.evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))));

const homes = [
  ["/es-latam/", "es-MX"],
  ["/de/", "de-DE"],
] as const;
for (const [path, language] of sampled(homes, 1))
  for (const width of [390, 1280])
    test(`home at ${path}, ${width} px wide, does not move while pictures, fonts and the script load late`, async ({ browser, site }) => {
      const context = await browser.newContext({ viewport: { width, height: 844 }, locale: language });
      const page = await context.newPage();
      await page.addInitScript(watchShifts);
      const pictures = await hold(page, /\/media\//);
      const fonts = await hold(page, /\.woff2$/);
      const scripts = await hold(page, /\.js$/);
      await page.goto(site.url + path, { waitUntil: "commit" });
      await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
      await painted(page);
      const step = async (what: string, come: () => Promise<void>, done: () => Promise<unknown>) => {
        await come();
        await done();
        await painted(page);
        expect(Number(await page.locator("html").getAttribute("data-shift")), what).toBeLessThan(barelySeen);
      };
      await step("pictures", pictures, () =>
        page.waitForFunction(() => [...document.images].every(({ complete, loading }) => complete || loading === "lazy")),
      );
      await step("fonts", fonts, () => page.waitForFunction(() => [...document.fonts].every(({ status }) => status !== "loading")));
      await step("the script", scripts, async () => {
        await ready(page);
        await calm(page);
      });
      await context.close();
    });
