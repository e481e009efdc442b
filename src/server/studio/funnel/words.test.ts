import { questionnaireFor, versions } from "#content/questionnaires/index.ts";
import { describe, expect, it } from "vitest";
import { optionWords, titleOf } from "./words.ts";

describe("screens in words for operators", () => {
  const titles = new Set(versions.flatMap((version) => questionnaireFor(version, "en-US").questions.map(titleOf)));

  it("name what differs by visitor in plain words", () => {
    expect([...titles].filter((title) => /[{}_]/.test(title))).toEqual([]);
    expect([...titles].filter((title) => title.includes("[first name]"))).not.toEqual([]);
    expect([...titles].filter((title) => /\[[^\]]*[A-Z]/.test(title))).toEqual([]);
    expect(optionWords(["Yes, ", ["arg", "FIRSTNAME"]], 1)).toBe("Yes, [first name]");
    expect(optionWords("", 3)).toBe("Option 3");
  });
});
