import { type Endpoint, endpoints } from "#core/api.ts";
import { accountLimitOf, createLimits, type LimitName, networkLimitOf } from "#server/base/limits.ts";
import { countersInMemory, keysKept } from "#server/base/counters.ts";
import { createLinks } from "#server/mail/links.ts";
import { networkOf } from "#server/base/visitor.ts";
import { createTestApp, type TestApp, testSettings } from "#test/app.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { long } from "#test/sampled.ts";
import { emptySavedState } from "#test/savedState.ts";

describe("limits per network", () => {
  let t: TestApp;
  beforeEach(async () => {
    t = await createTestApp({ database: "sqlite", settings: { proxyHops: 1 } });
  });
  afterEach(() => t.close());

  const limited: readonly (readonly [Endpoint, number])[] = [
    ["signup", 20],
    ["checkEmail", 10],
    ["refresh", 150],
    ["questionnairePost", 1_500],
    ["reportError", 30],
    ["contractNotice", 20],
    ["token", 30],
    ["resetLink", 30],
    ["resetPassword", 30],
    ["confirmEmail", 30],
    ["undoEmail", 30],
    ["keepSubscription", 30],
    ["payLink", 10],
    ["createTransaction", 10],
    ["consent", 150],
  ];

  it("cover every call that is counted per network", () => {
    // A mailed pay link shares the limit of the other two ways to pay.
    const tried = new Set([...limited.map(([endpoint]) => endpoint), "payLinkMail"]);
    const untried = Object.keys(networkLimitOf).filter((endpoint) => !tried.has(endpoint));
    expect(untried, "each call of networkLimitOf has a line in `limited` of this test").toEqual([]);
  });
  it("are there for every call that writes without a token", () => {
    // These count in their handlers.
    const countsItself = ["login", "loginLink", "forgotPassword", "sendEvent"];
    const open = Object.entries(endpoints).filter(([, { auth, method }]) => (auth === "none" || auth === "optional") && method !== "GET");
    expect(
      open.flatMap(([key]) => (key in networkLimitOf || countsItself.includes(key) ? [] : [key])),
      "each such call has a row in networkLimitOf (base/limits.ts), or counts in its handler and stands in `countsItself` of this test",
    ).toEqual([]);
  });
  it.each(limited)("allow %s %i times per network and tell the next caller when to retry (1429)", async (endpoint, times) => {
    for (let n = 0; n < times; n++) expect((await t.send(endpoint, { body: {} })).statusCode).not.toBe(429);
    const { code, retryAfter } = await t.refusal(endpoint, { body: {} });
    expect(code).toBe(1429);
    expect(retryAfter).toBeGreaterThan(0);
    expect((await t.send(endpoint, { body: {}, from: "203.0.113.1" })).statusCode).not.toBe(429);
  });

  it.each([
    ["login", 50],
    ["loginLink", 20],
    ["forgotPassword", 20],
  ] as const)("count %s for strangers, %i times", async (endpoint, times) => {
    const body = (n: number) => ({ email: `n${n}@example.com`, ...(endpoint === "login" ? { password: "wrong horse" } : {}) });
    for (let n = 0; n < times; n++) expect((await t.send(endpoint, { body: body(n) })).statusCode).not.toBe(429);
    expect(await t.refusal(endpoint, { body: body(times) })).toMatchObject({ code: 1429 });
    expect((await t.send(endpoint, { body: body(times), from: "203.0.113.1" })).statusCode).not.toBe(429);
  });

  it("cannot be escaped by a made-up X-Forwarded-For: only the proxy's own entry counts", async () => {
    for (let n = 0; n < 10; n++) await t.send("checkEmail", { body: {}, headers: { "x-forwarded-for": `198.51.100.${n}, 203.0.113.5` } });
    expect(await t.refusal("checkEmail", { body: {}, headers: { "x-forwarded-for": "198.51.100.99, 203.0.113.5" } })).toMatchObject({
      code: 1429,
    });
  });

  it("count an e-mail's sign-ups wherever they come from", async () => {
    const body = () => ({
      uuid: t.world.uuid(),
      email: "often@example.com",
      password: "correct horse",
      uiLanguage: "es-419",
      questionnaire: "76",
      version: "v5.7.8",
    });
    const codes = [];
    for (let n = 0; n < 4; n++)
      codes.push((await t.send("signup", { body: body(), headers: { "x-forwarded-for": `203.0.113.${n}` } })).statusCode);
    expect(codes).toEqual([200, 409, 409, 429]);
  });

  it("count a session's refreshes", async () => {
    let { refreshToken } = await t.logIn(await t.signUp());
    for (let n = 0; n < 30; n++) refreshToken = (await t.call("refresh", { body: { refreshToken } })).refreshToken;
    expect(await t.refusal("refresh", { body: { refreshToken } })).toMatchObject({ code: 1429 });
  });
});

