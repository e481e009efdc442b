import { encodeAnswers } from "#core/questionnaire/answer-code.ts";
import { compile } from "#core/questionnaire/compile.ts";
import type { State } from "#core/questionnaire/state.ts";
import { initialState, type QuestionnaireEvent, step } from "#core/questionnaire/step.ts";
import { mexico, smallQuestionnaire } from "#test/questionnaires.ts";
import { describe, expect, test } from "vitest";
import { memoryStore } from "../device/storage.ts";
import { type Copies, reconcile } from "./reconcile.ts";

const compiled = compile(smallQuestionnaire);
const release = "0123456789ab";
const older = "ba9876543210";
const at = (second: number) => `2026-11-20T10:00:0${second}.000Z`;
const answer = (questionId: number, optionId = 1): QuestionnaireEvent => ({ type: "answer", questionId, optionId });
const after = (from: State, ...events: readonly QuestionnaireEvent[]) =>
  events.reduce((state, event) => step(compiled, state, event, mexico).state, from);
const start: State = { ...initialState(compiled, { uuid: "u" }), signupDone: true };
const shared = after(start, answer(2), answer(3));
/** Nobody has answered or signed up on this device yet. */
const looking: State = { ...start, signupDone: false };
const synced = { savedAt: at(0), synced: 2, unsaved: false };

/** Both sides have `shared`, saved at second 0, unless `change` says otherwise. `stored` is what the device's storage holds. */
function reconciled(change: Partial<Copies> = {}, stored: Readonly<Record<string, string>> = {}) {
  const store = memoryStore();
  for (const [key, value] of Object.entries(stored)) store.set(key as Parameters<typeof store.set>[0], value);
  const theirs = { state: shared, savedAt: at(0) };
  return reconcile({ compiled, release, context: mexico, store, uuid: "u", ours: shared, sync: synced, theirs, ...change });
}
const replaced = (...given: Parameters<typeof reconciled>) => {
  const outcome = reconciled(...given);
  if (outcome.kind !== "replace") throw new Error(`The state is not replaced: ${outcome.kind}`);
  const { state, ...more } = outcome;
  return { answers: encodeAnswers(state), question: state.currentQuestionId, user: state.user, ...more };
};

describe("the device's state", () => {
  test("stays when the server has none, or only the save it is based on", () => {
    expect(reconciled()).toEqual({ kind: "keepOurs" });
    expect(reconciled({ theirs: { state: null, savedAt: at(1) } })).toEqual({ kind: "keepOurs" });
    expect(reconciled({ theirs: { state: "invalid", savedAt: at(1) } })).toEqual({ kind: "keepOurs" });
    expect(reconciled({ theirs: { state: after(shared, answer(41)) } })).toEqual({ kind: "keepOurs" });
  });

  test("replaces the saved one when the visitor started over, whatever the server has", () => {
    expect(reconciled({ theirs: { state: after(shared, answer(41)), savedAt: at(1) } }, { questionnaireReset: "1" })).toEqual({
      kind: "startOver",
    });
    expect(reconciled({}, { questionnaireReset: "0" })).toEqual({ kind: "keepOurs" });
  });

  test("replaces nothing when the visitor started over before the login, which led to this version's page", () => {
    const ours = { ...looking, user: { uuid: "visitor" } };
    expect(replaced({ ours, sync: { synced: 0, unsaved: false } }, { questionnaireReset: "1", questionnaireTarget: "" })).toMatchObject({
      answers: "2.1~3.1",
      unsaved: false,
    });
  });
});

