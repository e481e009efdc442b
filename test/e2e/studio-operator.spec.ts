/** What an operator needs beyond each screen's task: keys, words instead of codes, a way on after a refusal, nothing cut on small screens. */
import type { Page } from "@playwright/test";
import { randomUUID } from "node:crypto";
import { enterStudio, faultsOf } from "./operators.ts";
import { expect, longTest, type RunningSite, test } from "./site.ts";

// The tests of this file share one site and run in order, because they look at everything that the site has stored.
test.describe.configure({ mode: "default" });
test.use({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce", settings: { TEST_SITE: "studio-operator" } });

/** A mail that the server gave up. */
function giveUpMail(site: RunningSite, template: string, data: object, at = Date.now()): string {
  const id = randomUUID();
  site.change(
    "INSERT INTO mail_outbox (id, template, locale, recipient, data, created_at, attempts, error) VALUES (?, ?, 'en-US', ?, ?, CAST(? AS INTEGER), 3, '550 no such mailbox')",
    id,
    template,
    `${id.slice(0, 8)}@example.com`,
    JSON.stringify(data),
    String(at),
  );
  return id;
}

const focusedRow = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? "");

longTest("an outbox names its mails in words, with their contents as labelled rows and the JSON behind them", async ({ page, site }) => {
  const id = giveUpMail(site, "receipt", { firstname: null, orderId: "77-1", price: 2490, currency: "EUR", isBack: false });
  await enterStudio(page, site, "support");
  await page.goto(`${site.url}/studio/operations?box=mail&state=failed`);
  const dialog = page.getByRole("dialog", { name: "Mails" });
  await dialog.getByRole("row", { name: new RegExp(`Receipt.*${id.slice(0, 8)}`) }).click();
  const contents = dialog.getByRole("region", { name: "What it contains" });
  await expect(contents.getByText("€24.90")).toBeVisible();
  await expect(contents.getByText("Order id")).toBeVisible();
  await expect(contents.locator("pre")).toBeHidden();
  await contents.getByText("As JSON").click();
  await expect(contents.locator("pre")).toContainText('"orderId": "77-1"');
  expect(await faultsOf(page)).toEqual([]);
  // Esc closes what was opened last: first the entry, then the outbox.
  await page.keyboard.press("Escape");
  await expect(dialog.getByRole("row", { name: /Receipt/ }).first()).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
});

test("whoever is refused reads which role is needed, who gives it, and gets on", async ({ page, site }) => {
  await enterStudio(page, site, "admin", "Gerda Giver");
  await page.context().clearCookies();
  await enterStudio(page, site, "viewer", "Vera Viewer");
  await page.goto(`${site.url}/studio/operations`);
  await page.getByRole("row", { name: /^Mails/ }).click();
  const dialog = page.getByRole("dialog", { name: "Mails" });
  await expect(dialog).toContainText("This needs the role Support, Editor, Publisher or Admin");
  await expect(dialog).toContainText("Your role is Viewer");
  await expect(dialog).toContainText("Gerda Giver");
  expect(await faultsOf(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(dialog).toHaveCount(0);
  await page.goto(`${site.url}/studio/people`);
  await expect(page.getByText("This needs the role Support")).toBeVisible();
  await expect(page.getByRole("searchbox")).toHaveCount(0);
  await page.getByRole("main").getByRole("link", { name: "Today" }).click();
  await expect(page.getByRole("heading", { name: "Today", level: 1 })).toBeVisible();
});

test("J and K go through every list of a screen, Enter opens, Esc closes, and ? lists the keys", async ({ page, site }) => {
  giveUpMail(site, "loginLink", {});
  await enterStudio(page, site, "support");
  await page.goto(`${site.url}/studio/`);
  const attention = page.getByRole("link", { name: "See Operations" }).first();
  await expect(attention).toBeVisible();
  await page.keyboard.press("j");
  await expect(attention).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Operations", level: 1 })).toBeVisible();
  const boxes = page.getByRole("table", { name: "Outboxes" });
  await expect(boxes).toBeVisible();
  await page.keyboard.press("j");
  while (!(await focusedRow(page)).startsWith("Conversions")) await page.keyboard.press("j");
  await page.keyboard.press("k");
  expect(await focusedRow(page)).toMatch(/^Mails/);
  await page.keyboard.press("Enter");
  const mails = page.getByRole("dialog", { name: "Mails" });
  await expect(mails.getByRole("row", { name: /Link to log in/ }).first()).toBeVisible();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(mails.getByRole("button", { name: "Back to the list" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(mails).toHaveCount(0);

  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keys" });
  await expect(help).toContainText("Screen before, next screen");
  expect(await faultsOf(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(help).toHaveCount(0);
  // Letters that are typed into a field are not shortcuts.
  await page.goto(`${site.url}/studio/people`);
  await page.getByRole("searchbox").fill("j");
  await page.getByRole("searchbox").press("?");
  await expect(page.getByRole("searchbox")).toHaveValue("j?");
  await expect(help).toHaveCount(0);
});

test("an alarm's history says when it began and ended, how long it lasted and what was done about it", async ({ page, site }) => {
  const began = Date.now() - 90 * 60_000;
  const id = randomUUID();
  site.change(
    "INSERT INTO alerts (id, rule, says, began_at, ended_at) VALUES (?, 'mail-waits', '4 mails were tried in vain.', CAST(? AS INTEGER), CAST(? AS INTEGER))",
    id,
    String(began),
    String(began + 35 * 60_000),
  );
  await enterStudio(page, site, "support", "Nora Noter");
  await page.goto(`${site.url}/studio/operations`);
  await page.getByRole("button", { name: "Alarms" }).click();
  const alarm = page.getByRole("dialog", { name: "Alarms" }).getByRole("listitem").filter({ hasText: "4 mails were tried in vain." });
  await expect(alarm).toContainText("Over");
  await expect(alarm).toContainText("35 min");
  await expect(alarm).toContainText("It ended without anybody’s doing.");
  await alarm.getByRole("button", { name: /^Note/ }).click();
  const noting = page.getByRole("dialog", { name: /What was done/ });
  await noting.getByLabel("What was done").fill("The mailbox provider was called.");
  await noting.getByRole("button", { name: "Note" }).click();
  await expect(noting).toHaveCount(0);
  await expect(alarm).toContainText("Nora Noter saw it: “The mailbox provider was called.”");
  expect(await faultsOf(page)).toEqual([]);
});

test("the audit's entries about a person lead to that person, and money knows last month", async ({ page, site }) => {
  const person = randomUUID();
  site.change(
    "INSERT INTO operator_audit (id, at, operator_name, action, subject, account_uuid, reason) VALUES (?, CAST(? AS INTEGER), 'Ana', 'days given', 'a person', ?, 'goodwill')",
    randomUUID(),
    String(Date.now()),
    person,
  );
  await enterStudio(page, site, "admin");
  await page.goto(`${site.url}/studio/settings?part=audit&action=days given`);
  await page.getByRole("link", { name: "a person" }).click();
  await expect(page).toHaveURL(new RegExp(`/studio/people/${person}`));
  await page.goto(`${site.url}/studio/money`);
  await page.getByRole("button", { name: /^Days/ }).click();
  await page.getByRole("button", { name: "Last month", exact: true }).click();
  const now = new Date();
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  await expect.poll(() => new URL(page.url()).searchParams.get("from")).toBe(day(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)));
  expect(new URL(page.url()).searchParams.get("to")).toBe(day(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 0)));
});

test("a version's panel jumps to its chapters, and its head stays in sight", async ({ page, site }) => {
  await enterStudio(page, site, "viewer");
  await page.setViewportSize({ width: 1280, height: 520 });
  await page.goto(`${site.url}/studio/versions?version=83`);
  const chapters = page.getByRole("navigation", { name: "On this page" });
  const differences = page.getByRole("heading", { name: "Differences" });
  await expect(page.getByText(/^\d+ differences, in English$/)).toBeAttached();
  await expect(differences).not.toBeInViewport();
  await chapters.getByRole("link", { name: "Differences" }).click();
  await expect(differences).toBeInViewport();
  await expect(chapters).toBeInViewport();
  expect(new URL(page.url()).hash).toBe("#differences");
  expect(new URL(page.url()).searchParams.get("version")).toBe("83");
  expect(await faultsOf(page)).toEqual([]);
});
