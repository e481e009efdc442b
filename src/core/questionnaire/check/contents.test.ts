import { questionnaire, schedules } from "#test/questionnaires.ts";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { type Locale, perLocale } from "../../locales.ts";
import { filmName, iconName, pictureName } from "../../marks.ts";
import { textOrEmpty, textSchema } from "../../textSchema.ts";
import { checkContents, sharesProof, type Surroundings } from "../check.ts";
import type { Questionnaire, QuestionInput, QuestionnaireInput } from "../definition.ts";

type Changes = Partial<QuestionnaireInput>;

const two: QuestionInput = {
  id: 2,
  type: "InitialLevelView",
  weight: 2,
  contents: [{ type: "title", text: ["To ", ["arg", "TARGET_LEVEL"], " from ", ["arg", "INITIAL_LEVEL"]] }],
  options: [{ id: 1, description: "Work", followUpQuestion: 3, meta: { userLevel: "basic" } }],
};
const paragraph = { type: "paragraph", text: "On", image: "calendar", requirements: { rules: [{ questionId: 2 }] } };
const three: QuestionInput = {
  id: 3,
  contents: [paragraph],
  options: [{ id: 1, type: "Yes", description: "On", followUpQuestion: 2, requirements: { rules: [{ questionId: 2 }] } }],
  followUps: [{ requirements: { rules: [{ questionId: 2 }] }, followUpQuestion: 2 }],
};
const offer: QuestionnaireInput["productConfigurations"][number] = {
  productType: "subscription",
  productPlan: "3M",
  selectionTexts: { header: [["arg", "ME_FEE"]] },
  paymentTexts: { paymentHeader: "Yours" },
};
const usual: Changes = { coupon: { code: "HALF" }, productConfigurations: [offer] };
const sound = (changes: Changes = {}, questions: readonly QuestionInput[] = [two, three]) =>
  questionnaire(questions, { ...usual, ...changes });
const withTwo = (change: Partial<QuestionInput>) => sound({}, [{ ...two, ...change }, three]);
const withThree = (change: Partial<QuestionInput>) => sound({}, [two, { ...three, ...change }]);
const holding = (...items: QuestionInput["contents"]) => withThree({ contents: [paragraph, ...items] });

const blocks: Readonly<Record<string, v.GenericSchema>> = {
  paragraph: v.object({
    text: textSchema,
    label: v.optional(textSchema),
    image: v.optional(pictureName),
    list: v.optional(v.array(v.object({ picture: pictureName, icon: v.optional(iconName), note: v.optional(v.string()) }))),
  }),
  avatar: v.object({ video: filmName }),
  table: v.object({ columns: v.array(v.object({ content: textOrEmpty })), alt: textOrEmpty, caption: v.optional(textSchema) }),
};
const surroundings: Surroundings = {
  blockSchema: (type) => blocks[type],
  hasPicture: (name, locale) => name === "calendar" || (name === "abroad" && locale !== "de-DE"),
  hasVideo: (filename, extension, locale) => filename === "hello" && extension === "mp4" && locale === "de-DE",
  hasProduct: (type, plan, currency) => type === "subscription" && plan === "3M" && currency !== "EUR",
  hasCoupon: (code) => code === "HALF",
};
/** A catalogue that sells plans of 3 months, for dollars only. */
const inDollars: Surroundings = {
  ...surroundings,
  hasProduct: (_, plan, currency) => plan === "3M" && (currency === undefined || currency === "USD"),
};
const everywhere = (german: Questionnaire): Readonly<Record<Locale, Questionnaire>> => ({
  "en-US": sound(),
  "es-419": sound(),
  "es-ES": sound(),
  "pt-BR": sound(),
  "it-IT": sound(),
  "de-DE": german,
});
const inWords = (definitions: Readonly<Partial<Record<Locale, Questionnaire>>>, around = surroundings) =>
  checkContents(definitions, around).map(
    ({ kind, question, message, locales }) =>
      `${kind}${question === undefined ? "" : ` ${question}`}: ${locales === undefined ? "" : `${locales.join(", ")}: `}${message}`,
  );
const otherwise = "differentStructure: de-DE: the questions, options or rules differ from the other locales.";

