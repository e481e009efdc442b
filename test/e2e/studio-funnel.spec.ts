/** Visitors leave the funnel; an operator sees in the studio where, and the screens they saw. */
import { buildPath } from "#core/routes.ts";
import type { Browser, Page } from "@playwright/test";
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { enterStudio, faultsOf } from "./operators.ts";
import { expect, type RunningSite, longTest, startSite, test } from "./site.ts";
import { answer, currentQuestion, deviceOf, newVisitor, ready } from "./walk.ts";

test.use({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });

/** The device's screens known to the server. */
const shownOf = (site: RunningSite, device: string) =>
  site.rows("SELECT DISTINCT json_extract(payload, '$.questionId') AS q FROM events WHERE device_id = ?", device).map(({ q }) => Number(q));

/** A visitor who answers some screens and closes the page. @returns the screen where they left */
async function leavesAfter(browser: Browser, site: RunningSite, answers: number, allows: boolean): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, reducedMotion: "reduce", locale: "de-DE" });
  const page = await context.newPage();
  await page.goto(`${site.url}/de/englisch-sprechen/83/2/`);
  await ready(page);
  const visitor = newVisitor();
  for (let n = 0; n < answers; n += 1) {
    await answer(page, visitor);
    await ready(page);
  }
  const last = await currentQuestion(page);
  const device = await deviceOf(page);
  await expect.poll(() => shownOf(site, device)).toContain(last);
  if (allows) {
    const choice = { id: randomUUID(), at: new Date().toISOString(), textVersion: "2026-11-20", source: "banner" };
    const response = await context.request.post(`${site.url}/api/consent`, {
      headers: { "x-device-id": device },
      data: { ...choice, categories: { functional: false, analytics: true, marketing: false } },
    });
    expect(response.ok(), await response.text()).toBe(true);
  }
  await context.close();
  return last;
}

const cells = (page: Page, questionId: number) =>
  page.locator(`tr[data-key="${questionId}"] td`).evaluateAll((all) => all.slice(2, 5).map((cell) => cell.textContent));

test("the funnel shows where visitors leave, the screen's picture, and their visits", async ({ page, browser }) => {
  const site = await startSite();
  try {
    const screen = await leavesAfter(browser, site, 2, true);
    expect(await leavesAfter(browser, site, 2, false)).toBe(screen);
    const later = await leavesAfter(browser, site, 4, true);
    expect(later).not.toBe(screen);
    // Simulates an hour, so that they count as left (30 minutes without activity).
    site.change("UPDATE journeys SET started_at = started_at - 3600000, last_at = last_at - 3600000");

    await enterStudio(page, site, "support");
    await page.goto(`${site.url}/studio/funnel`);
    await expect(page.getByRole("heading", { name: "Funnel of version 83" })).toBeVisible();
    await expect(page.getByText("3 visitors started it, 3 answered, 0 bought")).toBeVisible();
    expect(await cells(page, 2)).toEqual(["3", "0", "0"]);
    expect(await cells(page, screen)).toEqual(["3", "2", "0"]);
    expect(await cells(page, later)).toEqual(["1", "1", "0"]);

    // Esc closes a filter's list and keeps the chosen values.
    await page.getByRole("button", { name: /^Locale/ }).click();
    await page.getByRole("option", { name: /^de-DE/ }).click();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("listbox")).toHaveCount(0);
    expect(page.url()).toContain("locale=de-DE");

    // Compares the version with itself on other days.
    await page.goto(`${site.url}/studio/funnel?version=83&from=2020-01-01&besideTo=2019-12-31`);
    await expect(page.getByText(/Beside it until (?:Dec 31|31 Dec): 0 of 0 bought\./)).toBeVisible();
    await page.getByRole("button", { name: /^Beside, started/ }).click();
    await page.screenshot({ path: "test-results/two-periods.png" });
    await page.getByRole("button", { name: "Today", exact: true }).click();
    expect(new URL(page.url()).searchParams.get("besideFrom")).toBe(new Date().toISOString().slice(0, 10));
    await page.keyboard.press("Escape");
    const [both] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "CSV" }).click()]);
    expect(await readFile(await both.path(), "utf8")).toMatch(/^.?screen,title,entered,.*: entered,.*: median seconds\r?$/mu);
    await page.goto(`${site.url}/studio/funnel`);

    await page.locator(`tr[data-key="${screen}"]`).click();
    const panel = page.getByRole("complementary").filter({ hasText: "3 visitors entered" });
    await expect(panel).toBeVisible();
    expect(page.url()).toContain(`screen=${screen}`);
    await expect(page.frameLocator("iframe").locator("main")).toHaveAttribute("data-question-id", String(screen));
    // The picture has the funnel's fonts, which a script loads for visitors.
    await expect
      .poll(() =>
        page.evaluate(() =>
          [...(document.querySelector("iframe")?.contentDocument?.fonts ?? [])].flatMap(({ family, status }) =>
            status === "loaded" ? [family] : [],
          ),
        ),
      )
      .toEqual(expect.arrayContaining(["Figtree", "Bricolage Grotesque"]));
    expect(await faultsOf(page)).toEqual([]);

    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "CSV" }).click()]);
    expect(await readFile(await file.path(), "utf8")).toMatch(new RegExp(`^${screen},.*,3,1,2,0,`, "mu"));

    await expect(panel.getByText("1 can be watched")).toBeVisible();
    await panel.getByRole("link", { name: "Visits of the 2 who left here" }).click();
    await expect(page.getByText("2 visitors left here, 1 of them allowed statistics.")).toBeVisible();
    await expect(page.getByText("Screen 3 of 3")).toBeVisible();
    await expect(page.getByText(/into the visit, left here$/)).toBeVisible();
    await page.keyboard.press("ArrowLeft");
    await expect(page.getByText("Screen 2 of 3")).toBeVisible();
    await page.keyboard.press("ArrowRight");
    await expect(page.getByText("Screen 3 of 3")).toBeVisible();
    await page.getByRole("button", { name: "Screen before" }).click();
    await expect(page.getByText("Screen 2 of 3")).toBeVisible();
    // On the slider an arrow key moves one screen, not two.
    await page.getByRole("slider").press("ArrowLeft");
    await expect(page.getByText("Screen 1 of 3")).toBeVisible();
    await page.keyboard.press("ArrowRight");
    await expect(page.getByText("Screen 2 of 3")).toBeVisible();
    await expect(page.getByText(/^Chose: /)).toBeVisible();
    await play(page);
    expect(await faultsOf(page)).toEqual([]);
    await page.reload();
    await expect(page.getByText("Screen 2 of 3")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(panel).toBeVisible();
    await page.goForward();
    await page.getByRole("link", { name: "Funnel of 83" }).click();
    await expect(panel).toBeVisible();
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      // Nothing of the table is cut, and the panel covers none of it.
      const cut = () =>
        page.evaluate(() => {
          const table = document.querySelector("main table");
          const around = table?.parentElement;
          return around == null || around.scrollWidth > around.clientWidth || document.documentElement.scrollWidth > innerWidth;
        });
      await expect.poll(cut).toBe(false);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.keyboard.press("Escape");
    await expect(panel).toHaveCount(0);
  } finally {
    await site.stop();
  }
});

