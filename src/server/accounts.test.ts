import { accessTokenSeconds } from "#server/accounts/accessTokens.ts";
import { createLinks } from "#server/mail/links.ts";
import { linkLife } from "#server/base/linkLife.ts";
import { livenessTrust, refreshTokenLife, reuseGrace } from "#server/accounts/sessions.ts";
import { createTestApp, nobodyPays, type Person, type TestApp, testSettings, sampledDatabases } from "#test/app.ts";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

describe.each(sampledDatabases)("accounts on %s", (database) => {
  let t: TestApp;
  const mailsWoken: number[] = [];
  beforeAll(async () => {
    t = await createTestApp({
      database,
      settings: {
        limits: {
          "signup.network": { points: 1_000, seconds: 3_600 },
          "login.network": { points: 1_000, seconds: 900 },
          "refresh.network": { points: 1_000, seconds: 300 },
          "check-email.network": { points: 1_000, seconds: 600 },
        },
      },
      parts: { mail: { wake: () => void mailsWoken.push(1), covered: async () => null } },
    });
  });
  afterAll(() => t.close());

  const signupBody = (person: Person, more: Record<string, unknown> = {}) => ({
    ...person,
    uiLanguage: "es-419",
    questionnaire: "76",
    version: "v5.7.8",
    ...more,
  });
  /** An address that no other test uses. */
  const address = (name: string) => `${name}.${t.world.uuid()}@example.com`;
  const someone = (name: string): Person => ({ uuid: t.world.uuid(), email: address(name), password: "correct horse" });
  const row = (uuid: string) => t.store.read.selectFrom("accounts").selectAll().where("uuid", "=", uuid).executeTakeFirstOrThrow();
  const confirmTokenOf = async (email: string) => {
    const mails = await t.store.read
      .selectFrom("mail_outbox")
      .select("data")
      .where("recipient", "=", email)
      .orderBy("created_at", "desc")
      .execute();
    // A mail without a link may have been written at the same time.
    const [linkId] = mails.flatMap(({ data }): readonly string[] => JSON.parse(data).linkId ?? []);
    return links().tokenOf(t.store.read, linkId ?? "");
  };
  const links = () => createLinks(testSettings().secretKeys, t.world);

  describe("signup", () => {
    it("creates an account that can log in, and returns the app's address", async () => {
      const person = await t.signUp({ firstname: "Ana" });
      const session = await t.logIn(person);
      expect(session.user).toEqual({ uuid: person.uuid, email: person.email, firstname: "Ana" });
      expect(session.backendUrl).toBe("https://parlando.example/api");
      expect(session.features.questionnaire).toEqual({ version: "76", completed: false, entitlementExists: false });
    });

    it("refuses common passwords of every locale, whatever digits they have (1000)", async () => {
      const common = [
        "contraseña",
        "contrasena",
        "CONTRASEN\u0303A",
        "senha123",
        "parola12",
        "clave123",
        "passwort1",
        "micontraseña1",
        "minhasenha",
        "123hola123",
        "bem-vindo1",
        "Benvenuto!",
        "willkommen",
        "kennwort99",
        "p a r o l a 1",
        "SenhaSenha",
        "inglés2026",
        "secreto.1",
      ];
      const taken = { code: 1000, fields: { password: "validator_too_common" } };
      for (const password of common)
        expect([password, await t.refusal("signup", { body: signupBody({ ...someone("common"), password }) })]).toMatchObject([
          password,
          taken,
        ]);
      for (const password of ["contraseña larga", "mi clave azul 7", "hablo ciao"])
        expect(await t.send("signup", { body: signupBody({ ...someone("uncommon"), password }) })).toMatchObject({ statusCode: 200 });
    });

    it("returns no tokens", async () => {
      const person = someone("notokens");
      expect(await t.call("signup", { body: signupBody(person) })).toEqual({
        backendUrl: "https://parlando.example/api",
        user: { uuid: person.uuid },
      });
    });

    it("queues one confirmation mail in the same write and wakes the mailer; the outbox contains no token", async () => {
      const before = mailsWoken.length;
      const person = await t.signUp();
      const mails = await t.store.read.selectFrom("mail_outbox").selectAll().where("recipient", "=", person.email).execute();
      expect(mails).toHaveLength(1);
      expect(mails[0]).toMatchObject({
        template: "confirmEmail",
        locale: "es-419",
        sent_at: null,
        attempts: 0,
        next_attempt_at: t.world.now(),
      });
      expect(mailsWoken.length).toBe(before + 1);
      expect(mails[0]?.data).not.toContain(await confirmTokenOf(person.email));
    });

    it("refuses a registered e-mail address in any case with 1101", async () => {
      const person = await t.signUp();
      expect(await t.refusal("signup", { body: signupBody({ ...someone("x"), email: person.email.toUpperCase() }) })).toMatchObject({
        code: 1101,
      });
    });

    it("refuses a uuid of another account with 1100", async () => {
      const person = await t.signUp();
      expect(await t.refusal("signup", { body: signupBody({ ...someone("other-uuid"), uuid: person.uuid }) })).toMatchObject({
        code: 1100,
      });
    });

    it("answers a repeated sign-up as the first time, but not with another password", async () => {
      const person = await t.signUp();
      expect(await t.call("signup", { body: signupBody(person) })).toMatchObject({ user: { uuid: person.uuid } });
      expect(await t.refusal("signup", { body: signupBody({ ...person, password: "another horse" }) })).toMatchObject({ code: 1101 });
    });

    it("still answers a sign-up that is repeated because one answer after the other is lost", async () => {
      const person = await t.signUp();
      const again = () => t.send("signup", { body: signupBody(person), headers: t.deviceOf(person) });
      const statuses = [];
      for (let n = 0; n < 6; n++) statuses.push((await again()).statusCode);
      expect(statuses).toEqual(Array<number>(6).fill(200));
    });

    it.each(["gmail.com", "company.example"])(
      "still works for an address of %s after strangers have signed up other spellings of its mailbox, and does not flood the mailbox",
      async (domain) => {
        const [name] = address("spelled").replaceAll(".", "").split("@");
        for (const spelling of ["+0", "+1", "+2", ""]) {
          const email = `${name}${spelling}@${domain}`;
          expect(await t.send("signup", { body: signupBody({ ...someone("x"), email }) })).toMatchObject({ statusCode: 200 });
        }
        const mails = await t.store.read.selectFrom("mail_outbox").select("recipient").where("recipient", "like", `${name}%`).execute();
        expect(mails).toHaveLength(3);
      },
    );

    it("still works after a stranger has signed up with the address and erased the account, again and again", async () => {
      const email = address("kept-out");
      const attempt = async (from: string, device = t.world.uuid()) => {
        const body = signupBody({ ...someone("x"), email });
        return { body, status: (await t.send("signup", { body, from, headers: { "x-device-id": device } })).statusCode };
      };
      const stranger = "203.0.113.9";
      const visit = t.world.uuid();
      await t.call("config", { query: { version: "v5.7.8", uiLanguage: "es-419" }, headers: { "x-device-id": visit } });
      t.world.pass(61_000);
      for (let n = 0; n < 3; n++) {
        const { body } = await attempt(stranger);
        const { token } = await t.call("login", { body: { email, password: body.password }, from: stranger });
        await t.call("accountErase", { token, body: { password: body.password } });
      }
      expect((await attempt(stranger)).status).toBe(429);
      expect((await attempt("198.51.100.9", visit)).status).toBe(200);
      // Above the network's limit, sign-ups in a known visit are counted, too.
      expect([(await attempt("198.51.100.9", visit)).status, (await attempt("198.51.100.9", visit)).status]).toEqual([409, 409]);
      expect((await attempt("198.51.100.9", visit)).status).toBe(429);
    });

    it("counts wrong passwords like a login when it is repeated, because somebody who knows the uuid could guess the password here", async () => {
      const person = await t.signUp();
      // Somebody with many networks has a visit in each.
      const devices = Array.from({ length: 101 }, () => ({ "x-device-id": t.world.uuid() }));
      for (const headers of devices) await t.call("config", { query: { version: "v5.7.8", uiLanguage: "es-419" }, headers });
      t.world.pass(61_000);
      const statuses = [];
      for (const [n, headers] of devices.entries()) {
        const from = `2001:db8:${n.toString(16)}::1`;
        statuses.push((await t.send("signup", { body: signupBody({ ...person, password: "another horse" }), from, headers })).statusCode);
      }
      expect(statuses).toEqual([...Array<number>(100).fill(409), 429]);
      expect(await t.refusal("login", { body: person, from: "198.51.100.8" })).toMatchObject({ code: 1429 });
    });

    it("and all other calls without an account send a mailbox few mails, however its address is spelled", async () => {
      const [name] = address("flooded").split("@");
      let asked = 0;
      const to = () => ({ email: `${name}+${asked++}@company.example`, from: `198.51.100.${asked}` });
      for (let n = 0; n < 12; n++) {
        for (const call of ["loginLink", "forgotPassword"] as const) {
          const { email, from } = to();
          await t.call(call, { body: { email }, from });
        }
        const { email, from } = to();
        const notice = { id: t.world.uuid(), kind: "cancel", name: "Ana", contract: "Parlando", email, language: "es-ES" };
        await t.call("contractNotice", { body: notice, from });
      }
      const mails = t.store.read.selectFrom("mail_outbox").select("template").where("recipient", "like", `${name}%`);
      const counts = Map.groupBy(await mails.execute(), ({ template }) => template);
      expect(Object.fromEntries([...counts].map(([template, sent]) => [template, sent.length]))).toEqual({
        loginUnknown: 5,
        contractNotice: 10,
      });
      await t.store.write((queries) => queries.deleteFrom("contract_notices").execute());
    });

    it("lets exactly one of three simultaneous sign-ups with the same e-mail address win", async () => {
      const email = address("race");
      const answers = await Promise.all(
        Array.from({ length: 3 }, () => t.send("signup", { body: signupBody({ ...someone("race"), email }) })),
      );
      expect(answers.map((answer) => answer.statusCode).toSorted()).toEqual([200, 409, 409]);
    });

    it("says which field is wrong and why (1000)", async () => {
      expect(
        await t.refusal("signup", { body: signupBody({ uuid: "no", email: "a@b", password: "short" }, { firstname: "x".repeat(51) }) }),
      ).toMatchObject({
        code: 1000,
        fields: {
          uuid: "validator_format",
          email: "validator_invalid_email",
          password: "validator_at_least_8",
          firstname: "validator_too_long",
        },
      });
      expect(await t.refusal("signup", { body: {} })).toMatchObject({
        code: 1000,
        fields: { email: "validator_required", password: "validator_required" },
      });
    });

    it("ignores fields that are not its own", async () => {
      const person = someone("mass");
      await t.call("signup", {
        body: signupBody(person, {
          role: "admin",
          entitlement: "active",
          email_confirmed_at: 1,
          emailConfirmed: true,
          createdAt: 1,
          created_at: 1,
          id: "x",
          price: 0,
        }),
      });
      expect(await row(person.uuid)).toMatchObject({ email_confirmed_at: null, created_at: t.world.now() });
    });

    it("stores the default version when the given one is unknown", async () => {
      const person = someone("retired");
      await t.call("signup", { body: signupBody(person, { questionnaire: "12" }) });
      expect(await row(person.uuid)).toMatchObject({ questionnaire_version: "76" });
    });

    it("stores no password in plain text", async () => {
      const person = await t.signUp();
      expect((await row(person.uuid)).password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    });
  });

  describe("check-email", () => {
    it("says that an address is available, or 1101", async () => {
      const person = await t.signUp();
      expect(await t.call("checkEmail", { body: { email: address("free") } })).toEqual({ available: true });
      expect(await t.refusal("checkEmail", { body: { email: ` ${person.email.toUpperCase()} ` } })).toMatchObject({ code: 1101 });
      expect(await t.refusal("checkEmail", { body: { email: "nobody" } })).toMatchObject({
        code: 1000,
        fields: { email: "validator_invalid_email" },
      });
    });
  });

  describe("login", () => {
    it("answers 1001 for a wrong password and for an unknown address", async () => {
      const person = await t.signUp();
      const wrong = await t.send("login", { body: { email: person.email, password: "wrong horse" } });
      const unknown = await t.send("login", { body: { email: address("unknown"), password: "wrong horse" } });
      expect(wrong.statusCode).toBe(401);
      expect(wrong.body).toBe(unknown.body);
      expect(wrong.json()).toMatchObject({ code: 1001 });
    });

    it("refuses an empty password with 1000", async () => {
      expect(await t.refusal("login", { body: { email: "a@example.com", password: "" } })).toMatchObject({
        code: 1000,
        fields: { password: "validator_required" },
      });
    });

    it("makes the eleventh try in a row wait a minute, then longer, while other addresses are not affected", async () => {
      const person = await t.signUp();
      for (let n = 1; n <= 10; n++)
        expect(await t.refusal("login", { body: { email: person.email, password: `wrong ${n} horse` } })).toMatchObject({ code: 1001 });
      expect(await t.refusal("login", { body: { email: person.email, password: person.password } })).toMatchObject({
        code: 1429,
        retryAfter: expect.closeTo(60, -2),
      });
      await t.logIn(await t.signUp());
    });

    it("returns the version that was saved last, and whether it is completed", async () => {
      const person = await t.signUp();
      const state = { version: "78", state: "{}", user_level: null, finished: 1, saved_at: 0 };
      await t.store.write((queries) =>
        queries
          .insertInto("questionnaire_states")
          .values({ ...state, account_uuid: person.uuid })
          .execute(),
      );
      expect((await t.logIn(person)).features.questionnaire).toMatchObject({ version: "78", completed: true });
    });

    it("returns the locale's default version in place of a retired one, and the first locale's if the account's locale is gone", async () => {
      const person = await t.signUp();
      const versionIn = async (locale: string) => {
        const row = { locale, questionnaire_version: "12" };
        await t.store.write((queries) => queries.updateTable("accounts").set(row).where("uuid", "=", person.uuid).execute());
        return (await t.logIn(person)).features.questionnaire.version;
      };
      expect([await versionIn("pt-BR"), await versionIn("de-DE"), await versionIn("xx")]).toEqual(["78", "83", "76"]);
    });

    it("rehashes the password on login when the stored hash is weaker than today's", async () => {
      const person = await t.signUp();
      const { hash } = await import("@node-rs/argon2");
      const weak = await hash(person.password, { memoryCost: 8_192, timeCost: 2, parallelism: 1 });
      await t.store.write((queries) =>
        queries.updateTable("accounts").set({ password_hash: weak }).where("uuid", "=", person.uuid).execute(),
      );
      await t.logIn(person);
      expect((await row(person.uuid)).password_hash).toMatch(/m=19456/);
      await t.logIn(person);
    });
  });

  describe("access tokens", () => {
    it("are valid for exactly 15 minutes", async () => {
      const { token, user } = await t.logIn(await t.signUp());
      t.world.pass(accessTokenSeconds * 1_000 - 1_000);
      expect((await t.send("questionnaireGet", { token, query: { uuid: user.uuid } })).statusCode).toBe(200);
      t.world.pass(1_000);
      expect(await t.refusal("questionnaireGet", { token, query: { uuid: user.uuid } })).toMatchObject({ code: 1002 });
    });

    it.each([
      ["none at all", () => undefined],
      ["nonsense", () => "nonsense"],
      ["one of 10 kB", () => `${"a".repeat(10_000)}.b.c`],
      ["one with another signature", (token: string) => `${token.slice(0, -3)}AAA`],
      [
        "one without an algorithm",
        (token: string) => `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString("base64url")}.${token.split(".")[1]}.`,
      ],
      ["a refresh token", (_token: string, refreshToken: string) => refreshToken],
    ])("do not open with %s (1002)", async (_name, change) => {
      const { token, refreshToken, user } = await t.logIn(await t.signUp());
      const changed = change(token, refreshToken);
      expect(
        await t.refusal("questionnaireGet", { query: { uuid: user.uuid }, ...(changed === undefined ? {} : { token: changed }) }),
      ).toMatchObject({ code: 1002 });
    });
  });

  it("an access token is accepted only as a bearer token, with nothing before or after it", async () => {
    const { token } = await t.logIn(await t.signUp());
    const statusOf = async (authorization: string) => (await t.send("entitlement", { headers: { authorization } })).statusCode;
    for (const word of ["Bearer", "bearer"]) expect(await statusOf(`${word} ${token}`)).toBe(200);
    for (const wrong of [token, `x Bearer ${token}`, `Bearer ${token} x`, `Basic ${token}`]) expect(await statusOf(wrong)).toBe(401);
  });

  it("a requested link wakes the mailer", async () => {
    const before = mailsWoken.length;
    await t.call("loginLink", { body: { email: address("asks") } });
    expect(mailsWoken.length).toBe(before + 1);
  });

  describe("refresh", () => {
    it("returns a new pair; after the grace period, reusing the old refresh token ends the family (1003)", async () => {
      const first = await t.logIn(await t.signUp());
      const second = await t.call("refresh", { body: { refreshToken: first.refreshToken } });
      expect(second.refreshToken).not.toBe(first.refreshToken);
      expect(second.user).toEqual(first.user);
      t.world.pass(reuseGrace + 1);
      expect(await t.refusal("refresh", { body: { refreshToken: first.refreshToken } })).toMatchObject({ code: 1003 });
      expect(await t.refusal("refresh", { body: { refreshToken: second.refreshToken } })).toMatchObject({ code: 1003 });
      const audit = await t.store.read.selectFrom("audit").select("kind").where("account_uuid", "=", first.user.uuid).execute();
      expect(audit).toEqual([{ kind: "refresh token reused" }]);
    });

    it("returns the same pair when the token is reused within 10 seconds", async () => {
      const { refreshToken } = await t.logIn(await t.signUp());
      const first = await t.call("refresh", { body: { refreshToken } });
      t.world.pass(reuseGrace);
      expect(await t.call("refresh", { body: { refreshToken } })).toEqual(first);
    });

    it("answers the attempt whose answer was lost again, however late, until the new token has been used; any other attempt ends the family", async () => {
      const lost = async (attempt?: string) => {
        const { refreshToken, user } = await t.logIn(await t.signUp());
        const pair = await t.call("refresh", { body: { refreshToken, attempt } });
        t.world.pass(60 * 60 * 1_000);
        return { refreshToken, user, next: pair.refreshToken };
      };
      const mine = "attempt-of-this-tab";
      const { refreshToken, user, next } = await lost(mine);
      const again = await t.call("refresh", { body: { refreshToken, attempt: mine } });
      expect(again.refreshToken).toBe(next);
      expect(await t.call("entitlement", { token: again.token })).toEqual({ entitlements: [] });
      const later = await t.call("refresh", { body: { refreshToken: next, attempt: "attempt-after-that" } });
      t.world.pass(reuseGrace + 1);
      const refused = async (sent: string, attempt?: string) =>
        (await t.refusal("refresh", { body: { refreshToken: sent, attempt } })).code;
      expect([await refused(refreshToken, mine), await refused(later.refreshToken)]).toEqual([1003, 1003]);
      const audit = await t.store.read.selectFrom("audit").select("kind").where("account_uuid", "=", user.uuid).execute();
      expect(audit).toEqual([{ kind: "refresh token reused" }]);
      for (const [attempt, other] of [
        [mine, "attempt-of-a-thief"],
        [mine, undefined],
        [undefined, mine],
      ] as const) {
        const theirs = await lost(attempt);
        expect([await refused(theirs.refreshToken, other), await refused(theirs.next)]).toEqual([1003, 1003]);
      }
    });

    it("ends the family when an older token is reused, even within the grace period", async () => {
      const a = await t.logIn(await t.signUp());
      const b = await t.call("refresh", { body: { refreshToken: a.refreshToken } });
      const c = await t.call("refresh", { body: { refreshToken: b.refreshToken } });
      expect(await t.refusal("refresh", { body: { refreshToken: a.refreshToken } })).toMatchObject({ code: 1003 });
      expect(await t.refusal("refresh", { body: { refreshToken: c.refreshToken } })).toMatchObject({ code: 1003 });
    });

    it("returns one and the same pair to ten tabs that refresh at once", async () => {
      const { refreshToken } = await t.logIn(await t.signUp());
      const pairs = await Promise.all(Array.from({ length: 10 }, () => t.call("refresh", { body: { refreshToken } })));
      expect(new Set(pairs.map((pair) => `${pair.token} ${pair.refreshToken}`)).size).toBe(1);
    });

    it("refuses unknown and expired tokens with 1003", async () => {
      expect(await t.refusal("refresh", { body: { refreshToken: "unknown" } })).toMatchObject({ code: 1003 });
      const { refreshToken } = await t.logIn(await t.signUp());
      t.world.pass(refreshTokenLife);
      expect(await t.refusal("refresh", { body: { refreshToken } })).toMatchObject({ code: 1003 });
    });
  });

  describe("logout", () => {
    it("ends the token's family: neither token of the pair works afterwards", async () => {
      const { token, refreshToken, user } = await t.logIn(await t.signUp());
      expect(await t.call("logout", { token, body: { refreshToken } })).toEqual({});
      expect(await t.refusal("refresh", { body: { refreshToken } })).toMatchObject({ code: 1003 });
      expect(await t.refusal("questionnaireGet", { token, query: { uuid: user.uuid } })).toMatchObject({ code: 1002 });
    });

    it("keeps the account's other sessions and never ends another account's", async () => {
      const person = await t.signUp();
      const [here, there, stranger] = [await t.logIn(person), await t.logIn(person), await t.logIn(await t.signUp())];
      await t.call("logout", { token: here.token, body: { refreshToken: stranger.refreshToken } });
      await t.call("refresh", { body: { refreshToken: there.refreshToken } });
      await t.call("refresh", { body: { refreshToken: stranger.refreshToken } });
    });

    it("requires a bearer token (1002)", async () => {
      expect(await t.refusal("logout", { body: {} })).toMatchObject({ code: 1002 });
    });

    it("in another process ends an access token within five seconds", async () => {
      const { token, user } = await t.logIn(await t.signUp());
      await t.call("questionnaireGet", { token, query: { uuid: user.uuid } });
      await t.store.write((queries) =>
        queries.updateTable("sessions").set({ ended_at: t.world.now() }).where("account_uuid", "=", user.uuid).execute(),
      );
      t.world.pass(livenessTrust);
      expect(await t.refusal("questionnaireGet", { token, query: { uuid: user.uuid } })).toMatchObject({ code: 1002 });
    });
  });

  it("an address with an international domain is one account in both spellings", async () => {
    const name = `ana.${t.world.uuid()}`;
    const [letters, ascii] = [`${name}@münchen.example`, `${name}@xn--mnchen-3ya.example`];
    for (const [first, second] of [
      [letters, ascii],
      [`x${ascii}`, `x${letters.replace("ü", "Ü")}`],
    ] as const) {
      const person = await t.signUp({ email: first });
      expect(await t.refusal("checkEmail", { body: { email: second } })).toMatchObject({ code: 1101 });
      expect(await t.refusal("signup", { body: signupBody({ ...person, uuid: t.world.uuid(), email: second }) })).toMatchObject({
        code: 1101,
      });
      expect((await t.logIn({ ...person, email: second })).user).toMatchObject({
        uuid: person.uuid,
        email: first.includes("ü") ? ascii : first,
      });
    }
  });

  describe("confirm-email", () => {
    it("confirms the address; repeating it within the token's life is no error", async () => {
      const person = await t.signUp();
      const confirmToken = await confirmTokenOf(person.email);
      expect(await t.call("confirmEmail", { body: { confirmToken } })).toEqual({ email: person.email, passwordEnded: true });
      const confirmedAt = t.world.now();
      t.world.pass(1_000);
      expect(await t.call("confirmEmail", { body: { confirmToken } })).toEqual({});
      expect(await row(person.uuid)).toMatchObject({ email_confirmed_at: confirmedAt });
    });

    it("assigns earlier notices from the address to the account, so that they are erased with it", async () => {
      const person = await t.signUp();
      const statement = {
        id: t.world.uuid(),
        kind: "cancel",
        name: "Lucía",
        contract: "Parlando",
        email: "before@example.mx",
        language: "es-ES",
      } as const;
      await t.call("contractNotice", { body: statement });
      const owners = async () =>
        (await t.store.read.selectFrom("contract_notices").select("account_uuid").execute()).map(({ account_uuid: uuid }) => uuid);
      const late = await t.signUp({ email: "before@example.mx" });
      expect(await owners()).toEqual([null]);
      await t.call("confirmEmail", { body: { confirmToken: await confirmTokenOf(person.email) } });
      expect(await owners()).toEqual([null]);
      await t.call("confirmEmail", { body: { confirmToken: await confirmTokenOf(late.email) }, headers: t.deviceOf(late) });
      expect(await owners()).toEqual([late.uuid]);
      await t.call("accountErase", { token: (await t.logIn(late)).token, body: { password: late.password } });
      await t.erased();
      expect(await owners()).toEqual([]);
    });

    it("refuses unknown and expired tokens with 1005", async () => {
      expect(await t.refusal("confirmEmail", { body: { confirmToken: "unknown" } })).toMatchObject({ code: 1005 });
      const confirmToken = await confirmTokenOf((await t.signUp()).email);
      t.world.pass(linkLife.confirm);
      expect(await t.refusal("confirmEmail", { body: { confirmToken } })).toMatchObject({ code: 1005 });
    });
  });

  describe("update-email", () => {
    const headers = (person: Person) => ({ headers: t.deviceOf(person) });

    it("changes the address, sends a new mail, and ends the older link and the other sessions", async () => {
      const person = await t.signUp();
      const [here, there] = [await t.logIn(person), await t.logIn(person)];
      const olderToken = await confirmTokenOf(person.email);
      const loginLink = await t.store.write((queries) =>
        links().create(queries, "login", { accountUuid: person.uuid, email: person.email }),
      );
      const typed = address("New.Address");
      expect(await t.call("updateEmail", { token: here.token, body: { email: typed }, ...headers(person) })).toEqual({ pending: false });
      expect(await row(person.uuid)).toMatchObject({ email: typed.toLowerCase(), email_confirmed_at: null });
      expect(await t.refusal("confirmEmail", { body: { confirmToken: olderToken } })).toMatchObject({ code: 1005 });
      expect(await links().tokenOf(t.store.read, loginLink)).toBeNull();
      expect(await t.refusal("refresh", { body: { refreshToken: there.refreshToken } })).toMatchObject({ code: 1003 });
      await t.call("refresh", { body: { refreshToken: here.refreshToken } });
      await t.call("confirmEmail", { body: { confirmToken: await confirmTokenOf(typed.toLowerCase()) } });
      expect(await row(person.uuid)).toMatchObject({ email_confirmed_at: t.world.now() });
    });

    it("tells the old address how to undo it, and sends no such mail when the address is unchanged", async () => {
      const person = await t.signUp({ firstname: "Ana" });
      const { token } = await t.logIn(person);
      const moved = address("moved");
      const told = async () =>
        (
          await t.store.read
            .selectFrom("mail_outbox")
            .select(["recipient", "locale", "data"])
            .where("template", "=", "emailChanged")
            .where("recipient", "in", [person.email, moved])
            .execute()
        ).map(({ data, ...row }) => ({ ...row, ...JSON.parse(data) }));
      await t.call("updateEmail", { token, body: { email: person.email } });
      expect(await told()).toEqual([]);
      await t.call("updateEmail", { token, body: { email: moved }, ...headers(person) });
      expect(await told()).toEqual([{ recipient: person.email, locale: "es-419", firstname: "Ana" }]);
    });

    it("cannot flood a mailbox from many accounts (1429)", async () => {
      const email = address("victim");
      const statuses: number[] = [];
      for (let n = 0; n < 20; n++) {
        const person = await t.signUp();
        const { token } = await t.call("login", { body: { email: person.email, password: person.password }, from: `203.0.113.${n}` });
        const ask = { token, ...headers(person), from: `203.0.113.${n}` };
        for (let again = 0; again < 3; again++) statuses.push((await t.send("updateEmail", { ...ask, body: { email } })).statusCode);
        // Changes to another address, so that the next account can try this one.
        await t.send("updateEmail", { ...ask, body: { email: address("elsewhere") } });
      }
      // Five mails to an unconfirmed mailbox, including the notice that the account no longer has its address.
      expect(statuses.filter((status) => status === 200)).toHaveLength(4);
      expect(new Set(statuses)).toEqual(new Set([200, 429]));
      const mails = await t.store.read.selectFrom("mail_outbox").select("template").where("recipient", "=", email).execute();
      expect(mails.map(({ template }) => template).toSorted()).toEqual([...Array(4).fill("confirmEmail"), "emailChanged"]);
    });

    it("cannot mail more than sixty addresses an hour from one network, from however many accounts (1429), but lets sign-ups be corrected and customers move", async () => {
      const from = "203.0.114.7";
      const changeOf = async (person: Person) => {
        const { token } = await t.call("login", { body: { email: person.email, password: person.password }, from });
        return (to: string, network = from) => t.send("updateEmail", { token, ...headers(person), from: network, body: { email: to } });
      };
      const people: Person[] = [];
      for (let n = 0; n < 14; n++) people.push(await t.signUp());
      t.world.pass(61 * 60_000);
      const statuses: number[] = [];
      for (const person of people) {
        const change = await changeOf(person);
        for (let n = 0; n < 5; n++) statuses.push((await change(address("stranger"))).statusCode);
      }
      expect(statuses).toEqual([...Array(60).fill(200), ...Array(10).fill(429)]);

      const change = await changeOf(await t.signUp());
      expect((await change(address("corrected"))).statusCode).toBe(200);
      expect((await change(address("stranger"))).statusCode).toBe(429);
      expect((await change(address("elsewhere"), "203.0.114.8")).statusCode).toBe(200);
      vi.spyOn(nobodyPays, "entitlementExists").mockResolvedValue(true);
      expect((await change(address("customer"))).statusCode).toBe(200);
    });

    it("does not let requests for an address use up its owner's mails", async () => {
      const [person, stranger] = [await t.signUp(), await t.signUp()];
      const [{ token }, { token: theirs }] = [await t.logIn(person), await t.logIn(stranger)];
      const { email } = person;
      for (let n = 0; n < 5; n++)
        expect(await t.refusal("updateEmail", { token: theirs, body: { email }, ...headers(stranger) })).toMatchObject({ code: 1101 });
      for (let n = 0; n < 3; n++) expect(await t.call("updateEmail", { token, body: { email } })).toEqual({ pending: false });
      expect(await t.refusal("updateEmail", { token, body: { email } })).toMatchObject({
        code: 1429,
        retryAfter: expect.closeTo(86_400, -2),
      });
    });

    it("sends the confirmation of an unconfirmed address again, and the earlier link still works", async () => {
      const person = await t.signUp();
      const { token } = await t.logIn(person);
      const elsewhere = await t.logIn(person);
      const first = await confirmTokenOf(person.email);
      t.world.pass(1_000);
      await t.call("updateEmail", { token, body: { email: person.email } });
      const second = await confirmTokenOf(person.email);
      expect(second).not.toBe(first);
      await t.call("refresh", { body: { refreshToken: elsewhere.refreshToken } });
      for (const confirmToken of [first, second]) await t.call("confirmEmail", { body: { confirmToken }, headers: t.deviceOf(person) });
      // Once confirmed, there is nothing to send or change.
      const mails = () => t.store.read.selectFrom("mail_outbox").select("id").where("recipient", "=", person.email).execute();
      const before = await mails();
      expect(await t.refusal("updateEmail", { token, body: { email: person.email } })).toMatchObject({
        code: 1000,
        fields: { email: "validator_unchanged" },
      });
      expect(await mails()).toEqual(before);
    });

    it("refuses a taken address (1101), an invalid one (1000) and a call without a token (1002)", async () => {
      const [person, other] = [await t.signUp(), await t.signUp()];
      const { token } = await t.logIn(person);
      expect(await t.refusal("updateEmail", { token, body: { email: other.email }, ...headers(person) })).toMatchObject({ code: 1101 });
      expect(await t.refusal("updateEmail", { token, body: { email: "@" } })).toMatchObject({ code: 1000 });
      expect(await t.refusal("updateEmail", { body: { email: "x@example.com" } })).toMatchObject({ code: 1002 });
    });
  });

  describe("update-name and marketing-consent", () => {
    it("store the values, and a record of every consent", async () => {
      const person = await t.signUp();
      const { token } = await t.logIn(person);
      await t.call("updateName", { token, body: { firstname: " José " } });
      await t.call("marketingConsent", { token, body: { consent: true } });
      await t.call("marketingConsent", { token, body: { consent: false } });
      expect(await row(person.uuid)).toMatchObject({ firstname: "José", marketing_consent: 0 });
      expect(
        await t.store.read.selectFrom("marketing_consents").select("consent").where("account_uuid", "=", person.uuid).execute(),
      ).toHaveLength(2);
    });

    it("take a pasted tab, or another character that is not shown, for a space", async () => {
      const person = await t.signUp({ firstname: "Ana\tMaría" });
      const firstname = async () => (await row(person.uuid)).firstname;
      expect(await firstname()).toBe("Ana María");
      const { token } = await t.logIn(person);
      for (const [typed, stored] of [
        ["\tJosé\r\nLuis\u0000", "José Luis"],
        ["Eva\u0085\ud83d", "Eva"],
      ]) {
        await t.call("updateName", { token, body: { firstname: typed } });
        expect(await firstname()).toBe(stored);
      }
    });

    it("refuse invalid input (1000) and a call without a token (1002)", async () => {
      const { token } = await t.logIn(await t.signUp());
      for (const firstname of ["", "x".repeat(51), "\ud800"])
        expect(await t.refusal("updateName", { token, body: { firstname } })).toMatchObject({ code: 1000 });
      expect(await t.refusal("marketingConsent", { token, body: { consent: "yes" } })).toMatchObject({
        code: 1000,
        fields: { consent: "validator_format" },
      });
      expect(await t.refusal("updateName", { body: { firstname: "A" } })).toMatchObject({ code: 1002 });
      expect(await t.refusal("marketingConsent", { body: { consent: true } })).toMatchObject({ code: 1002 });
    });
  });
});
