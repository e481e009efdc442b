import { expect, it } from "vitest";
import { translationFaults } from "./shape.ts";

it("lets a translation move words, mark English words, and choose by a level's key, and write a date in figures or words", () => {
  expect(
    translationFaults(
      "<b>{N, plural, one {# Tag} other {# Tage}}</b> mit <en>you</en>",
      "{N, plural, =1 {a day} other {# days}} <b>now</b>",
      "de-DE",
    ),
  ).toEqual([]);
  expect(translationFaults("{LEVEL_KEY, select, basic {uno} other {dos}}", "{LEVEL}", "es-419")).toEqual([]);
  expect(translationFaults("del {START_DATE}", "from {START_DATE_LONG}", "es-419")).toEqual([]);
});

it.each([
  ["{NOMBRE}", "{NAME}", ["lacks the argument {NAME}", "has the argument {NOMBRE}, which English does not have"]],
  ["fuerte", "<b>strong</b>", ["lacks the tag <b>"]],
  ["<i>fuerte</i>", "strong", ["has the tag <i>, which English does not have"]],
  ["{U, select, semana {s} other {m}}", "{U, select, week {w} other {m}}", ['{U} has no case "semana"']],
  ["{A_KEY, select, basico {s} other {m}}", "{A}", ['{A_KEY} has no case "basico"']],
  ["{N, plural, few {a} other {b}}", "{N, plural, one {a} other {b}}", ['es-419 has no plural case "few"']],
])("refuses %s for %s", (message, english, reasons) => {
  expect(translationFaults(message, english, "es-419")).toEqual(reasons);
});

it("refuses a text that is not ICU", () => {
  expect(translationFaults("{NAME", "{NAME}", "it-IT")).toEqual([expect.stringContaining("cannot be read")]);
  expect(translationFaults("<u>a</u>", "a", "it-IT")).toEqual(["cannot be read: Unknown tag <u> in a text"]);
});
