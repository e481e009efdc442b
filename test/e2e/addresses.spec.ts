/** URLs typed by hand, and the frame of every page (spec 001 §2). */
import { type Locale, localeTraits, locales } from "#core/locales.ts";
import { type AddressedRoute, type AnyParams, buildPath, isAddressed, isPageRoute, pathIn, routeNames, routes } from "#core/routes.ts";
import { long, sampled } from "#test/sampled.ts";
import fc from "fast-check";
import { expect, longTest, test } from "./site.ts";
import { blockStorage, ready, tap } from "./walk.ts";

const params: AnyParams = { version: "76", question: "2" };
const phone = { width: 390, height: 844 };
const desktop = { width: 1280, height: 800 };

/** Random addresses: from the route table, with any prefix, cut, doubled, in any case, or nonsense. */
function typedAddresses(): fc.Arbitrary<string> {
  const addressed = routeNames.filter(isAddressed);
  const otherPrefixes: Readonly<Record<Locale, readonly string[]>> = {
    "en-US": ["en-us", "EN"],
    "es-419": ["es-419", "Es-Mx", ""],
    "es-ES": ["es-es"],
    "pt-BR": ["pt", "PT-br"],
    "it-IT": ["it-it"],
    "de-DE": ["de-de", "DE"],
  };
  const anyPrefix = fc.constantFrom("", "xx", ...locales.flatMap((locale) => [localeTraits[locale].prefix, ...otherPrefixes[locale]]));
  const version = often("76", "83", "69", "ai", "aimx", "077", "nope", "9".repeat(50), "76.0", "-1", "💬");
  const question = often("2", "3", "53", "02", "999", "1000", "abc", "1e3", "9".repeat(30), "");
  const ofTable = fc
    .record({
      route: fc.constantFrom(...addressed),
      locale: fc.constantFrom(...locales),
      version,
      question,
      any: anyPrefix,
      kind: fc.nat(9),
    })
    .map(({ route, locale, any, kind, ...given }) => {
      const path = pathIn(locale, route).replace(/\{(version|question)\}/g, (_, key: "version" | "question") => given[key]);
      const prefix =
        kind < 6 ? localeTraits[locale].prefix : kind < 9 ? (otherPrefixes[locale][kind % otherPrefixes[locale].length] ?? "") : any;
      return [prefix, path].filter((part) => part !== "").join("/");
    });
  const words = new Set(addressed.flatMap((route) => locales.flatMap((locale) => pathIn(locale, route).split("/"))));
  const word = fc.constantFrom(...words, "", "..", ".", "%2e%2e", "%2F", "%00", "%E0%A4%A", "index.html", "wp-login.php", "76", "2");
  const ofWords = fc.tuple(anyPrefix, fc.array(word, { maxLength: 5 })).map((parts) => parts.flat().join("/"));
  const nonsense = fc.webPath().map((typed) => typed.slice(1));
  const path = fc.oneof({ weight: 7, arbitrary: ofTable }, { weight: 2, arbitrary: ofWords }, { weight: 1, arbitrary: nonsense });
  const query = often("", "?hf", "?a=2.1~3.4", "?a=%", "?cid=spring&vid=76", "?token=x&target=%2F%2Fevil.example", "?&&=&=");
  return (
    fc
      .record({ path, slash: often("/", "", "//"), query })
      .map(({ path: typed, slash, query: asked }) => `/${typed}${slash}${asked}`)
      // Excludes stand-ins and files, which have their own rules.
      .filter((address) => !/^\/+(standins|dev\/mail|api|assets|media|healthz|readyz|metrics|geo\.json)/.test(address))
  );
}

/** The usual value in half of the cases. */
function often(usual: string, ...others: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(fc.constant(usual), fc.constantFrom(...others));
}

const tried = long ? 2000 : 40;
test(`${tried} addresses: a page, one redirect to a page, or a real 404; never an error, a loop or a second hop`, async ({ site }) => {
  const get = (address: string) => fetch(address, { redirect: "manual" });
  const counts = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(typedAddresses(), async (typed) => {
      const { status, headers } = await get(site.url + typed);
      counts.set(status, (counts.get(status) ?? 0) + 1);
      expect([200, 301, 302, 404], typed).toContain(status);
      const location = headers.get("location");
      if (status === 200 || status === 404) return expect(location).toBeNull();
      const target = new URL(location ?? "", site.url);
      if (target.origin === site.url) expect((await get(target.href)).status, `${typed} → ${location}`).toBe(200);
      else expect(target.hostname, typed).toBe("ai.parlando.example");
    }),
    { numRuns: tried, seed: 5 },
  );
  // The generator must produce every kind.
  for (const status of [200, 301, 302, 404]) expect(counts.get(status) ?? 0, JSON.stringify([...counts])).toBeGreaterThan(tried / 40);
});

