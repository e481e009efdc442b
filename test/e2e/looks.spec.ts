/** One look: pages that belong to no version wear the theme of the funnel that the visitor came from, from the first paint on. */
import { buildPath } from "#core/routes.ts";
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

/** Their theme before any module has loaded. */
async function worn(page: Page, origin: string): Promise<readonly string[]> {
  await page.route(/\/assets\/.*\.js$/, (route) => route.abort());
  const themes: string[] = [];
  for (const path of ownPages) {
    await page.goto(origin + path);
    themes.push(String(await page.locator("html").getAttribute("data-theme")));
  }
  await page.unrouteAll();
  return themes;
}

const all = (theme: string) => ownPages.map(() => theme);

test("login, legal, account and confirmation pages wear the locale's own theme, then that of the funnel which was seen last", async ({
  page,
  site,
}) => {
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

test("a theme that is none is not worn", async ({ page, site }) => {
  await page.addInitScript(() => localStorage.setItem("theme", "gone"));
  expect(await worn(page, site.url)).toEqual(all("HablaIngles"));
});
