/**
 * `npm run screenshots:studio`: takes screenshots of the studio for `docs/operating.md`, into `docs/pictures/`. `DATA_DIR` is the folder of the
 * demonstration's data (`npm run demo`). Just after midnight UTC the Today screen is empty.
 */
import { type Browser, chromium, type Page } from "@playwright/test";
import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { startBuiltSite } from "../bench/runningSite.ts";
import { chromiumArguments, ensureChromium } from "./chromium.ts";
import { compared, raffle } from "./demo/truths.ts";

const target = "docs/pictures";
const folder = resolve(process.env["DATA_DIR"] ?? "data/demo");
const port = 4394;
const node = (script: string, ...more: readonly string[]) =>
  promisify(execFile)(process.execPath, [script, ...more], {
    env: { ...process.env, DATA_DIR: folder, PUBLIC_URL: `http://localhost:${port}` },
  });

async function picture(page: Page, name: string): Promise<void> {
  // Also waits for the frame in the funnel's panel.
  for (const frame of page.frames())
    await frame.evaluate(async () => {
      await document.fonts.ready;
      await Promise.all([...document.images].filter(({ loading }) => loading !== "lazy").map((image) => image.decode().catch(() => {})));
    });
  await sharp(await page.screenshot())
    .webp({ quality: 80 })
    .toFile(join(target, `studio-${name}.webp`));
}

async function enter(browser: Browser, link: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce", colorScheme: "light" });
  await page.goto(link);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Settings" }).waitFor();
  return page;
}

async function pictures(page: Page, url: string): Promise<void> {
  const screen = async (name: string, path: string) => {
    await page.goto(`${url}/studio${path}`);
    await page.locator("main tbody tr").first().waitFor();
    await page.locator("main [aria-busy=true]").waitFor({ state: "detached" });
    await picture(page, name);
  };
  for (const name of ["money", "operations"]) await screen(name, `/${name}`);
  await screen("today", "/");
  await screen("funnel", `/funnel?version=${compared.worse}&country=DE&platform=android`);
  // The screen where the worse version loses the most.
  await page.locator('main tbody tr[data-key="67"]').click();
  await page.getByRole("heading", { name: "Who left" }).waitFor();
  await page.frameLocator("iframe").getByRole("heading", { level: 1 }).waitFor();
  await picture(page, "funnel-step");
  await screen("people", "/people");
  await page.getByRole("row").filter({ hasText: "Access until" }).first().getByRole("link").first().click();
  await page.getByRole("heading", { name: "What happened" }).waitFor();
  await picture(page, "person");
  // The server proves releases after its start, which takes minutes.
  await page.goto(`${url}/studio/versions`);
  await page.getByText("Being proved").first().waitFor({ state: "detached", timeout: 600_000 });
  await picture(page, "versions");
}

mkdirSync(target, { recursive: true });
await node("scripts/demo.ts", "--only-fill");
const site = await startBuiltSite(port, { DATA_DIR: folder, RAFFLE: JSON.stringify(raffle) });
const browser = await chromium.launch({ executablePath: await ensureChromium(), args: chromiumArguments });
try {
  const { stdout } = await node("scripts/studio.ts", "invite", "ana@team.example", "--name", "Ana", "--role", "admin");
  const [link = ""] = /http\S+/.exec(stdout) ?? [];
  await pictures(await enter(browser, link), site.url);
} finally {
  await browser.close();
  await site.stop();
}
