/** Version 76 from the first question to the entitlement, on every kind of path, on a phone and a desktop. */
import { long, sampled } from "#test/sampled.ts";
import { majorUnits } from "#core/formats.ts";
import { createHash } from "node:crypto";
import { type Entry, recordDataLayer } from "./dataLayer.ts";
import { expect, type RunningSite, test } from "./site.ts";
import {
  answer,
  cards,
  currentQuestion,
  entitlementsOf,
  isAt,
  moved,
  newVisitor,
  pay,
  type Plan,
  ready,
  type Visitor,
  walkToBlock,
} from "./walk.ts";

const phone = { width: 390, height: 844 };
const desktop = { width: 1280, height: 800 };
const no = 3;
const maybe = 2;

/** Expects the visit's steps in the data layer once each, with the e-mail address only as a hash (spec 000 §7). */
async function expectPurchase(site: RunningSite, { email }: Visitor, layer: readonly Entry[]): Promise<void> {
  const told = (name: string) => layer.filter(({ event }) => event === name);
  await expect.poll(() => told("subscription")).toHaveLength(1);
  const [order] = site.rows(
    "SELECT o.id, o.product_id, o.price, o.currency, a.uuid FROM orders o JOIN accounts a ON a.uuid = o.account_uuid WHERE a.email = ?",
    email,
  );
  const { id, product_id: product, uuid, currency } = order ?? {};
  const price = majorUnits(Number(order?.["price"]), String(currency));
  expect(told("questionnaire_start")).toEqual([{ event: "questionnaire_start", questionnaire: "76" }]);
  expect(told("me_sign_up")).toEqual([
    { event: "me_sign_up", user_id: uuid, email_sha256: createHash("sha256").update(email).digest("hex") },
  ]);
  expect(told("user_id").at(-1)).toEqual({ event: "user_id", user_id: uuid });
  expect(told("questionnaire_done")).toEqual([{ event: "questionnaire_done", questionnaire: "76" }]);
  expect(told("me_web_product").at(-1)).toMatchObject({ product_id: product, product_type: "subscription", currency, price });
  expect(told("me_web_checkout").map((entry) => [entry["stage"], entry["product_id"]])).toEqual(
    ["opened", "customer-details", "payment-selection", "payment-selected", "completed", "closed"].map((stage) => [stage, product]),
  );
  const items = [{ item_id: product, item_category: "subscription", price, quantity: 1 }];
  expect(told("purchase")).toEqual([{ event: "purchase", ecommerce: { transaction_id: id, value: price, currency, items } }]);
  expect(told("subscription")).toMatchObject([{ transaction_id: id }]);
  expect([...told("purchase_fail"), ...told("js-exception")]).toEqual([]);
  expect(JSON.stringify(layer)).not.toContain(email);
}

const paths: readonly {
  readonly name: string;
  readonly plan: Plan;
  readonly passes: readonly number[];
  readonly skips: readonly number[];
}[] = [
  { name: "stopped by two No", plan: { options: { 43: no, 44: no } }, passes: [41, 44, 53], skips: [45, 54] },
  {
    name: "stopped by one No and two Maybe",
    plan: { options: { 42: maybe, 45: maybe, 47: no }, schedule: 0 },
    passes: [47, 53],
    skips: [48, 54],
  },
  { name: "to the last level question", plan: { options: { 2: 2 }, schedule: 2 }, passes: [41, 52, 54], skips: [53] },
];

for (const viewport of [phone, desktop]) {
  test.describe(`at ${viewport.width} px`, () => {
    test.use({ viewport, reducedMotion: "reduce" });

    for (const { name, plan, passes, skips } of sampled(paths.toReversed(), viewport === phone ? 0 : 1)) {
      test(`a visitor ${name} pays and is entitled`, async ({ page, context, site }) => {
        const visitor = newVisitor();
        const layer = await recordDataLayer(context);
        await page.goto(`${site.url}/es-latam/habla-ingles/76/2/`);
        const path = await walkToBlock(page, "paddle", visitor, plan);
        expect(path).toEqual(expect.arrayContaining([...passes]));
        for (const id of skips) expect(path).not.toContain(id);
        await pay(page, cards.good);
        await isAt(page, "questionnaire/thank-you");
        await expect(page.locator("h1")).toContainText(visitor.firstname);
        await expect.poll(() => entitlementsOf(site, visitor.email)).toEqual([{ status: "active", ends_at: expect.any(Number) }]);
        await expectPurchase(site, visitor, layer);
      });
    }

    if (viewport === desktop && !long) return;
    test("a visitor who changes an answer on the way gets the new path and pays", async ({ page, site }) => {
      const visitor = newVisitor();
      await page.goto(`${site.url}/es-latam/habla-ingles/76/2/`);
      await ready(page);
      await answer(page, visitor, { options: { 2: 1 } });
      const firstWay = await answer(page, visitor);
      const after = await currentQuestion(page);
      await page.goBack();
      await moved(page, after);
      await page.goBack();
      await expect(page.locator("main")).toHaveAttribute("data-question-id", "2");
      await expect(page.locator('main [data-option-id="1"]')).toHaveAttribute("aria-current", "true");
      const plan: Plan = { options: { 2: 2 } };
      const path = await walkToBlock(page, "paddle", visitor, plan);
      expect(path[0]).toBe(2);
      expect(firstWay.questionId).toBeGreaterThan(2);
      await pay(page, cards.good);
      await isAt(page, "questionnaire/thank-you");
      await expect.poll(() => entitlementsOf(site, visitor.email).length).toBe(1);
    });
  });
}
