/** An operator reads about versions, gives visitors another one, and goes back. */
import { sampled } from "#test/sampled.ts";
import { buildPath } from "#core/routes.ts";
import type { Browser } from "@playwright/test";
import { enterStudio, faultsOf } from "./operators.ts";
import { expect, type RunningSite, startSite, test } from "./site.ts";

/** The version that a new visitor from Brazil gets. */
async function versionOfNewVisitor(browser: Browser, site: RunningSite): Promise<string | undefined> {
  const context = await browser.newContext({ locale: "pt-BR" });
  const page = await context.newPage();
  await page.goto(site.url + buildPath("questionnaire/raffle", "pt-BR"));
  const version = /\/fale-ingles\/(\w+)\/2\//;
  await page.waitForURL(version);
  const [, drawn] = version.exec(page.url()) ?? [];
  await context.close();
  return drawn;
}

/** Weights apply after five seconds at most, and each try is a new visitor in a new window. */
const intervals = [5_000];

test("weights are set with a reason, apply to new visitors within five seconds, and are set back; a viewer sees them but cannot set them", async ({
  browser,
}) => {
  const site = await startSite();
  try {
    expect(await versionOfNewVisitor(browser, site)).toBe("78");
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
    const page = await context.newPage();
    await enterStudio(page, site, "publisher", "Paula Porto");
    await page.keyboard.press("g");
    await page.keyboard.press("v");
    await expect(page.getByRole("heading", { name: "Versions", level: 1 })).toBeVisible();
    await expect(page.getByRole("row", { name: /^78/ })).toContainText("pt-BR 100%");
    // Weights do not apply to the home page, which has a fixed version.
    await expect(page.getByRole("row", { name: /^73/ })).toContainText("asks on the home page of en-US, es-419, pt-BR");
    await expect(page.getByRole("row", { name: /^91/ })).toContainText("Sound");
    await expect(page.getByText("Being proved")).toHaveCount(0);

    await page.getByRole("button", { name: "Set weights of pt-BR" }).click();
    const dialog = page.getByRole("dialog", { name: "Set weights of pt-BR?" });
    await dialog.getByLabel("78", { exact: true }).fill("0");
    await expect(dialog.getByText("Give at least one version a weight.")).toBeVisible();
    await dialog.getByLabel("89", { exact: true }).fill("3");
    await dialog.getByLabel("Why").fill("the guide begins in Brazil");
    await dialog.getByRole("button", { name: "Set weights" }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole("row", { name: /^89/ })).toContainText("pt-BR 100%");
    await expect.poll(() => versionOfNewVisitor(browser, site), { intervals }).toBe("89");

    for (const colorScheme of sampled(["light", "dark"] as const, 1)) {
      await page.emulateMedia({ colorScheme });
      expect([colorScheme, await faultsOf(page)]).toEqual([colorScheme, []]);
    }

    await page.getByRole("button", { name: "Go back to pt-BR 78 at 100%" }).click();
    const back = page.getByRole("dialog", { name: /Go back to the weights of .* in pt-BR\?/ });
    await back.getByLabel("Why").fill("more left at the guide");
    await back.getByRole("button", { name: "Go back" }).click();
    await expect(page.getByText("Paula Porto: more left at the guide")).toBeVisible();
    await expect.poll(() => versionOfNewVisitor(browser, site), { intervals }).toBe("78");

    await page.getByRole("row", { name: /^83/ }).click();
    const panel = page.getByRole("complementary", { name: "Version 83" });
    await panel.getByLabel("Against").selectOption("76");
    await expect(panel.getByText(/^\d+ differences, in English$/)).toBeVisible();
    expect(new URL(page.url()).search).toBe("?version=83&against=76");
    for (const colorScheme of sampled(["light", "dark"] as const, 1)) {
      await page.emulateMedia({ colorScheme });
      expect([colorScheme, await faultsOf(page)]).toEqual([colorScheme, []]);
    }
    await context.close();

    const viewer = await browser.newPage();
    await enterStudio(viewer, site, "viewer");
    await viewer.goto(`${site.url}/studio/versions`);
    await expect(viewer.getByRole("row", { name: /^76/ })).toBeVisible();
    await expect(viewer.getByRole("button", { name: /^Set weights/ })).toHaveCount(0);
    await viewer.close();
  } finally {
    await site.stop();
  }
});
