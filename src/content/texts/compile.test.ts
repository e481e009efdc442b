import { plainText } from "#core/text.ts";
import { describe, expect, it } from "vitest";
import { compileText } from "./compile.ts";

describe("compileText", () => {
  it("keeps a text without arguments as a plain string", () => {
    expect(compileText("¿Qué te frena?")).toBe("¿Qué te frena?");
    expect(compileText("")).toBe("");
  });

  it("compiles arguments, plurals with their count, selects and tags into data", () => {
    const text = compileText(
      "Hi <b>{FIRSTNAME}</b>, {MONTHS, plural, one {# month} other {# months}} to {LEVEL, select, basic {basic} other {more}}",
    );
    expect(plainText(text, { FIRSTNAME: "Ana", MONTHS: 1, LEVEL: "basic" }, "en-US")).toBe("Hi Ana, 1 month to basic");
    expect(plainText(text, { FIRSTNAME: "Ana", MONTHS: 6, LEVEL: "intermediate" }, "en-US")).toBe("Hi Ana, 6 months to more");
  });

  it("distinguishes ordinals from cardinals", () => {
    const text = compileText("{N, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}");
    expect([1, 2, 3, 11].map((N) => plainText(text, { N }, "en-US"))).toEqual(["1st", "2nd", "3rd", "11th"]);
  });

  it("yields data that survives JSON", () => {
    const text = compileText("{A, plural, =0 {none} other {# of <i>them</i>}}");
    expect(JSON.parse(JSON.stringify(text))).toEqual(text);
  });

  it("refuses broken messages, unknown tags and formatted arguments, which core cannot fill", () => {
    expect(() => compileText("{A")).toThrow();
    expect(() => compileText("<u>a</u>")).toThrow("Unknown tag <u>");
    expect(() => compileText("{A, number}")).toThrow("cannot format its argument {A}");
  });
});
