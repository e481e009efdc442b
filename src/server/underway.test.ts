/** Owners can end access while a login is in progress: a password that is being compared meanwhile gives no access. */
import { createLinks } from "#server/mail/links.ts";
import { createTestApp, databases, type Person, sampledDatabases, startTime, type TestApp, testSettings } from "#test/app.ts";
import { sql } from "kysely";
import { availableParallelism } from "node:os";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { verify } from "./accounts/hashing.ts";
import type { Queries } from "./store/schema.ts";

vi.mock(import("./accounts/hashing.ts"), { spy: true });

/** Makes the next comparison wait until the test lets it succeed. */
function holdComparison() {
  const reached = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  vi.mocked(verify).mockImplementationOnce(async () => {
    reached.resolve();
    await goOn.promise;
    return true;
  });
  return { reached: reached.promise, goOn: goOn.resolve };
}

/** The tries of one device before it has to wait. */
const triesEach = 8;

describe.each(sampledDatabases)("on %s", (database) => {
  let t: TestApp;
  let person: Person;
  beforeEach(async () => {
    t = await createTestApp({ database });
    person = await t.signUp();
    const confirmToken = await tokenTo(person.email, "confirmEmail");
    await t.call("confirmEmail", { body: { confirmToken }, headers: t.deviceOf(person) });
  });
  afterEach(async () => {
    vi.mocked(verify).mockRestore();
    await t.close();
  });

  const links = () => createLinks(testSettings().secretKeys, t.world);
  async function tokenTo(email: string, template: string): Promise<string> {
    const { data } = await t.store.read
      .selectFrom("mail_outbox")
      .select("data")
      .where("recipient", "=", email)
      .where("template", "=", template)
      .executeTakeFirstOrThrow();
    return (await links().tokenOf(t.store.read, JSON.parse(data).linkId)) ?? "";
  }
  /** Writes a new password as another process would: the only hashing thread of this one is held. */
  const setNewPassword = () =>
    t.store.write((queries) =>
      queries.updateTable("accounts").set({ password_hash: "$another" }).where("uuid", "=", person.uuid).execute(),
    );
  const openSessions = async () =>
    (await t.store.read.selectFrom("sessions").select("id").where("account_uuid", "=", person.uuid).where("ended_at", "is", null).execute())
      .length;

  it("a login with a password that its owner replaces meanwhile opens no session", async () => {
    const { reached, goOn } = holdComparison();
    const login = t.refusal("login", { body: { email: person.email, password: person.password } });
    await reached;
    await setNewPassword();
    goOn();
    expect(await login).toMatchObject({ code: 1001 });
    expect(await openSessions()).toBe(0);
  });

  it("a change of address that its owner undoes meanwhile is not requested again", async () => {
    const { token } = await t.logIn(person);
    const change = (email: string) => t.send("updateEmail", { token, body: { email, password: person.password } });
    await change("first@example.com");
    const { reached, goOn } = holdComparison();
    const late = change("second@example.com");
    await reached;
    await t.call("undoEmail", { body: { token: await tokenTo(person.email, "emailChange") } });
    goOn();
    expect((await late).json()).toMatchObject({ code: 1002 });
    expect(await t.store.read.selectFrom("mail_outbox").select("id").where("recipient", "=", "second@example.com").execute()).toEqual([]);
  });

  /** As if by another process. */
  const endSessions = () =>
    t.store.write((queries) => queries.updateTable("sessions").set({ ended_at: 1 }).where("account_uuid", "=", person.uuid).execute());
  const forgetDevices = () =>
    t.store.write((queries) => queries.updateTable("accounts").set({ trust_epoch: "another" }).where("uuid", "=", person.uuid).execute());

  it.each([
    ["whose password is replaced", setNewPassword],
    ["whose session ends", endSessions],
    ["whose devices are forgotten", forgetDevices],
  ])("an erasure %s meanwhile erases nothing", async (_, meanwhile) => {
    const { token } = await t.logIn(person);
    const { reached, goOn } = holdComparison();
    const erasing = t.refusal("accountErase", { token, body: { password: person.password } });
    await reached;
    await meanwhile();
    goOn();
    expect(await erasing).toMatchObject({ code: 1002 });
    await t.erased();
    expect(await t.store.read.selectFrom("accounts").select("email").where("uuid", "=", person.uuid).execute()).toEqual([
      { email: person.email },
    ]);
  });

  it("a change of address that is undone is no longer pending, however the clock runs", async () => {
    const { token } = await t.logIn(person);
    let now = startTime;
    vi.spyOn(t.world, "now").mockImplementation(() => now++);
    await t.call("updateEmail", { token, body: { email: "thief@example.com", password: person.password } });
    const confirmToken = await tokenTo("thief@example.com", "confirmEmail");
    await t.call("undoEmail", { body: { token: await tokenTo(person.email, "emailChange") } });
    expect(await t.store.read.selectFrom("email_changes").select("outcome").execute()).toEqual([{ outcome: "undone" }]);
    expect(await t.refusal("confirmEmail", { body: { confirmToken } })).toMatchObject({ code: 1005 });
  });

  it("a uuid that belongs to another account does not use up sign-ups", async () => {
    const body = { email: "wanted@example.com", password: "correct horse", uiLanguage: "es-419", questionnaire: "76", version: "v5.7.8" };
    for (let n = 0; n < 4; n++) expect(await t.refusal("signup", { body: { ...body, uuid: person.uuid } })).toMatchObject({ code: 1100 });
    await t.call("signup", { body: { ...body, uuid: t.world.uuid() } });
  });

  it("sign-ups refused because the hash queue is full do not use up sign-ups, nor do password checks use up tries", async () => {
    const { token } = await t.logIn(person);
    const atOnce = Math.max(1, availableParallelism() - 1);
    // The first lane is full of known devices, each with a few tries.
    const waiting = 21 * atOnce + 3;
    const people: Person[] = [];
    while (people.length * triesEach < waiting) people.push(await t.signUp());
    const goOn = Promise.withResolvers<boolean>();
    vi.mocked(verify).mockImplementation(() => goOn.promise);
    let turnedAway = 0;
    const login = async (n: number) => {
      const one = people[n % people.length] ?? person;
      const body = { email: one.email, password: one.password };
      const answer = await t.send("login", { body, headers: t.deviceOf(one), from: `10.2.${n >> 8}.${n & 255}` });
      if (answer.statusCode === 503) turnedAway++;
    };
    const logins = Array.from({ length: waiting }, (_, n) => login(n));
    await expect.poll(() => turnedAway).toBe(3);

    const body = { email: "wanted@example.com", password: "correct horse", uiLanguage: "es-419", questionnaire: "76", version: "v5.7.8" };
    const signUp = (from: string) => ({ body: { ...body, uuid: t.world.uuid() }, from });
    for (let n = 0; n < 4; n++) expect(await t.refusal("signup", signUp(`10.3.${n}.1`))).toMatchObject({ code: 1503 });
    // A repeated sign-up whose first answer was lost: its password cannot be compared, so nobody knows yet that the account is another person's.
    const again = { ...body, uuid: person.uuid, email: person.email, password: person.password };
    expect(await t.refusal("signup", { body: again, from: "10.3.5.1" })).toMatchObject({ code: 1503 });
    const change = { token, body: { email: "next@example.com", password: person.password } };
    for (let n = 0; n < 11; n++) expect(await t.refusal("updateEmail", change)).toMatchObject({ code: 1503 });
    goOn.resolve(false);
    await Promise.all(logins);
    vi.mocked(verify).mockResolvedValueOnce(true);
    expect(await t.call("updateEmail", change)).toEqual({ pending: true });
    await t.call("signup", signUp("10.3.4.1"));
  });
});

