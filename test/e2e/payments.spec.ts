/** Payments in a browser: four countries, both providers, all test cards, a coupon, one charge per order, and a payment script that never loads. */
import { buildPath } from "#core/routes.ts";
import { sampled } from "#test/sampled.ts";
import type { Locator, Page } from "@playwright/test";
import { comeAs, fill, payIn, toCheckout } from "./buyers.ts";
import { recordDataLayer } from "./dataLayer.ts";
import { hadPlan, mailTo } from "./people.ts";
import { countryHeader, expect, longTest, type RunningSite, startSite, test } from "./site.ts";
import { cards, entitlementsOf, isAt, newVisitor, ready, tap, walkToBlock } from "./walk.ts";

const renewalDeclined = "4000 0027 6000 3184";

test.use({ viewport: { width: 390, height: 844 }, reducedMotion: "reduce" });

/** Amounts of all renewals as the provider reported them, in minor units. */
const renewalsOf = (site: RunningSite, uuid: string) =>
  site
    .rows(
      `SELECT json_extract(payload, '$.data.details.totals.grand_total') AS total FROM provider_events
       WHERE event_type = 'transaction.completed' AND json_extract(payload, '$.data.origin') = 'subscription_recurring'
         AND json_extract(payload, '$.data.custom_data.order') IN (SELECT id FROM orders WHERE account_uuid = ?)
       ORDER BY event_id`,
      uuid,
    )
    .map(({ total }) => Number(total));
/** The provider's row of the account's newest subscription. */
async function subscriptionRow(page: Page, site: RunningSite, uuid: string): Promise<Locator> {
  const [order] = site.rows("SELECT subscription_id FROM orders WHERE account_uuid = ? ORDER BY created_at DESC LIMIT 1", uuid);
  await page.goto(`${site.url}/standins/paddle/`);
  return page.locator("tr").filter({ hasText: String(order?.["subscription_id"]) });
}
const renewal = "button[data-action=renew]";
async function renew(page: Page, site: RunningSite, uuid: string): Promise<void> {
  const row = await subscriptionRow(page, site, uuid);
  const before = await row.innerText();
  await row.locator(renewal).click();
  await expect(row).not.toHaveText(before, { useInnerText: true });
}
const thanked = (page: Page) => isAt(page, "questionnaire/thank-you");
const ordersOf = (site: RunningSite, email: string) =>
  site.rows(
    "SELECT o.product_id, o.status, o.price, o.currency, o.payment_provider, o.coupon_code FROM orders o JOIN accounts a ON a.uuid = o.account_uuid WHERE a.email = ? ORDER BY o.created_at",
    email,
  );

/** In this order `npm test` runs one of each provider. */
const markets = [
  { country: "MX", locale: "es-419", currency: "MXN", version: "76", provider: "paddlebilling" },
  { country: "MX", locale: "es-419", currency: "MXN", version: "82", provider: "paddle" },
  { country: "BR", locale: "pt-BR", currency: "BRL", version: "82", provider: "paddle" },
  { country: "BR", locale: "pt-BR", currency: "BRL", version: "76", provider: "paddlebilling" },
  { country: "DE", locale: "de-DE", currency: "EUR", version: "82", provider: "paddle" },
  { country: "DE", locale: "de-DE", currency: "EUR", version: "76", provider: "paddlebilling" },
  { country: "AR", locale: "es-419", currency: "ARS", version: "82", provider: "paddle" },
  { country: "AR", locale: "es-419", currency: "ARS", version: "76", provider: "paddlebilling" },
] as const;

for (const { country, locale, currency, version, provider } of sampled(markets, 2)) {
  test(`a subscription is sold in ${country} by ${provider}`, async ({ page, site }) => {
    const buyer = await comeAs(page, site, locale, version, country);
    await toCheckout(page, site, locale, version);
    if (country === "AR") await expect(page.getByText(/impuestos|retenciones/).first()).toBeVisible();
    await payIn(page, cards.good);
    await thanked(page);
    expect(ordersOf(site, buyer.email)).toMatchObject([{ status: "completed", currency, payment_provider: provider }]);
    await expect.poll(() => entitlementsOf(site, buyer.email)).toEqual([{ status: "active", ends_at: expect.any(Number) }]);
    expect(new URL(page.url()).pathname).toContain(buildPath("questionnaire/thank-you", locale, { version }));
  });
}

