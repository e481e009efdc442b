/** What stands around every page (spec 001 §2, "Shared layout"). */
import { type AddressedRoute, buildPath } from "#core/routes.ts";
import { expect, test } from "vitest";
import type { Assets } from "../assets.ts";
import { defaultClientConfig } from "../clientConfig.ts";
import { createRenderer } from "../entry-server.tsx";

const assets: Assets = {
  forPage: () => ({ stylesheets: [], modules: [], fonts: [], scripts: [], questionnaire: "", texts: "", moreTexts: "" }),
};
const { render } = createRenderer(assets, defaultClientConfig);

async function around(route: AddressedRoute) {
  const page = await render({
    url: buildPath<AddressedRoute>(route, "es-419", { version: "76", question: "3" }),
    publicUrl: "https://parlando.example",
    acceptLanguage: "",
    localeCookie: undefined,
    userAgent: "",
    today: "2026-11-20",
  });
  if (!("html" in page)) throw new Error(`${route} redirects`);
  const nav = /<nav.*?<\/nav>/s.exec(page.html)?.[0] ?? "";
  return { nav, hrefs: [...nav.matchAll(/href="([^"]*)"/g)].map(([, href]) => href), html: page.html };
}

test("a page has a logo that leads home, the languages as a select and as a list, three items in a menu, and a footer", async () => {
  for (const route of ["handle-your-subscription", "legal/privacy"] as const) {
    const { nav, hrefs, html } = await around(route);
    expect(hrefs[0], route).toBe(buildPath("home", "es-419"));
    expect(nav).toContain(defaultClientConfig.brand);
    expect(nav).toMatch(/<select/);
    expect(hrefs).toContain(buildPath(route, "de-DE"));
    expect(nav).toMatch(/<details/);
    expect(hrefs).toEqual(expect.arrayContaining([buildPath("login/link", "es-419"), buildPath("handle-your-subscription", "es-419")]));
    expect(html).toContain("<footer");
    expect(html).not.toContain('role="progressbar"');
  }
});

test("a question's navbar has the progress bar too", async () => {
  expect((await around("questionnaire/question")).html).toContain('role="progressbar"');
});
