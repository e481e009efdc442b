/** Themes: pages outside the funnel have the theme of the visitor's funnel, from the first paint on. */
import { locales } from "#core/locales.ts";
import { buildPath } from "#core/routes.ts";
import { sampled } from "#test/sampled.ts";
import type { Page } from "@playwright/test";
import { expect, test } from "./site.ts";
import { ready } from "./walk.ts";

const ownPages = [
  buildPath("login/link", "es-419"),
  buildPath("legal/privacy", "es-419"),
  buildPath("handle-your-subscription", "es-419"),
  "/es-latam/link/confirm-email/",
  "/es-latam/nada/",
];

/** The pages' themes before any module has loaded. */
async function worn(page: Page, origin: string): Promise<readonly string[]> {
  await page.route(/\/assets\/.*\.js$/, () => undefined);
  const themes: string[] = [];
  for (const path of ownPages) {
    await page.goto(origin + path, { waitUntil: "domcontentloaded" });
    themes.push(String(await page.locator("html").getAttribute("data-theme")));
  }
  await page.goto("about:blank");
  await page.unrouteAll();
  return themes;
}

const all = (theme: string) => ownPages.map(() => theme);

test("login, legal, account and confirmation pages have the locale's theme, then that of the funnel seen last", async ({ page, site }) => {
  expect(await worn(page, site.url)).toEqual(all("HablaIngles"));
  for (const [path, theme] of [
    ["/es-latam/", "parlando"],
    ["/es-latam/habla-ingles/88/2/", "Kosmo"],
    ["/es-latam/", "Kosmo"],
    ["/es-latam/habla-ingles/76/2/", "HablaIngles"],
    ["/es-latam/habla-ingles/73/2/", "parlando"],
  ] as const) {
    await page.goto(site.url + path);
    await ready(page);
    await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
    expect(await worn(page, site.url)).toEqual(all(theme));
  }
});

test("an unknown theme is ignored", async ({ page, site }) => {
  await page.addInitScript(() => localStorage.setItem("theme", "gone"));
  expect(await worn(page, site.url)).toEqual(all("HablaIngles"));
});

for (const width of [992, 1280, 1440])
  test(`at ${width} px every link in the home page's header is clickable, in spite of the picture below`, async ({ page, site }) => {
    await page.setViewportSize({ width, height: 800 });
    for (const locale of sampled(locales, 3)) {
      await page.goto(site.url + buildPath("home", locale));
      const covered = await page.locator("header a:visible").evaluateAll((links) =>
        links.flatMap((link) => {
          const { left, top, width, height } = link.getBoundingClientRect();
          const places = [0.1, 0.5, 0.9].map((share) => document.elementFromPoint(left + width * share, top + height / 2));
          return places.every((found) => found !== null && link.contains(found)) ? [] : [link.textContent];
        }),
      );
      expect(covered, locale).toEqual([]);
    }
  });

for (const route of ["questionnaire/next-steps", "questionnaire/congratulations", "questionnaire/verify-email"] as const)
  test(`on a phone the end of ${route} scrolls above the bar with the way on`, async ({ page, site }) => {
    for (const [width, height] of [
      [360, 640],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const locale of sampled(locales, 2)) {
        await page.goto(site.url + buildPath(route, locale, { version: "83" }));
        await ready(page);
        const overlap = await page.evaluate(() => {
          scrollTo({ top: document.body.scrollHeight, behavior: "instant" });
          const bar = document.querySelector("[data-bar]")?.getBoundingClientRect().top ?? 0;
          const last = Math.max(
            ...[...document.querySelectorAll("footer a, footer button")].map((link) => link.getBoundingClientRect().bottom),
          );
          return last - bar;
        });
        expect(overlap, `${locale} at ${width} px`).toBeLessThanOrEqual(0);
      }
    }
  });

/** Ids of the level test's questions. */
const levelTest = Array.from({ length: 12 }, (_, index) => 41 + index);

test("on a low phone the level test's answers are in view without scrolling", async ({ page, site }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  for (const locale of sampled(locales, 2))
    for (const question of sampled(levelTest, 4)) {
      await page.goto(site.url + buildPath("questionnaire/question", locale, { version: "76", question: String(question) }));
      await ready(page);
      const hidden = await page
        .locator("main [data-option-id]")
        .evaluateAll((options) =>
          options.slice(0, 3).flatMap((option) => (option.getBoundingClientRect().bottom > innerHeight ? [option.textContent] : [])),
        );
      expect(hidden, `question ${question} in ${locale}`).toEqual([]);
    }
});
