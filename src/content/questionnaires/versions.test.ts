/** Rules for every version in every locale that has its texts. */
import { brotliCompressSync } from "node:zlib";
import { parseContent } from "#blocks/allContents.ts";
import { courseFee } from "#content/questionnaires/courseFee.ts";
import { products } from "#content/catalog/products.ts";
import { films } from "#content/media/films.ts";
import { pictures } from "#content/media/manifest.ts";
import { type Locale, locales } from "#core/locales.ts";
import { defaultProduct } from "#core/offers.ts";
import { wishedProductType } from "#core/questionnaire/wishedProduct.ts";
import { paymentProviders } from "#core/products.ts";
import { branchingQuestions } from "#core/questionnaire/check/authoring.ts";
import { compile } from "#core/questionnaire/compile.ts";
import type { Context } from "#core/questionnaire/context.ts";
import type { Question } from "#core/questionnaire/definition.ts";
import { userLevel } from "#core/questionnaire/level.ts";
import { finalProgramView } from "#core/questionnaire/next.ts";
import { visibleContents, visibleOptions } from "#core/questionnaire/requirements.ts";
import type { State } from "#core/questionnaire/state.ts";
import { initialState, type QuestionnaireEvent, step } from "#core/questionnaire/step.ts";
import { subtitlesEnd, timingIn } from "#core/subtitles.ts";
import { plainText } from "#core/text.ts";
import { iconNames } from "#ui/iconNames.ts";
import { sampled } from "#test/sampled.ts";
import { describe, expect, it } from "vitest";
import { textIn } from "../texts/load.ts";
import { questionnaireTexts, type TextKey } from "../texts/questionnaire.ts";
import { authoredAs, defaultVersion, embeddedVersion, questionnaireFor, type Version, versions } from "./index.ts";
import type { Traits } from "./define.ts";
import { traitsOf, versionNames } from "./known.ts";

const context: Context = { locale: "es-419", country: "MX", platform: "other", requiresMarketingConsent: false, today: "2026-11-20" };

const written = locales.filter((locale) => questionnaireTexts[locale] !== undefined);
function has(...types: readonly string[]) {
  return ({ contents }: Question) => contents.some(({ type }) => types.includes(type));
}

/** All values of these fields, at any depth. */
function valuesOf(data: unknown, fields: readonly string[]): unknown[] {
  if (typeof data !== "object" || data === null) return [];
  return Object.entries(data).flatMap(([name, value]) =>
    fields.includes(name) && typeof value === "string" ? [value] : valuesOf(value, fields),
  );
}

/** Film lengths in milliseconds. */
const filmLengths: ReadonlyMap<string, number> = new Map(Object.entries(films).map(([name, seconds]) => [name, 1000 * seconds]));
/** Readable characters per second beside a film. */
const readable = 17;

function filmsIn(version: Version, locale: Locale) {
  return questionnaireFor(version, locale)
    .questions.flatMap(({ contents }) => contents.map(parseContent))
    .filter((content) => content.type === "avatar" || content.type === "avatar-video");
}

/** Walks a version with the given options, else the first one of each question, and chooses a schedule and days where needed. */
function walk(version: Version, choose: Readonly<Record<number, number>>, who: Context = context): State {
  const compiled = compile(questionnaireFor(version, "es-419"));
  let state = initialState(compiled);
  const go = (event: QuestionnaireEvent) => {
    state = step(compiled, state, event, who).state;
  };
  for (let steps = 0; state.currentQuestionId !== compiled.definition.progress.end; steps++) {
    if (steps > 100) throw new Error(`No end: ${state.visitedQuestionIds.join(" ")}`);
    const question = compiled.question(state.currentQuestionId);
    if (question === undefined) throw new Error(`No question ${state.currentQuestionId}`);
    expect(visibleContents(compiled, question, state, who).length, `contents of ${question.id}`).toBeGreaterThan(0);
    if (has("studySchedule")(question)) go({ type: "chooseSchedule", scheduleId: 2 });
    if (has("daySelection")(question)) go({ type: "chooseDays", days: [0, 1, 3, 5] });
    const options = visibleOptions(compiled, question, state, who);
    const optionId = choose[question.id] ?? options[0]?.id;
    expect(
      options.map(({ id }) => id),
      `options of ${question.id}`,
    ).toContain(optionId);
    go({ type: "answer", questionId: question.id, optionId: optionId ?? 0 });
  }
  return state;
}

