import { traitsOf } from "#content/questionnaires/known.ts";
import { defaultVersion, embeddedVersion, questionnaireFor, versions } from "#content/questionnaires/index.ts";
import { type Locale, locales } from "#core/locales.ts";
import type { PageRequest } from "#core/page.ts";
import { replayAnswers } from "#core/questionnaire/answer-code.ts";
import type { Option, Question, Questionnaire } from "#core/questionnaire/definition.ts";
import { compile } from "#core/questionnaire/compile.ts";
import { buildPath } from "#core/routes.ts";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Assets } from "./assets.ts";
import { defaultClientConfig } from "./clientConfig.ts";
import { contents } from "./contents.ts";
import { createRenderer, inlineScripts } from "./entry-server.tsx";

const assets: Assets = {
  forPage: (_route, version, locale) => ({
    stylesheets: ["/assets/app.css"],
    modules: ["/assets/shared.js"],
    returning: ["/assets/returning.js"],
    styles: [],
    scripts: ["/assets/app.js"],
    questionnaire: `/assets/${version}-${locale}.js`,
    release: "0123456789ab",
    laterContents: `/assets/contents-${version}-${locale}.js`,
    texts: `/assets/${locale}.js`,
    moreTexts: `/assets/more-${locale}.js`,
  }),
};
const { render, requestedPage = ({ url }) => ({ url, key: url }) } = createRenderer(assets, defaultClientConfig);

function request(url: string, more: Partial<PageRequest> = {}): PageRequest {
  return {
    url,
    publicUrl: "https://parlando.example",
    geoLocale: "es-419",
    localeCookie: undefined,
    userAgent: "",
    today: "2026-11-20",
    ...more,
  };
}

async function html(url: string, status = 200): Promise<string> {
  const page = await render(request(url));
  expect(page.status).toBe(status);
  return "html" in page ? page.html : "";
}

const context = { locale: "es-419", country: "MX", platform: "other", requiresMarketingConsent: false, today: "2026-11-20" } as const;
const compiled = compile(questionnaireFor("76", "es-419"));
const questionUrl = (id: number) => buildPath("questionnaire/question", "es-419", { version: "76", question: String(id) });

/** Question 2 of the embedded version with its first option chosen. */
function firstFilledIn(locale: Locale): string {
  const version = embeddedVersion[locale];
  const first = questionnaireFor(version, locale).questions.find(({ id }) => id === 2)?.options[0]?.id;
  return `${buildPath("questionnaire/question", locale, { version, question: "2" })}?a=2.${first}`;
}

describe("an address in its shortest form", () => {
  const short = (address: string) => requestedPage(request(address)).url;
  const page = questionUrl(3);
  test.each([
    ["junk", `${page}?a=junk`, page],
    ["answers of another version", `${page}?a=9999.1`, page],
    ["an answer and junk after it", `${page}?a=2.1~junk~77.7`, `${page}?a=2.1`],
    ["another spelling of an answer", `${page}?a=02.01`, `${page}?a=2.1`],
    ["answers and the header's absence", `${page}?hf=&a=2.1`, `${page}?hf=&a=2.1`],
    ["no answers", `${page}?hf=`, `${page}?hf=`],
    ["junk at the root", "/?a=junk", "/"],
    ["more days than the schedule has", `${page}?a=2.1~s1~d0123456`, `${page}?a=2.1%7Es1%7Ed012`],
    ["more days than are asked for without a schedule", `${page}?a=2.1~d0123456`, `${page}?a=2.1%7Ed01234`],
  ])("leaves out answers that the engine does not accept: %s", (_, address, form) => {
    expect(short(address)).toBe(form);
  });

  test.each(["/robots.txt", "/es-latam/nothing/", "/es-latam/habla-ingles"])(
    "is cached once whatever answers are named beside %s",
    (path) => {
      const keys = ["?a=2.1", "?a=junk", "?a=more&hf="].map((query) => requestedPage(request(path + query)).key);
      expect(new Set(keys)).toEqual(new Set([path]));
    },
  );

  test("renders the same page as the full address, for every way to answer four questions", async () => {
    const ways = [1, 2, 3].flatMap((first) =>
      [1, 2, 3].flatMap((second) => [`2.${first}~3.${second}~s2~d024`, `d6~2.${first}~x~3.${second}`]),
    );
    for (const way of ways) {
      const state = replayAnswers(compiled, way, context);
      const code = new URL(`http://localhost${short(`${page}?a=${way}`)}`).searchParams.get("a") ?? "";
      expect(replayAnswers(compiled, code, context)).toEqual(state);
    }
  });
});

