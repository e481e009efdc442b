import { authoredAs, questionnaireFor, questionnaireOf, type Version, versions } from "../index.ts";
import { questionnaireTexts } from "../../texts/questionnaire.ts";
import { locales } from "#core/locales.ts";
import { check, checkContents } from "#core/questionnaire/check.ts";
import type { Questionnaire } from "#core/questionnaire/definition.ts";
import { explore, startsOf } from "#core/questionnaire/explore.ts";
import { visibleContents } from "#core/questionnaire/requirements.ts";
import type { State } from "#core/questionnaire/state.ts";
import { questionnaire, smallQuestionnaire, smallQuestions } from "#test/questionnaires.ts";
import { long } from "#test/sampled.ts";
import { stride } from "#test/walker.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { differences } from "./differences.ts";
import { mermaidOf, svgOf } from "./drawing.ts";
import { proofOf, printFindings } from "./proof.ts";
import { surroundings } from "./surroundings.ts";
import { rulesInWords, wordsOf } from "./words.ts";

const walks = long ? 10_000 : 100;

describe.each(versions)("version %s", (version) => {
  const definition = questionnaireFor(version, "es-419");

  it("is sound in es-419", () => {
    expect(check(definition, surroundings).findings.filter(({ severity }) => severity === "fault")).toEqual([]);
    expect(checkContents({ "es-419": definition }, surroundings).filter(({ kind }) => kind !== "missingLocale")).toEqual([]);
  });

  it(`shows nothing in ${walks} random walks that the checker excluded`, () => {
    const { compiled, contexts, knows } = explore(definition, { requiresConsent: surroundings.requiresConsent });
    const starts = Object.values(startsOf(compiled));
    fc.assert(
      fc.property(
        fc.nat(),
        fc.nat(),
        fc.array(fc.nat({ max: 5000 }), { minLength: 20, maxLength: 70, size: "max" }),
        fc.nat({ max: 99 }),
        (whose, who, picks, goesBackAt) => {
          const context = contexts[whose % contexts.length];
          const start = starts[who % starts.length];
          if (context === undefined || start === undefined) throw new Error("no visitor");
          let state: State = start;
          for (const [index, pick] of picks.entries()) {
            const question = compiled.question(state.currentQuestionId);
            if (!knows(state, context)) throw new Error(`unforeseen: ${state.visitedQuestionIds.join(" ")} at ${state.currentQuestionId}`);
            const next = stride(compiled, state, context, { pick, back: index === goesBackAt });
            if (next === null) {
              // A path may only end at the payment.
              expect(question && visibleContents(compiled, question, state, context).map(({ type }) => type)).toContain("paddle");
              return;
            }
            state = next;
          }
        },
      ),
      { numRuns: walks },
    );
  });
});

describe("a version's proof", () => {
  const everywhere = (change: (definition: Questionnaire) => Questionnaire) =>
    proofOf(Object.fromEntries(locales.map((locale) => [locale, change(questionnaireFor("76", locale))]))).findings.filter(
      ({ severity }) => severity === "fault",
    );
  it("reports a fault of every locale once", () => {
    const doubled = everywhere((definition) => ({
      ...definition,
      questions: [...definition.questions, ...definition.questions.slice(20, 21)],
    }));
    expect(doubled.map(({ kind }) => kind)).toEqual(["duplicateId", "authoring", "authoring"]);
  });
  it("finds a question without its heading", () => {
    const headless = everywhere((definition) => ({
      ...definition,
      questions: definition.questions.map((question) =>
        question.id === 15 ? { ...question, contents: question.contents.filter(({ type }) => type !== "title") } : question,
      ),
    }));
    expect(headless.map(({ kind, question }) => [kind, question])).toEqual([["notOneHeading", 15]]);
  });
});

