/** Consent to third parties in countries with different laws: requests before the choice, after a yes and after a no. */
import type { BrowserContext, Page } from "@playwright/test";
import { openAt } from "./answered.ts";
import { googleAnalytics } from "./googleAnalytics.ts";
import { sampled } from "#test/sampled.ts";
import { countryHeader, expect, longTest, type RunningSite, test, thirdPartyServices } from "./site.ts";
import { answer, calm, isAt, newestChoice, newVisitor, readable, ready, tap, walkToBlock } from "./walk.ts";

const outsideHosts = ["www.googletagmanager.com", "js.appboycdn.com", "static.zdassets.com"];
test.use({ viewport: { width: 390, height: 844 }, reducedMotion: "reduce", settings: thirdPartyServices });

/** Answers every request to another host with an empty response. @returns their URLs */
async function watchOutside(context: BrowserContext, country: string | null): Promise<string[]> {
  const asked: string[] = [];
  if (country !== null) await context.setExtraHTTPHeaders({ [countryHeader]: country });
  await context.route(
    (url) => url.hostname !== "localhost",
    (route) => {
      asked.push(new URL(route.request().url()).hostname);
      return route.fulfill({ contentType: "text/javascript", body: "" });
    },
  );
  return asked;
}
const start = (site: RunningSite) => `${site.url}/es-latam/habla-ingles/76/2/`;
const banner = (page: Page) => page.locator("[data-consent=banner]");
const consentMode = (page: Page) =>
  page.evaluate(() => {
    const list: unknown = Reflect.get(window, "dataLayer");
    const commands = (Array.isArray(list) ? list : []).map((entry) => Array.from(Object.values(entry ?? {})));
    return JSON.stringify(commands.filter(([name]) => name === "consent").at(-1));
  });

/** Stored items that serve only statistics (decision 181). */
const keptToCount = (page: Page) =>
  page.evaluate(async () => [
    ...["eventSequence", "earlyEvents", "purchaseReported"].filter((key) => localStorage.getItem(key) !== null),
    ...(await indexedDB.databases()).flatMap(({ name }) => name ?? []),
  ]);

for (const country of sampled(["DE", null], 1)) {
  const from = country ?? "nobody knows where";
  test(`from ${from} nothing is requested from third parties before the choice, after a refusal, or six months later`, async ({
    page,
    context,
    site,
  }) => {
    const asked = await watchOutside(context, country);
    await page.goto(start(site));
    await ready(page);
    await expect(banner(page)).toBeVisible();
    const [reject, accept] = await Promise.all(
      ["Solo las necesarias", "Aceptar todas"].map((name) => banner(page).getByRole("button", { name }).boundingBox()),
    );
    expect([reject?.height, reject?.y]).toEqual([accept?.height, accept?.y]);
    await tap(page.locator("main [data-option-id]").first());
    await expect(page.locator("main")).not.toHaveAttribute("data-question-id", "2");
    await calm(page);
    expect(asked).toEqual([]);
    expect(await keptToCount(page)).toEqual([]);

    await tap(banner(page).getByRole("button", { name: "Solo las necesarias" }));
    await expect(banner(page)).toBeHidden();
    await expect
      .poll(() => newestChoice(page, site))
      .toMatchObject({ functional: 0, analytics: 0, marketing: 0, source: "banner", country });
    await page.reload();
    await ready(page);
    await expect.poll(() => consentMode(page)).toContain('"ad_storage":"denied"');
    await expect(banner(page)).toBeHidden();
    await calm(page);
    expect(asked).toEqual([]);
    expect(await keptToCount(page)).toEqual([]);
  });
}

for (const height of sampled([640, 844], 1)) {
  test(`on a phone of ${height} px the banner is below the first answers and the link back to the questions`, async ({
    page,
    context,
    site,
  }) => {
    await watchOutside(context, "DE");
    await page.setViewportSize({ width: height === 844 ? 390 : 360, height });
    await page.goto(`${site.url}/de/englisch-sprechen/83/2/`);
    await ready(page);
    await expect(banner(page)).toBeVisible();
    const options = page.locator("main a[data-option-id]");
    const boxes = await options.evaluateAll((all) => all.map((option) => option.getBoundingClientRect().bottom));
    const top = (await banner(page).boundingBox())?.y ?? 0;
    // All six answers, or the first four on the smallest screens.
    expect(boxes.slice(0, height === 844 ? 6 : 4).every((bottom) => bottom <= top)).toBe(true);
    await options.first().click();
    await expect(page.locator("main")).not.toHaveAttribute("data-question-id", "2");

    await page.goto(`${site.url}/de/`);
    const goOn = page.getByRole("link", { name: "Weitermachen, wo du aufgehört hast" }).last();
    await expect(banner(page)).toBeVisible();
    // Nothing covers the link, so the tap works.
    await goOn.click();
    await expect(page.locator("main")).toHaveAttribute("data-question-id", /^[^2]/);
  });
}

