/** A tap before hydration: the next question shows at once, and the script continues from there (decision 160). */
import { buildPath } from "#core/routes.ts";
import { sampled } from "#test/sampled.ts";
import type { Page } from "@playwright/test";
import { expect, test } from "./site.ts";
import { answer, calm, currentQuestion, newVisitor, readable, ready } from "./walk.ts";

const first = "/es-latam/habla-ingles/76/2/";

/** Delays the page's script until the returned function is called. */
async function withLateScript(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await promise;
    await route.fallback();
  });
  return resolve;
}

/** Counts the page's document requests. */
function documents(page: Page): () => number {
  let count = 0;
  page.on("request", (request) => void (count += request.resourceType() === "document" ? 1 : 0));
  return () => count;
}

const painted = (page: Page) => page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
const tapFirst = (page: Page) => page.locator("main [data-option-id]").first().click();
const answers = (page: Page): Promise<readonly object[]> =>
  page.evaluate(() => JSON.parse(localStorage.getItem("questionnaireState") ?? '{"selectedOptions":[]}').selectedOptions);
for (const [place, address] of [
  ["a question", `${first}?utm_source=mail`],
  ["the home page", "/es-latam/?utm_source=mail"],
] as const)
  test(`on ${place} the next question needs no new document, and the script continues from there`, async ({ page, site }) => {
    const letGo = await withLateScript(page);
    const count = documents(page);
    await page.goto(site.url + address, { waitUntil: "commit" });
    await painted(page);
    await tapFirst(page);
    await page.waitForURL(/\/3\/\?a=2\.1/, { waitUntil: "commit" });
    await expect(page.locator('main[data-question-id="3"] h1')).toBeVisible();
    expect(new URL(page.url()).searchParams.get("utm_source")).toBe("mail");
    letGo();
    await ready(page);
    expect(await answers(page)).toEqual([{ questionId: 2, optionId: 1 }]);
    expect(new URL(page.url()).searchParams.has("a")).toBe(false);
    await readable(page);
    await page.locator("main [data-option-id]").nth(1).click();
    await page.waitForURL(/\/4\/|\/5\//, { waitUntil: "commit" });
    expect(await answers(page)).toEqual([
      { questionId: 2, optionId: 1 },
      { questionId: 3, optionId: 2 },
    ]);
    expect(count()).toBe(1);
  });

test("a broken script that an in-app browser adds does not turn a tap into a new document", async ({ page, site }) => {
  await withLateScript(page);
  const count = documents(page);
  await page.goto(site.url + first, { waitUntil: "commit" });
  await painted(page);
  await page.evaluate(() =>
    dispatchEvent(new ErrorEvent("error", { message: "Uncaught SyntaxError: Unexpected token", filename: "https://app.example/added.js" })),
  );
  await tapFirst(page);
  await page.waitForURL(/\/3\//, { waitUntil: "commit" });
  expect(count()).toBe(1);
});

test("Back leads to the answered question after the script has loaded", async ({ page, site }) => {
  const letGo = await withLateScript(page);
  const count = documents(page);
  await page.goto(site.url + first, { waitUntil: "commit" });
  await painted(page);
  await tapFirst(page);
  await page.waitForURL(/\/3\//, { waitUntil: "commit" });
  letGo();
  await ready(page);
  await page.goBack();
  await page.waitForFunction(() => document.querySelector("main")?.dataset["questionId"] === "2");
  await readable(page);
  expect(await currentQuestion(page)).toBe(2);
  expect(count()).toBe(1);
});

test("Back leads to the answered question before the script has loaded", async ({ page, site }) => {
  await withLateScript(page);
  await page.goto(site.url + first, { waitUntil: "commit" });
  await painted(page);
  await tapFirst(page);
  await page.waitForURL(/\/3\//, { waitUntil: "commit" });
  await page.goBack({ waitUntil: "commit" });
  await expect(page.locator('main[data-question-id="2"] h1')).toBeVisible();
});

test("the answer and the next question's showing are each reported once", async ({ page, site }) => {
  const letGo = await withLateScript(page);
  const told: string[] = [];
  page.on("request", (request) => {
    if (!request.url().endsWith("/send-event")) return;
    const { events: sent } = request.postDataJSON();
    for (const { eventType, payload } of sent) told.push(`${eventType} ${payload.questionId ?? ""}`);
  });
  await page.goto(site.url + first, { waitUntil: "commit" });
  await painted(page);
  await tapFirst(page);
  await page.waitForURL(/\/3\//, { waitUntil: "commit" });
  letGo();
  await ready(page);
  const times = (what: string) => told.filter((one) => one === what).length;
  await expect.poll(() => times("QuestionnaireQuestionShown 3")).toBe(1);
  expect(times("QuestionnaireAnswer 2")).toBe(1);
  expect(times("QuestionnaireQuestionShown 2")).toBe(1);
});

test("a tap before the script brings the notice about an old system, another page's link with an answer does not", async ({
  browser,
  site,
}) => {
  const opened = async (address: string, taps: boolean) => {
    const userAgent = "Mozilla/5.0 (iPhone; CPU iPhone OS 14_8 like Mac OS X) AppleWebKit/605.1.15 Version/14.1 Mobile/15E148 Safari/604.1";
    const context = await browser.newContext({ userAgent });
    const page = await context.newPage();
    const letGo = await withLateScript(page);
    await page.goto(site.url + address, { waitUntil: "commit" });
    await painted(page);
    if (taps) await tapFirst(page);
    await page.waitForURL(/\/3\//, { waitUntil: "commit" });
    letGo();
    await calm(page);
    return page;
  };
  const notice = (page: Page) => page.locator("dialog[open]");
  await expect(notice(await opened(first, true))).toBeVisible();
  const linked = await opened(`${first.replace("/2/", "/3/")}?a=2.1`, false);
  await expect(notice(linked)).toBeHidden();
  await linked.locator("main [data-option-id]").first().click();
  await expect(notice(linked)).toBeVisible();
});

test("a press of a button before the script has loaded counts once it has", async ({ page, site }) => {
  const letGo = await withLateScript(page);
  const calls: string[] = [];
  page.on("request", (request) => void (request.method() === "POST" && calls.push(new URL(request.url()).pathname)));
  await page.goto(`${site.url}${buildPath("link/undo-email", "es-419")}?token=unknown`, { waitUntil: "commit" });
  await painted(page);
  await page.locator("main button").click();
  letGo();
  await expect(page.getByRole("heading", { name: "Este enlace ya no sirve" })).toBeVisible();
  expect(calls.filter((path) => path.endsWith("undo-email"))).toHaveLength(1);
});

test("before the script has loaded, a link that loads a page keeps the header hidden", async ({ page, site }) => {
  await withLateScript(page);
  await page.goto(`${site.url}/es-latam/habla-ingles/76/3/?a=2.1&hf`, { waitUntil: "commit" });
  await painted(page);
  await tapFirst(page);
  await page.waitForURL(/a=2\.1(~|%7E)3\.1&hf/, { waitUntil: "commit" });
  await expect(page.locator("main h1")).toBeVisible();
  await expect(page.locator("nav")).toHaveCount(0);
});

/** The stored answers with their version and the question that follows: `76: 2.1~3.1 → 4`. */
const kept = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { id, selectedOptions, currentQuestionId } = JSON.parse(localStorage.getItem("questionnaireState") ?? "{}");
    const pairs = selectedOptions.map((one: { questionId: number; optionId: number }) => `${one.questionId}.${one.optionId}`);
    return `${id}: ${pairs.join("~")} → ${currentQuestionId}`;
  });

/** Answers the first questions, the very first one with its third option. */
async function begin(page: Page, first: string, count: number): Promise<string> {
  await page.goto(first);
  await ready(page);
  await answer(page, newVisitor(), { options: { 2: 3 } });
  for (let step = 1; step < count; step += 1) await answer(page, newVisitor());
  return kept(page);
}

test("after a reload amid the questions an early tap is the answer, and leads on from the answers before", async ({ page, site }) => {
  const before = await begin(page, site.url + first, 6);
  while ((await page.locator("main a[data-option-id]").count()) < 2) await answer(page, newVisitor());
  const at = await currentQuestion(page);
  const letGo = await withLateScript(page);
  await page.reload({ waitUntil: "commit" });
  await painted(page);
  await page.locator("main [data-option-id]").nth(1).click();
  await page.waitForURL((url) => !url.pathname.endsWith(`/${at}/`), { waitUntil: "commit" });
  letGo();
  await ready(page);
  const after = await kept(page);
  expect(after.startsWith(before.split(" →")[0] ?? "")).toBe(true);
  expect(after).toContain(`~${at}.2 →`);
  expect(after).toContain(`→ ${await currentQuestion(page)}`);
});

test("early taps in a row amid the questions all count", async ({ page, site }) => {
  // The following questions do not depend on the earlier answers, which the server does not know.
  const before = await begin(page, site.url + first, 2);
  const letGo = await withLateScript(page);
  await page.reload({ waitUntil: "commit" });
  const taps: string[] = [];
  for (let tap = 0; tap < 3; tap += 1) {
    await painted(page);
    const at = await page.locator("main").getAttribute("data-question-id");
    const option = page.locator("main a[data-option-id]").first();
    taps.push(`${at}.${await option.getAttribute("data-option-id")}`);
    await option.click();
    await page.waitForURL((url) => !url.pathname.endsWith(`/${at}/`), { waitUntil: "commit" });
    await expect(page.locator(`main:not([data-question-id="${at}"])`)).toBeVisible();
  }
  letGo();
  await ready(page);
  expect(await kept(page)).toBe(`${before.split(" →")[0]}~${taps.join("~")} → ${await currentQuestion(page)}`);
});

const begun = [
  ["another version", first, "/es-latam/", 'main a[href*="/73/2/"]'],
  ["the same version", "/de/englisch-sprechen/83/2/", "/de/", 'main a[href*="/83/2/"]'],
] as const;
for (const [version, stored, home, link] of sampled(begun, 1))
  test(`an early tap on the home page's button leads who has begun in ${version} to where they were (decision 007)`, async ({
    page,
    site,
  }) => {
    const before = await begin(page, site.url + stored, 4);
    const letGo = await withLateScript(page);
    await page.goto(`${site.url}${home}?utm_source=mail`, { waitUntil: "commit" });
    await painted(page);
    await page.locator(link).last().click();
    await page.waitForURL(/\/2\/\?a=2\.1/, { waitUntil: "commit" });
    letGo();
    const question = before.split("→ ")[1] ?? "";
    await page.waitForURL((url) => url.pathname.endsWith(`/${question}/`));
    await ready(page);
    expect([await kept(page), await currentQuestion(page)]).toEqual([before, Number(question)]);
  });

test("an early tap on the home page's first question counts in the version in which the visitor has begun", async ({ page, site }) => {
  const before = await begin(page, site.url + first, 4);
  const letGo = await withLateScript(page);
  await page.goto(`${site.url}/es-latam/`, { waitUntil: "commit" });
  await painted(page);
  await page.locator('main [data-option-id="3"]').click();
  await page.waitForURL(/\/73\/3\//, { waitUntil: "commit" });
  letGo();
  const question = before.split("→ ")[1] ?? "";
  await page.waitForURL((url) => url.pathname.endsWith(`/76/${question}/`));
  await ready(page);
  expect(await kept(page)).toBe(before);
});

for (const file of ["app", "react"])
  test(`a first visit whose ${file} module does not arrive is loaded again, once, as soon as the server answers, with the early answer`, async ({
    page,
    site,
  }) => {
    let isAway = true;
    let checks = 0;
    const count = documents(page);
    await page.route(new RegExp(`/assets/${file}-[^/]*\\.js$`), (route) => (isAway ? route.abort() : route.continue()));
    await page.route(/\/76\/\d+\//, (route) => {
      const isCheck = route.request().method() === "HEAD";
      checks += isCheck ? 1 : 0;
      return isCheck && isAway ? route.abort() : route.continue();
    });
    await page.goto(site.url + first);
    await tapFirst(page);
    await page.waitForURL(/\/3\//);
    await expect.poll(() => checks).toBeGreaterThan(1);
    expect(count()).toBe(1);
    isAway = false;
    await ready(page);
    expect([count(), await currentQuestion(page)]).toEqual([2, 3]);
    await expect.poll(() => answers(page)).toHaveLength(1);
  });

test("a page whose module never arrives is loaded again only once: its links lead on without the script", async ({ page, site }) => {
  const count = documents(page);
  let refused = 0;
  await page.route(/\/assets\/app-[^/]*\.js$/, (route) => {
    refused += 1;
    return route.abort();
  });
  await page.goto(site.url + first);
  await expect.poll(() => refused).toBe(2);
  await tapFirst(page);
  await page.waitForURL(/\/3\//);
  await readable(page);
  expect(count()).toBe(2);
});

test("a link tapped on a page whose module did not arrive is followed: the page is not loaded again meanwhile", async ({ page, site }) => {
  const login = buildPath("login/link", "es-419");
  const privacy = buildPath("legal/privacy", "es-419");
  const check = Promise.withResolvers<void>();
  const document = Promise.withResolvers<void>();
  await page.route(/\/assets\/app-[^/]*\.js$/, (route) => route.abort());
  await page.route(`**${privacy}`, async (route) => {
    await document.promise;
    await route.continue();
  });
  await page.route(`**${login}`, async (route) => {
    if (route.request().method() === "HEAD") await check.promise;
    await route.continue();
  });
  // The page reports in a task after the one that handles an answer: a pending navigation holds up Playwright's own scripts.
  await page.addInitScript(() => {
    const { fetch } = window;
    window.fetch = (...request) => {
      const answered = fetch(...request);
      void answered.then(() => setTimeout(() => navigator.sendBeacon("/handled")));
      return answered;
    };
  });
  const checked = page.waitForRequest((request) => request.method() === "HEAD");
  await page.goto(site.url + login);
  const asked = page.waitForRequest(`**${privacy}`);
  await checked;
  await page.locator(`footer a[href="${privacy}"]`).first().click({ noWaitAfter: true });
  await asked;
  const handled = page.waitForRequest("**/handled");
  check.resolve();
  await handled;
  document.resolve();
  await page.waitForURL(`**${privacy}`);
});
