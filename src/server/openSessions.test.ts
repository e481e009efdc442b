/** Sessions that a login replaces, and those that their owner sees and ends (V7.2.4 and V7.5.2 of OWASP ASVS 5.0). */
import { refreshTokenLife } from "#server/accounts/sessions.ts";
import { createLinks } from "#server/mail/links.ts";
import { createTestApp, type Person, type TestApp, testSettings, databases, sampledDatabases } from "#test/app.ts";
import { watchStatements } from "#test/statements.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const firefox = { "user-agent": "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0" };
const hostile = { "user-agent": "<script>alert(1)</script>" };

describe.each(sampledDatabases)("sessions on %s", (database) => {
  let t: TestApp;
  beforeAll(async () => {
    t = await createTestApp({ database, settings: { limits: { "login.network": { points: 1_000_000, seconds: 60 } } } });
  });
  afterAll(() => t.close());

  /** Somebody whose address is confirmed: otherwise a link on an unknown device ends all earlier sessions. */
  async function confirmed(): Promise<Person> {
    const person = await t.signUp();
    await t.store.write((queries) =>
      queries.updateTable("accounts").set({ email_confirmed_at: t.world.now() }).where("uuid", "=", person.uuid).execute(),
    );
    return person;
  }
  const logIn = (person: Person, also: { readonly refreshToken?: string } = {}, headers = firefox) =>
    t.call("login", { body: { email: person.email, password: person.password, refreshToken: also.refreshToken }, headers });
  const isOver = async ({ token, refreshToken }: { readonly token: string; readonly refreshToken: string }) => [
    (await t.send("entitlement", { token })).statusCode === 401,
    (await t.send("refresh", { body: { refreshToken } })).statusCode === 401,
  ];
  async function byLink(person: Person, also: { readonly refreshToken?: string } = {}) {
    const links = createLinks(testSettings().secretKeys, t.world);
    const id = await t.store.write((queries) => links.create(queries, "login", { accountUuid: person.uuid, email: person.email }));
    return t.call("token", { body: { token: await links.tokenOf(t.store.read, id), refreshToken: also.refreshToken } });
  }

  describe("that the browser had before", () => {
    it("end with a login, by password or link; the account's other sessions stay", async () => {
      const person = await confirmed();
      const [elsewhere, first] = [await logIn(person), await logIn(person)];
      const second = await logIn(person, first);
      const third = await byLink(person, second);
      expect([await isOver(first), await isOver(second), await isOver(elsewhere), await isOver(third)]).toEqual([
        [true, true],
        [true, true],
        [false, false],
        [false, false],
      ]);
    });

    it("end with a login to another account by password, but not by link, because then the page asks first", async () => {
      const [one, other] = [await confirmed(), await confirmed()];
      const first = await logIn(one);
      const second = await byLink(other, first);
      expect(await isOver(first)).toEqual([false, false]);
      await logIn(one, second);
      expect(await isOver(second)).toEqual([true, true]);
    });

    it("do not end with a wrong password", async () => {
      const person = await t.signUp();
      const first = await logIn(person);
      const body = { email: person.email, password: "wrong horse", refreshToken: first.refreshToken };
      expect(await t.refusal("login", { body })).toMatchObject({ code: 1001 });
      expect(await isOver(first)).toEqual([false, false]);
    });
  });

  describe("of an account", () => {
    it("are listed with their browser; ended and expired ones, and those of others, are not", async () => {
      const [person, stranger] = [await t.signUp(), await t.signUp()];
      await logIn(person);
      t.world.pass(refreshTokenLife);
      await logIn(stranger);
      const ended = await logIn(person);
      await t.call("logout", { token: ended.token, body: {} });
      const old = await logIn(person, {}, hostile);
      const began = new Date(t.world.now()).toISOString();
      t.world.pass(60_000);
      const { token } = await logIn(person);
      t.world.pass(60_000);
      const { token: renewed } = await t.call("refresh", { body: { refreshToken: old.refreshToken } });
      const usedAt = new Date(t.world.now()).toISOString();
      const { sessions } = await t.call("sessions", { token });
      expect(
        sessions.map(({ browser, startedAt, usedAt: used, current }) => [browser, startedAt === began, used === usedAt, current]),
      ).toEqual([
        ["", true, true, false],
        ["Firefox · Windows", false, false, true],
      ]);
      expect((await t.call("sessions", { token: renewed })).sessions.map(({ current }) => current)).toEqual([true, false]);
    });

    it("are listed without their used tokens being read, a limited number of times a minute", async () => {
      const watched = watchStatements();
      const own = await createTestApp({ database });
      const { token } = await own.logIn(await own.signUp());
      await own.call("sessions", { token });
      const text = watched.seen.map((one) => one.sql).find((one) => /as .sessions. inner join .refresh_tokens./i.test(one)) ?? "";
      // PostgreSQL chooses by the number of rows.
      if (database === "sqlite") {
        const plan = await sql<{ detail: string }>`${sql.raw(`EXPLAIN QUERY PLAN ${text}`)}`.execute(own.store.read);
        expect(plan.rows.map(({ detail }) => detail)).toContainEqual(expect.stringContaining("USING INDEX refresh_tokens_open"));
      }
      for (let n = 1; n < 60; n++) await own.call("sessions", { token });
      expect(await own.refusal("sessions", { token })).toMatchObject({ code: 1429 });
      await own.close();
    });

    it("are looked for among the thousand that began last: anybody can have so many that reading all of them takes long", async () => {
      const person = await confirmed();
      const first = await logIn(person);
      const begun = t.world.now();
      const made = Array.from({ length: 1_000 }, (_, n) => ({ id: t.world.uuid(), started_at: begun + n + 1 }));
      const kept = { account_uuid: person.uuid, ended_at: null, end_reason: null, entered_by: "password", browser: "" };
      const open = { issued_at: begun, expires_at: begun + refreshTokenLife, used_at: null, successor_hash: null };
      const add = (some: typeof made) =>
        t.store.write(async (queries) => {
          await queries
            .insertInto("sessions")
            .values(some.map((one) => ({ ...kept, ...one })))
            .execute();
          const tokens = some.map(({ id }) => ({ ...open, token_hash: id, session_id: id }));
          await queries.insertInto("refresh_tokens").values(tokens).execute();
        });
      await add(made.slice(0, 999));
      t.world.pass(2_000);
      const { token } = await t.call("refresh", { body: { refreshToken: first.refreshToken } });
      const shown = async () => (await t.call("sessions", { token })).sessions.map(({ current }) => current);
      expect(await shown()).toEqual([true, ...Array<boolean>(99).fill(false)]);
      await add(made.slice(999));
      expect(await shown()).toEqual(Array<boolean>(100).fill(false));
      // The call also ends the sessions that the list does not show.
      await t.call("endSessions", { token, body: { password: person.password } });
      expect(
        await t.store.read
          .selectFrom("sessions")
          .select("id")
          .where("account_uuid", "=", person.uuid)
          .where("ended_at", "is", null)
          .execute(),
      ).toHaveLength(1);
    });

    it("are a thousand at most: another login removes the oldest, so that ending all of them never takes long", async () => {
      const person = await confirmed();
      const [first, second] = [await logIn(person), (t.world.pass(1), await logIn(person))];
      const count = async () =>
        (await t.store.read.selectFrom("sessions").select("id").where("account_uuid", "=", person.uuid).execute()).length;
      const begun = t.world.now();
      const made = Array.from({ length: 999 }, (_, n) => ({ id: t.world.uuid(), started_at: begun + n + 1 }));
      const kept = { account_uuid: person.uuid, ended_at: null, end_reason: null, entered_by: "password", browser: "" };
      await t.store.write((queries) =>
        queries
          .insertInto("sessions")
          .values(made.map((one) => ({ ...kept, ...one })))
          .execute(),
      );
      t.world.pass(2_000);
      expect([await count(), await isOver(first)]).toEqual([1_001, [false, false]]);
      const third = await logIn(person);
      expect([await count(), await isOver(first), await isOver(second), await isOver(third)]).toEqual([
        1_000,
        [true, true],
        [true, true],
        [false, false],
      ]);
      await logIn(person);
      expect(await count()).toBe(1_000);
    });

    it("end one by one or all but the one that asks, with the account's device or the password", async () => {
      const person = await t.signUp();
      const [here, second, third] = [await logIn(person), await logIn(person), await logIn(person)];
      const { sessions } = await t.call("sessions", { token: second.token });
      const id = sessions.find(({ current }) => current)?.id;
      const { token } = here;
      const headers = t.deviceOf(person);
      await t.call("endSessions", { token, headers, body: { id } });
      expect([await isOver(second), (await t.send("entitlement", { token: third.token })).statusCode]).toEqual([[true, true], 200]);
      await t.call("endSessions", { token, body: { password: person.password } });
      expect([await isOver(third), (await t.call("sessions", { token })).sessions.map(({ current }) => current)]).toEqual([
        [true, true],
        [true],
      ]);
    });

    it("do not end by a token alone, with a wrong password, or by another account that knows their id", async () => {
      const [person, stranger] = [await t.signUp(), await t.signUp()];
      const [owner, thief] = [await logIn(person), await logIn(stranger)];
      const { sessions } = await t.call("sessions", { token: owner.token });
      const id = sessions[0]?.id;
      expect(await t.refusal("endSessions", { token: owner.token, body: { id } })).toMatchObject({
        code: 1000,
        fields: { password: "validator_required" },
      });
      expect(await t.refusal("endSessions", { token: owner.token, body: { id, password: "wrong horse" } })).toMatchObject({ code: 1001 });
      await t.call("endSessions", { token: thief.token, headers: t.deviceOf(stranger), body: { id } });
      expect(await isOver(owner)).toEqual([false, false]);
    });
  });
});