test("in Chile, whose pesos have no cents, the data layer has the page's amount", async ({ page, context, site }) => {
  const layer = await recordDataLayer(context);
  const told = (name: string) => layer.filter(({ event }) => event === name);
  const buyer = await comeAs(page, site, "es-419", "76", "CL");
  await toCheckout(page, site, "es-419", "76");
  await expect(page.locator("[data-block=payment]")).toContainText("$35,970");
  await payIn(page, cards.good);
  await thanked(page);
  expect(ordersOf(site, buyer.email)).toMatchObject([{ currency: "CLP", price: 35_970 }]);
  await expect.poll(() => told("purchase").length).toBe(1);
  expect(told("me_web_product").at(-1)).toMatchObject({ currency: "CLP", price: 35_970 });
  expect(told("purchase")).toMatchObject([{ ecommerce: { currency: "CLP", value: 35_970, items: [{ price: 35_970 }] } }]);
});

for (const [version, provider] of [
  ["76", "billing"],
  ["82", "classic"],
] as const) {
  test.describe(`the test cards in version ${version}`, () => {
    test("reports a declined card at the form, and charges a good one once afterwards", async ({ page, context, site }) => {
      const layer = await recordDataLayer(context);
      const told = (name: string) => layer.filter(({ event }) => event === name);
      const buyer = await comeAs(page, site, "es-419", version, "MX");
      await toCheckout(page, site, "es-419", version);
      await payIn(page, cards.declined);
      await expect(page.frameLocator("[data-block=paddle] iframe").getByRole("alert")).not.toBeEmpty();
      expect(entitlementsOf(site, buyer.email)).toEqual([]);
      // The data layer has the failure first, and only then the purchase (spec 000 §7).
      await expect.poll(() => told("purchase_fail")).toEqual([{ event: "purchase_fail", message: expect.stringMatching(/./) }]);
      expect(told("me_web_checkout").map((entry) => entry["stage"])).toContain("error");
      expect([...told("purchase"), ...told("subscription")]).toEqual([]);
      await payIn(page, cards.good);
      await thanked(page);
      await expect.poll(() => entitlementsOf(site, buyer.email).length).toBe(1);
      await expect.poll(() => told("subscription")).toHaveLength(1);
      expect([told("purchase").length, told("purchase_fail").length]).toEqual([1, 1]);
    });

    longTest("completes the bank's 3-D Secure challenge in the form", async ({ page, site }) => {
      const buyer = await comeAs(page, site, "es-419", version, "MX");
      await toCheckout(page, site, "es-419", version);
      await payIn(page, cards.challenged);
      const challenge = page.frameLocator("[data-block=paddle] iframe").locator(".challenge");
      await challenge.locator("button.quiet").click();
      await expect(page.frameLocator("[data-block=paddle] iframe").getByRole("alert")).not.toBeEmpty();
      await payIn(page, cards.challenged);
      await challenge.locator("button").first().click();
      await thanked(page);
      await expect.poll(() => entitlementsOf(site, buyer.email).length).toBe(1);
    });

    longTest("declined renewal: past due, then active again with another card", async ({ page, site }) => {
      const buyer = await comeAs(page, site, "es-419", version, "MX");
      await toCheckout(page, site, "es-419", version);
      await payIn(page, renewalDeclined);
      await thanked(page);
      const own = await subscriptionRow(page, site, buyer.uuid);
      // Classic's page shows other ids than its API, so this test takes the page's newest row, which is this buyer's.
      const row =
        provider === "billing"
          ? own
          : page
              .locator("tr")
              .filter({ has: page.locator(`${renewal}[data-provider=classic]`) })
              .last();
      await row.locator(renewal).click();
      // Waits for the provider's page to reload before leaving it.
      await expect(row.locator("[data-status]")).toContainText("past_due");
      await expect.poll(() => entitlementsOf(site, buyer.email)[0]?.["status"]).toBe("past_due");
      await page.goto(`${site.url}${buildPath("handle-your-subscription", "es-419")}`);
      const panel = page.locator("section[aria-labelledby=your-plan]");
      await expect(panel.locator("[data-status=past_due]")).toBeVisible();
      const opened = page.context().waitForEvent("page");
      await tap(panel.getByRole("button", { name: "Cambiar el medio de pago" }));
      const cardPage = await opened;
      await expect(panel.getByRole("status")).toContainText("se abrió en otra pestaña");
      await fill(cardPage, cards.good);
      await cardPage.locator("form button").click();
      await expect(cardPage.getByRole("status")).toBeVisible();
      await expect.poll(() => entitlementsOf(site, buyer.email)[0]?.["status"]).toBe("active");
      await cardPage.close();
    });
  });
}

