/**
 * `npm run screenshots`: takes the README's screenshots from a running site, into `docs/pictures/`.
 * `-- <folder>` instead takes every page in Latin American Spanish and German, at 390 and 1280 px, into that folder.
 */
import { type Locale, locales } from "#core/locales.ts";
import { type AddressedRoute, type AnyParams, buildPath, isAddressed, isPageRoute, routeNames } from "#core/routes.ts";
import { type Browser, chromium, type Page } from "@playwright/test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { startBuiltSite } from "../bench/runningSite.ts";
import { chromiumArguments, ensureChromium } from "./chromium.ts";

const phone = { width: 390, height: 844 };
const desktop = { width: 1280, height: 800 };
const params: AnyParams = { version: "76", question: "2" };

const [folder] = process.argv.slice(2);
const site = await startBuiltSite(4393);
const browser = await chromium.launch({
  executablePath: await ensureChromium(),
  args: chromiumArguments,
});
try {
  await (folder === undefined ? readmePictures() : everyPage(folder));
} finally {
  await browser.close();
  await site.stop();
}

/** Opens a page and waits until its animations have ended and every picture is loaded. */
async function open(from: Browser, viewport: typeof phone, path: string): Promise<Page> {
  const page = await from.newPage({ viewport, reducedMotion: "reduce", deviceScaleFactor: folder === undefined ? 2 : 1 });
  await page.goto(site.url + path, { waitUntil: "networkidle" });
  await page.evaluate(async () => {
    // Pictures below the fold would load only when they are scrolled into view.
    for (const image of document.images) image.loading = "eager";
    await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
    await document.fonts.ready;
  });
  // The consent banner covers every page of a new visitor.
  await page.addStyleTag({ content: "[data-consent=banner] { display: none }" });
  await page.waitForFunction(() => ["", "0px"].includes(document.documentElement.style.getPropertyValue("--below")));
  return page;
}

/** The README's pictures: the home page on a desktop, and three phone screens side by side. */
async function readmePictures(): Promise<void> {
  const target = "docs/pictures";
  mkdirSync(target, { recursive: true });
  const home = await open(browser, desktop, buildPath("home", "en-US"));
  await sharp(await home.screenshot())
    .resize(1600)
    .webp({ quality: 82 })
    .toFile(join(target, "home.webp"));
  await home.close();

  const question = (locale: Locale, version: string, id: number) =>
    buildPath("questionnaire/question", locale, { version, question: String(id) });
  const screens = [question("es-419", "76", 2), question("es-419", "76", 41), question("de-DE", "88", 74)];
  const gap = 48;
  const images = await Promise.all(
    screens.map(async (path) => {
      const page = await open(browser, phone, path);
      const image = await page.screenshot();
      await page.close();
      return image;
    }),
  );
  const width = 2 * phone.width * images.length + gap * (images.length + 1);
  await sharp({ create: { width, height: 2 * phone.height + 2 * gap, channels: 3, background: "#d8d2ff" } })
    .composite(images.map((input, index) => ({ input, left: gap + index * (2 * phone.width + gap), top: gap })))
    .webp({ quality: 82 })
    .toFile(join(target, "funnel.webp"));
  console.log(`Written to ${target}`);
}

async function everyPage(target: string): Promise<void> {
  mkdirSync(target, { recursive: true });
  for (const locale of locales.filter((name) => name === "es-419" || name === "de-DE")) {
    for (const route of routeNames
      .filter(isAddressed)
      .filter((name) => isPageRoute(name) && !name.startsWith("dev/") && !name.endsWith("raffle") && name !== "home-redirect")) {
      for (const viewport of [phone, desktop]) {
        const page = await open(browser, viewport, buildPath<AddressedRoute>(route, locale, params));
        await page.screenshot({ path: join(target, `${route.replaceAll("/", "_")}-${locale}-${viewport.width}.png`), fullPage: true });
        await page.close();
      }
    }
  }
}
