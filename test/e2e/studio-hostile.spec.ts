/** Text that strangers send is text wherever an operator reads it. */
import { randomUUID } from "node:crypto";
import { enterStudio } from "./operators.ts";
import { expect, test } from "./site.ts";

// A site of its own, because it looks at everything that is stored.
test.use({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce", settings: { TEST_SITE: "studio-hostile" } });

const script = `<img src="/x" onerror="window.hacked=1"><script>window.hacked=1</script>`;

test("no screen of the studio runs what a stranger sends as name, campaign, browser, error or notice", async ({ page, site, request }) => {
  const device = randomUUID();
  const send = async (path: string, data: object) => {
    const headers = { "x-device-id": device, "user-agent": script };
    const response = await request.post(`${site.url}/api/${path}`, { data, headers });
    expect([path, response.ok() ? "" : await response.text()]).toEqual([path, ""]);
  };
  const at = new Date().toISOString();
  const uuid = randomUUID();
  const email = "stranger@example.com";
  await send("consent", {
    id: randomUUID(),
    at,
    textVersion: "2026-11-20",
    source: "banner",
    categories: { functional: true, analytics: true, marketing: false },
  });
  await send("signup", {
    uuid,
    email,
    firstname: script.slice(0, 50),
    password: "correct horse",
    uiLanguage: "de-DE",
    questionnaire: "83",
    version: "v5.7.8",
  });
  const about = { uuid, questionnaire: "83", campaignId: script, versionId: script, advertisementId: script, theme: script };
  await send("send-event", { eventType: "GetQuestionnaire", payload: about });
  await send("send-event", { eventType: "QuestionnaireQuestionShown", payload: { ...about, questionId: 2 } });
  await send("send-event", { eventType: "CampaignEvent", payload: { ...about, name: script } });
  await send("send-event", { eventType: "PurchaseFlow", payload: { ...about, stage: "error", error: script, questionId: 2 } });
  await send("report-error", {
    message: script,
    stack: `${script}\n    at ${script} (https://a.example/${script}:1:1)`,
    url: script,
    appVersion: script.slice(0, 32),
    questionnaire: script,
    route: script,
  });
  await send("contract-notice", {
    id: randomUUID(),
    kind: "cancel",
    name: script,
    contract: script,
    email,
    language: "de-DE",
    reason: script,
  });
  // Simulates an hour, so that the visitor counts as left.
  site.change("UPDATE journeys SET started_at = started_at - 3600000, last_at = last_at - 3600000");

  await enterStudio(page, site, "admin", script.slice(0, 50));
  const screens = [
    "/",
    "/funnel",
    "/funnel?by=campaign",
    "/funnel/visits?screen=2",
    "/versions",
    "/people",
    `/people?q=${email}`,
    `/people/${uuid}`,
    "/money",
    "/operations",
    "/settings",
  ];
  const shown: string[] = [];
  for (const screen of screens) {
    await page.goto(`${site.url}/studio${screen}`);
    await page.waitForLoadState("networkidle");
    await expect(page.locator("main")).toBeVisible();
    const text = await page.locator("main").innerText();
    if (text.includes("onerror") || text.includes("<script>") || text.includes("<img")) shown.push(screen);
    expect([screen, await page.locator('img[src="/x"]').count(), await page.evaluate(() => Reflect.get(window, "hacked"))]).toEqual([
      screen,
      0,
      undefined,
    ]);
  }
  // These screens really showed the hostile text.
  expect(shown).toEqual(expect.arrayContaining([`/people/${uuid}`, "/operations"]));
});
