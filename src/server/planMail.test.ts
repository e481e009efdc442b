import { planOf } from "#core/questionnaire/plan.ts";
import { savedState } from "#core/questionnaire/saved.ts";
import { initialState, type QuestionnaireEvent, step } from "#core/questionnaire/step.ts";
import { compiledOf } from "#server/base/compiled.ts";
import { createTestApp, sampledDatabases, type TestApp } from "#test/app.ts";
import { mexico, smallQuestionnaire } from "#test/questionnaires.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const compiled = compiledOf(smallQuestionnaire);

describe.each(sampledDatabases)("the plan by mail on %s", (database) => {
  let t: TestApp;
  beforeEach(async () => {
    t = await createTestApp({ database });
  });
  afterEach(() => t.close());

  const body = { language: "es-419", questionnaire: "76", question: "80" };
  const mails = async () =>
    (await t.store.read.selectFrom("mail_outbox").select(["recipient", "data"]).where("template", "=", "planKept").execute()).map(
      ({ recipient, data }) => ({ recipient, ...JSON.parse(data) }),
    );

  it("goes to the account's address, with whatever plan was agreed, and only on request", async () => {
    const person = await t.signUp();
    const { token } = await t.logIn(person);
    expect(await mails()).toEqual([]);
    await t.call("planMail", { token, body });
    expect(await mails()).toMatchObject([
      { recipient: person.email, version: "76", question: "80", days: null, minutes: null, until: null },
    ]);
  });

  it("has the level, the goal, the hours and the days as on the screens, in the language of the page", async () => {
    const state = [
      ...[
        [2, 1],
        [3, 1],
        [41, 1],
        [42, 3],
        [43, 3],
        [53, 1],
        [55, 1],
        [56, 1],
      ].map(([questionId = 0, optionId = 0]): QuestionnaireEvent => ({ type: "answer", questionId, optionId })),
      { type: "chooseSchedule", scheduleId: 2 } as const,
      { type: "answer", questionId: 60, optionId: 1 } as const,
      { type: "chooseDays", days: [0, 2, 4] } as const,
    ].reduce((before, event) => step(compiled, before, event, mexico).state, initialState(compiled));
    const { token } = await t.logIn(await t.signUp());
    await t.call("questionnairePost", { token, body: { state: savedState(state), userLevel: "beginner" } });
    await t.call("planMail", { token, body: { ...body, timeZone: "America/Mexico_City" } });
    const plan = planOf({ compiled, state, context: { ...mexico, today: "2026-11-20" } });
    const [mail] = await mails();
    expect(mail).toMatchObject({
      days: "lunes, miércoles y viernes",
      plan: {
        hours: plan.hours,
        months: plan.pace?.months,
        chart: { stages: plan.stages, stage: `Etapa 1 de ${plan.stages}` },
        calendar: { start: "2026-11-20", end: state.programEndDate, weekdays: [0, 2, 4] },
      },
    });
  });

  it("can be requested three times an hour", async () => {
    const { token } = await t.logIn(await t.signUp());
    for (let n = 0; n < 3; n += 1) await t.call("planMail", { token, body });
    expect((await t.refusal("planMail", { token, body })).code).toBe(1429);
  });
});
