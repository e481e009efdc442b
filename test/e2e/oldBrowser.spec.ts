/** The oldest supported browsers (`build.target` in `vite.config.ts`), simulated: the tests remove from Chromium what these browsers lack. */
import { type AddressedRoute, buildPath } from "#core/routes.ts";
import type { Page } from "@playwright/test";
import { addressOf, openAt } from "./answered.ts";
import { long, sampled } from "#test/sampled.ts";
import { countryHeader, expect, longTest, test } from "./site.ts";
import { answer, newVisitor, ready, tap, walkToBlock } from "./walk.ts";

test.use({ viewport: { width: 390, height: 844 }, reducedMotion: "reduce" });

/** Removes the functions that pages might use and that Safari 16.4, Chrome 111 or Firefox 114 lacks. */
function makeOld(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    const lacking: readonly (readonly [object, readonly string[]])[] = [
      [URLSearchParams.prototype, ["size"]],
      [URL, ["canParse", "parse"]],
      [Promise, ["withResolvers", "try"]],
      [Object, ["groupBy"]],
      [Map, ["groupBy"]],
      [Array, ["fromAsync"]],
      [AbortSignal, ["any"]],
      [RegExp, ["escape"]],
      [Set.prototype, ["union", "intersection", "difference", "symmetricDifference", "isSubsetOf", "isSupersetOf", "isDisjointFrom"]],
      [String.prototype, ["isWellFormed", "toWellFormed"]],
      [Element.prototype, ["checkVisibility"]],
    ];
    for (const [owner, names] of lacking) for (const name of names) Reflect.deleteProperty(owner, name);
    for (const name of ["Iterator", "requestIdleCallback"]) Reflect.deleteProperty(globalThis, name);
  });
}

test("an old browser's calls have their queries, its choice of cookies can be taken back, and it signs up", async ({
  page,
  site,
  context,
}) => {
  await context.setExtraHTTPHeaders({ [countryHeader]: "DE" });
  await makeOld(page);
  const choices: unknown[] = [];
  page.on("request", (request) => request.url().endsWith("/api/consent") && choices.push(request.postDataJSON()));
  const configured = page.waitForResponse((response) => response.url().includes("/api/config"));
  await page.goto(`${site.url}/es-latam/habla-ingles/76/2/?release=000000000000`);
  await ready(page);
  expect(new URL(page.url()).search).toBe("");
  expect((await configured).status()).toBe(200);
  const banner = page.locator("[data-consent=banner]");
  await tap(banner.getByRole("button").nth(1));
  await expect(banner).toHaveCount(0);
  const visitor = newVisitor();
  await answer(page, visitor);
  await openAt(page, "signupEmail", site);
  await walkToBlock(page, "signupName", visitor);
  await page.goto(`${site.url}/es-latam/`);
  await ready(page);
  await page.getByRole("button", { name: /cookies/i }).click();
  await tap(page.locator("[data-consent=settings]").getByRole("button").first());
  await expect.poll(() => choices).toMatchObject([{ categories: { analytics: true } }, { categories: { analytics: false } }]);
});

/** Opens this address and answers questions by their links, until the page says that the visitor needs a newer browser. */
async function followLinks(page: Page, from: string): Promise<void> {
  await page.goto(from);
  const untold = page.getByText("usa un navegador más reciente");
  const ways = page.locator('main a[href*="?a="]');
  const question = page.locator("main");
  for (;;) {
    // Some of these links, and the sentence, appear only after the script has failed.
    await ways.or(untold).first().waitFor();
    if ((await untold.count()) > 0) break;
    const id = (await question.getAttribute("data-question-id")) ?? "";
    await tap(ways.first());
    await expect(question).not.toHaveAttribute("data-question-id", id);
  }
}

/** Removes functions that our modules call and that Safari 15 and Chrome 109 lack. These browsers can parse the modules. */
function lackFunctions(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    for (const name of ["toSorted", "toSpliced", "toReversed", "with"]) Reflect.deleteProperty(Array.prototype, name);
    for (const name of ["timeout", "any"]) Reflect.deleteProperty(AbortSignal, name);
  });
}

