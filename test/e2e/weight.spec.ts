/** The transfer size of a first question and all files that it names. `npm run bench:page` measures it in a browser. */
import { buildPath } from "#core/routes.ts";
import { locales } from "#core/locales.ts";
import { defaultVersion } from "#content/questionnaires/index.ts";
import { expect, type RunningSite, test } from "./site.ts";
import { ready } from "./walk.ts";

// A site of its own and one test at a time: a busy server compresses pages faster but less.
test.describe.configure({ mode: "default" });
test.use({ settings: { TEST_SITE: "weight" } });

const mostBytes = 102_500;
const mostFiles = 10;

async function weightOf(site: RunningSite, path: string): Promise<{ readonly bytes: number; readonly text: string }> {
  const response = await fetch(site.url + path, { headers: { "accept-encoding": "br" } });
  expect(response.headers.get("content-encoding")).toBe("br");
  return { bytes: Number(response.headers.get("content-length")), text: await response.text() };
}

for (const locale of locales)
  test(`the first question in ${locale} needs at most 102.5 kB in ten files until hydration`, async ({ site }) => {
    const version = defaultVersion[locale];
    const page = await weightOf(site, buildPath("questionnaire/question", locale, { version, question: "2" }));
    const named = [
      ...page.text.matchAll(
        /<(?:link rel="(?:stylesheet|modulepreload)"(?![^>]* data-returning)[^>]* href|script type="module"[^>]* src)="([^"]+)"/g,
      ),
    ].map(([, file = ""]) => file);
    const files = await Promise.all([...new Set(named)].map((file) => weightOf(site, file)));
    expect(files.length + 1).toBeGreaterThan(3);
    expect(files.length + 1).toBeLessThanOrEqual(mostFiles);
    expect(files.every(({ bytes }) => bytes > 0)).toBe(true);
    const bytes = [page, ...files].reduce((sum, each) => sum + each.bytes, 0);
    console.log(`${locale}: ${bytes} of ${mostBytes} bytes`);
    const weights = [page.bytes, ...[...new Set(named)].map((file, index) => `${file} ${files[index]?.bytes}`)].join(", ");
    expect(
      bytes,
      `${bytes - mostBytes} bytes too many. ARCHITECTURE.md, “The size of a first question”, says what to do. The document and its files: ${weights}`,
    ).toBeLessThanOrEqual(mostBytes);
  });

test("what reads a stored state is loaded only by a visitor who has one, together with the other modules", async ({ page, site }) => {
  const path = buildPath("questionnaire/question", "es-419", { version: defaultVersion["es-419"], question: "2" });
  const { text } = await weightOf(site, path);
  const forReturning = [...text.matchAll(/data-returning href="([^"]+)"/g)].map(([, file = ""]) => file);
  expect(forReturning.length).toBeGreaterThan(0);
  const named = () => page.locator("link[data-returning]").evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
  await page.goto(site.url + path);
  await ready(page);
  expect(await named()).toEqual([]);
  await page.locator("main [data-option-id]").first().click();
  await page.waitForURL(/\/3\/$/);
  await page.goto(site.url + path);
  await ready(page);
  expect(await named()).toEqual(forReturning);
});