describe("the checker between locales", () => {
  it("finds nothing in six sound locales, and nothing without locales", () => {
    expect(inWords(everywhere(sound()))).toEqual([]);
    expect(inWords({})).toEqual([]);
  });

  it("skips checks for which the surroundings have no data", () => {
    const strange = sound({ coupon: { code: "FREE" } }, [
      { ...two, header: { media: "nowhere", alt: "x" } },
      { ...three, contents: [paragraph, { type: "avatar", video: { filename: "bye", extension: "mp4" } }] },
    ]);
    expect(inWords(everywhere(strange), {})).toEqual([otherwise]);
    expect(inWords(everywhere(strange), { blockSchema: (type) => blocks[type], currencies: ["EUR"] })).toEqual([otherwise]);
  });

  it("finds every locale that is missing", () => {
    expect(inWords({ "es-419": sound(), "de-DE": sound() })).toEqual(
      ["en-US", "es-ES", "pt-BR", "it-IT"].map((locale) => `missingLocale: The locale ${locale} is missing.`),
    );
    expect(checkContents({ "es-419": sound() })[0]).toEqual({
      kind: "missingLocale",
      severity: "fault",
      message: "The locale en-US is missing.",
    });
  });

  it.each<[string, Questionnaire]>([
    ["another first question", sound({ initialQuestion: 3 })],
    ["another end of progress", sound({ progress: { type: "weight", end: 3 } })],
    ["a schedule less", sound({ schedules: schedules.slice(1) })],
    ["schedules in another order", sound({ schedules: schedules.toReversed() })],
    ...(["id", "months", "practiseDaysPerWeek", "minutesPerSession", "followUpQuestion"] as const).map((field): [string, Questionnaire] => [
      `another ${field} of a schedule`,
      sound({ schedules: schedules.map((schedule) => ({ ...schedule, [field]: 4 })) }),
    ]),
    ["another type of question", withTwo({ type: "TargetLevelView" })],
    ["another weight", withTwo({ weight: 3 })],
    ["another id", withTwo({ id: 4 })],
    ["another block", withThree({ contents: [{ ...paragraph, type: "note" }] })],
    ["a block for others", withThree({ contents: [{ type: "paragraph", text: "On", image: "calendar" }] })],
    ["another follow-up", withThree({ followUps: [{ requirements: { rules: [{ questionId: 2 }] }, followUpQuestion: 3 }] })],
    ["an option's other id", withThree({ options: three.options.map((option) => ({ ...option, id: 2 })) })],
    ["an option's other type", withThree({ options: three.options.map((option) => ({ ...option, type: "No" })) })],
    ["an option's other way", withThree({ options: three.options.map((option) => ({ ...option, followUpQuestion: 3 })) })],
    [
      "an option for others",
      withThree({ options: three.options.map((option) => ({ ...option, requirements: { rules: [{ questionId: 3 }] } })) }),
    ],
    ["an option's other level", withTwo({ options: two.options.map((option) => ({ ...option, meta: { userLevel: "advanced" } })) })],
  ])("finds %s", (_, german) => {
    expect(inWords(everywhere(german))).toEqual([otherwise]);
  });
  it.each<[string, Changes]>([
    ["type", { productConfigurations: [{ ...offer, productType: "onetime" }] }],
    ["plan", { productConfigurations: [{ ...offer, productPlan: "6M" }] }],
    ["currency", { productConfigurations: [{ ...offer, currency: "MXN" }] }],
  ])("finds another %s of product", (_, changes) => {
    expect(inWords(everywhere(sound(changes)))).toEqual([otherwise]);
  });
  it("accepts different words, picture names and offer texts", () => {
    const german = sound({ productConfigurations: [{ ...offer, paymentTexts: { paymentHeader: "Deins" } }] }, [
      { ...two, options: two.options.map((option) => ({ ...option, description: "Arbeit", picture: "calendar" })) },
      three,
    ]);
    expect(inWords(everywhere(german))).toEqual([]);
  });

  it("blames the locales that differ from most others", () => {
    const spanish = withThree({ contents: [paragraph, { type: "note", text: [["arg", "FIRSTNAME"]] }] });
    expect(inWords({ ...everywhere(sound()), "en-US": spanish })).toEqual([
      "differentStructure: en-US: the questions, options or rules differ from the other locales.",
      "differentPlaceholders 3: en-US: question 3 uses FIRSTNAME, the other locales none.",
    ]);
  });

  it("finds a missing or extra question, and compares the others by id", () => {
    expect(inWords(everywhere(sound({}, [three])))).toEqual([otherwise]);
    expect(inWords(everywhere(sound({}, [two, three, { ...two, id: 5 }])))).toEqual([otherwise]);
  });
  it("finds a placeholder that one locale lacks, whatever its form in the other locales", () => {
    const saying = (...names: readonly string[]) =>
      inWords(everywhere(withTwo({ contents: [{ type: "title", text: names.map((name) => ["arg", name]) }] })));
    expect(saying("TARGET_LEVEL_KEY", "INITIAL_LEVEL_TEXT", "INITIAL_LEVEL")).toEqual([]);
    expect(saying("TARGET_LEVEL_LONG", "INITIAL_LEVEL")).toEqual([]);
    expect(saying("TARGET_LEVEL")).toEqual([
      "differentPlaceholders 2: de-DE: question 2 uses TARGET_LEVEL, the other locales INITIAL_LEVEL, TARGET_LEVEL.",
    ]);
    expect(saying()).toEqual([
      "differentPlaceholders 2: de-DE: question 2 uses no placeholders, the other locales INITIAL_LEVEL, TARGET_LEVEL.",
    ]);
    expect(saying("TARGET_KEY_LEVEL", "INITIAL_LEVEL")).toEqual([
      "differentPlaceholders 2: de-DE: question 2 uses INITIAL_LEVEL, TARGET_KEY_LEVEL, the other locales INITIAL_LEVEL, TARGET_LEVEL.",
    ]);
  });

  it("finds empty texts and names their fields", () => {
    const german = sound({ levels: { ...sound().levels, basic: { name: "", text: "x" } } }, [
      { ...two, options: two.options.map((option) => ({ ...option, description: "" })) },
      {
        ...three,
        contents: [{ ...paragraph, text: [], label: [" ", "\u200B"], list: [{ picture: "calendar", note: "" }], unknown: "" }],
      },
    ]);
    expect(inWords(everywhere(german))).toEqual([
      "emptyText: de-DE: an empty text (levels.basic.name).",
      "emptyText 2: de-DE: question 2 has an empty text (options.0.description).",
      "emptyText 3: de-DE: question 3 has an empty text (contents.0.text).",
      "emptyText 3: de-DE: question 3 has an empty text (contents.0.label).",
    ]);
  });
  it("accepts empty texts for decorative pictures and a table's corner", () => {
    const table = { type: "table", columns: [{ type: "title", content: "" }, { content: "x" }], alt: "" };
    const decorated = sound({}, [
      { ...two, header: { media: "calendar", alt: "" } },
      { ...three, contents: [paragraph, table] },
    ]);
    expect(inWords({ "de-DE": decorated }).filter((each) => !each.startsWith("missingLocale"))).toEqual([]);
    const captioned = holding({ ...table, caption: "" });
    expect(inWords({ "de-DE": captioned }).filter((each) => !each.startsWith("missingLocale"))).toEqual([
      "emptyText 3: de-DE: question 3 has an empty text (contents.1.caption).",
    ]);
  });

  it("finds a level text with placeholders", () => {
    const german = sound({ levels: { ...sound().levels, basic: { name: "basic", text: [["arg", "FIRSTNAME"]] } } });
    expect(inWords(everywhere(german))).toEqual([
      "unknownPlaceholder: de-DE: a level's text uses {FIRSTNAME}; level texts cannot contain placeholders.",
    ]);
  });

  it("finds a picture missing in a locale, and reports it once", () => {
    const german = sound({ schedules: schedules.map((schedule) => ({ ...schedule, picture: "clock" })) }, [
      { ...two, header: { media: "nowhere", alt: "x" }, wallpaper: { image: "abroad" } },
      {
        ...three,
        contents: [{ ...paragraph, image: "nowhere", list: [{ picture: "deep", note: "no picture" }, { picture: "calendar" }] }],
        options: three.options.map((option) => ({ ...option, icon: "no picture", reward: { title: "x", text: "y", figure: "nobody" } })),
      },
    ]);
    expect(inWords(everywhere(german))).toEqual([
      'missingPicture 2: de-DE: there is no picture "abroad".',
      'missingPicture 2: de-DE: there is no picture "nowhere".',
      'missingPicture 3: de-DE: there is no picture "deep".',
      'missingPicture 3: de-DE: there is no picture "nobody".',
      'missingPicture: de-DE: there is no picture "clock".',
    ]);
  });
  it("finds an icon missing in a locale, and reports it once", () => {
    const german = sound({}, [
      { ...two, options: two.options.map((option) => ({ ...option, icon: "star" })) },
      {
        ...three,
        contents: [{ ...paragraph, list: [{ picture: "calendar", icon: "moon" }] }],
        options: three.options.map((option) => ({ ...option, icon: "moon" })),
      },
    ]);
    expect(inWords(everywhere(german), { ...surroundings, hasIcon: (name) => name === "star" })).toEqual([
      'missingIcon 3: de-DE: there is no icon "moon".',
    ]);
  });
  it("reports a picture without a name as missing, not as an empty text", () => {
    expect(inWords(everywhere(withThree({ contents: [{ ...paragraph, image: "" }] })))).toEqual([
      'missingPicture 3: de-DE: there is no picture "".',
    ]);
  });
  it("finds a video missing in a locale", () => {
    const video = (filename: string, extension: string) => ({ type: "avatar", video: { filename, extension } });
    const items = [video("hello", "mp4"), video("bye", "mp4"), video("hello", "webm")];
    const nothings = ["hello", null, { filename: "x" }, { extension: "x" }].map((each) => ({ type: "avatar", video: each }));
    const german = holding(...items, ...nothings);
    expect(inWords(everywhere(german))).toEqual([
      otherwise,
      'missingVideo 3: de-DE: there is no video "bye.mp4".',
      'missingVideo 3: de-DE: there is no video "hello.webm".',
    ]);
  });

  it("finds missing products and a missing coupon, in the first locale", () => {
    const changed = sound({
      coupon: { code: "FREE" },
      productConfigurations: [offer, { ...offer, productType: "onetime" }, { ...offer, currency: "EUR" }],
    });
    expect(inWords({ ...everywhere(sound()), "en-US": changed }).filter((each) => !each.startsWith("differentStructure"))).toEqual([
      "missingProduct: The catalogue has no onetime of 3M.",
      "missingProduct: The catalogue has no subscription of 3M in EUR.",
      "missingCoupon: There is no coupon FREE.",
    ]);
    const { coupon: _, ...without } = sound();
    expect(inWords({ ...everywhere(sound()), "en-US": without })).toEqual([]);
  });
  it.each<[string, readonly QuestionnaireInput["productConfigurations"][number][], readonly string[]]>([
    ["offers for every currency", [offer], ["The catalogue has no subscription of 3M in EUR, MXN."]],
    ["offers of an unknown plan", [{ ...offer, productPlan: "9M" }], ["The catalogue has no subscription of 9M."]],
    ["offers for some currencies", [{ ...offer, currency: "USD" }], ["No product configuration serves EUR, MXN."]],
    [
      "one offer for a currency and one for all others",
      [offer, { ...offer, currency: "MXN" }],
      ["The catalogue has no subscription of 3M in EUR, MXN.", "The catalogue has no subscription of 3M in MXN."],
    ],
    ["no offers", [], []],
  ])("asks for a product in every visitor's currency: %s", (_, productConfigurations, messages) => {
    const offering = perLocale(() => sound({ productConfigurations: [...productConfigurations] }));
    expect(inWords(offering, { ...inDollars, currencies: ["USD", "EUR", "MXN"] })).toEqual(
      messages.map((message) => `missingProduct: ${message}`),
    );
  });
  it("asks for no currency where the surroundings name none", () => {
    expect(inWords(everywhere(sound()), inDollars)).toEqual([]);
  });
});

