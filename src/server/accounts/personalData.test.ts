/** Tests every table that names a person. The tables are read from the database's catalog, so a new table is covered automatically. */
import { notExported } from "#server/accounts/personalData.ts";
import { createTestApp, type Person, type TestApp, testQuestionnaires, sampledDatabases } from "#test/app.ts";
import { questionnaire, smallQuestions } from "#test/questionnaires.ts";
import type { Text } from "#core/text.ts";
import { type ColumnMetadata, sql, type TableMetadata } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const device = "30000000-0000-4000-8000-000000000001";

describe.each(sampledDatabases)("what %s stores about a person", (database) => {
  let t: TestApp;
  let person: Person;
  let personal: readonly TableMetadata[];
  beforeEach(async () => {
    t = await createTestApp({ database });
    person = await t.signUp();
    const tables = await t.store.read.introspection.getTables();
    personal = tables
      // Three tables are left out. `events_rest` is a partition of `events`, which is tested. `erasures` and `journey_changes` still have
      // rows of the person after the answer, until the erasure is done: `journey_changes` says what ClickHouse has yet to delete
      // (events/clickhouse/copy.test.ts).
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
    const exported = await t.call("accountExport", { token });
    expect(Object.keys(exported)).toEqual([
      "exportedAt",
      "account",
      "questionnaire",
      "studySchedules",
      "marketingConsents",
      "popups",
      "consents",
      "emailChanges",
      "contractNotices",
      "sessions",
      "doneByOperators",
      "orders",
      "events",
      "visits",
      "mails",
      "log",
    ]);
    const told = JSON.stringify(exported);
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

  it("is exported completely, however many rows there are, and without times that have not come", async () => {
    const { uuid } = person;
    const numbers = (count: number) => Array.from({ length: count }, (_, n) => String(n).padStart(3, "0"));
    await t.store.write(async (queries) => {
      await queries
        .insertInto("popups")
        .values(numbers(250).map((popup_id) => ({ account_uuid: uuid, questionnaire: "76", popup_id, shown_at: 0 })))
        .execute();
      await queries
        .insertInto("event_devices")
        .values(numbers(251).map((device_id) => ({ device_id, visitor: uuid, sequence: 1 })))
        .execute();
      const visit = { version: "76", started_at: 0, last_at: 0, steps: "[]" };
      await queries
        .insertInto("journeys")
        .values(numbers(251).map((device_id) => ({ ...visit, device_id })))
        .execute();
    });
    const { popups, visits, sessions } = await t.call("accountExport", { token: (await t.logIn(person)).token });
    expect(popups).toMatchObject(numbers(250).map((popup_id) => ({ popup_id, shownAt: "1970-01-01T00:00:00.000Z" })));
    expect(visits).toMatchObject(numbers(251).map((id) => ({ device: id })));
    expect(sessions).toMatchObject([{ startedAt: new Date(t.world.now()).toISOString(), ended_at: null }]);
    expect(sessions).not.toHaveProperty("0.endedAt");
  });

  it.each<[string, string, object, number, unknown]>([
    [
      "answers that the version still asks for, and a plan without a schedule",
      "76",
      {},
      1,
      { days: [], minutesPerSession: null, until: null },
    ],
    ["no answers of a version that is gone", "12", {}, 0, { days: [], minutesPerSession: null, until: null }],
    ["no plan that cannot be read", "76", { days: "mondays" }, 1, null],
    ["no answers that cannot be read", "76", { selectedOptions: "all" }, 0, { days: [], minutesPerSession: null, until: null }],
  ])("is exported with %s", async (_, version, changes, answers, practice) => {
    const selectedOptions = [
      { questionId: 2, optionId: 1 },
      { questionId: 2, optionId: 999 },
      { questionId: 999, optionId: 1 },
    ];
    const state = JSON.stringify({ days: [], selectedOptions, ...changes });
    const row = { account_uuid: person.uuid, version, state, user_level: null, finished: 0, saved_at: 0 };
    await t.store.write((queries) => queries.insertInto("questionnaire_states").values(row).execute());
    const { questionnaire } = await t.call("accountExport", { token: (await t.logIn(person)).token });
    expect(questionnaire).toMatchObject({ version, practice });
    expect(questionnaire).toHaveProperty("answers.length", answers);
  });

  it("is exported with each question's title, whatever else the question says before it", async () => {
    const [first, ...others] = smallQuestions;
    const contents = [{ type: "paragraph", text: "One answer is enough." }, ...(first?.contents ?? [])];
    const asked = questionnaire([{ ...first, contents } as (typeof smallQuestions)[number], ...others]);
    const other = await createTestApp({ database, parts: { questionnaires: { ...testQuestionnaires, questionnaireFor: () => asked } } });
    const visitor = await other.signUp();
    const state = JSON.stringify({ days: [], selectedOptions: [{ questionId: 2, optionId: 1 }] });
    const row = { account_uuid: visitor.uuid, version: "76", state, user_level: null, finished: 0, saved_at: 0 };
    await other.store.write((queries) => queries.insertInto("questionnaire_states").values(row).execute());
    const exported = await other.call("accountExport", { token: (await other.logIn(visitor)).token });
    expect(exported).toHaveProperty("questionnaire.answers", [{ question: "Why?", answer: "Work" }]);
    await other.close();
  });

  it("is exported with the titles that these answers showed, with the level and the plan in them, and with the level test's sentences", async () => {
    const level: Text = ["You start as ", ["select", "INITIAL_LEVEL_KEY", { beginner: ["a beginner"], other: ["an expert"] }]];
    const titles: Readonly<Record<number, readonly object[]>> = {
      3: [
        { type: "title", text: "You travel", requirements: { rules: [{ questionId: 2, optionId: 2 }] } },
        { type: "title", text: "You work", requirements: { rules: [{ questionId: 2, optionId: 1 }] } },
      ],
      41: [
        { type: "bubble", text: "Hi! I’m Anna.", size: "large", lang: "en" },
        { type: "title", text: "Do you understand?" },
      ],
      55: [{ type: "title", text: level }],
      56: [{ type: "title-sparkle", text: ["Stage 1 of ", ["arg", "STAGES"]] }],
    };
    const asked = questionnaire(
      smallQuestions.map(
        (question) => ({ ...question, contents: titles[question.id] ?? question.contents }) as (typeof smallQuestions)[number],
      ),
    );
    const other = await createTestApp({ database, parts: { questionnaires: { ...testQuestionnaires, questionnaireFor: () => asked } } });
    const visitor = await other.signUp();
    const visitedQuestionIds = [2, 3, 41, 42, 53, 55, 56];
    const answers = [1, 1, 3, 3, 1, 1, 1];
    const selectedOptions = visitedQuestionIds.map((questionId, index) => ({ questionId, optionId: answers[index] }));
    const saved = {
      id: "76",
      signupDone: true,
      finished: false,
      visitedQuestionIds,
      selectedOptions,
      currentQuestionId: 60,
      user: {},
      days: [],
    };
    const row = { account_uuid: visitor.uuid, version: "76", state: JSON.stringify(saved), user_level: null, finished: 0, saved_at: 0 };
    await other.store.write((queries) => queries.insertInto("questionnaire_states").values(row).execute());
    const exported = await other.call("accountExport", { token: (await other.logIn(visitor)).token });
    expect(exported).toHaveProperty(
      "questionnaire.answers",
      expect.arrayContaining([
        { question: "You work", answer: "Young" },
        expect.objectContaining({ question: "“Hi! I’m Anna.” Do you understand?" }),
        { question: "You start as a beginner", answer: "Continue" },
        { question: "Stage 1 of 10", answer: "Intermediate" },
      ]),
    );
    await other.close();
  });

  it.each([
    ["EUR", "53,70\u00a0€"],
    ["MXN", "53,70\u00a0$ MXN"],
  ])("is exported with an amount in %s that names its currency once", async (currency, priceInWords) => {
    const german = await t.signUp();
    await t.store.write((queries) => queries.updateTable("accounts").set({ locale: "de-DE" }).where("uuid", "=", german.uuid).execute());
    const order = {
      id: "o1",
      account_uuid: german.uuid,
      product_id: "p",
      product_type: "subscription",
      product_plan: "3M",
      trial_days: 0,
      price_id: "p",
      quantity: 1,
      currency,
      price: 5_370,
      coupon_code: null,
      payment_provider: "paddlebilling",
      status: "completed",
      transaction_id: "t1",
      hosted_url: null,
      subscription_id: null,
      created_at: 0,
      updated_at: 0,
      checked_at: null,
    } as const;
    await t.store.write((queries) => queries.insertInto("orders").values(order).execute());
    const { orders } = await t.call("accountExport", { token: (await t.logIn(german)).token });
    expect(orders).toMatchObject([{ priceInWords }]);
  });

  it("is in the tables that this test knows to be personal, and in no other", () => {
    expect(personal.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["accounts", "sessions", "orders", "entitlements", "events", "journeys", "mail_outbox", "consent_records"]),
    );
    for (const other of ["products", "coupons", "migrations"]) expect(personal.map(({ name }) => name)).not.toContain(other);
  });
});
