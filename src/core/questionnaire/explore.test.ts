import { mexico, questionnaire, schedules, smallQuestionnaire, smallQuestions } from "#test/questionnaires.ts";
import { describe, expect, it } from "vitest";
import { marketingConsentCountries } from "../countries.ts";
import { compile } from "./compile.ts";
import type { Questionnaire, QuestionInput } from "./definition.ts";
import { encodeAnswers, replayAnswers } from "./answer-code.ts";
import { explore, type ExploreOptions, withoutUnreachedInput, startsOf, visitorOf } from "./explore.ts";
import type { State } from "./state.ts";

const go = (followUpQuestion: number) => [{ id: 1, description: "On", followUpQuestion }];
const home = [{ id: 1, type: "ToHomePage" as const, description: "Home" }];
const only = (...rules: NonNullable<QuestionInput["contents"][number]["requirements"]>["rules"]) => ({ requirements: { rules } });
const never = only({ questionId: 99 });

/** The paths on which a new visitor reaches each situation at a question. */
const waysTo = (definition: Questionnaire, id: number, options?: ExploreOptions): readonly string[] =>
  explore(definition, options).situations.flatMap(({ state }) =>
    state.currentQuestionId === id && visitorOf(state) === "new" ? [encodeAnswers(state)] : [],
  );