describe("two locales", () => {
  it("share a proof if only their texts differ", () => {
    const turned = withTwo({ contents: [{ type: "title", text: [["arg", "INITIAL_LEVEL"], "! ", ["arg", "TARGET_LEVEL"]] }] });
    const offers = sound({ productConfigurations: [{ ...offer, selectionTexts: { header: ["Now ", ["arg", "ME_FEE"]] } }] });
    expect([sharesProof(sound(), sound()), sharesProof(sound(), turned), sharesProof(sound(), offers)]).toEqual([true, true, true]);
  });
  it.each<[string, Questionnaire]>([
    ["ways", withThree({ options: three.options.map((option) => ({ ...option, followUpQuestion: 3 })) })],
    ["placeholders of a question", withTwo({ contents: [{ type: "title", text: [["arg", "TARGET_LEVEL"]] }] })],
    [
      "level keys instead of level names",
      withTwo({
        contents: [
          {
            type: "title",
            text: [
              ["arg", "TARGET_LEVEL_KEY"],
              ["arg", "INITIAL_LEVEL"],
            ],
          },
        ],
      }),
    ],
    ["placeholders of an offer", sound({ productConfigurations: [{ ...offer, selectionTexts: { header: "Now" } }] })],
    ["placeholders of a schedule", sound({ schedules: schedules.map((schedule) => ({ ...schedule, name: [["arg", "EMAIL"]] })) })],
  ])("do not share a proof with other %s", (_, other) => {
    expect(sharesProof(sound(), other)).toBe(false);
  });
});
