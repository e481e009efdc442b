import { createTestApp } from "#test/app.ts";
import { emptySavedState } from "#test/savedState.ts";
import { expect, it } from "vitest";

const batches = 40;

it("answers are saved before most batches of events that came earlier, from many networks", async () => {
  const t = await createTestApp({ database: "sqlite" });
  const { token } = await t.logIn(await t.signUp());
  const event = () => ({
    id: t.world.uuid(),
    eventType: "QuestionnaireQuestionShown",
    at: new Date(t.world.now()).toISOString(),
    payload: { questionnaire: "76", questionId: 2 },
  });
  let stored = 0;
  const flood = Array.from({ length: batches }, async (_, n) => {
    const body = { events: Array.from({ length: 100 }, event) };
    const { statusCode } = await t.send("sendEvent", { body, headers: { "x-device-id": t.world.uuid() }, from: `198.51.${n}.1` });
    stored++;
    return statusCode;
  });
  await expect.poll(() => stored, { interval: 1 }).toBeGreaterThan(0);
  expect((await t.send("questionnairePost", { token, body: { state: emptySavedState } })).statusCode).toBe(200);
  expect(stored).toBeLessThan(batches / 2);
  expect(new Set(await Promise.all(flood))).toEqual(new Set([202]));
  await t.close();
});