test("the root answers in the stored locale, else in the browser's preferred one, with a matching Vary header", async ({ site }) => {
  const at = async (headers: Record<string, string>) => {
    const answer = await fetch(site.url, { headers });
    return { lang: /<html lang="([^"]+)"/.exec(await answer.text())?.[1], vary: answer.headers.get("vary")?.toLowerCase() ?? "" };
  };
  const asked = await at({ "accept-language": "xx, de;q=0.8, en;q=0.5" });
  expect(asked.lang).toBe("de-DE");
  expect(asked.vary).toContain("accept-language");
  expect(asked.vary).toContain("cookie");
  expect((await at({ "accept-language": "de", cookie: "parlando-locale=pt-BR" })).lang).toBe("pt-BR");
  expect((await at({ cookie: "parlando-locale=xx", "accept-language": "" })).lang).toBe("es-419");
});

test("the root answers in the device's own locale when the cookie is gone (spec 000 §2)", async ({ page, site, context }) => {
  await page.goto(`${site.url}/it/`);
  await ready(page);
  await context.clearCookies();
  await page.goto(`${site.url}/`);
  await expect(page.locator("html")).toHaveAttribute("lang", "it-IT");
});

test("the app's addresses redirect to its host, with the origin and the store's address", async ({ page, site }) => {
  await page.goto(`${site.url}/de/app/start/?token=abc`);
  await expect(page.locator("main")).toHaveAttribute("data-app-page", "/dashboard");
  for (const [name, value] of [
    ["locale", "de-DE"],
    ["target", `${site.url}/de/app/start/`],
    ["store", "https://"],
  ] as const)
    await expect(page.getByRole("row", { name: new RegExp(`^${name} `) })).toContainText(value);
  await expect(page.getByRole("row", { name: /^token / })).toHaveCount(0);
  await page.goto(`${site.url}/de/app/passwort-vergessen/?token=abc`);
  await expect(page.locator("main")).toHaveAttribute("data-app-page", "/forgot-password");
});

test("data for search engines passes the content security policy", async ({ page, site }) => {
  const complaints: string[] = [];
  page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
  await page.addInitScript(() => document.addEventListener("securitypolicyviolation", (event) => console.error(event.violatedDirective)));
  for (const path of [buildPath("home", "de-DE"), buildPath("handle-your-subscription", "es-419")]) {
    await page.goto(site.url + path);
    await ready(page);
    expect(await page.locator('script[type="application/ld+json"]').count()).toBeGreaterThan(0);
  }
  expect(complaints).toEqual([]);
});

