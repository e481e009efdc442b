import type { AddressedRoute } from "#core/routes.ts";
import { encodeAnswers } from "#core/questionnaire/answer-code.ts";
import { compile } from "#core/questionnaire/compile.ts";
import type { Questionnaire } from "#core/questionnaire/definition.ts";
import { initialState } from "#core/questionnaire/step.ts";
import { mexico, questionnaire, smallQuestionnaire, smallQuestions } from "#test/questionnaires.ts";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ConnectionError } from "../api/client.ts";
import { fakeApi, refusal } from "./fakeApi.ts";
import type { PageEvent } from "../analytics/event.ts";
import { createSession, readState, renderedSnapshot, type SessionParts } from "./session.ts";
import { deviceStore, type KeyValueStore, memoryStore } from "./storage.ts";
import type { SubmitOutcome } from "./submit.ts";

const compiled = compile(smallQuestionnaire);
const uuids = ["8a0b6c0e-0f55-4d5c-8f0b-1a2b3c4d5e6f", "0b1c2d3e-4f50-4152-8384-95a6b7c8d9e0"] as const;
const account = {
  token: "t1",
  refreshToken: "r1",
  backendUrl: "",
  user: { uuid: uuids[1], email: "ana@example.com", firstname: null },
  features: { questionnaire: { version: "76", completed: false, entitlementExists: false } },
};
const config = { uuid: uuids[0], questionnaireVersion: "76", completed: false, entitlementExists: false };

/** Everything a sign-up needs when all goes well. */
const well = {
  config: () => config,
  checkEmail: () => ({ available: true as const }),
  signup: () => ({ backendUrl: "", user: { uuid: uuids[1] } }),
  login: () => account,
  updateName: () => ({}),
  marketingConsent: () => ({}),
  studySchedule: () => ({}),
  questionnairePost: () => ({ savedAt: "2026-11-20T10:00:00Z" }),
};

function visit({
  answers = "",
  store = memoryStore(),
  api = fakeApi(well),
  definition = smallQuestionnaire,
}: {
  readonly answers?: string;
  readonly store?: KeyValueStore;
  readonly api?: ReturnType<typeof fakeApi>;
  readonly definition?: Questionnaire;
} = {}) {
  const went: (number | "home" | AddressedRoute)[] = [];
  const tracked: PageEvent[] = [];
  const reported: unknown[] = [];
  const parts: SessionParts = {
    store,
    api,
    track: (event) => void tracked.push(event),
    goTo: (questionId) => void went.push(questionId),
    goHome: () => void went.push("home"),
    leaveTo: (outcome: Exclude<SubmitOutcome, "answered">) =>
      void went.push("route" in outcome ? outcome.route : "questionId" in outcome ? outcome.questionId : "home"),
    now: () => new Date("2026-11-20T10:00:00Z"),
    report: (error) => void reported.push(error),
    submitting: () => import("./submit.ts"),
    saving: () => import("../account/saving.ts"),
    context: mexico,
  };
  const questionnaireOf = compile(definition);
  const session = createSession(questionnaireOf, renderedSnapshot(questionnaireOf, mexico, answers), parts);
  session.arrive();
  return { session, went, tracked, reported, store, api };
}