describe("the printed findings", () => {
  const printed = (
    chosen: readonly Version[],
    texts?: Parameters<typeof printFindings>[2],
    build?: Parameters<typeof printFindings>[3],
  ) => {
    const lines: string[] = [];
    const faults = printFindings(chosen, (line) => lines.push(line.replace(/; \d+ ms$/, "")), texts, build);
    return { lines, faults };
  };
  /** Version 76 after its author's source was damaged. */
  const broken = (change: (definition: ReturnType<typeof authoredAs>) => unknown) => () => {
    const definition = structuredClone(authoredAs("76", () => "x"));
    change(definition);
    return questionnaireOf(definition);
  };
  const screen = (definition: ReturnType<typeof authoredAs>, id: number) =>
    definition.questions.find((question) => question.id === id) ?? expect.fail(`no screen ${id}`);

  it("reports a missing locale once, and counts it as a fault", () => {
    const { lines, faults } = printed(["73", "87"], { ...questionnaireTexts, "de-DE": undefined });
    expect(lines.filter((line) => line.includes("de-DE"))).toEqual(["  FAULT missingLocale: The locale de-DE is missing."]);
    expect(faults).toBe(1);
  });
  it("names the texts that a locale lacks", () => {
    const { "cognates.title": _, ...others } = questionnaireTexts["it-IT"] ?? {};
    const { lines, faults } = printed(["73"], { ...questionnaireTexts, "it-IT": others });
    expect(lines[0]).toBe("  FAULT missingText: it-IT has no text for cognates.title");
    expect(faults).toBe(1);
  });
  it.each<[string, Parameters<typeof broken>[0], string]>([
    ["lacks its options", (definition) => Reflect.deleteProperty(screen(definition, 15), "options"), "Screen 15 lacks options."],
    [
      "has an option without an id",
      (definition) => Reflect.deleteProperty(screen(definition, 15).options[0] ?? {}, "id"),
      "Screen 15 lacks options.0.id.",
    ],
    [
      "has a block without its text",
      (definition) => Reflect.deleteProperty(screen(definition, 15).contents[1] ?? {}, "text"),
      "Screen 15 lacks contents.1.text.",
    ],
    [
      "has a weight below nothing",
      (definition) => Object.assign(screen(definition, 15), { weight: -1 }),
      "Screen 15, weight: Invalid value",
    ],
  ])("names version, screen and field when a screen %s, and goes on to the next version", (_, change, message) => {
    const { lines, faults } = printed(["76", "87"], questionnaireTexts, (version, locale) =>
      version === "76" ? broken(change)() : questionnaireFor(version, locale),
    );
    expect(lines).toEqual([
      "76: 1 fault; not explored",
      expect.stringContaining(`FAULT malformed: ${message}`),
      expect.stringMatching(/^87: sound; 27 screens/),
    ]);
    expect(faults).toBe(1);
  });
  it("names the field that a whole definition lacks", () => {
    const { lines } = printed(
      ["76"],
      questionnaireTexts,
      broken((definition) => Reflect.deleteProperty(definition, "levels")),
    );
    expect(lines[1]).toBe("  FAULT malformed: The definition lacks levels.");
  });
});

describe("the drawing of a questionnaire", () => {
  it("is a Mermaid flowchart with every question and every link", () => {
    const mermaid = mermaidOf(smallQuestionnaire);
    expect(mermaid).toContain('q41["41: (empty)"]:::LevelQuestion');
    expect(mermaid).toContain("  q2 --> q3");
    expect(mermaid).toContain('  q3 -.->|"the country is BR"| q4');
    expect(mermaid).toContain('  q41 -.->|"2 No, or 1 No and 2 Maybe"| q53');
    expect(mermaid).toContain("  q44 -.-> q54");
  });
  it("is an SVG whose boxes do not cover each other, with texts escaped", () => {
    const svg = svgOf(
      questionnaire([
        {
          id: 2,
          contents: [{ type: "title", text: "You & <I>" }],
          options: [1, 2, 3].map((id) => ({ id, description: `to ${id + 2}`, followUpQuestion: id + 2 })),
        },
        ...[3, 4, 5].map((id) => ({ id, contents: [], options: [] })),
      ]),
    );
    expect(svg).toContain("You &amp; &lt;I&gt;");
    expect(svg).not.toContain("NaN");
    const boxes = [...svg.matchAll(/<rect x="([\d.]+)" y="([\d.]+)"/g)].map(([, x, y]) => `${x} ${y}`);
    expect(boxes).toHaveLength(4);
    expect(new Set(boxes).size).toBe(4);
  });
});

