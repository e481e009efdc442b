/** The device's configuration: backend, version and language, and when it is stored and fetched again (spec 000 §1, §5, §7). */
import type { Page, Request } from "@playwright/test";
import { buildPath } from "#core/routes.ts";
import { call, linkIn, mailTo, personWith } from "./people.ts";
import { countryHeader, expect, longTest, type RunningSite, test } from "./site.ts";
import { currentQuestion, deviceOf, ready, tap } from "./walk.ts";

test.use({ viewport: { width: 390, height: 844 }, reducedMotion: "reduce" });

const raffle = buildPath("questionnaire/raffle", "es-419");
const first = (version: string, locale: "es-419" | "de-DE" = "es-419") =>
  buildPath("questionnaire/question", locale, { version, question: "2" });
const isConfig = (call: { readonly url: () => string }) => new URL(call.url()).pathname.endsWith("/api/config");

/** The configuration stored on the device. */
const kept = (page: Page) => page.evaluate(() => JSON.parse(localStorage.getItem("config") ?? "null")?.questionnaireVersion ?? null);

/** Opens an address and waits until the page's configuration is stored. */
async function open(page: Page, address: string): Promise<URL> {
  const answered = page.waitForResponse(isConfig);
  await page.goto(address);
  const { url } = await answered.then((response) => ({ url: new URL(response.url()) }));
  await page.waitForFunction(() => localStorage.getItem("config") !== null);
  return url;
}

test.describe("the stored version", () => {
  test("is fetched again in another language: /es-latam/, then /de/, gives 83", async ({ page, site }) => {
    await open(page, `${site.url}/es-latam/`);
    expect(await kept(page)).toBe("76");
    await page.goto(site.url + buildPath("questionnaire/raffle", "de-DE"));
    await page.waitForURL(site.url + first("83", "de-DE"));
    expect(await kept(page)).toBe("83");
  });

  test("is fetched again when a page is opened by a campaign's link", async ({ page, site }) => {
    await open(page, `${site.url}/es-latam/`);
    const asked = await open(page, `${site.url}/es-latam/?vid=84&cid=spring`);
    expect([asked.searchParams.get("versionId"), asked.searchParams.get("campaignId")]).toEqual(["84", "spring"]);
    await expect.poll(() => kept(page)).toBe("84");
    await page.goto(site.url + raffle);
    await page.waitForURL(site.url + first("84"));
  });

  test("is the one of a campaign's link whose ids end in a line break", async ({ page, site }) => {
    await open(page, `${site.url}/es-latam/?vid=84%0A&cid=spring%0D%0A`);
    expect(await kept(page)).toBe("84");
    await page.goto(site.url + raffle);
    await page.waitForURL(site.url + first("84"));
  });

  test("is fetched once a day", async ({ page, site }) => {
    await open(page, `${site.url}/es-latam/`);
    const asked: string[] = [];
    page.on("request", (request) => isConfig(request) && asked.push(request.url()));
    await page.goto(site.url + raffle);
    await page.waitForURL(site.url + first("76"));
    await ready(page);
    expect(asked).toEqual([]);
    // Closes the page, which would also notice the new day.
    await page.goto("about:blank");
    await page.clock.setFixedTime(Date.now() + 25 * 60 * 60 * 1000);
    await open(page, `${site.url}/es-latam/`);
    expect(asked).toHaveLength(1);
  });

  for (const [name, address] of [
    ["root", "/"],
    ["raffle", raffle],
    ["home redirect", buildPath("home-redirect", "es-419")],
  ] as const)
    test(`that was retired leads from the ${name} to the language's default, and to no 404`, async ({ page, site }) => {
      await open(page, `${site.url}/es-latam/`);
      // Simulates the past: the version was valid when it was stored.
      await page.evaluate(() => {
        for (const key of ["config", "questionnaireState"])
          localStorage.setItem(key, (localStorage.getItem(key) ?? "").replace(/"(questionnaireVersion|id)":"\d+"/, '"$1":"77"'));
        localStorage.setItem("questionnaireVersion", "77");
      });
      const missing: string[] = [];
      page.on("response", (response) => response.status() === 404 && missing.push(response.url()));
      await open(page, site.url + address);
      if (name === "root") await page.goto(site.url + raffle);
      await page.waitForURL(site.url + first("76"));
      expect([await currentQuestion(page), await kept(page), missing]).toEqual([2, "76", []]);
    });

  test("is replaced by the language's default when a newer server draws one that this page does not know", async ({ page, site }) => {
    await page.route(isConfigUrl, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), questionnaireVersion: "77" } });
    });
    await page.goto(site.url + raffle);
    await page.waitForURL(site.url + first("76"));
  });

  test("of an account leads to the default when it has been retired", async ({ page, site }) => {
    const person = await personWith(site, [], 2);
    site.change(
      'UPDATE questionnaire_states SET version = \'77\', state = replace(state, \'"id":"76"\', \'"id":"77"\') WHERE account_uuid = ?',
      person.uuid,
    );
    await logIn(page, site, person);
    await page.waitForURL(/habla-ingles\/76\/\d+\/$/);
    await page.goto(site.url + raffle);
    await page.waitForURL(/habla-ingles\/76\/\d+\/$/);
  });
});

