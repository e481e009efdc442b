/**
 * From the first question to the payment form on a phone, by taps: each version that is a default, in one of its languages. With `LONG=1`
 * (`npm run test:long`) every version, in all languages where it stands alone and in at least two.
 */
import { defaultVersion, embeddedVersion, versions } from "#content/questionnaires/index.ts";
import { traitsOf } from "#content/questionnaires/known.ts";
import { marketingConsentCountries } from "#core/countries.ts";
import { type Locale, locales } from "#core/locales.ts";
import { buildPath } from "#core/routes.ts";
import { long, sampled } from "#test/sampled.ts";
import { expect, test } from "./site.ts";
import { newVisitor, walkToBlock } from "./walk.ts";

test.use({ viewport: { width: 390, height: 844 }, reducedMotion: "reduce" });

/** The visitors' country for each language. Europe and Brazil require consent. */
const countryOf: Readonly<Record<Locale, string>> = {
  "en-US": "US",
  "es-419": "MX",
  "es-ES": "ES",
  "pt-BR": "BR",
  "it-IT": "IT",
  "de-DE": "DE",
};

const everyVersion = versions.flatMap((version, index) => {
  const own = locales.filter((locale) => defaultVersion[locale] === version || embeddedVersion[locale] === version);
  const inTurn = locales.map((_, at) => locales[(index + at) % locales.length]).filter((locale) => locale !== undefined);
  return [...new Set([...own, ...inTurn])].slice(0, Math.max(2, own.length)).map((locale) => ({ version, locale }));
});
const oneOfEachDefault = everyVersion.filter(
  ({ version, locale }) => locales.findLast((candidate) => defaultVersion[candidate] === version) === locale,
);
const journeys = long ? everyVersion : sampled(oneOfEachDefault.toReversed(), 1);

test("the long run's walks cover all languages", () => {
  expect(new Set(everyVersion.map(({ locale }) => locale))).toEqual(new Set(locales));
});

for (const { version, locale } of journeys) {
  test(`version ${version} in ${locale} leads to the payment form`, async ({ page, site }) => {
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
    });
    const contents: string[] = [];
    page.on("request", (request) => {
      const name = /\/assets\/(?:questionnaire|texts|more-texts)-(.*)-[\w-]{7}\.js$/.exec(request.url())?.[1];
      if (name !== undefined) contents.push(name);
    });
    // A dialog about consent to news may cover a question. It may disappear before a click, which would then wait for another dialog.
    await page.addLocatorHandler(page.locator("[data-consent=marketing]"), (dialog) =>
      dialog.getByRole("button").evaluateAll(([first]) => first instanceof HTMLElement && first.click()),
    );
    await page.route("**/geo.json", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), country: countryOf[locale] } });
    });
    await page.goto(site.url + buildPath("questionnaire/root", locale, { version }));
    await expect(page.locator("html")).toHaveAttribute("lang", locale);
    const path = await walkToBlock(page, "paddle", newVisitor(), { options: { 41: 3, 42: 3 } });
    expect(path[0]).toBe(2);
    expect(path).toContain(80);
    expect(path.includes(70)).toBe(traitsOf(version).asksMarketingConsent && marketingConsentCountries.has(countryOf[locale]));
    await expect(page.locator("main")).toHaveAttribute("data-version", version);
    await expect(page.frameLocator("[data-block=paddle] iframe").locator("input[name=number]")).toBeVisible();
    expect(problems).toEqual([]);
    // The server has sent only one language and one version.
    expect(contents).not.toEqual([]);
    expect(contents.filter((name) => name !== locale && name !== `${version}-${locale}`)).toEqual([]);
  });
}