for (const [width, height] of sampled(
  [
    [360, 640],
    [740, 360],
  ] as const,
  1,
)) {
  test(`at ${width} × ${height} px the banner never covers the focused element`, async ({ page, context, site }) => {
    await watchOutside(context, "DE");
    await page.setViewportSize({ width, height });
    await page.goto(`${site.url}/de/englisch-sprechen/83/2/`);
    await ready(page);
    await expect(banner(page)).toBeVisible();
    const top = height - (await banner(page).evaluate((element) => element.getBoundingClientRect().height));
    for (const option of await page.locator("main a[data-option-id]").all()) {
      await option.focus();
      const box = await option.boundingBox();
      // Rounded, because the browser scrolls by whole pixels.
      expect(Math.floor((box?.y ?? 0) + (box?.height ?? 0))).toBeLessThanOrEqual(top);
    }
  });
}

for (const [language, path] of sampled(
  [
    ["German", "/de/englisch-sprechen/83/2/"],
    ["Italian", "/it/parla-inglese/83/2/"],
  ] as const,
  1,
))
  test(`on a phone of 360 × 640 px the banner in ${language} takes less than a quarter of the screen, with its three buttons side by side`, async ({
    page,
    context,
    site,
  }) => {
    await watchOutside(context, "DE");
    await page.setViewportSize({ width: 360, height: 640 });
    await page.goto(site.url + path);
    await expect(banner(page)).toBeVisible();
    expect(await banner(page).evaluate((element) => element.getBoundingClientRect().height / innerHeight)).toBeLessThan(0.25);
    const ways = await banner(page)
      .getByRole("button")
      .evaluateAll((all) => all.map((way) => way.getBoundingClientRect().toJSON()));
    expect(ways).toHaveLength(3);
    const [reject, accept, adjust] = ways;
    expect([accept.y, accept.height, Math.round(accept.width)]).toEqual([reject.y, reject.height, Math.round(reject.width)]);
    expect(adjust.y).toBe(reject.y);
    expect(Math.min(...ways.flatMap(({ width, height }) => [width, height]))).toBeGreaterThanOrEqual(44);
  });

for (const [width, height] of sampled(
  [
    [390, 844],
    [1280, 800],
  ] as const,
  1,
))
  test(`at ${width} × ${height} px with text twice as large, no word on the banner's buttons is broken`, async ({
    page,
    context,
    site,
  }) => {
    await watchOutside(context, "DE");
    await page.setViewportSize({ width, height });
    await page.goto(`${site.url}/de/englisch-sprechen/83/2/`);
    await expect(banner(page)).toBeVisible();
    await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
    const broken = () =>
      banner(page)
        .getByRole("button")
        .evaluateAll((ways) =>
          ways.flatMap((way) => {
            const walker = document.createTreeWalker(way, NodeFilter.SHOW_TEXT);
            const words: string[] = [];
            for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
              for (const { index, 0: word } of (node.textContent ?? "").matchAll(/\S+/g)) {
                const range = document.createRange();
                range.setStart(node, index);
                range.setEnd(node, index + word.length);
                const { right } = way.getBoundingClientRect();
                if (range.getClientRects().length > 1 || range.getBoundingClientRect().right > Math.ceil(right)) words.push(word);
              }
            return words;
          }),
        );
    await expect.poll(broken).toEqual([]);
  });

for (const [width, height] of sampled(
  [
    [390, 844],
    [1280, 800],
  ] as const,
  1,
)) {
  test(`at ${width} × ${height} px the notice of a lost connection covers neither the header nor the focused element, with or without the banner`, async ({
    page,
    context,
    site,
  }) => {
    await watchOutside(context, "DE");
    await page.setViewportSize({ width, height });
    await page.goto(`${site.url}/de/englisch-sprechen/83/2/`);
    await ready(page);
    await expect(banner(page)).toBeVisible();
    const line = page.getByText("Du bist offline.");
    const covers = () =>
      line.evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return [document.querySelector("header"), document.activeElement].filter((other) => {
          const box = other?.getBoundingClientRect();
          return box !== undefined && Math.floor(box.bottom) > top && box.top < bottom;
        }).length;
      });
    for (const choice of [true, false]) {
      // The lowest focusable element.
      await page.locator("main a[data-option-id]").last().focus();
      await context.setOffline(true);
      await expect(line).toBeVisible();
      await expect.poll(covers).toBe(0);
      if (choice) await tap(banner(page).getByRole("button", { name: "Nur notwendige" }));
      await expect(banner(page)).toBeHidden();
      await expect.poll(covers).toBe(0);
      await context.setOffline(false);
      await expect(line).toBeHidden();
    }
  });
}

