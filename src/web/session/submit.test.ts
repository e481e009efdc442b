import { compile } from "#core/questionnaire/compile.ts";
import type { OptionInput } from "#core/questionnaire/definition.ts";
import { initialState } from "#core/questionnaire/step.ts";
import { mexico, questionnaire, smallQuestionnaire, smallQuestions } from "#test/questionnaires.ts";
import { describe, expect, test, vi } from "vitest";
import { ConnectionError } from "../api/request.ts";
import { fakeApi, refusal } from "./fakeApi.ts";
import { memoryStore, removeTokens, saveTokens } from "../device/storage.ts";
import { submitAnswer, takeAnswer } from "./submit.ts";

/** A device with a session. */
function signedIn() {
  const store = memoryStore();
  saveTokens(store, { token: "t", refreshToken: "r" });
  return store;
}

/** Answers question 70, which has one block and the options Yes, No and Maybe, in a version. */
async function answerOne(
  block: string,
  version: string,
  optionId: number,
  api: ReturnType<typeof fakeApi>,
  store = memoryStore(),
  signupDone = false,
) {
  const options: OptionInput[] = (["Yes", "No", "Maybe"] as const).map((type, index) => ({
    id: index + 1,
    type,
    description: type,
    followUpQuestion: 73,
  }));
  const compiled = compile(questionnaire([...smallQuestions, { id: 70, contents: [{ type: block }], options }], { id: version }));
  const setUser = vi.fn();
  const outcome = await submitAnswer(
    {
      compiled,
      questionId: 70,
      optionId,
      state: { ...initialState(compiled), signupDone },
      context: mexico,
      fields: { email: "ana@example.com", password: "", firstname: "" },
    },
    { api, store, setUser, signedUp: () => Promise.resolve() },
  );
  return { outcome, setUser, calls: api.calls };
}

describe("the e-mail screen", () => {
  const available = () => fakeApi({ checkEmail: () => ({ available: true }) });
  test("asks whether the address is free, except in the discount variant 69 (spec 001 §4)", async () => {
    expect((await answerOne("signupEmail", "76", 1, available())).calls).toEqual([["checkEmail", { email: "ana@example.com" }]]);
    const discount = await answerOne("signupEmail", "69", 1, available());
    expect([discount.calls, discount.outcome, discount.setUser.mock.calls]).toEqual([[], "answered", [[{ email: "ana@example.com" }]]]);
  });
  test.each([
    [1101, {}],
    [1400, { taken: false, error: refusal(1400) }],
  ] as const)("leads to the login on refusal %i, and calls an address taken only if that is known", async (code, more) => {
    const refuses = fakeApi({
      checkEmail: () => {
        throw refusal(code);
      },
    });
    expect((await answerOne("signupEmail", "76", 1, refuses)).outcome).toEqual({ route: "questionnaire/user", ...more });
  });
});

test("the page that a refused address leads to knows the question for another one", async () => {
  const refuses = fakeApi({
    checkEmail: () => {
      throw refusal(1101);
    },
  });
  const fields = { email: "ana@example.com", password: "", firstname: "" };
  const compiled = compile(smallQuestionnaire);
  const leaveTo = vi.fn();
  await takeAnswer(
    { compiled, questionId: 67, optionId: 1, state: initialState(compiled), context: mexico, fields },
    {
      api: refuses,
      store: memoryStore(),
      setUser: vi.fn(),
      signedUp: () => Promise.resolve(),
      answered: vi.fn(),
      set: vi.fn(),
      report: vi.fn(),
      leaveTo,
    },
  );
  expect(leaveTo.mock.calls).toEqual([[{ route: "questionnaire/user", emailQuestion: 67 }]]);
});

const correct = async (known: string | undefined, api: ReturnType<typeof fakeApi>) => {
  const compiled = compile(
    questionnaire([
      ...smallQuestions,
      { id: 70, contents: [{ type: "signupEmail" }], options: [{ id: 1, type: "Yes", description: "Yes", followUpQuestion: 73 }] },
    ]),
  );
  const start = initialState(compiled);
  const store = signedIn();
  const setUser = vi.fn();
  const outcome = await submitAnswer(
    {
      compiled,
      questionId: 70,
      optionId: 1,
      state: { ...start, signupDone: true, user: { ...start.user, email: known } },
      context: mexico,
      fields: { email: "ana@example.com", password: "", firstname: "" },
    },
    { api, store, setUser, signedUp: () => Promise.resolve() },
  );
  return { outcome, saved: setUser.mock.calls, calls: api.calls, kept: store.get("signupEmail") };
};

describe("the e-mail screen after sign-up", () => {
  const accepts = () => fakeApi({ updateEmail: () => ({ pending: false }) });

  test("gives the account a corrected address", async () => {
    expect(await correct("ana@exmaple.com", accepts())).toEqual({
      outcome: "answered",
      saved: [[{ email: "ana@example.com" }]],
      calls: [["updateEmail", { email: "ana@example.com" }]],
      kept: "ana@example.com",
    });
  });
  test("sends nothing when the address is the same", async () => {
    expect((await correct("ana@example.com", accepts())).calls).toEqual([]);
  });
  test("sends nothing when the address is the same in other letters, upper or lower case (spec 001 §5)", async () => {
    expect(await correct("Ana@Example.com", accepts())).toMatchObject({ outcome: "answered", calls: [] });
  });
  test("keeps the used address and goes to email-exists when it has its own account (spec 001 §8)", async () => {
    const taken = fakeApi({
      updateEmail: () => {
        throw refusal(1101);
      },
    });
    expect(await correct("ana@exmaple.com", taken)).toMatchObject({
      outcome: { route: "questionnaire/email-exists" },
      saved: [],
      kept: "ana@example.com",
    });
  });
});

