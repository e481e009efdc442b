/** Login by link and code, forgotten passwords, export and erasure. Mailed links work once, and no answer reveals whether an account exists. */
import { codeBudgets } from "#server/mail/codeTries.ts";
import { createLinks, codeTries } from "#server/mail/links.ts";
import { linkLife } from "#server/base/linkLife.ts";
import { createRetention } from "#server/accounts/retention.ts";
import { retentionPeriods } from "#server/base/retentionPeriods.ts";
import { linkFreshness, refreshTokenLife } from "#server/accounts/sessions.ts";
import { cookieOf, createTestApp, sampledDatabases, type Person, type TestApp, testSettings } from "#test/app.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const many = { points: 100_000, seconds: 60 };
const generous = Object.fromEntries(
  ["signup", "login", "login-link", "forgot-password", "token", "reset-password", "refresh"].map((name) => [`${name}.network`, many]),
);

describe.each(sampledDatabases)("links on %s", (database) => {
  let t: TestApp;
  beforeAll(async () => {
    t = await createTestApp({ database, settings: { limits: generous } });
  });
  afterAll(() => t.close());

  /** An address that no other test uses. */
  const address = (name: string) => `${name}.${t.world.uuid()}@example.com`;
  const links = () => createLinks(testSettings().secretKeys, t.world);
  const row = (uuid: string) => t.store.read.selectFrom("accounts").selectAll().where("uuid", "=", uuid).executeTakeFirstOrThrow();
  const mailsTo = (email: string) =>
    t.store.read.selectFrom("mail_outbox").selectAll().where("recipient", "=", email).orderBy("created_at", "desc").execute();
  const auditOf = async (uuid: string) =>
    (await t.store.read.selectFrom("audit").select("kind").where("account_uuid", "=", uuid).execute()).map(({ kind }) => kind);

  /** The token and code in the newest mail of a kind, as its recipient reads them. */
  async function mailed(template: string, email: string) {
    const mail = (await mailsTo(email)).find((one) => one.template === template);
    if (!mail) throw new Error(`No ${template} for ${email}`);
    const { linkId } = JSON.parse(mail.data);
    return {
      token: (await links().tokenOf(t.store.read, linkId)) ?? "",
      code: (await links().codeOf(t.store.read, linkId)) ?? "",
      data: mail.data,
    };
  }
  async function linkFor(person: Person) {
    await t.store.write((queries) => queries.deleteFrom("mail_outbox").where("recipient", "=", person.email).execute());
    const id = await t.store.write((queries) => links().create(queries, "login", { accountUuid: person.uuid, email: person.email }));
    return { token: (await links().tokenOf(t.store.read, id)) ?? "", code: (await links().codeOf(t.store.read, id)) ?? "" };
  }
  async function resetFor(person: Person) {
    const id = await t.store.write((queries) => links().create(queries, "reset", { accountUuid: person.uuid, email: person.email }));
    return (await links().tokenOf(t.store.read, id)) ?? "";
  }
  async function confirm(person: Person) {
    const { token } = await mailed("confirmEmail", person.email);
    await t.call("confirmEmail", { body: { confirmToken: token }, headers: t.deviceOf(person) });
  }

  it("mailed before a change of the key work while the old one is still set; without it those that give access end", async () => {
    const [old = ""] = testSettings().secretKeys;
    const fresh = "another-key-for-tests-that-is-long-enough";
    const withKeys = (...secretKeys: readonly [string, ...string[]]) =>
      createTestApp({ database, store: t.store, settings: { secretKeys } });
    const [rotating, changed] = [await withKeys(fresh, old), await withKeys(fresh)];
    for (const { app, isOpen } of [
      { app: changed, isOpen: false },
      { app: rotating, isOpen: true },
    ]) {
      const person = await t.signUp();
      const { token: confirmToken } = await mailed("confirmEmail", person.email);
      const [login, reset] = [(await linkFor(person)).token, await resetFor(person)];
      const answers = [
        await app.send("resetLink", { body: { token: reset } }),
        await app.send("confirmEmail", { body: { confirmToken } }),
        await app.send("token", { body: { token: login } }),
      ];
      expect(answers.map((answer) => answer.statusCode === 200)).toEqual([isOpen, isOpen, isOpen]);
      // It works for seven days, and lets nobody in.
      const owner = { accountUuid: person.uuid, email: person.email };
      const undo = await t.store.write((queries) => links().create(queries, "undo", owner));
      const token = (await links().tokenOf(t.store.read, undo)) ?? "";
      expect((await app.send("undoEmail", { body: { token } })).statusCode).toBe(200);
    }
    await Promise.all([rotating.app.close(), changed.app.close()]);
  });

  describe("login-link", () => {
    it("answers a known and an unknown address the same; only the mail differs", async () => {
      const person = await t.signUp();
      const nobody = address("nobody");
      const known = await t.send("loginLink", { body: { email: person.email, target: "58", discount: "VUELVE" } });
      const unknown = await t.send("loginLink", {
        body: { email: nobody },
        headers: { "accept-language": "de-CH,de;q=0.9" },
      });
      expect([known.statusCode, known.body]).toEqual([202, "{}"]);
      expect([unknown.statusCode, unknown.body]).toEqual([known.statusCode, known.body]);
      const { token, code, data } = await mailed("loginLink", person.email);
      expect(JSON.parse(data)).toMatchObject({ target: "58", discount: "VUELVE" });
      expect(token).toMatch(/^[\w-]{43}$/);
      expect(code).toMatch(/^\d{6}$/);
      expect(data).not.toContain(token);
      expect(data).not.toContain(code);
      expect(await mailsTo(nobody)).toMatchObject([{ template: "loginUnknown", locale: "de-DE", data: "{}" }]);
    });

    it("sends strangers no more mails for a mailbox than for a single address, however its address is spelled", async () => {
      const name = `flood${t.world.uuid().replaceAll("-", "")}`;
      const dotted = `flood.${name.slice("flood".length)}`;
      for (let n = 0; n < 15; n++) {
        const from = `10.77.${n}.1`;
        await t.send("loginLink", { body: { email: `${name}+${n}@gmail.com` }, from });
        await t.send("forgotPassword", { body: { email: `${dotted}+${n}@googlemail.com` }, from });
      }
      // Sign-ups still succeed, only without more mails.
      for (let n = 0; n < 5; n++) await t.signUp({ email: `${name}+sign${n}@gmail.com` });
      const mails = await t.store.read.selectFrom("mail_outbox").select("recipient").where("recipient", "like", "flood%").execute();
      expect(mails).toHaveLength(5 + 3);
    });

    it.runIf(sampledDatabases.includes(database))(
      "cannot flood a stranger's mailbox after sign-ups with its address, not even together with all other kinds of mail",
      async () => {
        const name = `victim${t.world.uuid().replaceAll("-", "")}`;
        const statuses: number[] = [];
        for (let n = 0; n < 12; n++) {
          const person = await t.signUp({ email: `${name}+${n}@gmail.com` });
          const { token } = await t.logIn(person);
          const headers = t.deviceOf(person);
          const { email } = person;
          const from = `10.78.${n}.1`;
          await t.call("loginLink", { body: { email }, headers, from });
          await t.call("forgotPassword", { body: { email }, headers, from });
          for (let again = 0; again < 3; again++) {
            const planned = await t.send("planMail", { token, body: { language: "es-419", questionnaire: "76", question: "80" } });
            statuses.push(planned.statusCode, (await t.send("updateEmail", { token, headers, body: { email } })).statusCode);
          }
          await t.send("updateEmail", { token, headers, body: { email: address("moved") } });
        }
        const mails = await t.store.read.selectFrom("mail_outbox").select("template").where("recipient", "like", `${name}%`).execute();
        const asked = mails.filter(({ template }) => template !== "confirmEmail");
        // Three confirmations of sign-ups, five requested mails, and one more link, because no earlier link works any more.
        expect(mails.length).toBeLessThanOrEqual(3 + 5 + 1);
        expect(asked.length).toBeGreaterThanOrEqual(2);
        expect(new Set(statuses)).toEqual(new Set([200, 202, 429]));
      },
    );

    it("leaves a visitor who signed up with their own address a plan by mail, a resent confirmation and a login link the same day", async () => {
      const person = await t.signUp();
      const { token } = await t.logIn(person);
      await t.call("planMail", { token, body: { language: "es-419", questionnaire: "76", question: "80" } });
      await t.call("updateEmail", { token, body: { email: person.email } });
      await t.call("loginLink", { body: { email: person.email } });
      await t.call("forgotPassword", { body: { email: person.email } });
      const templates = (await mailsTo(person.email)).map(({ template }) => template).toSorted();
      expect(templates).toEqual(["confirmEmail", "confirmEmail", "loginLink", "planKept", "resetPassword"]);
    });

    it("sends at most one mail a minute and five an hour to an address, and reveals nothing", async () => {
      const email = address("again");
      for (let n = 0; n < 3; n++) await t.call("loginLink", { body: { email } });
      expect(await mailsTo(email)).toMatchObject([{ locale: "es-419" }]);
    });

    it("refuses invalid addresses, questions and codes (1000)", async () => {
      expect(await t.refusal("loginLink", { body: { email: "x" } })).toMatchObject({
        code: 1000,
        fields: { email: "validator_invalid_email" },
      });
      for (const target of ["123", "a", "-1", "../", "2/"])
        expect(await t.refusal("loginLink", { body: { email: "a@example.com", target } })).toMatchObject({
          code: 1000,
          fields: { target: "validator_format" },
        });
      expect(await t.refusal("loginLink", { body: { email: "a@example.com", discount: "a\nb" } })).toMatchObject({ code: 1000 });
    });
  });

  describe("token", () => {
    it("is exchanged for a session once, whichever of link and code comes first", async () => {
      const person = await t.signUp({ firstname: "Ana" });
      await confirm(person);
      const first = await linkFor(person);
      const session = await t.call("token", { body: { token: first.token } });
      expect(session.user).toEqual({ uuid: person.uuid, email: person.email, firstname: "Ana" });
      expect((await t.send("questionnaireGet", { token: session.token, query: { uuid: person.uuid } })).statusCode).toBe(200);
      expect(await t.refusal("token", { body: { token: first.token } })).toMatchObject({ code: 1004 });
      expect(await t.refusal("token", { body: { email: person.email, code: first.code } })).toMatchObject({ code: 1004 });
      const second = await linkFor(person);
      await t.call("token", { body: { email: person.email.toUpperCase(), code: second.code } });
      expect(await t.refusal("token", { body: { token: second.token } })).toMatchObject({ code: 1004 });
    });

    it("of another account than the browser remembers is refused with its address, and ends neither the link nor the password", async () => {
      const person = await t.signUp();
      const { token } = await linkFor(person);
      const before = await row(person.uuid);
      const other = { token, knownAddress: address("bea") };
      expect(await t.refusal("token", { body: other })).toMatchObject({ code: 1403, fields: { email: person.email } });
      expect(await row(person.uuid)).toEqual(before);
      const session = await t.call("token", { body: { token, knownAddress: person.email.toUpperCase() } });
      expect(session.user.email).toBe(person.email);
      expect(await t.refusal("token", { body: other })).toMatchObject({ code: 1004 });
    });

    it("has one winner among fifty simultaneous tries", async () => {
      const person = await t.signUp();
      const { token } = await linkFor(person);
      const answers = await Promise.all(Array.from({ length: 50 }, () => t.send("token", { body: { token } })));
      expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1);
      expect(answers.filter((answer) => answer.statusCode === 410)).toHaveLength(49);
      expect(await t.store.read.selectFrom("sessions").select("id").where("account_uuid", "=", person.uuid).execute()).toHaveLength(1);
    });

    it("lives ten minutes; resending ends the earlier link's code, but not the link", async () => {
      const person = await t.signUp();
      const [first, second] = [await linkFor(person), await linkFor(person)];
      const body = { email: person.email, code: first.code };
      if (first.code !== second.code) expect(await t.refusal("token", { body })).toMatchObject({ code: 1004 });
      await t.call("token", { body: { token: first.token } });
      await t.call("token", { body: { email: person.email, code: second.code } });
      const [third, fourth] = [await linkFor(person), await linkFor(person)];
      t.world.pass(linkLife.login);
      for (const { token } of [third, fourth]) expect(await t.refusal("token", { body: { token } })).toMatchObject({ code: 1004 });
      expect(await t.refusal("token", { body: { email: person.email, code: fourth.code } })).toMatchObject({ code: 1004 });
    });

    it("has a code that five wrong tries end, however many arrive at once; the link still works", async () => {
      const person = await t.signUp();
      const { code, token } = await linkFor(person);
      const wrong = Array.from({ length: codeTries }, (_, n) => String((Number(code) + n + 1) % 1_000_000).padStart(6, "0"));
      const answers = await Promise.all(wrong.map((one) => t.send("token", { body: { email: person.email, code: one } })));
      expect(answers.map((answer) => answer.statusCode)).toEqual(wrong.map(() => 410));
      expect(await t.refusal("token", { body: { email: person.email, code } })).toMatchObject({ code: 1004 });
      await t.call("token", { body: { token } });
    });

    it("accepts the right code at the fifth try", async () => {
      const person = await t.signUp();
      const { code } = await linkFor(person);
      const wrong = code === "000000" ? "000001" : "000000";
      for (let n = 1; n < codeTries; n++)
        expect(await t.refusal("token", { body: { email: person.email, code: wrong } })).toMatchObject({ code: 1004 });
      await t.call("token", { body: { email: person.email, code } });
    });

    it("answers the same for an unknown address's code and a wrong code", async () => {
      expect(await t.refusal("token", { body: { email: address("nobody.at.all"), code: "123456" } })).toMatchObject({
        code: 1004,
        fields: {},
      });
    });

    it("cannot be replaced by a token for another purpose, nor replace one", async () => {
      const person = await t.signUp();
      const confirmToken = (await mailed("confirmEmail", person.email)).token;
      const resetToken = await resetFor(person);
      const { token } = await linkFor(person);
      const { refreshToken, token: access } = await t.logIn(person);
      for (const other of [confirmToken, resetToken, refreshToken, access, token.slice(0, -1), `${token}A`, token.toLowerCase()])
        expect(await t.refusal("token", { body: { token: other } }), other).toMatchObject({ code: 1004 });
      for (const other of [token, resetToken, refreshToken])
        expect(await t.refusal("confirmEmail", { body: { confirmToken: other } })).toMatchObject({ code: 1005 });
      for (const other of [token, confirmToken, refreshToken])
        expect(await t.refusal("resetPassword", { body: { token: other, password: "a new password" } })).toMatchObject({ code: 1004 });
      for (const other of [token, confirmToken, resetToken]) {
        expect(await t.refusal("refresh", { body: { refreshToken: other } })).toMatchObject({ code: 1003 });
        expect(await t.refusal("entitlement", { token: other })).toMatchObject({ code: 1002 });
      }
      await t.call("token", { body: { token } });
    });

    it("is invalid once the address has changed", async () => {
      const person = await t.signUp();
      const { token } = await linkFor(person);
      const session = await t.logIn(person);
      await t.call("updateEmail", { token: session.token, body: { email: `moved.${person.email}` }, headers: t.deviceOf(person) });
      expect(await t.refusal("token", { body: { token } })).toMatchObject({ code: 1004 });
      expect(await auditOf(person.uuid)).toEqual(["email changed"]);
    });
  });

  describe("a stranger", () => {
    const stranger = (n: number) => ({ from: `198.51.100.${n}`, headers: { "x-device-id": t.world.uuid() } });

    it("ends none of the owner's links by requesting links again and again, and the owner is still sent the next one", async () => {
      const person = await t.signUp();
      await confirm(person);
      const owner = { from: "203.0.113.9", headers: { "x-device-id": t.world.uuid() } };
      await t.call("loginLink", { body: { email: person.email }, ...owner });
      const first = await mailed("loginLink", person.email);
      for (let n = 0; n < 30; n++) {
        t.world.pass(1_000);
        await t.call("loginLink", { body: { email: person.email }, ...stranger(n) });
      }
      // Strangers together get ten an hour, including the owner's first. After that, no mail is sent while one is new.
      const links = async () => (await mailsTo(person.email)).filter(({ template }) => template === "loginLink").length;
      expect(await links()).toBe(10);
      await t.call("token", { body: { email: person.email, code: first.code }, ...owner });
      t.world.pass(linkLife.login / 2);
      await t.call("loginLink", { body: { email: person.email }, ...owner, from: "203.0.113.10" });
      expect(await links()).toBe(11);
      await t.call("token", { body: { token: (await mailed("loginLink", person.email)).token } });
    });

    it.each(["loginLink", "forgotPassword"] as const)(
      "is told after five mails of %s in an hour that perhaps no further mail was sent, whether or not the address has an account",
      async (endpoint) => {
        // This test lifts the limit of one mail a minute.
        const minutes = { "login-link.minute": many, "forgot-password.minute": many };
        const own = await createTestApp({ database, settings: { limits: { ...generous, ...minutes } } });
        const [confirmed, unconfirmed] = [await own.signUp(), await own.signUp()];
        await own.store.write((queries) =>
          queries.updateTable("accounts").set({ email_confirmed_at: own.world.now() }).where("uuid", "=", confirmed.uuid).execute(),
        );
        const said = [confirmed.email, unconfirmed.email, address("nobody")].map(async (email, n) => {
          const answers: unknown[] = [];
          for (let mail = 0; mail < 6; mail++) answers.push(await own.call(endpoint, { body: { email }, ...stranger(n) }));
          return answers;
        });
        const each = [{}, {}, {}, {}, {}, { many: true }];
        expect(await Promise.all(said)).toEqual([each, each, each]);
        await own.close();
      },
    );

    it("on the owner's own network uses up neither a known device's links nor its resets", async () => {
      const person = await t.signUp();
      await confirm(person);
      const owner = t.deviceOf(person);
      for (const endpoint of ["loginLink", "forgotPassword"] as const) {
        for (let n = 0; n < 30; n++) await t.send(endpoint, { body: { email: person.email } });
        const before = (await mailsTo(person.email)).length;
        await t.call(endpoint, { body: { email: person.email }, headers: owner });
        expect(await mailsTo(person.email), endpoint).toHaveLength(before + 1);
      }
    });

    it.runIf(sampledDatabases.includes(database))(
      "with wrong passwords alone has to wait: other networks can log in at once, and a known device always can",
      async () => {
        const person = await t.signUp();
        const wrong = (from: string) => t.send("login", { body: { email: person.email, password: "wrong horse" }, from });
        for (let n = 0; n < 11; n++) await wrong("198.51.100.1");
        const right = { body: { email: person.email, password: person.password } };
        expect(await t.refusal("login", { ...right, from: "198.51.100.1" })).toMatchObject({ code: 1429 });
        const elsewhere = await t.send("login", { ...right, from: "203.0.113.9" });
        expect(elsewhere.statusCode).toBe(200);
        for (let network = 2; network < 16; network++) for (let n = 0; n < 10; n++) await wrong(`198.51.100.${network}`);
        expect(await t.refusal("login", { ...right, from: "203.0.113.77" })).toMatchObject({ code: 1429 });
        const known = { cookie: cookieOf(elsewhere) };
        for (const from of ["203.0.113.77", "198.51.100.1"]) await t.call("login", { ...right, from, headers: known });
      },
    );

    it("is not recognized by another account's proof, a changed one, or a device's name", async () => {
      const [person, other] = [await t.signUp(), await t.signUp()];
      for (let n = 0; n < 11; n++) await t.send("login", { body: { email: person.email, password: "wrong horse" } });
      const { cookie } = t.deviceOf(person);
      const made = [
        t.deviceOf(other).cookie,
        `${cookie.slice(0, -1)}${cookie.endsWith("A") ? "B" : "A"}`,
        cookie.replace("=", "=AAAAAAAAAAAAAAAAAAAAAA."),
        `parlando-device=${person.uuid}`,
        "",
      ];
      const body = { email: person.email, password: person.password };
      for (const one of made)
        expect(await t.refusal("login", { body, headers: { cookie: one, "x-device-id": person.uuid } }), one).toMatchObject({ code: 1429 });
      await t.call("login", { body, headers: { cookie: `other=1; ${cookie}; parlando-locale=es-419` } });
    });

    it("can guess five codes a day and fifty a month, over all processes; then only the link works, and codes only on a known device", async () => {
      const person = await t.signUp();
      await confirm(person);
      const elsewhere = await createTestApp({ database, store: t.store, settings: { limits: generous } });
      elsewhere.world.pass(t.world.now() - elsewhere.world.now());
      const triesIn = async (days: number) =>
        (
          await t.store.read
            .selectFrom("login_code_tries")
            .select("tries")
            .where("account_uuid", "=", person.uuid)
            .where("by_known_device", "=", 0)
            .where("days", "=", days)
            .execute()
        ).map(({ tries }) => tries);
      const guess = async (code: string, times: number) => {
        const wrong = Array.from({ length: times }, (_, more) => String((Number(code) + more + 1) % 1_000_000).padStart(6, "0"));
        const answers = await Promise.all(
          wrong.map((one, n) => (n % 2 ? t : elsewhere).send("token", { body: { email: person.email, code: one } })),
        );
        expect(answers.map(({ statusCode }) => statusCode)).toEqual(wrong.map(() => 410));
      };
      await guess((await linkFor(person)).code, 4);
      const { code } = await linkFor(person);
      await guess(code, 3);
      expect(await triesIn(1)).toEqual([5]);
      const ends = t.store.read.selectFrom("login_code_tries").select(["days", "expires_at"]).where("account_uuid", "=", person.uuid);
      for (const { days, expires_at } of await ends.execute()) {
        const period = days * 24 * 60 * 60 * 1_000;
        expect([days, expires_at]).toEqual([days, Math.ceil((t.world.now() + 1) / period) * period]);
      }
      const body = { email: person.email, code };
      expect(await t.refusal("token", { body })).toMatchObject({ code: 1004 });
      // From now on, mails contain no code, because it would not be accepted.
      expect((await linkFor(person)).code).toBe("");
      await t.call("token", { body: { token: (await linkFor(person)).token } });

      for (let days = 0; days < 40; days++) {
        for (const one of [t, elsewhere]) one.world.pass(24 * 60 * 60 * 1_000);
        await guess((await linkFor(person)).code || "000000", 4);
        await guess((await linkFor(person)).code || "000000", 2);
      }
      expect(Math.max(...(await triesIn(1)))).toBe(5);
      const months = await triesIn(30);
      expect(Math.max(...months)).toBe(50);
      const perMonth = Math.max(...codeBudgets.map(({ days, tries }) => (days === 30 ? tries : 0)));
      expect(((Math.ceil(365 / 30) + 1) * perMonth) / 1_000_000).toBeLessThan(1 / 1_000);
    });

    it("does not use up the owner's codes by entering right ones", async () => {
      const person = await t.signUp();
      for (let n = 0; n <= codeTries; n++) await t.call("token", { body: { email: person.email, code: (await linkFor(person)).code } });
    });

    it.each([
      ["ten times a week on the devices that made them", true, 10],
      ["eight times elsewhere", false, 8],
    ] as const)("guesses an unconfirmed address's codes, with account after account, only %s", async (_, isKnown, times) => {
      const email = address("victim");
      const tried: number[] = [];
      for (let n = 0; n < 3; n++) {
        const person = await t.signUp({ email });
        const headers = isKnown ? t.deviceOf(person) : {};
        const { code, token } = await linkFor(person);
        const guess = async (more: number) => {
          const one = String((Number(code) + more) % 1_000_000).padStart(6, "0");
          return (await t.send("token", { headers, body: { email, code: one } })).statusCode;
        };
        if (n === 2) {
          expect([await guess(0), (await t.send("token", { headers, body: { token } })).statusCode]).toEqual([410, 200]);
          break;
        }
        for (let more = 1; more <= times / 2; more++) tried.push(await guess(more));
        await t.call("accountErase", { token: (await t.logIn(person)).token, body: { password: person.password } });
        await t.erased();
      }
      expect(tried).toEqual(Array(times).fill(410));
    });

    it("does not use up the codes mailed to a known device", async () => {
      const person = await t.signUp();
      await confirm(person);
      const { code } = await linkFor(person);
      const wrong = code === "000000" ? "000001" : "000000";
      for (let n = 0; n < 4; n++) await t.send("token", { body: { email: person.email, code: wrong } });
      const next = await linkFor(person);
      await t.send("token", { body: { email: person.email, code: next.code === "000000" ? "000001" : "000000" } });
      const body = { email: person.email, code: next.code };
      expect(await t.refusal("token", { body })).toMatchObject({ code: 1004 });
      await t.call("token", { body, headers: t.deviceOf(person) });
    });

    it("with a session's access token can guess the password for erasing no more often than others", async () => {
      const person = await t.signUp();
      const { token } = await t.logIn(person);
      const codes = [];
      for (let n = 0; n < 11; n++) codes.push((await t.refusal("accountErase", { token, body: { password: "wrong horse" } })).code);
      expect(codes).toEqual([...Array(10).fill(1001), 1429]);
      await t.logIn(person);
    });
  });

  describe("a second device before the address is confirmed", () => {
    const state = {
      id: "76",
      signupDone: true,
      finished: false,
      visitedQuestionIds: [2],
      selectedOptions: [{ questionId: 2, optionId: 1 }],
      currentQuestionId: 3,
      user: {},
      days: [],
      skillsToImprove: [],
      moreInfoOf: [],
      programChangeWish: [],
    };
    const savedFor = async ({ uuid }: Person, token: string) => (await t.call("questionnaireGet", { token, query: { uuid } })).state;
    async function leftAtFirst() {
      const person = await t.signUp();
      const first = await t.logIn(person);
      await t.call("questionnairePost", { token: first.token, body: { state } });
      return { person, first };
    }

    it("logs in with the password, finds the answers, and can confirm the address there; the first device stays logged in", async () => {
      const { person, first } = await leftAtFirst();
      const { email, password } = person;
      const entered = await t.send("login", { body: { email, password } });
      expect(entered.statusCode).toBe(200);
      const { token } = entered.json();
      expect(await savedFor(person, token)).toMatchObject({ selectedOptions: state.selectedOptions });
      const { token: confirmToken } = await mailed("confirmEmail", email);
      await t.call("confirmEmail", { body: { confirmToken }, headers: { cookie: cookieOf(entered) } });
      expect(await t.call("email", { token })).toMatchObject({ confirmed: true });
      await t.call("refresh", { body: { refreshToken: first.refreshToken } });
      await t.logIn(person);
    });

    it("logs in by a link without a password, which confirms the address, and finds the answers", async () => {
      const { person } = await leftAtFirst();
      const { token } = await t.call("token", { body: { token: (await linkFor(person)).token } });
      expect(await t.call("email", { token })).toMatchObject({ confirmed: true });
      expect(await savedFor(person, token)).toMatchObject({ selectedOptions: state.selectedOptions });
    });
  });

  describe("the code beside the confirmation", () => {
    const wrongOf = (code: string, more = 1) => String((Number(code) + more) % 1_000_000).padStart(6, "0");
    /** Somebody who signed up and went on in the same browser. */
    async function waiting() {
      const person = await t.signUp();
      const session = await t.logIn(person);
      const { code, token: confirmToken } = await mailed("confirmEmail", person.email);
      const here = { token: session.token, headers: t.deviceOf(person) };
      return { person, session, code, confirmToken, here };
    }
    type Waiting = Awaited<ReturnType<typeof waiting>>;
    const typed = ({ here }: Pick<Waiting, "here">, code: string) => t.send("confirmByCode", { ...here, body: { code } });
    const isConfirmed = async ({ person }: Waiting) => (await row(person.uuid)).email_confirmed_at !== null;

    it("confirms the address where the account was made: session, password and known devices stay", async () => {
      const one = await waiting();
      const { person, session, code, here } = one;
      expect(code).toMatch(/^\d{6}$/);
      const before = await row(person.uuid);
      expect(await t.call("confirmByCode", { ...here, body: { code } })).toEqual({});
      const after = await row(person.uuid);
      expect(after).toEqual({ ...before, email_confirmed_at: t.world.now(), updated_at: t.world.now() });
      await t.call("refresh", { body: { refreshToken: session.refreshToken } });
      await t.logIn(person);
      expect(await auditOf(person.uuid)).toEqual([]);
      // A repeated call whose answer was lost is no error, whatever its code.
      expect((await typed(one, code)).statusCode).toBe(200);
    });

    it("is of no use on an unknown device, without the session, or in another account's", async () => {
      const [one, other] = [await waiting(), await waiting()];
      const { code, here } = one;
      expect(await t.refusal("confirmByCode", { token: here.token, body: { code } })).toMatchObject({ code: 1004 });
      expect(await t.refusal("confirmByCode", { ...here, headers: other.here.headers, body: { code } })).toMatchObject({ code: 1004 });
      expect(await t.refusal("confirmByCode", { headers: here.headers, body: { code } })).toMatchObject({ code: 1002 });
      if (code !== other.code) expect((await typed(other, code)).statusCode).toBe(410);
      expect(await Promise.all([one, other].map(isConfirmed))).toEqual([false, false]);
      expect((await typed(one, code)).statusCode).toBe(200);
      expect(await isConfirmed(other)).toBe(false);
    });

    it("is not a login code, and a login code is not one", async () => {
      const one = await waiting();
      expect(await t.refusal("token", { body: { email: one.person.email, code: one.code } })).toMatchObject({ code: 1004 });
      const login = await linkFor(one.person);
      if (login.code !== one.code) expect((await typed(one, login.code)).statusCode).toBe(410);
      expect(await isConfirmed(one)).toBe(false);
    });

    it("is the newest mail's, for as long as its link, and only for the address it was sent to", async () => {
      const one = await waiting();
      const { person, here } = one;
      t.world.pass(1_000);
      await t.call("updateEmail", { ...here, body: { email: person.email } });
      const again = await mailed("confirmEmail", person.email);
      if (again.code !== one.code) expect((await typed(one, one.code)).statusCode).toBe(410);
      const resent = await waiting();
      t.world.pass(1_000);
      await t.call("updateEmail", { ...resent.here, body: { email: resent.person.email } });
      expect((await typed(resent, (await mailed("confirmEmail", resent.person.email)).code)).statusCode).toBe(200);
      const corrected = `corrected.${person.email}`;
      await t.call("updateEmail", { ...here, body: { email: corrected } });
      const { code } = await mailed("confirmEmail", corrected);
      if (again.code !== code) expect((await typed(one, again.code)).statusCode).toBe(410);
      expect(await isConfirmed(one)).toBe(false);
      expect((await typed(one, code)).statusCode).toBe(200);
      expect(await row(person.uuid)).toMatchObject({ email: corrected, email_confirmed_at: t.world.now() });

      const late = await waiting();
      t.world.pass(linkLife.confirm);
      const { token } = await t.logIn(late.person);
      expect((await typed({ here: { ...late.here, token } }, late.code)).statusCode).toBe(410);
    });

    it("ends with the link, and the link with the code changes nothing more", async () => {
      const one = await waiting();
      await t.call("confirmByCode", { ...one.here, body: { code: one.code } });
      await t.call("confirmEmail", { body: { confirmToken: one.confirmToken } });
      await t.logIn(one.person);
      const other = await waiting();
      await t.call("confirmEmail", { body: { confirmToken: other.confirmToken } });
      expect((await typed(other, other.code)).statusCode).toBe(401);
      expect(await row(other.person.uuid)).toMatchObject({ password_hash: null });
    });

    it("is not mailed for a change of a confirmed address: only the link confirms such a change", async () => {
      const one = await waiting();
      const { person, here } = one;
      await t.call("confirmByCode", { ...here, body: { code: one.code } });
      const next = `moved.${person.email}`;
      await t.call("updateEmail", { ...here, body: { email: next, password: person.password } });
      expect((await mailed("confirmEmail", next)).code).toBe("");
      expect(await row(person.uuid)).toMatchObject({ email: person.email });
    });

    it("can be guessed five times, however many tries arrive at once and in whichever process; a mail then has only its link", async () => {
      const one = await waiting();
      const { person, here, code } = one;
      const elsewhere = await createTestApp({ database, store: t.store, settings: { limits: generous } });
      elsewhere.world.pass(t.world.now() - elsewhere.world.now());
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          (n % 2 ? t : elsewhere).send("confirmByCode", { ...here, body: { code: wrongOf(code, n + 1) } }),
        ),
      );
      expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 410));
      expect((await typed(one, code)).statusCode).toBe(410);
      const tries = await t.store.read
        .selectFrom("login_code_tries")
        .select(["by_known_device", "days", "tries"])
        .where("account_uuid", "=", person.uuid)
        .orderBy("days")
        .execute();
      expect(tries).toEqual([1, 30].map((days) => ({ by_known_device: 1, days, tries: 5 })));
      t.world.pass(1_000);
      await t.call("updateEmail", { ...here, body: { email: person.email } });
      expect((await mailed("confirmEmail", person.email)).code).toBe("");
      // Strangers' login codes and the links still work.
      expect((await linkFor(person)).code).toMatch(/^\d{6}$/);
      await t.call("confirmEmail", { body: { confirmToken: one.confirmToken }, headers: here.headers });
      expect(await isConfirmed(one)).toBe(true);
    });

    it("can be guessed ten times a week for an address, whoever makes accounts with it in turn", async () => {
      const email = address("victim");
      const tried: number[] = [];
      for (let n = 0; n < 3; n++) {
        const person = await t.signUp({ email });
        const { token } = await t.logIn(person);
        const here = { token, headers: t.deviceOf(person) };
        const { code } = await mailed("confirmEmail", email);
        if (n === 2) expect((await typed({ here }, code)).statusCode).toBe(410);
        else for (let more = 1; more <= 5; more++) tried.push((await typed({ here }, wrongOf(code, more))).statusCode);
        await t.call("accountErase", { token, body: { password: person.password } });
        await t.erased();
      }
      expect(tried).toEqual(Array(10).fill(410));
    });
  });

  describe("an account somebody else made with the owner's address", () => {
    it("loses its password and sessions when the owner logs in by link, and belongs to the owner from then on", async () => {
      const hijacker = await t.signUp();
      const theirs = await t.logIn(hijacker);
      const { token } = await linkFor(hijacker);
      const session = await t.call("token", { body: { token } });
      expect(await row(hijacker.uuid)).toMatchObject({ password_hash: null, email_confirmed_at: t.world.now() });
      expect(await t.refusal("refresh", { body: { refreshToken: theirs.refreshToken } })).toMatchObject({
        code: 1003,
        fields: { refreshToken: "proven_elsewhere" },
      });
      expect(await t.refusal("entitlement", { token: theirs.token })).toMatchObject({ code: 1002 });
      expect(await t.refusal("login", { body: { email: hijacker.email, password: hijacker.password } })).toMatchObject({ code: 1001 });
      await t.call("entitlement", { token: session.token });
      expect(await auditOf(hijacker.uuid)).toEqual(["address proven by another device"]);
    });

    it("loses them too when the owner confirms the address on another device, together with the first device's proof", async () => {
      const hijacker = await t.signUp();
      const theirs = await t.logIn(hijacker);
      const { token } = await mailed("confirmEmail", hijacker.email);
      const told = await t.call("confirmEmail", { body: { confirmToken: token }, headers: { "x-device-id": hijacker.uuid } });
      // The page there says so.
      expect(told).toEqual({ email: hijacker.email, passwordEnded: true });
      expect(await row(hijacker.uuid)).toMatchObject({ password_hash: null, email_confirmed_at: t.world.now() });
      expect(await t.refusal("refresh", { body: { refreshToken: theirs.refreshToken } })).toMatchObject({ code: 1003 });
      expect(await t.refusal("entitlement", { token: theirs.token })).toMatchObject({ code: 1002 });
      expect(await auditOf(hijacker.uuid)).toEqual(["address proven by another device"]);
      await t.call("resetPassword", { body: { token: await resetFor(hijacker), password: "another horse" } });
      const right = { body: { email: hijacker.email, password: "another horse" } };
      for (let n = 0; n < 11; n++) await t.send("login", { body: { email: hijacker.email, password: "wrong horse" } });
      expect(await t.refusal("login", { ...right, headers: t.deviceOf(hijacker) })).toMatchObject({ code: 1429 });
    });

    it.each(["confirming", "a login link"])("keeps both when the same device proves the address by %s", async (way) => {
      const person = await t.signUp();
      const here = await t.logIn(person);
      const headers = t.deviceOf(person);
      const { token } = way === "confirming" ? await mailed("confirmEmail", person.email) : await linkFor(person);
      if (way === "confirming") await t.call("confirmEmail", { body: { confirmToken: token }, headers });
      else await t.call("token", { body: { token }, headers });
      expect(await row(person.uuid)).toMatchObject({ email_confirmed_at: t.world.now() });
      await t.call("refresh", { body: { refreshToken: here.refreshToken } });
      await t.logIn(person);
    });

    it("keeps both when the address was confirmed before", async () => {
      const person = await t.signUp();
      await confirm(person);
      const here = await t.logIn(person);
      await t.call("token", { body: { token: (await linkFor(person)).token } });
      await t.call("refresh", { body: { refreshToken: here.refreshToken } });
      await t.logIn(person);
    });
  });

  describe("forgot-password and reset-password", () => {
    it("answer every address the same, and the mailed token sets a new password once and ends every session", async () => {
      const person = await t.signUp();
      await t.call("forgotPassword", { body: { email: person.email }, query: { target: "58" } });
      const unknown = address("unknown");
      await t.call("forgotPassword", { body: { email: unknown } });
      expect(await mailsTo(unknown)).toMatchObject([{ template: "loginUnknown", locale: "es-419" }]);
      const { token, data } = await mailed("resetPassword", person.email);
      expect(JSON.parse(data)).toMatchObject({ target: "58" });
      const [here, there] = [await t.logIn(person), await t.logIn(person)];
      const login = await linkFor(person);
      expect(await t.call("resetPassword", { body: { token, password: "another horse" }, headers: t.deviceOf(person) })).toEqual({});
      for (const { refreshToken, token: access } of [here, there]) {
        expect(await t.refusal("refresh", { body: { refreshToken } })).toMatchObject({ code: 1003 });
        expect(await t.refusal("entitlement", { token: access })).toMatchObject({ code: 1002 });
      }
      expect(await t.refusal("login", { body: { email: person.email, password: person.password } })).toMatchObject({ code: 1001 });
      await t.logIn({ ...person, password: "another horse" });
      expect(await t.refusal("resetPassword", { body: { token, password: "third horse!" } })).toMatchObject({ code: 1004 });
      expect(await t.refusal("token", { body: { token: login.token } })).toMatchObject({ code: 1004 });
      expect(await auditOf(person.uuid)).toEqual(["password reset"]);
      expect((await mailsTo(person.email)).map(({ template }) => template)).toEqual(["passwordChanged"]);
      expect((await row(person.uuid)).email_confirmed_at).not.toBeNull();
    });

    it("forget all known devices but the one that chose the new password", async () => {
      const person = await t.signUp();
      await confirm(person);
      const entered = await t.send("login", { body: { email: person.email, password: person.password } });
      const former = [t.deviceOf(person), { cookie: cookieOf(entered) }];
      // A known device is told that there is no plan. Any other device is asked for the password.
      const asks = (headers: { readonly cookie: string }, token: string) => t.refusal("subscriptionCard", { token, headers, body: {} });
      const { token } = await t.logIn(person);
      for (const headers of former) expect(await asks(headers, token)).toMatchObject({ code: 1200 });

      const body = { token: await resetFor(person), password: "another horse" };
      const reset = await t.send("resetPassword", { body, headers: t.deviceOf(person) });
      const { token: later } = await t.logIn({ ...person, password: "another horse" });
      for (const headers of former) expect(await asks(headers, later)).toMatchObject({ code: 1000 });
      expect(await asks({ cookie: cookieOf(reset) }, later)).toMatchObject({ code: 1200 });
    });

    it("say whose a link is, or that it was used or is too old, before a password is typed", async () => {
      const person = await t.signUp();
      const [first, second] = [await resetFor(person), await resetFor(person)];
      const look = (token: string) => t.send("resetLink", { body: { token } });
      const seen = async () => (await Promise.all([first, second].map(look))).map((answer) => [answer.statusCode, answer.json().email]);
      // Checking a token does not use it up.
      for (let n = 0; n < 2; n++) expect(await seen()).toEqual([first, second].map(() => [200, person.email]));
      await t.call("resetPassword", { body: { token: first, password: "another horse" } });
      expect(await seen()).toEqual([first, second].map(() => [410, undefined]));
      const late = await resetFor(person);
      t.world.pass(linkLife.reset);
      const { token: login } = await linkFor(person);
      for (const token of [late, login]) expect(await t.refusal("resetLink", { body: { token } })).toMatchObject({ code: 1004 });
    });

    it("have one winner among fifty simultaneous tries", async () => {
      const person = await t.signUp();
      const token = await resetFor(person);
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) => t.send("resetPassword", { body: { token, password: `horse number ${n}` } })),
      );
      const codes = answers.map((answer) => answer.statusCode);
      expect(codes.filter((code) => code === 200)).toHaveLength(1);
      // The others were late, or found the hash queue full.
      expect(codes.every((code) => code === 200 || code === 410 || code === 503)).toBe(true);
    });

    it("refuse expired tokens (1004) and passwords that are too short, too long or too common (1000), without using up the token", async () => {
      const person = await t.signUp();
      const token = await resetFor(person);
      const wrong = {
        short: "validator_at_least_8",
        ["x".repeat(129)]: "validator_too_long",
        "        ": "validator_password_format",
        Password1: "validator_too_common",
        "12345678": "validator_too_common",
      };
      for (const [password, why] of Object.entries(wrong))
        expect(await t.refusal("resetPassword", { body: { token, password } })).toMatchObject({ code: 1000, fields: { password: why } });
      t.world.pass(linkLife.reset - 1);
      await t.call("resetPassword", { body: { token, password: "another horse" } });
      const late = await resetFor(person);
      t.world.pass(linkLife.reset);
      expect(await t.refusal("resetPassword", { body: { token: late, password: "another horse" } })).toMatchObject({ code: 1004 });
    });

    it("normalize a password to NFC, whichever form was typed", async () => {
      const person = await t.signUp();
      await t.call("resetPassword", { body: { token: await resetFor(person), password: "contrase\u00f1a larga" } });
      await t.logIn({ ...person, password: "contrasen\u0303a larga" });
    });

    it("allow the login again after too many wrong passwords", async () => {
      const person = await t.signUp();
      for (let n = 0; n < 11; n++) await t.send("login", { body: { email: person.email, password: "wrong password" }, from: "10.1.0.1" });
      expect(await t.refusal("login", { body: { email: person.email, password: person.password }, from: "10.1.0.1" })).toMatchObject({
        code: 1429,
      });
      await t.call("token", { body: { token: (await linkFor(person)).token } });
      await t.call("resetPassword", { body: { token: await resetFor(person), password: "another horse" }, from: "10.1.0.1" });
      await t.logIn({ ...person, password: "another horse" });
    });
  });

  it("no link in a mail depends on the request's Host or X-Forwarded headers", async () => {
    const person = await t.signUp();
    await t.send("forgotPassword", {
      body: { email: person.email },
      headers: { host: "evil.example", "x-forwarded-host": "evil.example", "x-forwarded-proto": "http", forwarded: "host=evil.example" },
    });
    expect(JSON.stringify(await mailsTo(person.email))).not.toContain("evil");
  });

  describe("export and erasure", () => {
    const event = (uuid: string) => ({
      id: t.world.uuid(),
      eventType: "QuestionnaireQuestionShown",
      at: "2026-11-20T12:00:00Z",
      payload: { questionId: 2, uuid },
    });
    /** Every value in every table, as in a dump. */
    async function dump(): Promise<string> {
      const tables = await t.store.read.introspection.getTables();
      const rows = await Promise.all(tables.map(({ name }) => sql`SELECT * FROM ${sql.table(name)}`.execute(t.store.read)));
      return JSON.stringify(rows.map((result) => result.rows));
    }

    it("export everything stored, but nothing that gives access", async () => {
      const person = await t.signUp({ firstname: "Ana" });
      const { token } = await t.logIn(person);
      const consent = async () => (await t.call("accountExport", { token }))["account"];
      expect(await consent()).toMatchObject({ marketingConsent: null, emailConfirmedAt: null });
      await t.call("marketingConsent", { token, body: { consent: false } });
      expect(await consent()).toMatchObject({ marketingConsent: false });
      await t.store.write((queries) => queries.deleteFrom("audit").execute());
      await t.store.write((queries) => queries.deleteFrom("marketing_consents").execute());
      await t.call("marketingConsent", { token, body: { consent: true } });
      await t.call("sendEvent", { token, body: event(person.uuid) });
      const data = await t.call("accountExport", { token });
      expect(data).toMatchObject({
        account: { uuid: person.uuid, email: person.email, firstname: "Ana", marketingConsent: true },
        marketingConsents: [{ consent: 1, givenAt: new Date(t.world.now()).toISOString() }],
        events: [{ type: "QuestionnaireQuestionShown" }],
        sessions: [{ entered_by: "password" }],
        mails: [{ template: "confirmEmail" }],
      });
      expect(JSON.stringify(data)).not.toMatch(/argon2|hash|token/i);
      expect(await auditOf(person.uuid)).toEqual(["account exported"]);
      expect(await t.refusal("accountExport")).toMatchObject({ code: 1002 });
    });

    it("erase the person from every table and keep only the counts", async () => {
      const person = await t.signUp({ firstname: "Xochitl" });
      const other = await t.signUp();
      const [before, after, device] = [event(person.uuid), event(person.uuid), t.world.uuid()];
      await t.call("sendEvent", { body: before, headers: { "x-device-id": device } });
      const { token, refreshToken } = await t.logIn(person);
      await t.call("sendEvent", { token, body: after });
      await t.call("sendEvent", { token: (await t.logIn(other)).token, body: event(other.uuid) });
      await t.call("updateName", { token, body: { firstname: "Xochitl" } });
      expect(await dump()).toContain(person.uuid);
      expect(await t.call("accountErase", { token, body: { password: person.password } })).toEqual({});
      await t.erased();
      const left = await dump();
      for (const trace of [person.uuid, person.email, "Xochitl", device]) expect(left).not.toContain(trace);
      expect(left).toContain(other.uuid);
      expect(left).toContain("00000000-0000-4000-8000-000000000000");
      const payloads = await t.store.read.selectFrom("events").select("payload").where("id", "in", [before.id, after.id]).execute();
      expect(payloads.map(({ payload }) => JSON.parse(payload).uuid)).toEqual(Array(2).fill("00000000-0000-4000-8000-000000000000"));
      expect(await t.refusal("entitlement", { token })).toMatchObject({ code: 1002 });
      expect(await t.refusal("refresh", { body: { refreshToken } })).toMatchObject({ code: 1003 });
      // The address is free again.
      await t.signUp({ email: person.email });
    });

    it("keep orders for bookkeeping without the person, and end a running subscription at the provider", async () => {
      const person = await t.signUp();
      const { token } = await t.logIn(person);
      const [orderId, subscription] = [t.world.uuid(), t.world.uuid()];
      await t.store.write(async (queries) => {
        await queries
          .insertInto("orders")
          .values({
            id: orderId,
            account_uuid: person.uuid,
            product_id: "p",
            product_type: "subscription",
            product_plan: "3M",
            trial_days: 7,
            price_id: "pri",
            quantity: 1,
            currency: "MXN",
            price: 100,
            coupon_code: null,
            payment_provider: "paddlebilling",
            status: "completed",
            transaction_id: t.world.uuid(),
            hosted_url: null,
            subscription_id: subscription,
            created_at: 1,
            updated_at: 1,
            checked_at: null,
          })
          .execute();
        await queries
          .insertInto("entitlements")
          .values({ order_id: orderId, account_uuid: person.uuid, status: "active", ends_at: 5, created_at: 1, updated_at: 1 })
          .execute();
      });
      expect(await t.call("accountExport", { token })).toMatchObject({
        orders: [{ id: orderId, entitlement: "active", price: 100, priceInWords: "$1 MXN" }],
      });
      await t.call("accountErase", { token, body: { password: person.password } });
      await t.erased();
      expect(await t.store.read.selectFrom("orders").select("account_uuid").where("id", "=", orderId).execute()).toEqual([
        { account_uuid: null },
      ]);
      expect(await t.store.read.selectFrom("entitlements").select("account_uuid").where("order_id", "=", orderId).execute()).toEqual([
        { account_uuid: null },
      ]);
      expect(
        await t.store.read.selectFrom("payment_duties").select(["kind", "subject", "reason"]).where("order_id", "=", orderId).execute(),
      ).toEqual([{ kind: "cancel-subscription", subject: subscription, reason: "account erased" }]);
    });

    it("require the password, or a session that a link has just opened on a known device", async () => {
      const person = await t.signUp();
      await confirm(person);
      const byPassword = await t.logIn(person);
      expect(await t.refusal("accountErase", { token: byPassword.token, body: {} })).toMatchObject({
        code: 1000,
        fields: { password: "validator_required" },
      });
      expect(await t.refusal("accountErase", { token: byPassword.token, body: { password: "wrong password" } })).toMatchObject({
        code: 1001,
      });
      expect(await t.refusal("accountErase", { body: { password: person.password } })).toMatchObject({ code: 1002 });
      const stale = await t.call("token", { body: { token: (await linkFor(person)).token } });
      t.world.pass(linkFreshness + 1);
      const { token } = await t.call("refresh", { body: { refreshToken: stale.refreshToken } });
      expect(await t.refusal("accountErase", { token, body: {}, headers: t.deviceOf(person) })).toMatchObject({ code: 1000 });
      const fresh = await t.call("token", { body: { token: (await linkFor(person)).token } });
      // The token alone does not make another device the one that logged in by the link.
      expect(await t.refusal("accountErase", { token: fresh.token, body: {} })).toMatchObject({ code: 1000 });
      await t.call("accountErase", { token: fresh.token, body: {}, headers: t.deviceOf(person) });
      await t.erased();
    });
  });

  describe("retention", () => {
    it("removes expired links, sessions, mails, events and log lines, and nothing else", async () => {
      const person = await t.signUp();
      await linkFor(person);
      const { refreshToken } = await t.logIn(person);
      await t.call("sendEvent", { body: { id: t.world.uuid(), eventType: "ChatbotOpen", at: "2026-11-20T12:00:00Z", payload: {} } });
      await t.store.write((queries) => queries.updateTable("mail_outbox").set({ sent_at: t.world.now(), next_attempt_at: null }).execute());
      const retention = createRetention({ store: t.store, world: t.world, log: { info: () => {}, error: () => {} } });
      const count = async (table: "link_tokens" | "sessions" | "refresh_tokens" | "mail_outbox" | "events" | "audit" | "accounts") =>
        (
          await t.store.read
            .selectFrom(table)
            .select(({ fn }) => fn.countAll().as("n"))
            .executeTakeFirst()
        )?.n;
      t.world.pass(refreshTokenLife - 1);
      await retention.run();
      expect(Number(await count("link_tokens"))).toBe(0);
      // A session used on its last day is still valid.
      await t.call("refresh", { body: { refreshToken } });
      t.world.pass(retentionPeriods.mails);
      await retention.run();
      expect(Number(await count("mail_outbox"))).toBe(0);
      const accounts = Number(await count("accounts"));
      t.world.pass(retentionPeriods.audit + retentionPeriods.events);
      await retention.run();
      for (const table of ["sessions", "refresh_tokens", "events", "audit"] as const)
        expect([table, Number(await count(table))]).toEqual([table, 0]);
      expect(Number(await count("accounts"))).toBe(accounts);
      expect(await retention.run()).toBe(0);
    });
  });
});
