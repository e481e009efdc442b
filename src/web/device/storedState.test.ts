import { compile } from "#core/questionnaire/compile.ts";
import type { State } from "#core/questionnaire/state.ts";
import { initialState, step } from "#core/questionnaire/step.ts";
import { mexico, smallQuestionnaire } from "#test/questionnaires.ts";
import { describe, expect, it } from "vitest";
import { readState } from "./readState.ts";
import { type KeyValueStore, memoryStore } from "./storage.ts";
import { identifyStored, storedProgress, storedSync, storedUser, storeServerState, storeState } from "./storedState.ts";

const compiled = compile(smallQuestionnaire);
const fresh = initialState(compiled, { uuid: "u", email: "ana@example.com" });
const answered: State = step(compiled, fresh, { type: "answer", questionId: 2, optionId: 1 }, mexico).state;
const savedAt = "2026-11-20T10:00:00.000Z";

/** A device on which this JSON was stored. */
function withStored(fields: Readonly<Record<string, unknown>>): KeyValueStore {
  const store = memoryStore();
  store.set("questionnaireState", JSON.stringify(fields));
  return store;
}

describe("a state from the server", () => {
  it("counts as saved", () => {
    const store = memoryStore();
    storeServerState(store, answered, savedAt);
    expect(readState(store)).toMatchObject({ selectedOptions: answered.selectedOptions });
    expect(storedSync(store)).toEqual({ savedAt, synced: 1, unsaved: false });
  });

  it("counts as unsaved when the server has never saved one", () => {
    const store = memoryStore();
    storeServerState(store, answered, undefined);
    expect(storedSync(store)).toEqual({ synced: 0, unsaved: true });
  });
});

describe("the sync record", () => {
  it("is read as it was stored, with or without the time of a save", () => {
    const store = memoryStore();
    for (const sync of [
      { savedAt, synced: 1, unsaved: true },
      { synced: 0, unsaved: false },
    ]) {
      storeState(store, answered, sync);
      expect(storedSync(store)).toStrictEqual(sync);
    }
  });

  it.each([
    {},
    { synced: "1", unsaved: true },
    { synced: 1, unsaved: "no" },
    { synced: 1 },
    { unsaved: true },
    { synced: 1, unsaved: true, savedAt: 5 },
    null,
  ])("is ignored when it is none: %o", (sync) => {
    expect(storedSync(withStored({ sync }))).toBeUndefined();
  });
});

describe("the stored visitor", () => {
  it("has an id and an address, where they are texts", () => {
    expect(storedUser(withStored({ user: { uuid: "u", email: "ana@example.com" } }))).toEqual({ uuid: "u", email: "ana@example.com" });
    expect(storedUser(withStored({ user: { uuid: 5, email: { at: "example.com" } } }))).toEqual({ uuid: undefined, email: undefined });
    expect(storedUser(withStored({}))).toEqual({ uuid: undefined, email: undefined });
    expect(storedUser(memoryStore())).toEqual({ uuid: undefined, email: undefined });
  });

  it("gets an id, unless there is one already; everything else stays", () => {
    const store = withStored({ id: "76", user: { email: "ana@example.com" } });
    identifyStored(store, "u");
    identifyStored(store, "another");
    expect(JSON.parse(store.get("questionnaireState") ?? "")).toEqual({ id: "76", user: { email: "ana@example.com", uuid: "u" } });
  });
});

describe("stored progress", () => {
  const begun = { id: "76", currentQuestionId: 3, selectedOptions: [{ questionId: 2, optionId: 1 }] };

  it("begins with an answer or an account", () => {
    expect(storedProgress(withStored(begun))).toEqual({ id: "76", currentQuestionId: 3 });
    expect(storedProgress(withStored({ ...begun, selectedOptions: [], signupDone: true }))).toEqual({ id: "76", currentQuestionId: 3 });
    expect(storedProgress(withStored({ ...begun, selectedOptions: [] }))).toBeNull();
    expect(storedProgress(withStored({ ...begun, selectedOptions: [], signupDone: "true" }))).toBeNull();
    expect(storedProgress(withStored({ ...begun, selectedOptions: "1.1" }))).toBeNull();
  });

  it("needs a version and a question", () => {
    expect(storedProgress(withStored({ ...begun, id: 76 }))).toBeNull();
    expect(storedProgress(withStored({ ...begun, currentQuestionId: "3" }))).toBeNull();
    expect(storedProgress(memoryStore())).toBeNull();
  });
});
