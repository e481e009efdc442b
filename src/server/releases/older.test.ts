/** Releases that the code does not ship, through the pages and calls of a visitor who began on one. */
import { bundleFor, questionnaireFor } from "#content/questionnaires/index.ts";
import { hashOf } from "#content/questionnaires/bundleHash.ts";
import { canonicalJson } from "#core/canonicalJson.ts";
import type { PageRequest } from "#core/page.ts";
import { type Locale, locales } from "#core/locales.ts";
import { memoize } from "#core/memoize.ts";
import { releaseName } from "#core/release.ts";
import { shippedQuestionnaires } from "#server/releases/shipped.ts";
import { createTestApp, createTestStore, sampledDatabases, type TestApp } from "#test/app.ts";
import { emptySavedState } from "#test/savedState.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Bundle } from "#content/questionnaires/bundle.ts";
import type { Store } from "../store/store.ts";

/** Version 76 as in an earlier build: the third question has one more option. */
const older = structuredClone(bundleFor("76")) as { -readonly [Key in keyof Bundle]: Bundle[Key] };
const dropped = { questionId: 3, optionId: 9 };
older.questionnaire.questions
  .find(({ id }) => id === dropped.questionId)
  ?.options?.push({ id: dropped.optionId, description: "text:cognates.go", followUpQuestion: 41 });
const name = releaseName(hashOf(older));
const page = "/es-latam/habla-ingles/76/3/";

/** Building takes long: the same ones again are quick. */
const questionnairesOf = memoize((json: string) => memoize((locale: Locale) => shippedQuestionnaires.questionnaireOf(json, locale)));

