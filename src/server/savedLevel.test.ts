import { savedState } from "#core/questionnaire/saved.ts";
import { initialState, step } from "#core/questionnaire/step.ts";
import { compiledOf } from "#server/base/compiled.ts";
import type { Plan } from "#server/payments/service.ts";
import { createTestApp, nobodyPays } from "#test/app.ts";
import { mexico, smallQuestionnaire } from "#test/questionnaires.ts";
import { expect, it, onTestFinished } from "vitest";

const compiled = compiledOf(smallQuestionnaire);
const plan: Plan = {
  status: "active",
  end: null,
  productType: "onetime",
  productPlan: "3M",
  currency: "MXN",
  price: 74_700,
  trialing: false,
  nextCharge: null,
  change: null,
  actions: [],
  timeZone: "America/Mexico_City",
  moneyBackUntil: null,
  earlyEnd: null,
  refundAtEnd: null,
  refunded: null,
};

it("the plan's answer tells the account's version, and the level of the saved answers once there are any", async () => {
  const t = await createTestApp({
    database: "sqlite",
    parts: { payments: { ...nobodyPays, planOf: async () => plan, changePlan: async () => plan } },
  });
  onTestFinished(() => t.close());
  const { token } = await t.logIn(await t.signUp());
  const level = async () => (await t.call("subscription", { token })).subscription?.level;
  expect(await level()).toBeUndefined();
  let state = initialState(compiled);
  for (const [questionId, optionId] of [
    [2, 1],
    [3, 1],
    [41, 1],
    [42, 3],
    [43, 3],
  ] as const)
    state = step(compiled, state, { type: "answer", questionId, optionId }, mexico).state;
  await t.call("questionnairePost", { token, body: { state: savedState(state), userLevel: "intermediate" } });
  expect(await level()).toBe("intermediate");
  const version = async () => (await t.call("subscription", { token })).subscription?.version;
  expect(await version()).toBe("76");
  const { subscription } = await t.call("subscriptionChange", { token, body: { action: "cancel" } });
  expect(subscription).toMatchObject({ version: "76", level: "intermediate" });
  await t.store.write((queries) => queries.updateTable("questionnaire_states").set({ version: "78" }).execute());
  expect(await version()).toBe("78");
  await t.store.write((queries) => queries.updateTable("questionnaire_states").set({ version: "1" }).execute());
  expect(await version()).toBe("76");
});
