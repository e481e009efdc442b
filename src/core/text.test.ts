import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { localeTraits, locales } from "./locales.ts";
import { fillText, plainText, type Text, type TextNode } from "./text.ts";

const days: Text = [["plural", "DAYS", 0, { one: [["count"], " day"], other: [["count"], " days"] }, false], " for ", ["arg", "FIRSTNAME"]];

describe("a text", () => {
  it("without arguments is itself", () => {
    expect(fillText("Hola", {}, "es-MX")).toEqual(["Hola"]);
    expect(plainText("Hola", {}, "es-MX")).toBe("Hola");
  });
  it("inserts strings unchanged and formats numbers for the locale", () => {
    const text: Text = ["a ", ["arg", "N"], " b ", ["arg", "S"]];
    expect(plainText(text, { N: 1234567, S: "1234567" }, "de-DE")).toBe("a 1.234.567 b 1234567");
    expect(plainText(text, { N: 1234567, S: "x" }, "es-MX")).toBe("a 1,234,567 b x");
  });
  it("shows nothing for an argument without a value, never its raw name", () => {
    expect(plainText(days, {}, "en-US")).not.toMatch(/DAYS|FIRSTNAME|undefined|NaN/);
    expect(plainText([["arg", "EMAIL"]], { EMAIL: undefined }, "en-US")).toBe("");
  });
  it("omits the comma before an unknown name", () => {
    const text: Text = ["¡Listo, ", ["arg", "FIRSTNAME"], "! Tu plan, armado"];
    expect(plainText(text, {}, "es-MX")).toBe("¡Listo! Tu plan, armado");
    expect(plainText(text, { FIRSTNAME: "Lucía" }, "es-MX")).toBe("¡Listo, Lucía! Tu plan, armado");
  });
  it("keeps commas that do not precede a missing argument", () => {
    expect(plainText(["Uno, dos,  ", ["arg", "FIRSTNAME"], "."], {}, "es-MX")).toBe("Uno, dos.");
    expect(plainText(["Uno, ", ["tag", "b", ["dos"]]], {}, "es-MX")).toBe("Uno, dos");
  });
  it("is empty when no case matches, and for a `#` outside a plural", () => {
    const noCase: Text = [["plural", "N", 0, {}, false], ["select", "S", {}], ["count"]];
    expect(plainText(noCase, { N: 1, S: "a" }, "en-US")).toBe("");
    expect(plainText([["select", "S", { other: ["rest"] }]], {}, "en-US")).toBe("rest");
    expect(plainText([["plural", "N", 0, { other: ["many"] }, false]], { N: 1 }, "en-US")).toBe("many");
  });
  it("prefers the case of the exact number, and subtracts the offset from the count", () => {
    const guests: Text = [
      [
        "plural",
        "N",
        1,
        { "=0": ["nobody"], "=1": ["you"], one: ["you and ", ["count"], " more"], other: ["you and ", ["count"], " others"] },
        false,
      ],
    ];
    expect([0, 1, 2, 3].map((N) => plainText(guests, { N }, "en-US"))).toEqual(["nobody", "you", "you and 1 more", "you and 2 others"]);
  });
  it("chooses ordinals by their own rules", () => {
    const nth: Text = [
      ["plural", "N", 0, { one: [["count"], "st"], two: [["count"], "nd"], few: [["count"], "rd"], other: [["count"], "th"] }, true],
    ];
    expect([1, 2, 3, 4, 22].map((N) => plainText(nth, { N }, "en-US"))).toEqual(["1st", "2nd", "3rd", "4th", "22nd"]);
  });
  it("selects a case, or else the case `other`", () => {
    const text: Text = [["select", "LEVEL", { basic: ["B"], other: ["?"] }]];
    expect(["basic", "advanced", undefined].map((LEVEL) => plainText(text, { LEVEL }, "it-IT"))).toEqual(["B", "?", "?"]);
  });
  it("keeps a plural's count inside its selects and tags", () => {
    const text: Text = [["plural", "N", 0, { other: [["tag", "b", [["select", "S", { other: [["count"]] }]]]] }, false]];
    expect(fillText(text, { N: 1500 }, "pt-BR")).toEqual([{ tag: "b", parts: ["1.500"] }]);
    expect(plainText(text, { N: 1500 }, "pt-BR")).toBe("1.500");
  });
});

describe("plurals", () => {
  const text: Text = [["plural", "N", 0, { one: ["one"], many: ["many"], other: ["other"] }, false]];
  // Spanish, Portuguese and Italian say "un millón de …": CLDR's "many".
  it.each([
    ["en-US", ["other", "one", "other", "other"]],
    ["es-419", ["other", "one", "other", "many"]],
    ["es-ES", ["other", "one", "other", "many"]],
    ["pt-BR", ["one", "one", "other", "many"]],
    ["it-IT", ["other", "one", "other", "many"]],
    ["de-DE", ["other", "one", "other", "other"]],
  ] as const)("follow the rules of %s for 0, 1, 2 and a million", (locale, expected) => {
    expect([0, 1, 2, 1_000_000].map((N) => plainText(text, { N }, localeTraits[locale].intl))).toEqual(expected);
  });
  it("fall back to 'other' when a text lacks the case", () => {
    expect(plainText([["plural", "N", 0, { other: ["o"] }, false]], { N: 1 }, "en-US")).toBe("o");
  });
});

describe("filling", () => {
  const { node } = fc.letrec<{ node: TextNode; nodes: readonly TextNode[] }>((tie) => ({
    node: fc.oneof(
      { depthSize: "small" },
      fc.string(),
      fc.tuple(fc.constant("arg" as const), fc.constantFrom("A", "B")),
      fc.tuple(fc.constant("count" as const)),
      fc.tuple(fc.constant("tag" as const), fc.constantFrom("b", "i"), tie("nodes")),
      fc.tuple(fc.constant("select" as const), fc.constantFrom("A", "B"), fc.record({ other: tie("nodes") })),
      fc.tuple(
        fc.constant("plural" as const),
        fc.constantFrom("A", "B"),
        fc.nat({ max: 2 }),
        fc.record({ one: tie("nodes"), other: tie("nodes") }),
        fc.boolean(),
      ),
    ),
    nodes: fc.array(tie("node"), { maxLength: 3 }),
  }));
  it("never fails, whatever the text and its values", () => {
    fc.assert(
      fc.property(
        fc.array(node),
        fc.record({ A: fc.option(fc.oneof(fc.string(), fc.integer()), { nil: undefined }), B: fc.option(fc.nat(), { nil: undefined }) }),
        fc.constantFrom(...locales),
        (text, values, locale) => {
          expect(typeof plainText(text, values, localeTraits[locale].intl)).toBe("string");
        },
      ),
    );
  });
  it("creates a locale's number format once", () => {
    const made = vi.spyOn(Intl, "NumberFormat");
    for (let count = 0; count < 50; count++) plainText([["arg", "N"]], { N: count }, "fr-FR");
    expect(made.mock.calls.length).toBeLessThanOrEqual(1);
  });
});
