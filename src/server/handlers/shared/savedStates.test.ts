import { maxStateBytes } from "#core/api.ts";
import { savedState } from "#core/questionnaire/saved.ts";
import type { State } from "#core/questionnaire/state.ts";
import { initialState, type QuestionnaireEvent, step } from "#core/questionnaire/step.ts";
import { createTestApp, type TestApp, sampledDatabases } from "#test/app.ts";
import { mexico, smallQuestionnaire } from "#test/questionnaires.ts";
import { compiledOf } from "#server/base/compiled.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const compiled = compiledOf(smallQuestionnaire);
const answers = (...pairs: readonly (readonly [number, number])[]): QuestionnaireEvent[] =>
  pairs.map(([questionId, optionId]) => ({ type: "answer", questionId, optionId }));
const walked = (events: readonly QuestionnaireEvent[], from: State = initialState(compiled)): State =>
  events.reduce((state, event) => step(compiled, state, event, mexico).state, from);
/** The state after a walk to the schedule question and past it. */
const midway = walked([
  ...answers([2, 1], [3, 1], [41, 1], [42, 3], [43, 3], [53, 1], [55, 1], [56, 1]),
  { type: "chooseSchedule", scheduleId: 2 },
  ...answers([60, 1]),
]);

describe.each(sampledDatabases)("saved states on %s", (database) => {
  let t: TestApp;
  let uuid = "";
  let token = "";
  const save = (state: unknown, more: Record<string, unknown> = {}) => ({ token, body: { state, userLevel: "beginner", ...more } });

  beforeAll(async () => {
    t = await createTestApp({ database });
  });
  afterAll(() => t.close());
  const freshAccount = async () => {
    const session = await t.logIn(await t.signUp());
    uuid = session.user.uuid;
    token = session.token;
  };

  it("are null before the first save", async () => {
    await freshAccount();
    expect(await t.call("questionnaireGet", { token, query: { uuid } })).toEqual({ state: null });
  });

  it("come back as they were saved, with the account's uuid", async () => {
    await freshAccount();
    const { savedAt } = await t.call("questionnairePost", save(savedState(midway)));
    const kept = await t.call("questionnaireGet", { token, query: { uuid } });
    expect(kept).toEqual({ state: { ...midway, user: { uuid } }, savedAt });
    expect(savedAt).toBe(new Date(t.world.now()).toISOString());
    const { questionnaire } = await t.call("accountExport", { token });
    expect(questionnaire).toMatchObject({ version: "76", level: "beginner", savedAt });
    const told = compiled.definition.questions.find(({ id }) => id === 2)?.options.find(({ id }) => id === 1)?.description;
    expect(questionnaire).toHaveProperty(["answers", 0, "answer"], String(told));
    expect(questionnaire).toHaveProperty("answers.length", midway.selectedOptions.length);
    // Each answer stands beside its question's title, in words.
    for (const { questionId, optionId } of midway.selectedOptions) {
      const asked = compiled.definition.questions.find(({ id }) => id === questionId);
      const title = asked?.contents.find(({ type }) => type === "title");
      expect(questionnaire).toHaveProperty(
        "answers",
        expect.arrayContaining([
          {
            question: title !== undefined && "text" in title ? String(title["text"]) : null,
            answer: String(asked?.options.find(({ id }) => id === optionId)?.description),
          },
        ]),
      );
    }
    const days = walked([{ type: "chooseDays", days: [0, 4] }], midway);
    await t.call("questionnairePost", save(savedState(days)));
    expect(await t.call("accountExport", { token })).toHaveProperty("questionnaire.practice", {
      days: ["lunes", "viernes"],
      minutesPerSession: midway.studySchedule?.minutesPerSession,
      until: midway.programEndDate,
    });
  });

  it("have short lists and texts, because each reading reads them whole: 15,000 items made 140 readings a second occupy the process", async () => {
    await freshAccount();
    const listed = (items: number, length = 1) => ({ ...savedState(midway), skillsToImprove: Array(items).fill("x".repeat(length)) });
    await t.call("questionnairePost", save(listed(100, 100)));
    for (const state of [listed(101), listed(1, 101), { ...savedState(midway), user: { firstname: "x".repeat(256) } }])
      expect(await t.refusal("questionnairePost", save(state))).toMatchObject({ code: 1000 });
    // Refused before its items are checked.
    expect(await t.refusal("questionnairePost", save(listed(15_000)))).toMatchObject({
      code: 1000,
      fields: { "": "validator_too_long" },
    });
  });

  it("do not change when the same state is saved again", async () => {
    await freshAccount();
    const first = await t.call("questionnairePost", save(savedState(midway)));
    t.world.pass(5_000);
    expect(await t.call("questionnairePost", save(savedState(midway)))).toEqual(first);
    expect(await t.call("questionnairePost", save(savedState(midway), { savedAt: "2020-01-01T00:00:00.000Z" }))).toEqual(first);
  });

  it("are not overwritten by a state built on an older save (1409), whose sender learns the newer one's time", async () => {
    await freshAccount();
    const first = await t.call("questionnairePost", save(savedState(midway)));
    const further = walked(answers([61, 1]), midway);
    const second = await t.call("questionnairePost", save(savedState(further), { savedAt: first.savedAt }));
    const elsewhere = walked(answers([2, 2]), midway);
    expect(await t.refusal("questionnairePost", save(savedState(elsewhere), { savedAt: first.savedAt }))).toMatchObject({
      code: 1409,
      fields: { savedAt: second.savedAt },
    });
    await t.call("questionnairePost", save(savedState(elsewhere), { savedAt: second.savedAt }));
    const { state } = await t.call("questionnaireGet", { token, query: { uuid } });
    expect(state).toMatchObject({ selectedOptions: [{ questionId: 2, optionId: 2 }] });
  });

  it("never share a time, even when the clock stands still or is set back", async () => {
    await freshAccount();
    const times = [];
    for (const option of [1, 2, 1, 2])
      times.push((await t.call("questionnairePost", save(savedState(walked(answers([2, option])))))).savedAt);
    expect(new Set(times).size).toBe(4);
    expect(times.toSorted()).toEqual(times);
  });

  it("let exactly one of several built on the same save win", async () => {
    await freshAccount();
    const { savedAt } = await t.call("questionnairePost", save(savedState(midway)));
    const states = [1, 2].flatMap((first) => [1, 2].map((third) => walked(answers([2, first], [3, 1], [41, third]))));
    const statuses = await Promise.all(
      states.map(async (state) => (await t.send("questionnairePost", save(savedState(state), { savedAt }))).statusCode),
    );
    expect(statuses.toSorted()).toEqual([200, 409, 409, 409]);
  });

  it("with a password are refused and not stored (1000)", async () => {
    await freshAccount();
    const state = { ...midway, user: { uuid, password: "correct horse" } };
    expect(await t.refusal("questionnairePost", save(state))).toMatchObject({
      code: 1000,
      fields: { "state.user.password": "validator_no_password" },
    });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["of an unknown version", { id: "12" }, "state.id"],
    ["with an unknown question", { selectedOptions: [{ questionId: 7, optionId: 1 }], visitedQuestionIds: [7] }, "state.selectedOptions"],
    ["with an unknown option", { selectedOptions: [{ questionId: 2, optionId: 9 }], visitedQuestionIds: [2] }, "state.selectedOptions"],
    [
      "with an answer given twice",
      {
        selectedOptions: [
          { questionId: 2, optionId: 1 },
          { questionId: 2, optionId: 2 },
        ],
        visitedQuestionIds: [2, 2],
      },
      "state.visitedQuestionIds",
    ],
    [
      "with a visit that has no answer",
      { selectedOptions: [{ questionId: 2, optionId: 1 }], visitedQuestionIds: [2, 3] },
      "state.visitedQuestionIds",
    ],
    [
      "with a number written as a text, in the history and in the answers alike",
      {
        selectedOptions: [
          { questionId: 2, optionId: 1 },
          { questionId: "3", optionId: 1 },
        ],
        visitedQuestionIds: [2, "3"],
      },
      "state.visitedQuestionIds",
    ],
    ["at an unknown question", { currentQuestionId: 700 }, "state.currentQuestionId"],
    ["with an unknown schedule", { schedule: 9 }, "state.schedule"],
    ["with a day that no week has", { days: [7] }, "state.days.0"],
    ["with more days than a week has", { days: Array<number>(8).fill(0) }, "state.days"],
    ["without a list", { visitedQuestionIds: undefined }, "state.visitedQuestionIds"],
    ["with a list that is none", { selectedOptions: { length: 0 } }, "state.selectedOptions"],
    ["with a visit that is no number", { visitedQuestionIds: ["2"] }, "state.visitedQuestionIds"],
    ["with a visit below the first", { visitedQuestionIds: [0] }, "state.visitedQuestionIds"],
    ["with a visit between two", { visitedQuestionIds: [2.5] }, "state.visitedQuestionIds"],
    ["with nothing for an answer", { selectedOptions: [null] }, "state.selectedOptions"],
    ["with a text for an answer", { selectedOptions: ["2.1"] }, "state.selectedOptions"],
    ["with an answer to nothing", { selectedOptions: [{ optionId: 1 }], visitedQuestionIds: [2] }, "state.selectedOptions"],
    ["with a question without an answer", { selectedOptions: [{ questionId: 2 }], visitedQuestionIds: [2] }, "state.selectedOptions"],
    [
      "with more answers than any way has",
      { visitedQuestionIds: Array.from({ length: 501 }, (_, id) => id + 1) },
      "state.visitedQuestionIds",
    ],
    ["an end of the program that is no date", { programEndDate: "soon<b>" }, "state.programEndDate"],
    ["a time of finishing that is none", { finishedTimestamp: "soon" }, "state.finishedTimestamp"],
  ])("%s are refused (1000)", async (_name, change, field) => {
    await freshAccount();
    expect(await t.refusal("questionnairePost", save({ ...midway, ...change }))).toMatchObject({
      code: 1000,
      fields: { [field]: expect.any(String) },
    });
  });

  it("take the schedule's months and minutes from the definition, and drop unknown fields", async () => {
    await freshAccount();
    await t.call(
      "questionnairePost",
      save({ ...midway, studySchedule: { id: 2, months: 99, practiseDaysPerWeek: 1, minutesPerSession: 1 }, entitlement: "active" }),
    );
    const { state } = await t.call("questionnaireGet", { token, query: { uuid } });
    expect(state).toMatchObject({ studySchedule: { id: 2, months: 6, practiseDaysPerWeek: 4, minutesPerSession: 20 } });
    expect(state).not.toHaveProperty("entitlement");
  });

  it("over 64 KB are too large (1413)", async () => {
    await freshAccount();
    expect(await t.refusal("questionnairePost", save({ ...midway, skillsToImprove: ["x".repeat(maxStateBytes)] }))).toMatchObject({
      code: 1413,
    });
  });

  it("of another account and of no account get the same answer (1403)", async () => {
    const stranger = await t.signUp();
    await freshAccount();
    expect(await t.refusal("questionnaireGet", { token, query: { uuid: stranger.uuid } })).toMatchObject({ code: 1403 });
    expect(await t.refusal("questionnaireGet", { token, query: { uuid: t.world.uuid() } })).toMatchObject({ code: 1403 });
    expect(await t.refusal("questionnairePost", save({ ...midway, user: { uuid: stranger.uuid } }))).toMatchObject({ code: 1403 });
    expect(await t.refusal("questionnaireGet", { query: { uuid } })).toMatchObject({ code: 1002 });
    expect(await t.refusal("questionnairePost", { body: { state: midway } })).toMatchObject({ code: 1002 });
    expect(await t.refusal("questionnaireGet", { token, query: { uuid: "x" } })).toMatchObject({ code: 1000 });
  });

  it("give login and token renewal the version, and whether it is completed", async () => {
    const person = await t.signUp();
    const session = await t.logIn(person);
    const finished = walked([{ type: "finish", at: "2026-11-20T12:00:00.000Z" }], midway);
    await t.call("questionnairePost", { token: session.token, body: { state: savedState(finished), userLevel: null } });
    const { features, refreshToken } = await t.logIn(person);
    expect(features.questionnaire).toEqual({ version: "76", completed: true, entitlementExists: false });
    expect((await t.call("refresh", { body: { refreshToken } })).features).toEqual(features);
  });

  it("can be saved at most 120 times a minute per account (1429)", async () => {
    await freshAccount();
    const statuses = [];
    for (let n = 0; n <= 120; n++) statuses.push((await t.send("questionnairePost", save(savedState(midway)))).statusCode);
    expect(statuses.filter((status) => status === 200)).toHaveLength(120);
    expect(statuses.at(-1)).toBe(429);
  });

  it("have the chosen schedule with them, the latest choice", async () => {
    await freshAccount();
    const body = { uuid, id: 2, months: 6, practiseDaysPerWeek: 4, minutesPerSession: 20, days: [4, 0, 2, 0] };
    await t.call("studySchedule", { token, body });
    await t.call("studySchedule", { token, body: { ...body, id: 3, months: 3 } });
    expect(
      await t.store.read.selectFrom("study_schedules").select(["schedule_id", "months", "days"]).where("account_uuid", "=", uuid).execute(),
    ).toEqual([{ schedule_id: 3, months: 3, days: "[0,2,4]" }]);
    expect(await t.refusal("studySchedule", { token, body: { ...body, uuid: t.world.uuid() } })).toMatchObject({ code: 1403 });
    expect(await t.refusal("studySchedule", { token, body: { ...body, days: [9] } })).toMatchObject({ code: 1000 });
    expect(await t.refusal("studySchedule", { body })).toMatchObject({ code: 1002 });
  });

  it("keep the previous schedule when the new one has an impossible id", async () => {
    await freshAccount();
    const body = { uuid, id: 1_000_000, months: 6, practiseDaysPerWeek: 4, minutesPerSession: 20, days: [0] };
    await t.call("studySchedule", { token, body });
    for (const id of [1_000_001, 2 ** 31, Number.MAX_SAFE_INTEGER, 0, -1, 1.5, "2", null, undefined])
      expect([id, await t.refusal("studySchedule", { token, body: { ...body, id } })]).toEqual([
        id,
        expect.objectContaining({ code: 1000, fields: { id: expect.any(String) } }),
      ]);
    expect(await t.store.read.selectFrom("study_schedules").select("schedule_id").where("account_uuid", "=", uuid).execute()).toEqual([
      { schedule_id: 1_000_000 },
    ]);
  });

  it("have the popups that were shown with them, each once", async () => {
    await freshAccount();
    const body = { uuid, questionnaire: "76", popupId: "MarketingConsent" };
    await t.call("popup", { token, body });
    await t.call("popup", { token, body });
    expect(await t.store.read.selectFrom("popups").selectAll().where("account_uuid", "=", uuid).execute()).toMatchObject([
      { questionnaire: "76", popup_id: "MarketingConsent" },
    ]);
    for (const made of [{ popupId: "" }, { popupId: "made up" }, { questionnaire: "1234" }])
      expect(await t.refusal("popup", { token, body: { ...body, ...made } })).toMatchObject({ code: 1000 });
    expect(await t.refusal("popup", { token, body: { ...body, uuid: t.world.uuid() } })).toMatchObject({ code: 1403 });
    expect(await t.refusal("popup", { body })).toMatchObject({ code: 1002 });
  });
});
