/** The transfer size of a first question and all files that it names. `npm run bench:page` measures it in a browser. */
import { buildPath } from "#core/routes.ts";
import { locales } from "#core/locales.ts";
import { defaultVersion } from "#content/questionnaires/index.ts";
import { expect, type RunningSite, test } from "./site.ts";

const mostBytes = 110_000;
const mostFiles = 10;

async function weightOf(site: RunningSite, path: string): Promise<{ readonly bytes: number; readonly text: string }> {
  const response = await fetch(site.url + path, { headers: { "accept-encoding": "br" } });
  expect(response.headers.get("content-encoding")).toBe("br");
  return { bytes: Number(response.headers.get("content-length")), text: await response.text() };
}

for (const locale of locales)
  test(`the first question in ${locale} needs at most 110 kB in ten files until hydration`, async ({ site }) => {
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
    expect([page, ...files].reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(mostBytes);
  });