describe("a corrected address that the account cannot take", () => {
  test.each([
    [{ email: "validator_too_long" }, "validator_too_long"],
    [{}, "validator_invalid_email"],
  ])("shows the reason at its field: %j", async (fields, key) => {
    const refuses = fakeApi({
      updateEmail: () => {
        throw refusal(1000, fields);
      },
    });
    expect(await correct("ana@exmaple.com", refuses)).toMatchObject({ outcome: { errors: { email: key } }, saved: [] });
  });
  test("is changed on the page that asks for the password, if the old one is confirmed", async () => {
    const refuses = fakeApi({
      updateEmail: () => {
        throw refusal(1000, { password: "validator_required" });
      },
    });
    const outcome = { route: "questionnaire/update-email" };
    expect(await correct("ana@exmaple.com", refuses)).toMatchObject({ outcome, saved: [], kept: "ana@exmaple.com" });
  });
  test("awaits confirmation, and the account keeps the old one until then", async () => {
    const waits = fakeApi({ updateEmail: () => ({ pending: true }) });
    expect(await correct("ana@exmaple.com", waits)).toMatchObject({ outcome: "answered", saved: [], kept: "ana@exmaple.com" });
    expect(await correct(undefined, waits)).toMatchObject({ outcome: "answered", saved: [], kept: "ana@example.com" });
  });
  test("throws an unexpected error", async () => {
    const refuses = fakeApi({
      updateEmail: () => {
        throw refusal(1500);
      },
    });
    await expect(correct("ana@exmaple.com", refuses)).rejects.toThrow(refusal(1500).message);
  });
});

test("an option that goes home from a sign-up screen validates and sends nothing", async () => {
  const compiled = compile(
    questionnaire([
      ...smallQuestions,
      {
        id: 70,
        contents: [{ type: "title", text: "Your e-mail" }, { type: "signupEmail" }],
        options: [{ id: 1, type: "ToHomePage", description: "Home" }],
      },
    ]),
  );
  const api = fakeApi({});
  const fields = { email: "", password: "", firstname: "" };
  const answering = { compiled, questionId: 70, optionId: 1, state: initialState(compiled), context: mexico, fields };
  const parts = { api, store: memoryStore(), setUser: vi.fn(), signedUp: () => Promise.resolve() };
  expect([await submitAnswer(answering, parts), api.calls]).toEqual(["answered", []]);
});

describe("the marketing consent screen", () => {
  const keeps = () => fakeApi({ marketingConsent: () => ({}) });
  const answer = (optionId: number, api: ReturnType<typeof fakeApi>, store = signedIn()) =>
    answerOne("signupMarketingConsent", "83", optionId, api, store);
  test("sends consent as Yes or No (spec 001 §4)", async () => {
    expect((await answer(1, keeps())).calls).toEqual([["marketingConsent", { consent: true }]]);
    expect((await answer(2, keeps())).calls).toEqual([["marketingConsent", { consent: false }]]);
  });
  test("is the last to ask: no dialog of another version asks again", async () => {
    const due = async (optionId: number) => {
      const store = signedIn();
      store.set("marketingConsentDue", "true");
      await answer(optionId, keeps(), store);
      return store.get("marketingConsentDue");
    };
    expect([await due(1), await due(2), await due(3)]).toEqual([null, null, "true"]);
  });
  test("sends nothing for any other answer", async () => {
    expect((await answer(3, keeps())).calls).toEqual([]);
  });
  test("goes on without a session, where the call would lead to the login (spec 001 §7)", async () => {
    expect(await answer(1, keeps(), memoryStore())).toMatchObject({ outcome: "answered", calls: [] });
  });
  test("keeps the answer of somebody whose session is over for the next login, and nobody else's", async () => {
    const due = async (optionId: number, signupDone: boolean) => {
      const store = memoryStore();
      await answerOne("signupMarketingConsent", "83", optionId, keeps(), store, signupDone);
      return store.get("marketingConsentDue");
    };
    expect([await due(1, true), await due(2, true), await due(3, true), await due(1, false)]).toEqual(["Yes", "No", null, null]);
  });
  test("keeps the answer for the next login when its call finds the session over", async () => {
    const store = signedIn();
    const refuses = fakeApi({
      marketingConsent: () => {
        removeTokens(store);
        throw refusal(1003);
      },
    });
    await expect(answer(2, refuses, store)).rejects.toThrow(refusal(1003).message);
    expect(store.get("marketingConsentDue")).toBe("No");
  });
  test("goes on if sending the consent fails (spec 001 §7)", async () => {
    const offline = fakeApi({
      marketingConsent: () => {
        throw new ConnectionError("/api/marketing-consent", null);
      },
    });
    expect((await answer(1, offline)).outcome).toBe("answered");
  });
});
