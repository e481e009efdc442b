import type { AddressedRoute } from "#core/routes.ts";
import { encodeAnswers, replayAnswers } from "#core/questionnaire/answer-code.ts";
import { compile } from "#core/questionnaire/compile.ts";
import type { Questionnaire } from "#core/questionnaire/definition.ts";
import { savedState } from "#core/questionnaire/saved.ts";
import { type State, stateSchema } from "#core/questionnaire/state.ts";
import { initialState } from "#core/questionnaire/step.ts";
import { mexico, questionnaire, smallQuestionnaire, smallQuestions } from "#test/questionnaires.ts";
import * as v from "valibot";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError, ConnectionError } from "../api/request.ts";
import { fakeApi, refusal } from "./fakeApi.ts";
import type { PageEvent } from "./event.ts";
import { createSession, frozenSession, renderedSnapshot, type SessionParts } from "./session.ts";
import { accountAddress } from "../device/accountAddress.ts";
import { saveSession } from "../device/cachedConfig.ts";
import { readState } from "../device/readState.ts";
import { storedSync } from "../device/storedState.ts";
import { deviceStore, type KeyValueStore, memoryStore, removeTokens, saveTokens, storageKeys } from "../device/storage.ts";
import { clearPersonalData } from "../shell/logOut.ts";
import type { SavingParts } from "./saving.ts";
import type { SubmitOutcome } from "./submit.ts";
// Sessions import both modules while a test runs. They are imported here first: otherwise a mutation test would count the tables in them
// for a single test.
import "./saving.ts";
import "./submit.ts";

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

/** Responses for a successful sign-up. */
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
  ...others
}: {
  readonly answers?: string;
  readonly store?: KeyValueStore;
  readonly api?: ReturnType<typeof fakeApi>;
  readonly definition?: Questionnaire;
} & Partial<SessionParts> = {}) {
  const went: (number | "home" | AddressedRoute)[] = [];
  const tracked: PageEvent[] = [];
  const reported: unknown[] = [];
  const reportedWhenLeaving: unknown[] = [];
  const submitting = vi.fn(others.submitting ?? (() => import("./submit.ts")));
  const saving = vi.fn(others.saving ?? (() => import("./saving.ts")));
  const parts: SessionParts = {
    store,
    stored: readState(store),
    api,
    track: (event) => void tracked.push(event),
    goTo: (questionId) => void went.push(questionId),
    goHome: () => void went.push("home"),
    release: "0123456789ab",
    isOfVersion: others.isOfVersion ?? (() => true),
    leaveFor: others.leaveFor ?? (() => undefined),
    laterAnswers: others.laterAnswers ?? [],
    leaveTo: (outcome: Exclude<SubmitOutcome, "answered">) => {
      reportedWhenLeaving.push(...reported);
      went.push("route" in outcome ? outcome.route : "questionId" in outcome ? outcome.questionId : "home");
    },
    now: others.now ?? (() => new Date("2026-11-20T10:00:00Z")),
    report: (error) => void reported.push(error),
    submitting,
    saving,
    context: mexico,
    ...(others.moved === undefined ? {} : { moved: others.moved }),
  };
  const questionnaireOf = compile(definition);
  const session = createSession(questionnaireOf, renderedSnapshot(questionnaireOf, mexico, answers), parts);
  session.arrive();
  return { session, went, tracked, reported, reportedWhenLeaving, store, api, submitting, saving };
}

