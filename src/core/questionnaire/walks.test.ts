/** These walks are the slowest tests, so mutation testing skips them; `explore.test.ts` covers what they would detect. */
import { anyQuestionnaire } from "#test/questionnaires.ts";
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
  it.each([
    ["who is new", "new"],
    ["who signed up before", "signedUp"],
    ["with a known name", "named"],
  ] as const)(
    "contain every state on random paths of a visitor %s through arbitrary questionnaires, and the checker reports every error",
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
