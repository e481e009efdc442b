/** An erasure takes effect at once and then deletes in batches. When a process is killed halfway, another one continues. */
import { createErasing, type Erasing } from "#server/accounts/erasing.ts";
import { erasedAtOnce } from "#server/accounts/erasureSteps.ts";
import { queueMail } from "#server/mail/outbox.ts";
import { loadCatalogue } from "#server/payments/catalogue.ts";
import { createPayments } from "#server/payments/payments.ts";
import type { PaymentService } from "#server/payments/service.ts";
import type { Store } from "#server/store/store.ts";
import { createTestApp, createTestStore, databases, type Person, type TestApp, type TestWorld } from "#test/app.ts";
import { fakeProvider } from "#test/fakeProvider.ts";
import { completedOrder } from "#test/orders.ts";
import { emptySavedState } from "#test/savedState.ts";
import { watchStatements } from "#test/statements.ts";
import { signInOperator } from "#test/studio.ts";
import { sql } from "kysely";
import * as v from "valibot";
import { afterEach, describe, expect, it, vi } from "vitest";

const minute = 60_000;
const day = 24 * 60 * minute;
const wide = { points: 1_000_000, seconds: 60 };
const limits = Object.fromEntries(["signup.network", "login.network", "events.network"].map((name) => [name, wide]));
const quiet: Pick<PaymentService, "noteBuyers"> = { noteBuyers: async () => {} };

