/** A site has any number of orders, paid and given up: anybody can open some 1,700 checkouts a day in one account. */
import { createTestApp, createTestStore } from "#test/app.ts";
import { paymentBed } from "#test/payments.ts";
import { watchStatements } from "#test/statements.ts";
import { sql } from "kysely";
import { expect, it } from "vitest";

it("offers, checkouts, notices and erasures read the account's own orders, however many others have paid or opened one", async () => {
  const watched = watchStatements();
  const store = await createTestStore("sqlite");
  const bed = await paymentBed(store);
  const t = await createTestApp({ database: "sqlite", store, parts: { payments: bed.payments } });
  const person = await t.signUp();
  const { token } = await t.logIn(person);
  const attributes = { questionnaire: "76", plan: null, reactivate: false, locale: "es-419", country: "MX" };
  await t.call("courseFee", { token, body: { trafficId: null, attributes } });
  for (const pricingId of ["onetime-6m-mxn", "onetime-3m-mxn"]) await t.call("createTransaction", { token, body: { pricingId } });
  const notice = { kind: "cancel", name: "Lucía", contract: "Parlando", email: person.email, language: "es-419" };
  await t.call("contractNotice", { body: { id: t.world.uuid(), ...notice } });
  await t.call("accountErase", { token, body: { password: person.password } });
  await t.erased();

  const ofAccount = (text: string) => /\borders\b/i.test(text) && /account_uuid"? = \?/i.test(text);
  const texts = [...new Set(watched.seen.map((one) => one.sql))].filter(
    (text) => /^\s*(?:select|update|delete)/i.test(text) && ofAccount(text),
  );
  expect(texts.filter((text) => /status"? = /i.test(text)).length).toBeGreaterThan(4);
  expect(texts).toContainEqual(expect.stringMatching(/UPDATE .?journeys/));
  for (const text of texts) {
    const plan = await sql<{ detail: string }>`${sql.raw(`EXPLAIN QUERY PLAN ${text}`)}`.execute(store.read);
    expect([text, plan.rows.filter(({ detail }) => /orders_by_status|^SCAN/.test(detail))]).toEqual([text, []]);
  }
  await bed.close();
  await t.close();
});