/** Modules that come when they are needed have come, and all timers have run. */
async function settled() {
  await vi.dynamicImportSettled();
  await vi.runAllTimersAsync();
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("answering", () => {
  test("an answer is kept on the device, tracked, and leads on", async () => {
    const { session, went, tracked, store } = visit();
    await session.choose(2, 1);
    expect(went).toEqual([3]);
    expect(readState(store)?.selectedOptions).toEqual([{ questionId: 2, optionId: 1 }]);
    expect(tracked).toContainEqual({ eventType: "QuestionnaireAnswer", payload: { questionnaire: "76", questionId: 2, optionId: 1 } });
  });

  test("the version, its theme and the answers are kept under their own keys, the password under none (spec 000 §3, spec 001 §9)", async () => {
    const { session, store } = visit();
    session.dispatch({ type: "setUser", user: { email: "ana@example.com", password: "hablo-mucho-9" } });
    await session.choose(2, 1);
    expect([store.get("questionnaireVersion"), store.get("theme")]).toEqual(["76", "parlando"]);
    expect(store.get("questionnaireState")).toContain("ana@example.com");
    expect(store.get("questionnaireState")).not.toContain("hablo-mucho-9");
  });

  test("an option that leaves goes home", async () => {
    const { session, went } = visit();
    await session.choose(2, 3);
    expect(went).toEqual(["home"]);
  });

  test("nothing is saved on the server before there is an account", async () => {
    const { session, api } = visit();
    await session.choose(2, 1);
    await settled();
    expect(api.calls).toEqual([]);
  });
});

describe("a questionnaire that the rules cannot follow (spec 000 §5)", () => {
  const without = (...ids: readonly number[]) => questionnaire(smallQuestions.filter(({ id }) => !ids.includes(id)));

  test.each([
    ["No history to go backwards! (question 3)", 3, 2, smallQuestionnaire],
    [
      "No followUpId found! (question 3, option 1)",
      3,
      1,
      questionnaire(smallQuestions.map((each) => (each.id === 3 ? { ...each, options: [{ id: 1, description: "Nowhere" }] } : each))),
    ],
    ["No such question! (question 41)", 3, 1, without(41)],
  ])("an answer says that it was not taken, and fails with: %s", async (message, questionId, optionId, definition) => {
    const { session, store } = visit({ definition });
    await expect(session.choose(questionId, optionId)).rejects.toThrow(message);
    expect(session.snapshot()).toMatchObject({ problem: "unexpected", busy: false, state: { selectedOptions: [] } });
    expect(store.get("questionnaireState")).toBeNull();
  });

  test.each([
    ["No PreparingProgram found!", without(73, 79)],
    ["No ThankYouView or program view found!", without(79, 80)],
  ])("nobody is finished without a program view, the operator is told: %s", (message, definition) => {
    const { session, reported } = visit({ definition });
    session.dispatch({ type: "signedUp", uuid: uuids[1] });
    session.shown(41);
    expect(reported.map(String)).toEqual([`QuestionnaireError: ${message}`]);
    expect(session.snapshot().state.finished).toBe(false);
  });
});

describe("coming back", () => {
  test("a reload resumes with the kept answers", async () => {
    const { session, store } = visit();
    await session.choose(2, 1);
    await session.choose(3, 1);
    const again = visit({ store });
    expect(again.session.snapshot().state.currentQuestionId).toBe(41);
    expect(again.session.rendered().state.currentQuestionId).toBe(2);
    expect(again.session.rendered().live).toBe(false);
  });

  test("answers of a link are taken over by a device that has none", () => {
    const { session } = visit({ answers: "2.2~3.1" });
    expect(encodeAnswers(session.snapshot().state)).toBe("2.2~3.1");
  });

  test("answers of a link count once: not again with a reload, by the same link, nor when the device had them", async () => {
    const answered = (...pairs: readonly (readonly [number, number])[]) =>
      pairs.map(([questionId, optionId]) => ({
        eventType: "QuestionnaireAnswer",
        payload: { questionnaire: "76", questionId, optionId },
      }));
    const { tracked, store } = visit({ answers: "2.2" });
    expect(tracked).toEqual([{ eventType: "QuestionnaireQuestionShown", payload: { questionId: 2 } }, ...answered([2, 2])]);
    const laterEvents = (more: Parameters<typeof visit>[0]) =>
      visit({ store, ...more }).tracked.filter(({ eventType }) => eventType === "QuestionnaireAnswer");
    expect([laterEvents({}), laterEvents({ answers: "2.2" })]).toEqual([[], []]);
    expect(laterEvents({ answers: "2.2~3.1" })).toEqual(answered([3, 1]));
    expect(laterEvents({ answers: "2.1" })).toEqual(answered([2, 1]));
  });

  test("a schedule that came in a link counts as chosen", () => {
    const { tracked, store } = visit({ answers: "2.2~s2" });
    const chosen = (events: readonly PageEvent[]) => events.filter(({ eventType }) => eventType === "StudyScheduleSelected");
    expect(chosen(tracked)).toMatchObject([{ payload: { questionnaire: "76", schedule: 2 } }]);
    expect(chosen(visit({ store, answers: "2.2~s2" }).tracked)).toEqual([]);
  });

  test("a link into the middle of the kept history keeps it whole", async () => {
    const { session, store } = visit();
    for (const [questionId, optionId] of [
      [2, 2],
      [3, 1],
      [41, 1],
    ] as const)
      await session.choose(questionId, optionId);
    expect(encodeAnswers(visit({ store, answers: "2.2" }).session.snapshot().state)).toBe("2.2~3.1~41.1");
  });

  test("a link with another answer cuts what followed it", async () => {
    const { session, store } = visit();
    for (const [questionId, optionId] of [
      [2, 2],
      [3, 1],
      [41, 1],
    ] as const)
      await session.choose(questionId, optionId);
    expect(encodeAnswers(visit({ store, answers: "2.1" }).session.snapshot().state)).toBe("2.1");
  });

  test("looking at one version leaves the answers of another, and gives them the visitor's id; the first answer takes their place", async () => {
    const store = memoryStore();
    const kept = { ...initialState(compiled), id: "83", currentQuestionId: 9, selectedOptions: [{ questionId: 2, optionId: 3 }] };
    store.set("questionnaireState", JSON.stringify({ ...kept, sync: { savedAt: null } }));
    store.set("questionnaireVersion", "83");
    const { session } = visit({ store });
    session.dispatch({ type: "setUser", user: { uuid: uuids[0] } });
    expect(readState(store)).toMatchObject({ ...kept, user: { uuid: uuids[0] } });
    expect([store.get("questionnaireState")?.includes("sync"), store.get("questionnaireVersion")]).toEqual([true, "83"]);
    await session.choose(2, 1);
    expect(readState(store)).toMatchObject({ id: "76", selectedOptions: [{ questionId: 2, optionId: 1 }], user: { uuid: uuids[0] } });
  });

  test("a kept state that is not one is nothing", () => {
    const store = memoryStore();
    store.set("questionnaireState", "{broken");
    expect(visit({ store }).session.snapshot().state.selectedOptions).toEqual([]);
  });

  test("blocked storage is no hindrance: the visit lasts as long as the page", async () => {
    const blocked = deviceStore(() => {
      throw new DOMException("denied", "SecurityError");
    });
    const { session, went } = visit({ store: blocked });
    await session.choose(2, 1);
    expect(went).toEqual([3]);
    expect(readState(blocked)?.currentQuestionId).toBe(3);
  });

  test("full storage keeps the newest value in memory", () => {
    const full = {
      getItem: () => "old",
      setItem: () => {
        throw new DOMException("full", "QuotaExceededError");
      },
      removeItem: () => {},
      clear: () => {},
      key: () => null,
      length: 1,
    };
    const store = deviceStore(() => full);
    store.set("theme", "Kosmo");
    expect(store.get("theme")).toBe("Kosmo");
  });
});

/** At the e-mail screen, with a schedule and days chosen. */
const toEmail = "2.1~3.1~41.1~42.1~43.1~44.1~54.1~55.1~56.1~60.1~61.1~s2~d0134";

async function signUp(api: ReturnType<typeof fakeApi>, store = memoryStore()) {
  const visitor = visit({ api, answers: toEmail, store });
  visitor.session.setField("email", "ana@example.com");
  await visitor.session.choose(67, 1);
  visitor.session.setField("password", "hablo-mucho-9");
  const stopped: unknown = await visitor.session.choose(68, 1).catch((error: unknown) => error);
  return { ...visitor, stopped };
}

describe("signing up", () => {
  test("e-mail, password and name go out in turn; the account's uuid replaces the visitor's; the password is kept nowhere", async () => {
    const { session, went, api, store } = await signUp(fakeApi(well));
    session.setField("firstname", " Ana ");
    await session.choose(69, 1);
    await settled();
    expect(went).toEqual([68, 69, 73]);
    const { state, fields } = session.snapshot();
    expect(state).toMatchObject({ signupDone: true, user: { uuid: uuids[1], email: "ana@example.com", firstname: "Ana" } });
    expect(api.calls.map(([name]) => name)).toEqual([
      "checkEmail",
      "config",
      "signup",
      "login",
      "studySchedule",
      "updateName",
      "questionnairePost",
    ]);
    expect(api.calls[2]?.[1]).toMatchObject({
      uuid: uuids[0],
      email: "ana@example.com",
      uiLanguage: "es-419",
      questionnaire: "76",
      version: "v5.7.8",
    });
    expect(api.calls[4]?.[1]).toEqual({
      uuid: uuids[1],
      id: 2,
      months: 6,
      practiseDaysPerWeek: 4,
      minutesPerSession: 20,
      days: [0, 1, 3, 4],
    });
    expect(JSON.stringify(api.calls[6])).not.toContain("hablo-mucho-9");
    expect(store.get("questionnaireState")).not.toContain("hablo-mucho-9");
    expect(fields.password).toBe("");
  });

  test("a wrong value shows at its field and sends nothing", async () => {
    const { session, went, api } = visit({ answers: toEmail });
    session.setField("email", "ana@");
    await session.choose(67, 1);
    expect(session.snapshot().errors).toEqual({ email: "validator_invalid_email" });
    expect([api.calls, went]).toEqual([[], []]);
    session.setField("email", "ana@example.com");
    expect(session.snapshot().errors).toEqual({});
  });

  test("what is wrong with a value is said when its field is left, an empty one too, and from then on with every key", () => {
    const { session } = visit({ answers: toEmail });
    session.setField("email", "ana@");
    expect(session.snapshot().errors).toEqual({});
    session.blurField("email");
    expect(session.snapshot().errors).toEqual({ email: "validator_invalid_email" });
    session.setField("email", "ana@example.com");
    expect(session.snapshot().errors).toEqual({});
    session.setField("email", "ana@example.");
    expect(session.snapshot().errors).toEqual({ email: "validator_invalid_email" });
    session.setField("email", "");
    expect(session.snapshot().errors).toEqual({ email: "validator_required" });
    // Shown again, the question begins anew.
    session.shown(67);
    expect(session.snapshot().errors).toEqual({});
    session.blurField("email");
    expect(session.snapshot().errors).toEqual({ email: "validator_required" });
  });

  test("whoever was led to the login by a call, and has come in, can answer again (decision 035)", async () => {
    const { session, went } = visit({ answers: toEmail });
    const silent = visit({ answers: toEmail, api: { ...fakeApi(well), call: () => new Promise(() => {}) } }).session;
    silent.setField("email", "ana@example.com");
    void silent.choose(67, 1);
    await settled();
    expect(silent.snapshot().busy).toBe(true);
    silent.adopt(session.snapshot().state);
    expect([silent.snapshot().busy, went]).toEqual([false, []]);
  });

  test("a registered address leads to the login with password", async () => {
    const { session, went, store } = visit({
      answers: toEmail,
      api: fakeApi({
        ...well,
        checkEmail: () => {
          throw refusal(1101);
        },
      }),
    });
    session.setField("email", "ana@example.com");
    await session.choose(67, 1);
    expect(went).toEqual(["questionnaire/user"]);
    expect(store.get("signupEmail")).toBe("ana@example.com");
  });

  test.each([
    [
      "no connection",
      () => {
        throw new ConnectionError("/api/check-email", null);
      },
      "connection",
    ],
    [
      "too many tries",
      () => {
        throw refusal(1429);
      },
      "tooMany",
    ],
  ] as const)("%s: the screen says so, keeps what was typed, and can be tried again", async (_name, checkEmail, problem) => {
    let works = false;
    const { session, went } = visit({
      answers: toEmail,
      api: fakeApi({ ...well, checkEmail: () => (works ? { available: true as const } : checkEmail()) }),
    });
    session.setField("email", "ana@example.com");
    await session.choose(67, 1);
    expect(session.snapshot()).toMatchObject({ problem, busy: false, fields: { email: "ana@example.com" } });
    works = true;
    await session.choose(67, 1);
    expect([went, session.snapshot().problem]).toEqual([[68], null]);
  });

  test("a uuid of another account is exchanged for a fresh one, once", async () => {
    const fresh = { ...config, uuid: uuids[1] };
    const api = fakeApi({
      ...well,
      config: (_input, time) => (time === 0 ? config : fresh),
      signup: (_input, time) => {
        if (time === 0) throw refusal(1100);
        return { backendUrl: "", user: { uuid: uuids[1] } };
      },
    });
    const { went } = await signUp(api);
    expect(api.calls.filter(([name]) => name === "signup").map(([, body]) => body)).toMatchObject([{ uuid: uuids[0] }, { uuid: uuids[1] }]);
    expect(went).toEqual([68, 69]);
  });

  test("a second 1100 is a failed sign-up", async () => {
    const { session, went, stopped } = await signUp(
      fakeApi({
        ...well,
        signup: () => {
          throw refusal(1100);
        },
      }),
    );
    expect(went).toEqual([68, "login/account-exists"]);
    expect(stopped).toEqual(new Error("Signup failed!", { cause: refusal(1100) }));
    expect(session.snapshot()).toMatchObject({
      problem: null,
      busy: false,
      fields: { password: "hablo-mucho-9" },
      state: { signupDone: false },
    });
  });

  test("an address registered meanwhile with another password leads to account-exists", async () => {
    const { went, stopped } = await signUp(
      fakeApi({
        ...well,
        signup: () => {
          throw refusal(1101);
        },
        login: () => {
          throw refusal(1001);
        },
      }),
    );
    expect(went.at(-1)).toBe("login/account-exists");
    expect(stopped).toEqual(new Error("Signup failed!", { cause: refusal(1001) }));
  });

  test("a sign-up whose answer was lost is finished by the next try", async () => {
    const api = fakeApi({
      ...well,
      signup: (_input, time) => {
        throw time === 0 ? new ConnectionError("/api/signup", null) : refusal(1101);
      },
    });
    const { session, went } = await signUp(api);
    expect(session.snapshot().problem).toBe("connection");
    await session.choose(68, 1);
    expect([went, session.snapshot().state.signupDone]).toEqual([[68, 69], true]);
  });

  test("a refused login after sign-up is a failed sign-up", async () => {
    const { session, went, stopped } = await signUp(
      fakeApi({
        ...well,
        login: () => {
          throw refusal(1001);
        },
      }),
    );
    expect(went.at(-1)).toBe("login/account-exists");
    expect(stopped).toEqual(new Error("Login failed!", { cause: refusal(1001) }));
    expect(session.snapshot().state.signupDone).toBe(false);
  });

  test("going back from a sign-up screen asks and sends nothing", async () => {
    const { session, went, api } = visit({ answers: toEmail });
    session.setField("email", "ana@example.com");
    await session.choose(67, 1);
    await session.choose(68, 2);
    expect([went, api.calls.map(([name]) => name)]).toEqual([[68, 67], ["checkEmail"]]);
  });
});

describe("the end of the questions", () => {
  test("the program view finishes the questionnaire, once, and only for who has signed up", async () => {
    const visitor = visit({ answers: toEmail });
    visitor.session.shown(80);
    expect(visitor.session.snapshot().state.finished).toBe(false);
    const { session, tracked } = await signUp(fakeApi(well));
    tracked.length = 0;
    session.shown(73);
    expect(session.snapshot().state.finished).toBe(false);
    session.shown(80);
    session.shown(80);
    expect(session.snapshot().state).toMatchObject({ finished: true, finishedTimestamp: "2026-11-20T10:00:00.000Z" });
    expect(tracked.filter(({ eventType }) => eventType === "QuestionnaireQuestionShown").map(({ payload }) => payload)).toEqual([
      { questionId: 73 },
      { questionId: 80 },
      { questionId: 80 },
    ]);
  });
});

describe("saving on the server", () => {
  test("changes are gathered and saved once", async () => {
    const { session, api } = await signUp(fakeApi(well));
    session.setField("firstname", "Ana");
    await session.choose(69, 1);
    await session.choose(73, 1);
    await settled();
    expect(api.calls.filter(([name]) => name === "questionnairePost")).toHaveLength(1);
  });

  test("what could not be saved is saved by the next chance", async () => {
    const { session, api } = await signUp(
      fakeApi({
        ...well,
        questionnairePost: (_input, time) => {
          if (time === 0) throw new ConnectionError("/api/questionnaire", null);
          return { savedAt: "2026-11-20T10:00:00Z" };
        },
      }),
    );
    await settled();
    await session.flush(false);
    await session.flush(false);
    expect(api.calls.filter(([name]) => name === "questionnairePost")).toHaveLength(2);
  });

  test("a schedule changed after sign-up is saved for the account", async () => {
    const { session, api } = await signUp(fakeApi(well));
    session.dispatch({ type: "chooseSchedule", scheduleId: 3 });
    await settled();
    expect(api.calls.filter(([name]) => name === "studySchedule").at(-1)?.[1]).toMatchObject({ id: 3, months: 3 });
  });
});