/** The version that the device keeps as the visitor's. */
const ownVersion = (page: Page) => page.evaluate(() => localStorage.getItem("questionnaireVersion"));

test("a version that the raffle draws replaces an earlier page's, also where its question is shown in place (spec 000 §3)", async ({
  page,
  site,
}) => {
  await open(page, site.url + first("84"));
  expect(await ownVersion(page)).toBe("84");
  await page.goto(site.url + raffle);
  await page.waitForURL(site.url + first("76"));
  await expect.poll(() => ownVersion(page)).toBe("76");
});

test("the drawn version stays the visitor's on pages without one: home and login store none of their own (spec 000 §3)", async ({
  page,
  site,
}) => {
  const version = () => ownVersion(page);
  await open(page, `${site.url}/es-latam/?vid=91`);
  expect(await version()).toBeNull();
  await page.goto(site.url + raffle);
  await page.waitForURL(site.url + first("91"));
  await ready(page);
  expect(await version()).toBe("91");
  await page.goto(`${site.url}/es-latam/`);
  await ready(page);
  await page.goto(site.url + buildPath("login/link", "es-419"));
  await ready(page);
  await tap(page.getByRole("link", { name: "Crear una cuenta" }));
  await page.waitForURL(site.url + first("91"));
});

test("without a version yet, the login's way to an account leads to the version that the configuration draws", async ({ page, site }) => {
  await open(page, site.url + buildPath("login/link", "es-419") + "?vid=91");
  await ready(page);
  await tap(page.getByRole("link", { name: "Crear una cuenta" }));
  await page.waitForURL(site.url + first("91"));
});

const isConfigUrl = (url: URL) => url.pathname.endsWith("/api/config");

async function logIn(page: Page, site: RunningSite, { email, password }: { readonly email: string; readonly password: string }) {
  await page.goto(site.url + buildPath("questionnaire/user", "es-419", { version: "76" }));
  await ready(page);
  await page.locator("input[type=email]").fill(email);
  await page.locator("input[type=password]").fill(password);
  await tap(page.getByRole("button", { name: "Entrar" }));
}