describe.each(sampledDatabases)("a release that the code does not ship (%s)", (database) => {
  let store: Store;
  let t: TestApp;
  let rendered: PageRequest[];
  let entered = 0;
  /** The locales in which questionnaires of releases were built. */
  let asked: Locale[];
  /** What a page waits for before it is rendered. */
  let ready: Promise<void>;
  const enter = (version: string, hash: string, bundle: string) =>
    store.write(async (queries) => {
      entered += 1;
      await queries
        .insertInto("releases")
        .values({ hash, version, number: 100 + entered, bundle, at: 0 })
        .execute();
    });
  const get = (url: string) => t.app.inject({ url });

  beforeEach(async () => {
    store = await createTestStore(database);
    rendered = [];
    asked = [];
    ready = Promise.resolve();
    t = await createTestApp({
      database,
      store,
      parts: {
        questionnaires: {
          ...shippedQuestionnaires,
          questionnaireOf: (json, locale) => {
            asked.push(locale);
            return questionnairesOf(json)(locale);
          },
        },
        site: {
          scriptHashes: [],
          // Like the real renderer: reads the answers with their release. Here only 2.1 is one.
          requestedPage: ({ url, release }) => {
            if (release && url.includes("a=2.1")) release.questionnaireIn("es-419");
            const shortest = url.replace(/(a=2\.1)[^&]*/, "$1");
            return { url: shortest, key: shortest };
          },
          render: async (request) => {
            rendered.push(request);
            await ready;
            return { status: 200, html: "<p>", cacheable: true, headers: {} };
          },
          releaseModule: (release, module, locale) =>
            `${module} of ${release.version} in ${locale}: ${release.questionnaireIn(locale).questions.length}`,
        },
      },
    });
    await enter("76", hashOf(older), canonicalJson(older));
  });
  afterEach(() => t.close());

  it("renders the page and its modules when a page asks for it", async () => {
    await get(`${page}?release=${name}&utm_source=ad`);
    expect(rendered).toMatchObject([{ url: `${page}?release=${name}`, release: { name, version: "76" } }]);
    expect(
      rendered[0]?.release
        ?.questionnaireIn("de-DE")
        .questions.find(({ id }) => id === 3)
        ?.options.at(-1)?.id,
    ).toBe(dropped.optionId);
    const module = await get(`/releases/${name}/contents-de-DE.js`);
    expect([module.statusCode, module.headers["content-type"]]).toEqual([200, "text/javascript; charset=utf-8"]);
    expect(module.body).toBe(`contents of 76 in de-DE: ${questionnaireFor("76", "de-DE").questions.length}`);
  });

  it("shares the rate limit per network between its modules and pages", async () => {
    const statusFrom = async (remoteAddress: string) =>
      (await t.app.inject({ url: `/releases/${name}/contents-de-DE.js`, remoteAddress })).statusCode;
    for (let n = 0; n < 300; n += 1) expect(await statusFrom("10.7.0.1")).toBe(200);
    expect(await statusFrom("10.7.0.1")).toBe(429);
    expect(await statusFrom("10.7.0.2")).toBe(200);
  });

  it("is unknown when nobody registered it, when it is shipped, when its version is retired, and when it does not fit this code", async () => {
    const broken = canonicalJson({ ...older, questionnaire: { ...older.questionnaire, theme: "Bauhaus" } });
    await enter("12", "c".repeat(64), canonicalJson(older));
    await enter("76", "d".repeat(64), broken);
    await enter("76", shippedQuestionnaires.bundleOf("76").hash, shippedQuestionnaires.bundleOf("76").json);
    const names = ["0".repeat(12), "c".repeat(12), "d".repeat(12), releaseName(shippedQuestionnaires.bundleOf("76").hash), "x", "%"];
    for (const [index, each] of names.entries()) {
      await get(`${page}?a=2.${index}&release=${each}`);
      expect((await get(`/releases/${each}/questionnaire-de-DE.js`)).statusCode).toBeGreaterThanOrEqual(400);
    }
    expect(rendered.map(({ url, release }) => [url, release])).toEqual(names.map((_, index) => [`${page}?a=2.${index}`, undefined]));
    expect((await get(`/releases/${name}/questionnaire-xx.js`)).statusCode).toBe(404);
  });

  it("decides which answers of a saved state are valid, and gives the export their words", async () => {
    const { token, user } = await t.logIn(await t.signUp());
    const { uuid } = user;
    const state = { ...emptySavedState, visitedQuestionIds: [3], selectedOptions: [dropped], currentQuestionId: 41, user: { uuid } };
    const save = (release?: string) => ({ token, body: { state: { ...state, ...(release && { release }) }, userLevel: null } });
    expect(await t.refusal("questionnairePost", save())).toMatchObject({ code: 1000 });
    expect(await t.refusal("questionnairePost", save("0".repeat(12)))).toMatchObject({ code: 1000 });
    await t.call("questionnairePost", save(name));
    expect(await t.call("questionnaireGet", { token, query: { uuid } })).toMatchObject({
      state: { release: name, selectedOptions: [dropped] },
    });
    const exported = await t.app.inject({ url: "/api/account", headers: { authorization: `Bearer ${token}` } });
    expect(exported.json()).toMatchObject({ questionnaire: { answers: [{ answer: expect.stringMatching(/\w/) }] } });
  });

  it("is checked in all locales only once, however many others are asked for in between", async () => {
    const names = Array.from({ length: 60 }, (_, index) => (index + 1).toString(16).padStart(12, "0"));
    const bundle = canonicalJson(older);
    for (const each of names) await enter("76", each.padEnd(64, "0"), bundle);
    const askForAll = async () => {
      for (const each of names) expect((await get(`/releases/${each}/contents-de-DE.js`)).statusCode).toBe(200);
    };
    await askForAll();
    asked = [];
    await askForAll();
    expect(asked).toEqual(names.map(() => "de-DE"));
  });

  it("is opened and checked once for requests at the same time, one locale at a time, so that other work runs in between", async () => {
    const between = new Set<number>();
    const answered = new AbortController();
    const others = async () => {
      for (; !answered.signal.aborted; await nextTurn()) between.add(asked.length);
    };
    const [answers] = await Promise.all([
      Promise.all(Array.from({ length: 5 }, () => get(`/releases/${name}/contents-de-DE.js`))).finally(() => answered.abort()),
      others(),
    ]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
    expect(asked).toHaveLength(locales.length);
    expect([...between]).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it("is not opened for its cached pages, however many others are asked for in between; pages spelled otherwise count as rendered", async () => {
    const names = Array.from({ length: 60 }, (_, index) => (index + 1).toString(16).padStart(12, "0"));
    const bundle = canonicalJson(older);
    for (const each of names) await enter("76", each.padEnd(64, "0"), bundle);
    const statuses = async (more: string, remoteAddress: string) => {
      const answers = [];
      for (const each of names) answers.push(await t.app.inject({ url: `${page}?a=2.1${more}&release=${each}`, remoteAddress }));
      return [...new Set(answers.map(({ statusCode }) => statusCode))];
    };
    expect(await statuses("", "10.7.0.1")).toEqual([200]);
    expect(rendered).toHaveLength(60);
    asked = [];
    for (let n = 0; n < 6; n++) expect(await statuses("", "10.7.0.2")).toEqual([200]);
    expect(asked).toEqual([]);
    for (let n = 0; n < 5; n++) expect(await statuses("~9.9", "10.7.0.2")).toEqual([200]);
    expect(await statuses("~9.9", "10.7.0.2")).toEqual([429]);
    expect(rendered).toHaveLength(60);
  });

  it("makes its modules in turn with the pages that are rendered", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    ready = promise;
    const order: string[] = [];
    const first = get(page).then(() => order.push("page"));
    await expect.poll(() => rendered.length).toBe(1);
    const module = get(`/releases/${name}/contents-de-DE.js`).then(() => order.push("module"));
    for (let n = 0; n < 50; n++) await get("/healthz");
    resolve();
    await Promise.all([first, module]);
    expect(order).toEqual(["page", "module"]);
  });

  it("is found soon after another process registered it, also after the clock was set back", async () => {
    const registered = "e".repeat(12);
    const module = async () => (await get(`/releases/${registered}/contents-de-DE.js`)).statusCode;
    expect(await module()).toBe(404);
    t.world.pass(-24 * 60 * 60_000);
    await enter("76", registered.padEnd(64, "0"), canonicalJson(older));
    t.world.pass(10_000);
    expect(await module()).toBe(200);
  });

  it("is not searched again for made-up names", async () => {
    let searched = 0;
    const { read } = store;
    Object.defineProperty(store, "read", { get: () => ((searched += 1), read) });
    for (let n = 0; n < 20; n += 1) await get(`${page}?release=${n.toString(16).padStart(12, "0")}`);
    expect(searched).toBeLessThanOrEqual(1);
  });
});