describe.each(versions)("version %s", (version) => {
  it.each(written)("matches the schemas in %s", (locale) => {
    expect(questionnaireFor(version, locale).id).toBe(version);
    expect(questionnaireFor(version, locale)).toBe(questionnaireFor(version, locale));
  });

  const definition = questionnaireFor(version, "es-419");

  it("starts at question 2, with no answers and no sign-up (spec 000 §4, §9)", () => {
    expect(initialState(compile(definition))).toMatchObject({
      id: version,
      currentQuestionId: 2,
      visitedQuestionIds: [],
      selectedOptions: [],
      signupDone: false,
      finished: false,
    });
  });

  it("names only pictures that exist", () => {
    for (const name of valuesOf(definition, ["media", "image", "figure", "picture"])) expect(Object.keys(pictures)).toContain(name);
  });

  it("has a heading on every screen, and icons that exist", () => {
    for (const { id, contents } of definition.questions)
      expect(
        contents.some(({ type }) => type === "title" || type === "title-sparkle"),
        `question ${id}`,
      ).toBe(true);
    for (const name of valuesOf(definition, ["icon"])) expect(iconNames).toContain(name);
  });

  it("has the screens and texts that its traits require", () => {
    const { agreeAndContinue, asksMarketingConsent, avatarVariant } = traitsOf(version);
    const password = definition.questions.find(({ id }) => id === 68);
    expect(password?.options[0]?.description).toBe(
      textIn(questionnaireTexts, "es-419", agreeAndContinue ? "password.agree" : "password.go"),
    );
    expect(textIn(questionnaireTexts, "en-US", "password.agree")).toBe("Agree & Continue");
    expect(password?.contents.some((content) => "consent" in content)).toBe(agreeAndContinue);
    const types = new Set(definition.questions.flatMap(({ contents }) => contents.map(({ type }) => type)));
    expect(types.has("signupMarketingConsent")).toBe(asksMarketingConsent);
    expect(["avatar", "avatar-video", "chatbot"].some((type) => types.has(type))).toBe(avatarVariant);
    // Required in every version (spec 001 §1).
    expect([types.has("programPromise"), types.has("proofProgress")]).toEqual([true, true]);
  });

  it("has product texts for every product that its visitors are offered", () => {
    const configured = definition.productConfigurations.map(({ productType, productPlan }) => `${productType} ${productPlan}`);
    for (const country of ["MX", "BR", "AR", "DE", "US"]) {
      const offered = courseFee({ questionnaire: version, plan: "", reactivate: false, locale: "es-419", country }, paymentProviders);
      const named = offered.map((id) => products.find(({ productId }) => productId === id));
      expect(named.map((product) => `${product?.productType} ${product?.productPlan}`).toSorted()).toEqual(configured.toSorted());
    }
  });

  it("shows a first conversation that fits what the visitor wants English for, also after a skipped question of details", () => {
    const compiled = compile(definition);
    if (compiled.question(9) === undefined) return;
    const conversations = (compiled.question(2)?.options ?? []).map(({ id: motive }) => {
      const begun = initialState(compiled);
      const asked = [
        [2, motive],
        [3, 3],
      ].reduce(
        (state, [questionId = 0, optionId = 0]) => step(compiled, state, { type: "answer", questionId, optionId }, context).state,
        begun,
      );
      const details = compiled.question(asked.currentQuestionId);
      const answered =
        details === undefined || details.id === 9
          ? [asked]
          : details.options.map(
              ({ id: optionId }) => step(compiled, asked, { type: "answer", questionId: details.id, optionId }, context).state,
            );
      return answered.map((state) => {
        const question = compiled.question(state.currentQuestionId);
        expect(question?.id, `after motive ${motive}`).toBe(9);
        const said = question === undefined ? [] : visibleContents(compiled, question, state, context).map(parseContent);
        const bubbles = said.flatMap((content) => (content.type === "bubble" && content.lang === "en" ? [content.text] : []));
        expect(bubbles, `after motive ${motive}`).toHaveLength(2);
        return bubbles.join(" ");
      });
    });
    // The airport, food, the way, trouble and people each sound different.
    expect(new Set(conversations[1]).size).toBe(5);
  });

  it.each(sampled(written, 2))("in %s is a chunk of 14 kB at most", (locale) => {
    expect(brotliCompressSync(JSON.stringify(questionnaireFor(version, locale))).length).toBeLessThanOrEqual(14_000);
  });

  it.each(written)("in %s has subtitles that fit their film and can be read in time", (locale) => {
    for (const { video, subtitles } of filmsIn(version, locale)) {
      expect(subtitlesEnd(subtitles, locale), video.filename).toBeLessThanOrEqual(filmLengths.get(video.filename) ?? 0);
      for (const subtitle of subtitles) {
        const { duration = 0 } = timingIn(subtitle, locale) ?? {};
        expect(duration, video.filename).toBeGreaterThan(0);
        const text = plainText(subtitle.text, {}, locale);
        expect([...text].length / (duration / 1000), text).toBeLessThanOrEqual(readable);
      }
    }
  });
});

