import { unexpected } from "#core/errorCodes.ts";
import { encodeAnswers } from "#core/questionnaire/answer-code.ts";
import { compile } from "#core/questionnaire/compile.ts";
import { savedState } from "#core/questionnaire/saved.ts";
import { type State, stateSchema } from "#core/questionnaire/state.ts";
import { initialState, type QuestionnaireEvent, step } from "#core/questionnaire/step.ts";
import { mexico, smallQuestionnaire } from "#test/questionnaires.ts";
import * as v from "valibot";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError, ConnectionError } from "../api/request.ts";
import { fakeApi, refusal } from "./fakeApi.ts";
import { memoryStore } from "../device/storage.ts";
import { storeState, type Sync } from "../device/storedState.ts";
import { createSaving, type SavingParts } from "./saving.ts";

const compiled = compile(smallQuestionnaire);
const release = "0123456789ab";
const older = "ba9876543210";
const answer = (questionId: number, optionId = 1): QuestionnaireEvent => ({ type: "answer", questionId, optionId });
const after = (from: State, ...events: readonly QuestionnaireEvent[]) =>
  events.reduce((state, event) => step(compiled, state, event, mexico).state, from);
const start: State = { ...initialState(compiled, { uuid: "u" }), signupDone: true };
const shared = after(start, answer(2), answer(3));
const stored = (state: State) => v.parse(stateSchema, savedState(state));

