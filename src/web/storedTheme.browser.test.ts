import { themes } from "#core/questionnaire/definition.ts";
import { expect, onTestFinished, test } from "vitest";
import { applyStoredTheme } from "./storedTheme.ts";

const [own, other] = themes;

function worn(search: string, stored: string | null) {
  const { dataset } = document.documentElement;
  const before = location.href;
  onTestFinished(() => {
    history.replaceState(null, "", before);
    localStorage.removeItem("theme");
    delete dataset["theme"];
    delete dataset["themeOf"];
  });
  dataset["theme"] = "as sent";
  dataset["themeOf"] = "visitor";
  if (stored === null) localStorage.removeItem("theme");
  else localStorage.setItem("theme", stored);
  history.replaceState(null, "", `?${search}`);
  applyStoredTheme(themes);
  return [dataset["theme"], localStorage.getItem("theme")];
}

test("a page uses the stored theme, else the one that the server sent", () => {
  expect(worn("", own)).toEqual([own, own]);
  expect(worn("", null)).toEqual(["as sent", null]);
  expect(worn("", "none of ours")).toEqual(["as sent", "none of ours"]);
});

test("a page linked from a mail uses the theme of the account's funnel, in another browser too, and stores it", () => {
  expect(worn(`look=${other}`, null)).toEqual([other, other]);
  expect(worn(`look=${other}`, own)).toEqual([other, other]);
  expect(worn("look=none-of-ours", own)).toEqual([own, own]);
});