describe.each(databases)("erasing on %s", (database) => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close();
  });

  async function app(parts?: Parameters<typeof createTestApp>[0]["parts"], store?: Store): Promise<TestApp> {
    const t = await createTestApp({
      database,
      settings: { limits },
      ...(parts === undefined ? {} : { parts }),
      ...(store === undefined ? {} : { store }),
    });
    closers.push(t.close);
    return t;
  }
  /** An app whose erasures begin at once but continue only when the test says so. */
  async function haltedApp(): Promise<{ readonly t: TestApp; readonly erasing: Erasing }> {
    let made: Erasing | undefined;
    const t = await app(({ store, world }) => {
      made = createErasing({ store, world, payments: quiet, log: console });
      return { erasing: { begin: made.begin, wake: () => {} } };
    });
    if (made === undefined) throw new Error("The app was built without erasing");
    return { t, erasing: made };
  }
  const eraseBy = async (t: TestApp, person: Person) =>
    t.call("accountErase", { token: (await t.logIn(person)).token, body: { password: person.password } });

  /** Sends events as a page does, some before sign-up and some after, each batch from its own device. */
  async function visits(t: TestApp, person: Person, batches: number, devices = batches): Promise<void> {
    const { token } = await t.logIn(person);
    for (let n = 0; n < batches; n++) {
      const events = Array.from({ length: 100 }, () => ({
        id: t.world.uuid(),
        eventType: "QuestionnaireQuestionShown",
        at: new Date(t.world.now()).toISOString(),
        payload: { questionnaire: "76", questionId: 2, uuid: person.uuid },
      }));
      const device = `30000000-0000-4000-8000-${String(n % devices).padStart(12, "0")}`;
      await t.call("sendEvent", { body: { events, device }, ...(n % 2 === 0 ? { token } : {}) });
    }
  }
  const tables = [
    "accounts",
    "sessions",
    "refresh_tokens",
    "events",
    "event_devices",
    "journeys",
    "provider_events",
    "mail_outbox",
    "erasures",
    "link_tokens",
    "marketing_consents",
  ] as const;
  const dump = async ({ store }: Pick<TestApp, "store">) =>
    JSON.stringify(await Promise.all(tables.map((table) => store.read.selectFrom(table).selectAll().execute())));

  it("takes effect at once for everybody, while the rows still exist", async () => {
    const { t, erasing } = await haltedApp();
    const person = await t.signUp();
    const { token, refreshToken } = await t.logIn(person);
    await t.call("loginLink", { body: { email: person.email } });
    await visits(t, person, 2);
    await t.call("accountErase", { token, body: { password: person.password } });

    expect(await t.refusal("accountExport", { token })).toMatchObject({ code: 1002 });
    expect(await t.refusal("accountErase", { token, body: { password: person.password } })).toMatchObject({ code: 1002 });
    expect(await t.refusal("refresh", { body: { refreshToken } })).toMatchObject({ code: 1003 });
    expect(await t.refusal("login", { body: person })).toMatchObject({ code: 1001 });
    expect(await t.call("checkEmail", { body: { email: person.email } })).toEqual({ available: true });
    expect(await t.store.read.selectFrom("mail_outbox").select("id").execute()).toEqual([]);
    expect(await dump(t)).toContain(person.uuid);

    t.world.pass(1);
    const again = await t.signUp({ email: person.email });
    erasing.wake();
    await erasing.settled();
    expect(await dump(t)).not.toContain(person.uuid);
    // The person who has the address now keeps their data.
    await t.logIn(again);
    expect(await t.store.read.selectFrom("mail_outbox").select("recipient").execute()).toEqual([{ recipient: person.email }]);
  });

  it("by a stranger who signed up with an operator's address leaves the operator's mails", async () => {
    const t = await app();
    const email = "ana@team.example";
    await t.store.write((queries) =>
      queueMail(queries, t.world, {
        accountUuid: null,
        template: "operatorPasskey",
        locale: "en-US",
        recipient: email,
        data: { done: "added", name: "key", browser: "Firefox", at: t.world.now() },
      }),
    );
    await eraseBy(t, await t.signUp({ email }));
    expect(await t.store.read.selectFrom("mail_outbox").select("template").execute()).toEqual([{ template: "operatorPasskey" }]);
  });

  it("by a stranger who signed up with somebody's former address leaves that person's mails", async () => {
    const t = await app();
    const owner = await t.signUp();
    const [mail] = await t.store.read.selectFrom("mail_outbox").select("id").execute();
    // They have moved to another address, and the seven days in which this can be undone are over.
    await t.store.write((queries) =>
      queries.updateTable("accounts").set({ email: "new@ejemplo.mx" }).where("uuid", "=", owner.uuid).execute(),
    );
    const stranger = await t.signUp({ email: owner.email });
    await eraseBy(t, stranger);
    expect(await t.store.read.selectFrom("mail_outbox").select("id").execute()).toEqual([mail]);
  });

  it("leaves the funnel's counts unchanged: visits keep whether their visitor bought, and do not lead to a person", async () => {
    const t = await app();
    const person = await t.signUp();
    const { token } = await t.logIn(person);
    await visits(t, person, 1);
    const order = completedOrder("order-of-erased", person.uuid, t.world.now());
    await t.store.write((queries) => queries.insertInto("orders").values(order).execute());
    t.world.pass(minute);
    // A visit that began after the purchase did not lead to it.
    const later = { eventType: "QuestionnaireQuestionShown", at: new Date(t.world.now()).toISOString() };
    await t.call("sendEvent", {
      body: { id: t.world.uuid(), ...later, payload: { questionnaire: "83", questionId: 2, uuid: person.uuid } },
      token,
      headers: { "x-device-id": "30000000-0000-4000-8000-0000000000ff" },
    });
    const operator = await signInOperator(t, "viewer");
    const counted = async () =>
      Promise.all(
        ["76", "83"].map(async (version) => {
          const { here } = await operator.call("funnelSteps", { version });
          return [here.visitors, here.purchases];
        }),
      );
    expect(await counted()).toEqual([
      [1, 1],
      [1, 0],
    ]);
    await eraseBy(t, person);
    await t.erased();
    expect(await counted()).toEqual([
      [1, 1],
      [1, 0],
    ]);
    expect(await dump(t)).not.toContain(person.uuid);
  });

  it("leaves no page error that leads to their visit", async () => {
    const t = await app();
    const person = await t.signUp();
    const { token } = await t.logIn(person);
    await visits(t, person, 1);
    const device = "30000000-0000-4000-8000-000000000000";
    const choice = {
      id: t.world.uuid(),
      at: new Date(t.world.now()).toISOString(),
      textVersion: "2026-01-01",
      categories: { functional: true, analytics: true, marketing: false },
      source: "banner",
    };
    await t.call("consent", { body: choice, token, headers: { "x-device-id": device } });
    await t.call("reportError", {
      body: { message: "Boom", url: "https://parlando.example/x", appVersion: "1", questionnaire: "76" },
      headers: { "x-device-id": device },
    });
    const named = () => t.store.read.selectFrom("client_errors").select(["message", "device_id", "version"]).execute();
    expect(await named()).toEqual([{ message: "Boom", device_id: device, version: "76" }]);
    await eraseBy(t, person);
    await t.erased();
    expect(await named()).toEqual([{ message: "Boom", device_id: null, version: null }]);
  });

  it("ends sessions that another process has cached as alive, even when there are more than one write ends", async () => {
    const { t } = await haltedApp();
    const person = await t.signUp();
    const session = await t.logIn(person);
    const other = await app({}, t.store);
    await t.store.write((queries) =>
      queries
        .insertInto("sessions")
        .values(
          Array.from({ length: erasedAtOnce }, (_, n) => ({
            id: `aaaa ${n}`,
            account_uuid: person.uuid,
            started_at: 0,
            ended_at: null,
            end_reason: null,
            entered_by: "password",
          })),
        )
        .execute(),
    );
    await t.call("accountErase", { token: session.token, body: { password: person.password } });
    await t.store.write((queries) => queries.updateTable("sessions").set({ ended_at: null }).execute());
    expect(await other.refusal("entitlement", { token: session.token })).toMatchObject({ code: 1002 });
    expect(await other.refusal("refresh", { body: { refreshToken: session.refreshToken } })).toMatchObject({ code: 1003 });
    closers.pop();
    await other.app.close();
  });

  it("ends every session in another process, which has cached it as alive: what it would write is answered like an ended one's", async () => {
    const t = await app();
    const person = await t.signUp();
    const other = await app({}, t.store);
    const { uuid } = person;
    const writes = [
      ["questionnairePost", { state: { ...emptySavedState, user: { uuid } } }],
      ["studySchedule", { uuid, id: 1, months: 3, practiseDaysPerWeek: 5, minutesPerSession: 30, days: [0] }],
      ["popup", { uuid, questionnaire: "76", popupId: "MarketingConsent" }],
      ["updateName", { firstname: "Ana" }],
      ["marketingConsent", { consent: true }],
    ] as const;
    // A session each: the first refusal makes the process look the session up again.
    const tokens = [];
    for (const [key, body] of writes) {
      const { token } = await t.logIn(person);
      await other.call(key, { token, body });
      tokens.push(token);
    }
    await eraseBy(t, person);
    await t.erased();
    for (const [n, [key, body]] of writes.entries()) {
      const token = tokens[n] ?? "";
      expect([key, await other.refusal(key, { token, body })]).toMatchObject([key, { code: 1002 }]);
      if (key === "questionnairePost") expect(await other.refusal("entitlement", { token })).toMatchObject({ code: 1002 });
    }
    closers.pop();
    await other.app.close();
  });

  it("leaves no person in the events and choices that another process takes from a session which it has cached as alive", async () => {
    const t = await app();
    const person = await t.signUp();
    const { token } = await t.logIn(person);
    const other = await app({}, t.store);
    const device = "30000000-0000-4000-8000-000000000000";
    const payload = { questionnaire: "76", questionId: 2, uuid: person.uuid };
    const sent = () => ({
      id: t.world.uuid(),
      eventType: "QuestionnaireQuestionShown",
      at: new Date(t.world.now()).toISOString(),
      payload,
    });
    const send = () => other.call("sendEvent", { token, body: { events: [sent()], device } });
    const at = new Date(t.world.now()).toISOString();
    const categories = { functional: true, analytics: true, marketing: false };
    const choose = () =>
      other.call("consent", {
        body: { id: t.world.uuid(), at, textVersion: "2026-01-01", categories, source: "banner" },
        token,
        headers: { "x-device-id": device },
      });
    const choices = () => t.store.read.selectFrom("consent_records").select(["account_uuid", "device_id"]).execute();
    expect(await send()).toEqual({ accepted: 1 });
    await choose();
    expect([await dump(t), JSON.stringify(await choices())].map((all) => all.includes(device))).toEqual([true, true]);
    await t.call("accountErase", { token, body: { password: person.password } });
    // Before the account's rows are gone, and after.
    expect(await send()).toEqual({ accepted: 1 });
    await choose();
    await t.erased();
    expect(await send()).toEqual({ accepted: 1 });
    await choose();
    const nobodys = { account_uuid: null, device_id: null };
    expect(await choices()).toEqual([nobodys, nobodys, nobodys]);
    expect(await t.store.read.selectFrom("events").select("id").execute()).toHaveLength(3);
    const left = await dump(t);
    expect([left.includes(person.uuid), left.includes(device)]).toEqual([false, false]);
    closers.pop();
    await other.app.close();
  });

  it("touches a limited number of rows per statement and never scans a table", async () => {
    const watched = watchStatements();
    const t = await app();
    const person = await t.signUp();
    await visits(t, person, 12, 45);
    await t.store.write((queries) => queries.updateTable("accounts").set({ email_confirmed_at: t.world.now() }).execute());
    watched.clear();
    const { token } = await t.logIn(person);
    await t.call("updateEmail", { token, body: { email: `new.${person.email}`, password: person.password } });
    const told = await t.call("accountExport", { token });
    expect(told["events"]).toHaveLength(600);
    await t.call("accountErase", { token, body: { password: person.password } });
    await t.erased();

    const statements = [...watched.seen];
    expect(await dump(t)).not.toContain(person.uuid);
    expect(statements.length).toBeGreaterThan(30);
    expect(statements.filter(({ rows }) => rows > erasedAtOnce)).toEqual([]);
    if (database !== "sqlite") return;
    for (const text of new Set(statements.map((one) => one.sql).filter((one) => /^(select|update|delete|insert)/i.test(one.trim())))) {
      const plan = await sql<{ detail: string }>`${sql.raw(`EXPLAIN QUERY PLAN ${text}`)}`.execute(t.store.read);
      // Two scans are allowed: of `erasures`, because few run at a time, and of the small index of provider events without an entry.
      const scans = plan.rows.filter(({ detail }) => /^SCAN (?!erasures|CONSTANT|provider_events USING INDEX \w+_unnoted)/.test(detail));
      expect([text, scans]).toEqual([text, []]);
    }
  });

  it("ends, and goes on to the next person, while somebody goes on sending events that name the first", async () => {
    const { t } = await haltedApp();
    const [person, next] = [await t.signUp(), await t.signUp()];
    let sent = 0;
    const name = async () => {
      if (sent++ >= 100) return;
      const payload = { questionnaire: "76", questionId: 2, uuid: person.uuid };
      await t.call("sendEvent", { body: { eventType: "QuestionnaireQuestionShown", payload } });
    };
    await name();
    await eraseBy(t, person);
    await eraseBy(t, next);
    const { store, world } = t;
    const write: Store["write"] = async (work) => {
      const value = await store.write(work);
      await name();
      return value;
    };
    const erasing = createErasing({ store: { ...store, write }, world, payments: quiet, log: console });
    sent = 0;
    erasing.wake();
    await expect.poll(() => store.read.selectFrom("accounts").select("uuid").execute()).toEqual([]);
    await erasing.settled();
    expect(await store.read.selectFrom("erasures").select("account_uuid").execute()).toEqual([]);
    expect(sent).toBeLessThan(100);
  });

  it("lets nobody sign up with the uuid that stands for erased people: erasing such an account would never end", async () => {
    const t = await app();
    const person = await t.signUp();
    await visits(t, person, 1);
    await eraseBy(t, person);
    await t.erased();
    const [event] = await t.store.read.selectFrom("events").select("payload").limit(1).execute();
    const { uuid } = v.parse(v.pipe(v.string(), v.parseJson(), v.object({ uuid: v.string() })), event?.payload);
    const body = { uuid, email: "x@example.com", password: "correct horse", uiLanguage: "es-419", questionnaire: "76", version: "v5.7.8" };
    expect(await t.refusal("signup", { body })).toMatchObject({ code: 1100 });
  });

  it("by a killed process is continued by another when the claim has expired, and also after the clock was set back", async () => {
    for (const [writes, wait] of [
      [1, 2 * minute],
      [3, 2 * minute],
      [9, 2 * minute],
      [20, 2 * minute],
      [5, -day],
    ] as const) {
      const { t } = await haltedApp();
      const person = await t.signUp();
      await visits(t, person, 4);
      await eraseBy(t, person);
      const killed = killedAfter(t, writes);
      await killed.dead;
      const before = await dump(t);
      expect(before).toContain(person.uuid);
      const next = createErasing({ store: t.store, world: t.world, payments: quiet, log: console });
      next.wake();
      await next.settled();
      expect(await dump(t)).toBe(before);
      t.world.pass(wait);
      next.wake();
      await next.settled();
      expect(await dump(t)).not.toContain(person.uuid);
      expect(await t.store.read.selectFrom("erasures").selectAll().execute()).toEqual([]);
      // The first process was only slow, not killed. What it still does must change nothing.
      const after = await dump(t);
      killed.goOn();
      await killed.erasing.settled();
      expect(await dump(t)).toBe(after);
    }
  });

  /** A process that hangs before one of its writes. */
  function killedAfter({ store, world }: { readonly store: Store; readonly world: TestWorld }, writes: number) {
    const dead = Promise.withResolvers<void>();
    const alive = Promise.withResolvers<void>();
    let left = writes;
    const erasing = createErasing({
      store: {
        ...store,
        write: async (work) => {
          if (left-- === 0) {
            dead.resolve();
            await alive.promise;
          }
          return store.write(work);
        },
      },
      world,
      payments: quiet,
      log: console,
    });
    erasing.wake();
    return { erasing, dead: dead.promise, goOn: alive.resolve };
  }

  it("is claimed by one of two processes that poll at the same moment", async () => {
    const { t } = await haltedApp();
    await eraseBy(t, await t.signUp());
    const noteBuyers = vi.fn<() => Promise<void>>().mockResolvedValue();
    const both = [1, 2].map(() => createErasing({ store: t.store, world: t.world, payments: { noteBuyers }, log: console }));
    for (const one of both) one.wake();
    for (const one of both) await one.settled();
    expect(noteBuyers).toHaveBeenCalledOnce();
    expect(await t.store.read.selectFrom("erasures").selectAll().execute()).toEqual([]);
  });

  it("by a process that shuts down is continued at once", async () => {
    const { t } = await haltedApp();
    const person = await t.signUp();
    await visits(t, person, 2);
    await eraseBy(t, person);
    const first = killedAfter(t, 6);
    await first.dead;
    const stopped = first.erasing.stop();
    first.goOn();
    await stopped;
    expect(await dump(t)).toContain(person.uuid);
    // It began no further step.
    const events = t.store.read.selectFrom("events").select("id").where("account_uuid", "=", person.uuid);
    expect(await events.execute()).not.toEqual([]);
    const next = createErasing({ store: t.store, world: t.world, payments: quiet, log: console });
    next.wake();
    await next.settled();
    expect(await dump(t)).not.toContain(person.uuid);
  });

  it("by a process that was slow and has lost its claim changes nothing more", async () => {
    const { t } = await haltedApp();
    const person = await t.signUp();
    await visits(t, person, 2);
    await eraseBy(t, person);
    const first = killedAfter(t, 5);
    await first.dead;
    t.world.pass(2 * minute);
    const second = killedAfter(t, 3);
    await second.dead;
    const before = await dump(t);
    first.goOn();
    await first.erasing.settled();
    expect(await dump(t)).toBe(before);
    second.goOn();
    await second.erasing.settled();
    expect(await dump(t)).not.toContain(person.uuid);
  });

  it("leaves the account to another process that took the claim before its last write", async () => {
    const { t } = await haltedApp();
    const person = await t.signUp();
    await eraseBy(t, person);
    const noteBuyers = async () => {
      await t.store.write((queries) => queries.updateTable("erasures").set({ attempts: 9 }).execute());
    };
    const erasing = createErasing({ store: t.store, world: t.world, payments: { noteBuyers }, log: console });
    erasing.wake();
    await erasing.settled();
    const { uuid } = person;
    expect(await t.store.read.selectFrom("accounts").select("uuid").where("uuid", "=", uuid).execute()).toEqual([{ uuid }]);
  });

  it("removes the person from more rows than one write takes, and from those that are added meanwhile", async () => {
    const { t } = await haltedApp();
    const person = await t.signUp();
    await visits(t, person, 1);
    await t.store.write((queries) =>
      queries
        .insertInto("audit")
        .values(
          Array.from({ length: erasedAtOnce + 1 }, (_, n) => ({
            id: `line ${n}`,
            at: t.world.now(),
            account_uuid: person.uuid,
            kind: "x",
            data: "{}",
          })),
        )
        .execute(),
    );
    await eraseBy(t, person);
    const named = (table: "audit" | "events") => t.store.read.selectFrom(table).select("id").where("account_uuid", "=", person.uuid);
    const late = { id: t.world.uuid(), event_type: "ChatbotOpen", payload: "{}", happened_at: 0, received_at: t.world.now() };
    let added = false;
    const store: Store = {
      ...t.store,
      write: async (work) => {
        const done = await t.store.write(work);
        if (!added && (await named("events").execute()).length === 0) {
          added = true;
          await t.store.write((queries) =>
            queries
              .insertInto("events")
              .values({ ...late, account_uuid: person.uuid })
              .execute(),
          );
        }
        return done;
      },
    };
    const erasing = createErasing({ store, world: t.world, payments: quiet, log: console });
    erasing.wake();
    await erasing.settled();
    expect([added, await named("audit").execute(), await named("events").execute()]).toEqual([true, [], []]);
  });

  it.runIf(database === "postgres")("begun by the owner and by an operator at once is begun by one: the other finds it done", async () => {
    const held = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    // The owner's process waits within its write.
    const t = await app(({ store, world }) => {
      const erasing = createErasing({ store, world, payments: quiet, log: console });
      const begin: Erasing["begin"] = async (...asked) => {
        held.resolve();
        await goOn.promise;
        return erasing.begin(...asked);
      };
      return { erasing: { begin, wake: () => {} } };
    });
    const { store, world } = t;
    const { begin } = createErasing({ store, world, payments: quiet, log: console });
    const other = await app({ world, erasing: { begin, wake: () => {} } }, store);
    const person = await t.signUp();
    const admin = await signInOperator({ ...other, world }, "admin");
    const { token } = await t.logIn(person);
    const owners = t.send("accountErase", { token, body: { password: person.password } });
    await held.promise;
    const operators = admin.send("personErase", { uuid: person.uuid, email: person.email, reason: "they asked by mail" });
    const waiting = sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await expect.poll(async () => (await waiting.execute(t.store.read)).rows).toHaveLength(1);
    goOn.resolve();
    expect([(await owners).statusCode, (await operators).statusCode]).toEqual([200, 404]);
    expect(await t.store.read.selectFrom("erasures").select("account_uuid").execute()).toEqual([{ account_uuid: person.uuid }]);
    closers.pop();
    await other.app.close();
  });

  it("begins once, and not for an account that does not exist", async () => {
    const { t, erasing } = await haltedApp();
    const { uuid } = await t.signUp();
    const begin = (of: string) => t.store.write((queries) => erasing.begin(queries, of));
    expect([await begin(uuid), await begin(uuid), await begin(t.world.uuid())]).toEqual(["begun", null, null]);
  });

  it("is confirmed by a mail to whoever has a plan that would renew or could still be used", async () => {
    const { t } = await haltedApp();
    const hour = 60 * minute;
    const confirmation = async (status: string | null, endsIn: number | null) => {
      const person = await t.signUp({ firstname: "Lucía" });
      if (status !== null) {
        const order = completedOrder(`order of ${person.uuid}`, person.uuid, t.world.now());
        const ends_at = endsIn === null ? null : t.world.now() + endsIn;
        const times = { created_at: t.world.now(), updated_at: t.world.now() };
        await t.store.write(async (queries) => {
          await queries.insertInto("orders").values(order).execute();
          await queries
            .insertInto("entitlements")
            .values({ order_id: order.id, account_uuid: person.uuid, status, ends_at, ...times })
            .execute();
        });
      }
      await eraseBy(t, person);
      const mails = t.store.read.selectFrom("mail_outbox").select(["template", "account_uuid", "locale", "data"]);
      return (await mails.where("recipient", "=", person.email).execute()).map(({ data, ...mail }) => ({
        ...mail,
        data: JSON.parse(data),
      }));
    };
    const erased = [{ template: "erased", account_uuid: null, locale: "es-419", data: { firstname: "Lucía" } }];
    expect(await confirmation("active", hour)).toEqual(erased);
    expect(await confirmation("past_due", hour)).toEqual(erased);
    expect(await confirmation("paused", -hour)).toEqual(erased);
    for (const [status, endsIn] of [
      ["active", -hour],
      ["active", 0],
      ["deleted", hour],
      [null, null],
    ] as const)
      expect([status, endsIn, await confirmation(status, endsIn)]).toEqual([status, endsIn, []]);
  });

  it("is confirmed by a mail also to whoever has asked for another address lately", async () => {
    const { t } = await haltedApp();
    const person = await t.signUp({ firstname: "Lucía" });
    const order = completedOrder(`order of ${person.uuid}`, person.uuid, t.world.now());
    const now = t.world.now();
    const change = { account_uuid: person.uuid, from_email: person.email, to_email: "new@example.com", session_id: "", asked_at: now };
    await t.store.write(async (queries) => {
      await queries.insertInto("orders").values(order).execute();
      await queries
        .insertInto("entitlements")
        .values({ order_id: order.id, account_uuid: person.uuid, status: "active", ends_at: now + day, created_at: now, updated_at: now })
        .execute();
      await queries
        .insertInto("email_changes")
        .values({ id: t.world.uuid(), ...change, expires_at: now + day, outcome: null, ended_at: null })
        .execute();
    });
    await eraseBy(t, person);
    const mails = await t.store.read.selectFrom("mail_outbox").select(["template", "recipient"]).execute();
    expect(mails).toEqual([{ template: "erased", recipient: person.email }]);
  });

  it("closes what the orders still have open at the provider", async () => {
    const { t } = await haltedApp();
    const person = await t.signUp();
    const order = (id: string, status: string, transaction_id: string | null, subscription_id: string | null) => ({
      ...completedOrder(id, person.uuid, t.world.now()),
      status,
      transaction_id,
      subscription_id,
    });
    await t.store.write((queries) =>
      queries
        .insertInto("orders")
        .values([
          order("running", "completed", "txn 1", "sub 1"),
          order("open", "pending", "txn 2", null),
          { ...order("never opened", "pending", null, null), product_id: "6m" },
          order("once", "completed", "txn 3", null),
        ])
        .execute(),
    );
    await eraseBy(t, person);
    const duties = await t.store.read.selectFrom("payment_duties").select(["kind", "subject", "order_id"]).orderBy("subject").execute();
    expect(duties).toEqual([
      { kind: "cancel-subscription", subject: "sub 1", order_id: "running" },
      { kind: "cancel-checkout", subject: "txn 2", order_id: "open" },
    ]);
  });

  it("leaves nothing to pay when the provider opens the person's checkout meanwhile", async () => {
    const provider = fakeProvider({ name: "paddlebilling", keepsCancelled: true });
    const log = { warn: () => undefined, error: () => undefined };
    const t = await app(({ store, world }) => ({
      payments: createPayments({ store, world, providers: [provider], log, secretKeys: ["key"], onMail: () => undefined }),
    }));
    await loadCatalogue(t.store, (id) => `price of ${id}`, t.world.now());
    const person = await t.signUp();
    const { token } = await t.logIn(person);
    provider.createCheckout.mockImplementationOnce(async ({ id }) => {
      await eraseBy(t, person);
      return { transactionId: `txn ${id}`, hostedUrl: null };
    });
    const { code } = await t.refusal("createTransaction", { token, body: { pricingId: "onetime-6m-mxn" } });
    const orders = await t.store.read.selectFrom("orders").select(["id", "account_uuid"]).execute();
    expect([code, provider.createCheckout.mock.calls.length, orders]).toEqual([1200, 1, [{ id: expect.any(String), account_uuid: null }]]);
    await expect.poll(() => provider.cancelCheckout.mock.calls).toMatchObject([[`txn ${orders[0]?.id}`]]);
  });

  it("leaves nothing to pay either to somebody with more orders than one write takes", async () => {
    const provider = fakeProvider({ name: "paddlebilling", keepsCancelled: true });
    const log = { warn: () => undefined, error: () => undefined };
    let erasing: Erasing | undefined;
    const t = await app(({ store, world }) => {
      erasing = createErasing({ store, world, payments: quiet, log: console });
      const payments = createPayments({ store, world, providers: [provider], log, secretKeys: ["key"], onMail: () => undefined });
      return { erasing: { begin: erasing.begin, wake: () => {} }, payments };
    });
    await loadCatalogue(t.store, (id) => `price of ${id}`, t.world.now());
    const person = await t.signUp();
    const { token } = await t.logIn(person);
    const older = Array.from({ length: erasedAtOnce }, (_, n) => ({
      ...completedOrder(`older ${n}`, person.uuid, t.world.now() - day),
      status: "cancelled",
    }));
    await t.store.write((queries) => queries.insertInto("orders").values(older).execute());
    provider.createCheckout.mockImplementationOnce(async ({ id }) => {
      await eraseBy(t, person);
      return { transactionId: `txn ${id}`, hostedUrl: null };
    });
    const { code } = await t.refusal("createTransaction", { token, body: { pricingId: "onetime-6m-mxn" } });
    const open = await t.store.read.selectFrom("orders").select(["id", "account_uuid"]).where("status", "=", "pending").execute();
    // The erasure has not reached this order yet.
    expect([code, open]).toEqual([1200, [{ id: expect.any(String), account_uuid: person.uuid }]]);
    await expect.poll(() => provider.cancelCheckout.mock.calls).toMatchObject([[`txn ${open[0]?.id}`]]);
    erasing?.wake();
    await erasing?.settled();
    expect(await dump(t)).not.toContain(person.uuid);
  });

  it.each(["payLinkMail", "planMail"] as const)("that begins just before %s writes its mail is followed by no mail", async (call) => {
    const provider = fakeProvider({ name: "paddlebilling", keepsCancelled: true });
    const log = { warn: () => undefined, error: () => undefined };
    const store = await createTestStore(database);
    let beforeNextWrite: (() => Promise<void>) | null = null;
    const write: Store["write"] = async (work) => {
      const first = beforeNextWrite;
      beforeNextWrite = null;
      await first?.();
      return store.write(work);
    };
    const t = await app(
      ({ world, store: watched }) => ({
        erasing: { begin: createErasing({ store, world, payments: quiet, log: console }).begin, wake: () => {} },
        payments: createPayments({ store: watched, world, providers: [provider], log, secretKeys: ["key"], onMail: () => undefined }),
      }),
      { ...store, write },
    );
    await loadCatalogue(store, (id) => `price of ${id}`, t.world.now());
    const person = await t.signUp();
    const { token } = await t.logIn(person);
    const erase = async () => {
      await eraseBy(t, person);
    };
    // The last step before the pay link's mail.
    provider.hostedLink.mockImplementationOnce((url) => {
      beforeNextWrite = erase;
      return url;
    });
    if (call === "planMail") beforeNextWrite = erase;
    const language = "es-419";
    await t.call(call, {
      token,
      body:
        call === "planMail"
          ? { questionnaire: "76", question: "2", language }
          : { productId: "onetime-6m-mxn", returnPath: "/es-latam/", paymentProvider: "paddlebilling", language },
    });
    expect([beforeNextWrite, await store.read.selectFrom("mail_outbox").select("recipient").execute()]).toEqual([null, []]);
  });

  it("is retried a minute after a failure", async () => {
    const { t } = await haltedApp();
    const person = await t.signUp();
    await eraseBy(t, person);
    const error = vi.fn<(details: object, message: string) => void>();
    const failing = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error("away")).mockResolvedValue();
    const erasing = createErasing({ store: t.store, world: t.world, payments: { noteBuyers: failing }, log: { error } });
    for (const [wait, left] of [
      [0, 1],
      [minute - 1, 1],
      [1, 0],
    ] as const) {
      t.world.pass(wait);
      erasing.wake();
      await erasing.settled();
      expect(await t.store.read.selectFrom("erasures").selectAll().execute()).toHaveLength(left);
    }
    expect(error.mock.calls).toEqual([[{ err: new Error("away"), account: person.uuid }, "An account could not be erased yet."]]);
  });

  it("is logged as a failure when the database does not answer", async () => {
    const { t } = await haltedApp();
    const error = vi.fn<(details: object, message: string) => void>();
    const read = t.store.read.withPlugin({
      transformQuery: () => {
        throw new Error("gone");
      },
      transformResult: async ({ result }) => result,
    });
    const erasing = createErasing({ store: { ...t.store, read }, world: t.world, payments: quiet, log: { error } });
    erasing.wake();
    await erasing.settled();
    expect(error.mock.calls).toEqual([[{ err: new Error("gone") }, "The accounts to erase could not be read."]]);
  });

  it("is continued at startup and every minute, until stopped", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const { t, erasing } = await haltedApp();
    const left = async () => (await t.store.read.selectFrom("erasures").selectAll().execute()).length;
    await eraseBy(t, await t.signUp());
    erasing.start();
    await erasing.settled();
    expect(await left()).toBe(0);
    await eraseBy(t, await t.signUp());
    vi.advanceTimersByTime(minute - 1);
    await erasing.settled();
    expect(await left()).toBe(1);
    vi.advanceTimersByTime(1);
    await erasing.settled();
    expect(await left()).toBe(0);
    await erasing.stop();
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });
});

