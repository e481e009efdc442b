import { anyQuestionnaire, mexico, questionnaire, smallQuestionnaire, smallQuestions } from "#test/questionnaires.ts";
import { type Stride, stride } from "#test/walker.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { check } from "./check.ts";
import { compile } from "./compile.ts";
import { QuestionnaireError } from "./error.ts";
import { encodeAnswers, replayAnswers } from "./answer-code.ts";
import { explore, forgetting, startsOf, visitorOf } from "./explore.ts";
import type { State } from "./state.ts";

const strides: fc.Arbitrary<readonly Stride[]> = fc.array(
  fc.record({ pick: fc.nat({ max: 2000 }), back: fc.constantFrom(false, false, false, false, true) }),
  { maxLength: 40 },
);

describe("the situations of a questionnaire", () => {
  it("are the questions with what rules ahead still tell apart there: counts of No and Maybe, sign-up screens met again", () => {
    const { situations, contexts } = explore(smallQuestionnaire);
    const whose = situations.map(({ state, context }) => `${context.country} ${visitorOf(state)}`);
    expect(contexts.map(({ country }) => country)).toEqual(["MX", "BR"]);
    expect([...new Set(whose)].map((who) => `${who} ${whose.filter((each) => each === who).length}`)).toEqual([
      "MX new 34",
      "MX signedUp 23",
      "MX named 23",
      "BR new 35",
      "BR signedUp 24",
      "BR named 24",
    ]);
    const mexican = situations.filter((_, index) => whose[index] === "MX new");
    expect(
      mexican.map(
        ({ state, ways }) => `${state.currentQuestionId} after ${encodeAnswers(state)}, to ${ways.map(({ next }) => next).join(" ")}`,
      ),
    ).toEqual([
      "2 after , to 3 3 home",
      "3 after 2.1, to 41 2",
      "41 after 2.1~3.1, to 42 42 42",
      "42 after 2.1~3.1~41.1, to 43 43 43",
      "42 after 2.1~3.1~41.2, to 43 43 43",
      "42 after 2.1~3.1~41.3, to 43 43 53",
      "43 after 2.1~3.1~41.1~42.1, to 44 44 44",
      "43 after 2.1~3.1~41.1~42.2, to 44 44 44",
      "43 after 2.1~3.1~41.1~42.3, to 44 44 53",
      "43 after 2.1~3.1~41.2~42.2, to 44 44 53",
      "43 after 2.1~3.1~41.2~42.3, to 44 44 53",
      "53 after 2.1~3.1~41.3~42.3, to 55",
      "44 after 2.1~3.1~41.1~42.1~43.1, to 54 54 54",
      "44 after 2.1~3.1~41.1~42.1~43.2, to 54 54 54",
      "44 after 2.1~3.1~41.1~42.1~43.3, to 54 54 54",
      "44 after 2.1~3.1~41.1~42.2~43.2, to 54 54 54",
      "44 after 2.1~3.1~41.1~42.2~43.3, to 54 54 54",
      "44 after 2.1~3.1~41.2~42.3~43.2, to 54 54 54",
      "55 after 2.1~3.1~41.3~42.3~53.1, to 56",
      "54 after 2.1~3.1~41.1~42.1~43.1~44.1, to 55",
      "56 after 2.1~3.1~41.3~42.3~53.1~55.1, to 60 60",
      "60 after 2.1~3.1~41.3~42.3~53.1~55.1~56.1, to 61 61 61",
      "61 after 2.1~3.1~41.3~42.3~53.1~55.1~56.1~60.1~s1, to 67",
      "67 after 2.1~3.1~41.3~42.3~53.1~55.1~56.1~60.1~61.1~s1~d01234, to 68",
      "68 after 2.1~3.1~41.3~42.3~53.1~55.1~56.1~60.1~61.1~67.1~s1~d01234, to 69 67",
      "69 after 2.1~3.1~41.3~42.3~53.1~55.1~56.1~60.1~61.1~67.1~68.1~s1~d01234, to 73",
      "73 after 2.1~3.1~41.3~42.3~53.1~55.1~56.1~60.1~61.1~67.1~68.1~69.1~s1~d01234, to 79",
      "67 after 2.1~3.1~41.3~42.3~53.1~55.1~56.1~60.1~61.1~s1~d01234, to 68",
      "68 after 2.1~3.1~41.3~42.3~53.1~55.1~56.1~60.1~61.1~67.1~s1~d01234, to 69 67",
      "79 after 2.1~3.1~41.3~42.3~53.1~55.1~56.1~60.1~61.1~67.1~68.1~69.1~73.1~s1~d01234, to 80",
      "67 after 2.1~3.1~41.3~42.3~53.1~55.1~56.1~60.1~61.1~s1~d01234, to 68",
      "68 after 2.1~3.1~41.3~42.3~53.1~55.1~56.1~60.1~61.1~67.1~s1~d01234, to 69 67",
      "69 after 2.1~3.1~41.3~42.3~53.1~55.1~56.1~60.1~61.1~67.1~68.1~s1~d01234, to 73",
      "80 after 2.1~3.1~41.3~42.3~53.1~55.1~56.1~60.1~61.1~67.1~68.1~69.1~73.1~79.1~s1~d01234, to home",
    ]);
    // A way knows the situation that it leads to.
    for (const { ways } of situations)
      for (const { next, to } of ways) expect(next === "home" ? -1 : next).toBe(situations[to]?.state.currentQuestionId ?? -1);
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
    const { situations, complete } = explore(smallQuestionnaire);
    expect(complete).toBe(true);
    for (const [limit, enough] of [
      [20, false],
      [situations.length - 1, false],
      [situations.length, true],
    ] as const) {
      const limited = explore(smallQuestionnaire, { limit });
      expect([limited.complete, limited.situations.length]).toEqual([enough, limit]);
    }
  });

  it("begin with who is new, who had signed up before, and whose name is known as well", () => {
    const starts = startsOf(compile(smallQuestionnaire));
    expect(Object.values(starts).map(({ user, signupDone, currentQuestionId }) => [user, signupDone, currentQuestionId])).toEqual([
      [{}, false, 2],
      [{ uuid: "signedUp", email: expect.any(String), firstname: undefined }, true, 2],
      [{ uuid: "named", email: expect.any(String), firstname: expect.any(String) }, true, 2],
    ]);
    expect(Object.values(starts).map(visitorOf)).toEqual(["new", "signedUp", "named"]);
  });

  it("forget what was chosen and typed on questions that are no longer part of the history", () => {
    const compiled = compile(smallQuestionnaire);
    const { new: fresh, signedUp } = startsOf(compiled);
    const chosen: State = {
      ...replayAnswers(compiled, "2.1~s2~d024", mexico),
      user: { email: "ana@example.com", firstname: "Ana" },
    };
    const at = (...visitedQuestionIds: readonly number[]): State => ({ ...chosen, visitedQuestionIds });
    const kept = ({ schedule, studySchedule, programEndDate, days, user }: State) => ({
      schedule,
      studySchedule,
      programEndDate,
      days,
      user,
    });
    const none = kept({ ...fresh, user: {} });
    const { schedule, studySchedule, programEndDate, days, user } = chosen;
    expect(kept(forgetting(compiled, at(2)))).toEqual(none);
    expect(kept(forgetting(compiled, at(2, 999)))).toEqual(none);
    expect(kept(forgetting(compiled, at(2, 60)))).toEqual({ ...none, schedule, studySchedule, programEndDate });
    expect(kept(forgetting(compiled, at(2, 61)))).toEqual({ ...none, days });
    expect(kept(forgetting(compiled, at(2, 67)))).toEqual({ ...none, user });
    expect(kept(forgetting(compiled, { ...at(2), user: { firstname: "Ana" } }))).toEqual(none);
    expect(kept(forgetting(compiled, { ...at(2), user: { email: "ana@example.com" } }))).toEqual(none);
    expect(kept(forgetting(compiled, { ...at(2, 60), signupDone: true }))).toEqual({
      ...none,
      schedule,
      studySchedule,
      programEndDate,
      user,
    });
    expect(forgetting(compiled, at(2, 60, 61, 68))).toEqual(at(2, 60, 61, 68));
    expect(forgetting(compiled, signedUp)).toEqual(signedUp);
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
    const classes = explore(definition).contexts.map(
      ({ locale, country, platform, requiresMarketingConsent, today }) =>
        `${country} ${locale} ${platform} ${requiresMarketingConsent} ${today}`,
    );
    expect(classes).toEqual(
      ["MX", "BR", "AR", "CL"].flatMap((country) =>
        ["es-419", "de-DE"].flatMap((locale) =>
          ["android", "apple", "other"].flatMap((platform) =>
            [false, true].map((consent) => `${country} ${locale} ${platform} ${consent} 2026-11-20`),
          ),
        ),
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
