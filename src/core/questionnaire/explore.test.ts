import { anyQuestionnaire, questionnaire, smallQuestionnaire, smallQuestions } from "#test/questionnaires.ts";
import { type Stride, stride } from "#test/walker.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { check } from "./check.ts";
import { QuestionnaireError } from "./error.ts";
import { explore, startsOf } from "./explore.ts";
import type { State } from "./state.ts";

const strides: fc.Arbitrary<readonly Stride[]> = fc.array(
  fc.record({ pick: fc.nat({ max: 2000 }), back: fc.constantFrom(false, false, false, false, true) }),
  { maxLength: 40 },
);

describe("the situations of a questionnaire", () => {
  it("are reached by the visitor's own answers, whose replay leads to the same question", () => {
    for (const { state } of explore(smallQuestionnaire).situations)
      expect(new Set(state.visitedQuestionIds).size).toBe(state.selectedOptions.length);
  });

  it("tell apart only what rules ask for: the answer to a question that no rule names doubles nothing", () => {
    const [two] = smallQuestions;
    if (two === undefined) throw new Error("no question 2");
    const many = questionnaire([
      {
        ...two,
        options: Array.from({ length: 40 }, (_, index) => ({ id: index + 1, description: `Reason ${index}`, followUpQuestion: 3 })),
      },
      ...smallQuestions.slice(1),
    ]);
    expect(explore(many).situations.length).toBe(explore(smallQuestionnaire).situations.length);
  });

  it("stop at a limit and say so, and then nothing counts as proved", () => {
    expect(explore(smallQuestionnaire, { limit: 20 }).complete).toBe(false);
    expect(explore(smallQuestionnaire).complete).toBe(true);
  });

  it("stand for each class of visitors once", () => {
    const rules = [
      { countryIs: ["BR", "AR"] },
      { countryIsNot: "CL" },
      { localeIs: "de-DE" as const },
      { platform: "apple" as const },
      { requiresMarketingConsent: "on" as const },
    ];
    const definition = questionnaire(
      smallQuestions.map((question) =>
        question.id === 4
          ? { ...question, contents: rules.map((rule) => ({ type: "paragraph", requirements: { rules: [rule] } })) }
          : question,
      ),
    );
    // BR (already named apart), AR, CL, all others; de-DE and the rest; three platforms; with and without consent.
    expect(explore(definition).contexts.length).toBe(4 * 2 * 3 * 2);
    expect(explore(definition, { requiresConsent: (country) => country === "DE" }).contexts.length).toBe(5 * 2 * 3);
    expect(
      explore(
        questionnaire(
          smallQuestions.filter(({ id }) => id > 3),
          { initialQuestion: 41 },
        ),
      ).contexts.length,
    ).toBe(1);
  });

  it.each([
    ["who is new", "new"],
    ["who had signed up before", "signedUp"],
    ["whose name is known as well", "named"],
  ] as const)(
    "take in every state that a visitor %s meets on random ways through arbitrary questionnaires, and the checker foresaw every error",
    (_, who) => {
      fc.assert(
        fc.property(anyQuestionnaire, fc.nat(), fc.array(strides, { minLength: 1, maxLength: 10 }), (definition, whose, walks) => {
          const exploration = explore(definition, { limit: 2000 });
          fc.pre(exploration.complete);
          const { compiled, contexts } = exploration;
          const context = contexts[whose % contexts.length];
          if (context === undefined) throw new Error("no context");
          const { findings } = check(definition);
          const found = (kind: string, question: number) =>
            findings.some((finding) => finding.kind === kind && finding.question === question);
          for (const walk of walks) {
            let state: State | null = startsOf(compiled)[who];
            for (const each of walk) {
              expect(exploration.knows(state, context), `${state.visitedQuestionIds.join(" ")} at ${state.currentQuestionId}`).toBe(true);
              expect(found("unreachable", state.currentQuestionId)).toBe(false);
              const at: State = state;
              try {
                state = stride(compiled, at, context, each);
              } catch (error) {
                if (!(error instanceof QuestionnaireError)) throw error;
                expect(found(error.reason, at.currentQuestionId)).toBe(true);
                break;
              }
              if (state === null) {
                expect(found("deadEnd", at.currentQuestionId)).toBe(true);
                break;
              }
            }
          }
        }),
        { numRuns: 27 },
      );
    },
  );
});
