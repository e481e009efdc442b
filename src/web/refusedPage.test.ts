/** What a visitor sees whose network has requested too many pages. */
import { locales, localeTraits } from "#core/locales.ts";
import { createTestApp } from "#test/app.ts";
import { noAssets } from "#test/noAssets.ts";
import { expect, test } from "vitest";
import { defaultClientConfig } from "./clientConfig.ts";
import { createRenderer } from "./entry-server.tsx";

test("a browser gets a small page in the address's language that loads the requested one later; a program gets the usual answer", async () => {
  const site = { ...createRenderer(noAssets, defaultClientConfig), scriptHashes: [] };
  const limits = { "page.network": { points: 1, seconds: 60 } };
  const { app, close } = await createTestApp({ database: "sqlite", settings: { limits }, parts: { site } });
  const seen = (url: string, accept: string) => app.inject({ url, headers: { accept } });
  await seen("/de/missing-1/", "text/html");
  for (const locale of locales) {
    const { statusCode, headers, body } = await seen(
      `/${localeTraits[locale].prefix}/missing/`,
      "text/html,application/xhtml+xml,*/*;q=0.8",
    );
    const wait = Number(headers["retry-after"]);
    expect([locale, statusCode, headers["cache-control"]]).toEqual([locale, 429, "no-store"]);
    expect(wait).toBeGreaterThan(0);
    expect(body).toContain(`<html lang="${locale}">`);
    expect(body).toContain(`<meta http-equiv="refresh" content="${wait}">`);
    expect(body.length).toBeLessThan(1_200);
  }
  expect((await seen("/de/missing/", "text/html")).body).toContain("Deine Antworten sind noch da.");
  expect((await seen("/de/missing/", "*/*")).json()).toMatchObject({ code: 1429 });
  await close();
});
