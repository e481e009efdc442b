import { endpoints } from "#core/api.ts";
import { errorBodySchema } from "#core/errorBody.ts";
import { events } from "#core/events.ts";
import { implemented } from "#server/handlers.ts";
import { loggerOptions } from "#server/logging.ts";
import { createTestApp, sampledDatabases, type TestApp } from "#test/app.ts";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { pino } from "pino";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const own = "https://parlando.example";
const listed = "https://shop.example";

describe("every call", () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await createTestApp({
      database: "sqlite",
      settings: { allowedOrigins: [listed], limits: { "check-email.network": { points: 1_000, seconds: 600 } } },
    });
  });
  afterAll(() => t.close());
  const post = (url: string, payload: string | Buffer, headers: Record<string, string> = {}) =>
    t.app.inject({ method: "POST", url, payload, headers: { "content-type": "application/json", ...headers } });
  const codeOf = (response: { json: () => unknown }) => v.parse(errorBodySchema, response.json()).code;

  it.each(["/api/nothing", "/api/login/", "/api/", "/api/login/more", "/api/LOGIN"])(
    "answers JSON 1404 for %s, whatever the method and body",
    async (url) => {
      for (const method of ["GET", "POST", "PUT", "DELETE", "PATCH"] as const) {
        const response = await t.app.inject({ method, url, payload: "{", headers: { "content-type": "application/json" } });
        expect([response.statusCode, codeOf(response)]).toEqual([404, 1404]);
      }
    },
  );

  it("answers a wrong method with 1405 and the right methods", async () => {
    for (const key of implemented.filter((name) => endpoints[name].at === "api")) {
      const path = `/api/${endpoints[key].path}`;
      const response = await t.app.inject({ method: "PUT", url: path });
      expect([path, response.statusCode, codeOf(response)]).toEqual([path, 405, 1405]);
      expect(String(response.headers.allow).split(", ")).toContain(endpoints[key].method);
    }
  });

  it.each([
    ["no JSON", "{"],
    ["nothing", ""],
    ["prototype pollution", '{"__proto__":{"admin":true}}'],
  ])("answers 1400 for %s", async (_name, body) => {
    const response = await post("/api/check-email", body);
    expect([response.statusCode, codeOf(response)]).toEqual([400, 1400]);
  });

  it("answers 1400 for another content type", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/xml"]) {
      const response = await post("/api/check-email", "email=a@example.com", { "content-type": type });
      expect([type, response.statusCode, codeOf(response)]).toEqual([type, 400, 1400]);
    }
  });

  it("answers 1413 for more than 256 KiB, and accepts slightly less", async () => {
    const padded = (size: number) => JSON.stringify({ email: "a@example.com", padding: "x".repeat(size) });
    expect(codeOf(await post("/api/check-email", padded(256 * 1024)))).toBe(1413);
    expect((await post("/api/check-email", padded(256 * 1024 - 100))).statusCode).toBe(200);
  });

  it.each([
    ["10,000 levels deep", `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`],
    ["an array", "[]"],
    ["a number", "5"],
    ["null", "null"],
    ["a lone surrogate", '{"email":"\\ud800@example.com"}'],
    ["an e-mail of 50 kB", JSON.stringify({ email: `${"a.".repeat(25_000)}@example.com` })],
    ["an e-mail with a line break", '{"email":"a@example.com\\r\\nBcc: b@example.com"}'],
    ["two @", '{"email":"a@b@example.com"}'],
    ["a full-width @", '{"email":"a＠example.com"}'],
    [
      "254 + 1 characters",
      JSON.stringify({ email: `${"a".repeat(60)}@${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.${"e".repeat(12)}` }),
    ],
  ])("answers 1000 for a body that is %s", async (_name, body) => {
    const response = await post("/api/check-email", body);
    expect([response.statusCode, codeOf(response)]).toEqual([422, 1000]);
  });

  it("works without a token exactly where the contract requires none", async () => {
    const bearer = [];
    for (const key of implemented.filter((name) => endpoints[name].auth !== "signature")) {
      const response = await t.send(key, { body: {}, token: "eyJhbGciOiJub25lIn0.e30.AAAA", from: "203.0.113.77" });
      if (response.statusCode === 401 && codeOf(response) === 1002) bearer.push(key);
    }
    expect(bearer.toSorted()).toEqual(implemented.filter((key) => endpoints[key].auth === "bearer").toSorted());
    for (const key of ["login", "refresh", "config", "signup", "confirmEmail", "products"] as const) expect(bearer).not.toContain(key);
  });

  it("allows a request a minute at most to arrive", () => {
    expect(t.app.server.requestTimeout).toBe(60_000);
  });

  /** Sends the request's raw bytes on its own connection. */
  async function statusOf(target: string, hosts: readonly string[] = ["Host: parlando.example"]): Promise<number> {
    if (!t.app.server.listening) await t.app.listen({ host: "127.0.0.1", port: 0 });
    const socket = connect(v.parse(v.object({ port: v.number() }), t.app.server.address()).port, "127.0.0.1");
    socket.end(`GET ${target} HTTP/1.1\r\n${hosts.map((host) => `${host}\r\n`).join("")}Connection: close\r\n\r\n`);
    return Number((await text(socket)).split(" ")[1]);
  }

  it("reads a full URL, as sent to a proxy, as its path", async () => {
    expect(await statusOf("http://evil.example/api/account")).toBe(401);
    expect(await statusOf("http://evil.example/api/nothing")).toBe(404);
    const page = await t.app.inject({ url: "/x/" });
    expect([page.statusCode, await statusOf("http://evil.example/x/"), await statusOf("*")]).toEqual([200, 200, 200]);
  });

  it("answers 400 to a request with two hosts, at any address", async () => {
    for (const target of ["/geo.json", "/x/", "/studio/api/me", "/healthz", "/media/none.webp", "/api/nothing"]) {
      expect([target, await statusOf(target, ["Host: parlando.example"])]).not.toEqual([target, 400]);
      for (const second of ["Host: evil.example", "host: parlando.example"])
        expect([target, await statusOf(target, ["Host: parlando.example", second])]).toEqual([target, 400]);
    }
  });

  it("answers 1400 for an address that does not decode", async () => {
    const response = await t.app.inject({ url: "/api/%E0%A4%A" });
    expect([response.statusCode, codeOf(response)]).toEqual([400, 1400]);
  });

  it("has a request id, is not cached, and can neither run nor be framed", async () => {
    const response = await t.app.inject({ url: "/geo.json" });
    expect(response.headers).toMatchObject({
      "x-request-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none';base-uri 'none';frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
      "referrer-policy": "strict-origin-when-cross-origin",
      "strict-transport-security": "max-age=31536000; includeSubDomains",
      "cross-origin-opener-policy": "same-origin-allow-popups",
    });
    expect(response.headers).not.toHaveProperty("x-powered-by");
    expect(response.headers).not.toHaveProperty("cross-origin-embedder-policy");
  });

  describe("from another origin", () => {
    const preflight = (origin: string) =>
      t.app.inject({
        method: "OPTIONS",
        url: "/api/login",
        headers: {
          origin,
          "access-control-request-method": "POST",
          "access-control-request-headers": "content-type,authorization,x-client,x-device-id",
        },
      });

    it.each([own, listed])("is allowed with credentials when it is %s", async (origin) => {
      const response = await preflight(origin);
      expect(response.headers).toMatchObject({
        "access-control-allow-origin": origin,
        "access-control-allow-credentials": "true",
        vary: expect.stringContaining("Origin"),
      });
      expect(
        (await post("/api/check-email", '{"email":"free@example.com"}', { origin, "sec-fetch-site": "cross-site" })).headers[
          "access-control-allow-origin"
        ],
      ).toBe(origin);
    });

    it.each([
      "https://evil.example",
      "null",
      "https://shop.example.evil.example",
      "http://shop.example",
      "https://shop.example:444",
      "https://xshop.example",
      "https://SHOP.example",
      "*",
    ])("is not when it is %s", async (origin) => {
      expect((await preflight(origin)).headers).not.toHaveProperty("access-control-allow-origin");
      const response = await post("/api/check-email", '{"email":"free@example.com"}', { origin, "sec-fetch-site": "cross-site" });
      expect([response.statusCode, codeOf(response)]).toEqual([403, 1403]);
      expect(response.headers).not.toHaveProperty("access-control-allow-origin");
    });

    it("also changes nothing without an origin", async () => {
      expect(codeOf(await post("/api/check-email", '{"email":"free@example.com"}', { "sec-fetch-site": "cross-site" }))).toBe(1403);
    });
  });

  it("answers 1500 without details after an unexpected error, and logs it once with the request's id", async () => {
    const logged: { readonly err?: unknown; readonly reqId?: unknown }[] = [];
    const { pino } = await import("pino");
    const { loggerOptions } = await import("#server/logging.ts");
    const broken = await createTestApp({
      database: "sqlite",
      parts: {
        log: pino(loggerOptions({ logLevel: "info" }), { write: (line: string) => void logged.push(JSON.parse(line)) }),
        site: { render: () => Promise.reject(new Error("secret detail")), scriptHashes: [] },
      },
    });
    const response = await broken.app.inject({ url: "/es-latam/" });
    expect([response.statusCode, codeOf(response)]).toEqual([500, 1500]);
    expect(response.body).not.toContain("secret detail");
    expect(logged).toMatchObject([{ err: { message: "secret detail" }, reqId: response.headers["x-request-id"] }]);
    await broken.close();
  });

  it("is described by openapi.json, each with its inputs, output and errors", async () => {
    const document = (await t.app.inject({ url: "/api/openapi.json" })).json();
    const operations = Object.values<Record<string, { operationId?: string }>>(document.paths).flatMap((path) =>
      Object.values(path).flatMap((operation) => operation.operationId ?? []),
    );
    expect(operations.toSorted()).toEqual([...implemented].toSorted());
    expect(document.paths["/signup"].post.requestBody.content["application/json"].schema.required).toContain("email");
    expect(document.paths["/signup"].post.responses["409"].description).toMatch(/1100.*1101/);
    expect(
      document.paths["/questionnaire"].post.requestBody.content["application/json"].schema.properties.state.properties.selectedOptions.items
        .required,
    ).toEqual(["questionId", "optionId"]);
    const [, ...alone] = document.paths["/send-event"].post.requestBody.content["application/json"].schema.anyOf.flatMap(
      (form: { oneOf?: readonly { required: readonly string[] }[] }) => form.oneOf ?? [form],
    );
    expect(new Set(alone.map(({ required }: { required: readonly string[] }) => required.join()))).toEqual(new Set(["eventType,payload"]));
    expect(document.paths["/config"].get.parameters).toContainEqual(
      expect.objectContaining({ name: "uiLanguage", in: "query", required: true }),
    );
  });
});

