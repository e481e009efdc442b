import { formatsFor } from "#core/formats.ts";
import { type Locale, locales } from "#core/locales.ts";
import type { Product } from "#core/products.ts";
import { plainText, type Text } from "#core/text.ts";
import { mexico, questionnaire, schedules, smallQuestionnaire, smallQuestions } from "#test/questionnaires.ts";
import { describe, expect, it } from "vitest";
import { replayAnswers } from "./answer-code.ts";
import { compile } from "./compile.ts";
import { type Placeholder, placeholders, placeholderValues, shownValues } from "./placeholders.ts";
import { planOf } from "./plan.ts";
import type { State } from "./state.ts";
import { initialState } from "./step.ts";

const compiled = compile(smallQuestionnaire);
const product: Product = {
  productId: "p",
  productType: "subscription",
  productPlan: "6M",
  currency: "EUR",
  price: 5999,
  listPrice: 11_998,
  frequency: 1,
  trialDays: 7,
  paymentProvider: "paddlebilling",
};
const state: State = {
  ...replayAnswers(compiled, "2.1~3.1~41.3~42.3~53.1~55.1~56.2~60.1~s2~d024", mexico),
  user: { firstname: "Ana", email: "ana@example.com" },
};
const valuesIn = (locale: Locale) =>
  placeholderValues({ compiled, state, context: { ...mexico, locale }, formats: formatsFor(locale), product });

/** Values that are equal in every locale: unformatted numbers and texts of the questionnaire. */
const same = {
  MONTHS: 6,
  WEEKS: 13,
  BREAK_WEEKS: 3,
  DAYS: 3,
  STAGES: 15,
  HOURS_TO_TARGET: 550,
  PROGRAM_HOURS: 26,
  MINUTES: 20,
  MINUTES_PER_SESSION: 20,
  PRACTICE_DAYS_PER_WEEK: 4,
  TOTAL_WEEKLY_TIME: 80,
  MINUTES_ON_APP: 32,
  MINUTES_ON_LESSONS: 16,
  MINUTES_ON_RECORDED_LESSONS: 16,
  MINUTES_ON_INTERACTIVE_EXERCISES: 16,
  ME_MONTHS: 6,
  ME_MONTHS_PLUS_ONE: 7,
  ME_WEEKS_PLUS_ONE: 27,
  ME_DISCOUNT_PERCENTAGE: 50,
  TRIAL_DAYS: 7,
  START_DATE: "20/11/2026",
  END_DATE: "19/5/2027",
  INITIAL_LEVEL: "beginner",
  INITIAL_LEVEL_KEY: "beginner",
  INITIAL_LEVEL_TEXT: "You know your first words and simple phrases.",
  TARGET_LEVEL: "upper intermediate",
  TARGET_LEVEL_KEY: "upperintermediate",
  EMAIL: "ana@example.com",
  FIRSTNAME: "Ana",
};
type Expected = Record<Exclude<Placeholder, keyof typeof same>, string>;
const fees = (fee: string, half: string, perMonth: string, perWeek: string) => ({
  SUBSCRIPTION_FEE: fee,
  SUBSCRIPTION_FEE_DISCOUNT_50: half,
  SUBSCRIPTION_TOTAL_FEE: fee,
  ME_FEE: fee,
  ME_FEE_PER_MONTH: perMonth,
  ME_FEE_PER_WEEK: perWeek,
  ME_TOTAL_FEE: fee,
});
const nb = (text: string) => text.replace(" ", "\u00a0");
const euros = fees(nb("59,99 €"), nb("30 €"), nb("10 €"), nb("2,31 €"));

const texts: Record<Locale, Expected> = {
  "en-US": {
    ...fees("€59.99", "€30", "€10", "€2.31"),
    DAY_NAMES: "Monday, Wednesday and Friday",
    START_DATE_LONG: "November\u00a020, 2026",
    END_DATE_LONG: "May\u00a019, 2027",
    END_MONTH_YEAR: "May 2027",
    MONTH_IN_3: "February",
    MONTH_IN_6: "May",
    MONTH_IN_9: "August",
  },
  "es-419": {
    ...fees("€59.99", "€30", "€10", "€2.31"),
    DAY_NAMES: "lunes, miércoles y viernes",
    START_DATE_LONG: "20\u00a0de\u00a0noviembre de 2026",
    END_DATE_LONG: "19\u00a0de\u00a0mayo de 2027",
    END_MONTH_YEAR: "mayo de 2027",
    MONTH_IN_3: "febrero",
    MONTH_IN_6: "mayo",
    MONTH_IN_9: "agosto",
  },
  "es-ES": {
    ...euros,
    DAY_NAMES: "lunes, miércoles y viernes",
    START_DATE_LONG: "20\u00a0de\u00a0noviembre de 2026",
    END_DATE_LONG: "19\u00a0de\u00a0mayo de 2027",
    END_MONTH_YEAR: "mayo de 2027",
    MONTH_IN_3: "febrero",
    MONTH_IN_6: "mayo",
    MONTH_IN_9: "agosto",
  },
  "pt-BR": {
    ...fees(nb("€ 59,99"), nb("€ 30"), nb("€ 10"), nb("€ 2,31")),
    DAY_NAMES: "segunda-feira, quarta-feira e sexta-feira",
    START_DATE_LONG: "20\u00a0de\u00a0novembro de 2026",
    END_DATE_LONG: "19\u00a0de\u00a0maio de 2027",
    END_MONTH_YEAR: "maio de 2027",
    MONTH_IN_3: "fevereiro",
    MONTH_IN_6: "maio",
    MONTH_IN_9: "agosto",
  },
  "it-IT": {
    ...euros,
    DAY_NAMES: "lunedì, mercoledì e venerdì",
    START_DATE_LONG: "20\u00a0novembre 2026",
    END_DATE_LONG: "19\u00a0maggio 2027",
    END_MONTH_YEAR: "maggio 2027",
    MONTH_IN_3: "febbraio",
    MONTH_IN_6: "maggio",
    MONTH_IN_9: "agosto",
  },
  "de-DE": {
    ...euros,
    DAY_NAMES: "Montag, Mittwoch und Freitag",
    START_DATE_LONG: "20.\u00a0November 2026",
    END_DATE_LONG: "19.\u00a0Mai 2027",
    END_MONTH_YEAR: "Mai 2027",
    MONTH_IN_3: "Februar",
    MONTH_IN_6: "Mai",
    MONTH_IN_9: "August",
  },
};

