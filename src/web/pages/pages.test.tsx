/** Texts and links of single pages, depending on the device's data. */
import { brand } from "#content/brand.ts";
import { uiTexts } from "#content/texts/ui.ts";
import { replayAnswers } from "#core/questionnaire/answer-code.ts";
import { compile } from "#core/questionnaire/compile.ts";
import { type Locale, locales } from "#core/locales.ts";
import type { Context } from "#core/questionnaire/context.ts";
import type { QuestionInput } from "#core/questionnaire/definition.ts";
import type { State } from "#core/questionnaire/state.ts";
import { type AnyParams, buildPath, isPageRoute, type PageRoute, routeNames, routes } from "#core/routes.ts";
import { mexico, questionnaire, smallQuestionnaire, smallQuestions } from "#test/questionnaires.ts";
import { testSite } from "#test/webSite.ts";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test, vi } from "vitest";
import { type ClientConfig, defaultClientConfig } from "../clientConfig.ts";
import { loadPageModule } from "../pages.ts";
import { memoryStore, type StorageKey } from "../device/storage.ts";
import { SiteProvider } from "../siteContext.tsx";

interface Around {
  readonly locale?: Locale;
  readonly params?: AnyParams;
  readonly definition?: typeof smallQuestionnaire;
  readonly state?: Partial<State>;
  readonly context?: Partial<Context>;
  readonly client?: Partial<ClientConfig>;
  readonly stored?: readonly (readonly [StorageKey, string])[];
}

/** Renders a page as after hydration, in Latin American Spanish unless another locale is named. */
async function drawn(
  route: PageRoute,
  { locale = "es-419", params = {}, definition = smallQuestionnaire, state, context, client = {}, stored = [] }: Around = {},
): Promise<string> {
  const store = memoryStore();
  for (const [key, value] of stored) store.set(key, value);
  const site = testSite({ locale, definition, context, state, services: { store }, client });
  const { page } = await loadPageModule(route);
  await page.prepare?.(site, params);
  return renderToStaticMarkup(
    <SiteProvider value={site}>
      <page.View params={params} />
    </SiteProvider>,
  );
}

const versioned = { params: { version: "76" } };
const links = (markup: string) =>
  [...(/<main.*<\/main>/.exec(markup)?.[0] ?? "").matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href]) => href);

/** A page's sentences, without the words that are kept in one piece. */
const breaking = (markup: string) =>
  (/<main.*<\/main>/s.exec(markup)?.[0] ?? "").replaceAll(/<span class="nw">.*?<\/span>/gs, "").replaceAll(/<[^>]*>/gs, " ");

/** Legal documents have a compiler of their own. */
const ownTexts = routeNames.filter(isPageRoute).filter((name) => !("developer" in routes[name]) && !name.startsWith("legal/"));

test("the choice between the former plan and a new one tells nobody that their access has ended: some never had one, or have one again", async () => {
  const ends = /\b(ended|termin\w*|scadut\w*|abgelaufen)\b/i;
  for (const locale of locales) {
    const said = breaking(await drawn("questionnaire/reactivate-or-new", { ...versioned, locale }));
    expect(said).toContain(String(uiTexts(locale)["page.reactivate-or-new.text"]));
    expect(said).not.toMatch(ends);
  }
});

test("“e-mail” never breaks at its hyphen, on any page in any language", async () => {
  const params = { version: "76", question: "2" };
  const broken: string[] = [];
  for (const locale of locales)
    for (const route of ownTexts)
      if (/e-mail/i.test(breaking(await drawn(route, { locale, params })))) broken.push(`${route} in ${locale}`);
  expect(broken).toEqual([]);
});