describe("a crowd behind one address", () => {
  const few = { points: 2, seconds: 3_600 };
  const limits = Object.fromEntries(["signup", "login", "token", "payment"].map((name) => [`${name}.network`, few]));
  let t: TestApp;
  beforeEach(async () => {
    t = await createTestApp({ database: "sqlite", settings: { limits } });
  });
  afterEach(() => t.close());

  it("may log in with right passwords without limit, but shares one visitor's limit on wrong ones", async () => {
    const person = await t.signUp();
    for (let n = 0; n < 6; n++) await t.logIn(person);
    const wrong = () => t.refusal("login", { body: { email: person.email, password: "wrong horse" }, from: "10.1.0.1" });
    expect([(await wrong()).code, (await wrong()).code, (await wrong()).code]).toEqual([1001, 1001, 1429]);
  });

  it("may use its mailed links without limit", async () => {
    const person = await t.signUp();
    const links = createLinks(testSettings().secretKeys, t.world);
    for (let n = 0; n < 6; n++) {
      const id = await t.store.write((queries) => links.create(queries, "login", { accountUuid: person.uuid, email: person.email }));
      await t.call("token", { body: { token: (await links.tokenOf(t.store.read, id)) ?? "" } });
    }
    const wrong = () => t.refusal("token", { body: { email: person.email, code: "000000" } });
    expect([(await wrong()).code, (await wrong()).code, (await wrong()).code]).toEqual([1004, 1004, 1429]);
  });

  it("of a hundred may answer questions at the same time", async () => {
    const token = (await t.logIn(await t.signUp())).token;
    const devices = Array.from({ length: 100 }, () => t.world.uuid());
    const refused: string[] = [];
    const count = (call: string, { statusCode }: { readonly statusCode: number }) => statusCode === 429 && refused.push(call);
    // An answer every six seconds: shown and answered, and saved by those who have signed up. Each account has its own limit on saves, of 120.
    for (const device of devices) {
      const shown = { eventType: "QuestionnaireQuestionShown", payload: { questionnaire: "76", questionId: 2 } };
      const events = Array.from({ length: 20 }, () => ({ ...shown, id: t.world.uuid(), at: new Date(t.world.now()).toISOString() }));
      count("sendEvent", await t.send("sendEvent", { body: { events }, headers: { "x-device-id": device } }));
      const consent = { id: t.world.uuid(), at: new Date(t.world.now()).toISOString(), textVersion: "2026-01-01", source: "banner" };
      const categories = { functional: true, analytics: true, marketing: false };
      count("consent", await t.send("consent", { body: { ...consent, categories }, headers: { "x-device-id": device } }));
      for (let n = 0; n < 10; n++) count("save", await t.send("questionnairePost", { token, body: {} }));
    }
    expect(refused).toEqual([]);
  });

  it.each([
    ["allowed statistics", true],
    ["declined statistics, so that it has no journey", false],
  ])(
    "may sign up beyond its network's limit after the server has known the visit for a minute: one that %s",
    async (_visit, sendsEvents) => {
      const device = t.world.uuid();
      const headers = { "x-device-id": device };
      const payload = { questionnaire: "76", questionId: 2, optionId: 20 };
      const event = { id: t.world.uuid(), eventType: "QuestionnaireAnswer", at: new Date(t.world.now()).toISOString(), payload };
      if (sendsEvents) await t.call("sendEvent", { body: { events: [event] }, headers });
      else await t.call("config", { query: { version: "v5.7.8", uiLanguage: "es-419" }, headers });
      const signUp = async (given?: Readonly<Record<string, string>>) => {
        const uuid = t.world.uuid();
        const body = {
          uuid,
          email: `${uuid}@example.com`,
          password: "correct horse",
          uiLanguage: "es-419",
          questionnaire: "76",
          version: "v5.7.8",
        };
        return (await t.send("signup", { body, ...(given === undefined ? {} : { headers: given }) })).statusCode;
      };
      expect([await signUp(), await signUp(), await signUp(), await signUp(headers)]).toEqual([200, 200, 429, 429]);
      t.world.pass(60_001);
      expect([await signUp(headers), await signUp(headers), await signUp()]).toEqual([200, 200, 429]);
      expect(await signUp({ "x-device-id": t.world.uuid() })).toBe(429);
    },
  );
});