/** Waits until dynamic imports have loaded and all timers have run. */
async function settled() {
  await vi.dynamicImportSettled();
  await vi.runAllTimersAsync();
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test.each([true, false])(
  "an account that answered another version on this device gets its own answers again on its own version's page (unsaved: %s)",
  async (unsaved) => {
    const savedAt = "2026-11-20T10:00:00.000Z";
    const store = memoryStore();
    store.set("token", `h.${btoa(JSON.stringify({ sub: uuids[1] }))}.s`);
    const elsewhere = { ...replayAnswers(compiled, "2.2", mexico), id: "83", user: { uuid: uuids[1] } };
    store.set("questionnaireState", JSON.stringify({ ...savedState(elsewhere), sync: { savedAt, synced: 2, unsaved } }));
    const own = v.parse(
      stateSchema,
      savedState({ ...replayAnswers(compiled, "2.1~3.1", mexico), user: { uuid: uuids[1] }, signupDone: true }),
    );
    const { session, saving } = visit({ store, api: fakeApi({ ...well, questionnaireGet: () => ({ state: own, savedAt }) }) });
    await session.catchUp(true);
    await settled();
    expect([encodeAnswers(session.snapshot().state), session.snapshot().state.signupDone]).toEqual(["2.1~3.1", true]);
    expect(storedSync(store)).toEqual({ savedAt, synced: 2, unsaved: false });
    expect(saving).toHaveBeenCalledOnce();
  },
);

test("an answer changed on a device whose session has ended counts as one that the server lacks, so that the next login keeps it", async () => {
  const store = memoryStore();
  const kept = { ...replayAnswers(compiled, "2.1~3.1", mexico), user: { uuid: uuids[1] }, signupDone: true };
  const sync = { savedAt: "2026-11-20T10:00:00.000Z", synced: 2, unsaved: false };
  store.set("questionnaireState", JSON.stringify({ ...savedState(kept), sync }));
  const { session } = visit({ store });
  session.dispatch({ type: "answer", questionId: 2, optionId: 2 });
  await settled();
  expect(encodeAnswers(session.snapshot().state)).toBe("2.2");
  expect(storedSync(store)).toEqual({ ...sync, synced: 0, unsaved: true });
});

test("answers count as unsaved as soon as they are given, also where the module that saves them does not load", async () => {
  const store = memoryStore();
  const kept = { ...replayAnswers(compiled, "2.1~3.1", mexico), user: { uuid: uuids[1] }, signupDone: true };
  const sync = { savedAt: "2026-11-20T10:00:00.000Z", synced: 2, unsaved: false };
  store.set("questionnaireState", JSON.stringify({ ...savedState(kept), sync }));
  const { session } = visit({ store, saving: () => Promise.reject(new Error("offline")) });
  session.dispatch({ type: "answer", questionId: 41, optionId: 1 });
  await settled();
  expect(storedSync(store)).toEqual({ ...sync, unsaved: true });
});

test("a state taken over by a page that ends before the saving module has loaded is stored with its own record", async () => {
  const store = memoryStore();
  const kept = { ...replayAnswers(compiled, "2.1~3.1", mexico), user: { uuid: uuids[1] }, signupDone: true };
  const { session } = visit({ store, saving: () => new Promise(() => {}) });
  session.adopt(kept);
  expect(storedSync(store)).toEqual({ synced: 0, unsaved: true });
  session.adopt(kept, "2026-11-20T11:00:00.000Z");
  expect(storedSync(store)).toEqual({ savedAt: "2026-11-20T11:00:00.000Z", synced: 2, unsaved: true });
});

test("nothing about the visit is stored again after a logout has cleared the device (spec 000 §4)", async () => {
  const { session, store } = await signUp(fakeApi(well));
  await settled();
  session.adopt(initialState(compiled));
  clearPersonalData(store);
  await settled();
  expect(storageKeys.filter((key) => store.get(key) !== null)).toEqual([]);
});

test.each(["save", "look at the server's copy", "module that saves"])(
  "nothing is stored again when a %s that was underway comes after a logout",
  async (late) => {
    const store = memoryStore();
    store.set("token", `h.${btoa(JSON.stringify({ sub: uuids[1] }))}.s`);
    const kept = { ...replayAnswers(compiled, "2.1~3.1", mexico), user: { uuid: uuids[1] }, signupDone: true };
    const savedAt = "2026-11-20T10:00:00.000Z";
    store.set("questionnaireState", JSON.stringify({ ...savedState(kept), sync: { savedAt, synced: 2, unsaved: false } }));
    const { promise: comes, resolve: come } = Promise.withResolvers<void>();
    const api = fakeApi({
      questionnairePost: async () => {
        await comes;
        return { savedAt };
      },
      questionnaireGet: async () => {
        await comes;
        return { state: v.parse(stateSchema, savedState(kept)), savedAt };
      },
    });
    const saving = async () => {
      if (late === "module that saves") await comes;
      return import("./saving.ts");
    };
    const { session } = visit({ store, api, saving });
    if (late === "look at the server's copy") void session.catchUp(true);
    else session.dispatch({ type: "answer", questionId: 41, optionId: 1 });
    await settled();
    session.adopt(initialState(compiled));
    clearPersonalData(store);
    come();
    await settled();
    expect(api.calls).toHaveLength(late === "module that saves" ? 0 : 1);
    expect(storageKeys.filter((key) => store.get(key) !== null)).toEqual([]);
  },
);

describe("answering", () => {
  test("a page that stays open for days counts from today (spec 000 §4)", () => {
    let now = new Date("2026-11-20T10:00:00Z");
    const { session } = visit({ now: () => now });
    now = new Date("2026-11-23T10:00:00Z");
    session.choose(2, 1);
    expect(session.snapshot().context.today).toBe("2026-11-23");
    const { context } = session.snapshot();
    session.choose(3, 1);
    expect(session.snapshot().context).toBe(context);
  });

  test("an answer is kept on the device, tracked, and leads on", async () => {
    const { session, went, tracked, store } = visit();
    await session.choose(2, 1);
    expect(went).toEqual([3]);
    expect(readState(store)?.selectedOptions).toEqual([{ questionId: 2, optionId: 1 }]);
    expect(tracked).toContainEqual({ eventType: "QuestionnaireAnswer", payload: { questionnaire: "76", questionId: 2, optionId: 1 } });
    // Nothing is to be sent before there is an account.
    expect(storedSync(store)).toBeUndefined();
  });

  test("the version, its theme and the answers are kept under their own keys, the password under none (spec 000 §3, spec 001 §9)", async () => {
    const { session, store } = visit();
    session.dispatch({ type: "setUser", user: { email: "ana@example.com", password: "hablo-mucho-9" } });
    await session.choose(2, 1);
    expect([store.get("questionnaireVersion"), store.get("theme")]).toEqual(["76", "parlando"]);
    store.set("theme", "Kosmo");
    await session.choose(3, 1);
    expect(store.get("theme")).toBe("Kosmo");
    expect(store.get("questionnaireState")).toContain("ana@example.com");
    expect(store.get("questionnaireState")).not.toContain("hablo-mucho-9");
  });

  test("an option that leaves goes home", async () => {
    const { session, went } = visit();
    await session.choose(2, 3);
    expect(went).toEqual(["home"]);
  });

  test("without an account nothing is sent, and the saving module is not loaded", async () => {
    const { session, api, submitting, saving } = visit();
    await session.choose(2, 1);
    await session.flush(true);
    await settled();
    expect([api.calls, submitting.mock.calls, saving.mock.calls]).toEqual([[], [], []]);
  });

  test("subscribers are told of each change, and of nothing else", async () => {
    const { session } = visit();
    const changed = vi.fn();
    const leave = session.subscribe(changed);
    session.shown(2);
    expect(changed).not.toHaveBeenCalled();
    await session.choose(2, 1);
    expect(changed).toHaveBeenCalled();
    expect(session.snapshot()).toMatchObject({ live: true, tried: { questionId: 2, optionId: 1 } });
    changed.mockClear();
    leave();
    await session.choose(3, 1);
    expect(changed).not.toHaveBeenCalled();
  });

  test("a changed context changes the next questions", async () => {
    const { session, went } = visit();
    session.setContext({ country: "BR" });
    expect(session.snapshot().context).toEqual({ ...mexico, country: "BR" });
    await session.choose(2, 1);
    await session.choose(3, 1);
    expect(went).toEqual([3, 4]);
  });
});

describe("a questionnaire with an engine error (spec 000 §5)", () => {
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
    ["No such question! (question 999)", 999, 1, smallQuestionnaire],
    ["No such option! (question 67, option 9)", 67, 9, smallQuestionnaire],
  ])("an answer shows that it failed, and throws: %s", async (message, questionId, optionId, definition) => {
    const { session, store } = visit({ definition });
    await expect(session.choose(questionId, optionId)).rejects.toThrow(message);
    expect(session.snapshot()).toMatchObject({ problem: "unexpected", busy: false, state: { selectedOptions: [] } });
    expect(store.get("questionnaireState")).toBeNull();
  });

  test.each([
    ["No PreparingProgram found!", without(73, 79)],
    ["No ThankYouView or program view found!", without(79, 80)],
  ])("without a program view nobody finishes, and the error is reported: %s", (message, definition) => {
    const { session, reported } = visit({ definition });
    session.dispatch({ type: "signedUp", uuid: uuids[1] });
    session.shown(41);
    expect(reported.map(String)).toEqual([`QuestionnaireError: ${message}`]);
    expect(session.snapshot().state.finished).toBe(false);
  });
});

test("on the server a session never changes", async () => {
  const rendered = renderedSnapshot(compiled, mexico, "2.1");
  const frozen = frozenSession(compiled, rendered);
  frozen.subscribe(() => {})();
  await frozen.choose(3, 1);
  expect([frozen.snapshot(), frozen.rendered(), frozen.release]).toEqual([rendered, rendered, ""]);
  expect(frozen.choose(3, 1)).toBeInstanceOf(Promise);
});