test("after a choice by keyboard the focus is on the question", async ({ page, context, site }) => {
  await watchOutside(context, "DE");
  await page.goto(`${site.url}/de/englisch-sprechen/83/2/`);
  await ready(page);
  await banner(page).getByRole("button", { name: "Einstellungen" }).press("Enter");
  const save = page.locator("[data-consent=settings]").getByRole("button", { name: "Auswahl speichern" });
  await save.waitFor();
  do await page.keyboard.press("Tab");
  while (!(await save.evaluate((button) => button === document.activeElement)));
  await page.keyboard.press("Enter");
  await expect(banner(page)).toBeHidden();
  await expect(page.locator("main h1")).toBeFocused();
});

test("from DE a yes loads the allowed services, and a withdrawal ends them", async ({ page, context, site }) => {
  const asked = await watchOutside(context, "DE");
  await page.goto(`${site.url}/de/`);
  await ready(page);
  await tap(banner(page).getByRole("button", { name: "Alle akzeptieren" }));
  await calm(page);
  await expect.poll(() => [...new Set(asked)].toSorted()).toEqual(outsideHosts.slice(0, 2).toSorted());
  await expect.poll(() => consentMode(page)).toContain('"analytics_storage":"granted"');
  await page.reload();
  await ready(page);
  await expect.poll(() => keptToCount(page)).toContain("parlando-events");

  await tap(page.getByRole("button", { name: "Cookie-Einstellungen" }));
  const settings = page.locator("[data-consent=settings]");
  await settings.getByLabel("Statistik").uncheck();
  await settings.getByLabel("Werbung").uncheck();
  await settings.getByLabel("Hilfe und Nachrichten").uncheck();
  await tap(settings.getByRole("button", { name: "Auswahl speichern" }));
  await expect.poll(() => consentMode(page)).toContain('"analytics_storage":"denied"');
  await expect.poll(() => keptToCount(page)).toEqual([]);
  asked.length = 0;
  await page.reload();
  await ready(page);
  await expect.poll(() => consentMode(page)).toContain('"analytics_storage":"denied"');
  await calm(page);
  expect(asked).toEqual([]);
  await expect.poll(() => newestChoice(page, site)).toMatchObject({ source: "settings", analytics: 0, country: "DE" });
});

longTest(
  "a choice holds at once in the visitor's other tab: the banner goes, and a withdrawal ends the services there",
  async ({ page, context, site }) => {
    const asked = await watchOutside(context, "DE");
    const hits = await googleAnalytics(context);
    const other = await context.newPage();
    for (const tab of [page, other]) {
      await tab.goto(`${site.url}/de/englisch-sprechen/83/2/`);
      await ready(tab);
      await calm(tab);
      await expect(banner(tab)).toBeVisible();
    }
    expect(asked).toEqual([]);
    await tap(banner(page).getByRole("button", { name: "Alle akzeptieren" }));
    await expect(banner(other)).toBeHidden();
    await expect.poll(() => consentMode(other)).toContain('"analytics_storage":"granted"');
    await expect.poll(() => hits.filter(({ en }) => en === "page_view").length).toBe(2);
    await page.getByRole("button", { name: "Cookie-Einstellungen" }).press("Enter");
    await tap(page.locator("[data-consent=settings]").getByRole("button", { name: "Nur notwendige" }));
    await expect.poll(() => consentMode(other)).toContain('"analytics_storage":"denied"');
    hits.length = 0;
    await tap(other.locator("main [data-option-id]").first());
    await expect(other.locator("main")).not.toHaveAttribute("data-question-id", "2");
    expect(hits).toEqual([]);
  },
);

