/** The ids beyond the questionnaire's own (spec 001 §9): pages after the funnel have 1000 to 1012, and 999 is nobody's. */
import { questionnaireFor, versions } from "#content/questionnaires/index.ts";
import { type AddressedRoute, buildPath, isAddressed, routeNames } from "#core/routes.ts";
import { expect, test } from "vitest";
import type { Assets } from "../../assets.ts";
import { defaultClientConfig } from "../../clientConfig.ts";
import { createRenderer } from "../../entry-server.tsx";

const assets: Assets = {
  forPage: () => ({ stylesheets: [], modules: [], fonts: [], scripts: [], questionnaire: "", texts: "", moreTexts: "" }),
};
const { render } = createRenderer(assets, defaultClientConfig);

const idOf = async (route: AddressedRoute) => {
  const page = await render({
    url: buildPath<AddressedRoute>(route, "es-419", { version: "76", question: "2" }),
    publicUrl: "https://parlando.example",
    geoLocale: "es-419",
    localeCookie: undefined,
    userAgent: "",
    today: "2026-11-20",
  });
  return "html" in page ? Number(/<main[^>]* data-question-id="(\d+)"/.exec(page.html)?.[1]) : Number.NaN;
};

test("each page after the funnel has an id of its own from 1000 to 1012", async () => {
  const after = routeNames
    .filter(isAddressed)
    .filter((route) => route.startsWith("questionnaire/") && !/\/(raffle|root|question)$/.test(route));
  const ids = await Promise.all(after.map(idOf));
  expect(ids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 13 }, (_, index) => 1000 + index));
});

test("no questionnaire uses 999, which stands in templates of links, nor the pages' ids", () => {
  for (const version of versions)
    expect(Math.max(...questionnaireFor(version, "es-419").questions.map(({ id }) => id)), version).toBeLessThan(999);
});