/** A device with a state, and a server with another one. */
function device(
  state: State,
  answers: Parameters<typeof fakeApi>[0],
  sync: Sync | null = { savedAt: "2026-11-20T10:00:00.000Z", synced: state.selectedOptions.length, unsaved: false },
) {
  const store = memoryStore();
  store.set("token", `h.${btoa(JSON.stringify({ sub: "u" }))}.s`);
  const api = fakeApi(answers);
  const at = { state, sync: undefined as Sync | undefined };
  const went: number[] = [];
  const left: Parameters<SavingParts["leaveFor"]>[] = [];
  const saving = createSaving({
    compiled,
    store,
    api,
    state: () => at.state,
    context: () => mexico,
    sync: sync ?? undefined,
    described: state,
    keepSync: (now) => void (at.sync = now),
    replace: (next) => void (at.state = next),
    goTo: (id) => void went.push(id),
    release,
    leaveFor: (...given) => void left.push(given),
  });
  const give = (...events: readonly QuestionnaireEvent[]) => {
    at.state = after(at.state, ...events);
    saving.changed();
  };
  const saves = () =>
    api.calls.flatMap(([name, body]) =>
      name === "questionnairePost" ? [v.parse(v.object({ state: stateSchema, savedAt: v.optional(v.string()) }), body)] : [],
    );
  return { saving, store, api, at, went, left, give, saves };
}
const savedAt = (second: number) => `2026-11-20T10:00:0${second}.000Z`;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("saving", () => {
  test("debounces changes, names the save they are based on, and records that they arrived", async () => {
    const { give, saves, at } = device(shared, { questionnairePost: () => ({ savedAt: savedAt(1) }) });
    give(answer(41));
    give(answer(42));
    expect(at.sync).toEqual({ savedAt: savedAt(0), synced: 2, unsaved: true });
    await vi.advanceTimersByTimeAsync(400);
    expect(saves().map((save) => [encodeAnswers(save.state), save.savedAt])).toEqual([["2.1~3.1~41.1~42.1", savedAt(0)]]);
    expect(at.sync).toEqual({ savedAt: savedAt(1), synced: 4, unsaved: false });
  });

  test("retries after five seconds, then ten, up to a minute, until it arrives", async () => {
    const { give, saves, at } = device(shared, {
      questionnairePost: (_input, time) => {
        if (time < 6) throw new ConnectionError("/api/questionnaire", null);
        return { savedAt: savedAt(1) };
      },
    });
    give(answer(41));
    await vi.advanceTimersByTimeAsync(400);
    for (const [index, wait] of [5, 10, 20, 40, 60, 60].entries()) {
      await vi.advanceTimersByTimeAsync(wait * 1_000 - 1);
      expect(saves()).toHaveLength(index + 1);
      await vi.advanceTimersByTimeAsync(1);
      expect(saves()).toHaveLength(index + 2);
    }
    expect(at.sync).toEqual({ savedAt: savedAt(1), synced: 3, unsaved: false });
  });

  test("in a new session does not wait for a save of the session that has ended, which gets no answer", async () => {
    const { give, saves, store } = device(shared, {
      questionnairePost: (_input, time) => (time === 0 ? new Promise(() => {}) : { savedAt: savedAt(time) }),
    });
    give(answer(41));
    await vi.advanceTimersByTimeAsync(400);
    store.set("token", `h.${btoa(JSON.stringify({ sub: "u", sid: "2" }))}.s`);
    give(answer(42));
    await vi.advanceTimersByTimeAsync(400);
    expect(saves().map(({ state }) => encodeAnswers(state))).toEqual(["2.1~3.1~41.1", "2.1~3.1~41.1~42.1"]);
  });

  test("sends one save at a time, each based on the one before, and none without changes", async () => {
    const { saving, give, saves, api } = device(shared, { questionnairePost: (_input, time) => ({ savedAt: savedAt(time + 1) }) });
    const { call } = api;
    let arrive = () => {};
    const slow = vi.spyOn(api, "call").mockImplementation(async (endpoint, input) => {
      await new Promise<void>((resolve) => (arrive = resolve));
      return call(endpoint, input);
    });
    give(answer(41));
    await vi.advanceTimersByTimeAsync(400);
    give(answer(42));
    await vi.advanceTimersByTimeAsync(400);
    void saving.flush(false);
    expect([slow.mock.calls.length, saves()]).toEqual([1, []]);
    arrive();
    await vi.advanceTimersByTimeAsync(0);
    arrive();
    await vi.runAllTimersAsync();
    expect(slow).toHaveBeenCalledTimes(2);
    expect(saves().map((save) => [encodeAnswers(save.state), save.savedAt])).toEqual([
      ["2.1~3.1~41.1", savedAt(0)],
      ["2.1~3.1~41.1~42.1", savedAt(1)],
    ]);
    expect(api.calledWhenLeaving).toEqual([]);
  });

  test.each([1429, 1500] as const)(
    "retries after five seconds what the server cannot take now (%i), without asking for its state",
    async (code) => {
      const { give, api } = device(shared, {
        questionnairePost: (_input, time) => {
          if (time === 0) throw refusal(code);
          return { savedAt: savedAt(1) };
        },
      });
      give(answer(41));
      await vi.advanceTimersByTimeAsync(400);
      await vi.advanceTimersByTimeAsync(4_999);
      expect(api.calls.map(([name]) => name)).toEqual(["questionnairePost"]);
      await vi.advanceTimersByTimeAsync(1);
      expect(api.calls.map(([name]) => name)).toEqual(["questionnairePost", "questionnairePost"]);
    },
  );

  test("retries a save that something before the server refuses, whose answer has no code of ours", async () => {
    const { give, saves, at } = device(shared, {
      questionnairePost: (_input, time) => {
        if (time === 0) throw new ApiError(404, "/api/questionnaire", unexpected, "Not Found", {});
        return { savedAt: savedAt(1) };
      },
    });
    give(answer(41));
    await vi.runAllTimersAsync();
    expect([saves().length, at.sync]).toEqual([2, { savedAt: savedAt(1), synced: 3, unsaved: false }]);
  });

  test("does not ask for the server's state after a lost connection", async () => {
    const { give, api } = device(shared, {
      questionnairePost: (_input, time) => {
        if (time === 0) throw new ConnectionError("/api/questionnaire", null);
        return { savedAt: savedAt(1) };
      },
    });
    give(answer(41));
    await vi.runAllTimersAsync();
    expect(api.calls.map(([name]) => name)).toEqual(["questionnairePost", "questionnairePost"]);
  });

  test("of a device without a record counts none of its answers as saved, and sends nothing before a change", async () => {
    const { saving, give, saves, at } = device(shared, { questionnairePost: () => ({ savedAt: savedAt(1) }) }, null);
    await saving.flush(false);
    expect(saves()).toEqual([]);
    give(answer(41));
    expect(at.sync).toEqual({ synced: 0, unsaved: true });
  });

  test.each<[string | undefined, number]>([
    [savedAt(3), 2],
    [undefined, 0],
  ])("sends an adopted state, of whose answers the server has those of its save of %s", async (of, synced) => {
    const { saving, at, saves } = device(shared, { questionnairePost: () => ({ savedAt: savedAt(4) }) });
    saving.adopted(of);
    expect(at.sync).toEqual({ savedAt: of, synced, unsaved: true });
    await vi.advanceTimersByTimeAsync(400);
    expect(saves().map((save) => save.savedAt)).toEqual([of]);
  });

  test("does not retry a state that the server refuses", async () => {
    const { give, saves } = device(shared, {
      questionnairePost: () => {
        throw refusal(1000);
      },
    });
    give(answer(41));
    await vi.runAllTimersAsync();
    expect(saves()).toHaveLength(1);
    give(answer(42));
    await vi.runAllTimersAsync();
    expect(saves()).toHaveLength(2);
  });

  test("saves at once when the page is left, and sends nothing without changes or session", async () => {
    const { give, saving, saves, store, api } = device(shared, { questionnairePost: () => ({ savedAt: savedAt(1) }) });
    give(answer(41));
    await saving.flush(true);
    await saving.flush(true);
    expect([saves().length, api.calledWhenLeaving]).toEqual([1, ["questionnairePost"]]);
    store.remove("token");
    give(answer(42));
    await saving.flush(true);
    expect(saves()).toHaveLength(1);
  });

  test("that failed while the page was left is retried after five seconds on a page that stays", async () => {
    const { give, saving, saves, at } = device(shared, {
      questionnairePost: (_input, time) => {
        if (time === 0) throw new ConnectionError("/api/questionnaire", null);
        return { savedAt: savedAt(1) };
      },
    });
    give(answer(41));
    await saving.flush(true);
    await vi.advanceTimersByTimeAsync(5_000);
    expect([saves().length, at.sync]).toEqual([2, { savedAt: savedAt(1), synced: 3, unsaved: false }]);
  });

  test("shows the login when the session turns out to be over, unless asked to be quiet", async () => {
    const { give, saving, api } = device(shared, { questionnairePost: () => ({ savedAt: savedAt(1) }) });
    const call = vi.spyOn(api, "call");
    give(answer(41));
    await vi.advanceTimersByTimeAsync(400);
    give(answer(42));
    await saving.flush(true, true);
    expect(call.mock.calls.map(([, input]) => input?.quietly)).toEqual([false, true]);
  });

  test("sends nothing once the page has forgotten the account, whoever is signed in", async () => {
    const { saving, at, give, saves } = device(shared, {});
    give(answer(41));
    at.state = initialState(compiled);
    await saving.flush(true);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(saves()).toEqual([]);
  });

  test("counts as saved only once the server has answered: the page may end before", async () => {
    const { give, saving, api, at } = device(shared, {});
    const calls = vi.spyOn(api, "call").mockImplementation(() => new Promise(() => {}));
    give(answer(41));
    await vi.advanceTimersByTimeAsync(400);
    expect([calls.mock.calls.length, at.sync]).toEqual([1, { savedAt: savedAt(0), synced: 2, unsaved: true }]);
    // A page that is left sends the save again, because the browser ends the running request. It sends it once, although two events tell it that it is left.
    void saving.flush(true);
    void saving.flush(true);
    expect(calls).toHaveBeenCalledTimes(2);
    give(answer(42));
    void saving.flush(true);
    expect([calls.mock.calls.length, at.sync?.unsaved]).toEqual([3, true]);
  });

  test("is sent once by a page that is left, also when the browser has ended the save before it", async () => {
    const { promise, reject } = Promise.withResolvers<{ readonly savedAt: string }>();
    const { give, saving, saves } = device(shared, { questionnairePost: (_input, time) => (time === 0 ? promise : new Promise(() => {})) });
    give(answer(41));
    await vi.advanceTimersByTimeAsync(400);
    give(answer(42));
    void saving.flush(true);
    reject(new ConnectionError("/api/questionnaire", null));
    await vi.advanceTimersByTimeAsync(0);
    void saving.flush(true);
    expect(saves().map(({ state }) => encodeAnswers(state))).toEqual(["2.1~3.1~41.1", "2.1~3.1~41.1~42.1"]);
  });

  test("that arrives after another account's login says nothing about that account's state", async () => {
    const { promise, resolve } = Promise.withResolvers<{ readonly savedAt: string }>();
    const { give, at, store } = device(shared, { questionnairePost: () => promise });
    give(answer(41));
    await vi.advanceTimersByTimeAsync(400);
    store.set("token", `h.${btoa(JSON.stringify({ sub: "another" }))}.s`);
    resolve({ savedAt: savedAt(1) });
    await vi.advanceTimersByTimeAsync(0);
    expect(at.sync).toEqual({ savedAt: savedAt(0), synced: 2, unsaved: true });
  });

  test("that the server shows before it has answered is not sent again", async () => {
    const { promise, resolve } = Promise.withResolvers<{ readonly savedAt: string }>();
    const { give, saving, at, saves } = device(shared, {
      questionnairePost: () => promise,
      questionnaireGet: () => ({ state: stored(after(shared, answer(41))), savedAt: savedAt(1) }),
    });
    give(answer(41));
    await vi.advanceTimersByTimeAsync(400);
    await saving.catchUp(true);
    resolve({ savedAt: savedAt(1) });
    await vi.runAllTimersAsync();
    await saving.flush(false);
    expect([saves().length, at.sync]).toEqual([1, { savedAt: savedAt(1), synced: 3, unsaved: false }]);
  });

  test("a change during a save is still to be saved after it", async () => {
    const { give, saves, at, api } = device(shared, { questionnairePost: (_input, time) => ({ savedAt: savedAt(time + 1) }) });
    const { call } = api;
    let arrive = () => {};
    vi.spyOn(api, "call").mockImplementation(async (endpoint, input) => {
      await new Promise<void>((resolve) => (arrive = resolve));
      return call(endpoint, input);
    });
    give(answer(41));
    await vi.advanceTimersByTimeAsync(400);
    give(answer(42));
    arrive();
    await vi.advanceTimersByTimeAsync(0);
    expect([saves().length, at.sync]).toEqual([1, { savedAt: savedAt(1), synced: 3, unsaved: true }]);
  });

  test("records after a change that the server lacks the changed answer", () => {
    const { give, at } = device(shared, {});
    give(answer(2, 2));
    expect(at.sync).toMatchObject({ synced: 0, unsaved: true });
  });
});