it("uses every text in some version", () => {
  const used = new Set<TextKey>();
  for (const version of versions) authoredAs(version, (key) => (used.add(key), key));
  expect(Object.keys(questionnaireTexts["en-US"] ?? {}).filter((key) => ![...used].some((other) => other === key))).toEqual([]);
});

describe("version 76", () => {
  const definition = questionnaireFor("76", "es-419");

  it("is a full conversation: 45 to 60 screens, at least 24 types of block, branches by motive, history and obstacle", () => {
    expect(definition.questions.length).toBeGreaterThanOrEqual(45);
    expect(definition.questions.length).toBeLessThanOrEqual(60);
    expect(new Set(definition.questions.flatMap(({ contents }) => contents.map(({ type }) => type))).size).toBeGreaterThanOrEqual(24);
    expect(branchingQuestions(definition)).toEqual([3, 11, 20, 80]);
  });

  it("replies to six answers, and to two doubts about the level result", () => {
    expect(definition.questions.flatMap(({ options }) => options.filter(({ reward }) => reward !== undefined))).toHaveLength(8);
  });

  it.each([
    [1, 4],
    [2, 5],
    [3, 6],
    [4, 7],
    [5, 8],
    [6, 9],
  ])("goes from motive %i by way of question %i to the checkout", (motive, question) => {
    const { visitedQuestionIds } = walk("76", { 2: motive });
    expect(visitedQuestionIds.slice(0, 3)).toEqual([2, 3, question]);
    expect(visitedQuestionIds.at(-1)).toBe(80);
  });

  it.each([
    [1, 21],
    [2, 22],
    [3, 23],
    [4, 24],
    [5, 25],
  ])("goes from obstacle %i by way of question %i and answers it", (obstacle, question) => {
    const { visitedQuestionIds } = walk("76", { 20: obstacle });
    expect(visitedQuestionIds.slice(visitedQuestionIds.indexOf(20), visitedQuestionIds.indexOf(20) + 5)).toEqual([
      20,
      question,
      26,
      27,
      28,
    ]);
    expect(visitedQuestionIds.at(-1)).toBe(80);
  });

  it("tells absolute beginners how much the two languages share", () => {
    expect(walk("76", { 11: 1 }).visitedQuestionIds).toEqual(expect.arrayContaining([11, 14, 15, 20]));
    expect(walk("76", { 11: 2 }).visitedQuestionIds).not.toContain(15);
  });

  it.each([
    ["the first two No", { 41: 3, 42: 3 }, 53, [1, 2, 3]],
    ["No to the first sentence in the past", { 43: 3, 44: 3 }, 53, [1, 2, 3]],
    ["one No and two Maybe", { 43: 2, 44: 2, 45: 3 }, 53, [2, 3]],
    ["No and No among the intermediate ones", { 44: 3, 48: 3 }, 53, [3, 4]],
    ["two sentences taken for something else", { 46: 4, 48: 4 }, 53, [3, 4]],
    ["more or less three times running", { 41: 2, 42: 2, 43: 2 }, 53, [1, 2, 3]],
    ["more or less three times among four", { 44: 2, 46: 2, 47: 2 }, 53, [3, 4]],
    ["more or less now and then", { 41: 2, 44: 2, 48: 1, 51: 2 }, 54, [4, 5]],
    ["no No at all", { 48: 1, 52: 1 }, 54, [4, 5]],
  ])("finds the level after %s and offers only what lies above it", (_name, answers, found, offered) => {
    const compiled = compile(definition);
    const state = walk("76", answers);
    expect(state.visitedQuestionIds).toContain(found);
    const target = compiled.question(56);
    expect(target && visibleOptions(compiled, target, state, context).map(({ id }) => id)).toEqual(offered);
  });

  it(`gives the level beginner to a visitor who answers every sentence with "more or less"`, () => {
    const all = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [41 + index, 2]));
    const compiled = compile(definition);
    expect(userLevel(compiled, walk("76", all))).toBe("beginner");
  });

  it("asks for the meaning of four sentences, and counts a wrong meaning as No", () => {
    const asked = definition.questions.filter(({ type, options }) => type === "LevelQuestion" && options.length === 4);
    expect(asked.map(({ id }) => id)).toEqual([46, 48, 50, 52]);
    for (const { options } of asked)
      expect(options.map(({ id, type }) => `${id} ${type}`).toSorted()).toEqual(["1 Yes", "2 Maybe", "3 No", "4 No"]);
  });

  const lowest = { 41: 3, 42: 3 };
  it.each([
    [2, {}],
    [3, lowest],
  ])("replies to a visitor who disagrees with the level result (%i), and goes on", (optionId, answers) => {
    const compiled = compile(definition);
    const view = compiled.question(55);
    expect(view?.options.find(({ id }) => id === optionId)?.reward).toBeDefined();
    const state = walk("76", { ...answers, 55: optionId });
    expect(state.selectedOptions).toContainEqual({ questionId: 55, optionId });
    expect(state.visitedQuestionIds).toEqual(expect.arrayContaining([55, 56]));
  });

  it.each([
    ["the lowest", lowest, [1, 3]],
    ["one in between", { 44: 3, 48: 3 }, [1, 2, 3]],
    ["the highest", {}, [1, 2]],
  ])("lets visitors whose level is %s start only at levels that there are", (_name, answers, offered) => {
    const compiled = compile(definition);
    const view = compiled.question(55);
    expect(view && visibleOptions(compiled, view, walk("76", answers), context).map(({ id }) => id)).toEqual(offered);
  });

  it("ends in the program view and sells from there", () => {
    const compiled = compile(definition);
    expect(finalProgramView(compiled, initialState(compiled), context)).toBe(80);
    expect(definition.productConfigurations.map(({ productPlan, productType }) => `${productType} ${productPlan}`)).toEqual([
      "subscription 1M",
      "subscription 3M",
      "subscription 12M",
    ]);
  });
});

