/** Every version, in the languages it is for and one more, from its first question to the payment form on a phone. */
import { defaultVersion, embeddedVersion, versions } from "#content/questionnaires/index.ts";
import { traits } from "#content/questionnaires/traits.ts";
import { type Locale, locales } from "#core/locales.ts";
import { buildPath } from "#core/routes.ts";
import { expect, test } from "./site.ts";
import { newVisitor, walkToBlock } from "./walk.ts";

test.use({ viewport: { width: 390, height: 844 }, reducedMotion: "reduce" });

/** Where the visitors of a language come from; Europe and Brazil have to be asked for consent. */
const countryOf: Readonly<Record<Locale, string>> = {
  "en-US": "US",
  "es-419": "MX",
  "es-ES": "ES",
  "pt-BR": "BR",
  "it-IT": "IT",
  "de-DE": "DE",
};

/** The languages a version stands in by itself; two at least, taken in turn. Run by `npm run test:long`. */
const journeys = versions.flatMap((version, index) => {
  const own = locales.filter((locale) => defaultVersion[locale] === version || embeddedVersion[locale] === version);
  const others = locales.map((_, at) => locales[(2 * index + at) % locales.length]).filter((locale) => locale !== undefined);
  return [...new Set([...own, ...others])].slice(0, Math.max(2, own.length)).map((locale) => ({ version, locale }));
});

for (const { version, locale } of journeys) {
  test(`version ${version} in ${locale} leads to the payment form`, async ({ page, site }) => {
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
    });
    // Where the law wants consent to news, the version may ask for it over a question.
    await page.addLocatorHandler(page.locator("[data-consent=marketing]"), (dialog) => dialog.getByRole("button").first().click());
    await page.route("**/geo.json", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), country: countryOf[locale] } });
    });
    await page.goto(site.url + buildPath("questionnaire/root", locale, { version }));
    await expect(page.locator("html")).toHaveAttribute("lang", locale);
    const path = await walkToBlock(page, "paddle", newVisitor(), { options: { 41: 3, 42: 3 } });
    expect(path[0]).toBe(2);
    expect(path).toContain(80);
    if (traits[version].asksMarketingConsent) expect(path).toContain(70);
    await expect(page.locator("main")).toHaveAttribute("data-version", version);
    await expect(page.frameLocator("[data-block=paddle] iframe").locator("input[name=number]")).toBeVisible({ timeout: 30_000 });
    expect(problems).toEqual([]);
  });
}
