import { legalRoutes, type LegalRoute } from "#content/legal/documents.ts";
import { locales } from "#core/locales.ts";
import { buildPath } from "#core/routes.ts";
import { readFile } from "node:fs/promises";
import { noAssets } from "#test/noAssets.ts";
import { describe, expect, it, vi } from "vitest";
import { createRenderer } from "../../entry-server.tsx";
import { defaultClientConfig } from "../../clientConfig.ts";
import { personalKeys, storageKeys } from "../../device/storage.ts";

vi.mock("../../../content/legal/it-IT/licenses.md", () => {
  throw new Error("The disk is gone");
});

const { render } = createRenderer(noAssets, defaultClientConfig);

/** The document of each route (spec 001 §2). */
const documentAt = {
  "legal/terms": "terms-and-conditions",
  "legal/terms-and-conditions": "terms-and-conditions",
  "legal/privacy": "privacy-policy",
  "legal/licenses": "licenses",
  "legal/data-protection-authorities": "data-protection-authorities",
  "legal/marketing-and-advertising-networks": "marketing-and-advertising-networks",
  "legal/payment-providers": "payment-providers",
  "legal/service-providers": "service-providers",
} as const satisfies Readonly<Record<LegalRoute, string>>;

/** The locale whose licenses fail to load in this test. */
const broken = "it-IT";

async function htmlOf(path: string): Promise<string> {
  const page = await render({
    url: path,
    publicUrl: "https://parlando.example",
    geoLocale: "de-DE",
    localeCookie: undefined,
    userAgent: "",
    today: "2026-11-20",
  });
  if (!("html" in page)) throw new Error(`${path} is no page`);
  expect(page.status).toBe(200);
  return page.html;
}

describe("a legal page", () => {
  it("shows the document under its title, with a back link", async () => {
    const html = await htmlOf(buildPath("legal/privacy", "de-DE"));
    expect(html).toContain("<title>Datenschutzerklärung · Parlando</title>");
    expect(html).toMatch(/<h1[^>]*>Datenschutzerklärung<\/h1>/);
    expect(html).toContain('<h2 id="verantwortlicher">1. Verantwortlicher</h2>');
    expect(html.match(/<a href="#verantwortlicher">/g)).toHaveLength(2);
    expect(html).toMatch(/<a [^>]*href="\/de\/"[^>]*>.*?Zurück<\/a>/s);
  });

  it("keeps title and back link when the document does not load (spec 001 §8)", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const html = await htmlOf(buildPath("legal/licenses", broken));
    expect(html).toMatch(/<h1[^>]*>Licenze<\/h1><div[^>]*><\/div><\/main>/);
    expect(html).toMatch(/<a [^>]*href="\/it\/"[^>]*>.*?Indietro<\/a>/s);
    expect(warn).toHaveBeenCalledOnce();
  });

  it("names the terms and conditions as canonical for the terms of use, which stay out of search (spec 001 §2)", async () => {
    const html = await htmlOf(buildPath("legal/terms", "de-DE"));
    expect(html).toContain(`<link rel="canonical" href="https://parlando.example${buildPath("legal/terms-and-conditions", "de-DE")}">`);
    expect(html).toContain('<meta name="robots" content="noindex">');
  });

  it.each(Object.entries(documentAt))("%s shows its document in every locale", async (name, document) => {
    const route = Object.keys(legalRoutes).find((key): key is LegalRoute => key === name);
    if (route === undefined) throw new Error(name);
    for (const locale of locales.filter((one) => one !== broken)) {
      const html = await htmlOf(buildPath(route, locale));
      const [, text = ""] = new RegExp(`data-route="${route}".*data-part="text">(.*)</main>`, "s").exec(html) ?? [];
      const source = await readFile(`src/content/legal/${locale}/${document}.md`, "utf8");
      const headings = [...source.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
      expect(headings.length).toBeGreaterThan(2);
      expect(
        [...text.matchAll(/<h2[^>]*>(.*?)<\/h2>/g)].map(([, heading = ""]) => heading.replaceAll(/<[^>]*>/g, "")),
        locale,
      ).toEqual(headings);
    }
  });
});

it("the privacy policy names every entry on the device and whether it outlives a logout, in every locale", async () => {
  for (const locale of locales) {
    const source = await readFile(`src/content/legal/${locale}/privacy-policy.md`, "utf8");
    const rows = source.split("\n").filter((line) => line.startsWith("| `"));
    const rowOf = (key: string) => rows.find((row) => row.includes(`\`${key}\``));
    for (const key of storageKeys) expect(rowOf(key), `${key} in ${locale}`).toBeDefined();
    // Each row says until when its entry is kept. Starting over deletes personal entries except theme and consent (`logOut.ts`). Tokens have their own limits.
    const until = (key: string) => rowOf(key)?.split("|")[3]?.trim() ?? "";
    const logout = until("theme");
    const reset = until("config");
    expect(reset).not.toBe(logout);
    for (const key of personalKeys.filter((one) => !/token/i.test(one)))
      expect(until(key).startsWith(key === "theme" || key === "consent" ? logout : reset), `${key} in ${locale}`).toBe(true);
    for (const key of storageKeys.filter((one) => !personalKeys.includes(one))) expect(until(key), key).not.toContain(logout);
  }
});