describe("whoever uses up the limits of an address", () => {
  const shared = { from: "203.0.113.7" };
  let t: TestApp;
  beforeEach(async () => {
    t = await createTestApp({ database: "sqlite" });
  });
  afterEach(() => t.close());
  const codeOf = async (endpoint: Endpoint, input: Parameters<TestApp["send"]>[1]) =>
    (await t.send(endpoint, { ...shared, ...input })).json<{ readonly code?: number }>().code;
  const useUp = async (endpoint: Endpoint, input: Parameters<TestApp["send"]>[1] = { body: {} }) => {
    for (let n = 0; n < 200; n++) if ((await codeOf(endpoint, input)) === 1429) return;
    throw new Error(`${endpoint} has no limit`);
  };

  it("without a session keeps nobody behind that address from paying", async () => {
    const { token } = await t.logIn(await t.signUp());
    for (const endpoint of ["payLink", "createTransaction"] as const) await useUp(endpoint);
    const order = { token, body: { pricingId: "none" } };
    for (let n = 0; n < 10; n++) expect(await codeOf("createTransaction", order)).toBe(1200);
  });

  it("with a session keeps no other account from paying, and may not go on", async () => {
    const stranger = await t.logIn(await t.signUp());
    const { token } = await t.logIn(await t.signUp());
    await useUp("createTransaction", { token: stranger.token, body: {} });
    expect(await codeOf("createTransaction", { token, body: { pricingId: "none" } })).toBe(1200);
    expect(await codeOf("createTransaction", { token: stranger.token, body: { pricingId: "none" } })).toBe(1429);
  });

  it("ends no sessions behind that address", async () => {
    const { refreshToken } = await t.logIn(await t.signUp());
    await useUp("refresh", { body: { refreshToken: "a".repeat(43) } });
    const renewed = await t.call("refresh", { ...shared, body: { refreshToken } });
    expect(await codeOf("refresh", { body: { refreshToken: renewed.refreshToken } })).toBeUndefined();
    expect(await codeOf("refresh", { body: { refreshToken: "b".repeat(43) } })).toBe(1429);
  });

  it.each([
    ["token", "login", "token", {}],
    ["confirmEmail", "confirm", "confirmToken", {}],
    ["confirmEmail", "change", "confirmToken", {}],
    ["resetLink", "reset", "token", {}],
    ["resetPassword", "reset", "token", { password: "correct horse" }],
    ["undoEmail", "undo", "token", {}],
    ["keepSubscription", "keep", "token", {}],
  ] as const)("keeps nobody behind that address from %s by a mailed link (%s)", async (endpoint, purpose, field, more) => {
    const { uuid: accountUuid, email } = await t.signUp();
    const links = createLinks(testSettings().secretKeys, t.world);
    const id = await t.store.write((queries) => links.create(queries, purpose, { accountUuid, email }));
    const token = await links.tokenOf(t.store.read, id);
    await useUp(endpoint, { body: { [field]: "a".repeat(43), ...more } });
    expect(await codeOf(endpoint, { body: { [field]: token, ...more } })).not.toBe(1429);
    expect(await codeOf(endpoint, { body: { [field]: "b".repeat(43), ...more } })).toBe(1429);
  });
});