const metricsToken = "metrics-token-of-the-operator";

describe.each(sampledDatabases)("geo, config, events and reports on %s", (database) => {
  let t: TestApp;
  beforeAll(async () => {
    t = await createTestApp({
      database,
      settings: { countryHeader: "cf-ipcountry", raffle: { "es-419": { "76": 1, "83": 3, "12": 100 } }, metricsToken },
    });
  });
  afterAll(() => t.close());
  const query = { version: "v5.7.8", uiLanguage: "es-419" };

  it("geo returns the back end, the visitor's country and locale", async () => {
    expect(await t.call("geo", { headers: { "cf-ipcountry": "BR" } })).toEqual({
      backendUrlWeb: "https://parlando.example/api",
      locale: "pt-BR",
      country: "BR",
      countryKnown: true,
    });
    expect(await t.call("geo", { headers: { "cf-ipcountry": "DE", "accept-language": "xx;q=0.9,es-ES;q=0.8,en;q=0.1" } })).toMatchObject({
      locale: "es-ES",
      country: "DE",
    });
  });

  it.each([
    ["", "nothing"],
    ["XX", "unknown"],
    ["T1", "Tor"],
    ["brazil", "nonsense"],
  ])("geo takes %s (%s) for MX", async (header) => {
    expect(await t.call("geo", { headers: { "cf-ipcountry": header, "x-vercel-ip-country": "BR" } })).toMatchObject({
      country: "MX",
      countryKnown: false,
      locale: "es-419",
    });
  });

  it("config draws the same version for the same device and campaign, by weight, and a new uuid each time", async () => {
    const device = "5b1f5f5e-1111-4111-8111-000000000001";
    const first = await t.call("config", { query, headers: { "x-device-id": device } });
    const again = await t.call("config", { query, headers: { "x-device-id": device } });
    expect(again.questionnaireVersion).toBe(first.questionnaireVersion);
    expect(again.uuid).not.toBe(first.uuid);
    const drawn = { "76": 0, "83": 0 };
    for (let n = 0; n < 400; n++) {
      const { questionnaireVersion } = await t.call("config", {
        query: { ...query, campaignId: `campaign ${n}` },
        headers: { "x-device-id": device },
      });
      if (questionnaireVersion === "76" || questionnaireVersion === "83") drawn[questionnaireVersion]++;
    }
    // The draw is a hash, so the count is the same in every run; 100 of 400 are expected.
    expect(drawn["76"] + drawn["83"]).toBe(400);
    expect(drawn["76"]).toBeGreaterThan(70);
    expect(drawn["76"]).toBeLessThan(130);
  });

  it("config returns the locale's default when nothing is drawn, and a known version named by the link", async () => {
    expect(await t.call("config", { query: { ...query, uiLanguage: "de-DE" } })).toMatchObject({
      questionnaireVersion: "83",
      completed: false,
      entitlementExists: false,
    });
    expect(await t.call("config", { query: { ...query, versionId: "78" } })).toMatchObject({ questionnaireVersion: "78" });
    expect(await t.call("config", { query: { ...query, versionId: "aimx" } })).toMatchObject({ questionnaireVersion: "aimx" });
    expect(await t.call("config", { query: { ...query, uiLanguage: "de-DE", versionId: "12" } })).toMatchObject({
      questionnaireVersion: "83",
    });
  });

  it("config replaces an unknown version that the link names by the locale's default, without drawing one (spec 000 §5)", async () => {
    const answers = new Set<string>();
    for (let n = 0; n < 20; n++)
      for (const versionId of ["12", "77", "x"]) {
        const { questionnaireVersion } = await t.call("config", { query: { ...query, versionId, campaignId: `campaign ${n}` } });
        answers.add(questionnaireVersion);
      }
    expect([...answers]).toEqual(["76"]);
  });

  it("config and the offer take a campaign link's ids without the characters that no database can store", async () => {
    const ids = { versionId: "78\n", campaignId: "spring\u0000", advertisementId: "\r\ta1" };
    expect(await t.call("config", { query: { ...query, ...ids } })).toMatchObject({ questionnaireVersion: "78" });
    const { token } = await t.logIn(await t.signUp());
    const attributes = { questionnaire: "76", plan: null, locale: "es-419", country: "MX" };
    expect((await t.call("courseFee", { token, body: { trafficId: ids.campaignId, attributes } })).value).toContain("subscription-3m-mxn");
  });

  it("config ignores accounts, whatever token is sent (spec 000 §6)", async () => {
    const person = await t.signUp();
    const { token } = await t.logIn(person);
    const config = await t.call("config", { query, token });
    expect(config).toMatchObject({ completed: false, entitlementExists: false });
    expect(config.uuid).not.toBe(person.uuid);
  });

  it("config refuses invalid input (1000)", async () => {
    expect(await t.refusal("config", { query: { version: "5.7", uiLanguage: "xx" } })).toMatchObject({
      code: 1000,
      fields: { version: "validator_format", uiLanguage: "validator_format" },
    });
    expect(await t.refusal("config")).toMatchObject({ code: 1000, fields: { version: "validator_required" } });
    expect(await t.refusal("config", { query: { ...query, version: "5.7.8" } })).toMatchObject({ fields: { version: "validator_format" } });
  });

  const event = (n: number, more: object = {}) => ({
    eventType: "QuestionnaireAnswer",
    payload: { questionnaire: "76", questionId: 2, optionId: 1 },
    id: `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`,
    at: "2026-11-20T11:59:00.000Z",
    ...more,
  });

  it("consent stores the proof of a choice once: who, when, which wording, what, and where", async () => {
    const { token, user } = await t.logIn(await t.signUp());
    const device = t.world.uuid();
    const body = {
      id: t.world.uuid(),
      at: "2026-11-20T11:59:00.000Z",
      textVersion: "2026-11-20",
      categories: { functional: true, analytics: false, marketing: false },
      source: "settings",
    };
    for (let time = 0; time < 2; time += 1)
      await t.call("consent", { token, body, headers: { "x-device-id": device, "cf-ipcountry": "DE" } });
    expect(await t.store.read.selectFrom("consent_records").selectAll().execute()).toEqual([
      {
        id: body.id,
        device_id: device,
        account_uuid: user.uuid,
        chosen_at: Date.parse(body.at),
        received_at: t.world.now(),
        text_version: "2026-11-20",
        functional: 1,
        analytics: 0,
        marketing: 0,
        source: "settings",
        country: "DE",
      },
    ]);
    expect(await t.refusal("consent", { body: { ...body, categories: { functional: "yes" } } })).toMatchObject({ code: 1000 });
    // A choice by a clock that is ahead gets the current time, so the next choice is later.
    await t.call("consent", {
      token,
      body: { ...body, id: t.world.uuid(), at: "2031-01-01T00:00:00.000Z" },
      headers: { "x-device-id": device },
    });
    const [latest] = await t.store.read.selectFrom("consent_records").select("chosen_at").orderBy("chosen_at", "desc").execute();
    expect(latest?.chosen_at).toBe(t.world.now());
  });

  it("send-event counts an id once, alone or in a batch", async () => {
    expect(await t.call("sendEvent", { body: event(1) })).toEqual({ accepted: 1 });
    expect(await t.call("sendEvent", { body: event(1) })).toEqual({ accepted: 0 });
    expect(await t.call("sendEvent", { body: { events: [event(1), event(2), event(2), event(3)] } })).toEqual({ accepted: 2 });
  });

  it("send-event takes the specification's {eventType, payload}: the server sets id and time, and the event counts in its visitor's journey (spec 000 §7)", async () => {
    const device = t.world.uuid();
    const body = { eventType: "QuestionnaireAnswer", payload: { questionnaire: "76", questionId: 2, optionId: 1 } };
    const send = () =>
      t.app.inject({
        method: "POST",
        url: "/api/send-event",
        payload: JSON.stringify(body),
        headers: { "content-type": "application/json", "x-device-id": device },
      });
    const answers = [await send(), await send()];
    expect(answers.map((answer) => [answer.statusCode, answer.json()])).toEqual(Array.from({ length: 2 }, () => [202, { accepted: 1 }]));
    const rows = await t.store.read.selectFrom("events").selectAll().where("device_id", "=", device).execute();
    expect(rows).toMatchObject(
      Array.from({ length: 2 }, () => ({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        event_type: "QuestionnaireAnswer",
        payload: JSON.stringify(body.payload),
        happened_at: t.world.now(),
        received_at: t.world.now(),
      })),
    );
    expect(new Set(rows.map(({ id }) => id)).size).toBe(2);
    expect(await t.store.read.selectFrom("journeys").select("version").where("device_id", "=", device).execute()).toEqual([
      { version: "76" },
    ]);
    // With its own id, an event counts once. In a batch, each event must have an id.
    const own = { ...body, id: t.world.uuid() };
    expect([await t.call("sendEvent", { body: own }), await t.call("sendEvent", { body: own })]).toEqual([
      { accepted: 1 },
      { accepted: 0 },
    ]);
    expect(await t.refusal("sendEvent", { body: { events: [body] } })).toMatchObject({ code: 1000 });
  });

  it("send-event stores visitor and place, and drops unknown fields", async () => {
    const { token, user } = await t.logIn(await t.signUp());
    const device = t.world.uuid();
    await t.call("sendEvent", {
      token,
      headers: { "x-device-id": device, "cf-ipcountry": "AR" },
      body: event(10, { payload: { questionnaire: "76", questionId: 3, optionId: 2, email: "a@example.com" } }),
    });
    expect(
      await t.store.read.selectFrom("events").selectAll().where("account_uuid", "=", user.uuid).executeTakeFirstOrThrow(),
    ).toMatchObject({
      event_type: "QuestionnaireAnswer",
      device_id: device,
      country: "AR",
      payload: '{"questionnaire":"76","questionId":3,"optionId":2}',
      happened_at: Date.parse("2026-11-20T11:59:00Z"),
      received_at: t.world.now(),
    });
  });

  it("send-event gives an account no event of the one that was signed in on the device before", async () => {
    const [former, person] = [await t.signUp(), await t.signUp()];
    const { token, user } = await t.logIn(person);
    const of = (uuid: string | undefined) => ({ questionnaire: "76", questionId: 3, optionId: 2, uuid });
    const visitor = t.world.uuid();
    const events = [former.uuid, visitor, person.uuid, undefined].map((uuid, n) => event(20 + n, { payload: of(uuid) }));
    const sent = { token, body: { events }, headers: { "x-device-id": t.world.uuid() } };
    expect(await t.call("sendEvent", sent)).toEqual({ accepted: 4 });
    const ids = events.map(({ id }) => id);
    const rows = await t.store.read.selectFrom("events").select(["payload", "account_uuid"]).where("id", "in", ids).orderBy("id").execute();
    // The id from before the login is this visitor's own.
    expect(rows.map((row) => [JSON.parse(row.payload).uuid, row.account_uuid])).toEqual([
      [former.uuid, null],
      [visitor, user.uuid],
      [user.uuid, user.uuid],
      [undefined, user.uuid],
    ]);
    expect(JSON.stringify(await t.call("accountExport", { token }))).not.toContain(former.uuid);
  });

  it("send-event removes characters that no database stores from a link's words, and counts the event", async () => {
    const about = { questionnaire: "7\u00006", campaignId: "\u0000a\ud800b\n", questionId: 2, optionId: 1 };
    const body = event(11, { payload: about });
    expect(await t.call("sendEvent", { body, headers: { "x-device-id": t.world.uuid() } })).toEqual({ accepted: 1 });
    const row = await t.store.read.selectFrom("events").select("payload").where("id", "=", body.id).executeTakeFirstOrThrow();
    expect(JSON.parse(row.payload)).toEqual({ ...about, questionnaire: "76", campaignId: "ab" });
  });

  it("send-event removes characters that no database stores from a purchase's error", async () => {
    const body = event(14, { eventType: "PurchaseFlow", payload: { stage: "error", error: "card\u0000 refused \ud83d" } });
    expect(await t.call("sendEvent", { body })).toEqual({ accepted: 1 });
    const row = await t.store.read.selectFrom("events").select("payload").where("id", "=", body.id).executeTakeFirstOrThrow();
    expect(JSON.parse(row.payload)).toEqual({ stage: "error", error: "card refused " });
  });

  it("an impossible date is refused (1000)", async () => {
    const at = "2026-01-01T00:00:00+23";
    expect(await t.refusal("sendEvent", { body: event(12, { at }) })).toMatchObject({ code: 1000 });
    expect(await t.refusal("sendEvent", { body: { events: [event(13)], sentAt: at } })).toMatchObject({ code: 1000 });
    const choice = { id: t.world.uuid(), at, textVersion: "2026-11-20", source: "settings" };
    const categories = { functional: true, analytics: true, marketing: true };
    expect(await t.refusal("consent", { body: { ...choice, categories } })).toMatchObject({
      code: 1000,
      fields: { at: "validator_format" },
    });
  });

  it("send-event accepts every event type of the table", async () => {
    const about = { questionnaire: "76", questionId: 2, optionId: 1, schedule: 2, popupId: "MarketingConsent", stage: "payment-selected" };
    const sent = Object.keys(events).map((eventType, n) => event(300 + n, { eventType, payload: about }));
    expect(Object.keys(events)).toHaveLength(9);
    expect(await t.call("sendEvent", { body: { events: sent } })).toEqual({ accepted: sent.length });
  });

  it("send-event refuses unknown types, invalid payloads, and no or too many events (1000)", async () => {
    for (const body of [
      event(20, { eventType: "Nothing" }),
      event(20, { payload: {} }),
      event(20, { id: "1" }),
      event(20, { at: "yesterday" }),
      event(20, { payload: { questionId: 1_013, optionId: 1 } }),
      { events: [] },
      { events: Array.from({ length: 101 }, (_, n) => event(100 + n)) },
      {},
    ]) {
      expect(await t.refusal("sendEvent", { body })).toMatchObject({ code: 1000 });
    }
  });

  it("send-event drops an unknown version: the event counts, and the report has no row for the version", async () => {
    const device = t.world.uuid();
    const sent = [
      event(900, { payload: { questionnaire: "76", questionId: 2, optionId: 1 } }),
      event(901, { payload: { questionnaire: "made-up", questionId: 2, optionId: 1 } }),
    ];
    expect(await t.call("sendEvent", { body: { events: sent, device } })).toEqual({ accepted: 2 });
    const rows = await t.store.read.selectFrom("events").select("payload").where("device_id", "=", device).orderBy("id").execute();
    expect(rows.map(({ payload }) => JSON.parse(payload).questionnaire)).toEqual(["76", undefined]);
    const journeys = await t.store.read.selectFrom("journeys").select("version").where("device_id", "=", device).execute();
    expect(journeys).toEqual([{ version: "76" }]);
  });

  it("send-event is limited by the number of events (1429)", async () => {
    const batch = (from: number) => ({
      body: { events: Array.from({ length: 100 }, (_, n) => event(1_000 + from + n)) },
      from: "203.0.113.7",
    });
    for (let n = 0; n < 30; n++) await t.call("sendEvent", batch(n * 100));
    expect(await t.refusal("sendEvent", batch(3_000))).toMatchObject({ code: 1429, retryAfter: expect.any(Number) });
  });

  it("report-error accepts a report, refuses an invalid one (1000), and is limited (1429)", async () => {
    const body = { message: "x is undefined", url: "https://parlando.example/link/login?token=secret", appVersion: "5.7.8" };
    expect(await t.call("reportError", { body, from: "203.0.113.8" })).toEqual({});
    expect(await t.refusal("reportError", { body: {}, from: "203.0.113.8" })).toMatchObject({ code: 1000 });
    for (let n = 0; n < 28; n++) await t.call("reportError", { body, from: "203.0.113.8" });
    expect(await t.refusal("reportError", { body, from: "203.0.113.8" })).toMatchObject({ code: 1429 });
  });

  it.each([
    [10, "one line of starts of addresses", "https://a".repeat(2_200)],
    [11, "lines of starts of addresses", `${"https://a".repeat(50)}\n`.repeat(40)],
    [12, "almost a file's name", `https://a/assets/${"a.js".repeat(4_900)}`],
    [13, "almost a column", `https://a/assets/a.js:1:${"1".repeat(19_000)}`],
    [14, "brackets", "(".repeat(20_000)],
    [15, "at signs", "@".repeat(20_000)],
    [16, "starts of frames", "a@https://".repeat(2_000)],
  ])("report-error (case %i) takes no longer for a stack of %s than for another as long, in CPU time", async (host, _, stack) => {
    const costOf = async (sent: string, from: string) => {
      const body = { message: "x", url: "https://parlando.example/", appVersion: "5.7.8", stack: sent };
      await t.call("reportError", { body, from });
      const before = process.threadCpuUsage();
      for (let n = 0; n < 20; n++) await t.call("reportError", { body, from });
      const { user, system } = process.threadCpuUsage(before);
      return user + system;
    };
    const usual = await costOf("x".repeat(stack.length), `198.51.100.${host}`);
    expect(await costOf(stack, `203.0.113.${host}`)).toBeLessThan(10 * usual);
  });

  it("the probes answer everybody, and metrics only with the token, even on this machine", async () => {
    expect((await t.app.inject({ url: "/healthz" })).json()).toEqual({ ok: true });
    // On a busy machine they warn that the database is slow.
    for (const url of ["/readyz", "/readyz/calls"]) expect((await t.app.inject({ url })).json()).toMatchObject({ ok: true });
    const metrics = await t.app.inject({ url: "/metrics", headers: { authorization: `Bearer ${metricsToken}` } });
    expect(metrics.body).toMatch(/parlando_requests_total\{route="geo",status="200"\} \d+/);
    for (const remoteAddress of ["127.0.0.1", "203.0.113.9"])
      expect((await t.app.inject({ url: "/metrics", remoteAddress })).statusCode).toBe(404);
  });
});