describe("a state that another device saved on an older release", () => {
  // An option that the served release no longer has.
  const theirs: State = {
    ...shared,
    release: older,
    visitedQuestionIds: [2, 3, 41],
    selectedOptions: [...shared.selectedOptions, { questionId: 41, optionId: 9 }],
    currentQuestionId: 42,
  };
  const server = (state: State) => ({
    questionnaireGet: () => ({ state, savedAt: savedAt(1) }),
    questionnairePost: () => ({ savedAt: savedAt(2) }),
  });

  test("is continued in that release, once the page may navigate", async () => {
    const { saving, at, left } = device(shared, server(theirs));
    await saving.catchUp(false);
    expect([left, at.state]).toEqual([[], shared]);
    await saving.catchUp(true);
    expect(left).toMatchObject([[{ release: older, selectedOptions: theirs.selectedOptions, currentQuestionId: 42 }, savedAt(1), older]]);
    expect(at.state).toBe(shared);
  });

  test("is continued there after a login; the target stays stored, because only that release knows whether it has the question", async () => {
    const { saving, store, left } = device({ ...start, user: {} }, server(theirs));
    store.set("questionnaireTarget", "3");
    store.set("signupEmail", "a@b.de");
    await saving.catchUp(true);
    expect(left).toMatchObject([[{ release: older, currentQuestionId: 42, user: { uuid: "u", email: "a@b.de" } }, savedAt(1), older]]);
    expect(store.get("questionnaireTarget")).toBe("3");
  });

  test("is not requested twice: if the server still sends another release, that one takes over what fits", async () => {
    const { saving, left } = device(shared, server(theirs), { savedAt: savedAt(1), synced: 3, unsaved: false });
    await saving.catchUp(true);
    expect(left).toEqual([]);
  });

  test("is taken over here when its answers fit, below the answers given here meanwhile", async () => {
    const fits = device(shared, server({ ...after(shared, answer(41)), release: older }));
    await fits.saving.catchUp(true);
    expect([fits.left, encodeAnswers(fits.at.state)]).toEqual([[], "2.1~3.1~41.1"]);
    const answered = device(after(shared, answer(41)), server(theirs), { savedAt: savedAt(0), synced: 2, unsaved: true });
    await answered.saving.catchUp(true);
    expect([answered.left, encodeAnswers(answered.at.state)]).toEqual([[], "2.1~3.1~41.1"]);
  });
});