test("a one-time payment is charged once, and the page says so", async ({ page, site }) => {
  const buyer = await comeAs(page, site, "es-419", "90", "MX");
  await toCheckout(page, site, "es-419", "90");
  const form = page.url();
  await payIn(page, cards.good);
  await thanked(page);
  const [order] = ordersOf(site, buyer.email);
  expect(String(order?.["product_id"])).toContain("onetime");
  // The form's URL leads directly to the thank-you page, without another request to the provider.
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(form);
  await thanked(page);
  expect(asked).not.toEqual([]);
  expect(asked.filter((path) => /api\/(create-transaction|pay-link|products)/.test(path))).toEqual([]);
  await page.goto(`${site.url}${buildPath("handle-your-subscription", "es-419")}`);
  const panel = page.locator("section[aria-labelledby=your-plan]");
  await expect(panel.locator("[data-status=active]")).toBeVisible();
  await expect(panel.getByRole("button")).toHaveCount(0);
});

test("returning by a link with a discount: one plan, the coupon, one charge, then the level test", async ({ page, context, site }) => {
  const layer = await recordDataLayer(context);
  const told = (name: string) => layer.filter(({ event }) => event === name);
  const buyer = await comeAs(page, site, "es-419", "76", "MX");
  hadPlan(site, buyer.uuid);
  await page.goto(`${site.url}${buildPath("questionnaire/reactivate", "es-419", { version: "76" })}?discount=VUELVE30`);
  await ready(page);
  await expect(page.locator("[data-block=paddle] iframe")).toBeVisible();
  await expect(page.locator("h1")).toContainText(buyer.firstname);
  await expect(page.locator("[data-block=payment]")).toContainText(
    "pagas $835.80 por 6 meses, si no cancelas antes. Después se renueva cada 6 meses al mismo precio",
  );
  await payIn(page, cards.good);
  await isAt(page, "questionnaire/start-level-test");
  expect(ordersOf(site, buyer.email)).toContainEqual(
    expect.objectContaining({ product_id: "subscription-6m-mxn", status: "completed", price: 83_580, coupon_code: "VUELVE30" }),
  );
  await expect.poll(() => told("subscription")).toMatchObject([{ plan: "6M" }]);
  expect(told("purchase")).toMatchObject([{ ecommerce: { value: 835.8, currency: "MXN", coupon: "VUELVE30" } }]);
  const receipt = await mailTo(site, buyer.email, /Tu recibo/);
  expect(receipt.text.replaceAll(/\s+/g, " ")).toContain(
    "pagas $835.80 MXN. Después se renueva sola, al mismo precio, hasta que canceles.",
  );
  // The account shows the page's price, which is charged after the free month and at every renewal.
  for (const charged of [[], [83_580], [83_580, 83_580]]) {
    await expect.poll(() => renewalsOf(site, buyer.uuid)).toEqual(charged);
    await page.goto(`${site.url}${buildPath("handle-your-subscription", "es-419")}`);
    await expect(page.locator("section[aria-labelledby=your-plan]")).toContainText("$835.80");
    await renew(page, site, buyer.uuid);
  }
});

