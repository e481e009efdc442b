/** Operators sign in, use the studio by keyboard, and are invited, signed out and removed. */
import { studioCalls } from "#studio/contract.ts";
import { startCompany } from "#test/oidc.ts";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { enterStudio, faultsOf, giveAuthenticator } from "./operators.ts";
import { linkIn, mailTo } from "./people.ts";
import { expect, freePort, longTest, startSite, test } from "./site.ts";

// The tests of this file share one site and run in order, because they look at everything that the site has stored.
test.describe.configure({ mode: "default" });
test.use({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce", settings: { TEST_SITE: "studio" } });

test("the first operator signs in by the printed link, adds a passkey, and signs in with it", async ({ page, browser }) => {
  const site = await startSite();
  try {
    await giveAuthenticator(page);
    const enter = /\S+\/studio\/enter#\S+/;
    // The server prints it after it has begun to answer.
    await expect.poll(site.log).toMatch(enter);
    const link = enter.exec(site.log())?.[0] ?? "";
    await page.goto(link);
    await expect(page.getByText("You are the first operator and an admin")).toBeVisible();
    expect(page.url()).toBe(`${site.url}/studio/enter`);
    await page.getByLabel("Your name").fill("Ines Roth");
    await page.getByLabel("Your e-mail address").fill("ines@team.example");
    await page.getByRole("button", { name: "Begin" }).click();
    await expect(page.getByText("You have no passkey yet")).toBeVisible();

    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByLabel("Its name").fill("Work laptop");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await expect(page.getByRole("cell", { name: "Work laptop", exact: true })).toBeVisible();

    await page.getByRole("button", { name: "Ines Roth Admin" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Continue with a passkey" }).click();
    await expect(page.getByRole("heading", { name: "Settings" })).toBeVisible();

    // The link is consumed, so a copy from a log is useless.
    const other = await (await browser.newContext()).newPage();
    await other.goto(link);
    await expect(other.getByRole("heading", { name: "This link no longer works" })).toBeVisible();
    await site.end();
    await site.restart();
    await expect.poll(site.log).toContain(`Studio:    ${site.url}/studio\n`);
    expect(site.log()).not.toContain("enter#");
  } finally {
    await site.stop();
  }
});

longTest("an admin invites somebody by mail, changes their role, and ends their sessions", async ({ page, browser, site }) => {
  await enterStudio(page, site, "admin", "Ana Admin");
  const email = "paolo@team.example";
  await page.getByRole("radio", { name: "Operators" }).check();
  await page.getByRole("button", { name: "Invite" }).click();
  const dialog = page.getByRole("dialog", { name: "Invite an operator" });
  await dialog.getByLabel("Name").fill("Paolo Ferri");
  await dialog.getByLabel("E-mail address").fill(email);
  await dialog.getByRole("button", { name: "Invite" }).click();
  await expect(page.getByRole("row", { name: /Paolo Ferri/ })).toContainText("Invited");

  const context = await browser.newContext();
  const theirs = await context.newPage();
  const mail = await mailTo(site, email, /Ana Admin invites you to the studio/);
  await theirs.goto(linkIn(mail, /studio\/enter#/));
  await expect(theirs.getByText(`You sign in as ${email}.`)).toBeVisible();
  await theirs.getByRole("button", { name: "Sign in" }).click();
  await expect(theirs.getByRole("heading", { name: "Settings" })).toBeVisible();
  // A viewer sees neither people nor other operators.
  await expect(theirs.getByRole("navigation").first().getByRole("link", { name: "People" })).toHaveCount(0);
  await expect(theirs.getByRole("radio", { name: "Operators" })).toHaveCount(0);

  await page.getByRole("row", { name: /Paolo Ferri/ }).click();
  await page.getByRole("button", { name: "Change role" }).click();
  await page.getByRole("dialog").getByLabel("Role").selectOption("support");
  await page.getByRole("dialog").getByRole("button", { name: "Make Support" }).click();
  await expect(page.getByText("Say why in a few words.")).toBeVisible();
  await page.getByLabel("Why").fill("answers customers from today");
  await page.getByRole("dialog").getByRole("button", { name: "Make Support" }).click();
  await expect(page.getByRole("row", { name: /Paolo Ferri/ })).toContainText("Support");
  await theirs.reload();
  await expect(theirs.getByRole("navigation").first().getByRole("link", { name: "People" })).toBeVisible();

  await page.getByRole("button", { name: "End sessions" }).click();
  await page.getByLabel("Why").fill("lost his laptop");
  await page.getByRole("dialog").getByRole("button", { name: "End sessions" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await theirs.reload();
  await expect(theirs.getByRole("heading", { name: "Sign in" })).toBeVisible();

  await page.getByRole("radio", { name: "Audit" }).check();
  await page.getByPlaceholder("Done to…").fill("Paolo Ferri");
  await expect(page.getByRole("row", { name: /sessions ended.*lost his laptop/ })).toBeVisible();
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "CSV" }).click()]);
  const text = await readFile(await file.path(), "utf8");
  expect(text).toContain("at,operator,action,subject,before,after,reason");
  expect(text).toContain("Ana Admin,role changed,operator Paolo Ferri,role viewer,role support,answers customers from today");
  await context.close();
});

test("an operator with a stale session must sign in again for people, money, operators and passkeys, and returns to the same screen", async ({
  page,
  site,
}) => {
  await giveAuthenticator(page);
  const { email } = await enterStudio(page, site, "admin", "Iris Idle");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await expect(page.getByRole("cell", { name: "This device", exact: true })).toBeVisible();
  const goAway = () =>
    site.change("UPDATE operator_sessions SET fresh_at = 0 WHERE operator_id = (SELECT id FROM operators WHERE address = ?)", email);
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  goAway();
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await dialog.getByRole("button", { name: "Continue with a passkey" }).click();
  await expect(dialog).toHaveCount(0);
  await page.getByRole("button", { name: "Not now" }).click();
  goAway();
  await page.getByRole("radio", { name: "Operators" }).check();
  await dialog.getByRole("button", { name: "Continue with a passkey" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("row", { name: /Iris Idle/ })).toBeVisible();
});

test("every screen is reachable by keyboard and by Ctrl K", async ({ page, site }) => {
  await enterStudio(page, site, "admin");
  for (const [letter, title] of [
    ["t", "Today"],
    ["f", "Funnel"],
    ["v", "Versions"],
    ["p", "People"],
    ["m", "Money"],
    ["o", "Operations"],
  ] as const) {
    await page.keyboard.press("g");
    await page.keyboard.press(letter);
    await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
  }
  await page.goto(`${site.url}/studio/today`);
  await expect(page.getByRole("heading", { name: "Today", level: 1 })).toBeVisible();
  expect(page.url()).toBe(`${site.url}/studio/`);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("set");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Settings", level: 1 })).toBeVisible();

  await page.getByRole("radio", { name: "Operators" }).check();
  await expect(page.getByRole("row", { name: /Op admin/ }).first()).toBeVisible();
  const first = page.getByRole("table", { name: "Operators" }).getByRole("row").nth(1);
  const [name = ""] = (await first.innerText()).split("\n");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("complementary", { name })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("complementary", { name })).toHaveCount(0);
});

test("axe finds no fault on the sign-in and the settings, light and dark, on a laptop and a phone", async ({ page, site }) => {
  const look = async (where: string) => {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect([where, colorScheme, await faultsOf(page)]).toEqual([where, colorScheme, []]);
    }
  };
  await page.goto(`${site.url}/studio`);
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await look("sign in");
  await enterStudio(page, site, "admin");
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 });
    for (const part of ["My access", "Operators", "Audit"]) {
      await page.getByRole("radio", { name: part }).check();
      await expect(page.getByRole("table").first()).toBeVisible();
      await look(`${part} ${width}`);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
});

test("visitors download nothing of the studio: no module, no name of a call, no library", async ({ site }) => {
  const manifest: Readonly<Record<string, { readonly file: string; readonly css?: readonly string[] }>> = JSON.parse(
    await readFile("build/client/.vite/manifest.json", "utf8"),
  );
  const files = [...new Set(Object.values(manifest).flatMap(({ file, css = [] }) => [file, ...css]))];
  // Contents and texts have no source map; they are checked below with all other files.
  const maps = files.map((file) => `build/maps/${basename(file)}.map`).filter((file) => existsSync(file));
  const sources = await Promise.all(maps.map(async (file): Promise<readonly string[]> => JSON.parse(await readFile(file, "utf8")).sources));
  expect(sources.flat()).toContainEqual(expect.stringContaining("src/web/entry-client.tsx"));
  expect(sources.flat().filter((source) => /\/studio\/|node_modules\/(?:@tanstack|react-aria|@simplewebauthn|d3-)/.test(source))).toEqual(
    [],
  );

  const texts = await Promise.all(
    files.filter((file) => /\.(?:js|css)$/.test(file)).map((file) => readFile(`build/client/${file}`, "utf8")),
  );
  const page = await (await fetch(`${site.url}/es-latam/habla-ingles/76/2/`)).text();
  const openapi = await (await fetch(`${site.url}/api/openapi.json`)).text();
  const robots = await (await fetch(`${site.url}/robots.txt`)).text();
  const sitemap = await (await fetch(`${site.url}/sitemap.xml`)).text();
  // Even when minified, a row of the contract begins with its key and method.
  const rows = new RegExp(`\\b(?:${Object.keys(studioCalls).join("|")})["']?:\\s*\\{\\s*method:`);
  for (const text of [...texts, page, openapi, robots, sitemap]) {
    expect(rows.exec(text)?.[0]).toBeUndefined();
    expect(text.includes("/studio/api") || text.includes("parlando-studio")).toBe(false);
  }
  expect(openapi).not.toContain("studio");
});

longTest("an operator signs in with the company account; somebody who was not invited cannot", async ({ page }) => {
  const company = await startCompany(await freePort());
  const { issuer, clientId, clientSecret, name } = company.settings;
  const site = await startSite({
    STUDIO_OIDC_ISSUER: issuer,
    STUDIO_OIDC_CLIENT_ID: clientId,
    STUDIO_OIDC_CLIENT_SECRET: clientSecret,
    STUDIO_OIDC_NAME: name,
  });
  try {
    const { email } = await enterStudio(page, site, "support", "Paolo Ferri");
    await page.context().clearCookies();
    const signInAs = async (address: string) => {
      await page.goto(`${site.url}/studio`);
      await page.getByRole("button", { name: "Continue with Example Ltd." }).click();
      await expect(page.getByRole("heading", { name: "Company sign-in" })).toBeVisible();
      await page.getByLabel("E-mail address").fill(address);
      await page.getByRole("button", { name: "Sign in" }).click();
    };
    await signInAs("stranger@team.example");
    await expect(page.getByText("Your company account does not belong to an operator.")).toBeVisible();
    await signInAs(email);
    await expect(page.getByRole("heading", { name: "Today" })).toBeVisible();
    expect(page.url()).toBe(`${site.url}/studio/`);
    await expect(page.getByRole("button", { name: "Paolo Ferri" })).toBeVisible();
  } finally {
    await site.stop();
    await company.close();
  }
});