describe("networks of IPv6", () => {
  const from = (site: number, network: number) => `2001:db8:${site.toString(16)}:${network.toString(16)}::1`;

  it("of one /48 pay more as more of them try: 75 tries in total where one network has ten, and another /48 has its own", async () => {
    const t = await createTestApp({ database: "sqlite" });
    const ask = async (address: string) => (await t.send("checkEmail", { body: {}, from: address })).statusCode;
    const answers: number[] = [];
    for (let n = 0; n < 80; n++) answers.push(await ask(from(1, n)));
    expect(answers.map((code) => code === 429)).toEqual(Array.from({ length: 80 }, (_, n) => n >= 75));
    expect(await ask(from(2, 0))).toBe(422);
    // One network's tries cost its neighbors nothing.
    for (let n = 0; n < 300; n++) await ask(from(3, 1));
    expect(await ask(from(3, 2))).toBe(422);
    await t.close();
  });
});

it("networks of one /48 get back what they paid: their right passwords never count, also when wrong ones have raised the price", async () => {
  const t = await createTestApp({ database: "sqlite", settings: { limits: { "login.network": { points: 2, seconds: 900 } } } });
  const { email, password } = await t.signUp();
  const logIn = async (network: number, tried: string) =>
    (await t.send("login", { body: { email, password: tried }, from: `2001:db8:1:${network.toString(16)}::1` })).statusCode;
  for (let n = 0; n < 10; n++) expect(await logIn(n, "wrong horse")).toBe(401);
  for (let n = 0; n < 40; n++) expect([n, await logIn(100 + n, password)]).toEqual([n, 200]);
  await t.close();
});

describe("limits counted in memory, when very many networks call,", () => {
  const most = long ? keysKept : keysKept / 10;
  const known = "203.0.113.7";
  let t: TestApp;
  const ask = async (from: string) => (await t.send("checkEmail", { body: {}, from })).statusCode;
  const askFrom = async (address: (n: number) => string, times: number) => {
    for (let n = 0; n < times; n++) await ask(address(n));
  };
  beforeEach(async () => {
    const limits = { "bodies.network": { points: 10 * most, seconds: 10 } };
    t = await createTestApp({ database: "sqlite", settings: { limits }, parts: { counters: countersInMemory(most) } });
    await askFrom(() => known, 10);
    expect(await ask(known)).toBe(429);
  });
  afterEach(() => t.close());

  it("take limited memory: they forget those that have not called for longest, and none that goes on calling", async () => {
    const insistent = "203.0.113.8";
    await askFrom(() => insistent, 10);
    for (let n = 0; n < most; n++) {
      await ask(`10.0.${n >> 8}.${n & 255}`);
      if (n % (most / 20) === 0) expect(await ask(insistent)).toBe(429);
    }
    expect(await ask(insistent)).toBe(429);
    expect(await ask(known), "the counters of each network that ever called are still in memory").toBe(422);
  });
  it("forget nobody because of one /48: once its points are used up, its networks leave no counters", async () => {
    await askFrom((n) => `2001:db8:1:${n.toString(16)}::1`, most);
    expect(await ask(known)).toBe(429);
  });
});

it("the response time of a link request or a code does not reveal whether an account exists", async () => {
  const t = await createTestApp({ database: "sqlite", parts: ({ world }) => ({ world: { ...world, wait: sleep } }) });
  const person = await t.signUp();
  for (const email of [person.email, "nobody@example.com"])
    for (const [endpoint, body] of [
      ["loginLink", { email }],
      ["forgotPassword", { email }],
      ["token", { email, code: "000000" }],
    ] as const) {
      const began = performance.now();
      await t.send(endpoint, { body });
      expect(performance.now() - began).toBeGreaterThan(99);
    }
  await t.close();
});

