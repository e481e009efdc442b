/** Changes of a confirmed address: what they require, when they take effect, and how the owner undoes them. */
import type { Session } from "#core/api.ts";
import { createLinks } from "#server/mail/links.ts";
import { linkLife } from "#server/base/linkLife.ts";
import { linkFreshness } from "#server/accounts/sessions.ts";
import { cookieOf, createTestApp, type Person, type TestApp, testSettings, sampledDatabases } from "#test/app.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

describe.each(sampledDatabases)("a confirmed address on %s", (database) => {
  let t: TestApp;
  beforeAll(async () => {
    const wide = { points: 1_000, seconds: 3_600 };
    const names = ["signup.network", "login.network", "token.network", "undo-email.network", "check-email.network"] as const;
    t = await createTestApp({ database, settings: { limits: Object.fromEntries(names.map((name) => [name, wide])) } });
  });
  afterAll(() => t.close());

  const links = () => createLinks(testSettings().secretKeys, t.world);
  const row = (uuid: string) => t.store.read.selectFrom("accounts").selectAll().where("uuid", "=", uuid).executeTakeFirstOrThrow();
  const address = (name: string) => `${name}.${t.world.uuid()}@example.com`;
  const mailsTo = (email: string) =>
    t.store.read
      .selectFrom("mail_outbox")
      .select(["template", "data", "created_at"])
      .where("recipient", "=", email)
      .orderBy("created_at", "desc")
      .execute();
  const dataOf = async (template: string, email: string) =>
    JSON.parse((await mailsTo(email)).find((one) => one.template === template)?.data ?? "null");
  const templatesTo = async (email: string) => (await mailsTo(email)).map(({ template }) => template).toSorted();
  /** The token in an address's newest mail of a kind, as its recipient reads it. */
  async function tokenTo(email: string, template: string): Promise<string> {
    const mail = (await mailsTo(email)).find((one) => one.template === template);
    if (!mail) throw new Error(`No ${template} to ${email}`);
    return (await links().tokenOf(t.store.read, JSON.parse(mail.data).linkId)) ?? "ended";
  }
  /** Confirms on a device that the account knows, or on another one. */
  const confirmed = async (email: string, device: Person | { readonly cookie: string } | null) =>
    t.send("confirmEmail", {
      body: { confirmToken: await tokenTo(email, "confirmEmail") },
      headers: device === null ? {} : "cookie" in device ? device : t.deviceOf(device),
    });
  async function owner(changes: { readonly firstname?: string } = {}) {
    const person = await t.signUp(changes);
    const confirmToken = await tokenTo(person.email, "confirmEmail");
    await t.call("confirmEmail", { body: { confirmToken }, headers: t.deviceOf(person) });
    const session = await t.logIn(person);
    return { ...person, token: session.token, session };
  }
  type Owner = Awaited<ReturnType<typeof owner>>;
  const change = ({ token, password }: Owner, email: string) => t.call("updateEmail", { token, body: { email, password } });
  const undo = (token: string) => t.send("undoEmail", { body: { token } });
  /** Logs in on a device, which is known from then on. */
  async function logInOnDevice({ email, password }: Person) {
    const response = await t.send("login", { body: { email, password }, from: "10.1.0.1" });
    const session: Session = response.json();
    return { ...session, device: { cookie: cookieOf(response) } };
  }
  async function byLink(person: Person) {
    const id = await t.store.write((queries) => links().create(queries, "login", { accountUuid: person.uuid, email: person.email }));
    const response = await t.send("token", { body: { token: await links().tokenOf(t.store.read, id) } });
    const { token, refreshToken }: Session = response.json();
    return { token, refreshToken, headers: { cookie: cookieOf(response) } };
  }

  describe("with an access token alone", () => {
    it("is not changed, nor is the account erased or its plan charged again, whatever cookies the account's device has", async () => {
      const { token, email, ...person } = await owner();
      const asks = { code: 1000, fields: { password: "validator_required" } };
      for (const headers of [{}, t.deviceOf({ ...person, email })]) {
        expect(await t.refusal("updateEmail", { token, body: { email: address("thief") }, headers })).toMatchObject(asks);
        expect(await t.refusal("accountErase", { token, body: {}, headers })).toMatchObject(asks);
      }
      for (const action of ["resume", "keep"])
        expect(await t.refusal("subscriptionChange", { token, body: { action } })).toMatchObject(asks);
      expect(await t.refusal("subscriptionCard", { token, body: {} })).toMatchObject(asks);
      // Cancelling a plan needs no more than the token; this account has no plan.
      expect(await t.refusal("subscriptionChange", { token, body: { action: "cancel" } })).toMatchObject({ code: 1200 });
      expect(await row(person.uuid)).toMatchObject({ email });
      expect(await t.call("email", { token })).toEqual({ email, confirmed: true, pending: null, needsPassword: true });
    });

    it("is not changed from a session that a mailed link has just opened on another device", async () => {
      const person = await owner();
      const { token, headers } = await byLink(person);
      const thief = { token, body: { email: address("thief") } };
      expect(await t.refusal("updateEmail", thief)).toMatchObject({ code: 1000 });
      expect(await t.refusal("accountErase", { token, body: {} })).toMatchObject({ code: 1000 });
      expect((await t.call("email", { token, headers })).needsPassword).toBe(false);
      expect(await t.call("updateEmail", { token, headers, body: { email: address("own") } })).toEqual({ pending: true });
      t.world.pass(linkFreshness + 1);
      const { refreshToken, headers: device } = await byLink(person);
      t.world.pass(linkFreshness);
      const pair = await t.call("refresh", { body: { refreshToken } });
      const own = () => ({ token: pair.token, headers: device, body: { email: address("own") } });
      expect(await t.call("updateEmail", own())).toEqual({ pending: true });
      t.world.pass(1);
      expect(await t.refusal("updateEmail", own())).toMatchObject({ code: 1000 });
    });

    it("that was never confirmed is corrected only by the device that signed up", async () => {
      const person = await t.signUp();
      const { token } = await t.logIn(person);
      const email = address("corrected");
      expect(await t.refusal("updateEmail", { token, body: { email } })).toMatchObject({ code: 1000 });
      expect(await t.call("email", { token, headers: t.deviceOf(person) })).toMatchObject({ confirmed: false, needsPassword: false });
      expect(await t.call("updateEmail", { token, body: { email }, headers: t.deviceOf(person) })).toEqual({ pending: false });
      expect(await row(person.uuid)).toMatchObject({ email, email_confirmed_at: null });
      // Nobody has confirmed the first address. Its mailbox may be a stranger's and cannot undo the change.
      expect(await templatesTo(person.email)).toEqual(["confirmEmail", "emailChanged"]);
    });

    it("is changed with the password, however often strangers have tried", async () => {
      const crowded = await createTestApp({
        database,
        store: t.store,
        settings: { limits: { "login.email": { points: 1, seconds: 3_600 } } },
      });
      const person = await owner();
      for (const code of [1001, 1429])
        expect(await crowded.refusal("login", { body: { email: person.email, password: "wrong horse" } })).toMatchObject({ code });
      crowded.world.pass(t.world.now() - crowded.world.now());
      const { token, password } = person;
      expect(await crowded.call("updateEmail", { token, body: { email: address("own"), password } })).toEqual({ pending: true });
      await crowded.app.close();
    });

    it("limits wrong passwords to ten, as everywhere", async () => {
      const { token } = await owner();
      const codes = [];
      for (let n = 0; n < 11; n++)
        codes.push((await t.refusal("updateEmail", { token, body: { email: address("thief"), password: "wrong horse" } })).code);
      expect(codes).toEqual([...Array(10).fill(1001), 1429]);
    });
  });

  it("stays in use until the new one is confirmed, for login, mails and other users", async () => {
    const person = await owner({ firstname: "Ana" });
    const there = await t.logIn(person);
    const email = address("New");
    expect(await change(person, email)).toEqual({ pending: true });
    const next = email.toLowerCase();
    expect(await t.call("email", { token: person.token })).toMatchObject({ email: person.email, pending: next });
    expect((await t.logIn(person)).user.email).toBe(person.email);
    expect(await t.refusal("login", { body: { email: next, password: person.password } })).toMatchObject({ code: 1001 });
    await t.call("loginLink", { body: { email: next } });
    expect(await templatesTo(next)).toEqual(["confirmEmail", "loginUnknown"]);
    await t.call("refresh", { body: { refreshToken: there.refreshToken } });

    expect((await confirmed(next, person)).json()).toEqual({ email: next });
    expect(await row(person.uuid)).toMatchObject({ email: next, email_confirmed_at: t.world.now() });
    expect([await dataOf("emailChanged", person.email), await dataOf("emailIsNew", next)]).toEqual([
      { firstname: "Ana" },
      { firstname: "Ana" },
    ]);
    expect((await t.logIn({ ...person, email: next })).user.email).toBe(next);
    expect(await t.refusal("login", { body: { email: person.email, password: person.password } })).toMatchObject({ code: 1001 });
    expect(await t.call("email", { token: person.token })).toMatchObject({ email: next, pending: null });
    // The other sessions have ended. The one that made the change has not.
    const ended = await t.store.read.selectFrom("sessions").select("end_reason").where("account_uuid", "=", person.uuid).execute();
    expect(new Set(ended.map(({ end_reason }) => end_reason))).toEqual(new Set([null, "email"]));
    expect(await t.refusal("entitlement", { token: there.token })).toMatchObject({ code: 1002 });
    // Using the same link again is no error.
    expect((await confirmed(next, null)).json()).toEqual({ email: next });
    await t.logIn({ ...person, email: next });
    expect(
      (await t.store.read.selectFrom("audit").select("kind").where("account_uuid", "=", person.uuid).execute()).map(({ kind }) => kind),
    ).toEqual(["email change asked", "email changed"]);
  });

  it("is told of the change, can request the confirmation again without a proof, and is refused as its own new address", async () => {
    const person = await owner();
    const email = address("next");
    await change(person, email);
    expect(await templatesTo(person.email)).toEqual(["confirmEmail", "emailChange"]);
    const first = await tokenTo(email, "confirmEmail");
    t.world.pass(1_000);
    expect(await t.call("updateEmail", { token: person.token, body: { email } })).toEqual({ pending: true });
    expect(await templatesTo(person.email)).toEqual(["confirmEmail", "emailChange"]);
    expect(await t.refusal("confirmEmail", { body: { confirmToken: first } })).toMatchObject({ code: 1005 });
    const { email: own, password, token } = person;
    for (const same of [own, own.toUpperCase()])
      expect(await t.refusal("updateEmail", { token, body: { email: same, password } })).toMatchObject({
        code: 1000,
        fields: { email: "validator_unchanged" },
      });
  });

  it("ends a change a day after it was requested, even when its confirmation is requested again", async () => {
    const person = await owner();
    const email = address("late");
    await change(person, email);
    t.world.pass(linkLife.change - 1);
    const { token } = await t.logIn(person);
    await t.call("updateEmail", { token, body: { email } });
    t.world.pass(1);
    expect((await confirmed(email, person)).json()).toMatchObject({ code: 1005 });
    expect(await row(person.uuid)).toMatchObject({ email: person.email });
    expect((await t.call("email", { token })).pending).toBeNull();
    expect(await t.refusal("updateEmail", { token, body: { email } })).toMatchObject({ code: 1000 });
  });

  it("can be the new address for two accounts a day, none of which uses up the mails of another", async () => {
    const email = address("wanted");
    const person = await owner();
    await change(person, email);
    const strangers = await Promise.all(Array.from({ length: 5 }, () => owner()));
    const codes = [];
    for (const [n, { token, password }] of strangers.entries())
      for (let again = 0; again < 5; again++)
        codes.push((await t.send("updateEmail", { token, body: { email, password }, from: `203.0.113.${n}` })).statusCode);
    // The first stranger asks, and has the confirmation sent again three times. Every further request is refused.
    expect([codes.slice(0, 5), new Set(codes.slice(5))]).toEqual([[200, 200, 200, 200, 429], new Set([429])]);
    expect(await templatesTo(email)).toHaveLength(5);
    for (let n = 0; n < 3; n++) expect(await t.call("updateEmail", { token: person.token, body: { email } })).toEqual({ pending: true });
    expect(await templatesTo(email)).toHaveLength(8);
    expect(await t.refusal("updateEmail", { token: person.token, body: { email } })).toMatchObject({
      code: 1429,
      retryAfter: expect.closeTo(86_400, -2),
    });
    // Another address has its own limit on mails.
    await change(await owner(), address("another"));
  });

  it("takes the later of two changes, and one of two simultaneous ones", async () => {
    const person = await owner();
    const [first, second] = [address("first"), address("second")];
    await change(person, first);
    await change(person, second);
    expect((await confirmed(first, person)).json()).toMatchObject({ code: 1005 });
    await confirmed(second, person);
    const outcomes = await t.store.read.selectFrom("email_changes").select("outcome").where("account_uuid", "=", person.uuid).execute();
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(["confirmed", "replaced"]);
    expect(await row(person.uuid)).toMatchObject({ email: second });

    const other = await owner();
    const both = [address("one"), address("two")];
    await Promise.all(both.map((email) => change(other, email)));
    const answers = await Promise.all(both.map((email) => confirmed(email, other)));
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 410]);
  });

  it("stays when another account has taken the new one meanwhile, and the owner is told", async () => {
    const person = await owner();
    const email = address("wanted");
    await change(person, email);
    const confirmToken = await tokenTo(email, "confirmEmail");
    await t.signUp({ email });
    expect((await t.send("confirmEmail", { body: { confirmToken } })).json()).toMatchObject({ code: 1101 });
    expect(await row(person.uuid)).toMatchObject({ email: person.email });
    expect(await t.refusal("updateEmail", { token: person.token, body: { email: address("x"), password: "wrong horse" } })).toMatchObject({
      code: 1001,
    });
    const taken = { email, password: person.password };
    expect(await t.refusal("updateEmail", { token: person.token, body: taken })).toMatchObject({ code: 1101 });
  });

  it("that was never confirmed cannot undo a change that an admin began, once the new one is confirmed", async () => {
    const person = await owner();
    const email = address("next");
    await change(person, email);
    await t.store.write((queries) =>
      queries.updateTable("accounts").set({ email_confirmed_at: null }).where("uuid", "=", person.uuid).execute(),
    );
    const token = await tokenTo(person.email, "emailChange");
    expect((await confirmed(email, person)).json()).toEqual({ email });
    expect((await undo(token)).json()).toMatchObject({ code: 1004 });
    // Using the link to the new address again is no error.
    expect((await confirmed(email, null)).json()).toEqual({ email });
    expect(await row(person.uuid)).toMatchObject({ email });
  });

  it("stays as an older release, which runs at the same time, has changed it meanwhile", async () => {
    const person = await owner();
    const [email, other] = [address("next"), address("other")];
    await change(person, email);
    await t.store.write((queries) => queries.updateTable("accounts").set({ email: other }).where("uuid", "=", person.uuid).execute());
    expect((await confirmed(email, person)).json()).toMatchObject({ code: 1005 });
    expect(await row(person.uuid)).toMatchObject({ email: other });
  });

  it("stays when a new password is chosen before the new address is confirmed", async () => {
    const person = await owner();
    const email = address("thief");
    await change(person, email);
    await t.call("forgotPassword", { body: { email: person.email } });
    const token = await tokenTo(person.email, "resetPassword");
    await t.call("resetPassword", { body: { token, password: "another horse" } });
    await expect(tokenTo(email, "confirmEmail")).resolves.toBe("ended");
    expect((await t.call("email", { token: (await t.logIn({ ...person, password: "another horse" })).token })).pending).toBeNull();
  });

  describe("that an intruder has changed", () => {
    /** An intruder with the password changes the address to their own mailbox, as far as possible. */
    async function robbed(confirms: boolean) {
      const person = await owner({ firstname: "Ana" });
      t.world.pass(1_000);
      const thief = await logInOnDevice(person);
      const email = address("thief");
      await t.call("updateEmail", { token: thief.token, body: { email, password: person.password } });
      if (confirms) await confirmed(email, thief.device);
      return { person, thief, email };
    }

    it.each([false, true])(
      "is put back by the link in its mailbox (the thief's address confirmed: %s), and the thief can no longer open the account",
      async (confirms) => {
        const { person, thief, email } = await robbed(confirms);
        const token = await tokenTo(person.email, "emailChange");
        t.world.pass(linkLife.undo - 1);
        const change = confirms ? null : await tokenTo(email, "confirmEmail");
        const later = confirms ? await t.logIn({ ...person, email }) : await t.logIn(person);
        expect((await undo(token)).json()).toEqual({ email: person.email });
        expect(await row(person.uuid)).toMatchObject({ email: person.email, email_confirmed_at: t.world.now(), password_hash: null });
        for (const login of [person.email, email])
          expect(await t.refusal("login", { body: { email: login, password: person.password } })).toMatchObject({ code: 1001 });
        for (const { refreshToken } of [thief, later])
          expect(await t.refusal("refresh", { body: { refreshToken } })).toMatchObject({ code: 1003 });
        expect(await t.refusal("entitlement", { token: later.token })).toMatchObject({ code: 1002 });
        if (change !== null) expect(await t.refusal("confirmEmail", { body: { confirmToken: change } })).toMatchObject({ code: 1005 });
        expect((await undo(token)).json()).toMatchObject({ code: 1004 });
        const of = (table: "email_changes" | "sessions" | "audit") =>
          t.store.read.selectFrom(table).selectAll().where("account_uuid", "=", person.uuid).execute();
        expect(await of("email_changes")).toMatchObject([{ outcome: "undone", ended_at: t.world.now() }]);
        expect(await of("sessions")).toContainEqual(expect.objectContaining({ end_reason: "undone" }));
        expect(await of("audit")).toContainEqual(expect.objectContaining({ kind: "email change undone" }));
        // The dropped address is told if it was in use.
        const told = confirms ? email : person.email;
        expect((await mailsTo(told)).filter(({ template }) => template === "emailChanged").map(({ data }) => JSON.parse(data))).toEqual(
          confirms ? [{ firstname: "Ana" }] : [],
        );
        // The owner logs in by a link, on a device that is no longer known.
        const { token: own, headers } = await byLink(person);
        expect(await t.call("email", { token: own, headers: t.deviceOf(person) })).toMatchObject({
          email: person.email,
          pending: null,
          needsPassword: true,
        });
        // The account has no password, so that device is enough.
        expect(await t.call("updateEmail", { token: own, headers, body: { email: address("anew") } })).toEqual({ pending: true });
      },
    );

    it("is restored for seven days, by no other token, and not by only looking at the link", async () => {
      const { person } = await robbed(true);
      const token = await tokenTo(person.email, "emailChange");
      const looked = await t.app.inject({ url: `/es-latam/link/undo-email/?token=${token}` });
      expect([looked.statusCode, (await row(person.uuid)).email === person.email]).toEqual([200, false]);
      expect((await t.app.inject({ url: `/api/undo-email?token=${token}` })).statusCode).toBe(405);
      expect((await undo("made up")).json()).toMatchObject({ code: 1004 });
      for (const endpoint of ["confirmEmail", "token"] as const) {
        const body = endpoint === "token" ? { token } : { confirmToken: token };
        expect((await t.send(endpoint, { body })).statusCode).toBe(410);
      }
      t.world.pass(linkLife.undo);
      expect((await undo(token)).json()).toMatchObject({ code: 1004 });
    });

    it("and changed again is restored to the confirmed one, and none of the intruder's links changes that", async () => {
      const { person, thief: first, email } = await robbed(true);
      t.world.pass(1_000);
      const thief = await t.logIn({ ...person, email });
      const further = address("further");
      await t.call("updateEmail", { token: thief.token, body: { email: further, password: person.password } });
      await confirmed(further, first.device);
      const theirs = await tokenTo(email, "emailChange");
      // A new password set by the intruder does not end the owner's link.
      await t.call("forgotPassword", { body: { email: further } });
      await t.call("resetPassword", { body: { token: await tokenTo(further, "resetPassword"), password: "their own horse" } });
      expect((await undo(await tokenTo(person.email, "emailChange"))).json()).toEqual({ email: person.email });
      expect((await undo(theirs)).json()).toMatchObject({ code: 1004 });
      expect(await row(person.uuid)).toMatchObject({ email: person.email, password_hash: null });
      expect(await t.refusal("login", { body: { email: further, password: "their own horse" } })).toMatchObject({ code: 1001 });
    });

    it("is restored to the owner's last one, when the owner had changed it before", async () => {
      const person = await owner();
      const moved = address("moved");
      await change(person, moved);
      await confirmed(moved, person);
      t.world.pass(1_000);
      const thief = await logInOnDevice({ ...person, email: moved });
      const email = address("thief");
      await t.call("updateEmail", { token: thief.token, body: { email, password: person.password } });
      await confirmed(email, thief.device);
      expect((await undo(await tokenTo(moved, "emailChange"))).json()).toEqual({ email: moved });
      expect(await row(person.uuid)).toMatchObject({ email: moved });
      // The owner's mailbox before that one may still restore its address, because it was the account's.
      expect((await undo(await tokenTo(person.email, "emailChange"))).json()).toEqual({ email: person.email });
    });

    it("and that the owner has changed back is not changed again by the link sent to the intruder", async () => {
      const { person, email } = await robbed(true);
      t.world.pass(1_000);
      const own = await t.logIn({ ...person, email });
      await t.call("updateEmail", { token: own.token, body: { email: person.email, password: person.password } });
      const theirs = await tokenTo(email, "emailChange");
      await confirmed(person.email, person);
      expect(await row(person.uuid)).toMatchObject({ email: person.email });
      expect((await undo(theirs)).json()).toMatchObject({ code: 1004 });
      expect((await undo(await tokenTo(person.email, "emailChange"))).statusCode).toBe(200);
    });

    it("cannot be kept from its owner by signing up with it meanwhile, nor by another account", async () => {
      const { person, email } = await robbed(true);
      const other = await owner();
      const anew = { ...person, uuid: t.world.uuid(), uiLanguage: "es-419", questionnaire: "76", version: "v5.7.8" };
      expect(await t.refusal("signup", { body: anew })).toMatchObject({ code: 1101 });
      expect(await t.refusal("checkEmail", { body: { email: person.email } })).toMatchObject({ code: 1101 });
      const into = { email: person.email, password: other.password };
      expect(await t.refusal("updateEmail", { token: other.token, body: into })).toMatchObject({ code: 1101 });
      expect((await undo(await tokenTo(person.email, "emailChange"))).statusCode).toBe(200);
      // The dropped address is free at once, and is told.
      expect(await templatesTo(email)).toContain("emailChanged");
      await t.signUp({ email });
    });

    it("is free again when it can no longer be restored, and free for its own account at any time", async () => {
      const { person, email } = await robbed(true);
      t.world.pass(1_000);
      const again = await t.logIn({ ...person, email });
      await t.call("updateEmail", { token: again.token, body: { email: person.email, password: person.password } });
      await confirmed(person.email, person);
      expect(await row(person.uuid)).toMatchObject({ email: person.email });
      const { person: second } = await robbed(true);
      t.world.pass(linkLife.undo);
      await t.signUp({ email: second.email });
      expect((await undo(await tokenTo(second.email, "emailChange"))).json()).toMatchObject({ code: 1004 });
    });

    it("is restored once, whether a confirmation arrives at the same moment or the link is used many times", async () => {
      const { person, email } = await robbed(false);
      const token = await tokenTo(person.email, "emailChange");
      const answers = await Promise.all([confirmed(email, person), ...Array.from({ length: 10 }, () => undo(token))]);
      expect(answers.slice(1).filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
      expect(await row(person.uuid)).toMatchObject({ email: person.email, password_hash: null });
    });
  });

  describe("and a new one that belongs to another person", () => {
    /** An intruder's account that is to get the address of a mailbox that the intruder cannot read. */
    async function baited() {
      const intruder = await owner({ firstname: "Ana" });
      const email = address("victim");
      await change(intruder, email);
      return { intruder, email };
    }

    it("belongs to that person alone once they confirm it: the intruder's password, sessions and device give no access", async () => {
      const { intruder, email } = await baited();
      const other = await logInOnDevice(intruder);
      // Another account's device counts as unknown.
      const victim = await owner();
      expect((await confirmed(email, victim)).json()).toEqual({ email, passwordEnded: true });
      expect(await row(intruder.uuid)).toMatchObject({ email, email_confirmed_at: t.world.now(), password_hash: null });
      expect([await dataOf("emailChanged", intruder.email), await dataOf("emailIsNew", email)]).toEqual([
        { firstname: "Ana" },
        { firstname: null },
      ]);
      for (const login of [email, intruder.email])
        expect(await t.refusal("login", { body: { email: login, password: intruder.password } })).toMatchObject({ code: 1001 });
      // This includes the session that requested the change.
      for (const { token, refreshToken } of [intruder.session, other]) {
        expect(await t.refusal("entitlement", { token })).toMatchObject({ code: 1002 });
        expect(await t.refusal("refresh", { body: { refreshToken } })).toMatchObject({ code: 1003 });
      }
      const { token } = await byLink({ ...intruder, email });
      for (const headers of [t.deviceOf(intruder), other.device])
        expect(await t.refusal("subscriptionCard", { token, headers, body: {} })).toMatchObject({ code: 1000 });
      const kinds = await t.store.read.selectFrom("audit").select("kind").where("account_uuid", "=", intruder.uuid).execute();
      expect(kinds.map(({ kind }) => kind).toSorted()).toEqual(["address proven by another device", "email change asked", "email changed"]);
      const sessions = await t.store.read.selectFrom("sessions").select("end_reason").where("account_uuid", "=", intruder.uuid).execute();
      expect(sessions.map(({ end_reason }) => end_reason).toSorted()).toEqual(["email", "email", null]);
    });

    it("does not end later sessions when the link is used again", async () => {
      const { intruder, email } = await baited();
      await confirmed(email, null);
      const { refreshToken } = await byLink({ ...intruder, email });
      expect((await confirmed(email, null)).json()).toEqual({ email });
      await t.call("refresh", { body: { refreshToken } });
    });

    it.each(["known", "unknown"])(
      "can be undone from the earlier address for seven days, when confirmed on a device that is %s",
      async (device) => {
        const { intruder: person, email } = await baited();
        await confirmed(email, device === "known" ? person : null);
        t.world.pass(linkLife.undo - 1);
        expect((await undo(await tokenTo(person.email, "emailChange"))).json()).toEqual({ email: person.email });
        expect(await row(person.uuid)).toMatchObject({ email: person.email });
      },
    );
  });

  describe("that is being changed", () => {
    it("is exported with the pending address and the earlier ones", async () => {
      const person = await owner();
      const [second, third] = [address("second"), address("third")];
      await change(person, second);
      await confirmed(second, person);
      t.world.pass(1_000);
      await change(person, third);
      const { emailChanges } = await t.call("accountExport", { token: person.token });
      expect(emailChanges).toMatchObject([
        { from: person.email, to: second, outcome: "confirmed" },
        { from: second, to: third, outcome: null, endedAt: null },
      ]);
    });

    it("is exported with the account's own mails only, whoever had the address before or has it now", async () => {
      const before = await owner();
      const moved = address("moved");
      await change(before, moved);
      await confirmed(moved, before);
      t.world.pass(linkLife.undo);
      const after = await t.signUp({ email: before.email });
      await t.call("loginLink", { body: { email: before.email } });
      const mailsOf = async (person: Person) => {
        const { mails } = await t.call("accountExport", { token: (await t.logIn(person)).token });
        return Array.isArray(mails) ? mails.map(({ template }) => template).toSorted() : mails;
      };
      expect(await mailsOf(after)).toEqual(["confirmEmail", "loginLink"]);
      expect(await mailsOf({ ...before, email: moved })).toEqual([
        "confirmEmail",
        "confirmEmail",
        "emailChange",
        "emailChanged",
        "emailIsNew",
      ]);
      // Erasing the account that had the address before leaves the other account's data.
      const { token } = await t.logIn({ ...before, email: moved });
      await t.call("accountErase", { token, body: { password: before.password } });
      expect(await templatesTo(before.email)).toEqual(["confirmEmail", "loginLink"]);
    });

    it.each(["this", "an older"])(
      "is deleted everywhere with its account, and nobody else's mails are, as %s release wrote them",
      async (release) => {
        const person = await owner({ firstname: "Xochitl" });
        const [second, third] = [address("second"), address("third")];
        await change(person, second);
        await confirmed(second, person);
        await change(person, third);
        await t.call("loginLink", { body: { email: third } });
        if (release === "an older")
          await t.store.write((queries) =>
            queries.updateTable("mail_outbox").set({ account_uuid: null }).where("account_uuid", "=", person.uuid).execute(),
          );
        await t.call("accountErase", { token: person.token, body: { password: person.password } });
        expect(await t.store.read.selectFrom("email_changes").select("id").where("account_uuid", "=", person.uuid).execute()).toEqual([]);
        expect([await mailsTo(person.email), await mailsTo(second)]).toEqual([[], []]);
        // Anybody may have requested a link for it.
        expect(await templatesTo(third)).toEqual(["loginUnknown"]);
        // All of the addresses are free.
        for (const email of [person.email, second, third]) await t.signUp({ email });
      },
    );
  });
});