test.describe("the navbar", () => {
  test("on a phone a native select changes the language and keeps the page", async ({ page, site }) => {
    await page.setViewportSize(phone);
    await page.goto(site.url + buildPath("handle-your-subscription", "es-419"));
    await ready(page);
    await page.getByRole("navigation").getByRole("combobox").selectOption("de-DE");
    await page.waitForURL(site.url + buildPath("handle-your-subscription", "de-DE"));
    await expect(page.locator("html")).toHaveAttribute("lang", "de-DE");
  });

  test("on a desktop a list changes the language, also by keyboard, and Escape closes it", async ({ page, site }) => {
    await page.setViewportSize(desktop);
    await page.goto(site.url + buildPath("legal/privacy", "en-US"));
    await ready(page);
    const button = page.locator("header summary").filter({ hasText: "English" });
    await button.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("link", { name: "Italiano" })).toBeVisible();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("link", { name: "Italiano" })).toBeHidden();
    await expect(button).toBeFocused();
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Italiano" }).click();
    await page.waitForURL(site.url + buildPath("legal/privacy", "it-IT"));
  });

  for (const viewport of sampled([phone, desktop], 1))
    test(`in the funnel the language changes at ${viewport.width} px too: the question stays, with what was answered`, async ({
      page,
      site,
    }) => {
      await page.setViewportSize(viewport);
      await page.goto(site.url + buildPath("questionnaire/question", "es-419", { version: "76", question: "2" }));
      await ready(page);
      await tap(page.locator('main [data-option-id="1"]'));
      await expect(page.locator("main")).toHaveAttribute("data-question-id", "3");
      if (viewport === phone) await page.getByRole("navigation").getByRole("combobox").selectOption("de-DE");
      else {
        await page.locator("header summary").first().click();
        await page.getByRole("link", { name: "Deutsch" }).click();
      }
      await page.waitForURL(site.url + buildPath("questionnaire/question", "de-DE", { version: "76", question: "3" }));
      await ready(page);
      await page.locator("header a").first().click();
      await expect(page.locator('main [data-option-id="1"]')).toHaveAttribute("aria-current", "true");
    });

  longTest(
    "in the funnel the language changes where the browser blocks its storage, too, with what was answered",
    async ({ page, site }) => {
      await blockStorage(page);
      await page.goto(`${site.url}${buildPath("questionnaire/question", "es-419", { version: "76", question: "2" })}?utm_source=ad`);
      await ready(page);
      await tap(page.locator('main [data-option-id="1"]'));
      await expect(page.locator("main")).toHaveAttribute("data-question-id", "3");
      await page.locator("header summary").first().click();
      await page.getByRole("link", { name: "Deutsch" }).click();
      await page.waitForURL(/\/de\//);
      await ready(page);
      await page.locator("header a").first().click();
      await expect(page.locator('main [data-option-id="1"]')).toHaveAttribute("aria-current", "true");
    },
  );

  test("the menu has its three items, in a row on a desktop and behind a button on a phone (spec 001 §2)", async ({ page, site }) => {
    const wanted = ["/de/", "/de/dein-abo-verwalten/"];
    for (const viewport of [phone, desktop]) {
      await page.setViewportSize(viewport);
      await page.goto(`${site.url}/de/`);
      await ready(page);
      if (viewport === phone) await page.locator("header summary").last().click();
      const items = page.locator("header ul:visible a");
      await expect(items).toHaveCount(3);
      const hrefs = await items.evaluateAll((links) => links.map((link) => link.getAttribute("href")));
      expect(hrefs).toEqual(expect.arrayContaining(wanted));
    }
  });

  test("`hf` hides it", async ({ page, site }) => {
    await page.goto(`${site.url}/de/?hf`);
    await expect(page.locator("nav")).toHaveCount(0);
  });

  test("the first Tab stop skips it", async ({ page, site }) => {
    await page.goto(`${site.url}/de/`);
    await ready(page);
    await page.keyboard.press("Tab");
    await expect(page.getByRole("link", { name: "Zum Inhalt springen" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.locator("main")).toBeFocused();
  });
});

test.describe("without a script", () => {
  test.use({ javaScriptEnabled: false });

  test("answers keep the navbar hidden (spec 001 §2)", async ({ page, site }) => {
    await page.goto(`${site.url}/es-latam/?hf`);
    const shown: string[] = [];
    for (let step = 0; step < 8; step += 1) {
      const option = page.locator("main a[data-option-id]").first();
      await page.goto(new URL((await option.getAttribute("href")) ?? "", page.url()).href);
      shown.push((await page.locator("main").getAttribute("data-question-id")) ?? "");
      expect([shown, await page.locator("nav").count(), new URL(page.url()).searchParams.has("hf")]).toEqual([shown, 0, true]);
    }
    expect(new Set(shown).size).toBe(8);
  });

  longTest("every indexable page is readable and has working links", async ({ page, site }) => {
    for (const route of routeNames.filter(isAddressed).filter((name) => isPageRoute(name) && routes[name].indexable)) {
      await page.goto(site.url + buildPath<AddressedRoute>(route, "es-419", params));
      await expect(page.locator("h1")).toBeVisible();
      expect((await page.locator("main").innerText()).length, route).toBeGreaterThan(40);
      await page.setViewportSize(phone);
      await page.locator("header summary").first().click();
      await page.getByRole("link", { name: "Português" }).click();
      await expect(page.locator("html")).toHaveAttribute("lang", "pt-BR");
      await expect(page.locator("main")).toHaveAttribute("data-route", route);
    }
  });
});

test.describe("on an old system", () => {
  test.use({
    userAgent:
      "Mozilla/5.0 (iPhone; CPU iPhone OS 13_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1 Mobile/15E148 Safari/604.1",
    viewport: phone,
  });

  test("a notice appears once, with the first answer (spec 001 §4)", async ({ page, site }) => {
    const question = (id: number) => site.url + buildPath("questionnaire/question", "de-DE", { version: "76", question: String(id) });
    await page.goto(question(2));
    await ready(page);
    await expect(page.getByRole("dialog")).toHaveCount(0);
    // It waits until the consent banner is answered (consent.spec.ts).
    await tap(page.getByRole("button", { name: "Nur notwendige" }));
    await tap(page.locator("main [data-option-id]").first());
    await expect(page.getByRole("dialog", { name: "Dein Betriebssystem ist schon etwas älter" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await page.goto(question(2));
    await ready(page);
    await tap(page.locator("main [data-option-id]").last());
    await expect(page.locator("main")).toHaveAttribute("data-question-id", "3");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });
});