describe("after the funnel", () => {
  test("an unknown address leaves no gap in a sentence", async () => {
    for (const route of ["questionnaire/verify-email", "questionnaire/start-level-test", "questionnaire/thank-you"] as const)
      expect(await drawn(route, versioned)).not.toMatch(/…|<b><\/b>/);
  });
  test("the first lesson on the very day is called today's", async () => {
    const thanks = (days: readonly number[]) =>
      drawn("questionnaire/thank-you", { ...versioned, state: { days: [...days], schedule: 2 }, context: { today: "2026-11-20" } });
    expect(await thanks([4])).toContain("Hoy, viernes, como elegiste: 20 minutos.");
    expect(await thanks([5])).toContain("El sábado, como elegiste: 20 minutos.");
  });
  test("a failed payment leads back to where it was tried, or to the home page (spec 001 §2)", async () => {
    const retry = buildPath("questionnaire/question", "es-419", { version: "76", question: "82" });
    const failed = await drawn("payment/failed", { stored: [["paymentRetryUrl", retry]] });
    expect(links(failed)).toEqual([retry]);
    const texts = uiTexts("es-419");
    expect(failed).toMatch(new RegExp(`<h1[^>]*>${String(texts["page.payment-failed.title"])}</h1>`));
    expect(failed).toContain(String(texts["page.payment-failed.text"]));
    expect(links(await drawn("payment/failed"))).toEqual([buildPath("home", "es-419")]);
    for (const foreign of ["https://evil.example/", "//evil.example/", "/\\evil.example/", "javascript:alert(1)"])
      expect(links(await drawn("payment/failed", { stored: [["paymentRetryUrl", foreign]] })), foreign).toEqual([
        buildPath("home", "es-419"),
      ]);
  });

  test("a payment that arrived with another amount is not called free of charge, and the page does not lead to a second one", async () => {
    const retry = buildPath("questionnaire/question", "es-419", { version: "76", question: "82" });
    const checking = await drawn("payment/failed", {
      stored: [
        ["paymentRetryUrl", retry],
        ["paymentStatus", "failed"],
      ],
    });
    expect(checking).not.toContain("No se te cobró nada");
    expect(checking).toContain("así que no pagues otra vez");
    expect(links(checking)).toEqual([`mailto:${brand.company.email}`]);
  });

  test("the thank-you page has one button, to the confirmation of the address (spec 001 §2)", async () => {
    const markup = await drawn("questionnaire/thank-you", {
      ...versioned,
      state: { user: { firstname: "Lucía", email: "lucia@ejemplo.mx" } },
    });
    expect(links(markup)).toEqual([buildPath("questionnaire/verify-email", "es-419", { version: "76" })]);
    expect(markup).toMatch(/<h1[^>]*>[^<]*Lucía/);
  });

  test("the level test begins in four numbered steps, with the address masked and the device's own store (spec 001 §2)", async () => {
    const start = (platform: Context["platform"]) =>
      drawn("questionnaire/start-level-test", {
        ...versioned,
        context: { platform },
        state: { user: { email: "lucia.ramos@ejemplo.mx" } },
      });
    const markup = await start("android");
    expect([...markup.matchAll(/class="mark"[^>]*>(\d)</g)].map(([, number]) => number)).toEqual(["1", "2", "3", "4"]);
    expect(markup).toContain("l•••s<wbr/>@ejemplo.mx");
    expect(markup).not.toContain("lucia.ramos");
    expect(links(markup)).toEqual([defaultClientConfig.storeLinks.android]);
    expect(links(await start("apple"))).toEqual([defaultClientConfig.storeLinks.apple]);
    // On a computer the learning app runs in the browser.
    const computer = await start("other");
    expect(links(computer)).toEqual([defaultClientConfig.storeLinks.apple, buildPath("app/dashboard", "es-419")]);
    expect(computer).toContain("En la computadora no la necesitas");
  });

  test("congratulations have two buttons, both to the next steps (spec 001 §2)", async () => {
    const next = buildPath("questionnaire/next-steps", "es-419", { version: "76" });
    expect(links(await drawn("questionnaire/congratulations", versioned))).toEqual([next, next]);
  });

  test.each(["questionnaire/next-steps", "questionnaire/initial-level-test"] as const)(
    "%s has one button, to the level test (spec 001 §2)",
    async (route) => {
      expect(links(await drawn(route, versioned))).toEqual([buildPath("questionnaire/start-level-test", "es-419", { version: "76" })]);
    },
  );

  test("the help page explains cancellation, initial period, refund and contact (spec 001 §2)", async () => {
    const markup = await drawn("handle-your-subscription");
    const sections = [...markup.matchAll(/<section id="([a-z]+)".*?<h2[^>]*>([^<]+)<\/h2><p>([^<]+)/g)].map(([, id]) => id);
    expect(sections).toEqual(["cancel", "trial", "refund", "help"]);
    expect(links(markup)).toEqual(
      expect.arrayContaining([...sections.map((id) => `#${id}`), buildPath("legal/terms-and-conditions", "es-419")]),
    );
  });

  test("the confirmation mail is explained with its address", async () => {
    const markup = await drawn("questionnaire/verify-email", { ...versioned, state: { user: { email: "lucia@ejemplo.mx" } } });
    expect(markup).toContain("lucia<wbr/>@ejemplo.mx");
  });

  test("the password login has both fields and a button that waits for them", async () => {
    const markup = await drawn("questionnaire/user", versioned);
    expect([...markup.matchAll(/<input[^>]* type="(\w+)"/g)].map(([, type]) => type)).toEqual(["email", "password"]);
    expect(markup).toMatch(/<button[^>]* disabled=""/);
  });
});

