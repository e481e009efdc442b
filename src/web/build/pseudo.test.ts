import { questionnaireFor } from "#content/questionnaires/index.ts";
import { compileText } from "#content/texts/compile.ts";
import { uiTexts } from "#content/texts/ui.ts";
import { plainText } from "#core/text.ts";
import { expect, it } from "vitest";
import { pseudoContents, pseudoText } from "./pseudo.ts";

it("shows a text in brackets, with accents and 40 % longer", () => {
  expect(pseudoText("Continue where")).toBe("[Ççöññtîîñûûé wwhééréé]");
  const long = "A plan that fits into a full day and still leaves room for the evening";
  expect(String(pseudoText(long)).length / long.length).toBeCloseTo(1.4, 1);
});

it("leaves placeholders and the text's structure unchanged", () => {
  const text = compileText("<b>{NAME}</b>: {N, plural, one {# day} other {# days}}, {S, select, a {as} other {no}}");
  expect(plainText(pseudoText(text), { NAME: "Ana", N: 2, S: "a" }, "en-US")).toBe("[Ana: 2 ddåýýš, ååš]");
});

it("has the same keys and questions as the texts, and returns the same objects each time", () => {
  expect(Object.keys(pseudoContents.uiTexts("de-DE"))).toEqual(Object.keys(uiTexts("de-DE")));
  const questionnaire = pseudoContents.questionnaireFor("83", "de-DE");
  expect(questionnaire.questions.map(({ id }) => id)).toEqual(questionnaireFor("83", "de-DE").questions.map(({ id }) => id));
  expect(pseudoContents.questionnaireFor("83", "de-DE")).toBe(questionnaire);
});