it("an error that a page reports is logged, with only the path of its address (spec 001 §8)", async () => {
  const lines: string[] = [];
  const log = pino(loggerOptions({ logLevel: "info" }), { write: (line: string) => void lines.push(line) });
  const t = await createTestApp({ database: "sqlite", parts: { log } });
  const body = {
    message: "x is undefined",
    url: "https://parlando.example/link/login?token=secret",
    appVersion: "5.7.8",
    route: "link/login",
  };
  await t.call("reportError", { body });
  await t.close();
  const reported = lines.map((line): unknown => JSON.parse(line)).filter((entry) => JSON.stringify(entry).includes("x is undefined"));
  expect(reported).toMatchObject([{ report: "x is undefined", page: "https://parlando.example/link/login", route: "link/login" }]);
  expect(lines.join("")).not.toContain("secret");
});

it("an address in an error that a page reports is neither logged nor kept, also where its stack repeats the message; its places are", async () => {
  const lines: string[] = [];
  const log = pino(loggerOptions({ logLevel: "info" }), { write: (line: string) => void lines.push(line) });
  const t = await createTestApp({ database: "sqlite", parts: { log } });
  const places = ["    at step (https://parlando.example/assets/a-1.js:1:20)", "async*go@https://parlando.example/assets/a-1.js:1:30"];
  const stack = [
    "Error: no account of ana@example.com",
    ...places,
    "    at <bo@example.com> (https://parlando.example/cy@example.com.js:1:40)",
  ];
  const body = { message: "no account of ana@example.com", url: "https://parlando.example/", appVersion: "5.7.8", stack: stack.join("\n") };
  await t.call("reportError", { body });
  const { stack: kept } = await t.store.read.selectFrom("client_errors").select("stack").executeTakeFirstOrThrow();
  await t.close();
  expect(kept.split("\n")).toEqual(places);
  const [reported] = lines.map((line): unknown => JSON.parse(line)).filter((entry) => JSON.stringify(entry).includes("no account"));
  expect(reported).toMatchObject({ stack: ["Error: no account of (e-mail)", ...places, "    at <(e-mail)> ((e-mail))"].join("\n") });
  expect(lines.join("") + kept).not.toContain("example.com");
});