describe("a newer save of another device", () => {
  const theirs = { state: after(shared, answer(41)), savedAt: at(1) };

  test("is taken over, and counts as saved when the device adds nothing", () => {
    expect(replaced({ theirs })).toMatchObject({ answers: "2.1~3.1~41.1", synced: 3, unsaved: false, navigates: false });
  });

  test("is taken over below the answers given here, which are still to be saved", () => {
    const ours = after(shared, answer(41), answer(42));
    expect(replaced({ ours, theirs, sync: { ...synced, unsaved: true } })).toMatchObject({
      answers: "2.1~3.1~41.1~42.1",
      synced: 3,
      unsaved: true,
    });
  });

  test("of another version is continued on that version's page, with all its answers", () => {
    const state = { ...theirs.state, id: "83" };
    expect(reconciled({ theirs: { ...theirs, state } })).toEqual({ kind: "otherVersion", state });
    expect(reconciled({ theirs: { ...theirs, state }, sync: { ...synced, unsaved: true } })).toEqual({ kind: "otherVersion", state });
  });

  test("of another version stays replaced by this one when the device has taken it over, although that is not saved yet", () => {
    const other = { state: { ...shared, id: "83" }, savedAt: at(0) };
    expect(reconciled({ theirs: other, sync: { savedAt: at(0), synced: 0, unsaved: true } })).toEqual({ kind: "keepOurs" });
  });

  test("of another version is to be saved again in this one when the account came to the sign-up here, and that is not saved yet", () => {
    const other = { ...theirs, state: { ...theirs.state, id: "83" } };
    expect(replaced({ theirs: other, sync: { synced: 2, unsaved: true } })).toMatchObject({ answers: "2.1~3.1~41.1", unsaved: true });
  });
});

describe("a visitor who only looks at another version", () => {
  const other = { state: { ...shared, id: "83" }, savedAt: at(1) };
  const of = (change: Partial<Copies>, stored?: Readonly<Record<string, string>>) =>
    reconciled({ ours: looking, theirs: other, ...change }, stored).kind;

  test("takes over no answers", () => {
    expect(of({})).toBe("onlyLooking");
  });

  test("keeps the account's answers although this device has none of them, or answers from before the login", () => {
    expect(of({ uuid: "another" })).toBe("onlyLooking");
    expect(of({ uuid: "another", ours: after(looking, answer(2)) })).toBe("onlyLooking");
    expect(of({ ours: { ...looking, user: {} } })).toBe("onlyLooking");
  });

  test("keeps the account's answers, until those given here come to the sign-up", () => {
    for (const unsaved of [true, false])
      for (const second of [0, 1])
        expect(
          of({ ours: after(looking, answer(2)), theirs: { ...other, savedAt: at(second) }, sync: { ...synced, unsaved } }),
          `${unsaved} ${second}`,
        ).toBe("onlyLooking");
  });

  test("keeps the answers of an account whose version was retired, on every page but that of the locale's default version", () => {
    const retired = { ...other, state: { ...shared, id: "12" } };
    expect(of({ theirs: retired, ours: { ...looking, id: "83" } })).toBe("onlyLooking");
    expect(of({ theirs: retired, uuid: "another" })).toBe("replace");
  });

  test("does not only look after signing up, or coming from a login or a link to a question", () => {
    expect(of({ ours: start })).toBe("otherVersion");
    expect(of({ ours: start, sync: { synced: 0, unsaved: true } })).toBe("replace");
    expect(of({ uuid: "another", ours: start })).toBe("replace");
    expect(of({}, { questionnaireTarget: "" })).toBe("replace");
  });

  test("takes over the answers of the same version, and of one that is no longer known", () => {
    expect(of({ theirs: { state: shared, savedAt: at(1) } })).toBe("replace");
    expect(of({ theirs: { state: { ...shared, id: "12" }, savedAt: at(1) } })).toBe("replace");
    expect(of({ theirs: { state: null, savedAt: at(1) } })).toBe("keepOurs");
  });
});

describe("a save of another release", () => {
  // An option that the served release no longer has.
  const state: State = {
    ...shared,
    release: older,
    visitedQuestionIds: [2, 3, 41],
    selectedOptions: [...shared.selectedOptions, { questionId: 41, optionId: 9 }],
    currentQuestionId: 42,
  };
  const theirs = { state, savedAt: at(1) };

  test("is continued there at its own question, also after a login by a link with a target, with what the device knows of the visitor", () => {
    expect(reconciled({ theirs })).toEqual({ kind: "otherRelease", state: { ...state, user: { ...state.user, uuid: "u" } } });
    const config = JSON.stringify({ uuid: "u", email: "ana@example.com" });
    const known = { config, signupEmail: "typed.since@example.com", signupName: "Ana", questionnaireTarget: "3" };
    expect(reconciled({ theirs }, known)).toMatchObject({
      state: { currentQuestionId: 42, user: { uuid: "u", email: "ana@example.com", firstname: "Ana" } },
    });
  });

  test("is not continued there when it is the save that the device is based on, or when the device has newer answers", () => {
    expect(reconciled({ theirs: { state, savedAt: at(0) } })).toEqual({ kind: "keepOurs" });
    expect(reconciled({ theirs, sync: { ...synced, unsaved: true } }).kind).toBe("replace");
  });

  test("is continued there after a login, although the device has unsaved answers of somebody else", () => {
    const somebody = { ...shared, user: { uuid: "somebody" } };
    expect(reconciled({ ours: somebody, theirs, sync: { ...synced, unsaved: true } }).kind).toBe("otherRelease");
  });
});