function version(id: string, change: Partial<QuestionInput>, more: Parameters<typeof questionnaire>[1] = {}) {
  return questionnaire(
    smallQuestions.map((question) => (question.id === 2 ? { ...question, ...change } : question)),
    { id, ...more },
  );
}
const second = { version: "76", question: "2" };

describe("stored answers", () => {
  const kept = (id: string, state: object): readonly (readonly [StorageKey, string])[] => [
    ["questionnaireState", JSON.stringify({ ...replayAnswers(compile(smallQuestionnaire), "2.1~3.1", mexico), id, ...state })],
  ];
  const at = (id: string, question: number) => buildPath("questionnaire/question", "es-419", { version: id, question: String(question) });

  test("can be continued from the home page, in whichever version they were given", async () => {
    expect(await drawn("home")).not.toContain("Seguir donde me quedé");
    const markup = await drawn("home", { stored: kept("83", {}) });
    expect(markup.match(/Seguir donde me quedé/g)).toHaveLength(3);
    expect(links(markup).filter((href) => href === at("83", 41))).toHaveLength(3);
  });
  test("of a retired version cannot", async () => {
    for (const id of ["12", "ai"]) expect(await drawn("home", { stored: kept(id, {}) })).not.toContain("Seguir donde me quedé");
  });
  test("are said to be kept on the device at a question that lets the visitor leave, before there is an account", async () => {
    const options = [
      { id: 1, description: "Seguir", followUpQuestion: 3 },
      { id: 2, type: "ToHomePage" as const, description: "Ahora no", buttonStyle: "link" as const },
    ];
    expect(await drawn("questionnaire/question", { params: second, definition: version("76", { options }) })).toContain(
      "Tus respuestas quedan guardadas en este dispositivo.",
    );
    expect(await drawn("questionnaire/question", { params: second })).not.toContain("quedan guardadas");
    const signedUp = await drawn("questionnaire/question", {
      params: second,
      definition: version("76", { options }),
      state: { signupDone: true },
    });
    expect(signedUp).toContain("Ahora no");
    expect(signedUp).not.toContain("quedan guardadas");
  });
});

describe("plans and payment", () => {
  const paying = version("76", { contents: [{ type: "title", text: "Elige tu plan" }, { type: "price" }] });

  test("without a session are replaced by links to login and sign-up", async () => {
    const login = buildPath("questionnaire/user", "es-419", { version: "76" });
    const start = buildPath("questionnaire/question", "es-419", { version: "76", question: "2" });
    const fresh = await drawn("questionnaire/question", { params: second, definition: paying });
    expect(links(fresh)).toEqual([login, start]);
    expect(fresh).not.toContain("Elige tu plan");
    // The visitor may sign up again: the earlier account may be erased, or be somebody else's (decision 061).
    const signedUp = await drawn("questionnaire/question", { params: second, definition: paying, state: { signupDone: true } });
    expect(links(signedUp)).toEqual([login, start]);
  });
  test("show with a session", async () => {
    const markup = await drawn("questionnaire/question", { params: second, definition: paying, stored: [["token", "h.p.s"]] });
    expect(markup).toContain("Elige tu plan");
  });
});