longTest("a viewer sees a screen's numbers but no visits", async ({ page, browser }) => {
  const site = await startSite();
  try {
    const screen = await leavesAfter(browser, site, 1, true);
    site.change("UPDATE journeys SET started_at = started_at - 3600000, last_at = last_at - 3600000");
    await enterStudio(page, site, "viewer");
    await page.goto(`${site.url}/studio/funnel?version=83&screen=${screen}&locale=de-DE`);
    await expect(page.getByText("1 visitor entered")).toBeVisible();
    await expect(page.getByRole("link", { name: /^Visits of/ })).toHaveCount(0);
    await page.goto(`${site.url}/studio/funnel?version=83&locale=it-IT`);
    await expect(page.getByText("Nobody fits these filters")).toBeVisible();
    await page.goto(`${site.url}/studio`);
    await expect(page.getByText("Nothing waits for anybody")).toBeVisible();
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await faultsOf(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  } finally {
    await site.stop();
  }
});

longTest("Today updates without a reload when visitors come", async ({ page, browser }) => {
  const site = await startSite();
  try {
    await enterStudio(page, site, "viewer");
    await page.goto(`${site.url}/studio/`);
    await expect(page.getByText("Live", { exact: true })).toBeVisible();
    await expect(page.getByText("Example data", { exact: true })).toHaveCount(0);
    const onSite = page.getByRole("region", { name: "On site now" });
    await expect(onSite.getByText("0", { exact: true })).toBeVisible();
    const came = page.getByRole("row", { name: /^Came/ }).getByRole("cell");
    await expect(came.nth(2)).toHaveText("0");
    const context = await browser.newContext();
    const visitor = await context.newPage();
    await visitor.goto(site.url + buildPath("questionnaire/question", "it-IT", { version: "83", question: "2" }));
    await visitor.locator("main [data-option-id]").first().click();
    await expect(onSite).toContainText("it-IT");
    await expect(came.nth(2)).toHaveText("1");
    await expect(page.getByText("There is no comparison in the first week", { exact: false })).toBeVisible();
    await context.close();
  } finally {
    await site.stop();
  }
});

/** Plays the visit from its second screen to the last (the third). Plays it again, pauses at the first screen, and ends at the second. */
async function play(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.keyboard.press("Space");
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await page.clock.runFor(10_000);
  await expect(page.getByText("Screen 3 of 3")).toBeVisible();
  await page.getByText("4×", { exact: true }).click();
  await page.getByRole("button", { name: "Play" }).click();
  await expect(page.getByText("Screen 1 of 3")).toBeVisible();
  await page.getByRole("button", { name: "Pause" }).click();
  await page.clock.runFor(10_000);
  await expect(page.getByText("Screen 1 of 3")).toBeVisible();
  await page.clock.resume();
  await page.getByRole("button", { name: "Next screen" }).click();
  await expect(page.getByText("Screen 2 of 3")).toBeVisible();
}