describe("after a login", () => {
  const ours = { ...looking, user: { uuid: "somebody" } };
  const theirs = { state: shared, savedAt: at(1) };

  test("the account's state is taken over, which the server has already", () => {
    expect(replaced({ ours, theirs })).toEqual({
      kind: "replace",
      answers: "2.1~3.1",
      question: 41,
      user: { uuid: "u" },
      synced: 2,
      unsaved: false,
      navigates: false,
    });
    // Also when it is the save on which the device's state is based.
    expect(replaced({ ours, theirs: { state: shared, savedAt: at(0) } })).toMatchObject({ answers: "2.1~3.1", unsaved: false });
  });

  test("the page goes to the question only when the previous page has named the questionnaire", () => {
    expect(replaced({ theirs }, { questionnaireTarget: "3" })).toMatchObject({ question: 3, navigates: true });
    expect(replaced({ theirs }, { questionnaireTarget: "" })).toMatchObject({ question: 41, navigates: true });
  });

  test("a new state is to be saved when the server has none, none that can be read, or another version's", () => {
    for (const state of [null, "invalid" as const, { ...shared, id: "12" }])
      expect(replaced({ ours, theirs: { state, savedAt: at(1) } })).toMatchObject({ synced: 0, unsaved: true });
  });

  test("the page asks for the missing name when the server has no state, and starts over when it has none that can be read", () => {
    const questionFor = (state: null | "invalid") => replaced({ ours, theirs: { state, savedAt: at(1) } }).question;
    expect([questionFor(null), questionFor("invalid")]).toEqual([69, 2]);
  });

  test("the device's answers stay when the server has none: those of the account's sign-up, or from before the login", () => {
    const none = { theirs: { state: null } };
    const kept = { answers: "2.1~3.1", question: 41, user: { uuid: "u" }, synced: 0, unsaved: true };
    expect(replaced(none, { questionnaireTarget: "" })).toMatchObject({ ...kept, navigates: true });
    expect(replaced({ ...none, ours: after(ours, answer(2), answer(3)) })).toMatchObject(kept);
    // Another account's answers do not become this one's.
    expect(replaced({ ...none, ours: { ...shared, user: { uuid: "somebody" } } }).answers).toBe("");
  });

  test("the answers that this account gave here since its last save stay, and nobody else's", () => {
    const further = { sync: { ...synced, unsaved: true }, ours: after(shared, answer(41)) };
    const kept = { answers: "2.1~3.1~41.1", question: 42, synced: 2, unsaved: true, navigates: true };
    expect(replaced({ ...further, theirs }, { questionnaireTarget: "" })).toMatchObject(kept);
    expect(replaced({ ...further, theirs }, { questionnaireTarget: "3" })).toMatchObject({ ...kept, question: 3 });
    const elses = { ...further.ours, user: { uuid: "somebody" } };
    expect(replaced({ ...further, ours: elses, theirs }, { questionnaireTarget: "" }).answers).toBe("2.1~3.1");
    const saved = { ...further, sync: { ...synced, unsaved: false } };
    expect(replaced({ ...saved, theirs }, { questionnaireTarget: "" }).answers).toBe("2.1~3.1");
    // The record counts no answers of another version's save. After a retired version the account starts over.
    const retired = { ...theirs, state: { ...shared, id: "12" } };
    expect(replaced({ ...further, theirs: retired }, { questionnaireTarget: "" })).toMatchObject({ answers: "", question: 2 });
  });

  test("the state has the address and the name that were typed at sign-up", () => {
    expect(replaced({ ours, theirs }, { signupEmail: "ana@example.com", signupName: "Ana" }).user).toEqual({
      uuid: "u",
      email: "ana@example.com",
      firstname: "Ana",
    });
  });
});
