/** Legal requirements: the Impressum, cancelling and withdrawing without a login, and browsers that refuse advertising. */
import { buildPath } from "#core/routes.ts";
import { readFileSync } from "node:fs";
import { call, mailTo, personWith } from "./people.ts";
import { countryHeader, expect, type RunningSite, test, thirdPartyServices } from "./site.ts";
import { calm, entitlementsOf, isAt, newestChoice, ready, tap } from "./walk.ts";

test.use({
  viewport: { width: 390, height: 844 },
  reducedMotion: "reduce",
  locale: "de-DE",
  timezoneId: "Europe/Berlin",
  settings: thirdPartyServices,
});
test.beforeEach(async ({ context }) => {
  await context.setExtraHTTPHeaders({ [countryHeader]: "US" });
  await context.route(
    (url) => url.hostname !== "localhost",
    (route) => route.fulfill({ contentType: "text/javascript", body: "" }),
  );
});

async function atProvider(site: RunningSite, path: string, body: object): Promise<void> {
  const response = await fetch(`${site.url}/standins/paddle/checkout/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.ok, await response.text()).toBe(true);
}

/** Creates somebody with a paid month. @returns their address and order number */
async function subscriber(site: RunningSite): Promise<{ readonly email: string; readonly orderId: string }> {
  const { email, password } = await personWith(site, [[2, 1]], 3);
  const { token } = await call(site, "login", { email, password });
  const { transactionId } = await call(site, "create-transaction", { pricingId: "subscription-1m-eur" }, String(token));
  await atProvider(site, `${String(transactionId)}/buyer`, { email, countryCode: "DE" });
  await atProvider(site, `${String(transactionId)}/pay`, { number: "4242424242424242", expiry: "12/40", cvc: "123", name: "Lucía Ramos" });
  await expect.poll(() => entitlementsOf(site, email)).toMatchObject([{ status: "active" }]);
  const [order] = site.rows("SELECT id FROM orders WHERE transaction_id = ?", String(transactionId));
  return { email, orderId: String(order?.["id"]) };
}

const question = (id: string) => buildPath("questionnaire/question", "de-DE", { version: "76", question: id });

test("the Impressum is one click from a question", async ({ page, site }) => {
  await page.goto(site.url + question("2"));
  await ready(page);
  await page.getByRole("link", { name: "Impressum" }).click();
  await isAt(page, "imprint");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Impressum");
  for (const part of ["Diensteanbieter", "Vertreten durch", "Kontakt", "Registereintrag", "Umsatzsteuer-Identifikationsnummer"])
    await expect(page.getByRole("heading", { name: part })).toBeVisible();
  await expect(page.getByText("Beispielangaben")).toBeVisible();
});

test("cancels a subscription without a login: a receipt to save, a mail with date and time, and no renewal", async ({ page, site }) => {
  const { email, orderId } = await subscriber(site);
  await page.goto(site.url + question("2"));
  await ready(page);
  await page.getByRole("link", { name: "Verträge hier kündigen" }).click();
  await isAt(page, "contract/cancel");

  // A missing value is reported at its field.
  await tap(page.getByRole("button", { name: "Jetzt kündigen" }));
  await expect(page.getByLabel("Dein Name")).toBeFocused();
  await expect(page.getByLabel("Dein Name")).toHaveAttribute("aria-invalid", "true");
  await page.getByLabel("Dein Name").fill("Lucía Ramos");
  await page.getByLabel("Vertrag", { exact: true }).fill(orderId);
  await page.getByLabel("E-Mail-Adresse").fill(email.toUpperCase());
  await tap(page.getByRole("button", { name: "Jetzt kündigen" }));

  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Deine Kündigung ist eingegangen");
  await expect(page.getByText(/^Eingegangen am .* um \d\d:\d\d:\d\d MEZ/)).toBeVisible();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Bestätigung speichern" }).click();
  const saved = readFileSync(await (await download).path(), "utf8");
  expect(saved).toMatch(/Eingegangen: .* um \d\d:\d\d:\d\d MEZ/);
  expect(saved).toContain(orderId);

  const { text } = await mailTo(site, email, /deine Erklärung am .* um \d\d:\d\d:\d\d MEZ/);
  expect(text).toContain("Ich kündige meinen Vertrag.");
  await mailTo(site, email, /\bcancel/i);
  await expect.poll(() => site.rows("SELECT state FROM contract_notices WHERE email = ?", email)).toEqual([{ state: "done" }]);
  expect(entitlementsOf(site, email)).toMatchObject([{ status: "active" }]);
});

test("withdraws from a contract in two steps without a login: it ends, and the payment is refunded", async ({ page, site }) => {
  const { email, orderId } = await subscriber(site);
  await page.goto(site.url + buildPath("home", "de-DE"));
  await ready(page);
  await page.getByRole("link", { name: "Vertrag widerrufen" }).click();
  await isAt(page, "contract/withdraw");
  await expect(page.getByText("Du hast ab Vertragsschluss 14 Tage Zeit")).toBeVisible();
  await page.getByLabel("Dein Name").fill("Lucía Ramos");
  await page.getByLabel("Vertrag", { exact: true }).fill(orderId);
  await page.getByLabel("E-Mail-Adresse").fill(email);
  await page.getByRole("button", { name: "Widerruf bestätigen" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Dein Widerruf ist eingegangen");
  await mailTo(site, email, /Ich widerrufe meinen Vertrag\./);
  await expect.poll(() => entitlementsOf(site, email)).toMatchObject([{ status: "deleted" }]);
  await expect
    .poll(() => site.rows("SELECT kind FROM payment_duties WHERE order_id = ? AND done_at IS NOT NULL ORDER BY kind", orderId))
    .toEqual([{ kind: "cancel-subscription" }, { kind: "refund" }]);
});

test("an unknown address and an unknown contract get the same answer", async ({ page, site }) => {
  await page.goto(site.url + buildPath("contract/cancel", "es-419"));
  await ready(page);
  await page.getByLabel("Tu nombre").fill("Lucía Ramos");
  await page.getByLabel("Contrato", { exact: true }).fill("Parlando");
  await page.getByLabel("Correo", { exact: true }).fill("nadie@ejemplo.mx");
  await page.getByRole("radio", { name: "A partir de esta fecha" }).check();
  const nextYear = new Date().getFullYear() + 1;
  await page.getByLabel("Fecha", { exact: true }).fill(`${nextYear}-05-04`);
  await page.getByRole("button", { name: "Cancelar mi suscripción" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Recibimos tu cancelación");
  await expect(page.getByText(`A partir de esta fecha: 4 de mayo de ${nextYear}`)).toBeVisible();
  await mailTo(site, "nadie@ejemplo.mx", /Cancelo mi contrato\./);
});

test("Global Privacy Control refuses advertising where there is no banner, and this is recorded", async ({ page, context, site }) => {
  await context.addInitScript(() => Object.defineProperty(Navigator.prototype, "globalPrivacyControl", { get: () => true }));
  await page.goto(site.url + buildPath("home", "en-US"));
  await ready(page);
  await calm(page);
  await expect.poll(() => newestChoice(page, site)).toMatchObject({ functional: 1, analytics: 1, marketing: 0, source: "gpc" });
});

test("“Do Not Sell or Share” on every English page does the same", async ({ page, site }) => {
  await page.goto(site.url + buildPath("questionnaire/question", "en-US", { version: "76", question: "2" }));
  await ready(page);
  await page.getByRole("button", { name: "Do Not Sell or Share My Personal Information" }).click();
  await expect(page.getByText("Your personal information is not sold or shared")).toBeVisible();
  await expect.poll(() => newestChoice(page, site)).toMatchObject({ marketing: 0, source: "doNotSell" });
});