describe("placeholders", () => {
  for (const locale of locales) {
    it(`all have a value in ${locale}`, () => {
      expect(valuesIn(locale)).toEqual({ ...same, ...texts[locale] });
    });
  }
  it("are numbers or texts as the table says", () => {
    const values = valuesIn("es-419");
    for (const [name, { kind }] of Object.entries(placeholders))
      expect([name, typeof Object.entries(values).find(([key]) => key === name)?.[1]]).toEqual([
        name,
        kind === "number" ? "number" : "string",
      ]);
  });
  it("have the default program's values before the first answer if they need nothing; the others have none", () => {
    const values = placeholderValues({ compiled, state: initialState(compiled), context: mexico, formats: formatsFor("es-419") });
    expect(values).toMatchObject({ MONTHS: 9, WEEKS: 13, BREAK_WEEKS: 3, DAYS: 5, END_DATE: "19/8/2027" });
    for (const [name, { needs }] of Object.entries(placeholders))
      expect([name, Object.entries(values).find(([key]) => key === name)?.[1] !== undefined]).toEqual([name, needs === "always"]);
  });
  it("use the schedule's days until days are chosen", () => {
    expect(placeholderValues({ compiled, state: { ...state, days: [] }, context: mexico, formats: formatsFor("es-419") })).toMatchObject({
      DAYS: 4,
      DAY_NAMES: undefined,
    });
  });
  it("use an assumed level on a page opened out of order, until the visitor's own is known (decision 061)", () => {
    const shown = (state: State) => shownValues({ compiled, state, context: mexico, formats: formatsFor("es-419") });
    expect(shown(initialState(compiled))).toMatchObject({ INITIAL_LEVEL: "beginner", TARGET_LEVEL: "intermediate", EMAIL: undefined });
    // Sentences that differ by level agree with sentences that name the level.
    expect(shown(initialState(compiled))).toMatchObject({ INITIAL_LEVEL_KEY: "beginner", TARGET_LEVEL_KEY: "intermediate" });
    expect(shown(state)).toEqual(placeholderValues({ compiled, state, context: mexico, formats: formatsFor("es-419") }));
  });
  it("use the default program's sessions, never 0 minutes, on a page opened out of order (decision 062)", () => {
    const shown = (state: State) => shownValues({ compiled, state, context: mexico, formats: formatsFor("es-419") });
    const sentence: Text = [["plural", "MINUTES_PER_SESSION", 0, { other: [["count"], " minutos"] }, false], " y ya estás hablando."];
    expect(plainText(sentence, shown(initialState(compiled)), "es-MX")).toBe("15 minutos y ya estás hablando.");
    expect(plainText(sentence, shown(state), "es-MX")).toBe("20 minutos y ya estás hablando.");
    const cold = shown(initialState(compiled));
    expect(cold).toMatchObject({ MONTHS: 9, DAYS: 5, PRACTICE_DAYS_PER_WEEK: 5, TOTAL_WEEKLY_TIME: 75 });
    for (const [name, { needs }] of Object.entries(placeholders))
      if (needs === "schedule") expect([name, cold[name]]).toEqual([name, expect.any(Number)]);
  });
  it("use the sessions of the schedule with the default program's length, else of the first schedule", () => {
    const minutes = (list: typeof schedules) => {
      const some = compile(questionnaire(smallQuestions, { schedules: list }));
      return shownValues({ compiled: some, state: initialState(some), context: mexico, formats: formatsFor("es-419") }).MINUTES_PER_SESSION;
    };
    expect(minutes(schedules.toReversed())).toBe(15);
    expect(minutes(schedules.slice(1))).toBe(20);
    expect(minutes([])).toBeUndefined();
  });
  it("keep the level from the answers when no target is chosen yet", () => {
    const levelKnown = replayAnswers(compiled, "2.1~3.1~41.1~42.1~43.3~44.1", mexico);
    expect(shownValues({ compiled, state: levelKnown, context: mexico, formats: formatsFor("es-419") })).toMatchObject({
      INITIAL_LEVEL_KEY: "upperintermediate",
      TARGET_LEVEL_KEY: "intermediate",
    });
  });
  it("name the target that the plan and its chart have when the level is known and no target is chosen yet", () => {
    const beginner = replayAnswers(compiled, "2.1~3.1~41.1", mexico);
    const input = { compiled, state: beginner, context: mexico, formats: formatsFor("es-419") };
    expect([planOf(input).target, shownValues(input).TARGET_LEVEL_KEY]).toEqual(["basic", "basic"]);
  });
  it("work without a level stage", () => {
    const plain = compile(questionnaire(smallQuestions.slice(0, 2)));
    expect(placeholderValues({ compiled: plain, state: initialState(plain), context: mexico, formats: formatsFor("de-DE") })).toMatchObject(
      { INITIAL_LEVEL: undefined, TARGET_LEVEL: undefined },
    );
  });
});