describe("the other versions", () => {
  it("69 asks what stopped the visitor, and replies", () => {
    expect([1, 2, 3].map((answer) => walk("69", { 10: answer }).visitedQuestionIds.slice(0, 5))).toEqual([
      [2, 3, 10, 16, 30],
      [2, 3, 10, 17, 30],
      [2, 3, 10, 18, 30],
    ]);
    expect(walk("69", { 10: 4 }).visitedQuestionIds.slice(0, 4)).toEqual([2, 3, 10, 30]);
    expect(questionnaireFor("69", "es-419").coupon).toEqual({ code: "PARLANDO50" });
  });

  it.each(written)("86 does not promise the first sentences to a visitor who already converses, in %s", (locale) => {
    const week = (level: string) =>
      (["week.slide1", "week.slide2", "week.slide4"] as const).map((key) =>
        plainText(textIn(questionnaireTexts, locale, key), { INITIAL_LEVEL_KEY: level }, locale),
      );
    const first = week("beginner");
    expect(week("basic")).toEqual(first);
    for (const level of ["intermediate", "upperintermediate"])
      for (const [at, sentence] of week(level).entries()) expect(sentence).not.toBe(first[at]);
  });

  it("73 takes the level from the answer, and offers the levels above it", () => {
    const compiled = compile(questionnaireFor("73", "es-419"));
    const offered = (level: number) => {
      const target = compiled.question(56);
      return target && visibleOptions(compiled, target, walk("73", { 55: level }), context).map(({ id }) => id);
    };
    expect([1, 2, 3, 4].map(offered)).toEqual([
      [1, 2, 3],
      [2, 3],
      [3, 4],
      [4, 5],
    ]);
    expect(userLevel(compiled, walk("73", { 55: 3 }))).toBe("intermediate");
  });

  it("78 shows beside the price the text for the preferred way to pay", () => {
    const compiled = compile(questionnaireFor("78", "es-419"));
    const said = [1, 2, 3].map((way) => {
      const price = compiled.question(80);
      return price && visibleContents(compiled, price, walk("78", { 75: way }), context).filter(({ type }) => type === "description");
    });
    expect(said.map((contents) => contents?.length)).toEqual([1, 1, 1]);
    expect(new Set(said.map((contents) => JSON.stringify(contents))).size).toBe(3);
  });

  it("78 says at the order of a program paid once who gives installments, and on the offer that only a subscription is canceled", () => {
    const { productConfigurations, questions } = questionnaireFor("78", "pt-BR");
    const orders = productConfigurations.map(({ productType, paymentTexts }) => [productType, JSON.stringify(paymentTexts)] as const);
    for (const [type, order] of orders) expect(order.includes("banco do seu cartão"), order).toBe(type === "onetime");
    const offer = questions.find(({ id }) => id === 80)?.contents.find(({ type }) => type === "questions");
    expect(JSON.stringify(offer)).toContain("Um programa de pagamento único não se renova");
  });

  it("78 promises no installments without interest where its offer says that there may be interest", () => {
    const { productConfigurations, questions } = questionnaireFor("78", "pt-BR");
    expect(questions.find(({ id }) => id === 80)?.footnote).toContain("pode ter juros");
    const prices = productConfigurations.filter(({ productType }) => productType === "onetime");
    for (const price of prices) expect(JSON.stringify(price)).toMatch(/eventuais juros(?!.*sem juros)/);
  });

  it("78 preselects the kind of product that the visitor prefers to pay for", () => {
    const compiled = compile(questionnaireFor("78", "pt-BR"));
    const wishes = [1, 2, 3].map((way) => wishedProductType(compiled, walk("78", { 75: way })));
    expect(wishes).toEqual(["onetime", "onetime", "subscription"]);
    expect(wishedProductType(compile(questionnaireFor("76", "pt-BR")), walk("76", {}))).toBeNull();
  });

  it("78 mentions seven free days, one payment and interest-free months in Spanish, and preselects the 3-month subscription", () => {
    const words = JSON.stringify(questionnaireFor("78", "es-419").productConfigurations);
    for (const offer of ["gratis", "un solo pago", "meses sin intereses"]) expect(words).toContain(offer);
    const offered = courseFee({ questionnaire: "78", plan: "", reactivate: false, locale: "es-419", country: "MX" }, paymentProviders);
    const usual = defaultProduct(products.filter(({ productId }) => offered.includes(productId)));
    expect(usual).toMatchObject({ productType: "subscription", productPlan: "3M", trialDays: 7 });
  });

  it("83 asks for consent only where a country requires it", () => {
    expect(walk("83", {}).visitedQuestionIds).not.toContain(70);
    expect(walk("83", {}, { ...context, country: "DE", requiresMarketingConsent: true }).visitedQuestionIds).toContain(70);
  });

  it("91 lets visitors skip every optional question, and has no waiting screens", () => {
    const skipped = Object.fromEntries([3, 4, 12, 21, 26, 30, 33, 59].map((id) => [id, 9]));
    expect(walk("91", skipped).visitedQuestionIds.at(-1)).toBe(80);
    const { questions } = questionnaireFor("91", "es-419");
    const types = questions.flatMap(({ contents }) => contents.map(({ type }) => type));
    for (const type of ["slideshow", "preparingProgram", "wait", "title-sparkle"]) expect(types).not.toContain(type);
    expect(questions.flatMap(({ options }) => options.filter(({ reward }) => reward !== undefined))).toEqual([]);
  });
});