describe("another device", () => {
  const further = after(shared, answer(41, 2), answer(42));

  test("that saved first wins, and the answers given here are added on top (1409)", async () => {
    const { give, saves, at, went } = device(shared, {
      questionnairePost: (_input, time) => {
        if (time === 0) throw refusal(1409, { savedAt: savedAt(5) });
        return { savedAt: savedAt(6) };
      },
      questionnaireGet: () => ({ state: stored(further), savedAt: savedAt(5) }),
    });
    give(answer(41, 1));
    await vi.runAllTimersAsync();
    expect(saves().map((save) => [encodeAnswers(save.state), save.savedAt])).toEqual([
      ["2.1~3.1~41.1", savedAt(0)],
      ["2.1~3.1~41.1", savedAt(5)],
    ]);
    expect(at.sync).toEqual({ savedAt: savedAt(6), synced: 3, unsaved: false });
    expect(went).toEqual([]);
  });

  test("that saved first leads to its question, and is asked for by the account's id", async () => {
    const { give, went, api } = device(shared, {
      questionnairePost: (_input, time) => {
        if (time === 0) throw refusal(1409, { savedAt: savedAt(5) });
        return { savedAt: savedAt(6) };
      },
      questionnaireGet: () => ({ state: stored(further), savedAt: savedAt(5) }),
    });
    give(answer(41, 2));
    await vi.runAllTimersAsync();
    expect(went).toEqual([43]);
    expect(api.calls.filter(([name]) => name === "questionnaireGet")).toEqual([["questionnaireGet", { uuid: "u" }]]);
  });

  test("that saves before each of two saves here is caught up with at once both times", async () => {
    const { give, saves } = device(shared, {
      questionnairePost: (_input, time) => {
        if (time % 2 === 0) throw refusal(1409, { savedAt: savedAt(time + 1) });
        return { savedAt: savedAt(time + 1) };
      },
      questionnaireGet: (_input, time) => ({
        state: stored(time === 0 ? shared : after(shared, answer(41))),
        savedAt: savedAt(2 * time + 1),
      }),
    });
    for (const [index, questionId] of [41, 42].entries()) {
      give(answer(questionId));
      await vi.advanceTimersByTimeAsync(401);
      expect(saves()).toHaveLength(2 * index + 2);
    }
  });

  test("whose state cannot be fetched after a conflict is retried after five seconds", async () => {
    const { give, saves } = device(shared, {
      questionnairePost: (_input, time) => {
        if (time === 0) throw refusal(1409, { savedAt: savedAt(5) });
        return { savedAt: savedAt(6) };
      },
      questionnaireGet: () => {
        throw new ConnectionError("/api/questionnaire", null);
      },
    });
    give(answer(41));
    await vi.advanceTimersByTimeAsync(400 + 4_999);
    expect(saves()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(saves()).toHaveLength(2);
  });

  test("that may have saved since is asked first by a page whose state is based on no save: the server would take it for the newest", async () => {
    const offline = () => {
      throw new ConnectionError("/api/questionnaire", null);
    };
    const { saving, store, at, saves } = device(
      shared,
      {
        questionnaireGet: (_input, time) => (time === 0 ? offline() : { state: stored(further), savedAt: savedAt(5) }),
        questionnairePost: () => ({ savedAt: savedAt(6) }),
      },
      { synced: 0, unsaved: true },
    );
    await saving.flush(false);
    // Another tab of this device has saved: a page that is left must not save over it.
    storeState(store, further, { savedAt: savedAt(5), synced: 4, unsaved: false });
    await saving.flush(true);
    expect(saves()).toEqual([]);
    await vi.runAllTimersAsync();
    expect([encodeAnswers(at.state), saves(), at.sync]).toEqual([
      "2.1~3.1~41.2~42.1",
      [],
      { savedAt: savedAt(5), synced: 4, unsaved: false },
    ]);
  });

  test("may have saved after a first save here that failed, and is asked before the next try", async () => {
    const { give, at, saves } = device(
      { ...shared, signupDone: false },
      {
        questionnairePost: (_input, time) => {
          if (time === 0) throw new ConnectionError("/api/questionnaire", null);
          return { savedAt: savedAt(6) };
        },
        questionnaireGet: () => ({ state: stored(further), savedAt: savedAt(5) }),
      },
      null,
    );
    give({ type: "signedUp", uuid: "u" });
    await vi.advanceTimersByTimeAsync(400 + 5_000);
    expect([encodeAnswers(at.state), saves().length]).toEqual(["2.1~3.1~41.2~42.1", 1]);
  });

  test("is not asked for without a session", async () => {
    const { saving, store, api } = device(shared, {});
    store.remove("token");
    await saving.catchUp(true);
    expect(api.calls).toEqual([]);
  });

  test.each([savedAt(0), savedAt(5)])("that the server keeps reporting (%s) is retried with growing delays", async (named) => {
    const { give, saves } = device(shared, {
      questionnairePost: () => {
        throw refusal(1409, { savedAt: savedAt(7) });
      },
      questionnaireGet: () => ({ state: stored(shared), savedAt: named }),
    });
    give(answer(41));
    await vi.advanceTimersByTimeAsync(401);
    for (const [index, wait] of [5, 10, 20, 40, 60, 60].entries()) {
      expect(saves()).toHaveLength(index + 2);
      await vi.advanceTimersByTimeAsync(wait * 1_000 - 1);
      expect(saves()).toHaveLength(index + 2);
      await vi.advanceTimersByTimeAsync(1);
    }
  });

  test("that answered in another version keeps its answers while this one is only looked at", async () => {
    const looking: State = { ...initialState(compiled, { uuid: "u" }), signupDone: false };
    for (const unsaved of [false, true]) {
      const { saving, saves, at, went } = device(
        looking,
        { questionnaireGet: () => ({ state: stored({ ...further, id: "83" }), savedAt: savedAt(5) }) },
        { savedAt: savedAt(0), synced: 2, unsaved },
      );
      await saving.catchUp(true);
      await vi.runAllTimersAsync();
      expect([at.state, saves(), went]).toEqual([looking, [], []]);
    }
  });

  test("that went further is followed when this page opens without new answers", async () => {
    const { saving, at, went, saves } = device(shared, { questionnaireGet: () => ({ state: stored(further), savedAt: savedAt(5) }) });
    await saving.catchUp(true);
    await vi.runAllTimersAsync();
    expect([encodeAnswers(at.state), went, saves()]).toEqual(["2.1~3.1~41.2~42.1", [43], []]);
    expect(at.sync).toEqual({ savedAt: savedAt(5), synced: 4, unsaved: false });
  });

  test("is not followed on a page that is no question", async () => {
    const { saving, at, went } = device(shared, { questionnaireGet: () => ({ state: stored(further), savedAt: savedAt(5) }) });
    await saving.catchUp(false);
    expect([at.state.currentQuestionId, went]).toEqual([43, []]);
  });

  test("that saved nothing leaves this one alone, and pending changes are sent", async () => {
    const here = after(shared, answer(41));
    const { saving, saves, went } = device(
      here,
      { questionnaireGet: () => ({ state: stored(shared), savedAt: savedAt(0) }), questionnairePost: () => ({ savedAt: savedAt(1) }) },
      { savedAt: savedAt(0), synced: 2, unsaved: true },
    );
    await saving.catchUp(true);
    await vi.runAllTimersAsync();
    expect([saves().length, went]).toEqual([1, []]);
  });

  test("is not restored after the visitor has started over", async () => {
    const { saving, saves, at, store } = device(start, {
      questionnaireGet: () => ({ state: stored(further), savedAt: savedAt(5) }),
      questionnairePost: () => ({ savedAt: savedAt(6) }),
    });
    store.set("questionnaireReset", "1");
    await saving.catchUp(true);
    await vi.runAllTimersAsync();
    expect([encodeAnswers(at.state), saves()[0]?.savedAt, store.get("questionnaireReset")]).toEqual(["", savedAt(5), null]);
  });
});

describe("logging in from another version's page", () => {
  const retired: State = {
    ...shared,
    id: "12",
    visitedQuestionIds: [2, 3, 30],
    selectedOptions: [...shared.selectedOptions, { questionId: 30, optionId: 1 }],
    currentQuestionId: 31,
  };
  test("starts a retired version's questions over, and goes there", async () => {
    const { saving, at, went, saves, store } = device(
      { ...start, signupDone: false },
      { questionnaireGet: () => ({ state: stored(retired), savedAt: savedAt(5) }), questionnairePost: () => ({ savedAt: savedAt(6) }) },
      null,
    );
    store.set("questionnaireTarget", "");
    await saving.catchUp(true);
    await vi.runAllTimersAsync();
    expect([at.state.id, encodeAnswers(at.state), went, at.state.signupDone]).toEqual(["76", "", [2], true]);
    expect(saves().map((save) => save.savedAt)).toEqual([savedAt(5)]);
    expect(store.get("questionnaireTarget")).toBeNull();
  });

  test("with a target, merges a retired version's answers up to the first invalid one", async () => {
    const { saving, at, went, store } = device(
      { ...start, signupDone: false },
      { questionnaireGet: () => ({ state: stored(retired), savedAt: savedAt(5) }), questionnairePost: () => ({ savedAt: savedAt(6) }) },
      null,
    );
    store.set("questionnaireTarget", "41");
    await saving.catchUp(true);
    expect([encodeAnswers(at.state), went]).toEqual(["2.1~3.1", [41]]);
  });

  test("goes to the link's target when that question exists", async () => {
    const { saving, went, store } = device(
      start,
      { questionnaireGet: () => ({ state: null }), questionnairePost: () => ({ savedAt: savedAt(6) }) },
      null,
    );
    store.set("questionnaireTarget", "56");
    await saving.catchUp(true);
    expect(went).toEqual([56]);
  });
});
