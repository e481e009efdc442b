/** Every call by every kind of caller. A call without a row does not compile; a route without a row fails. */
import * as codes from "#core/errorCodes.ts";
import { type Endpoint, endpoints, type EndpointSpec } from "#core/api.ts";
import { releaseModules } from "#core/page.ts";
import { accessTokenSeconds } from "#server/accounts/accessTokens.ts";
import { createLinks } from "#server/mail/links.ts";
import { apiPrefix } from "#server/calls.ts";
import { studioApiPrefix } from "#server/studioCalls.ts";
import { studioCalls } from "#studio/contract.ts";
import { createTestApp, type Person, type TestApp, testSettings, sampledDatabases } from "#test/app.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptySavedState } from "#test/savedState.ts";

const actors = [
  "anonymous",
  /** A caller who knows only the owner's uuid. */
  "uuid owner",
  "other user",
  "unconfirmed",
  "confirmed",
  "entitled",
  "expired",
  "revoked",
  "refresh-as-access",
  "erased",
  "operator",
] as const;
type Actor = (typeof actors)[number];
const withAccount: ReadonlySet<Actor> = new Set(["other user", "unconfirmed", "confirmed", "entitled"]);

/**
 * `open`: for everybody. `account`: for callers with a valid token, about their own account. `owner`: the call names a uuid, and only its account may
 * call. `signed`: for callers with a valid signature; tokens do not count.
 */
type Rule = "open" | "account" | "owner" | "signed";

interface Row {
  readonly rule: Rule;
  readonly body?: (owner: Person) => object;
  readonly query?: (owner: Person) => Readonly<Record<string, string>>;
}

const state = (owner: Person) => ({ ...emptySavedState, user: { uuid: owner.uuid } });
const purchase = () => ({ productId: "p", returnPath: "/x", paymentProvider: "paddlebilling", language: "es-419" });

const table: { readonly [K in Endpoint]: Row } = {
  geo: { rule: "open" },
  config: { rule: "open", query: () => ({ version: "v5.7.8", uiLanguage: "es-419" }) },
  checkEmail: { rule: "open", body: () => ({ email: "free@example.com" }) },
  signup: { rule: "open" },
  login: { rule: "open" },
  refresh: { rule: "open" },
  loginLink: { rule: "open" },
  token: { rule: "open" },
  confirmEmail: { rule: "open" },
  confirmByCode: { rule: "account", body: () => ({ code: "12345" }) },
  undoEmail: { rule: "open" },
  keepSubscription: { rule: "open" },
  forgotPassword: { rule: "open" },
  resetLink: { rule: "open" },
  resetPassword: { rule: "open" },
  sendEvent: { rule: "open" },
  consent: { rule: "open" },
  contractNotice: { rule: "open" },
  reportError: { rule: "open" },
  products: { rule: "open" },
  questionnaireGet: { rule: "owner", query: ({ uuid }) => ({ uuid }) },
  questionnairePost: { rule: "owner", body: (owner) => ({ state: state(owner) }) },
  studySchedule: {
    rule: "owner",
    body: ({ uuid }) => ({ uuid, id: 1, months: 3, practiseDaysPerWeek: 5, minutesPerSession: 30, days: [0] }),
  },
  popup: { rule: "owner", body: ({ uuid }) => ({ uuid, questionnaire: "76", popupId: "MarketingConsent" }) },
  logout: { rule: "account", body: () => ({}) },
  updateName: { rule: "account", body: () => ({ firstname: "Ana" }) },
  email: { rule: "account" },
  updateEmail: { rule: "account", body: () => ({ email: "not an address" }) },
  marketingConsent: { rule: "account", body: () => ({ consent: true }) },
  courseFee: { rule: "account", body: () => ({ attributes: { questionnaire: "76", locale: "es-419", country: "MX" } }) },
  payLink: { rule: "account", body: purchase },
  payLinkMail: { rule: "account", body: purchase },
  planMail: { rule: "account", body: () => ({ language: "es-419", questionnaire: "76", question: "80" }) },
  createTransaction: { rule: "account", body: () => ({ pricingId: "p" }) },
  paymentStatus: { rule: "account", body: () => ({ paymentId: "", paymentProvider: "paddlebilling" }) },
  entitlement: { rule: "account" },
  subscription: { rule: "account" },
  subscriptionChange: { rule: "account", body: () => ({ action: "cancel" }) },
  subscriptionCard: { rule: "account", body: () => ({}) },
  sessions: { rule: "account" },
  endSessions: { rule: "account", body: () => ({ id: "0b0d1c3e-5d9b-4c58-9d3e-1f1e0a6a7b11" }) },
  accountExport: { rule: "account" },
  accountErase: { rule: "account", body: () => ({}) },
  webhookPaddleBilling: { rule: "signed", body: () => ({}) },
  webhookPaddleClassic: { rule: "signed", body: () => ({}) },
};
const keys = Object.keys(endpoints).filter((key): key is Endpoint => Object.hasOwn(table, key));
/** Other routes. Their own tests (operations, pages) check who may use them. */
const others = [
  "GET /healthz",
  "GET /readyz",
  "GET /readyz/calls",
  "GET /metrics",
  "GET /proxies",
  `GET ${apiPrefix}/openapi.json`,
  // The files and pages that are the same for everybody.
  ...releaseModules.map((module) => `GET /releases/:release/${module}-:locale.js`),
  "GET *",
  // One page, the same for everybody. studioCalls.test.ts tests its calls with every role.
  "GET /studio",
  "GET /studio/",
  "GET /studio/*",
  ...Object.entries(studioCalls).map(([key, { method }]) => `${method} ${studioApiPrefix}/${key}`),
];