describe("limits per account or address", () => {
  let t: TestApp;
  beforeEach(async () => {
    t = await createTestApp({ database: "sqlite", settings: { limits: { "questionnaire.network": { points: 10_000, seconds: 60 } } } });
  });
  afterEach(() => t.close());

  describe.each(["loginLink", "forgotPassword"] as const)("%s, with the same answer each time,", (endpoint) => {
    /** The mails sent to an address after each of 15 requests, one a minute: 7 from one network, 7 from a second, 1 from a third. */
    const mailedBy = async (email: string): Promise<number[]> => {
      vi.useFakeTimers({ toFake: ["setTimeout", "Date"] });
      try {
        const counts: number[] = [];
        for (let n = 0; n < 15; n++) {
          for (let again = 0; again < 2; again++)
            expect((await t.send(endpoint, { body: { email }, from: `203.0.113.${Math.floor(n / 7)}` })).statusCode).toBe(202);
          const mails = t.store.read.selectFrom("mail_outbox").where("recipient", "=", email).where("template", "in", links);
          counts.push((await mails.select("id").execute()).length);
          vi.advanceTimersByTime(60_001);
        }
        return counts;
      } finally {
        vi.useRealTimers();
      }
    };
    const links = ["loginLink", "resetPassword", "loginUnknown"];

    it("sends one mail a minute and five an hour per network, and ten an hour per confirmed address", async () => {
      const { uuid, email } = await t.signUp();
      await t.store.write((queries) =>
        queries.updateTable("accounts").set({ email_confirmed_at: t.world.now() }).where("uuid", "=", uuid).execute(),
      );
      expect(await mailedBy(email)).toEqual([1, 2, 3, 4, 5, 5, 5, 6, 7, 8, 9, 10, 10, 10, 10]);
    });

    it("sends one mail a minute and five an hour to an address without an account", async () => {
      expect(await mailedBy("often@example.com")).toEqual([1, 2, 3, 4, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5]);
    });
  });

  it("an account can be exported five times an hour", async () => {
    const { token } = await t.logIn(await t.signUp());
    for (let n = 0; n < 5; n++) await t.call("accountExport", { token });
    expect(await t.refusal("accountExport", { token })).toMatchObject({ code: 1429, retryAfter: expect.closeTo(3_600, -2) });
  });

  it("after the clock was set back a day, nobody waits for a day, and those who have waited may try", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "Date"] });
    try {
      const person = await t.signUp();
      const { token } = await t.logIn(person);
      for (let n = 0; n < 5; n++) await t.call("accountExport", { token });
      const wrong = { body: { email: person.email, password: "wrong horse" }, from: "203.0.113.9" };
      for (let n = 0; n < 11; n++) await t.send("login", wrong);
      vi.setSystemTime(Date.now() - 24 * 3_600_000);
      expect(await t.refusal("accountExport", { token })).toMatchObject({ code: 1429, retryAfter: 3_600 });
      expect((await t.refusal("login", wrong)).retryAfter).toBeLessThanOrEqual(900);
      vi.advanceTimersByTime(3_600_000);
      await t.call("accountExport", { token });
      expect(await t.refusal("login", wrong)).toMatchObject({ code: 1001 });
    } finally {
      vi.useRealTimers();
    }
  });

  it("an account may change its address five times an hour", async () => {
    const person = await t.signUp();
    const { token } = await t.logIn(person);
    const to = (n: number) => ({ token, body: { email: `new${n}@example.com` }, headers: t.deviceOf(person) });
    for (let n = 0; n < 5; n++) await t.call("updateEmail", to(n));
    expect(await t.refusal("updateEmail", to(5))).toMatchObject({ code: 1429, retryAfter: expect.closeTo(3_600, -2) });
  });

  it("an account has 60 small writes a minute in total, and only those that change something leave a row", async () => {
    const { token } = await t.logIn(await t.signUp());
    for (let n = 0; n < 30; n++) {
      await t.call("updateName", { token, body: { firstname: `Ana ${n}` } });
      await t.call("marketingConsent", { token, body: { consent: true } });
    }
    expect(await t.refusal("marketingConsent", { token, body: { consent: false } })).toMatchObject({ code: 1429 });
    expect(await t.store.read.selectFrom("marketing_consents").select("consent").execute()).toEqual([{ consent: 1 }]);
  });

  it("every call that writes with a token has a limit per account", () => {
    // These count in their handlers.
    const countsItself = [
      "questionnairePost",
      "updateEmail",
      "payLink",
      "payLinkMail",
      "planMail",
      "createTransaction",
      "subscriptionChange",
      "subscriptionCard",
      "accountErase",
    ];
    const writesNothingNew = ["logout", "courseFee", "paymentStatus"];
    const uncounted = Object.entries(endpoints).flatMap(([key, { method, auth }]) =>
      auth === "bearer" && method !== "GET" && !(key in accountLimitOf) ? [key] : [],
    );
    expect(
      uncounted.filter((key) => ![...countsItself, ...writesNothingNew].includes(key)),
      "each such call has a row in accountLimitOf (base/limits.ts), or counts in its handler and stands in `countsItself` of this test",
    ).toEqual([]);
  });

  it("a visitor's state can be saved 120 times a minute", async () => {
    const person = await t.signUp();
    const { token } = await t.logIn(person);
    for (let n = 0; n < 120; n++)
      expect((await t.send("questionnairePost", { token, body: { state: emptySavedState } })).statusCode).toBe(200);
    expect(await t.refusal("questionnairePost", { token, body: { state: emptySavedState } })).toMatchObject({ code: 1429 });
  });

  it("a network may send 3,000 events a minute, in batches or not", async () => {
    const event = () => ({ id: t.world.uuid(), eventType: "ChatbotOpen", at: "2026-11-20T12:00:00Z", payload: {} });
    for (let n = 0; n < 30; n++) await t.call("sendEvent", { body: { events: Array.from({ length: 100 }, event) } });
    expect(await t.refusal("sendEvent", { body: event() })).toMatchObject({ code: 1429 });
  });
});