describe("the difference between two versions", () => {
  const changed = (edit: (questions: typeof smallQuestions) => typeof smallQuestions, changes: Parameters<typeof questionnaire>[1] = {}) =>
    differences(smallQuestionnaire, questionnaire(edit(smallQuestions), changes));
  it("is nothing between a version and itself", () => {
    expect(changed((questions) => questions)).toEqual([]);
  });
  it("lists added and removed questions", () => {
    expect(
      changed((questions) => [
        ...questions.filter(({ id }) => id !== 4),
        { id: 81, contents: [{ type: "title", text: "New" }], options: [] },
      ]),
    ).toEqual(['Removed: 4 "(empty)"', 'Added: 81 "New", after 80']);
  });
  it("lists questions that have another id", () => {
    expect(changed((questions) => questions.map((question) => (question.id === 2 ? { ...question, id: 1 } : question)))).toEqual([
      'Moved: 2 "Why?" is now 1',
    ]);
  });
  it("lists questions at another position", () => {
    const [first, second, ...rest] = smallQuestions;
    if (first === undefined || second === undefined) throw new Error("too small");
    expect(
      differences(smallQuestionnaire, questionnaire([second, first, ...rest])).filter((line) => line.startsWith("Re-ordered")),
    ).toContain("Re-ordered: 2 stands after 3, no longer after nothing");
  });
  it("lists re-worded, re-routed and changed questions", () => {
    const edited = changed(
      (questions) =>
        questions.map((question) =>
          question.id === 2
            ? {
                ...question,
                contents: [{ type: "title", text: ["How ", ["arg", "FIRSTNAME"], "?"] }],
                options: [
                  { id: 1, description: "Job", followUpQuestion: 3 },
                  { id: 2, description: "Travel", followUpQuestion: 4 },
                ],
              }
            : question,
        ),
      { theme: "Kosmo" },
    );
    expect(edited).toEqual([
      "Theme: parlando → Kosmo",
      'Re-worded: 2, title: "Why?" → "How {FIRSTNAME}?"',
      'Re-worded: 2, option 1: "Work" → "Job"',
      'Re-worded: 2, option 3: no more "Not now"',
      "Changed: 2 offers options 1, 2; was 1, 2, 3 ToHomePage",
      "Re-routed: 2 leads to 3, 4; was 3",
    ]);
  });
});

describe("words", () => {
  it("contain placeholders by name and plurals in their general case", () => {
    expect(
      wordsOf([
        ["plural", "DAYS", 0, { one: ["a day"], other: [["count"], " days"] }, false],
        " for ",
        ["tag", "b", [["arg", "FIRSTNAME"]]],
        ["select", "X", { other: ["!"] }],
      ]),
    ).toBe("{DAYS} days for {FIRSTNAME}!");
  });
  it("express rules as clauses", () => {
    expect(
      rulesInWords({
        type: "and",
        rules: [
          { countryIs: ["BR", "AR"] },
          { rules: [{ questionId: 2, optionId: 1 }, { days: "off" }] },
          { schedule: 2, platform: "apple" },
        ],
      }),
    ).toBe(
      "the country is BR or AR and (question 2 was answered with 1 or no days were chosen) and schedule 2 was chosen and the platform is apple",
    );
    expect(rulesInWords(undefined)).toBe("always");
  });
});