const wide = { points: 1_000_000, seconds: 60 };
const limits = Object.fromEntries(
  [
    "signup",
    "login",
    "login-link",
    "forgot-password",
    "token",
    "reset-password",
    "check-email",
    "refresh",
    "questionnaire",
    "report-error",
    "payment",
  ].map((name) => [`${name}.network`, wide]),
);

describe.each(sampledDatabases)("who may call what, on %s", (database) => {
  let t: TestApp;
  let owner: Person;
  const tokens = new Map<Actor, string>();

  beforeAll(async () => {
    t = await createTestApp({ database, settings: { limits, metricsToken: "metrics-token-of-the-operator" } });
    owner = await t.signUp();
    const account = async (): Promise<Person> => t.signUp();
    const tokenOf = async (person: Person) => (await t.logIn(person)).token;
    const expired = await tokenOf(await account());
    t.world.pass(accessTokenSeconds * 1_000);
    tokens.set("expired", expired);
    tokens.set("other user", await tokenOf(await account()));
    tokens.set("unconfirmed", await tokenOf(await account()));
    const confirmed = await account();
    await t.store.write((queries) =>
      queries.updateTable("accounts").set({ email_confirmed_at: 1 }).where("uuid", "=", confirmed.uuid).execute(),
    );
    tokens.set("confirmed", await tokenOf(confirmed));
    tokens.set("entitled", await tokenOf(await account()));
    const revoked = await t.logIn(await account());
    await t.call("logout", { token: revoked.token, body: {} });
    tokens.set("revoked", revoked.token);
    tokens.set("refresh-as-access", (await t.logIn(await account())).refreshToken);
    const leaver = await account();
    const left = await tokenOf(leaver);
    await t.call("accountErase", { token: left, body: { password: leaver.password } });
    tokens.set("erased", left);
    tokens.set("operator", "metrics-token-of-the-operator");
  });
  afterAll(() => t.close());

  it("names in each call's row the errors of its input and of its session", () => {
    const missing = Object.entries<EndpointSpec>(endpoints).flatMap(([key, { auth, body, query, errors }]) => [
      ...((body ?? query) !== undefined && auth !== "signature" && !errors.includes(codes.invalidInput) ? [`${key}: invalidInput`] : []),
      ...(auth === "bearer" && !errors.includes(codes.invalidAccessToken) ? [`${key}: invalidAccessToken`] : []),
    ]);
    expect(missing, "add these to `errors` of the call's row in core/api.ts").toEqual([]);
  });

  it("covers every route", () => {
    const known = new Set([
      ...keys.map((key) => `${endpoints[key].method} ${endpoints[key].at === "site" ? "" : `${apiPrefix}/`}${endpoints[key].path}`),
      ...others,
    ]);
    const routes: string[] = [];
    const above: string[] = [];
    for (const line of t.app.printRoutes({ commonPrefix: false }).split("\n")) {
      const found = /^([\s│]*)[├└]── (\S+)(?: \(([A-Z, ]+)\))?/.exec(line);
      if (!found) continue;
      const depth = (found[1] ?? "").length / 4;
      above.length = depth;
      above.push(found[2] ?? "");
      const path = above.join("").replaceAll("//", "/");
      for (const method of (found[3] ?? "").split(", "))
        if (method !== "HEAD" && method !== "OPTIONS" && method !== "") routes.push(`${method} ${path}`);
    }
    // The catch-all routes answer 404 and 405 to everybody.
    const catchAll = new RegExp(`^\\w+ (?:${apiPrefix}|${studioApiPrefix})(/|/\\*)?$`);
    const untold = routes.filter((route) => !known.has(route) && !catchAll.test(route));
    expect(untold, "each call has a row in `table`, any other route one in `others`, in this test").toEqual([]);
    expect(routes.length).toBeGreaterThan(keys.length);
  });

  const rows = keys.flatMap((key) => actors.map((actor) => ({ key, actor, ...table[key] })));
  it.each(rows)("$key called by: $actor", async ({ key, actor, rule, body, query }) => {
    const spec: EndpointSpec = endpoints[key];
    const token = tokens.get(actor);
    const response = await t.send(key, {
      ...(token === undefined ? {} : { token }),
      ...(spec.body ? { body: body?.(owner) ?? {} } : {}),
      ...(query ? { query: query(owner) } : {}),
    });
    const { code } = response.statusCode < 400 ? { code: 0 } : response.json();
    if (rule === "signed") expect([response.statusCode, code]).toEqual([401, 1401]);
    else if (rule === "open") expect([1002, 1403, 1401, 1404, 1500]).not.toContain(code);
    else if (!withAccount.has(actor)) expect([response.statusCode, code]).toEqual([401, 1002]);
    else if (rule === "owner") expect([response.statusCode, code]).toEqual([403, 1403]);
    else expect([1002, 1403, 1404, 1500]).not.toContain(code);
    // `logout` has ended this caller's session: sign in again for the next row.
    if (key === "logout" && withAccount.has(actor)) tokens.set(actor, (await t.logIn(await t.signUp())).token);
  });

  it("the owner's calls succeed where a stranger's do not", async () => {
    const { token } = await t.logIn(owner);
    for (const key of keys.filter((one) => table[one].rule === "owner")) {
      const { body, query } = table[key];
      const response = await t.send(key, { token, ...(body ? { body: body(owner) } : {}), ...(query ? { query: query(owner) } : {}) });
      expect([key, response.statusCode]).toEqual([key, 200]);
    }
  });

  it("metrics require the operator's token; an account's token does not work", async () => {
    const ask = (authorization: string | undefined) =>
      t.app.inject({
        url: "/metrics",
        remoteAddress: "203.0.113.9",
        headers: authorization === undefined ? {} : { authorization: `Bearer ${authorization}` },
      });
    expect((await ask(tokens.get("operator"))).statusCode).toBe(200);
    for (const actor of ["anonymous", "confirmed", "entitled"] as const) expect((await ask(tokens.get(actor))).statusCode).toBe(404);
  });

  describe("fields that no caller may set", () => {
    /** The columns of `accounts` that the calls with the bodies of `table` change rightly. */
    const changed = { firstname: "Ana", marketing_consent: 1 };
    const added = {
      role: "admin",
      uuid: "20000000-0000-4000-8000-000000000009",
      userId: "20000000-0000-4000-8000-000000000009",
      account_uuid: "20000000-0000-4000-8000-000000000009",
      entitlement: { status: "active", end: "2099-01-01T00:00:00Z" },
      entitlementExists: true,
      emailConfirmed: true,
      email_confirmed_at: 1,
      price: 1,
      createdAt: "1999-01-01T00:00:00Z",
      created_at: 1,
      id: "20000000-0000-4000-8000-000000000009",
      password_hash: "x",
    };
    it("are ignored on sign-up", async () => {
      const person = { uuid: t.world.uuid(), email: "mass@example.com", password: "correct horse" };
      await t.call("signup", { body: { ...added, ...person, uiLanguage: "es-419", questionnaire: "76", version: "v5.7.8" } });
      expect(await t.store.read.selectFrom("accounts").selectAll().where("email", "=", person.email).executeTakeFirst()).toMatchObject({
        uuid: person.uuid,
        email_confirmed_at: null,
        created_at: t.world.now(),
      });
      expect((await t.logIn(person)).features.questionnaire.entitlementExists).toBe(false);
    });

    it("are refused when they try to reach an object's prototype", async () => {
      for (const body of [
        '{"__proto__":{"isAdmin":true},"email":"a@example.com"}',
        '{"constructor":{"prototype":{"isAdmin":true}},"email":"a@example.com"}',
      ]) {
        const response = await t.app.inject({
          method: "POST",
          url: "/api/check-email",
          headers: { "content-type": "application/json" },
          payload: body,
        });
        expect(response.statusCode).toBe(400);
      }
      expect(Reflect.has({}, "isAdmin")).toBe(false);
    });

    it("are ignored on any call of an account", async () => {
      const person = await t.signUp();
      const { token } = await t.logIn(person);
      const before = await t.store.read.selectFrom("accounts").selectAll().where("uuid", "=", person.uuid).executeTakeFirstOrThrow();
      for (const key of keys.filter(
        (one) => ["account", "owner"].includes(table[one].rule) && one !== "logout" && one !== "accountErase",
      )) {
        const { body, query } = table[key];
        if (!body) continue;
        await t.send(key, { token, body: { ...added, ...body(person) }, ...(query ? { query: query(person) } : {}) });
      }
      const after = await t.store.read.selectFrom("accounts").selectAll().where("uuid", "=", person.uuid).executeTakeFirstOrThrow();
      expect(
        after,
        "a column that a call changes rightly stands in `changed` of this test, with the value of the call's row in `table`",
      ).toEqual({
        ...before,
        ...changed,
        updated_at: after.updated_at,
      });
      expect(await t.call("entitlement", { token })).toEqual({ entitlements: [] });
      expect(Reflect.has({}, "isAdmin")).toBe(false);
    });
  });

  it("a login link opens one account and no other", async () => {
    const [one, two] = [await t.signUp(), await t.signUp()];
    const links = createLinks(testSettings().secretKeys, t.world);
    const id = await t.store.write((queries) => links.create(queries, "login", { accountUuid: one.uuid, email: one.email }));
    const session = await t.call("token", { body: { token: await links.tokenOf(t.store.read, id) } });
    expect(await t.refusal("questionnaireGet", { token: session.token, query: { uuid: two.uuid } })).toMatchObject({ code: 1403 });
    expect(await t.call("accountExport", { token: session.token })).toMatchObject({ account: { uuid: one.uuid } });
  });
});
