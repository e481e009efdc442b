/** Attackers' input, generated from pieces. It gives no access, breaks nothing and leaves nothing behind. */
import { endpoints, type EndpointSpec } from "#core/api.ts";
import { accessTokenSeconds } from "#server/accounts/accessTokens.ts";
import { keysFor } from "#server/base/keys.ts";
import { createPaddleBilling } from "#server/payments/paddleBilling.ts";
import { createPaddleClassic } from "#server/payments/paddleClassic.ts";
import { createPayments } from "#server/payments/payments.ts";
import { signature } from "#standins/paddle/deliveries.ts";
import { createTestApp, databases, sampledDatabases, type Person, type TestApp, testSettings } from "#test/app.ts";
import { randomCalls } from "#test/randomCalls.ts";
import { SignJWT } from "jose";
import { createHmac, generateKeyPairSync } from "node:crypto";
import { gzipSync } from "node:zlib";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const wide = { points: 1_000_000, seconds: 600 };
const json = { "content-type": "application/json" };

describe("calls with", () => {
  let t: TestApp;
  let person: Person;
  beforeAll(async () => {
    t = await createTestApp({
      database: "sqlite",
      settings: { limits: { "bodies.network": wide, "check-email.network": wide, "update-email.account": wide } },
    });
    person = await t.signUp();
  });
  afterAll(async () => {
    // The server still works afterwards.
    await t.logIn(person);
    await t.close();
  });

  it("60 origins that resemble ours are refused and cannot read answers", async () => {
    const frames = [
      (host: string) => `https://${host}.evil.example`,
      (host: string) => `https://evil${host}`,
      (host: string) => `http://${host}`,
      (host: string) => `https://${host}:8443`,
      (host: string) => `https://${host}.`,
      (host: string) => `https://${host}/`,
      (host: string) => `https://${host} `,
      (host: string) => `https://${host}, https://${host}`,
      (host: string) => `https://user@${host}`,
      (host: string) => `https://${host}@evil.example`,
      (host: string) => `https://${host}%00.evil.example`,
      (host: string) => `https://${host}\\.evil.example`,
      (host: string) => `HTTPS://${host}`,
      (host: string) => `//${host}`,
      (host: string) => host,
      (host: string) => `https://www.${host}`,
      (host: string) => `https://${host}_.evil.example`,
      (host: string) => `https://${host}?`,
      (host: string) => `null https://${host}`,
    ];
    const hosts = ["parlando.example", "PARLANDO.example", "parlando%2eexample"];
    const origins = [...new Set([...hosts.flatMap((host) => frames.map((frame) => frame(host))), "null", "*", "", "file://", "undefined"])];
    expect(origins.length).toBeGreaterThanOrEqual(60);
    for (const origin of origins) {
      const asked = { origin, "access-control-request-method": "POST" };
      const preflight = await t.app.inject({ method: "OPTIONS", url: "/api/check-email", headers: asked });
      const headers = { ...json, origin, "sec-fetch-site": "cross-site" };
      const sent = await t.app.inject({ method: "POST", url: "/api/check-email", headers, payload: '{"email":"free@example.com"}' });
      expect([origin, sent.statusCode]).toEqual([origin, 403]);
      for (const answer of [preflight, sent]) expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
    }
  });

  it("100 foreign tokens give no access", async () => {
    const { token, refreshToken } = await t.logIn(person);
    const [head = "", payload = "", seal = ""] = token.split(".");
    const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const claims: Record<string, unknown> = JSON.parse(Buffer.from(payload, "base64url").toString());
    const secrets = testSettings().secretKeys;
    const [access = Buffer.alloc(0)] = keysFor("access", secrets);
    const pairs = [generateKeyPairSync("rsa", { modulusLength: 2_048 }), generateKeyPairSync("ec", { namedCurve: "P-256" })];
    const hmac = (key: Buffer | string, header: object, body: object = claims, hash = "sha256") => {
      const told = `${encoded(header)}.${encoded(body)}`;
      return `${told}.${createHmac(hash, key).update(told).digest("base64url")}`;
    };
    const ours = { alg: "HS256", typ: "at+jwt" };
    const wrongKeys = [
      "",
      "secret",
      secrets[0] ?? "",
      ...keysFor("refresh", secrets),
      ...keysFor("link", secrets),
      Buffer.alloc(32),
      ...pairs.map(({ publicKey }) => publicKey.export({ type: "spki", format: "pem" })),
    ];
    const algorithms = ["none", "None", "NONE", "nOnE", "", "HS512", "HS1", "RS256", "ES256", "PS256", "dir", null, 5, ["HS256"]];
    const now = Math.floor(t.world.now() / 1_000);
    const changed: readonly object[] = [
      { sub: null },
      { sub: [person.uuid] },
      { sid: undefined },
      { sid: "x" },
      { sid: null },
      { sid: ["x"] },
      { iss: "evil" },
      { iss: undefined },
      { iss: ["parlando", "evil"] },
      { aud: "evil" },
      { aud: undefined },
      { aud: "parlando" },
      { exp: now },
      { exp: now - accessTokenSeconds },
      { exp: "9999999999" },
      { exp: undefined },
      { exp: null },
      { exp: -1 },
      { nbf: now + 60 },
      { nbf: "x" },
    ];
    const frames = (word: string) => [
      `Basic ${word}`,
      word,
      `Bearer  ${word}`,
      `Bearer ${word} x`,
      `Bearer ${word},`,
      `Bearer ${word}.`,
      `Bearer .${word}`,
      `Bearer "${word}"`,
      `Bearer ${word}=`,
      `Bearer ${word}\t`,
      `Bearer\t${word}`,
      `Token ${word}`,
      `Bearer ${word.toUpperCase()}`,
      `Bearer ${word.slice(1)}`,
      `Bearer ${word.slice(0, -4)}AAAA`,
      `Bearer ${word.replace(".", "..")}`,
      `Bearer Bearer ${word}`,
    ];
    const signed = await Promise.all(
      pairs.map(({ privateKey }, n) =>
        new SignJWT(claims).setProtectedHeader({ alg: n === 0 ? "RS256" : "ES256", typ: "at+jwt" }).sign(privateKey),
      ),
    );
    const headers = [
      ...frames(token),
      ...[
        ...algorithms.flatMap((alg) => [`${encoded({ ...ours, alg })}.${payload}.`, `${encoded({ ...ours, alg })}.${payload}.${seal}`]),
        ...wrongKeys.map((key) => hmac(key, ours)),
        ...wrongKeys.map((key) => hmac(key, { ...ours, jwk: { kty: "oct", k: Buffer.from(key).toString("base64url") } })),
        ...["JWT", "refresh+jwt", undefined, null].map((typ) => hmac(access, { ...ours, typ })),
        ...[
          { crit: ["x"], x: 1 },
          { b64: false, crit: ["b64"] },
        ].map((more) => hmac(access, { ...ours, ...more })),
        hmac(access, { ...ours, alg: "HS512" }, claims, "sha512"),
        ...changed.map((more) => hmac(access, ours, { ...claims, ...more })),
        ...["../../dev/null", "' OR 1=1", "x".repeat(900)].map((kid) => hmac("", { ...ours, kid })),
        ...signed,
        `${head}.${payload}.`,
        `${head}..${seal}`,
        `.${payload}.${seal}`,
        `${head}.${payload}.${"A".repeat(10_000_000)}`,
        `${"A".repeat(10_000_000)}.A.A`,
        `${".".repeat(100_000)}`,
        refreshToken,
        "null",
        "undefined",
        "{}",
        "__proto__",
      ].map((word) => `Bearer ${word}`),
    ];
    expect(new Set(headers).size).toBeGreaterThanOrEqual(100);
    const open = async (authorization: string) =>
      (await t.app.inject({ url: `/api/questionnaire?uuid=${person.uuid}`, headers: { authorization } })).statusCode;
    const opened: string[] = [];
    for (const header of headers) if ((await open(header)) !== 401) opened.push(header.slice(0, 200));
    expect(opened).toEqual([]);
    expect(await open(`Bearer ${token}`)).toBe(200);
  });

  it("80 attempts to reach every object's prototype fail", async () => {
    const { token } = await t.logIn(person);
    const keys = [
      "__proto__",
      "constructor",
      "prototype",
      "constructor.prototype",
      "\\u005f_proto__",
      "__proto__ ",
      "__PROTO__",
      "toString",
    ];
    const shapes = [
      (key: string) => `{"${key}":{"polluted":true},"email":"free@example.com"}`,
      (key: string) => `{"${key}":{"prototype":{"polluted":true}},"email":"free@example.com"}`,
      (key: string) => `{"email":{"${key}":{"polluted":true}}}`,
      (key: string) => `{"email":"free@example.com","x":[{"${key}":{"polluted":true}}]}`,
      (key: string) => `{"email":"free@example.com","${key}":null}`,
    ];
    const queries = (key: string) => [
      `${key}=x`,
      `${key}[polluted]=true`,
      `${key}.polluted=true`,
      `a[${key}][polluted]=true`,
      `${key}=1&${key}=2`,
    ];
    const cases = keys.flatMap((key) => [
      ...shapes.map((shape) => ({ url: "/api/update-email", payload: shape(key) })),
      ...queries(key).map((query) => ({ url: `/api/update-email?${encodeURI(query)}`, payload: '{"email":"free@example.com"}' })),
    ]);
    expect(cases).toHaveLength(80);
    for (const { url, payload } of cases) {
      const headers = { ...json, authorization: `Bearer ${token}` };
      const { statusCode } = await t.app.inject({ method: "POST", url, payload, headers });
      expect([url, payload, [200, 400, 422, 429].includes(statusCode)]).toEqual([url, payload, true]);
      expect(Reflect.has({}, "polluted")).toBe(false);
    }
    await t.call("updateEmail", { token, body: { email: person.email } });
  });

  it("60 malformed or oversized bodies are refused as such", async () => {
    const email = '{"email":"free@example.com"}';
    const nested = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`;
    const bad: readonly (string | Buffer)[] = [
      ...[1, 100, 10_000, 60_000].flatMap((depth) => [nested("[", "]", depth), nested('{"email":', "}", Math.min(depth, 20_000))]),
      "",
      " ",
      "\n",
      "{",
      "}",
      "[",
      '"',
      "'",
      "{]",
      "[}",
      "nul",
      "NaN",
      "Infinity",
      "undefined",
      "1 2",
      `${email}${email}`,
      `${email},`,
      "5",
      "-0",
      "1e999",
      "true",
      "false",
      "null",
      "[]",
      "{}",
      '""',
      `[${email}]`,
      JSON.stringify(email),

      '{"email":1}',
      '{"email":null}',
      '{"email":[]}',
      '{"email":{}}',
      '{"email":"\\u0000"}',
      '{"email":"\\ud800@example.com"}',
      '{"email":"\\"}',

      '{"email":"a@example.com","email":"b"}',
      "{'email':'a@example.com'}",
      "{email:1}",
      '{"email":"a@example.com",}',
      '/**/{"email":1}',
      Buffer.from([0xff, 0xfe, ...Buffer.from(email, "utf16le")]),
      Buffer.from(email, "utf16le"),
      Buffer.from('{"email":"\xc3\x28@example.com"}', "latin1"),
      Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80]),
      Buffer.from([0, 0, 0, 0]),
      Buffer.alloc(200_000, "["),
      Buffer.alloc(200_000, "9"),
      Buffer.alloc(300_000, " "),
      gzipSync(email),
      gzipSync(Buffer.alloc(50_000_000)),
      `{"email":"${"a".repeat(250_000)}"}`,
      `{${Array.from({ length: 20_000 }, (_, n) => `"k${n}":1`).join()}}`,
    ];
    expect(bad.length).toBeGreaterThanOrEqual(60);
    for (const payload of bad)
      for (const more of [{}, { "content-encoding": "gzip" }]) {
        const response = await t.app.inject({ method: "POST", url: "/api/check-email", headers: { ...json, ...more }, payload });
        expect([payload.slice(0, 40).toString(), [400, 413, 422].includes(response.statusCode)]).toEqual([
          payload.slice(0, 40).toString(),
          true,
        ]);
      }
    // A byte order mark at the beginning is ignored. Of two fields with one name, the last one counts.
    for (const payload of [`\ufeff${email}`, '{"email":"x","email":"free@example.com"}'])
      expect((await t.app.inject({ method: "POST", url: "/api/check-email", headers: json, payload })).statusCode).toBe(200);
  });
});

/** Microseconds of CPU time. The slow cases found so far took 300,000 and more. */
const mostCost = 100_000;

/**
 * Whether a request takes at least this much CPU time in each of five tries. On a busy machine a cheap request can look expensive once, but not five
 * times.
 */
async function isExpensive(
  request: () => Promise<{ readonly statusCode: number }>,
  isExpected: (status: number) => boolean,
  cost = mostCost,
): Promise<boolean> {
  for (let tries = 0; tries < 5; tries += 1) {
    const began = process.threadCpuUsage();
    const { statusCode } = await request();
    const { user, system } = process.threadCpuUsage(began);
    expect(statusCode).toSatisfy(isExpected);
    if (user + system < cost) return false;
  }
  return true;
}

it("an endless list costs no more than another refused body", async () => {
  const t = await createTestApp({ database: "sqlite" });
  const refused = (events: string) =>
    isExpensive(
      () => t.app.inject({ method: "POST", url: "/api/send-event", headers: json, payload: `{"events":${events}}` }),
      (status) => status === 422,
    );
  expect(await refused(`[${Array.from({ length: 80_000 }, () => "[]").join()}]`)).toBe(false);
  await t.close();
});

it.each(["constructor", "\\u0063onstructor", "__proto__"])("a large body with the key %s is refused before it is read", async (key) => {
  const t = await createTestApp({ database: "sqlite", settings: { limits: { "bodies.network": wide, "check-email.network": wide } } });
  const payload = `{"email":"free@example.com","x":[${Array.from({ length: 17_000 }, () => '{"a":{"b":0}}').join()}],"${key}":1}`;
  const refused = () => t.app.inject({ method: "POST", url: "/api/check-email", headers: json, payload });
  expect(await isExpensive(refused, (status) => status === 400, mostCost / 4)).toBe(false);
  await t.close();
});

it.each([
  ["a saved state", "questionnaire", (days: readonly unknown[]) => ({ state: { days, skillsToImprove: days.map(() => 1) } })],
  ["a study schedule", "study-schedule", (days: readonly unknown[]) => ({ days })],
])(
  "a long list in %s is refused by its first fault, so that a small body makes no large answer; a short one by all",
  async (_, path, bodyOf) => {
    const t = await createTestApp({ database: "sqlite" });
    const { token } = await t.logIn(await t.signUp());
    const refused = async (items: number) => {
      const payload = JSON.stringify(bodyOf(Array.from({ length: items }, () => "x")));
      const headers = { ...json, authorization: `Bearer ${token}` };
      const { statusCode, body } = await t.app.inject({ method: "POST", url: `/api/${path}`, headers, payload });
      expect(statusCode).toBe(422);
      return Object.keys(v.parse(v.object({ fields: v.record(v.string(), v.string()) }), JSON.parse(body)).fields).length;
    };
    expect(await refused(900)).toBe(1);
    expect(await refused(3)).toBeGreaterThanOrEqual(3);
    await t.close();
  },
);

it("an endless word costs no more than another word, in any field of any call", async () => {
  const t = await createTestApp({ database: "sqlite" });
  const { token } = await t.logIn(await t.signUp());
  const fieldsIn = (schema: unknown): readonly string[] =>
    v.is(v.object({ entries: v.looseObject({}) }), schema)
      ? Object.keys(schema.entries)
      : v.is(v.object({ options: v.array(v.unknown()) }), schema)
        ? schema.options.flatMap(fieldsIn)
        : [];
  // Accents above and below, which must be sorted; text to trim; text to split; text that grows when composed.
  const words = [`a${"\u0300\u0316".repeat(20_000)}`, `${" ".repeat(240_000)}x`, "a.@/-".repeat(48_000), "\ufdfa".repeat(80_000)];
  const dear: string[] = [];
  let asked = 0;
  const calls = Object.values<EndpointSpec>(endpoints).filter(({ path }) => path !== endpoints.logout.path);
  for (const { path, body, method } of calls)
    for (const field of fieldsIn(body))
      for (const [n, word] of words.entries()) {
        const remoteAddress = `2001:db8:${(asked++).toString(16)}::1`;
        const headers = { ...json, authorization: `Bearer ${token}` };
        const send = () =>
          t.app.inject({ method, url: `/api/${path}`, headers, remoteAddress, payload: JSON.stringify({ [field]: word }) });
        if (await isExpensive(send, (status) => status < 500 && status !== 429)) dear.push(`${path} ${field} ${n}`);
      }
  expect(asked).toBeGreaterThan(200);
  expect(dear).toEqual([]);
  await t.close();
});

it("40 spellings of a call's address are that call, with its authorization and limit, or nothing", async () => {
  const spellings = (path: string) => [
    `/api/${path}/`,
    `/api//${path}`,
    `//api/${path}`,
    `/api/./${path}`,
    `/api/x/../${path}`,
    `/API/${path}`,
    `/api/${path.toUpperCase()}`,
    `/api/${path};x=1`,
    `/api/${path}%20`,
    `/api/${path}%00`,
    `/api/${path}%2f`,
    `/api/${path}.json`,
    `/api/${path}#x`,
    `/api/${path}?x=1`,
    `/api/${path}??`,
    `/api/${path}?${"x".repeat(3_000)}`,
    `/api/%${path.charCodeAt(0).toString(16)}${path.slice(1)}`,
    `/%61pi/${path}`,
    `/api%2f${path}`,
    `/api/%25${path.charCodeAt(0).toString(16)}${path.slice(1)}`,
  ];
  const t = await createTestApp({ database: "sqlite", settings: { limits: { "check-email.network": { points: 1, seconds: 600 } } } });
  const check = (url: string) => t.app.inject({ method: "POST", url, headers: json, payload: '{"email":"free@example.com"}' });
  expect((await check("/api/check-email")).statusCode).toBe(200);
  const found = { "check-email": 0, account: 0 };
  for (const url of spellings("check-email")) {
    const { statusCode } = await check(url);
    expect([url, [400, 404, 429].includes(statusCode)]).toEqual([url, true]);
    if (statusCode === 429) found["check-email"] += 1;
  }
  for (const url of spellings("account")) {
    const { statusCode, body } = await t.app.inject({ url });
    // An address outside /api/ is a page that does not exist, the same for everybody.
    expect([url, statusCode === 401 || !body.includes("@")]).toEqual([url, true]);
    if (statusCode === 401) found.account += 1;
  }
  // With percent-encoding or a query, it is the same address.
  expect(found["check-email"]).toBeGreaterThanOrEqual(5);
  expect(found.account).toBe(found["check-email"]);
  await t.close();
});

it("an alert with more names than any real one is refused before it is parsed", async () => {
  const { publicKey } = generateKeyPairSync("rsa", {
    modulusLength: 2_048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const t = await createTestApp({
    database: "sqlite",
    parts: ({ store, world, settings }) => ({
      payments: createPayments({
        store,
        world,
        providers: [createPaddleClassic({ environment: "http://127.0.0.1:9", vendorId: "1", authCode: "x", publicKey, now: world.now })],
        log: { warn: () => {}, error: () => {} },
        secretKeys: settings.secretKeys,
        onMail: () => {},
      }),
    }),
  });
  const payload = `p_signature=AAAA${Array.from({ length: 50_000 }, (_, n) => `&${(99_999 - n).toString(36)}`).join("")}`;
  const alert = () => t.app.inject({ method: "POST", url: "/api/webhooks/paddle-classic", payload });
  expect(await isExpensive(alert, (status) => status === 401, mostCost / 4)).toBe(false);
  await t.close();
});

it("120 invalid signatures open no webhook, and nothing is stored", async () => {
  const secret = "pdl_ntfset_of_this_test_and_no_other";
  const t = await createTestApp({
    database: "sqlite",
    parts: ({ store, world, settings }) => ({
      payments: createPayments({
        store,
        world,
        providers: [createPaddleBilling({ environment: "http://127.0.0.1:9", apiKey: "x", webhookSecrets: [secret] })],
        log: { warn: () => {}, error: () => {} },
        secretKeys: settings.secretKeys,
        onMail: () => {},
      }),
    }),
  });
  const payload = JSON.stringify({
    event_id: "evt_1",
    event_type: "transaction.completed",
    occurred_at: "2026-11-20T12:00:00Z",
    data: { id: "txn_1" },
  });
  const now = Math.floor(t.world.now() / 1_000);
  const good = signature(secret, payload, now);
  const [stamp = "", hash = ""] = good.split(";");
  const value = hash.slice("h1=".length);
  const stamps = [
    stamp,
    "",
    "ts=",
    `ts=${now}0`,
    `ts=-${now}`,
    `ts=${now}.0`,
    `ts=0x${now.toString(16)}`,
    `ts= ${now}`,
    `TS=${now}`,
    `ts=${now + 60}`,
    "ts=NaN",
    `${stamp};${stamp}`,
  ];
  const hashes = [
    "",
    "h1=",
    `h1=${value.toUpperCase()}`,
    `h1=${value.slice(1)}`,
    `h1=${value}0`,
    `h1=${"0".repeat(64)}`,
    `h2=${value}`,
    `h1=${Buffer.from(value, "hex").toString("base64")}`,
    `h1=${createHmac("sha256", "").update(`${now}:${payload}`).digest("hex")}`,
    `h1=${createHmac("sha256", secret).update(payload).digest("hex")}`,
  ];
  const old = [301, 86_400, -301, -86_400].map((seconds) => signature(secret, payload, now - seconds));
  const frames = [
    `${hash};${stamp}`,
    `${good};`,
    `;${good}`,
    ` ${good}`,
    `${good} `,
    good.replace(";", ","),
    good.replaceAll("=", ":"),
    `${good};x=1`,
    "x".repeat(100_000),
    `${stamp}${`;h1=${"0".repeat(64)}`.repeat(1_000)};${hash}`,
  ];
  const headers = [...new Set([...stamps.flatMap((one) => hashes.map((other) => `${one};${other}`)), ...old, ...frames])];
  expect(headers.length).toBeGreaterThanOrEqual(120);
  const send = (header: string, body = payload) =>
    t.app.inject({ method: "POST", url: "/api/webhooks/paddle-billing", headers: { ...json, "paddle-signature": header }, payload: body });
  const opened: string[] = [];
  for (const header of headers) if ((await send(header)).statusCode !== 401) opened.push(header.slice(0, 200));
  // A valid signature, but of another body.
  for (const body of [`${payload} `, payload.replace("txn_1", "txn_2"), ""])
    if ((await send(good, body)).statusCode !== 401) opened.push(body);
  expect(opened).toEqual([]);
  expect(await t.store.read.selectFrom("provider_events").selectAll().execute()).toEqual([]);
  expect((await send(good)).statusCode).toBe(200);
  await t.close();
});

it.each(sampledDatabases)("random input to every call on %s is answered as the contract says", async (database) => {
  const { wrong, taken } = await randomCalls(database, 8, 20_261_120);
  expect(wrong).toEqual([]);
  expect(taken.size).toBeGreaterThan(25);
});

it.each(databases)("no call fails because of a character that a database does not store, on %s", async (database) => {
  const t = await createTestApp({
    database,
    parts: ({ store, world, settings: { secretKeys } }) => ({
      payments: createPayments({
        store,
        world,
        providers: [],
        secretKeys,
        log: { warn: () => undefined, error: () => undefined },
        onMail: () => undefined,
      }),
    }),
  });
  const report = { message: "x\u0000y", stack: "Error\u0000\n at a.js:1:1", url: "https://x.example/\u0000", appVersion: "v5.7.8\u0000" };
  await t.call("reportError", { body: report });
  expect(await t.store.read.selectFrom("client_errors").select(["message", "place"]).execute()).toEqual([
    { message: "xy", place: "a.js:1" },
  ]);
  const query = { productIds: "\u0000", customerCountry: "MX" };
  expect(await t.refusal("products", { query })).toMatchObject({ code: 1000, fields: { productIds: "validator_format" } });
  const studio = (call: string, payload: object) =>
    t.app.inject({ method: "POST", url: `/studio/api/${call}`, payload, headers: { origin: "https://parlando.example" } });
  const { challenge } = (await studio("passkeyWanted", {})).json();
  const entered = await studio("enterByPasskey", { challenge, credential: { id: "\u0000", type: "public-key" } });
  expect(entered.json()).toMatchObject({ code: 1000, fields: { "credential.id": "validator_format" } });
  await t.close();
});
