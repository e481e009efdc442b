/** Events do not depend on the order in which scripts load (spec 000 §7, send-event and the data layer). */
import { shippedRelease } from "#content/questionnaires/bundleHash.ts";
import { sampled } from "#test/sampled.ts";
import type { Browser, Page } from "@playwright/test";
import { recordDataLayer } from "./dataLayer.ts";
import { expect, type RunningSite, test } from "./site.ts";
import { deviceOf, moved, ready, tap as tapWhatShows } from "./walk.ts";

const phone = { viewport: { width: 390, height: 844 }, reducedMotion: "reduce" } as const;
const start = (site: RunningSite) => `${site.url}/es-latam/habla-ingles/76/2/`;

/** A new visitor, with the pages' data layer and the pending requests. */
async function visitor(browser: Browser, held: string | null) {
  const context = await browser.newContext(phone);
  const layer = await recordDataLayer(context);
  const release = Promise.withResolvers<void>();
  const isHeld = (url: string) => held !== null && new URL(url).pathname === held;
  const open = new Set<unknown>();
  const scripts = new Set<string>();
  context.on("request", (request) => {
    if (!isHeld(request.url())) open.add(request);
    if (request.resourceType() === "script") scripts.add(new URL(request.url()).pathname);
  });
  context.on("requestfinished", (request) => open.delete(request));
  context.on("requestfailed", (request) => open.delete(request));
  if (held !== null)
    await context.route(`**${held}`, async (route) => {
      await release.promise;
      await route.continue().catch(() => undefined);
    });
  const page = await context.newPage();
  return {
    context,
    page,
    layer,
    scripts,
    release: () => release.resolve(),
    othersDone: () => expect.poll(() => open.size).toBe(0),
  };
}

/** Chooses the first option of the current question, by script or by link. @returns whether the next question shows */
async function tap(page: Page, from: number, patience = 5_000): Promise<boolean> {
  await tapWhatShows(page.locator("main [data-option-id]").first());
  return page
    .waitForFunction((id) => document.querySelector("main")?.dataset["questionId"] !== id, String(from), { timeout: patience })
    .then(
      () => true,
      () => false,
    );
}

/** The visit's events at the server with their counts. A page may be fetched more than once. */
function counted(site: RunningSite, device: string): Record<string, unknown> {
  const rows = site.rows(
    `SELECT event_type, json_extract(payload, '$.questionId') AS question, json_extract(payload, '$.optionId') AS option, COUNT(*) AS n
     FROM events WHERE device_id = ? GROUP BY 1, 2, 3`,
    device,
  );
  return Object.fromEntries(
    rows.map(({ event_type: type, question, option, n }) =>
      type === "GetQuestionnaire" ? [type, true] : [`${String(type)} ${String(question)}${option === null ? "" : `.${String(option)}`}`, n],
    ),
  );
}
const whole = {
  GetQuestionnaire: true,
  "QuestionnaireQuestionShown 2": 1,
  "QuestionnaireAnswer 2.1": 1,
  "QuestionnaireQuestionShown 3": 1,
  "QuestionnaireAnswer 3.1": 1,
  "CampaignEvent null": 1,
  "QuestionnaireQuestionShown 4": 1,
};

test("the same events reach the server and the data layer once, whichever script loads last", async ({ browser, site }) => {
  const usual = await visitor(browser, null);
  await usual.page.goto(start(site));
  await ready(usual.page);
  for (const question of [2, 3]) expect(await tap(usual.page, question, 300_000)).toBe(true);
  await usual.othersDone();
  const usualDevice = await deviceOf(usual.page);
  await expect.poll(() => counted(site, usualDevice)).toEqual(whole);
  // All events name the page's release.
  expect(site.rows("SELECT DISTINCT json_extract(payload, '$.release') AS release FROM events WHERE device_id = ?", usualDevice)).toEqual([
    { release: shippedRelease("76").name },
  ]);
  await usual.context.close();
  expect(usual.scripts.size).toBeGreaterThan(5);

  for (const held of sampled([...usual.scripts], 3)) {
    const { context, page, layer, release, othersDone } = await visitor(browser, held);
    await page.goto(start(site), { waitUntil: "commit" });
    await page.locator("main [data-option-id]").first().waitFor();
    await othersDone();
    const first = await tap(page, 2);
    if (first) await othersDone();
    const second = first && (await tap(page, 3));
    // Some screens need the delayed script: a tap there works once it has loaded.
    release();
    if (!first) {
      await moved(page, 2);
      expect(await tap(page, 3, 300_000)).toBe(true);
    } else if (!second) await moved(page, 3);
    await ready(page);
    await othersDone();
    const times = (name: string) => layer.filter(({ event }) => event === name).length;
    const requests = () =>
      layer.filter(({ event }) => event === "me_web_request").map(({ endpoint, status }) => `${String(status)} ${String(endpoint)}`);
    await expect.poll(() => [...new Set(requests())].toSorted(), held).toEqual(["200 /geo.json", "200 config"]);
    await expect.poll(() => times("user_id"), held).toBeGreaterThan(0);
    expect([held, times("questionnaire_start"), times("questionnaire_question_3")]).toEqual([held, 1, 1]);
    expect(times("me_web_request_duration")).toBe(requests().length);
    const device = await deviceOf(page);
    await page.close({ runBeforeUnload: true });
    await expect.poll(() => counted(site, device), held).toEqual(whole);
    await context.close();
  }
});

test("a tap on a link to a part of the home page counts as no other page", async ({ browser, site }) => {
  const { context, page, layer } = await visitor(browser, null);
  await page.goto(`${site.url}/es-latam/`);
  await ready(page);
  const times = (name: string) => layer.filter(({ event }) => event === name).length;
  await expect.poll(() => times("homepage")).toBe(1);
  await tapWhatShows(page.locator("main a[href='#steps']"));
  await page.waitForURL(/#steps$/);
  // Waits for an entry that this page pushes later. A second `homepage` entry would have come before it.
  await tapWhatShows(page.locator("main [data-option-id]").first());
  await expect.poll(() => times("questionnaire_start")).toBe(1);
  expect(times("homepage")).toBe(1);
  await context.close();
});