test("from DE the analytics service gets nothing before a yes, then each page and event once and without secrets, and nothing after a withdrawal", async ({
  page,
  context,
  site,
}) => {
  const asked = await watchOutside(context, "DE");
  const hits = await googleAnalytics(context);
  const named = (name: string) => hits.filter(({ en }) => en === name);
  await page.goto(`${site.url}/de/englisch-sprechen/83/2/?utm_source=mail&token=geheim`);
  await ready(page);
  await tap(page.locator("main [data-option-id]").first());
  await expect(page.locator("main")).not.toHaveAttribute("data-question-id", "2");
  await calm(page);
  expect([asked, hits]).toEqual([[], []]);

  await tap(banner(page).getByRole("button", { name: "Alle akzeptieren" }));
  await expect
    .poll(() => named("page_view").map(({ dl }) => dl.replace(site.url, "")))
    .toEqual(["/de/englisch-sprechen/83/2/?utm_source=mail", expect.stringMatching(/^\/de\/englisch-sprechen\/83\/\d+\/$/)]);
  // The tag manager is loaded, too.
  await expect.poll(() => asked).toContain("www.googletagmanager.com");
  await expect.poll(() => named("questionnaire_start").map(({ tid, gcs }) => [tid, gcs])).toEqual([["G-TEST1", "G111"]]);
  expect(JSON.stringify(hits)).not.toContain("geheim");
  expect(await page.evaluate(() => document.cookie)).toContain("_ga=");

  await page.goto(`${site.url}/de/`);
  await ready(page);
  await expect.poll(() => named("homepage").length).toBe(1);
  // The link back to the questions covers the end of the page.
  await page.getByRole("button", { name: "Cookie-Einstellungen" }).press("Enter");
  const settings = page.locator("[data-consent=settings]");
  await settings.getByLabel("Statistik").uncheck();
  await tap(settings.getByRole("button", { name: "Auswahl speichern" }));
  await expect.poll(() => page.evaluate(() => document.cookie)).not.toContain("_ga=");
  hits.length = 0;
  asked.length = 0;
  await page.goto(`${site.url}/de/englisch-sprechen/83/2/`);
  await ready(page);
  await calm(page);
  expect(hits).toEqual([]);
});

test("from MX there is no banner, and a visitor can refuse below a question, which has no footer", async ({ page, context, site }) => {
  const asked = await watchOutside(context, "MX");
  await page.goto(start(site));
  await ready(page);
  await calm(page);
  await expect.poll(() => [...new Set(asked)].toSorted()).toEqual(outsideHosts.slice(0, 2).toSorted());
  await expect(banner(page)).toBeHidden();
  await page.goto(`${site.url}/es-latam/habla-ingles/76/3/?a=2.1`);
  await ready(page);
  await expect(page.locator("footer")).toHaveCount(0);
  await tap(page.getByRole("button", { name: "Configurar cookies" }));
  await tap(page.locator("[data-consent=settings]").getByRole("button", { name: "Solo las necesarias" }));
  asked.length = 0;
  await page.goto(start(site));
  await ready(page);
  await expect.poll(() => consentMode(page)).toContain('"ad_storage":"denied"');
  await calm(page);
  expect(asked).toEqual([]);
});

test("from DE consent to news by e-mail is requested once after sign-up, and recorded", async ({ page, context, site }) => {
  await watchOutside(context, "DE");
  const visitor = newVisitor();
  await openAt(page, "signupEmail", site);
  await tap(banner(page).getByRole("button", { name: "Solo las necesarias" }));
  await walkToBlock(page, "signupName", visitor);
  await answer(page, visitor);
  const popup = page.locator("[data-consent=marketing]");
  await tap(popup.getByRole("button", { name: "Sí, claro" }));
  await expect(popup).toBeHidden();
  await expect(page.locator("main h1")).toBeFocused();
  await page.reload();
  await ready(page);
  await expect(page.locator("main [data-option-id]").first()).toBeVisible();
  await expect(popup).toBeHidden();
  await expect
    .poll(() =>
      site.rows(
        "SELECT a.marketing_consent, p.popup_id FROM accounts a JOIN popups p ON p.account_uuid = a.uuid WHERE a.email = ?",
        visitor.email,
      ),
    )
    .toEqual([{ marketing_consent: 1, popup_id: "MarketingConsent" }]);
});