describe("the situations of a questionnaire", () => {
  it("combine each question with everything that later rules distinguish: counts of No and Maybe, repeated sign-up screens", () => {
    const { situations, contexts } = explore(smallQuestionnaire);
    const whose = situations.map(({ state, context }) => `${context.country} ${visitorOf(state)}`);
    expect(contexts).toEqual([mexico, { ...mexico, country: "BR" }]);
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
    // Each way holds the index of the situation that it leads to.
    for (const { ways } of situations)
      for (const { next, to } of ways) expect(next === "home" ? -1 : next).toBe(situations[to]?.state.currentQuestionId ?? -1);
  });

  it("contain the input typed on the path", () => {
    const { situations } = explore(smallQuestionnaire);
    const typed = [...new Set(situations.map(({ state }) => JSON.stringify(state.user)))];
    expect(typed.map((user) => JSON.parse(user))).toEqual([
      {},
      { email: "visitor@example.com" },
      { uuid: "visitor", email: "visitor@example.com" },
      { uuid: "visitor", email: "visitor@example.com", firstname: "Visitor" },
      { uuid: "signedUp", email: "visitor@example.com" },
      { uuid: "named", email: "visitor@example.com", firstname: "Visitor" },
    ]);
  });

  it("contain each state that a visitor in an explored context can have", () => {
    const { situations, knows } = explore(smallQuestionnaire);
    for (const { state, context } of situations) {
      expect(knows(state, context)).toBe(true);
      expect(knows(state, { ...context })).toBe(false);
      if (context.country === "MX") expect(knows({ ...state, currentQuestionId: 4 }, context)).toBe(false);
    }
  });

  it("have a way for every answer, without a next situation if the engine throws", () => {
    const definition = questionnaire(
      [
        {
          id: 2,
          contents: [{ type: "studySchedule" }],
          options: [...go(3), { id: 2, description: "Nowhere" }, { id: 3, description: "Away", followUpQuestion: 98 }],
        },
        { id: 3, contents: [], options: home },
      ],
      { schedules: [] },
    );
    const [first] = explore(definition).situations;
    expect(first?.ways.map(({ next, error, to }) => [next, error?.reason, to])).toEqual([
      [3, undefined, 1],
      [undefined, "noFollowUpId", -1],
      [undefined, "unknownQuestion", -1],
    ]);
  });

  it("distinguish only input, choices and answers that a later rule checks", () => {
    const level = (id: number): QuestionInput => ({
      id,
      type: "LevelQuestion",
      contents: [],
      options: [{ id: 1, type: "Yes", description: "Yes", followUpQuestion: 30 }],
    });
    const plain = (id: number, ...contents: QuestionInput["contents"]): QuestionInput => ({ id, contents, options: go(30) });
    const signup = (id: number, type: string): QuestionInput => ({ ...plain(id, { type }), type: "SignupView" });
    const sides: readonly QuestionInput[] = [
      { ...plain(10), options: [1, 2, 3].map((id) => ({ id, description: "On", followUpQuestion: 30 })) },
      signup(11, "signupEmail"),
      signup(12, "signupName"),
      signup(13, "signupPassword"),
      plain(14, { type: "studySchedule" }),
      plain(15, { type: "daySelection" }),
      plain(16, { type: "studySchedule", ...never }),
      plain(17, { type: "daySelection", ...never }),
      plain(18),
      level(19),
      level(20),
      level(22),
      level(23),
      {
        ...plain(24),
        type: "TargetLevelView",
        options: [
          { id: 1, description: "All", followUpQuestion: 30, meta: { targetLevel: "advanced" } },
          { id: 2, description: "Any", followUpQuestion: 30 },
          { id: 3, description: "Some", followUpQuestion: 30, meta: { targetLevel: "intermediate" } },
        ],
      },
      plain(25),
      plain(26),
      plain(27),
      { ...plain(40), options: [1, 12].map((id) => ({ id, description: "On", followUpQuestion: 41 })) },
    ];
    const asked = [
      { questionId: 10, optionId: 1 },
      ...[1, 12].map((optionId) => ({ questionId: 40, optionId })),
      ...[3, 23].map((optionId) => ({ questionId: 41, optionId })),
      { schedule: 2 },
      { lastLevelQuestion: 19 },
    ];
    const definition = questionnaire(
      [
        { id: 2, contents: [], options: sides.map(({ id }) => ({ id, description: "On", followUpQuestion: id })) },
        ...sides,
        { id: 41, contents: [], options: [3, 23].map((id) => ({ id, description: "On", followUpQuestion: 30 })) },
        { id: 30, contents: asked.map((each) => ({ type: "paragraph", ...only(each) })), options: go(31) },
        { id: 31, contents: [], options: home },
      ],
      {
        lastLevelQuestionFollowUpQuestion: 30,
        userLevelMappings: [19, 22].map((id) => ({ first: id, last: id, userLevel: "basic" as const })),
      },
    );
    const distinct = [
      "2.10~10.1",
      "2.10~10.2",
      "2.11~11.1",
      "2.12~12.1",
      "2.13~13.1",
      "2.14~14.1~s1",
      "2.14~14.1~s2",
      "2.15~15.1~d01234",
      "2.16~16.1",
      "2.17~17.1",
      "2.18~18.1",
      "2.19~19.1",
      "2.20~20.1",
      "2.22~22.1",
      "2.24~24.1",
      "2.25~25.1",
      "2.27~27.1",
      "2.40~40.1~41.3",
      "2.40~40.1~41.23",
      "2.40~40.12~41.3",
      "2.40~40.12~41.23",
    ];
    expect(waysTo(definition, 30, { landmarks: new Set([25, 27]) }).toSorted()).toEqual(distinct.toSorted());
  });

  it("count No and Maybe only while a level question with a No is ahead, and only those of level questions", () => {
    const answers = (next: number, ...types: readonly ("Yes" | "Maybe" | "No")[]) =>
      types.map((type, index) => ({ id: index + 1, type, description: type, followUpQuestion: next }));
    const definition = questionnaire(
      [
        { id: 2, contents: [], options: answers(41, "Yes", "Maybe", "No") },
        { id: 41, type: "LevelQuestion", contents: [], options: answers(42, "Yes", "Maybe", "No") },
        { id: 42, type: "LevelQuestion", contents: [], options: answers(43, "Yes", "Maybe") },
        { id: 43, contents: [], options: answers(44, "Yes", "No") },
        { id: 44, contents: [], options: home },
      ],
      { lastLevelQuestionFollowUpQuestion: 43 },
    );
    const met = [41, 42, 43, 44].map((id) => waysTo(definition, id).length);
    expect(met).toEqual([1, 1, 1, 1]);
  });

  it("distinguish schedules while their own follow-up can still apply", () => {
    const definition = questionnaire(
      [
        { id: 2, contents: [{ type: "studySchedule" }], options: go(3), followUps: [{ followUpQuestion: 3 }] },
        { id: 3, contents: [{ type: "studySchedule", ...never }], options: go(4) },
        { id: 4, contents: [], options: go(5) },
        { id: 5, contents: [], options: home },
      ],
      { schedules: schedules.map((schedule) => (schedule.id === 1 ? { ...schedule, followUpQuestion: 4 } : schedule)) },
    );
    expect([3, 4, 5].map((id) => waysTo(definition, id))).toEqual([["2.1~s1", "2.1~s2"], ["2.1~3.1~s1"], ["2.1~3.1~4.1~s1"]]);
  });

  it("distinguish answers that decide the offered target levels while a text ahead needs one", () => {
    const both = [1, 2].map((id) => ({ id, description: "On" }));
    const definition = questionnaire([
      { id: 2, contents: [], options: both.map((option) => ({ ...option, followUpQuestion: 3 })) },
      { id: 3, contents: [], options: go(5) },
      {
        id: 4,
        type: "TargetLevelView",
        contents: [],
        options: [
          { id: 1, description: "Some", meta: { targetLevel: "intermediate" }, followUpQuestion: 5 },
          {
            id: 2,
            description: "All",
            meta: { targetLevel: "advanced" },
            followUpQuestion: 5,
            requirements: { type: "and", rules: [2, 5].map((questionId) => ({ questionId, optionId: 1 })) },
          },
        ],
      },
      { id: 5, contents: [], options: both.map((option) => ({ ...option, followUpQuestion: 6 })) },
      { id: 6, contents: [], options: go(7) },
      { id: 7, contents: [], options: home },
    ]);
    const met = (options: ExploreOptions) => [3, 5, 6, 7].map((id) => waysTo(definition, id, options).length);
    expect(met({})).toEqual([1, 1, 2, 2]);
    expect(met({ targetLevelAt: new Set([6]) })).toEqual([2, 2, 4, 2]);
  });

  it("let only visitors with an account go back to the sign-up screens", () => {
    const signup = (id: number, type: string, next: number): QuestionInput => ({
      id,
      type: "SignupView",
      contents: [{ type }],
      options: go(next),
    });
    const definition = questionnaire([
      { id: 2, contents: [], options: go(3) },
      signup(3, "signupEmail", 4),
      signup(4, "signupName", 5),
      signup(5, "signupPassword", 6),
      { id: 6, contents: [], options: go(7) },
      { id: 7, contents: [], options: home },
    ]);
    const account = (id: number) =>
      explore(definition)
        .situations.filter(({ state }) => state.currentQuestionId === id && visitorOf(state) === "new")
        .map(({ state }) => state.signupDone);
    expect([2, 3, 4, 5, 6, 7].map(account)).toEqual([[false], [false, true], [false, true], [false, true], [true], [true]]);
  });

  it("are not duplicated by an answer that no rule mentions", () => {
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

  it("stop at a limit, report it, and then prove nothing", () => {
    const { situations, complete } = explore(smallQuestionnaire);
    expect(complete).toBe(true);
    for (const [limit, enough] of [
      [20, false],
      [situations.length - 1, false],
      [situations.length, true],
    ] as const) {
      const limited = explore(smallQuestionnaire, { limit });
      expect([limited.complete, limited.situations.length]).toEqual([enough, limit]);
      for (const { ways } of limited.situations)
        for (const { next, to } of ways) if (to >= 0) expect(limited.situations[to]?.state.currentQuestionId).toBe(next);
    }
  });

  it("start with a new visitor, a signed-up one, and one with a known name", () => {
    const starts = startsOf(compile(smallQuestionnaire));
    expect(Object.values(starts).map(({ user, signupDone, currentQuestionId }) => [user, signupDone, currentQuestionId])).toEqual([
      [{}, false, 2],
      [{ uuid: "signedUp", email: "visitor@example.com", firstname: undefined }, true, 2],
      [{ uuid: "named", email: "visitor@example.com", firstname: "Visitor" }, true, 2],
    ]);
    expect(Object.values(starts).map(visitorOf)).toEqual(["new", "signedUp", "named"]);
  });

  it("forget choices and input of questions no longer in the history", () => {
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
    expect(kept(withoutUnreachedInput(compiled, at(2)))).toEqual(none);
    expect(kept(withoutUnreachedInput(compiled, at(2, 999)))).toEqual(none);
    expect(kept(withoutUnreachedInput(compiled, at(2, 60)))).toEqual({ ...none, schedule, studySchedule, programEndDate });
    expect(kept(withoutUnreachedInput(compiled, at(2, 61)))).toEqual({ ...none, days });
    expect(kept(withoutUnreachedInput(compiled, at(2, 67)))).toEqual({ ...none, user });
    expect(kept(withoutUnreachedInput(compiled, { ...at(2), user: { firstname: "Ana" } }))).toEqual(none);
    expect(kept(withoutUnreachedInput(compiled, { ...at(2), user: { email: "ana@example.com" } }))).toEqual(none);
    expect(kept(withoutUnreachedInput(compiled, { ...at(2, 60), signupDone: true }))).toEqual({
      ...none,
      schedule,
      studySchedule,
      programEndDate,
      user,
    });
    expect(withoutUnreachedInput(compiled, at(2, 60, 61, 68))).toEqual(at(2, 60, 61, 68));
    expect(withoutUnreachedInput(compiled, signedUp)).toEqual(signedUp);
  });

  it("include a country that no rule names, and one that requires consent", () => {
    const countries = (named: readonly string[], options?: ExploreOptions) =>
      explore(
        questionnaire([
          {
            id: 2,
            contents: [...named.map((country) => only({ countryIs: country })), only({ requiresMarketingConsent: "on" })].map((rules) => ({
              type: "paragraph",
              ...rules,
            })),
            options: home,
          },
        ]),
        options,
      ).contexts.map(({ country, requiresMarketingConsent }) => `${country} ${requiresMarketingConsent}`);
    const consent = { requiresConsent: (country: string) => marketingConsentCountries.has(country) };
    expect(countries(["MX"], consent)).toEqual(["MX false", "DE true", "US false"]);
    expect(countries(["MX", "DE"], consent)).toEqual(["MX false", "DE true", "US false", "AT true"]);
    expect(countries(["MX", "DE", "US"], consent)).toEqual(["MX false", "DE true", "US false", "AT true", "ZZ false"]);
    expect(countries(["MX", "DE", "US", ...marketingConsentCountries]).at(-1)).toBe("ZZ true");
  });

  it("represent each class of visitors once", () => {
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
    // BR (already named separately), AR, CL, all others; de-DE and the rest; three platforms; with and without consent.
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
});
