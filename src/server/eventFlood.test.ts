import { createTestApp, createTestStore, databases } from "#test/app.ts";
import type { Store } from "#server/store/store.ts";
import { expect, it } from "vitest";

it.each(databases)(
  "of many batches of events few are in the store at the same time, so that others' writes do not wait, on %s",
  async (database) => {
    const store = await createTestStore(database);
    let [inside, most] = [0, 0];
    const write: Store["write"] = async (work) => {
      most = Math.max(most, ++inside);
      try {
        return await store.write(work);
      } finally {
        inside--;
      }
    };
    const t = await createTestApp({ database, store: { ...store, write } });
    const event = () => ({
      id: t.world.uuid(),
      eventType: "QuestionnaireQuestionShown",
      at: new Date(t.world.now()).toISOString(),
      payload: { questionnaire: "76", questionId: 2 },
    });
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => {
        const body = { events: Array.from({ length: 100 }, event) };
        return t.send("sendEvent", { body, headers: { "x-device-id": t.world.uuid() }, from: `198.51.${n}.1` });
      }),
    );
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([202]));
    expect(most).toBe(4);
    await t.close();
  },
);