describe("the growing delay of failed logins", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("allows ten tries, then one after 1, 2, 4 and 8 minutes, then one every 15 minutes", async () => {
    const limits = createLimits({});
    const guess = { email: "a@example.com", guesser: "203.0.113.1", proven: false };
    const waits: (number | undefined)[] = [];
    for (let n = 0; n < 10; n++) expect(await limits.takeLogin(guess)).toBeNull();
    for (let n = 0; n < 6; n++) {
      const refusal = await limits.takeLogin(guess);
      waits.push(refusal?.retryAfterSeconds);
      vi.advanceTimersByTime((refusal?.retryAfterSeconds ?? 0) * 1_000);
      expect(await limits.takeLogin(guess)).toBeNull();
    }
    expect(waits).toEqual([60, 120, 240, 480, 900, 900]);
    await limits.loginSucceeded(guess);
    for (let n = 0; n < 10; n++) expect(await limits.takeLogin(guess)).toBeNull();
  });
});

it("every limit per network is in the table and can be changed by its name", async () => {
  const limits = createLimits({ "check-email.network": { points: 1, seconds: 60 } });
  expect(await limits.take("check-email.network", "a")).toBeNull();
  expect(await limits.take("check-email.network", "a")).toMatchObject({ code: 1429, retryAfterSeconds: 60 });
  const names: readonly LimitName[] = Object.values(networkLimitOf);
  for (const name of names) expect(await createLimits({}).take(name, "b")).toBeNull();
});

it.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0db8:0001:0002::9", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["203.0.113.7:51234", "203.0.113.7"],
  ["[2001:db8::1]:51234", "2001:db8:0:0::/64"],
  ["[2001:db8::1]", "2001:db8:0:0::/64"],
])("the network of %s is %s", (ip, network) => {
  expect(networkOf(ip)).toBe(network);
});
