/** The studio's Money shows payments and a refund; a failed mail is found in Operations and sent again. */
import type { Locator, Page } from "@playwright/test";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { comeAs, payIn, toCheckout } from "./buyers.ts";
import { enterStudio, faultsOf } from "./operators.ts";
import { call } from "./people.ts";
import { expect, type RunningSite, longTest, startSite } from "./site.ts";
import { cards, isAt } from "./walk.ts";

/** A card that pays at first and is declined at each renewal. */
const renewalDeclined = "4000 0027 6000 3184";
const today = () => new Date().toISOString().slice(0, 10);
/** The URL of Money up to 60 days ahead, because the stand-in charges at the end of trials. */
const moneySince = (site: RunningSite) =>
  `${site.url}/studio/money?from=${today()}&to=${new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10)}`;

async function buy(page: Page, site: RunningSite, locale: "es-419" | "de-DE", country: string, card: string): Promise<void> {
  await comeAs(page, site, locale, "76", country);
  await toCheckout(page, site, locale, "76");
  await payIn(page, card);
  await isAt(page, "questionnaire/thank-you");
}

/** The first charge of a currency with tax and fee, in minor units. */
const charged = (site: RunningSite, currency: string) =>
  site.rows("SELECT gross, tax, fee, id FROM money_entries WHERE kind = 'payment' AND currency = ? AND gross > 0", currency);

longTest("payments of two countries and a refund are counted to the cent, and open their rows", async ({ browser }) => {
  const site = await startSite();
  try {
    for (const [locale, country, card] of [
      ["es-419", "MX", cards.good],
      ["de-DE", "DE", cards.good],
      ["de-DE", "AT", renewalDeclined],
    ] as const) {
      const context = await browser.newContext({ viewport: { width: 390, height: 844 }, reducedMotion: "reduce" });
      await buy(await context.newPage(), site, locale, country, card);
      await context.close();
    }
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
    const page = await context.newPage();
    // All plans begin with a trial: the first charge comes at its end.
    await page.goto(`${site.url}/standins/paddle/`);
    const renewals = page.locator("button[data-action=renew][data-provider=billing]");
    await expect(renewals).toHaveCount(3);
    // The stand-in's page reloads after the request.
    const clickAndReload = async (button: Locator) => {
      const reloaded = page.waitForEvent("load");
      await button.click();
      await reloaded;
    };
    for (const renewal of await renewals.all()) await clickAndReload(renewal);
    for (const currency of ["MXN", "EUR"]) await expect.poll(() => charged(site, currency).length).toBe(1);
    const [mexican] = charged(site, "MXN");
    const [german] = charged(site, "EUR");
    await clickAndReload(page.locator(`button[data-action=refund][data-id="${String(mexican?.["id"])}"]`));
    await expect.poll(() => site.rows("SELECT id FROM money_entries WHERE kind = 'refund'").length).toBe(1);

    await enterStudio(page, site, "admin");
    await page.goto(moneySince(site));
    const byCurrency = page.getByRole("table", { name: "Money by currency" });
    const digits = async (name: RegExp) => (await byCurrency.getByRole("row", { name }).innerText()).replaceAll(/[^\d\t\n-]/g, "");
    expect(await digits(/^EUR/)).toContain(String(german?.["gross"]));
    await expect(byCurrency.getByRole("row", { name: /^MXN/ })).toContainText("no rate");
    await expect(page.getByText("No rate is known for MXN")).toBeVisible();

    // With an imported rate the total includes both currencies.
    await page.getByRole("button", { name: "Import" }).click();
    const dialog = page.getByRole("dialog", { name: "Import exchange rates" });
    await dialog.getByLabel(/day,currency,rate/).fill(`day,currency,rate\n${today()},MXN,20\n`);
    await dialog.getByLabel("Source").fill("the bank");
    await dialog.getByRole("button", { name: "Import" }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByText(/at the rates of .* \(the bank\)/)).toBeVisible();
    await expect(page.getByText("No rate is known")).toHaveCount(0);

    await byCurrency.getByRole("row", { name: /^MXN/ }).click();
    const rows = page.getByRole("dialog", { name: "Rows: MXN" });
    await expect(rows.getByRole("row", { name: /Refund/ })).toContainText(String(mexican?.["id"]));
    await rows.getByRole("radio", { name: "Refunds" }).check();
    expect(page.url()).toContain("rows=refund");
    await expect(rows.getByRole("table", { name: "Rows" }).getByRole("row")).toHaveCount(2);
    const [file] = await Promise.all([page.waitForEvent("download"), rows.getByRole("button", { name: "CSV" }).click()]);
    expect(await readFile(await file.path(), "utf8")).toContain(`,refund,`);
    await page.keyboard.press("Escape");
    await expect(rows).toHaveCount(0);

    // The failed charge and its owner. It failed today, when the stand-in charged.
    await page.getByRole("button", { name: "Charges that failed: 1" }).click();
    const failed = page.getByRole("dialog", { name: "Charges that failed" });
    await expect(failed.getByRole("row", { name: /Austria.*Not yet/ })).toBeVisible();
    expect(await faultsOf(page)).toEqual([]);
    await failed.getByRole("link", { name: "Open" }).click();
    await expect(page).toHaveURL(/\/studio\/people\/[\da-f-]{36}$/);
    await expect(page.getByText("A payment was declined").first()).toBeVisible();
    await page.goBack();
    await page.keyboard.press("Escape");
    await expect(failed).toHaveCount(0);

    await page.getByRole("radio", { name: "Table" }).check();
    await expect(page.getByRole("table", { name: "Net proceeds per day" })).toBeVisible();
    await page.getByRole("radio", { name: "Country" }).check();
    await expect(page.getByRole("table", { name: "Money by country" }).getByRole("row", { name: /Mexico/ })).toBeVisible();
    for (const provider of ["paddlebilling", "paddle"])
      await expect.poll(() => site.rows("SELECT at FROM reconciliations WHERE payment_provider = ?", provider).length).toBe(1);
    await page.reload();
    await page.getByRole("button", { name: "Compare now" }).first().click();
    await expect(page.getByText(/\d+ of \d+ agree/).first()).toBeVisible();
    expect(await faultsOf(page)).toEqual([]);
    await context.close();
  } finally {
    await site.stop();
  }
});