// A warning is a defect.
beforeEach(() => void vi.spyOn(console, "warn"));

describe("a question as the server sends it", () => {
  test("the proof of progress is drawn as a ring in versions 85 and 87 to 90, as a bar in all others (spec 001 §4)", async () => {
    const drawn = await Promise.all(
      versions.map(async (version) => {
        const { questions } = questionnaireFor(version, "es-419");
        const at = questions.find(({ contents }) => contents.some(({ type }) => type === "proofProgress"))?.id;
        const page = await html(buildPath("questionnaire/question", "es-419", { version, question: String(at) }));
        return [version, /data-variant="(\w+)"/.exec(page)?.[1]] as const;
      }),
    );
    expect(drawn.filter(([, variant]) => variant === "ring").map(([version]) => version)).toEqual(["85", "87", "88", "89", "90"]);
    expect(drawn.every(([, variant]) => variant === "ring" || variant === "bar")).toBe(true);
  });

  test.each(compiled.definition.questions.map(({ id }) => id))(
    "question %i renders with its contents and without a warning",
    async (id) => {
      const page = await html(questionUrl(id));
      expect(page).toContain(`data-route="questionnaire/question" data-version="76" data-question-id="${id}"`);
      for (const { type, requirements } of compiled.question(id)?.contents ?? [])
        if (requirements === undefined) expect(page).toContain(`data-block="${type}"`);
      expect(page).not.toMatch(/\{[A-Z_]{3,}\}/);
      expect(console.warn).not.toHaveBeenCalled();
    },
  );

  test("every answer's link leads to the engine's next question, up to the sign-up", async () => {
    const waiting = [questionUrl(2)];
    const seen = new Set<string>();
    const ways = new Set<string>();
    while (waiting.length > 0 && seen.size < 150) {
      const url = waiting.pop() ?? "";
      const page = await html(url);
      const code = new URL(url, "https://parlando.example").searchParams.get("a") ?? "";
      const shown = Number(/data-question-id="(\d+)"/.exec(page)?.[1]);
      expect(replayAnswers(compiled, code, context).currentQuestionId).toBe(shown);
      for (const [tag] of page.matchAll(/<a [^>]*data-option-id[^>]*>/g)) {
        const href = /href="([^"]*\?a=[^"]*)"/.exec(tag)?.[1];
        if (href === undefined) continue;

        // Follows each answer of each question once, because there are too many paths. The last answer, "No", comes first.
        const way = `${shown} ${/data-option-id="\d+"/.exec(tag)?.[0]}`;
        if (ways.has(way)) continue;
        ways.add(way);
        waiting.push(href.replaceAll("&amp;", "&"));
      }
      seen.add(url);
    }
    const reached = [...seen].map((url) => Number(/\/(\d+)\/(\?|$)/.exec(url)?.[1]));
    expect(reached).toContain(53);
    expect(reached).toContain(54);
    expect(reached, "the first sign-up screen").toContain(67);
  });

  test("a link's answers show as chosen", async () => {
    const page = await html(`${questionUrl(2)}?a=2.3`);
    expect(page).toMatch(/aria-current="true"[^>]*data-option-id="3"/);
  });

  test("an invalid answer code is cut, not an error", async () => {
    for (const code of ["2.99", "x", "2.1~2.1~2.1", "s99~d0123456", "~".repeat(3000), "%00", "2.1~9999.1"])
      expect(await html(`${questionUrl(3)}?a=${encodeURIComponent(code)}`)).toContain('data-question-id="3"');
  });

  test("the studio's picture of a page is marked, so that it shows no notice about scripts", async () => {
    expect(await html(`${questionUrl(67)}?picture`)).toMatch(/^<!doctype html><html [^>]* data-picture>/);
    expect(await html(questionUrl(67))).not.toMatch(/^<!doctype html><html [^>]* data-picture/);
  });

  test("the studio's picture has the style sheets that a script loads elsewhere, with the fonts", async () => {
    const styled: Assets = {
      forPage: (...page) => ({ ...assets.forPage(...page), styles: [{ href: "/assets/first.css", sheet: [] }] }),
    };
    const renderer = createRenderer(styled, defaultClientConfig);
    const served = async (url: string) => {
      const page = await renderer.render(request(url));
      return "html" in page ? page.html : "";
    };
    expect(await served(questionUrl(2))).toContain(`<link disabled rel="stylesheet" href="/assets/first.css">`);
    expect(await served(`${questionUrl(2)}?picture`)).toContain(`<link rel="stylesheet" href="/assets/first.css">`);
    expect(await served(`${questionUrl(2)}?picture`)).not.toContain("disabled rel");
  });

  test("the studio's picture shows the plan and the offer that only a script shows a visitor", async () => {
    // The curve of the plan's promise, the rows of its summary, the offer in the visitor's currency.
    expect(await html(questionUrl(57))).not.toContain("non-scaling-stroke");
    expect(await html(`${questionUrl(57)}?picture`)).toContain("non-scaling-stroke");
    expect(await html(`${questionUrl(64)}?picture`)).toMatch(/<dl[^>]*>.*2026/);
    const offer = await html(`${questionUrl(80)}?picture`);
    expect(offer).toMatch(/role="radio"[^>]*>.*\$\s?\d/);
    expect(offer).toContain("MXN");
    expect(await html(`${questionUrl(80)}?country=BR&picture`)).toMatch(/R\$/);
    // The offer has appeared, so the way to the payment can be pressed.
    expect(offer).not.toMatch(/<button[^>]* disabled/);
    expect(await html(questionUrl(80))).not.toContain('role="radio"');
  });

  test("every screen of every version has a picture, and other pages are no different in one", async () => {
    for (const version of versions)
      for (const { id } of questionnaireFor(version, "de-DE").questions) {
        const url = `${buildPath("questionnaire/question", "de-DE", { version, question: String(id) })}?picture`;
        expect(await html(url), url).toContain(`data-question-id="${id}"`);
      }
    const main = (page: string) => /<main.*<\/main>/s.exec(page)?.[0] ?? "none";
    for (const route of ["recover-password", "handle-your-subscription"] as const) {
      const usual = main(await html(buildPath(route, "de-DE")));
      expect(usual).toContain(`data-route="${route}"`);
      expect(main(await html(`${buildPath(route, "de-DE")}?picture`))).toBe(usual);
    }
  });

  test("a schedule and days can be chosen without a script", async () => {
    const links = (page: string) =>
      [...page.matchAll(/<noscript>.*?<\/noscript>/g)].flatMap(([block]) =>
        [...block.matchAll(/href="([^"]*)"/g)].map(([, href = ""]) => href),
      );
    const paces = await html(questionUrl(60));
    // Each pace has its own number of months.
    expect(
      [...paces.matchAll(/data-option-id="1">([^<]*(?:<!-- -->[^<]*)*)<\/a>/g)].map(([, label]) => label?.replaceAll("<!-- -->", "")),
    ).toEqual(["Con calma: 12 meses", "A buen paso: 6 meses", "A paso rápido: 4 meses"]);
    const schedules = links(paces);
    expect(schedules.map((href) => /s\d/.exec(href)?.[0])).toEqual(["s1", "s2", "s3"]);
    expect(links(await html(schedules[1] ?? "")).map((href) => /d\d+/.exec(href)?.[0])).toEqual(["d0134"]);
  });

  test("no text in the page can close its data block or run as a script", async () => {
    const page = await html(`${questionUrl(2)}?a=${encodeURIComponent("</script><script>alert(1)</script>")}`);
    expect(page).not.toContain("<script>alert");
    const withoutOurs = page.replaceAll(/<script>([^]*?)<\/script>/g, (whole, script: string) =>
      inlineScripts.includes(script) ? "" : whole,
    );
    expect(withoutOurs).not.toBe(page);
    expect(withoutOurs.match(/<script(?![^>]*(src=|application\/json))/g)).toBeNull();
  });

  test("styles are requested before scripts", async () => {
    const page = await html(questionUrl(2));
    expect(page.indexOf("modulepreload")).toBeGreaterThan(page.indexOf("</main>"));
    const fetched = [...page.matchAll(/<(?:link|script)[^>]*(?:href|src)="\/assets\/[^>]*>/g)].map(([tag]) => tag);
    expect(fetched).toHaveLength(4);
    expect(fetched.map((tag) => tag.includes(`fetchpriority="low"`))).toEqual(fetched.map((tag) => tag.includes(".js")));
  });

  test("the first paint waits for the whole question, on the home page for the first screen", async () => {
    // A browser waits until the named element begins.
    const before = (page: string) => {
      const [, id = ""] = /<link rel="expect" href="#([\w-]+)" blocking="render">/.exec(page) ?? [];
      return page.slice(0, page.lastIndexOf("<", page.indexOf(` id="${id}"`)));
    };
    expect(before(await html(questionUrl(2)))).toContain("</main>");
    const home = before(await html(buildPath("home", "es-419")));
    expect(home).toContain("data-option-id");
    expect(home.endsWith("</section>")).toBe(true);
  });

  test("`hf` hides the navbar", async () => {
    expect(await html(questionUrl(2))).toContain("<nav");
    expect(await html(`${questionUrl(2)}?hf`)).not.toContain("<nav");
    for (const route of ["home", "login/link", "questionnaire/thank-you", "questionnaire/reactivate"] as const) {
      const page = buildPath(route, "es-419", { version: "76" });
      expect(await html(page), route).toContain("<nav");
      expect(await html(`${page}?hf=1`), route).not.toContain("<nav");
    }
  });
});

describe("addresses", () => {
  test.each([
    ["/es-latam/habla-ingles/99/2/", "a version that does not exist"],
    ["/es-latam/habla-ingles/seventy/", "a version that is no number"],
    ["/es-latam/habla-ingles/76/1/", "a question that does not exist"],
    ["/es-latam/habla-ingles/76/02/", "a number in another spelling"],
    ["/es-latam/nada/", "an unknown word"],
  ])("%s is not found: %s", async (url) => {
    const page = await render(request(url));
    expect(page).toMatchObject({ status: 404, headers: { "x-robots-tag": "noindex" } });
    expect("html" in page && page.html).toContain('data-route="not-found"');
  });

  test("a version's root redirects to its first question and keeps the query", async () => {
    for (const version of ["76", "84"])
      expect(await render(request(`/habla-ingles/${version}/?cid=spring`))).toEqual({
        status: 302,
        location: `/es-latam/habla-ingles/${version}/2/?cid=spring`,
        headers: {},
      });
  });

  test("redirects keep the query", async () => {
    expect(await render(request("/pt/fale-ingles?vid=1"))).toEqual({ status: 301, location: "/pt-br/fale-ingles/?vid=1", headers: {} });
  });

  test.each(locales)("home in %s is indexable, canonical, and names its alternates", async (locale) => {
    const page = await html(buildPath("home", locale));
    expect(page).toContain(`<html lang="${locale}"`);
    expect(page).toContain(`<link rel="canonical" href="https://parlando.example${buildPath("home", locale)}">`);
    expect(page).not.toContain('name="robots"');
    expect(page).toContain('hreflang="x-default" href="https://parlando.example/en/"');
    expect(page).toContain('hreflang="es-MX" href="https://parlando.example/es-latam/"');
    expect(page).not.toContain('hreflang="es-419"');
  });

  test("a page that is not for search engines has noindex in page and header, and no alternates", async () => {
    const page = await render(request(questionUrl(2)));
    expect(page.headers).toMatchObject({ "x-robots-tag": "noindex" });
    const text = await html(questionUrl(2));
    expect(text).toContain('<meta name="robots" content="noindex">');
    expect(text).toContain(`<link rel="canonical" href="https://parlando.example${questionUrl(2)}">`);
    expect(text).not.toContain('hreflang="x-default"');
  });

  test("the AI versions redirect to their own site", async () => {
    for (const version of ["ai", "aimx"] as const)
      expect(await render(request(buildPath("questionnaire/root", "es-419", { version })))).toMatchObject({
        status: 302,
        location: traitsOf(version).externalSite,
      });
  });

  test.each(locales)("a page that does not know the visitor's address has a wording without it, in %s", async (locale) => {
    for (const route of ["login/link-sent", "login/failed", "questionnaire/email-exists"] as const) {
      const page = await html(buildPath(route, locale, { version: "76" }));
      const main = page.slice(page.indexOf("<main"), page.indexOf("</main>"));
      expect(main).toContain("</h1>");
      expect(main).not.toMatch(/unknown|<b>|…/);
    }
  });

  test("an unknown address shows a title, a text and a link to the main site, and is not for search engines", async () => {
    const page = await html("/de/nichts/", 404);
    expect(page).toContain('<meta name="robots" content="noindex">');
    expect(page).toMatch(/<h1[^>]*>[^<]+<\/h1><p[^>]*>[^<]+<\/p>/);
    expect(page).toMatch(/<main.*<a [^>]*href="\/de\/"/);
  });

  test("home shows the first question's options, a lady, a man, three points, four steps with two badges, the business and a last button", async () => {
    const page = await html(buildPath("home", "es-419"));
    const [main = ""] = /<main.*<\/main>/.exec(page) ?? [];
    expect([...main.matchAll(/data-option-id="(\d+)"/g)].map(([, id]) => Number(id))).toEqual(
      compiled.question(2)?.options.map(({ id }) => id),
    );
    // The first screen's drawings are part of the page: as pictures they would come after its text.
    for (const drawing of ["hero-left", "hero-right"]) expect(main).toMatch(new RegExp(`data-drawing="${drawing}"><svg [^>]*viewBox`));
    expect(main).not.toContain("/media/hero-");
    for (const picture of ["celebrate", "coffee", "badge-award", "badge-patent", "office"])
      expect(main, picture).toContain(`/media/${picture}`);
    const items = (list: string) => new RegExp(`class="${list}">(.*?)</[uo]l>`).exec(main)?.[1]?.match(/<li/g)?.length;
    expect([items("points"), items("steps"), items("badges")]).toEqual([3, 4, 2]);
    expect(main).toMatch(/class="final">.*<a [^>]*href="[^"]+\/73\/2\/\?a=2\.1"/);
  });

  test.each(locales)(
    "home embeds the first question of %s: an answer leads to the next question, other buttons fill in the first option",
    async (locale) => {
      const { initialQuestion, questions } = questionnaireFor(embeddedVersion[locale], locale);
      expect(initialQuestion).toBe(2);
      const options = questions.find(({ id }) => id === 2)?.options ?? [];
      const home = await html(buildPath("home", locale));
      for (const option of options) {
        const [link = ""] = new RegExp(`<a [^>]*data-option-id="${option.id}"[^>]*>`).exec(home) ?? [];
        const [, href = ""] = /href="([^"]+)"/.exec(link) ?? [];
        expect(href).toMatch(new RegExp(`/${embeddedVersion[locale]}/\\d+/\\?a=2\\.${option.id}$`));
        expect(href).not.toContain("/2/");
        await html(href);
      }
      expect(home.split(`href="${firstFilledIn(locale)}"`)).toHaveLength(3);
      const filledIn = await html(firstFilledIn(locale));
      expect(filledIn).toContain('data-question-id="2"');
      expect([...filledIn.matchAll(/<a [^>]*data-option-id="(\d+)"[^>]*class="[^"]*\bchosen\b/g)].map(([, id]) => Number(id))).toEqual([
        options[0]?.id,
      ]);
    },
  );

  test("a questionnaire without an embedded question leaves home working, with links to its first question", async () => {
    const known = questionnaireFor("73", "es-419");
    const questions = known.questions.filter(({ id }) => id !== 2);
    const odd = { ...known, initialQuestion: 3, questions };
    const { render: renderOdd } = createRenderer(assets, defaultClientConfig, undefined, { ...contents, questionnaireFor: () => odd });
    vi.mocked(console.warn).mockImplementation(() => {});
    const page = await renderOdd(request(buildPath("home", "es-419")));
    expect(page).toMatchObject({ status: 200, html: expect.stringContaining(`/${known.id}/3/"`) });
    expect(console.warn).toHaveBeenCalledWith("No embedded question found!");
  });

  const broken = (change: (known: Questionnaire) => Partial<Questionnaire>) => {
    const known = questionnaireFor("76", "es-419");
    const odd = { ...known, ...change(known) };
    return createRenderer(assets, defaultClientConfig, undefined, {
      ...contents,
      questionnaireFor: (version, locale) => (version === "76" ? odd : questionnaireFor(version, locale)),
    });
  };
  const plain = ({ id, description, followUpQuestion }: Option): Option => ({ id, description, followUpQuestion });
  const withoutMeta = (known: Questionnaire, type: Question["type"]) =>
    known.questions.map((question) => (question.type === type ? { ...question, options: question.options.map(plain) } : question));

  test.each([
    ["No initial question found!", questionUrl(2), () => ({ initialQuestion: 999 })],
    [
      "No InitialLevelView found!",
      questionUrl(2),
      ({ questions }: Questionnaire) => ({
        userLevelAlgorithm: "InitialLevel" as const,
        questions: questions.filter(({ type }) => type !== "InitialLevelView"),
      }),
    ],
    [
      "No userLevel option found!",
      `${questionUrl(55)}?a=55.1`,
      (known: Questionnaire) => ({
        initialQuestion: 55,
        userLevelAlgorithm: "InitialLevel" as const,
        questions: withoutMeta(known, "InitialLevelView"),
      }),
    ],
    [
      "No target level option found!",
      `${questionUrl(56)}?a=56.1`,
      (known: Questionnaire) => ({ initialQuestion: 56, questions: withoutMeta(known, "TargetLevelView") }),
    ],
  ])("a questionnaire that breaks the rules fails in the specification's words: %s", async (message, url, change) => {
    await expect(broken(change).render(request(url))).rejects.toThrow(message);
  });

  test.each(locales)("the agreed week of %s says from when to when, as D/M/YYYY (spec 000 §9) or in words", async (locale) => {
    const inWords: Partial<Record<Locale, RegExp>> = {
      "en-US": /November\u00a020, 2026.*May\u00a019, 2027/,
      "de-DE": /20\.\u00a0November 2026.*19\.\u00a0Mai 2027/,
    };
    const dates = inWords[locale] ?? /\b20\/11\/2026\b.*\b19\/5\/2027\b/;
    const confirms = buildPath("questionnaire/question", locale, { version: defaultVersion[locale], question: "62" });
    expect((await html(`${confirms}?a=s2~d0134`)).split('data-block="daySelectionConfirm"')[1]).toMatch(dates);
  });

  test("an error in the progress is logged, and the page shows no bar", async () => {
    vi.mocked(console.warn).mockImplementation(() => {});
    const change = () => ({ progress: { type: "weight" as const, end: 999 } });
    const page = await broken(change).render(request(questionUrl(3)));
    expect(page).toMatchObject({ status: 200, html: expect.stringContaining('data-question-id="3"') });
    expect("html" in page && page.html.includes('role="progressbar"')).toBe(false);
    expect(await html(questionUrl(3))).toContain('role="progressbar"');
    expect(vi.mocked(console.warn).mock.calls).toEqual([
      ["No progress in version 76: QuestionnaireError: No such question! (question 999, where progress ends)"],
    ]);
  });

  test("the root answers in the stored locale, else in geo's, and shared caches must not keep it", async () => {
    expect(await render(request("/", { localeCookie: "it-IT", geoLocale: "de-DE" }))).toMatchObject({
      cacheable: true,
      headers: { vary: expect.stringContaining("Accept-Language, Cookie"), "cache-control": "private, no-cache" },
      html: expect.stringContaining('<html lang="it-IT"'),
    });
    expect(await render(request("/", { geoLocale: "de-DE" }))).toMatchObject({
      html: expect.stringContaining('<html lang="de-DE"'),
    });
    const keys = [{ localeCookie: "it-IT" }, { localeCookie: "de-DE" }, { geoLocale: "de-DE" as const }].map(
      (of) => requestedPage(request("/", of)).key,
    );
    expect([keys[0] === keys[1], keys[1] === keys[2]]).toEqual([false, true]);
  });
});
