/** Somebody signs up and pays; an operator finds them, sees why they have access or not, and refunds them. */
import { openAt } from "./answered.ts";
import { enterStudio, faultsOf } from "./operators.ts";
import { expect, test } from "./site.ts";
import { cards, entitlementsOf, isAt, newVisitor, pay, walkToBlock } from "./walk.ts";

// The tests of this file share one site and run in order, because they look at everything that the site has stored.
test.describe.configure({ mode: "default" });
test.use({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce", settings: { TEST_SITE: "studio-people" } });

test("an operator sees why somebody has no access, then why they have it, and refunds them", async ({ page, browser, site }) => {
  test.slow();
  const visitor = newVisitor();
  const theirs = await (await browser.newContext({ viewport: { width: 390, height: 844 }, reducedMotion: "reduce" })).newPage();
  await openAt(theirs, "signupEmail", site);
  await walkToBlock(theirs, "price", visitor);
  // Chooses a plan without a trial, which is charged today.
  const plans = theirs.locator("[data-block=price] [role=radio]");
  await plans
    .filter({ hasText: /\b1 mes/ })
    .first()
    .click();
  await theirs.locator("main [data-option-id]").first().click();
  await expect(theirs.locator("[data-block=paddle]")).toBeVisible();
  await pay(theirs, cards.declined);
  await expect(theirs.frameLocator("[data-block=paddle] iframe").getByRole("alert")).not.toBeEmpty();

  await enterStudio(page, site, "support", "Paolo Ferri");
  await page.keyboard.press("g");
  await page.keyboard.press("p");
  await expect(page.getByRole("heading", { name: "People" })).toBeVisible();
  const search = page.getByRole("searchbox", { name: "Find somebody" });
  await page.keyboard.press("/");
  await expect(search).toBeFocused();
  await search.fill(visitor.email.slice(0, -3));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("row", { name: new RegExp(visitor.email) })).toBeVisible();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: visitor.firstname })).toBeVisible();
  await expect(page.getByText("Their payment was declined")).toBeVisible();
  await expect(page.getByText("The address was never confirmed")).toBeVisible();
  await expect(page.getByText(/not paid: its checkout is still open/)).toBeVisible();

  await pay(theirs, cards.good);
  await isAt(theirs, "questionnaire/thank-you");
  // The page updates by itself.
  await expect(page.getByText(/were paid on .* for the time until/)).toBeVisible();
  await expect(page.getByText("Their payment was declined")).toBeHidden();
  expect(await faultsOf(page)).toEqual([]);

  await page.getByRole("button", { name: "Mail: Receipt" }).click();
  const mail = page.getByRole("dialog");
  await expect(mail.frameLocator("iframe").locator("body")).toContainText(visitor.firstname);
  await page.keyboard.press("Escape");
  await expect(mail).toBeHidden();

  await page.getByRole("button", { name: "Refund…" }).click();
  const asking = page.getByRole("dialog", { name: new RegExp(`Refund .* to ${visitor.firstname}`) });
  await asking.getByRole("button", { name: /^Refund/ }).click();
  await expect(asking.getByText("Say why in a few words.")).toBeVisible();
  await asking.getByLabel("Why").fill("They asked within the guarantee.");
  await asking.getByRole("button", { name: /^Refund/ }).click();
  await expect(asking).toBeHidden();
  await expect(page.getByText(/went back: access ended/)).toBeVisible();
  await expect(page.getByText("payment refunded")).toBeVisible();
  expect(entitlementsOf(site, visitor.email)).toMatchObject([{ status: "deleted" }]);

  await page.getByRole("button", { name: "Erase…" }).click();
  const erasing = page.getByRole("dialog", { name: /Erase/ });
  await erasing.getByLabel("Why").fill("They asked for it.");
  await erasing.getByLabel(/^Type/).fill("somebody@else.example");
  await erasing.getByRole("button", { name: "Erase" }).click();
  await expect(erasing.getByText("This is not their address.")).toBeVisible();
  await erasing.getByLabel(/^Type/).fill(visitor.email);
  await erasing.getByRole("button", { name: "Erase" }).click();
  await expect(page.getByRole("heading", { name: "People" })).toBeVisible();
  expect(site.rows("SELECT uuid FROM accounts WHERE email = ?", visitor.email)).toEqual([]);
});

test("a viewer sees no people", async ({ page, site }) => {
  await enterStudio(page, site, "viewer");
  await expect(page.getByRole("link", { name: "People" })).toHaveCount(0);
  await page.goto(`${site.url}/studio/people`);
  await expect(page.getByText("This needs the role Support, Editor, Publisher or Admin")).toBeVisible();
});