/** A mail server that rejects every recipient permanently until it is told to accept them. */
async function startRefusingSmtp() {
  const taken: string[] = [];
  let refuses = true;
  const server = createServer((socket) => {
    let inMail = false;
    socket.on("error", () => socket.destroy());
    socket.write("220 test\r\n");
    socket.on("data", (chunk: Buffer) => {
      for (const line of chunk.toString().split("\r\n")) {
        if (inMail) {
          if (line === ".") {
            inMail = false;
            socket.write("250 taken\r\n");
          }
          continue;
        }
        const verb = line.slice(0, 4).toUpperCase();
        if (verb === "RCPT") {
          if (!refuses) taken.push(/<([^>]*)>/.exec(line)?.[1] ?? "");
          socket.write(refuses ? "550 no such mailbox\r\n" : "250 ok\r\n");
        } else if (verb === "DATA") {
          inMail = true;
          socket.write("354 go on\r\n");
        } else if (verb === "QUIT") socket.end("221 bye\r\n");
        else if (line !== "") socket.write("250 ok\r\n");
      }
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `smtp://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    taken,
    takeAll: () => void (refuses = false),
    close: () => server.close(),
  };
}

longTest("a rejected mail shows in Operations, raises an alarm, and is sent again once", async ({ page }) => {
  const smtp = await startRefusingSmtp();
  const site = await startSite({ SMTP_URL: smtp.url });
  try {
    await page.setViewportSize({ width: 1440, height: 900 });
    const email = "lucia@example.com";
    await call(site, "signup", {
      uuid: crypto.randomUUID(),
      email,
      password: "correct horse",
      firstname: "Lucía",
      uiLanguage: "es-419",
      questionnaire: "76",
      version: "v5.7.8",
    });
    const failed = () => site.rows("SELECT id FROM mail_outbox WHERE recipient = ? AND next_attempt_at IS NULL AND sent_at IS NULL", email);
    await expect.poll(() => failed().length).toBe(1);

    await enterStudio(page, site, "support");
    await page.goto(`${site.url}/studio/operations`);
    await expect(
      page.getByRole("heading", { name: "Mails do not go out" }).or(page.getByText("Mails do not go out")).first(),
    ).toBeVisible();
    // By keyboard only: the outboxes are the first list while no page has reported an error.
    const failing = page.getByRole("table", { name: "Outboxes" }).getByRole("row", { name: /Mails.*1 failed/ });
    await expect(failing).toBeVisible();
    await expect(page.getByText("No page has reported an error")).toBeVisible();
    await page.keyboard.press("j");
    await expect(failing).toBeFocused();
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    await page.keyboard.press("Enter");
    const box = page.getByRole("dialog", { name: "Mails" });
    const entry = box.getByRole("row", { name: /lucia@example.com/ });
    await expect(entry).toBeVisible();
    await page.keyboard.press("j");
    await expect(entry).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(box.getByText("550 no such mailbox")).toBeVisible();
    await expect(box.getByLabel("What it contains")).toContainText("•••");
    expect(await faultsOf(page)).toEqual([]);

    smtp.takeAll();
    await box.getByRole("button", { name: "Try again" }).click();
    const ask = page.getByRole("dialog", { name: /^Try “.+” again/ });
    await ask.getByLabel("Why").fill("their mailbox was full");
    await ask.getByRole("button", { name: "Try again" }).click();
    await expect.poll(() => smtp.taken).toEqual([email]);
    await expect(box.getByText("Done", { exact: true }).first()).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByText(/tried again: mail .*Op support/)).toBeVisible();

    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${site.url}/studio/operations`);
    await expect(page.getByRole("table", { name: "Health of the parts" })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await faultsOf(page)).toEqual([]);
  } finally {
    await site.stop();
    smtp.close();
  }
});
