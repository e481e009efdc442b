/** Visitors whose browser translates the page, as Chrome does: it replaces each text by elements of its own, also those that come later. */
import { translate } from "#test/translated.ts";
import type { Page } from "@playwright/test";
import { openAt } from "./answered.ts";
import { expect, longTest, test } from "./site.ts";
import { cards, entitlementsOf, isAt, newVisitor, pay, walkToBlock } from "./walk.ts";

test.use({ viewport: { width: 390, height: 844 }, reducedMotion: "reduce" });

/** Translates the page from its load on. */
const translating = (page: Page) =>
  page.addInitScript({
    content: `${translate}
      addEventListener("load", () => {
        new MutationObserver((changes) => {
          for (const { target, addedNodes } of changes) for (const node of [...addedNodes, target]) if (node.isConnected) translate(node);
        }).observe(document.body, { childList: true, characterData: true, subtree: true });
        translate(document.body);
      });`,
  });

test("a visitor whose browser translates the page chooses days, signs up and pays", async ({ page, site }) => {
  await translating(page);
  await openAt(page, "studySchedule", site);
  const visitor = newVisitor();
  await walkToBlock(page, "paddle", visitor);
  await pay(page, cards.good);
  await isAt(page, "questionnaire/thank-you");
  await expect.poll(() => entitlementsOf(site, visitor.email).length).toBe(1);
});

for (const version of ["69", "76", "78", "83", "85", "91"])
  longTest(`a visitor whose browser translates the page comes to the plans of version ${version}`, async ({ page, site }) => {
    await translating(page);
    await page.goto(`${site.url}/de/englisch-sprechen/${version}/2/`);
    await walkToBlock(page, "price", newVisitor());
  });
