/** Tests every table that names a person. The tables are read from the database's catalog, so a new table is covered automatically. */
import { notExported } from "#server/accounts/personalData.ts";
import { createTestApp, databases, type Person, type TestApp } from "#test/app.ts";
import { type ColumnMetadata, sql, type TableMetadata } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const device = "30000000-0000-4000-8000-000000000001";

describe.each(databases)("what %s stores about a person", (database) => {
  let t: TestApp;
  let person: Person;
  let personal: readonly TableMetadata[];
  beforeEach(async () => {
    t = await createTestApp({ database });
    person = await t.signUp();
    const tables = await t.store.read.introspection.getTables();
    personal = tables
      // `events_rest` is a partition of `events` and covered by it. The other two are emptied only when an erasure is done: journey_changes holds
      // what ClickHouse has yet to delete (events/clickhouse/copy.test.ts).
      .filter(({ name }) => !["erasures", "journey_changes", "events_rest"].includes(name))
      .filter(({ columns }) => columns.some((column) => personIn(column) !== null));
  });
  afterEach(() => t.close());

  /** The person that a column names, by the column's name; null for none. */
  function personIn({ name, dataType }: ColumnMetadata): string | null {
    if (dataType.toLowerCase() !== "text") return null;
    if (/mail|recipient/.test(name)) return person.email;
    if (/device/.test(name)) return device;
    return /uuid|account|user_?id|person|owner|customer|buyer|visitor|phone/.test(name) ? person.uuid : null;
  }
  /** Values that mark a table's rows, to be found in the export. */
  const markOf = ({ name }: TableMetadata) => ({
    text: `told of ${name}`,
    number: 31_000 + personal.findIndex((table) => table.name === name),
  });
  /** A row that names the person in every column that can. Texts are JSON, and keys are equal so that rows reference each other. */
  function rowOf(table: TableMetadata): Readonly<Record<string, string | number>> {
    return Object.fromEntries(
      table.columns.flatMap((column): readonly (readonly [string, string | number])[] => {
        if (column.dataType.toLowerCase() === "text")
          return [[column.name, personIn(column) ?? (/(^|_)id$/.test(column.name) ? "told" : JSON.stringify(markOf(table).text))]];
        return column.isNullable || column.hasDefaultValue ? [] : [[column.name, markOf(table).number]];
      }),
    );
  }
  /** Inserts a row into every table, referenced tables first. */
  async function fill(): Promise<void> {
    let waiting = personal.filter(({ name }) => name !== "accounts");
    while (waiting.length > 0) {
      const refused: [TableMetadata, unknown][] = [];
      for (const table of waiting) {
        const row = Object.entries(rowOf(table));
        const names = sql.join(row.map(([name]) => sql.ref(name)));
        const values = sql.join(row.map(([, value]) => value));
        await t.store
          .write((queries) => sql`INSERT INTO ${sql.table(table.name)} (${names}) VALUES (${values})`.execute(queries))
          .catch((error: unknown) => refused.push([table, error]));
      }
      if (refused.length === waiting.length) throw refused[0]?.[1];
      waiting = refused.map(([table]) => table);
    }
  }
  const rowsNaming = async ({ name, columns }: TableMetadata) => {
    const named = columns.flatMap((column) => {
      const whom = personIn(column);
      return whom === null ? [] : [sql`${sql.ref(column.name)} = ${whom}`];
    });
    return (await sql`SELECT * FROM ${sql.table(name)} WHERE ${sql.join(named, sql` OR `)}`.execute(t.store.read)).rows;
  };

  it("is exported on request and gone after an erasure, from every table", async () => {
    await fill();
    for (const table of personal) expect([table.name, await rowsNaming(table)]).not.toEqual([table.name, []]);

    const { token } = await t.logIn(person);
    const told = JSON.stringify(await t.call("accountExport", { token }));
    const silent = personal.filter((table) => {
      const { text, number } = markOf(table);
      return table.name !== "accounts" && !told.includes(text) && !new RegExp(`:${number}\\b`).test(told);
    });
    expect(
      silent.map(({ name }) => name).toSorted(),
      "each table that names a person is exported by `exportOf`, or stands in `notExported` with the reason (accounts/personalData.ts)",
    ).toEqual(Object.keys(notExported).toSorted());

    await t.call("accountErase", { token, body: { password: person.password } });
    // The erasure itself is the only row left, in a table that is not exported.
    await t.erased();
    expect(await t.store.read.selectFrom("erasures").selectAll().execute()).toEqual([]);
    for (const table of personal) expect([table.name, await rowsNaming(table)]).toEqual([table.name, []]);
  });

  it("is erased before the account's row, because deleting that row would delete the rest in one large write", async () => {
    if (database !== "sqlite") return;
    await fill();
    const named = personal.filter(({ name, columns }) => name !== "accounts" && columns.some((column) => column.name === "account_uuid"));
    const notes = named.map(({ name }) => `INSERT INTO left_behind SELECT '${name}' FROM ${name} WHERE account_uuid = OLD.uuid;`);
    await t.store.write(async (queries) => {
      await sql`CREATE TABLE left_behind (name TEXT)`.execute(queries);
      await sql.raw(`CREATE TRIGGER note_what_is_left BEFORE DELETE ON accounts BEGIN ${notes.join(" ")} END`).execute(queries);
    });
    const { token } = await t.logIn(person);
    await t.call("accountErase", { token, body: { password: person.password } });
    await t.erased();
    expect(await t.store.read.selectFrom("accounts").select("uuid").where("uuid", "=", person.uuid).execute()).toEqual([]);
    const { rows: left } = await sql`SELECT DISTINCT name FROM left_behind`.execute(t.store.read);
    expect(left, "each of these tables needs its step in `stepsOf` (accounts/erasureSteps.ts)").toEqual([]);
  });

  it("is exported with the visits from before sign-up", async () => {
    const uuid = t.world.uuid();
    const before = "30000000-0000-4000-8000-000000000002";
    const body = {
      id: "10000000-0000-4000-8000-000000000001",
      eventType: "QuestionnaireQuestionShown",
      at: "2026-11-20T12:00:00Z",
      payload: { questionnaire: "76", questionId: 2, uuid },
    };
    await t.call("sendEvent", { body, headers: { "x-device-id": before } });
    const visitor = await t.signUp({ uuid });
    const { visits } = await t.call("accountExport", { token: (await t.logIn(visitor)).token });
    expect(visits).toMatchObject([{ device: before, version: "76", startedAt: "2026-11-20T12:00:00.000Z" }]);
  });

  it("is in the tables that this test knows to be personal, and in no other", () => {
    expect(personal.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["accounts", "sessions", "orders", "entitlements", "events", "journeys", "mail_outbox", "consent_records"]),
    );
    for (const other of ["products", "coupons", "migrations"]) expect(personal.map(({ name }) => name)).not.toContain(other);
  });
});
