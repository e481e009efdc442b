import { locales } from "../../locales.ts";
import { describe, expect, it } from "vitest";
import type { Finding, FindingKind } from "./findings.ts";
import { formatFinding, presentFindings } from "./present.ts";

const found = (kind: FindingKind, more: Partial<Finding> = {}): Finding => ({
  kind,
  severity: "fault",
  message: `There is ${kind}.`,
  ...more,
});
const kindsOf = (findings: readonly Finding[]) => presentFindings(findings).map(({ kind }) => kind);
const messagesOf = (findings: readonly Finding[]) => presentFindings(findings).map(({ message }) => message);

describe("findings", () => {
  it("have causes first, then all others, then consequences, then notes, whatever their order was", () => {
    const inOrder = [
      found("malformed"),
      found("unknownText"),
      found("missingText"),
      found("duplicateId"),
      found("noInitialQuestion"),
      found("noEmbeddedQuestion"),
      found("noInitialLevelView"),
      found("noPreparingProgram"),
      found("noSignup"),
      found("unknownQuestion"),
      found("unmappedLevel"),
      found("overlappingLevels"),
      found("noUserLevelOption"),
      found("noTargetLevelOption"),
      found("noFollowUpId"),
      found("deadEnd"),
      found("trapped"),
      found("shadowed"),
      found("missingIcon"),
      found("neverHolds"),
      found("levelRuleNeverFires"),
      found("unreachable"),
      found("noThankYouView"),
      found("noProgressEnd"),
      found("paymentBeforeProgramView"),
      found("paymentBeforeSignup"),
      found("unbound"),
      found("deadRule", { severity: "note" }),
    ];
    const kinds = inOrder.map(({ kind }) => kind);
    expect(kindsOf(inOrder.toReversed())).toEqual(kinds);
    // A note about a cause stays a note.
    expect(kindsOf([found("malformed", { severity: "note" }), found("unbound")])).toEqual(["unbound", "malformed"]);
  });

  it("of one topic and audience are one line that names six at most", () => {
    const about = (what: string, more: Partial<Finding> = {}) =>
      found("unmappedLevel", { message: `Nothing for ${what}.`, joins: { topic: "No level for", what }, ...more });
    expect(messagesOf([about("a")])).toEqual(["Nothing for a."]);
    expect(messagesOf([about("a"), about("b")])).toEqual(["No level for: a, b."]);
    expect(messagesOf([..."abcdef"].map((what) => about(what)))).toEqual(["No level for: a, b, c, d, e, f."]);
    expect(messagesOf([..."abcdefgh"].map((what) => about(what)))).toEqual(["No level for: a, b, c, d, e, f and 2 more."]);
    expect(messagesOf([about("a"), about("b", { only: "on Apple only" })])).toEqual(["Nothing for a.", "Nothing for b."]);
    expect(messagesOf([about("a"), about("b", { kind: "shadowed" })])).toEqual(["Nothing for a.", "Nothing for b."]);
    const other = { joins: { topic: "No goal for", what: "b" } };
    expect(messagesOf([about("a"), about("b", other)])).toEqual(["Nothing for a.", "Nothing for b."]);
  });

  it("that say the same of a question are one line; those of two questions are two", () => {
    const twice = [found("deadEnd", { question: 3, path: "a" }), found("deadEnd", { question: 3, path: "b" })];
    expect(presentFindings(twice)).toEqual([twice[0]]);
    expect(presentFindings([...twice, found("deadEnd", { question: 4 })])).toHaveLength(2);
    expect(presentFindings([found("deadEnd", { question: 3 }), found("deadEnd", { question: 3, message: "Other." })])).toHaveLength(2);
  });

  it("of a path are left out when the definition has them already", () => {
    const [ofDefinition, ofPath] = [found("unknownQuestion"), found("unknownQuestion", { path: "2.1", message: "On a path." })];
    expect(presentFindings([ofPath, ofDefinition])).toEqual([ofDefinition]);
    expect(presentFindings([ofPath])).toEqual([ofPath]);
    expect(presentFindings([ofPath, found("deadEnd")])).toHaveLength(2);
  });

  it("about the end of progress are left out when its question is reported as never reached", () => {
    const end = found("noProgressEnd", { message: "Progress ends at question 80, which is never reached." });
    expect(kindsOf([end, found("unreachable", { question: 80 })])).toEqual(["unreachable"]);
    expect(kindsOf([end, found("unreachable", { question: 79 })])).toEqual(["unreachable", "noProgressEnd"]);
    expect(kindsOf([end, found("deadEnd", { question: 80 })])).toEqual(["deadEnd", "noProgressEnd"]);
  });

  it("about data that a payment before sign-up lacks are left out", () => {
    const lacks = (topic: string) => found("unbound", { joins: { topic, what: "x" } });
    const before = found("paymentBeforeSignup");
    for (const topic of ["Needs the account", "Needs the product"]) {
      expect(kindsOf([before, lacks(topic)])).toEqual(["paymentBeforeSignup"]);
      expect(kindsOf([lacks(topic)])).toEqual(["unbound"]);
    }
    expect(kindsOf([before, lacks("Needs the level")])).toEqual(["paymentBeforeSignup", "unbound"]);
    expect(kindsOf([before, found("unbound")])).toEqual(["paymentBeforeSignup", "unbound"]);
    expect(kindsOf([before, found("deadEnd", { joins: { topic: "Needs the account", what: "x" } })])).toHaveLength(2);
  });
});

describe("a finding as text", () => {
  it("begins with a capital and names the question, unless the message does", () => {
    expect(formatFinding(found("deadEnd", { message: "nothing leads on." }))).toBe("  FAULT deadEnd: Nothing leads on.");
    expect(formatFinding(found("deadEnd", { message: "nothing leads on.", question: 4 }))).toBe(
      "  FAULT deadEnd: Nothing leads on. (question 4)",
    );
    for (const message of ["Question 4 has no way on.", "The screen 4 has none.", "The view 4 has none.", "See questions 4 and 5."])
      expect(formatFinding(found("deadEnd", { message, question: 4 }))).toBe(`  FAULT deadEnd: ${message}`);
    expect(formatFinding(found("deadEnd", { message: "Question 41 has no way on.", question: 4 }))).toBe(
      "  FAULT deadEnd: Question 41 has no way on. (question 4)",
    );
    expect(formatFinding(found("deadRule", { severity: "note", message: "a rule." }))).toBe("  note  deadRule: A rule.");
  });

  it("names the locales when it affects only some", () => {
    const message = "a text is missing.";
    expect(formatFinding(found("missingText", { message, locales: ["de-DE", "it-IT"] }))).toBe(
      "  FAULT missingText: de-DE, it-IT: a text is missing.",
    );
    expect(formatFinding(found("missingText", { message, locales }))).toBe("  FAULT missingText: A text is missing.");
  });

  it("names the affected visitors and the way there", () => {
    expect(formatFinding(found("trapped", { message: "No way out.", only: "on Apple only" }))).toBe(
      "  FAULT trapped: No way out. — on Apple only",
    );
    expect(formatFinding(found("trapped", { message: "No way out.", visitor: "new" }))).toBe("  FAULT trapped: No way out.");
    expect(formatFinding(found("trapped", { message: "No way out.", visitor: "signedUp", only: "in MX only", path: "2.1" }))).toBe(
      "  FAULT trapped: No way out. — in MX only, who came back signed up\n        by 2.1",
    );
    expect(formatFinding(found("trapped", { message: "No way out.", path: "" }))).toBe(
      "  FAULT trapped: No way out.\n        by the very start",
    );
  });
});
