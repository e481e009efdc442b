/** Anybody can send any number of consent choices, for a device or in an account's session. */
import { consentTextVersion } from "#core/consent.ts";
import { createTestApp } from "#test/app.ts";
import { watchStatements } from "#test/statements.ts";
import { sql } from "kysely";
import { expect, it } from "vitest";

it("one choice is read, however many a device or an account has sent", async () => {
  const watched = watchStatements();
  const t = await createTestApp({ database: "sqlite" });
  const person = await t.signUp();
  const { token } = await t.logIn(person);
  const headers = { "x-device-id": t.world.uuid() };
  const choose = (marketing: boolean) =>
    t.call("consent", {
      token,
      headers,
      body: {
        id: t.world.uuid(),
        at: new Date(t.world.now()).toISOString(),
        textVersion: consentTextVersion,
        source: "banner",
        categories: { functional: true, analytics: true, marketing },
      },
    });
  const body = { eventType: "QuestionnaireQuestionShown", payload: { questionnaire: "76", questionId: 2 } };
  await t.call("sendEvent", { token, headers, body });
  for (const marketing of [false, true, false, true]) {
    await choose(marketing);
    t.world.pass(1_000);
  }
  await t.call("reportError", {
    headers,
    body: { message: "x is not a function", url: "https://parlando.example/", appVersion: "v5.7.8", questionnaire: "76" },
  });
  // A browser that refuses advertising: the account's choice is read, and the refusal stored.
  await t.send("createTransaction", { token, headers: { ...headers, "sec-gpc": "1" }, body: { pricingId: "any" } });
  const reading = new Set(watched.seen.map((one) => one.sql).filter((one) => /^select .*consent_records/is.test(one)));

  expect(await t.store.read.selectFrom("client_errors").select("device_id").execute()).toEqual([{ device_id: headers["x-device-id"] }]);
  const refused = t.store.read.selectFrom("consent_records").select("marketing").where("source", "=", "gpc");
  expect(await refused.execute()).toEqual([{ marketing: 0 }]);
  expect(reading.size).toBeGreaterThan(1);
  for (const text of reading) {
    const plan = await sql<{ detail: string }>`${sql.raw(`EXPLAIN QUERY PLAN ${text}`)}`.execute(t.store.read);
    // Whatever is sorted is read as a whole first.
    expect([text, plan.rows.filter(({ detail }) => /TEMP B-TREE|^SCAN/.test(detail))]).toEqual([text, []]);
    expect(text).toMatch(/limit/i);
  }
  await t.close();
});