/** Adds a syntax error to the page's inline script that handles taps. On iOS 12 the browser cannot parse it either. */
function breakTapScript(page: Page): Promise<unknown> {
  return page.route(/\/habla-ingles\//, async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    expect(html).toContain("<script>(function()");
    await route.fulfill({ response, body: html.replace("<script>(function()", "<script>class {(function()") });
  });
}

test("a browser that can read the page's modules, but lacks what they call, leads by links to the sign-up and says so there, too", async ({
  page,
  site,
}) => {
  await lackFunctions(page);
  await followLinks(page, addressOf("studySchedule", site));
});

longTest("so does one that cannot even read the script in the page that handles taps", async ({ page, site }) => {
  await lackFunctions(page);
  await breakTapScript(page);
  await followLinks(page, addressOf("studySchedule", site));
});

test("a browser that cannot read the page's script leads by links to the sign-up, and says there what it lacks", async ({ page, site }) => {
  await page.route(/\/assets\/.*\.js$/, (route) => route.fulfill({ contentType: "text/javascript", body: "class {" }));
  await followLinks(page, long ? `${site.url}/es-latam/habla-ingles/76/2/` : addressOf("studySchedule", site));
  await expect(page.locator('main input[type="email"], main input[name]').first()).toBeVisible();
});

const oldAgents = {
  "iOS 14":
    "Mozilla/5.0 (iPhone; CPU iPhone OS 14_8 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/14.1 Mobile/15E148 Safari/604.1",
  "iOS 12":
    "Mozilla/5.0 (iPhone; CPU iPhone OS 12_5_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/12.1.2 Mobile/15E148 Safari/604.1",
  "Android 9": "Mozilla/5.0 (Linux; Android 9; SM-J530F) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/95.0.4638.74 Mobile Safari/537.36",
} as const;
for (const [system, userAgent] of sampled(Object.entries(oldAgents), 1))
  test(`a browser of an old system (${system}) that cannot run our scripts warns once, with the first answer (spec 000 §5)`, async ({
    browser,
    site,
  }) => {
    const context = await browser.newContext({ userAgent, viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    await lackFunctions(page);
    if (system === "iOS 12") await breakTapScript(page);
    const warning = page.getByRole("alertdialog", { name: "Tu sistema ya tiene sus años" });
    const ways = page.locator('main a[href*="?a="]');
    const answerBy = async (way: number) => {
      const id = (await page.locator("main").getAttribute("data-question-id")) ?? "";
      await ways.nth(way).click();
      await expect(page.locator("main")).not.toHaveAttribute("data-question-id", id);
    };
    const told = page.waitForRequest(/old-browser\.js/);
    await page.goto(`${site.url}/es-latam/habla-ingles/76/2/`);
    await told;
    await expect(warning).toHaveCount(0);
    await answerBy(0);
    await expect(warning).toContainText("algunos ejercicios");
    expect(await page.evaluate(() => localStorage.getItem("oldOSWarning"))).toBe("true");
    await warning.getByRole("button", { name: "Entendido" }).click();
    await expect(warning).toHaveCount(0);
    const again = page.waitForResponse(/old-browser\.js/);
    await answerBy(0);
    await (await again).finished();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    await expect(warning).toHaveCount(0);
    await context.close();
  });

longTest(
  "a page that does nothing without scripts says so, also where a mail's link opens in a browser that cannot read ours",
  async ({ page, site }) => {
    const routes = [
      "link/login",
      "token-login",
      "link/confirm-email",
      "link/undo-email",
      "link/keep-subscription",
      "login/link",
      "login/account-exists",
      "forgot-password",
      "questionnaire/user",
      "questionnaire/update-email",
      "questionnaire/post-purchase",
      "contract/cancel",
    ] as const;
    const told = page.getByText("Diese Seite braucht JavaScript.");
    await page.route(/\/assets\/.*\.js$/, (route) => route.fulfill({ contentType: "text/javascript", body: "class {" }));
    for (const route of routes) {
      await page.goto(`${site.url}${buildPath<AddressedRoute>(route, "de-DE", { version: "83" })}?token=t&confirm_token=c`);
      await expect(told, route).toBeVisible();
    }
    await page.unrouteAll();
    await page.goto(site.url + buildPath("login/link", "de-DE"));
    await ready(page);
    await expect(told).toHaveCount(0);
  },
);
