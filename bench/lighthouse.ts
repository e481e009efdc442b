/**
 * `npm run bench:lighthouse`: runs Lighthouse for every indexable page on a simulated phone. Fails below 95 for performance or 100 for the other
 * scores. Default locale: Latin American Spanish; `-- <locale> …` chooses others, `-- all` all six. "machine" is Lighthouse's benchmark of the
 * processor during the run: below 1,000 the processor was busy, and a low score says nothing about the page.
 */
import { isLocale, locales } from "#core/locales.ts";
import { type AddressedRoute, buildPath, isAddressed, isPageRoute, routeNames, routes } from "#core/routes.ts";
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";
import { chromiumArguments, ensureChromium } from "../scripts/chromium.ts";
import { startBuiltSite } from "./runningSite.ts";

const least = { performance: 95, accessibility: 100, "best-practices": 100, seo: 100 } as const;
type Category = keyof typeof least;
const categories: readonly Category[] = ["performance", "accessibility", "best-practices", "seo"];
/** Attempts per page. A low performance score is measured again, because the processor may have been busy. */
const tries = 3;

const wanted = process.argv.slice(2);
const chosen = wanted.includes("all") ? locales : wanted.length === 0 ? (["es-419"] as const) : wanted.filter(isLocale);
const indexable = routeNames.filter(isAddressed).filter((route) => isPageRoute(route) && routes[route].indexable);

const site = await startBuiltSite(4391);
const chrome = await launch({
  chromePath: process.env["CHROME_PATH"] ?? (await ensureChromium()),
  chromeFlags: ["--headless=new", ...chromiumArguments],
});
const failed: string[] = [];
try {
  for (const locale of chosen) {
    for (const route of indexable) {
      const path = buildPath<AddressedRoute>(route, locale, {});
      const { scores, times, problems } = await measure(site.url + path);
      console.log(`${path.padEnd(48)} ${scores.map(([name, score]) => `${name} ${score}`).join(", ")} (${times})`);
      for (const problem of problems) console.log(`    ${problem}`);
      for (const [name, score] of scores) if (score < least[name]) failed.push(`${path}: ${name} ${score}`);
    }
  }
} finally {
  chrome.kill();
  await site.stop();
}
console.log(failed.length === 0 ? "\nAll scores hold." : `\nBelow the required scores:\n${failed.join("\n")}`);
process.exit(failed.length === 0 ? 0 : 1);

interface Measured {
  readonly scores: readonly (readonly [Category, number])[];
  /** The metrics of the performance score, and the machine's speed. */
  readonly times: string;
  readonly problems: readonly string[];
}

async function measure(url: string): Promise<Measured> {
  let best: Measured = { scores: categories.map((category) => [category, 0] as const), times: "", problems: ["nothing measured"] };
  for (let time = 0; time < tries; time += 1) {
    const result = await lighthouse(url, { port: chrome.port, output: "json", logLevel: "error", onlyCategories: [...categories] });
    if (result === undefined) continue;
    const { lhr } = result;
    const scores = categories.map((category) => [category, Math.round((lhr.categories[category]?.score ?? 0) * 100)] as const);
    const problems = Object.values(lhr.audits)
      .filter(
        ({ score, scoreDisplayMode }) => score !== null && score < 0.9 && ["binary", "numeric", "metricSavings"].includes(scoreDisplayMode),
      )
      .map(({ id, displayValue }) => `${id}${displayValue === undefined ? "" : `: ${displayValue}`}`);
    const shown = {
      "first-contentful-paint": "FCP",
      "largest-contentful-paint": "LCP",
      "total-blocking-time": "TBT",
      "cumulative-layout-shift": "CLS",
    };
    const times = [
      ...Object.entries(shown).map(([audit, name]) => `${name} ${lhr.audits[audit]?.displayValue ?? "?"}`),
      `machine ${Math.round(lhr.environment.benchmarkIndex)}`,
    ].join(", ");
    const measured: Measured = { scores, times, problems };
    if (scores.every(([name, score]) => score >= least[name])) return measured;
    if ((scores[0]?.[1] ?? 0) >= (best.scores[0]?.[1] ?? 0)) best = measured;
  }
  return best;
}