test.describe("when the payment script never loads", () => {
  test("the hosted page in the same tab has the same order, and leads back in the visitor's language", async ({ page, site }) => {
    await page.route("**/standins/paddle/paddle.js", (route) =>
      route.request().frame().url().includes("/pay") ? route.continue() : route.abort(),
    );
    const buyer = await comeAs(page, site, "pt-BR", "76", "BR");
    await toCheckout(page, site, "pt-BR", "76");
    // The reload keeps the question.
    await page.goto(`${page.url()}?hf`);
    await expect(page.locator("[data-block=paddle] [role=alert]")).toBeVisible();
    await page.locator("[data-block=paddle] button").nth(1).click();
    await page.waitForURL(/standins\/paddle\/pay/);
    const form = page.frameLocator("iframe");
    await form.locator("input[name=email]").fill(buyer.email);
    await fill(form, cards.good);
    await form.locator("form button").click();
    await thanked(page);
    expect(page.url()).toContain("/pt-br/");
    expect([new URL(page.url()).searchParams.has("hf"), await page.locator("nav").count()]).toEqual([true, 0]);
    expect(ordersOf(site, buyer.email)).toMatchObject([{ status: "completed" }]);
  });

  longTest("the link comes by mail, and after a retry the form loads, too", async ({ page, site }) => {
    let blocked = true;
    await page.route("**/standins/paddle/paddle.js", (route) => (blocked ? route.abort() : route.continue()));
    const buyer = await comeAs(page, site, "de-DE", "76", "DE");
    await toCheckout(page, site, "de-DE", "76");
    const ways = page.locator("[data-block=paddle] button");
    await ways.nth(2).click();
    await expect(page.locator("[data-block=paddle]")).toContainText(buyer.email);
    const [mail] = site.rows("SELECT data, locale FROM mail_outbox WHERE template = 'payLink' AND recipient = ?", buyer.email);
    expect(mail?.["locale"]).toBe("de-DE");
    expect(String(mail?.["data"])).toContain("/standins/paddle/pay");
    blocked = false;
    await ways.nth(0).click();
    await payIn(page, cards.good);
    await thanked(page);
    expect(ordersOf(site, buyer.email)).toHaveLength(1);
  });
});

test("a coupon typed at the offer lowers the price there, at the checkout and in every charge", async ({ page, site }) => {
  const buyer = await comeAs(page, site, "es-419", "76", "MX");
  await page.goto(`${site.url}${buildPath("questionnaire/question", "es-419", { version: "76", question: "80" })}`);
  await walkToBlock(page, "price", newVisitor());
  const offer = page.locator("[data-block=price]");
  const chosen = offer.getByRole("radio").filter({ hasText: "12 meses" });
  await tap(chosen);
  const before = await chosen.innerText();
  await tap(offer.getByText("¿Tienes un código?"));
  const code = offer.getByLabel("Código de descuento");
  await code.fill("NADIE");
  await tap(offer.getByRole("button", { name: "Aplicar" }));
  await expect(offer).toContainText("Ese código no sirve para estas ofertas.");
  await code.fill("VUELVE30");
  await tap(offer.getByRole("button", { name: "Aplicar" }));
  await expect(offer.getByRole("status").filter({ hasText: "VUELVE30" })).toBeVisible();
  await expect(chosen).not.toHaveText(before, { useInnerText: true });
  await tap(page.locator("main [data-option-id]").first());
  await payIn(page, cards.good);
  await thanked(page);
  const [order] = ordersOf(site, buyer.email);
  expect(order).toMatchObject({ product_id: "subscription-12m-mxn", coupon_code: "VUELVE30", price: 133_560, status: "completed" });
  await renew(page, site, buyer.uuid);
  await expect.poll(() => renewalsOf(site, buyer.uuid)).toEqual([order?.["price"]]);
});

test.describe("one charge", () => {
  longTest("Back after the payment and reloads of every page do not charge again", async ({ page, site }) => {
    const buyer = await comeAs(page, site, "es-419", "76", "MX");
    await toCheckout(page, site, "es-419", "76");
    const checkout = page.url();
    await page.reload();
    await payIn(page, cards.good);
    await thanked(page);
    await page.reload();
    await thanked(page);
    await page.goBack();
    await thanked(page);
    await page.evaluate(() => localStorage.removeItem("paymentStatus"));
    // Even a device without stored data recognises the payment.
    await page.goto(checkout);
    await thanked(page);
    expect(ordersOf(site, buyer.email)).toMatchObject([{ status: "completed" }]);
    expect(entitlementsOf(site, buyer.email)).toHaveLength(1);
  });

  longTest("two plans in two tabs: the first form can no longer be paid, the second can", async ({ page, site, context }) => {
    const buyer = await comeAs(page, site, "es-419", "76", "MX");
    await toCheckout(page, site, "es-419", "76");
    await expect(page.frameLocator("[data-block=paddle] iframe").locator("input[name=number]")).toBeVisible();
    const other = await context.newPage();
    await other.setExtraHTTPHeaders({ [countryHeader]: "MX" });
    await other.goto(`${site.url}${buildPath("questionnaire/question", "es-419", { version: "76", question: "80" })}`);
    await walkToBlock(other, "price", newVisitor());
    const plans = other.locator("[data-block=price] [role=radio]");
    await plans.last().click();
    await other.locator("main [data-option-id]").first().click();
    await expect(other.frameLocator("[data-block=paddle] iframe").locator("input[name=number]")).toBeVisible();
    await payIn(page, cards.good);
    await expect(page.locator("[data-block=paddle] [role=alert]").first()).toBeVisible();
    await payIn(other, cards.good);
    await thanked(other);
    expect(ordersOf(site, buyer.email).map((order) => order["status"])).toEqual(["cancelled", "completed"]);
    expect(entitlementsOf(site, buyer.email)).toHaveLength(1);
  });
});