it("a database that does not answer stops no page, and the calls' probe says 1503", async () => {
  const t = await createTestApp({ database: "sqlite" });
  await t.store.close();
  expect((await t.app.inject({ url: "/readyz" })).json()).toEqual({ ok: true, warnings: ["database"] });
  const response = await t.app.inject({ url: "/readyz/calls" });
  expect(response.statusCode).toBe(503);
  expect(response.json()).toMatchObject({ code: 1503, fields: { database: "failing" } });
  expect(response.headers["retry-after"]).toBeDefined();
  await t.app.close();
});

it("no probe writes", async () => {
  let writes = 0;
  const t = await createTestApp({
    database: "sqlite",
    parts: ({ store }) => ({
      store: {
        ...store,
        write: (work) => {
          writes += 1;
          return store.write(work);
        },
      },
    }),
  });
  const before = writes;
  for (const url of ["/healthz", "/readyz", "/readyz/calls"]) expect((await t.app.inject({ url })).json()).toMatchObject({ ok: true });
  expect(writes).toBe(before);
  await t.close();
});

it("more passwords than can soon be hashed are told to retry (1503), and a cheap call is answered meanwhile", async () => {
  const { createPasswords, busy } = await import("#server/accounts/passwords.ts");
  const passwords = createPasswords(2);
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => passwords.matches(null, "any password", { network: "203.0.113.1", as: "login" })),
  );
  expect(answers.filter((answer) => answer === busy)).toHaveLength(9);
  expect(answers.filter((answer) => answer === false)).toHaveLength(21);
  expect(passwords.load()).toBe(0);
});