test("calls of a logged-in visitor carry a token exactly where the specification says so (spec 000 §6, spec 001 §6)", async ({
  page,
  site,
}) => {
  const person = await personWith(site, [], 2);
  await logIn(page, site, person);
  await page.waitForURL(/habla-ingles\/76\/\d+\/$/);
  const requests: Request[] = [];
  page.on("request", (request) => new URL(request.url()).pathname.startsWith("/api/") && requests.push(request));
  const answered = (path: string) => page.waitForResponse((response) => new URL(response.url()).pathname === `/api/${path}`);

  await open(page, `${site.url}/es-latam/?cid=spring`);
  const sold = answered("products");
  await page.goto(site.url + buildPath("questionnaire/reactivate", "es-419", { version: "76" }));
  await sold;
  await page.goto(linkIn(await mailTo(site, person.email, /confirm-email/), /confirm-email/));
  await page.locator("[data-tick]").waitFor();
  const forgotten = answered("forgot-password");
  await page.goto(site.url + buildPath("forgot-password", "es-419"));
  await ready(page);
  await page.locator("input[type=email]").fill(person.email);
  await page.locator("main button").first().click();
  await forgotten;
  const renewed = answered("refresh");
  await page.clock.setFixedTime(Date.now() + 20 * 60 * 1000);
  await page.goto(site.url + first("76"));
  await renewed;
  const again = answered("login");
  await logIn(page, site, person);
  await again;

  const carriers = new Map<string, boolean>();
  for (const request of requests) {
    const path = new URL(request.url()).pathname.slice("/api/".length);
    const carries = (await request.allHeaders())["authorization"] !== undefined;
    carriers.set(path, carries || carriers.get(path) === true);
  }
  const unauthenticated = ["config", "products", "confirm-email", "forgot-password", "refresh", "login"];
  expect(unauthenticated.map((path) => [path, carriers.get(path)])).toEqual(unauthenticated.map((path) => [path, false]));
  for (const path of ["questionnaire", "entitlement", "feature/course-fee"]) expect([path, carriers.get(path)]).toEqual([path, true]);
});