test("from DE an answer on news is sent by the next login when the session turns out to be over", async ({ page, context, site }) => {
  await watchOutside(context, "DE");
  const visitor = newVisitor();
  await page.goto(`${site.url}/de/englisch-sprechen/83/2/`);
  await ready(page);
  await tap(banner(page).getByRole("button", { name: "Nur notwendige" }));
  await walkToBlock(page, "signupMarketingConsent", visitor, { options: { 43: 3, 44: 3 } });
  await readable(page);
  // In one step. Between two steps, another call of the page could notice the ended session and remove the options.
  await page.evaluate(() => {
    localStorage.setItem("token", `h.${btoa(JSON.stringify({ exp: 1 }))}.s`);
    localStorage.setItem("refreshToken", "ended");
    document.querySelector<HTMLElement>('main [data-option-id="1"]')?.click();
  });
  await isAt(page, "questionnaire/user");
  await page.locator("input[type=password]").fill(visitor.password);
  await page.keyboard.press("Enter");
  await isAt(page, "questionnaire/question");
  await expect
    .poll(() => site.rows("SELECT marketing_consent FROM accounts WHERE email = ?", visitor.email))
    .toEqual([{ marketing_consent: 1 }]);
});

test("the question about news waits until the visitor has stopped typing, even when the country becomes known meanwhile", async ({
  page,
  context,
  site,
}) => {
  await watchOutside(context, "DE");
  const known = Promise.withResolvers<void>();
  let away = true;
  await page.route("**/geo.json", async (route) => {
    if (away) return route.abort();
    await known.promise;
    await route.continue();
  });
  const visitor = newVisitor();
  await openAt(page, "signupEmail", site);
  await walkToBlock(page, "signupName", visitor, { options: { 43: 3, 44: 3 } });
  // The banner shows because the country is unknown.
  await expect(banner(page)).toBeVisible();
  // The page fetches the country again and gets it while the visitor types.
  away = false;
  await page.reload();
  await ready(page);
  const name = page.locator("input[autocomplete=given-name]");
  await name.click();
  await page.keyboard.type("Lucía");
  known.resolve();
  // The banner appears once the page knows the country.
  await expect(banner(page)).toBeVisible();
  await page.keyboard.type(" Inés");
  await expect(name).toBeFocused();
  await expect(name).toHaveValue("Lucía Inés");
  const popup = page.locator("[data-consent=marketing]");
  await expect(popup).toBeHidden();
  await page.keyboard.press("Enter");
  await expect(page.locator("[data-block=preparingProgram]")).toBeVisible();
  await expect(popup).toBeHidden();
  await expect(popup).toBeVisible();
  await expect(page.locator("main")).toHaveAttribute("data-question-id", "74");
});

test("third-party scripts that hang for half a minute do not delay the first steps", async ({ page, context, site }) => {
  await context.setExtraHTTPHeaders({ [countryHeader]: "MX" });
  await context.route(
    (url) => url.hostname !== "localhost",
    () => new Promise(() => {}),
  );
  await page.goto(start(site), { waitUntil: "commit" });
  await ready(page);
  await tap(page.locator("main [data-option-id]").first());
  await expect(page.locator("main")).toHaveAttribute("data-question-id", "3");
  await calm(page);
  await tap(page.locator("main [data-option-id]").nth(1));
  await expect(page.locator("main")).not.toHaveAttribute("data-question-id", "3");
});

for (const [theme, path] of sampled(
  [
    ["parlando", "/de/englisch-sprechen/83/2/"],
    ["HablaIngles", "/es-latam/habla-ingles/76/2/"],
    ["Kosmo", "/de/englisch-sprechen/88/2/"],
  ] as const,
  1,
))
  test(`${theme}: the notice about an old system shows together with the banner, and both fit on a small phone`, async ({
    browser,
    site,
  }) => {
    const context = await browser.newContext({
      viewport: { width: 360, height: 640 },
      userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 14_8 like Mac OS X) AppleWebKit/605.1.15 Version/14.1 Mobile/15E148 Safari/604.1",
      extraHTTPHeaders: { [countryHeader]: "DE" },
    });
    const page = await context.newPage();
    await page.goto(site.url + path);
    await ready(page);
    await expect(banner(page)).toBeVisible();
    await tap(page.locator("main [data-option-id]").first());
    const notice = page.locator("dialog[open]");
    await expect(notice).toBeVisible();
    await expect(banner(page)).toBeVisible();
    const [above, below] = await Promise.all([notice.boundingBox(), banner(page).boundingBox()]);
    expect(above?.y).toBeGreaterThanOrEqual(0);
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
    expect(await notice.evaluate((element) => element.scrollHeight - element.clientHeight)).toBe(0);
    await page.keyboard.press("Enter");
    await expect(notice).toBeHidden();
    await expect(page.locator("main h1")).toBeFocused();
    await tap(banner(page).getByRole("button").first());
    await expect(banner(page)).toBeHidden();
    await context.close();
  });