/** The specification's versions; there may be others. */
const specified = "69 73 76 78 79 82 83 84 85 86 87 88 89 90 91 ai aimx".split(" ");

describe("the table of versions", () => {
  it("lists every version of spec 000 §9, each with a questionnaire or an external site", () => {
    expect(versionNames).toEqual(expect.arrayContaining(specified));
    expect(versionNames.filter((version) => traitsOf(version).externalSite === null)).toEqual([...versions]);
    expect(traitsOf("aimx").externalSite).toMatch(/\/mx$/);
    expect(traitsOf("12")).toEqual(traitsOf("73"));
  });

  it("gives each version the special treatment in the specification (spec 001 §4, §5, §9)", () => {
    const having = (trait: keyof Traits) => specified.filter((version) => traitsOf(version)[trait]);
    expect(having("agreeAndContinue")).toEqual(["82", "83", "84", "85"]);
    expect(having("asksMarketingConsent")).toEqual(["83"]);
    expect(having("avatarVariant")).toEqual(["85", "87", "88", "89", "90"]);
    expect([having("skipsEmailCheck"), having("existingAccountGoesToReactivate")]).toEqual([["69"], ["69"]]);
  });

  it("gives each locale its default and embedded version (spec 000 §9)", () => {
    expect(defaultVersion).toEqual({ "en-US": "76", "es-419": "76", "pt-BR": "78", "it-IT": "83", "es-ES": "83", "de-DE": "83" });
    expect(embeddedVersion).toEqual({ "en-US": "73", "es-419": "73", "pt-BR": "73", "it-IT": "83", "es-ES": "83", "de-DE": "83" });
  });
});