test.describe("with another backend for the calls", () => {
  const elsewhere = "https://eu.parlando.example";
  test.use({
    settings: { BACKEND_URL: `${elsewhere}/api`, BACKENDS: "https://us.parlando.example/api" },
  });
  // Ignores calls in flight at the end of a test.
  test.afterEach(({ page }) => page.unrouteAll({ behavior: "ignoreErrors" }));

  /** Routes the other backend's host to this server. @returns the target of each of the page's calls */
  async function listen(page: Page, site: RunningSite): Promise<string[]> {
    const hosts: string[] = [];
    page.on("request", (request) => {
      const { origin, pathname } = new URL(request.url());
      if (pathname.startsWith("/api/")) hosts.push(`${origin === site.url ? "here" : "there"} ${pathname.slice("/api/".length)}`);
    });
    await page.route(`${elsewhere}/api/**`, async (route) => {
      const { pathname, search } = new URL(route.request().url());
      const response = await route.fetch({ url: `${site.url}${pathname}${search}`, headers: { ...route.request().headers(), host: "" } });
      const headers = { ...response.headers(), "access-control-allow-origin": site.url, "access-control-allow-credentials": "true" };
      await route.fulfill({ response, headers });
    });
    return hosts;
  }

  test("configuration and events wait until geo has named the backend", async ({ page, site }) => {
    const hosts = await listen(page, site);
    const geo = Promise.withResolvers<void>();
    await page.route("**/geo.json", async (route) => {
      await geo.promise;
      await route.continue();
    });
    await page.goto(site.url + first("76"));
    await ready(page);
    await tap(page.locator("main [data-option-id]").first());
    await page.waitForURL((url) => url.href !== site.url + first("76"));
    await page.waitForFunction(() => performance.getEntriesByName("calm").length > 0);
    // Events that wait in a queue would be sent now, so an empty list proves that there are none.
    await page.evaluate(() => {
      dispatchEvent(new Event("online"));
      return new Promise((resolve) => requestAnimationFrame(resolve));
    });
    expect(hosts).toEqual([]);
    geo.resolve();
    await expect
      .poll(() => hosts.filter((call) => call === "there config" || call === "there send-event").length)
      .toBeGreaterThanOrEqual(2);
    expect(hosts.filter((call) => call.startsWith("here"))).toEqual([]);
  });

  longTest("a page that is left before geo has answered sends its events to the default backend", async ({ page, site }) => {
    await page.route("**/geo.json", () => new Promise(() => {}));
    await page.goto(site.url + first("76"));
    await ready(page);
    const device = await deviceOf(page);
    const kept = () => site.rows("SELECT id FROM events WHERE device_id = ?", device).length;
    expect(kept()).toBe(0);
    await page.goto("about:blank");
    await expect.poll(kept).toBeGreaterThan(0);
  });

  test("a link's token goes to the backend that the link names, although geo names another for the other calls", async ({ page, site }) => {
    const hosts = await listen(page, site);
    await page.route("**/geo.json", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), backendUrlWeb: `${site.url}/api` } });
    });
    // A device that remembers an address exchanges the token at once.
    await page.addInitScript(() => localStorage.setItem("signupEmail", "ana@example.com"));
    const link = new URLSearchParams({ token: "forged", "backend-url": `${elsewhere}/api` });
    await page.goto(`${site.url}${buildPath("link/login", "es-419")}?${link}`);
    await page.waitForURL(site.url + buildPath("login/expired", "es-419"));
    await expect.poll(() => hosts).toContain("here config");
    expect(hosts.filter((call) => /token|config/.test(call)).toSorted()).toEqual(["here config", "there token"]);
  });

  test("mails lead to the account's backend, also where geo names another: the link itself, and a login from the page it leads to", async ({
    page,
    site,
  }) => {
    const person = await personWith(site, [], 2);
    const hosts = await listen(page, site);
    await page.route("**/geo.json", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), backendUrlWeb: `${site.url}/api` } });
    });
    await call(site, "forgot-password", { email: person.email });
    const reset = linkIn(await mailTo(site, person.email, /[?&]token=/), /[?&]token=/);
    const atApp = new URL((await fetch(reset, { redirect: "manual" })).headers.get("location") ?? "", site.url).searchParams;
    expect(atApp.get("backend-url")).toBe(`${elsewhere}/api`);
    await call(site, "reset-password", { token: atApp.get("token"), password: "another-pear-tree" });
    const passwordChanged = linkIn(await mailTo(site, person.email, /\?backend-url=/), /\?backend-url=/);
    await page.goto(passwordChanged);
    await ready(page);
    expect(page.url()).not.toContain("backend-url");
    await page.goto(site.url + buildPath("login/link", "es-419"));
    await ready(page);
    await page.locator("main input[type=email]").fill(person.email);
    await page.locator("main input[type=email]").press("Enter");
    await page.waitForURL(site.url + buildPath("login/link-sent", "es-419"));
    const link = linkIn(await mailTo(site, person.email, /link\/login/), /link\/login/);
    await page.goto(link);
    await page.waitForURL(/habla-ingles\/76\/\d+\/$/);
    expect(hosts.filter((call) => /login-link|token/.test(call))).toEqual(["there login-link", "there token"]);
  });

  test("the login's response sets the backend of later calls", async ({ page, site }) => {
    const person = await personWith(site, [], 2);
    const hosts = await listen(page, site);
    await page.route("**/geo.json", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), backendUrlWeb: `${site.url}/api` } });
    });
    await logIn(page, site, person);
    await page.waitForURL(/habla-ingles\/76\/\d+\/$/);
    expect([hosts.includes("here login"), hosts.includes("there questionnaire"), hosts.includes("here questionnaire")]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test("the root's first document is in geo's language, unless a language is stored", async ({ browser, site }) => {
    const context = await browser.newContext({ locale: "fr-FR", extraHTTPHeaders: { [countryHeader]: "BR" } });
    const page = await context.newPage();
    const opened = await page.goto(`${site.url}/`);
    expect(await opened?.text()).toContain('<html lang="pt-BR"');
    await ready(page);
    await page.goto(site.url + buildPath("home", "de-DE"));
    await ready(page);
    await page.goto(`${site.url}/`);
    await expect(page.locator("html")).toHaveAttribute("lang", "de-DE");
    // The page's script sets the cookie again.
    await ready(page);
    // Without the cookie the device's storage is used.
    await context.clearCookies();
    await page.goto(`${site.url}/?cid=spring`);
    await page.waitForURL(`${site.url + buildPath("home", "de-DE")}?cid=spring`);
    await context.close();
  });

  test("the root changes to geo's language when the server could not know it", async ({ page, site }) => {
    await page.route("**/geo.json", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), locale: "it-IT" } });
    });
    await page.goto(`${site.url}/?cid=spring`);
    await page.waitForURL(`${site.url + buildPath("home", "it-IT")}?cid=spring`);
    await page.goto(site.url + buildPath("home", "de-DE"));
    await ready(page);
    const answered = page.waitForResponse("**/geo.json");
    await page.goto(`${site.url}/`);
    await ready(page);
    await answered;
    await expect(page.locator("html")).toHaveAttribute("lang", "de-DE");
  });
});