it("an erasure on PostgreSQL and an event of the same device do not wait for each other", async () => {
  const failures: unknown[] = [];
  let erasing: Erasing | undefined;
  const t = await createTestApp({
    database: "postgres",
    parts: ({ store, world }) => {
      erasing = createErasing({ store, world, payments: quiet, log: { error: (details) => failures.push(details) } });
      return { erasing: { begin: erasing.begin, wake: () => {} } };
    },
  });
  const person = await t.signUp();
  const { token } = await t.logIn(person);
  const headers = { "x-device-id": t.world.uuid() };
  const body = { eventType: "QuestionnaireQuestionShown", payload: { uuid: person.uuid, questionnaire: "76", questionId: 2 } };
  await t.call("sendEvent", { token, headers, body });
  await t.call("accountErase", { token, body: { password: person.password } });
  // Writes what an event writes, in the same sequence, and lets the erasure come in between.
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const writing = t.store.write(async (queries) => {
    await queries
      .updateTable("event_devices")
      .set(({ ref }) => ({ sequence: ref("sequence") }))
      .execute();
    begun.resolve();
    await goOn.promise;
    await queries
      .updateTable("journeys")
      .set(({ ref }) => ({ last_at: ref("last_at") }))
      .execute();
  });
  await begun.promise;
  erasing?.wake();
  const waits = sql<{
    n: number;
  }>`SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await expect.poll(async () => (await waits.execute(t.store.read)).rows[0]?.n).toBe(1);
  goOn.resolve();
  await writing;
  await erasing?.settled();
  expect(failures).toEqual([]);
  expect(await t.store.read.selectFrom("accounts").select("uuid").execute()).toEqual([]);
  await erasing?.stop();
  await t.close();
});
