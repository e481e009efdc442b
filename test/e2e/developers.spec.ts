/** Developer pages in the built site (spec 001 §2, §6): they work, and visitors do not download them. */
import { type AddressedRoute, buildPath, isAddressed, isPageRoute, routeNames, routes } from "#core/routes.ts";
import { otherBlocksSource } from "../../src/web/laterContents.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { expect, test } from "./site.ts";
import { ready, tap } from "./walk.ts";

const developers = routeNames.filter(isAddressed).filter((name) => name.startsWith("dev/"));
const at = (route: AddressedRoute) => buildPath<AddressedRoute>(route, "es-419", {});

test("every developer page is served and is not indexed by search engines", async ({ site }) => {
  for (const route of developers) {
    const { status, headers } = await fetch(site.url + at(route), { redirect: "manual" });
    if (route === "dev/reset-root") expect([status, headers.get("location")]).toEqual([302, at("dev/reset")]);
    else expect([status, headers.get("x-robots-tag"), headers.get("cache-control")], route).toEqual([200, "noindex", "private, no-cache"]);
  }
  expect(await (await fetch(`${site.url}/sitemap.xml`)).text()).not.toContain("/dev");
});

test("no other page loads any of their code", () => {
  const manifest = v.parse(
    v.pipe(
      v.string(),
      v.parseJson(),
      v.record(
        v.string(),
        v.object({ file: v.string(), css: v.optional(v.array(v.string()), []), imports: v.optional(v.array(v.string()), []) }),
      ),
    ),
    readFileSync("build/client/.vite/manifest.json", "utf8"),
  );
  const filesOf = (key: string): readonly string[] => {
    const { file, css, imports } = manifest[key] ?? { file: "", css: [], imports: [] };
    return [file, ...css, ...imports.flatMap(filesOf)];
  };
  const marked = (key: string) =>
    filesOf(key).filter((file) => readFileSync(join("build/client", file), "utf8").includes("parlando-developer-page"));
  const others = routeNames.filter((route) => isPageRoute(route) && !("developer" in routes[route]) && route !== "questionnaire/question");
  for (const key of ["src/web/entry-client.tsx", otherBlocksSource, ...others.map((route) => `src/web/pages/${route}/page.tsx`)])
    expect(marked(key), key).toEqual([]);
  expect(marked("src/web/pages/dev/seo/page.tsx")).not.toEqual([]);
});

test("creates a visitor of another version, language and country, with answers, an account and a plan, and deletes it again", async ({
  page,
  site,
}) => {
  await page.goto(site.url + at("dev/generate"));
  await ready(page);
  for (const [name, value] of [
    ["version", "83"],
    ["locale", "de-DE"],
    ["country", "DE"],
    ["question", "60"],
    ["account", "entitled"],
  ] as const)
    await page
      .locator("label", { hasText: new RegExp(`^${name}`) })
      .locator("select")
      .selectOption(value);
  await expect(page.locator("pre")).toContainText('"currentQuestionId": 60');
  await tap(page.getByRole("button", { name: "Open" }));
  await page.waitForURL(site.url + buildPath("questionnaire/question", "de-DE", { version: "83", question: "60" }));
  await ready(page);
  await expect(page.locator("main")).toHaveAttribute("data-question-id", "60");
  const uuid = await page.evaluate(() => String(JSON.parse(localStorage.getItem("questionnaireState") ?? "{}").user?.uuid));
  expect(site.rows("SELECT status FROM entitlements WHERE account_uuid = ?", uuid)).toEqual([{ status: "active" }]);
  // The visitor is from Germany, so the consent banner shows.
  await expect(page.locator("[data-consent=banner]")).toBeVisible();

  await page.goto(site.url + at("dev/reset"));
  await ready(page);
  await expect(page.locator("main").getByRole("status")).toContainText("questionnaireState");
  await tap(page.getByRole("button", { name: "Forget everything" }));
  await expect(page.locator("main").getByRole("status")).toHaveText("Forgotten.");
  const personal = ["token", "refreshToken", "config", "product", "theme", "questionnaireState", "questionnaireVersion"];
  expect(await page.evaluate((keys) => keys.filter((key) => localStorage.getItem(key) !== null), personal)).toEqual([]);
});

test("sends calls, parses addresses, and shows every block in a frame of the chosen width", async ({ page, site }) => {
  await page.goto(`${site.url}${at("dev/api")}#geo`);
  await ready(page);
  const geo = page.locator("details#geo");
  await geo.locator("summary").click();
  await geo.getByRole("button", { name: "Send" }).click();
  await expect(geo.getByRole("status")).toContainText("200 OK");

  await page.goto(site.url + at("dev/seo"));
  await expect(page.locator("main").getByRole("status")).toContainText(/^[1-9]\d* of \d+ addresses read, 0 with warnings/);

  await page.goto(`${site.url}${at("dev/blocks")}?type=title&theme=Kosmo&width=768`);
  const frame = page.frameLocator("iframe");
  await expect(frame.locator("main[data-theme=Kosmo] h1").first()).toBeVisible();
});