describe("a question", () => {
  test("that does not exist shows nothing and logs a warning (spec 001 §8)", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    expect(await drawn("questionnaire/question", { params: { version: "76", question: "999" } })).toBe("");
    expect(warn).toHaveBeenCalledWith("Missing question 999 in version 76");
  });

  test("has the surroundings of its definition: badge, wallpaper with gradient, header, footnote, footer (spec 001 §2)", async () => {
    const change = {
      badge: "badge-award",
      wallpaper: { image: "office", gradient: true },
      header: { media: "guide", alt: "La guía", flexible: true, badge: "badge-patent" },
      footnote: "Una nota al pie",
      footer: true,
    };
    const markup = await drawn("questionnaire/question", { params: second, definition: version("76", change) });
    expect(markup).toMatch(/class="wallpaper gradient"[^>]*>.*?\/media\/office/);
    expect(markup).toMatch(/<img[^>]*\/media\/badge-award/);
    expect(markup).toMatch(/class="header flexible">.*?\/media\/guide.*?alt="La guía".*?\/media\/badge-patent/);
    expect(markup).toMatch(/class="footnote">Una nota al pie/);
    expect(markup).toContain("<footer");
    // Buttons, then the footnote, in each layout.
    for (const layout of ["column", "wide", "level"] as const) {
      const [option = { id: 1 }, ...others] = smallQuestions[0]?.options ?? [];
      const options = [{ ...option, description: "Seguir", buttonStyle: "primary" as const }, ...others];
      const definition = version("76", { ...change, layout, options });
      const words = (await drawn("questionnaire/question", { params: second, definition })).replaceAll(/<[^>]*>/g, " ");
      expect(words, layout).toMatch(/Seguir.*Una nota al pie/s);
    }
    const plain = await drawn("questionnaire/question", { params: second });
    for (const part of ["wallpaper", "badge", 'class="header', "footnote", "<footer"]) expect(plain, part).not.toContain(part);
  });

  test("is dark, without navbar, without progress bar, or in tiles, as its definition says", async () => {
    const markup = (change: Partial<QuestionInput>) =>
      drawn("questionnaire/question", { params: second, definition: version("76", change) });
    const plain = await markup({});
    expect([
      plain.includes('data-theme="Kosmo"'),
      plain.includes("<nav"),
      plain.includes('role="progressbar"'),
      plain.includes("tiles"),
    ]).toEqual([false, true, true, false]);
    expect(await markup({ dark: true })).toContain('data-theme="Kosmo"');
    expect(await markup({ navbar: false })).not.toContain("<nav");
    const unmeasured = await markup({ progress: false });
    expect([unmeasured.includes("<nav"), unmeasured.includes('role="progressbar"')]).toEqual([true, false]);
    expect(await markup({ tiles: true })).toContain("tiles");
  });
});

describe("the template's invented claims", () => {
  const onlyQuestion = { progress: { type: "weight", end: 2 } } as const;
  const voices = questionnaire(
    [
      {
        id: 2,
        contents: [
          { type: "title", text: "So könnte es klingen" },
          { type: "appRating", rating: 4.6, text: "Bewertung", example: true },
          { type: "testimonial", text: "Ich rede einfach.", name: "Marina", country: "México", example: true },
          { type: "footnote", text: "Erfunden." },
        ],
        options: [{ id: 1, description: "Weiter", followUpQuestion: 2 }],
      },
    ],
    onlyQuestion,
  );
  const at = { params: { version: "76", question: "2" }, definition: voices };

  test("are marked as examples, one by one", async () => {
    const markup = await drawn("questionnaire/question", at);
    expect(markup.match(/Ejemplo/g)).toHaveLength(2);
    expect(markup).toContain("Ich rede einfach.");
  });

  test("do not show in production: the screen explains the next step under its own heading", async () => {
    const markup = await drawn("questionnaire/question", { ...at, client: { examples: false } });
    expect(markup).not.toMatch(/Marina|Ich rede|4,6|Erfunden|So könnte/);
    expect(markup).toContain(String(uiTexts("es-419")["claims.none.title"]));
    expect(markup).toContain('data-option-id="1"');
  });

  test("show in production once they are the operator's own", async () => {
    const own = questionnaire(
      [
        {
          id: 2,
          contents: [
            { type: "title", text: "Was Lernende sagen" },
            { type: "testimonial", text: "Ich rede einfach.", name: "Marina", country: "México" },
          ],
          options: [{ id: 1, description: "Weiter", followUpQuestion: 2 }],
        },
      ],
      onlyQuestion,
    );
    const markup = await drawn("questionnaire/question", { ...at, definition: own, client: { examples: false } });
    expect(markup).toContain("Ich rede einfach.");
    expect(markup).not.toContain("Ejemplo");
  });

  test("on the home and reactivation pages show with their mark or not at all", async () => {
    const texts = uiTexts("es-419");
    const [home, production] = [await drawn("home"), await drawn("home", { client: { examples: false } })];
    expect(home).toContain(String(texts["home.badge.example"]));
    for (const key of ["home.badge.example", "home.badge.award", "home.badge.patent"] as const)
      expect(production).not.toContain(String(texts[key]));
    const back = (examples: boolean) => drawn("questionnaire/reactivate", { ...versioned, client: { examples } });
    expect((await back(true)).match(/Ejemplo/g)).toHaveLength(3);
    expect(await back(false)).not.toMatch(/Mariana|Thiago|Greta/);
  });
});
