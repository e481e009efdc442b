/** What an account or an operator did is also in the log, from which nobody can take it back. */
import { recordAction } from "#server/studio/audit.ts";
import { createTestApp, createTestStore, databases } from "#test/app.ts";
import { expect, it } from "vitest";
import { type AuditLine, withAuditLines } from "./auditLines.ts";

it.each(databases)("each audit row is logged after its commit, without text that somebody typed, on %s", async (database) => {
  const told: AuditLine[] = [];
  const store = withAuditLines(await createTestStore(database), (line) => told.push(line));
  const t = await createTestApp({ database, store });
  const person = await t.signUp();
  const { token } = await t.logIn(person);
  await t.call("accountExport", { token });
  const action = {
    operator: { id: "o1", name: "Ines Roth" },
    subject: "order 1",
    accountUuid: person.uuid,
    reason: "typed",
    after: { a: 1 },
  };
  // Two writes that the database commits together, of which one fails.
  const failing = t.store.write(async (queries) => {
    await recordAction(queries, t.world, { ...action, action: "order refunded" });
    throw new Error("No");
  });
  const good = t.store.write((queries) => recordAction(queries, t.world, { ...action, action: "free days given" }));
  await expect(failing).rejects.toThrow("No");
  await good;
  const { id: _one, ...exported } = told[0] ?? {};
  const { id: _other, ...given } = told[1] ?? {};
  const at = t.world.now();
  expect([told.length, exported, given]).toEqual([
    2,
    { at, action: "account exported", account: person.uuid },
    { at, action: "free days given", operator: "o1", account: person.uuid },
  ]);
  const ids = [
    ...(await t.store.read.selectFrom("audit").select("id").execute()),
    ...(await t.store.read.selectFrom("operator_audit").select("id").execute()),
  ];
  expect(told.map(({ id }) => id)).toEqual(ids.map(({ id }) => id));
  await t.close();
});
