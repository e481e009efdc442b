/** Reserved question ids (spec 001 §9): 1000 to 1012 for pages after the funnel, 999 for link templates. */
import { questionnaireFor, versions } from "#content/questionnaires/index.ts";
import { events } from "#core/events.ts";
import {
  type AddressedRoute,
  buildPath,
  highestQuestionId,
  isAddressed,
  questionIdAt,
  routeNames,
  templateQuestionId,
} from "#core/routes.ts";
import * as v from "valibot";
import { noAssets } from "#test/noAssets.ts";
import { expect, test } from "vitest";
import { defaultClientConfig } from "../../clientConfig.ts";
import { createRenderer } from "../../entry-server.tsx";
import { questionPath } from "../../navigation.ts";

const { render } = createRenderer(noAssets, defaultClientConfig);

const rendered = async (url: string) => {
  const page = await render({
    url,
    publicUrl: "https://parlando.example",
    geoLocale: "es-419",
    localeCookie: undefined,
    userAgent: "",
    today: "2026-11-20",
  });
  return "html" in page ? page.html : "";
};
const idOf = (page: string) => Number(/<main[^>]* data-question-id="(\d+)"/.exec(page)?.[1]);

test("each page after the funnel has its own id from 1000 to 1012 for events", async () => {
  const after = routeNames
    .filter(isAddressed)
    .filter((route) => route.startsWith("questionnaire/") && !/\/(raffle|root|question)$/.test(route));
  const ids = await Promise.all(
    after.map(async (route) => idOf(await rendered(buildPath<AddressedRoute>(route, "es-419", { version: "76", question: "2" })))),
  );
  expect(ids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 13 }, (_, index) => 1000 + index));
  expect(after.map((route) => questionIdAt(route))).toEqual(ids);
  expect(ids.map((questionId) => v.parse(events.ChatbotOpen, { questionId }).questionId)).toEqual(ids);
  expect(highestQuestionId).toBe(Math.max(...ids));
});

test("999 is the question id in a version's link template, and is always replaced", async () => {
  expect(templateQuestionId).toBe(999);
  for (const version of versions) {
    const { questions, initialQuestion } = questionnaireFor(version, "es-419");
    expect(Math.max(...questions.map(({ id }) => id)), version).toBeLessThan(templateQuestionId);
    const path = questionPath("es-419", version, initialQuestion);
    expect(path).toBe(buildPath("questionnaire/question", "es-419", { version, question: String(initialQuestion) }));
    const page = await rendered(path);
    const links = [...page.matchAll(/href="([^"?]*)\?a=[^"]*"/g)].map(([, link]) => link);
    expect(links.length, version).toBeGreaterThan(0);
    for (const link of links) expect(link).toMatch(/^\/es-latam\/habla-ingles\/\d+\/[1-9]\d?\/$/);
  }
});