longTest("provider down: the page says so, and goes on when it is back", async ({ page }) => {
  const site = await startSite();
  const mode = (name: string) =>
    fetch(`${site.url}/standins/paddle/control/mode`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ mode: name }),
    });
  try {
    const buyer = await comeAs(page, site, "es-419", "76", "MX");
    await mode("broken");
    await toCheckout(page, site, "es-419", "76");
    await expect(page.locator("[data-block=paddle] [role=alert]")).toBeVisible();
    await mode("ok");
    await page.locator("[data-block=paddle] button").first().click();
    await payIn(page, cards.good);
    await thanked(page);
    expect(ordersOf(site, buyer.email)).toHaveLength(1);
  } finally {
    await site.stop();
  }
});

longTest("a plan is cancelled, kept and paused on its page, with the stated dates", async ({ page, site }) => {
  const buyer = await comeAs(page, site, "es-419", "76", "MX");
  await toCheckout(page, site, "es-419", "76");
  await payIn(page, cards.good);
  await thanked(page);
  await page.goto(`${site.url}${buildPath("handle-your-subscription", "es-419")}`);
  const panel = page.locator("section[aria-labelledby=your-plan]");
  const press = (name: string) => tap(panel.getByRole("button", { name }));
  const told = panel.getByRole("status");
  const trialEnd = await panel.locator("p > b").nth(1).innerText();
  await press("Cancelar mi suscripción");
  await expect(panel.getByRole("group")).toContainText(trialEnd);
  await press("Sí, cancelarla");
  await expect(told).toHaveText("Listo: tu suscripción está cancelada.");
  await expect(panel).toContainText(trialEnd);
  await expect(panel.locator("[data-status]")).toHaveText("Cancelada");
  await press("Conservar mi suscripción");
  await expect(told).toHaveText("Tu suscripción sigue como antes.");
  await expect(panel.locator("[data-status]")).toHaveText("Prueba gratis");
  await press("Pausar mi suscripción");
  await expect(panel.getByRole("group")).toContainText(trialEnd);
  await press("Sí, pausarla");
  await expect(told).toHaveText("Listo: tu suscripción se pondrá en pausa.");
  await expect(panel.getByRole("button", { name: "Conservar mi suscripción" })).toBeVisible();
  expect(entitlementsOf(site, buyer.email)[0]?.["status"]).toBe("active");
});

longTest("cancelling a paid plan shows the last day for a refund, even when a pause was planned", async ({ page, site }) => {
  const buyer = await comeAs(page, site, "es-419", "76", "MX");
  await toCheckout(page, site, "es-419", "76");
  await payIn(page, cards.good);
  await thanked(page);
  await renew(page, site, buyer.uuid);
  await expect.poll(() => renewalsOf(site, buyer.uuid).length).toBe(1);
  await page.goto(`${site.url}${buildPath("handle-your-subscription", "es-419")}`);
  const panel = page.locator("section[aria-labelledby=your-plan]");
  const press = (name: string) => tap(panel.getByRole("button", { name }));
  await press("Pausar mi suscripción");
  await press("Sí, pausarla");
  await expect(panel.getByRole("status")).toHaveText("Listo: tu suscripción se pondrá en pausa.");
  await expect(panel.getByRole("link", { name: "Escríbenos" })).toHaveCount(0);
  await press("Cancelar mi suscripción");
  await press("Sí, cancelarla");
  await expect(panel.getByRole("status")).toHaveText("Listo: tu suscripción está cancelada.");
  await expect(panel.getByRole("link", { name: "Escríbenos" })).toBeVisible();
  const until = panel.locator("p").filter({ hasText: "Te devolvemos lo que pagaste." }).locator("b");
  // Page and mail must name the same day.
  const inOneLine = (text: string) => text.replaceAll(/\s+/g, " ");
  expect(inOneLine((await mailTo(site, buyer.email, /Cancelamos tu suscripción/)).text)).toContain(inOneLine(await until.innerText()));
});