// SQLite makes one write at a time.
describe.skipIf(!databases.includes("postgres"))("while the account gets another address", () => {
  /** Somebody who has signed up and logged in twice, and what is in their confirmation mail. */
  async function begun() {
    const t = await createTestApp({ database: "postgres" });
    const person = await t.signUp();
    await t.logIn(person);
    const elsewhere = await t.store.read.selectFrom("sessions").select("id").executeTakeFirstOrThrow();
    const here = { token: (await t.logIn(person)).token, headers: t.deviceOf(person) };
    const links = createLinks(testSettings().secretKeys, t.world);
    const { id } = await t.store.read.selectFrom("link_tokens").select("id").where("purpose", "=", "confirm").executeTakeFirstOrThrow();
    return {
      t,
      here,
      elsewhere,
      confirmToken: (await links.tokenOf(t.store.read, id)) ?? "",
      code: (await links.codeOf(t.store.read, id)) ?? "",
      change: () => t.send("updateEmail", { ...here, body: { email: "next@example.com" } }),
      account: () => t.store.read.selectFrom("accounts").select(["email", "email_confirmed_at"]).executeTakeFirst(),
    };
  }
  /** Makes the writes that come to these rows wait until `goOn`. */
  async function hold({ store }: TestApp, rows: (queries: Queries) => Promise<unknown>) {
    const held = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const holding = store.write(async (queries) => {
      await rows(queries);
      held.resolve();
      await goOn.promise;
    });
    await held.promise;
    return () => (goOn.resolve(), holding);
  }
  async function untilWaiting({ store }: TestApp, writes: number) {
    const waits = sql<{
      n: number;
    }>`SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await expect.poll(async () => (await waits.execute(store.read)).rows[0]?.n).toBe(writes);
  }

  it("a link that confirms the former address does not confirm the new one", async () => {
    const { t, here, elsewhere, confirmToken, change, account } = await begun();
    // The change has written the other address and ended the links, and waits here.
    const goOn = await hold(t, (queries) =>
      queries.updateTable("sessions").set({ browser: null }).where("id", "=", elsewhere.id).execute(),
    );
    const changing = change();
    await untilWaiting(t, 1);
    const confirming = t.send("confirmEmail", { body: { confirmToken }, headers: here.headers });
    await untilWaiting(t, 2);
    await goOn();
    expect((await changing).json()).toEqual({ pending: false });
    expect((await confirming).json()).toMatchObject({ code: 1005 });
    expect(await account()).toEqual({ email: "next@example.com", email_confirmed_at: null });
    await t.close();
  });

  it("a code that confirms the former address and the change of address do not wait for each other", async () => {
    const { t, here, code, change, account } = await begun();
    const confirmBy = (typed: string) => t.send("confirmByCode", { ...here, body: { code: typed } });
    await confirmBy(code === "000000" ? "000001" : "000000");
    // The code's link is counted, and its account's tries wait here.
    const goOn = await hold(t, (queries) =>
      queries
        .updateTable("login_code_tries")
        .set(({ ref }) => ({ tries: ref("tries") }))
        .execute(),
    );
    const confirming = confirmBy(code);
    await untilWaiting(t, 1);
    const changing = change();
    await untilWaiting(t, 2);
    await goOn();
    expect((await confirming).json()).toEqual({});
    expect((await changing).statusCode).toBe(422);
    expect(await account()).toMatchObject({ email_confirmed_at: t.world.now() });
    await t.close();
  });
});