describe("coming back", () => {
  test("a reload resumes with the stored answers", async () => {
    const { session, store } = visit();
    await session.choose(2, 1);
    await session.choose(3, 1);
    const again = visit({ store });
    expect(again.session.snapshot().state.currentQuestionId).toBe(41);
    expect(again.session.rendered().state.currentQuestionId).toBe(2);
    expect(again.session.rendered().live).toBe(false);
  });

  test("a device without answers takes over a link's answers", () => {
    const { session } = visit({ answers: "2.2~3.1" });
    expect(encodeAnswers(session.snapshot().state)).toBe("2.2~3.1");
  });

  test("a link's answers count once: not after a reload, with the same link, or if the device had them", async () => {
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

  test("the question of a link's answer counts as shown once, also where the page shows it, and again when the visitor comes back to it", () => {
    const shown = (...ids: readonly number[]) => {
      const { session, tracked } = visit({ answers: "2.2" });
      for (const id of ids) session.shown(id);
      return tracked.flatMap(({ eventType, payload }) => (eventType === "QuestionnaireQuestionShown" ? [payload["questionId"]] : []));
    };
    expect([shown(2), shown(3), shown(2, 3, 2), shown(3, 2)]).toEqual([[2], [2, 3], [2, 3, 2], [2, 3, 2]]);
  });

  test("a schedule in a link counts as chosen", () => {
    const { tracked, store } = visit({ answers: "2.2~s2" });
    const typesWith = (answers: string) => visit({ store, answers }).tracked.map(({ eventType }) => eventType);
    expect(tracked).toMatchObject([
      { eventType: "QuestionnaireQuestionShown" },
      { eventType: "QuestionnaireAnswer" },
      { eventType: "StudyScheduleSelected", payload: { questionnaire: "76", schedule: 2 } },
    ]);
    expect(typesWith("2.2~s2")).toEqual([]);
    expect(typesWith("2.1~s2")).toEqual(["QuestionnaireQuestionShown", "QuestionnaireAnswer"]);
    expect(typesWith("2.1~s1")).toEqual(["StudyScheduleSelected"]);
  });

  test("analytics is told of the visitor's actions and a link's answers, not of states from elsewhere", async () => {
    const moves: (readonly [string, string])[] = [];
    const moved = vi.fn<NonNullable<SessionParts["moved"]>>((...states) => {
      const [before, after] = states.map(encodeAnswers);
      moves.push([before ?? "", after ?? ""]);
    });
    const { session, store } = visit({ answers: "2.2", moved });
    await session.choose(3, 1);
    session.adopt({ ...session.snapshot().state, selectedOptions: [{ questionId: 2, optionId: 1 }] });
    visit({ store, moved });
    expect(moves).toEqual([
      ["", "2.2"],
      ["2.2", "2.2~3.1"],
    ]);
  });

  test("a link into the middle of the stored history keeps all of it", async () => {
    const { session, store } = visit();
    for (const [questionId, optionId] of [
      [2, 2],
      [3, 1],
      [41, 1],
    ] as const)
      await session.choose(questionId, optionId);
    expect(encodeAnswers(visit({ store, answers: "2.2" }).session.snapshot().state)).toBe("2.2~3.1~41.1");
  });

  test("an answer that follows from the stored ones only is taken over, also after sign-up, and counts once", async () => {
    const { session, store } = visit();
    for (const [questionId, optionId] of [
      [2, 2],
      [3, 1],
    ] as const)
      await session.choose(questionId, optionId);
    const laterAnswers = [{ questionId: 41, optionId: 3 }];
    const { session: again, tracked } = visit({ store, laterAnswers });
    expect(encodeAnswers(again.snapshot().state)).toBe("2.2~3.1~41.3");
    expect(again.snapshot().state.currentQuestionId).toBe(42);
    expect(tracked.map(({ eventType, payload }) => [eventType, payload["questionId"]])).toEqual([
      ["QuestionnaireQuestionShown", 41],
      ["QuestionnaireAnswer", 41],
    ]);
    expect(encodeAnswers(readState(store) ?? initialState(compiled))).toBe("2.2~3.1~41.3");
    expect(visit({ store, laterAnswers }).tracked).toEqual([]);
    store.set("questionnaireState", JSON.stringify({ ...readState(store), signupDone: true }));
    const signedUp = visit({ store, laterAnswers: [{ questionId: 42, optionId: 1 }] });
    expect(encodeAnswers(signedUp.session.snapshot().state)).toBe("2.2~3.1~41.3~42.1");
  });

  test("answers from another page are taken over before sign-up only, and those in another version leave this page's as they are", async () => {
    const { session, store } = visit();
    await session.choose(2, 2);
    const ahead = replayAnswers(compiled, "2.1~3.1~41.1", mexico);
    session.takeStored({ ...ahead, user: { uuid: uuids[0] } });
    expect(encodeAnswers(session.snapshot().state)).toBe("2.1~3.1~41.1");
    // Only the other page stores it.
    expect(encodeAnswers(readState(store) ?? initialState(compiled))).toBe("2.2");
    const ofOther = { ...replayAnswers(compiled, "2.2", mexico), id: "83", user: { uuid: uuids[0] } };
    session.takeStored(ofOther);
    expect(session.snapshot().state.id).toBe("76");
    expect(encodeAnswers(session.snapshot().state)).toBe("2.1~3.1~41.1");
    const { session: unanswered } = visit();
    unanswered.takeStored(ofOther);
    expect(unanswered.snapshot().state).toMatchObject({ id: "76", selectedOptions: [], user: { uuid: uuids[0] } });
    session.adopt({ ...ahead, signupDone: true });
    session.takeStored(null);
    expect(encodeAnswers(session.snapshot().state)).toBe("2.1~3.1~41.1");
  });

  test("a link with another answer drops the answers after it", async () => {
    const { session, store } = visit();
    for (const [questionId, optionId] of [
      [2, 2],
      [3, 1],
      [41, 1],
    ] as const)
      await session.choose(questionId, optionId);
    expect(encodeAnswers(visit({ store, answers: "2.1" }).session.snapshot().state)).toBe("2.1");
  });

  test("looking at a version keeps another version's answers and adds the visitor's id; the first answer replaces them", async () => {
    const store = memoryStore();
    const kept = { ...initialState(compiled), id: "83", currentQuestionId: 9, selectedOptions: [{ questionId: 2, optionId: 3 }] };
    const sync = { savedAt: "2026-11-20T10:00:00.000Z", synced: 1, unsaved: false };
    store.set("questionnaireState", JSON.stringify({ ...kept, sync }));
    store.set("questionnaireVersion", "83");
    const { session } = visit({ store });
    expect(store.get("questionnaireVersion")).toBe("83");
    session.dispatch({ type: "setUser", user: { uuid: uuids[0] } });
    expect(readState(store)).toMatchObject({ ...kept, user: { uuid: uuids[0] } });
    expect([storedSync(store), store.get("questionnaireVersion")]).toEqual([sync, "83"]);
    await session.choose(2, 1);
    expect(readState(store)).toMatchObject({ id: "76", selectedOptions: [{ questionId: 2, optionId: 1 }], user: { uuid: uuids[0] } });
  });

  test.each(["{broken", "5", "null", "[]"])("an invalid stored state is ignored: %s", (kept) => {
    const store = memoryStore();
    store.set("questionnaireState", kept);
    expect(visit({ store }).session.snapshot().state.selectedOptions).toEqual([]);
  });

  test("another version starts over for the same visitor, and replaces one without answers", () => {
    const store = memoryStore();
    store.set("questionnaireState", JSON.stringify({ ...initialState(compiled), id: "83", user: { uuid: uuids[0] } }));
    store.set("questionnaireVersion", "83");
    store.set("questionnaireRoot", "7");
    const { session } = visit({ store });
    expect(session.snapshot().state.user).toEqual({ uuid: uuids[0] });
    session.dispatch({ type: "setUser", user: { firstname: "Ana" } });
    expect(readState(store)).toMatchObject({ id: "76", user: { uuid: uuids[0], firstname: "Ana" } });
    expect([store.get("questionnaireVersion"), store.get("questionnaireRoot")]).toEqual(["76", "2"]);
  });

  test("a page of no version chooses none for the visitor until an answer or a login does (spec 000 §3)", async () => {
    const chosen = (store: KeyValueStore) => [store.get("questionnaireVersion"), store.get("questionnaireRoot")];
    const isOfVersion = () => false;
    const { session, store } = visit({ isOfVersion });
    session.dispatch({ type: "setUser", user: { uuid: uuids[0] } });
    expect([readState(store)?.user.uuid, ...chosen(store)]).toEqual([uuids[0], null, null]);
    await session.choose(2, 1);
    expect(chosen(store)).toEqual(["76", "2"]);
    const other = visit({ isOfVersion });
    other.session.adopt({ ...initialState(compiled), signupDone: true });
    expect(chosen(other.store)).toEqual(["76", "2"]);
  });

  test("a question shown in place on such a page chooses the version, unless another one's answers are stored", () => {
    const chosen = (store: KeyValueStore) => {
      let isOfVersion = false;
      const { session } = visit({ store, isOfVersion: () => isOfVersion });
      isOfVersion = true;
      session.shown(2);
      return store.get("questionnaireVersion");
    };
    expect(chosen(memoryStore())).toBe("76");
    const store = memoryStore();
    store.set("questionnaireState", JSON.stringify({ ...replayAnswers(compiled, "2.1", mexico), id: "83" }));
    store.set("questionnaireVersion", "83");
    expect(chosen(store)).toBe("83");
  });

  test("a signed-in visitor comes to no sign-up in another version: the account goes on there with the new answers (decision 034)", async () => {
    const store = memoryStore();
    const theirs = { ...initialState(compiled), id: "83", signupDone: true, user: { uuid: uuids[1] } };
    store.set(
      "questionnaireState",
      JSON.stringify({ ...theirs, sync: { savedAt: "2026-11-20T10:00:00.000Z", synced: 3, unsaved: false } }),
    );
    saveSession(store, account);
    // Typed since the login: the address of another account, for which a link was asked or to which this account cannot change.
    store.set("signupEmail", "taken@example.com");
    store.set("signupName", "Ana");
    const moves: boolean[] = [];
    const { session, went, api } = visit({ store, moved: (before, after) => void moves.push(before.signupDone !== after.signupDone) });
    session.dispatch({ type: "chooseSchedule", scheduleId: 2 });
    session.dispatch({ type: "answer", questionId: 60, optionId: 1 });
    expect(session.snapshot().state.signupDone).toBe(false);
    session.dispatch({ type: "answer", questionId: 61, optionId: 1 });
    await settled();
    const user = { uuid: uuids[1], email: "ana@example.com", firstname: "Ana" };
    expect(went).toEqual([61, 73]);
    expect(session.snapshot().state).toMatchObject({ id: "76", signupDone: true, user, currentQuestionId: 73 });
    expect(accountAddress(store)).toBe("ana@example.com");
    // Analytics is not told of any sign-up.
    expect(moves).toEqual([false, false, false]);
    expect(api.calls).toEqual([
      ["studySchedule", expect.objectContaining({ uuid: uuids[1], id: 2 })],
      ["questionnairePost", expect.objectContaining({ savedAt: undefined, state: expect.objectContaining({ id: "76", user }) })],
    ]);
  });

  test("what a signed-in device does not know of its account is left out of the account's state", () => {
    const store = memoryStore();
    saveTokens(store, account);
    store.set("config", JSON.stringify({ uuid: 5 }));
    const { session } = visit({ store });
    // A tester's jump to the sign-up is no answer that comes to it.
    session.dispatch({ type: "moveTo", questionId: 67 });
    expect(session.snapshot().state.signupDone).toBe(false);
    session.dispatch({ type: "answer", questionId: 61, optionId: 1 });
    expect(session.snapshot().state.signupDone).toBe(true);
    expect(session.snapshot().state.user).toEqual({});
  });

  test("a login as another account empties the fields that the first one typed, and so does a logout; other logins keep them", () => {
    const typed = (
      state: { readonly signupDone?: boolean },
      adopted: State = { ...initialState(compiled), signupDone: true, user: { uuid: uuids[1], email: "bea@example.com" } },
    ) => {
      const store = memoryStore();
      const mine = { ...initialState(compiled), user: { uuid: uuids[0], email: "ana@example.com", firstname: "Ana" }, ...state };
      store.set("questionnaireState", JSON.stringify(mine));
      const { session } = visit({ store });
      session.adopt(adopted);
      return session.snapshot().fields;
    };
    expect(typed({ signupDone: true })).toEqual({ email: "bea@example.com", firstname: "", password: "" });
    expect(typed({ signupDone: true }, initialState(compiled))).toEqual({ email: "", firstname: "", password: "" });
    expect(typed({})).toMatchObject({ firstname: "Ana" });
    const again = { ...initialState(compiled), signupDone: true, user: { uuid: uuids[0] } };
    expect(typed({ signupDone: true }, again)).toMatchObject({ email: "ana@example.com", firstname: "Ana" });
  });

  test("the first question stays stored when a later definition begins elsewhere", async () => {
    const { session, store } = visit();
    expect(store.get("questionnaireRoot")).toBe("2");
    await session.choose(2, 1);
    expect(store.get("questionnaireRoot")).toBe("2");
    const later = visit({ store, definition: questionnaire(smallQuestions, { initialQuestion: 3 }) });
    await later.session.choose(3, 1);
    expect(store.get("questionnaireRoot")).toBe("2");
  });

  test("the fields start with the typed values, else the account's", () => {
    const store = memoryStore();
    expect(visit({ store }).session.snapshot().fields).toEqual({ email: "", firstname: "", password: "" });
    store.set("signupEmail", "ana@example.com");
    store.set("signupName", "Ana");
    expect(visit({ store }).session.snapshot().fields).toEqual({ email: "ana@example.com", firstname: "Ana", password: "" });
    const user = { email: "eva@example.com", firstname: "Eva" };
    store.set("questionnaireState", JSON.stringify(initialState(compiled, user)));
    expect(visit({ store }).session.snapshot().fields).toEqual({ ...user, password: "" });
  });

  test("a page without answers in its link keeps all choices", () => {
    const { session, store } = visit();
    session.dispatch({ type: "toggleListItem", list: "skillsToImprove", item: "speaking" });
    expect(visit({ store }).session.snapshot().state.skillsToImprove).toEqual(["speaking"]);
  });

  test("a link's schedule and days are added to stored answers", async () => {
    const { session, store } = visit();
    await session.choose(2, 1);
    const { state } = visit({ store, answers: toEmail }).session.snapshot();
    expect(encodeAnswers(state)).toBe(toEmail);
    const days = visit();
    days.session.dispatch({ type: "chooseDays", days: [5] });
    await days.session.choose(2, 1);
    expect(encodeAnswers(visit({ store: days.store, answers: "2.1" }).session.snapshot().state)).toBe("2.1~d5");
  });

  test("after sign-up a link's answers are ignored", async () => {
    const { store } = await signUp(fakeApi(well));
    expect(encodeAnswers(visit({ store, answers: "2.2" }).session.snapshot().state)).toContain("2.1~3.1");
  });

  test("with blocked storage the visit lasts as long as the page", async () => {
    const blocked = deviceStore(() => {
      throw new DOMException("denied", "SecurityError");
    });
    const { session, went } = visit({ store: blocked });
    await session.choose(2, 1);
    expect(went).toEqual([3]);
    expect(readState(blocked)?.currentQuestionId).toBe(3);
  });

  test("with unreadable storage the visit lasts as long as the page", () => {
    const setItem = vi.fn();
    const unreadable = {
      getItem: () => {
        throw new DOMException("denied", "SecurityError");
      },
      setItem,
      removeItem: () => {},
      clear: () => {},
      key: () => null,
      length: 0,
    };
    const store = deviceStore(() => unreadable);
    store.set("theme", "Kosmo");
    expect([store.get("theme"), setItem.mock.calls]).toEqual(["Kosmo", []]);
    store.remove("theme");
    expect(store.get("theme")).toBeNull();
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
  test("e-mail, password and name are sent in turn; the account's uuid replaces the visitor's; the password is never stored", async () => {
    const { session, went, api, store } = await signUp(fakeApi(well));
    session.shown(69);
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
    expect(api.calls[6]?.[1]).toMatchObject({
      state: { selectedOptions: state.selectedOptions, schedule: 2, days: [0, 1, 3, 4], finished: false },
      userLevel: "upperintermediate",
    });
    expect(JSON.stringify(api.calls[6])).not.toContain("hablo-mucho-9");
    expect(store.get("questionnaireState")).not.toContain("hablo-mucho-9");
    expect(fields.password).toBe("");
  });

  test("the typed password stays while it is submitted, and is cleared with its question", async () => {
    let saved = () => {};
    const saving = new Promise<void>((resolve) => (saved = resolve));
    const answers = fakeApi(well);
    const api: typeof answers = {
      ...answers,
      call: async (endpoint, input) => {
        if (endpoint === "studySchedule") await saving;
        return answers.call(endpoint, input);
      },
    };
    const { session } = visit({ api, answers: toEmail });
    session.setField("email", "ana@example.com");
    await session.choose(67, 1);
    session.setField("password", "hablo-mucho-9");
    const signingUp = session.choose(68, 1);
    await expect.poll(() => session.snapshot().state.signupDone).toBe(true);
    expect([session.snapshot().busy, session.snapshot().fields.password]).toEqual([true, "hablo-mucho-9"]);
    saved();
    await signingUp;
    expect(session.snapshot().fields.password).toBe("hablo-mucho-9");
    session.shown(69);
    expect(session.snapshot().fields.password).toBe("");
  });

  test("a wrong value shows at its field and sends nothing", async () => {
    const { session, went, api } = visit({ answers: toEmail });
    session.setField("email", "ana@");
    await session.choose(67, 1);
    expect(session.snapshot().errors).toEqual({ email: "validator_invalid_email" });
    expect([api.calls, went]).toEqual([[], []]);
    session.setField("email", "ana@example.com");
    await expect.poll(() => session.snapshot().errors).toEqual({});
  });

  test("a field shows its error when it loses focus, even empty, and then with every key", async () => {
    const { session } = visit({ answers: toEmail });
    session.setField("email", "ana@");
    await settled();
    expect(session.snapshot().errors).toEqual({});
    session.blurField("email");
    await expect.poll(() => session.snapshot().errors).toEqual({ email: "validator_invalid_email" });
    session.setField("email", "ana@example.com");
    await expect.poll(() => session.snapshot().errors).toEqual({});
    session.setField("email", "ana@example.");
    await expect.poll(() => session.snapshot().errors).toEqual({ email: "validator_invalid_email" });
    session.setField("email", "");
    await expect.poll(() => session.snapshot().errors).toEqual({ email: "validator_required" });
    // When the question is shown again, its fields are untouched.
    session.shown(67);
    expect(session.snapshot().errors).toEqual({});
    session.blurField("email");
    await expect.poll(() => session.snapshot().errors).toEqual({ email: "validator_required" });
  });

  test("a field that was left shows no error on the next question, nor while the validators do not load", async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => void unhandled.push(error);
    process.on("unhandledRejection", note);
    const offline = visit({ answers: toEmail, submitting: () => Promise.reject(new TypeError("Failed to fetch")) }).session;
    offline.blurField("email");
    const { session } = visit({ answers: toEmail });
    session.blurField("email");
    session.shown(68);
    await settled();
    vi.useRealTimers();
    // Node reports an unhandled rejection after the microtasks of its turn.
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", note);
    expect([offline.snapshot().errors, session.snapshot().errors, unhandled]).toEqual([{}, {}, []]);
  });

  test("a typed password stays until it has been used", () => {
    const { session } = visit({ answers: `${toEmail}~67.1` });
    session.setField("password", "hablo-mucho-9");
    session.shown(68);
    expect(session.snapshot().fields.password).toBe("hablo-mucho-9");
  });

  test("a visitor who was led to the login by a call can answer again after it (decision 035)", async () => {
    const { session, went } = visit({ answers: toEmail });
    const silent = visit({ answers: toEmail, api: { ...fakeApi(well), call: () => new Promise(() => {}) } }).session;
    silent.setField("email", "ana@example.com");
    void silent.choose(67, 1);
    await settled();
    expect(silent.snapshot().busy).toBe(true);
    silent.adopt(session.snapshot().state);
    expect([silent.snapshot().busy, went]).toEqual([false, []]);
  });

  test.each([1101, 1400, 1404, 1413] as const)("an address that the check refuses (%s) leads to the password login", async (code) => {
    const { session, went, store, reported } = visit({
      answers: toEmail,
      api: fakeApi({
        ...well,
        checkEmail: () => {
          throw refusal(code);
        },
      }),
    });
    session.setField("email", "ana@example.com");
    await session.choose(67, 1).catch(() => undefined);
    expect(went).toEqual(["questionnaire/user"]);
    expect(store.get("signupEmail")).toBe("ana@example.com");
    // Every error but a taken address is reported.
    expect(reported).toEqual(code === 1101 ? [] : [refusal(code)]);
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
  ] as const)("%s: the screen says so, keeps the typed fields, and can be tried again", async (_name, checkEmail, problem) => {
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

  test("an error stays at its question: the one before does not show it", async () => {
    const { session } = await signUp(fakeApi({ ...well, signup: () => Promise.reject(refusal(1429)) }));
    expect(session.snapshot().problem).toBe("tooMany");
    session.shown(67);
    expect(session.snapshot().problem).toBeNull();
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

  test("a sign-up with a fresh uuid whose answer was lost is repeated with the same one", async () => {
    const api = fakeApi({
      ...well,
      config: (_input, time) => ({ ...config, uuid: time === 0 ? uuids[1] : "c0ffee00-4f50-4152-8384-95a6b7c8d9e0" }),
      signup: (input, time) => {
        if (JSON.stringify(input).includes(uuids[0])) throw refusal(1100);
        if (time === 1) throw new ConnectionError("/api/signup", null);
        return { backendUrl: "", user: { uuid: uuids[1] } };
      },
    });
    const { session, went } = visit({ api, answers: toEmail });
    session.dispatch({ type: "setUser", user: { uuid: uuids[0] } });
    session.setField("email", "ana@example.com");
    await session.choose(67, 1);
    session.setField("password", "hablo-mucho-9");
    await session.choose(68, 1);
    await session.choose(68, 1);
    const tried = api.calls.flatMap(([name, body]) => (name === "signup" ? [body] : []));
    expect(tried).toMatchObject([{ uuid: uuids[0] }, { uuid: uuids[1] }, { uuid: uuids[1] }]);
    expect(went).toEqual([68, 69]);
  });

  test("a second 1100 is a failed sign-up", async () => {
    const { session, went, stopped, reportedWhenLeaving, api } = await signUp(
      fakeApi({
        ...well,
        signup: () => {
          throw refusal(1100);
        },
      }),
    );
    expect(api.calls.filter(([name]) => name === "signup")).toHaveLength(2);
    expect(went).toEqual([68, "login/account-exists"]);
    expect(stopped).toEqual(new Error("Signup failed!", { cause: refusal(1100) }));
    expect(reportedWhenLeaving).toEqual([stopped]);
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

  test("a sign-up whose response was lost is finished by the next try", async () => {
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

  test("after a busy server and a lost response the page finishes the sign-up by itself, with the same account", async () => {
    vi.stubGlobal("navigator", { onLine: true });
    const busy = new ApiError(503, "/api/test", 1503, "Not ready.", {}, 1);
    const api = fakeApi({
      ...well,
      signup: (_input, time) => {
        if (time === 0) throw busy;
        if (time === 1) throw new ConnectionError("/api/signup", null);
        return well.signup();
      },
      login: (_input, time) => {
        if (time === 0) throw busy;
        return well.login();
      },
    });
    const signingUp = signUp(api);
    await vi.runAllTimersAsync();
    const { session, went } = await signingUp;
    vi.unstubAllGlobals();
    expect([went, session.snapshot().problem, session.snapshot().state.signupDone]).toEqual([[68, 69], null, true]);
    const bodies = api.calls.flatMap(([name, body]) => (name === "signup" ? [body] : []));
    expect(bodies).toEqual([bodies[0], bodies[0], bodies[0]]);
  });

  test("a refused login after sign-up is a failed sign-up", async () => {
    const { session, went, stopped, reportedWhenLeaving } = await signUp(
      fakeApi({
        ...well,
        login: () => {
          throw refusal(1001);
        },
      }),
    );
    expect(went.at(-1)).toBe("login/account-exists");
    expect(stopped).toEqual(new Error("Login failed!", { cause: refusal(1001) }));
    expect(reportedWhenLeaving).toEqual([stopped]);
    expect(session.snapshot().state.signupDone).toBe(false);
  });

  test("a module that does not load shows a lost connection, and the next try loads it again", async () => {
    let works = false;
    const { session, went } = visit({
      answers: toEmail,
      submitting: () => (works ? import("./submit.ts") : Promise.reject(new TypeError("Failed to fetch"))),
    });
    session.setField("email", "ana@example.com");
    await session.choose(67, 1);
    expect(session.snapshot()).toMatchObject({ problem: "connection", busy: false });
    works = true;
    await session.choose(67, 1);
    expect(went).toEqual([68]);
  });

  test("a field among other blocks is submitted like a single one", async () => {
    const definition = questionnaire(
      smallQuestions.map((each) => (each.id === 67 ? { ...each, contents: [{ type: "title", text: "Hi" }, ...each.contents] } : each)),
    );
    const { session, went } = visit({ answers: toEmail, definition });
    await session.choose(67, 1);
    expect([session.snapshot().errors, went]).toEqual([{ email: "validator_required" }, []]);
  });

  test("two taps give one answer", async () => {
    const { session, went, api } = visit({ answers: toEmail });
    session.setField("email", "  ana@example.com ");
    await Promise.all([session.choose(67, 1), session.choose(67, 1)]);
    expect([api.calls, went]).toEqual([[["checkEmail", { email: "ana@example.com" }]], [68]]);
  });

  test("an answer whose call found the session over is no longer being submitted, and can be tried again", async () => {
    const { session, api } = visit({ answers: toEmail, api: fakeApi({ ...well, checkEmail: () => new Promise(() => {}) }) });
    session.setField("email", "ana@example.com");
    void session.choose(67, 1);
    await settled();
    expect([session.snapshot().busy, api.calls.length]).toEqual([true, 1]);
    session.interrupted();
    expect(session.snapshot().busy).toBe(false);
  });

  test("an answer whose call found that the session had ended shows no error: the login follows (spec 000 §8)", async () => {
    const updateName = () => {
      throw refusal(1003);
    };
    const { session } = await signUp(fakeApi({ ...well, updateName }));
    session.setField("firstname", "Ana");
    await session.choose(69, 1);
    expect(session.snapshot()).toMatchObject({ problem: null, busy: false, fields: { firstname: "Ana" } });
  });

  test("an unexpected error is shown and rethrown for the operator", async () => {
    const checkEmail = () => {
      throw refusal(1500);
    };
    const { session } = visit({ answers: toEmail, api: fakeApi({ ...well, checkEmail }) });
    session.setField("email", "ana@example.com");
    await expect(session.choose(67, 1)).rejects.toThrow(refusal(1500).message);
    expect(session.snapshot()).toMatchObject({ problem: "unexpected", busy: false });
  });

  test.each([
    [{ email: "validator_too_long" }, "validator_too_long"],
    [{}, "validator_invalid_email"],
  ])("an address that the server refuses shows the reason at its field: %j", async (fields, key) => {
    const checkEmail = () => {
      throw refusal(1000, fields);
    };
    const { session, went } = visit({ answers: toEmail, api: fakeApi({ ...well, checkEmail }) });
    session.setField("email", "ana@example.com");
    await session.choose(67, 1);
    expect([session.snapshot().errors, went]).toEqual([{ email: key }, []]);
  });

  test("each field shows its own error", async () => {
    const { session } = visit({ answers: toEmail });
    session.blurField("email");
    session.blurField("firstname");
    await expect.poll(() => session.snapshot().errors).toEqual({ email: "validator_required", firstname: "validator_required" });
    session.shown(67);
    session.setField("email", "ana@");
    expect(session.snapshot().errors).toEqual({});
  });

  test("the password question without an address leads to the e-mail question; a typed address is enough", async () => {
    const asked = visit({ answers: `${toEmail}~67.1` });
    asked.session.setField("password", "hablo-mucho-9");
    await asked.session.choose(68, 1);
    expect([asked.went, asked.api.calls]).toEqual([[67], []]);
    const without = visit({ definition: questionnaire(smallQuestions.filter(({ id }) => id !== 67)) });
    without.session.setField("password", "hablo-mucho-9");
    await without.session.choose(68, 1);
    expect(without.went).toEqual([2]);
    const store = memoryStore();
    store.set("signupEmail", " ana@example.com");
    const typed = visit({ answers: `${toEmail}~67.1`, store });
    typed.session.setField("password", "hablo-mucho-9");
    await typed.session.choose(68, 1);
    expect(typed.api.calls.find(([name]) => name === "signup")?.[1]).toMatchObject({ email: "ana@example.com" });
    expect(typed.session.snapshot().state.user.email).toBe("ana@example.com");
  });

  test("sign-up sends the known name, language and password, and clears an earlier link's target", async () => {
    const store = memoryStore();
    store.set("questionnaireTarget", "80");
    store.set("discount", "d");
    const visitor = visit({ answers: toEmail, store });
    visitor.session.dispatch({ type: "setUser", user: { firstname: "Ana" } });
    visitor.session.setField("email", "ana@example.com");
    await visitor.session.choose(67, 1);
    visitor.session.setField("password", "hablo-mucho-9");
    // Typed on another page meanwhile.
    store.set("signupEmail", "eva@example.com");
    await visitor.session.choose(68, 1);
    const { calls } = visitor.api;
    expect(store.get("signupEmail")).toBe("ana@example.com");
    expect(calls.find(([name]) => name === "signup")?.[1]).toMatchObject({ firstname: "Ana", password: "hablo-mucho-9" });
    expect(calls.find(([name]) => name === "login")?.[1]).toEqual({ email: "ana@example.com", password: "hablo-mucho-9" });
    expect(visitor.session.snapshot().state.user).toMatchObject({ email: "ana@example.com", uiLanguage: "es-419" });
    expect(
      (["questionnaireTarget", "discount", "marketingConsentDue", "token", "refreshToken"] as const).map((key) => store.get(key)),
    ).toEqual([null, null, "true", "t1", "r1"]);
    visitor.session.setField("firstname", " Eva\tMaría ");
    await visitor.session.choose(69, 1);
    expect([calls.find(([name]) => name === "updateName")?.[1], store.get("signupName"), visitor.session.snapshot().state.user]).toEqual([
      { firstname: "Eva María" },
      "Eva María",
      expect.objectContaining({ firstname: "Eva María" }),
    ]);
  });

  test("an unknown name is not sent, and without an account the name stays on the device", async () => {
    const { api } = await signUp(fakeApi(well));
    expect(api.calls.find(([name]) => name === "signup")?.[1]).not.toHaveProperty("firstname");
    const link = visit({ answers: `${toEmail}~67.1~68.1` });
    link.session.setField("firstname", "Ana");
    await link.session.choose(69, 1);
    expect([link.api.calls, link.session.snapshot().state.user.firstname]).toEqual([[], "Ana"]);
  });

  test.each([
    ["signup", 1429, "tooMany"],
    ["signup", 1500, "unexpected"],
    ["login", 1429, "tooMany"],
    ["login", 1500, "unexpected"],
  ] as const)("after a temporary failure (%i) %s stays on its question", async (call, code, problem) => {
    const refuse = () => {
      throw refusal(code);
    };
    const { session, went, stopped } = await signUp(fakeApi({ ...well, [call]: refuse }));
    expect(session.snapshot()).toMatchObject({ problem, busy: false, state: { signupDone: false } });
    expect([went, stopped]).toEqual([[68], problem === "unexpected" ? refusal(code) : undefined]);
  });

  test("a configuration that is refused during sign-up says nothing about the address: its question stays", async () => {
    const config = () => {
      throw refusal(1403);
    };
    const { session, went, stopped } = await signUp(fakeApi({ ...well, config }));
    expect([session.snapshot().problem, went, stopped]).toEqual(["unexpected", [68], refusal(1403)]);
  });

  test("a login without a response stays on its question", async () => {
    const login = () => {
      throw new ConnectionError("/api/login", null);
    };
    const { session, went } = await signUp(fakeApi({ ...well, login }));
    expect([session.snapshot().problem, went]).toEqual(["connection", [68]]);
  });

  test("a password that the server refuses shows the reason at its field", async () => {
    const signup = () => {
      throw refusal(1000, { password: "validator_at_least_8" });
    };
    const { session, went } = await signUp(fakeApi({ ...well, signup }));
    expect([session.snapshot().errors, went]).toEqual([{ password: "validator_at_least_8" }, [68]]);
    const elsewhere = await signUp(
      fakeApi({
        ...well,
        signup: () => {
          throw refusal(1101, { password: "validator_at_least_8" });
        },
        login: () => {
          throw refusal(1001);
        },
      }),
    );
    expect(elsewhere.went.at(-1)).toBe("login/account-exists");
  });

  test("a screen that asks for address and password signs up with the address that it shows, also after a refused password", async () => {
    const questions = smallQuestions
      .filter(({ id }) => id !== 67)
      .map((question) =>
        question.id === 68 ? { ...question, contents: [{ type: "signupEmail" }, { type: "signupPassword" }] } : question,
      );
    const signup = (_: unknown, time: number) => {
      if (time === 0) throw refusal(1000, { password: "validator_too_common" });
      return well.signup();
    };
    const { session, api } = visit({ definition: questionnaire(questions), api: fakeApi({ ...well, signup }) });
    session.setField("password", "hablo-mucho-9");
    for (const email of ["ana@exmaple.com", "ana@example.com"]) {
      session.setField("email", email);
      await session.choose(68, 1);
    }
    const sent = api.calls.flatMap(([name, body]) => (name === "signup" || name === "login" ? [[name, body]] : []));
    expect(sent).toMatchObject([
      ["signup", { email: "ana@exmaple.com" }],
      ["signup", { email: "ana@example.com" }],
      ["login", { email: "ana@example.com" }],
    ]);
  });

  test("without a chosen schedule none is saved for the account", async () => {
    const api = fakeApi(well);
    const store = memoryStore();
    saveTokens(store, account);
    const { session } = visit({ api, store });
    session.dispatch({ type: "signedUp", uuid: uuids[1] });
    session.dispatch({ type: "chooseDays", days: [1] });
    await settled();
    expect(api.calls.map(([name]) => name)).not.toContain("studySchedule");
  });

  test("without a session a changed schedule stays on the device: saving it would lead to the login", async () => {
    const { session, api, store } = await signUp(fakeApi(well));
    await settled();
    const before = api.calls.length;
    removeTokens(store);
    session.dispatch({ type: "chooseSchedule", scheduleId: 3 });
    await settled();
    expect([api.calls.length, session.snapshot().state.schedule]).toEqual([before, 3]);
  });

  test("going back from a sign-up screen validates and sends nothing", async () => {
    const { session, went, api } = visit({ answers: toEmail });
    session.setField("email", "ana@example.com");
    await session.choose(67, 1);
    await session.choose(68, 2);
    expect([went, api.calls.map(([name]) => name)]).toEqual([[68, 67], ["checkEmail"]]);
  });
});

describe("the end of the questions", () => {
  test("the program view finishes the questionnaire, once, and only after sign-up", async () => {
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
  test("changes are debounced and saved once", async () => {
    const { session, api } = await signUp(fakeApi(well));
    session.setField("firstname", "Ana");
    await session.choose(69, 1);
    await session.choose(73, 1);
    await settled();
    expect(api.calls.filter(([name]) => name === "questionnairePost")).toHaveLength(1);
  });

  test("a failed save is retried at the next chance", async () => {
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
    session.dispatch({ type: "chooseDays", days: [2, 6] });
    await settled();
    expect(api.calls.filter(([name]) => name === "studySchedule").at(-1)?.[1]).toMatchObject({ id: 3, days: [2, 6] });
  });

  /** A session whose token names the account. */
  const ofAccount = { ...account, token: `h.${btoa(JSON.stringify({ sub: uuids[1] }))}.s` };

  test("pending changes are saved at once when the page is left, and the device records that they arrived", async () => {
    const { session, api, store } = await signUp(fakeApi(well));
    await session.flush(true);
    expect(api.calls.filter(([name]) => name === "questionnairePost")).toHaveLength(1);
    expect(JSON.parse(store.get("questionnaireState") ?? "")).toMatchObject({ sync: { savedAt: "2026-11-20T10:00:00Z", unsaved: false } });
    await visit({ store, api }).session.flush(true);
    expect(api.calls.filter(([name]) => name === "questionnairePost")).toHaveLength(1);
  });

  test("a module that did not load is loaded again with the next change", async () => {
    let works = false;
    const { session, api, saving } = visit({
      saving: () => (works ? import("./saving.ts") : Promise.reject(new TypeError("Failed to fetch"))),
    });
    session.dispatch({ type: "signedUp", uuid: uuids[1] });
    await settled();
    works = true;
    session.dispatch({ type: "setUser", user: { firstname: "Ana" } });
    session.dispatch({ type: "setUser", user: { firstname: "Eva" } });
    await settled();
    expect([saving.mock.calls.length, api.calls]).toEqual([2, []]);
  });

  test("another device's changes are taken over and stored, and the page goes to their question", async () => {
    const { session: theirs } = visit({ answers: `${toEmail}~67.1~68.1~69.1` });
    theirs.dispatch({ type: "signedUp", uuid: uuids[1] });
    const theirState = theirs.snapshot().state;
    const { session, went, store } = await signUp(
      fakeApi({
        ...well,
        login: () => ofAccount,
        questionnaireGet: () => ({ state: v.parse(stateSchema, savedState(theirState)), savedAt: "2026-11-20T11:00:00Z" }),
      }),
    );
    await settled();
    await session.catchUp(true);
    expect(session.snapshot().state.currentQuestionId).toBe(73);
    expect([readState(store)?.currentQuestionId, went.at(-1)]).toEqual([73, 73]);
  });

  test("a state from elsewhere is marked with the page's release", () => {
    const { session } = visit();
    session.adopt({ ...initialState(compiled), release: "ba9876543210" });
    expect(session.snapshot().state.release).toBe("0123456789ab");
    session.adopt(initialState(compiled));
    expect(session.snapshot().state.release).toBe("0123456789ab");
  });

  test("saving knows the visitor's context, and leaves for a question of another release whose state is stored", async () => {
    const given: SavingParts[] = [];
    const nothing = async () => {};
    const createSaving = (parts: SavingParts) => {
      given.push(parts);
      return { changed() {}, adopted() {}, flush: nothing, catchUp: nothing };
    };
    const left: unknown[] = [];
    const { session, store } = visit({
      saving: async () => ({ createSaving }),
      leaveFor: ({ id, currentQuestionId }, release) => void left.push([id, currentQuestionId, release]),
    });
    session.setContext({ country: "CL" });
    await session.catchUp(true);
    expect(given[0]?.context()).toEqual({ ...mexico, country: "CL" });
    const state = { ...initialState(compiled), release: "ba9876543210", currentQuestionId: 41 };
    given[0]?.leaveFor(state, "2026-11-20T11:00:00Z", "ba9876543210");
    expect(left).toEqual([["76", 41, "ba9876543210"]]);
    expect(readState(store)).toMatchObject({ release: "ba9876543210", currentQuestionId: 41 });
    expect(storedSync(store)).toEqual({ savedAt: "2026-11-20T11:00:00Z", synced: 0, unsaved: false });
  });

  test("when the account has gone on in another version elsewhere: goes to its question there, and stores its state unchanged", async () => {
    const store = memoryStore();
    store.set("token", `h.${btoa(JSON.stringify({ sub: uuids[1] }))}.s`);
    const kept = { ...replayAnswers(compiled, "2.1~3.1", mexico), user: { uuid: uuids[1] }, signupDone: true };
    const sync = { savedAt: "2026-11-20T10:00:00.000Z", synced: 2, unsaved: false };
    store.set("questionnaireState", JSON.stringify({ ...savedState(kept), sync }));
    const savedAt = "2026-11-20T10:00:01.000Z";
    const theirs = v.parse(stateSchema, savedState({ ...replayAnswers(compiled, "2.2~3.1~41.1", mexico), id: "83", signupDone: true }));
    const left: unknown[] = [];
    const api = fakeApi({ ...well, questionnaireGet: () => ({ state: theirs, savedAt }) });
    const { session, went } = visit({
      store,
      api,
      leaveFor: ({ id, currentQuestionId }, release) => void left.push([id, currentQuestionId, release]),
    });
    await session.catchUp(false);
    expect(left).toEqual([]);
    await session.catchUp(true);
    await settled();
    expect([left, went]).toEqual([[["83", 42, undefined]], []]);
    const stored = readState(store);
    expect([stored?.id, stored && encodeAnswers(stored), stored?.user.uuid]).toEqual(["83", "2.2~3.1~41.1", uuids[1]]);
    expect(storedSync(store)).toEqual({ savedAt, synced: 3, unsaved: false });
    expect(api.calls.map(([endpoint]) => endpoint)).toEqual(["questionnaireGet", "questionnaireGet"]);
  });

  test("a state taken over after login is sent, and shows the login if the session is over", async () => {
    const store = memoryStore();
    saveSession(store, ofAccount);
    const { session, api } = visit({ store });
    const call = vi.spyOn(api, "call");
    session.adopt({ ...replayAnswers(compiled, "2.1", mexico), signupDone: true, user: { uuid: uuids[1] } });
    await settled();
    expect(api.calls.map(([name]) => name)).toEqual(["questionnairePost"]);
    session.dispatch({ type: "answer", questionId: 3, optionId: 1 });
    await session.flush(false);
    expect(call.mock.calls.map(([, input]) => input?.quietly)).toEqual([false, false]);
  });

  test("a state taken over after login is stored with the time of its save", async () => {
    const { session, store } = visit();
    const { state } = (await signUp(fakeApi(well))).session.snapshot();
    session.adopt(state, "2026-11-20T11:00:00Z");
    expect(readState(store)).toMatchObject({ signupDone: true, user: { uuid: uuids[1] } });
    await settled();
    expect(JSON.parse(store.get("questionnaireState") ?? "")).toMatchObject({ sync: { savedAt: "2026-11-20T11:00:00Z" } });
  });
});
