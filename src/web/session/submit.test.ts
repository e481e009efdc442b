import type { Locale } from "#core/locales.ts";
import { compile } from "#core/questionnaire/compile.ts";
import type { OptionInput } from "#core/questionnaire/definition.ts";
import { initialState } from "#core/questionnaire/step.ts";
import { mexico, questionnaire, smallQuestions } from "#test/questionnaires.ts";
import { describe, expect, test, vi } from "vitest";
import { ConnectionError } from "../api/client.ts";
import { fakeApi, refusal } from "./fakeApi.ts";
import { memoryStore, saveTokens } from "./storage.ts";
import { fetchConfig, submitAnswer } from "./submit.ts";

const config = { uuid: "8a0b6c0e-0f55-4d5c-8f0b-1a2b3c4d5e6f", questionnaireVersion: "76", completed: false, entitlementExists: false };

describe("the configuration call", () => {
  const asked = async (locale: Locale, store = memoryStore()) => {
    const api = fakeApi({ config: () => config });
    await fetchConfig(api, store, { locale });
    return api.calls;
  };

  test("says English as Latin American Spanish, and every other locale as it is (spec 000 §7)", async () => {
    expect(await asked("en-US")).toEqual([["config", { version: "v5.7.8", uiLanguage: "es-419" }]]);
    expect(await asked("pt-BR")).toEqual([["config", { version: "v5.7.8", uiLanguage: "pt-BR" }]]);
  });

  test("names the campaign, version and advertisement of the link that led here", async () => {
    const store = memoryStore();
    store.set("parlando", JSON.stringify({ deviceUuid: "d", cid: "spring", vid: "83", adid: "a1" }));
    expect(await asked("es-419", store)).toEqual([
      ["config", { version: "v5.7.8", uiLanguage: "es-419", campaignId: "spring", versionId: "83", advertisementId: "a1" }],
    ]);
  });

  test("is made once: its answer is kept until a fresh one is wanted", async () => {
    const api = fakeApi({ config: () => config });
    const store = memoryStore();
    for (const fresh of [false, false, true]) expect(await fetchConfig(api, store, { locale: "es-419" }, fresh)).toEqual(config);
    expect(api.calls).toHaveLength(2);
  });
});

/** Answers question 70, which holds one block and answers Yes or No, in a version. */
async function answerOne(block: string, version: string, optionId: number, api: ReturnType<typeof fakeApi>) {
  const options: OptionInput[] = (["Yes", "No"] as const).map((type, index) => ({
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
      state: initialState(compiled),
      context: mexico,
      fields: { email: "ana@example.com", password: "", firstname: "" },
    },
    { api, store: memoryStore(), setUser, signedUp: () => Promise.resolve() },
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
});

describe("the e-mail screen once the account is there", () => {
  const correct = async (known: string, api: ReturnType<typeof fakeApi>) => {
    const compiled = compile(
      questionnaire([
        ...smallQuestions,
        { id: 70, contents: [{ type: "signupEmail" }], options: [{ id: 1, type: "Yes", description: "Yes", followUpQuestion: 73 }] },
      ]),
    );
    const start = initialState(compiled);
    const store = memoryStore();
    saveTokens(store, { token: "t", refreshToken: "r" });
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
    return { outcome, saved: setUser.mock.calls, calls: api.calls };
  };
  const accepts = () => fakeApi({ updateEmail: () => ({}) });

  test("gives the account a corrected address", async () => {
    expect(await correct("ana@exmaple.com", accepts())).toEqual({
      outcome: "answered",
      saved: [[{ email: "ana@example.com" }]],
      calls: [["updateEmail", { email: "ana@example.com" }]],
    });
  });
  test("asks for nothing when the address is the same", async () => {
    expect((await correct("ana@example.com", accepts())).calls).toEqual([]);
  });
  test("says so when the corrected address has an account of its own", async () => {
    const taken = fakeApi({
      updateEmail: () => {
        throw refusal(1101);
      },
    });
    expect(await correct("ana@exmaple.com", taken)).toMatchObject({ outcome: { errors: { email: "error.1101" } }, saved: [] });
  });
});

describe("the marketing consent screen", () => {
  const keeps = () => fakeApi({ marketingConsent: () => ({}) });
  test("sends consent as Yes or No (spec 001 §4)", async () => {
    expect((await answerOne("signupMarketingConsent", "83", 1, keeps())).calls).toEqual([["marketingConsent", { consent: true }]]);
    expect((await answerOne("signupMarketingConsent", "83", 2, keeps())).calls).toEqual([["marketingConsent", { consent: false }]]);
  });
  test("goes on when the consent could not be sent (spec 001 §7)", async () => {
    const offline = fakeApi({
      marketingConsent: () => {
        throw new ConnectionError("/api/marketing-consent", null);
      },
    });
    expect((await answerOne("signupMarketingConsent", "83", 1, offline)).outcome).toBe("answered");
  });
});
