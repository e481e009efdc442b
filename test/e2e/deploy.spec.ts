/** A deploy during visits: every visit goes on, whether the old build's files are kept or deleted (spec 000 §8). */
import type { Page } from "@playwright/test";
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { keptAssets, restoreAssets } from "../../scripts/assets.ts";
import { long } from "../sampled.ts";
import { expect, type RunningSite, startSite, test as base } from "./site.ts";
import { answer, cards, entitlementsOf, newVisitor, pay, ready, walkToBlock } from "./walk.ts";

interface Deployment {
  readonly site: RunningSite;
  /** Replaces the first build with the second, as `npm run build` does, and restarts the server. */
  readonly deploy: (olderFiles: "kept" | "gone") => Promise<void>;
}

const test = base.extend<{ readonly deployment: Deployment }, { readonly secondBuild: string }>({
  /** A second build in which every file is different. */
  secondBuild: [
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), "parlando-second-"));
      await build({
        logLevel: "error",
        build: { outDir: folder, emptyOutDir: true },
        plugins: [{ name: "changed", renderChunk: (code) => `${code}\nglobalThis.parlandoBuild = "second";` }],
      });
      await use(folder);
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: "worker" },
  ],
  /** A copy of the built site in its own folder. Only `build` is replaced. */
  async deployment({ secondBuild }, use) {
    const root = mkdtempSync(join(tmpdir(), "parlando-deploy-"));
    for (const name of ["src", "db", "node_modules", "package.json"]) symlinkSync(join(process.cwd(), name), join(root, name));
    cpSync("build", join(root, "build"), { recursive: true });
    const site = await startSite({}, root);
    await use({
      site,
      async deploy(olderFiles) {
        const client = join(root, "build/client");
        const next = join(root, "build/next");
        const kept = olderFiles === "kept" ? keptAssets(join(client, "assets")) : null;
        cpSync(secondBuild, next, { recursive: true });
        restoreAssets(join(next, "assets"), kept);
        // As with a new image, no server runs during the replacement.
        await site.kill();
        rmSync(client, { recursive: true });
        renameSync(next, client);
        await site.restart();
      },
    });
    await site.stop();
    rmSync(root, { recursive: true, force: true });
  },
});
const longTest = long ? test : test.skip;

// All tests share the second build.
test.describe.configure({ mode: "serial" });
test.use({ viewport: { width: 390, height: 844 }, reducedMotion: "reduce" });

const quick = { options: { 43: 3, 44: 3 } } as const;

/** The URL of the page's entry script, which is different in each build. */
const entryOf = (page: Page) => page.evaluate(() => document.querySelector<HTMLScriptElement>("script[type=module][src]")?.src ?? "");

longTest(
  "with the old files kept, an open page works up to the purchase without a reload",
  async ({ page, deployment: { site, deploy } }) => {
    const visitor = newVisitor();
    // Prefetched files are requested after the deploy, but belong to the old build.
    const asked: string[] = [];
    page.on("response", (response) => {
      if (/\/assets\/.*\.js$/.test(response.url())) asked.push(`${response.status()} ${response.url()}`);
    });
    await page.goto(`${site.url}/es-latam/habla-ingles/76/2/`);
    await ready(page);
    const entry = await entryOf(page);
    await deploy("kept");
    const before = asked.length;
    await walkToBlock(page, "paddle", visitor, quick);
    expect(await entryOf(page)).toBe(entry);
    const later = asked.slice(before);
    expect(later.length).toBeGreaterThan(0);
    expect(later.filter((line) => !line.startsWith("200"))).toEqual([]);
    await pay(page, cards.good);
    await expect(page.locator("main")).toHaveAttribute("data-route", "questionnaire/thank-you");
    expect(await entryOf(page)).toBe(entry);
    await expect.poll(() => entitlementsOf(site, visitor.email).length).toBe(1);

    const next = await page.context().newPage();
    await next.goto(`${site.url}/es-latam/`);
    expect(await entryOf(next)).not.toBe(entry);
  },
);

test("with the old files deleted, the page reloads once and keeps its question and answers", async ({
  page,
  deployment: { site, deploy },
}) => {
  const visitor = newVisitor();
  // Blocks the prefetch for the plans and later pages before the deploy.
  const ahead = /\/assets\/(payment|page)-/;
  await page.route(ahead, (route) => route.abort());
  await page.goto(`${site.url}/es-latam/habla-ingles/76/2/`);
  await ready(page);
  const entry = await entryOf(page);
  for (let step = 0; step < 2; step += 1) await answer(page, visitor);
  await page.waitForLoadState("networkidle");
  await deploy("gone");
  await page.unroute(ahead);
  let loads = 0;
  page.on("load", () => (loads += 1));
  await walkToBlock(page, "price", visitor, quick);
  // The old page cannot show the plans; the reloaded one can.
  await expect(page.getByRole("radio").first()).toBeVisible();
  await walkToBlock(page, "paddle", visitor, quick);
  await pay(page, cards.good);
  await expect(page.locator("main")).toHaveAttribute("data-route", "questionnaire/thank-you");
  await expect.poll(() => entitlementsOf(site, visitor.email).length).toBe(1);
  expect([loads, (await entryOf(page)) === entry]).toEqual([1, false]);
  // Waits until all answers are saved, before the purchase.
  const answersSaved = () => {
    const [saved] = site.rows(
      "SELECT state FROM questionnaire_states q JOIN accounts a ON a.uuid = q.account_uuid WHERE a.email = ?",
      visitor.email,
    );
    return saved === undefined ? 0 : JSON.parse(String(saved["state"])).selectedOptions.length;
  };
  await expect.poll(answersSaved).toBeGreaterThan(20);
});

test("a page whose module is missing in the new build, too, reloads once and then shows an error", async ({ page, site }) => {
  await page.goto(`${site.url}/es-latam/habla-ingles/76/2/`);
  await ready(page);
  await page.waitForLoadState("networkidle");
  const manifest: Readonly<Record<string, { readonly file: string }>> = JSON.parse(
    readFileSync("build/client/.vite/manifest.json", "utf8"),
  );
  const missing = manifest["src/web/pages/questionnaire/user/page.tsx"]?.file ?? "";
  await page.route(`**/${missing}`, (route) => route.fulfill({ status: 404, body: "" }));
  let loads = 0;
  page.on("load", () => (loads += 1));
  await page.evaluate(() => {
    history.pushState(null, "", location.pathname.replace(/2\/$/, "usuario/"));
    dispatchEvent(new PopStateEvent("popstate"));
  });
  await expect(page.getByRole("alert").getByText("Algo falló de nuestro lado")).toBeVisible();
  expect(loads).toBe(1);
});

test("a page whose questionnaire module is missing reloads once and then shows an error", async ({ page, site }) => {
  await page.route("**/assets/questionnaire-76-*.js", (route) => route.fulfill({ status: 404, body: "" }));
  let loads = 0;
  page.on("load", () => (loads += 1));
  await page.goto(`${site.url}/es-latam/habla-ingles/76/2/`);
  await expect(page.getByRole("alert").getByText("Algo falló de nuestro lado")).toBeVisible();
  expect(loads).toBe(2);
});