// SQLite has one writer at a time.
it.skipIf(!databases.includes("postgres"))(
  "a logout and the end of all sessions at the same time do not wait for each other on postgres",
  async () => {
    const t = await createTestApp({ database: "postgres" });
    const person = await t.signUp();
    const sessions = [];
    for (let n = 0; n < 3; n++) {
      sessions.push(await t.logIn(person));
      t.world.pass(1);
    }
    const [first, second, third] = sessions;
    const [, , last] = await t.store.read.selectFrom("sessions").select("id").orderBy("started_at").execute();
    const waits = sql<{
      n: number;
    }>`SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    const waiting = async () => (await waits.execute(t.store.read)).rows[0]?.n;
    // Somebody holds the third session, so that the logout waits for it before the other call comes.
    const [held, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holder = t.store.write(async (queries) => {
      await queries
        .updateTable("sessions")
        .set(({ ref }) => ({ started_at: ref("started_at") }))
        .where("id", "=", last?.id ?? "")
        .execute();
      held.resolve();
      await free.promise;
    });
    await held.promise;
    const logout = t.send("logout", { token: third?.token ?? "", body: { refreshToken: first?.refreshToken } });
    await expect.poll(waiting).toBe(1);
    const end = t.send("endSessions", { token: second?.token ?? "", headers: t.deviceOf(person), body: {} });
    await expect.poll(waiting).toBe(2);
    free.resolve();
    await holder;
    expect((await Promise.all([logout, end])).map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    await t.close();
  },
);
