import { errorCodes, type ErrorCode } from "#core/errors.ts";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { memoryStore } from "../device/storage.ts";
import { aloneAmongTabs, createApi, refreshRepeat, refreshWait } from "./client.ts";
import { callLimit, ConnectionError, type EndedRequest } from "./request.ts";

const now = () => new Date("2026-11-20T10:00:00Z");
/** An access token with this expiry, in the server's format. */
const tokenUntil = (time: string) => `h.${btoa(JSON.stringify({ exp: Date.parse(time) / 1000 }))}.s`;
const valid = tokenUntil("2026-11-20T10:10:00Z");
const expired = tokenUntil("2026-11-20T09:59:59Z");
const renewed = {
  token: tokenUntil("2026-11-20T10:15:00Z"),
  refreshToken: "r2",
  backendUrl: "",
  user: { uuid: "8a0b6c0e-0f55-4d5c-8f0b-1a2b3c4d5e6f", email: "ana@example.com", firstname: null },
  features: { questionnaire: { version: "76", completed: false, entitlementExists: false } },
};

const otherBackend = "https://eu.parlando.example/api";

type Reply = { readonly status?: number; readonly body: unknown; readonly headers?: HeadersInit } | Response | Error;
const refused = (code: ErrorCode): Reply => ({ status: errorCodes[code].status, body: { code, message: errorCodes[code].message } });

function client(
  reply: (path: string, time: number) => Reply | Promise<Reply>,
  tokens: { readonly token?: string; readonly refreshToken?: string } = {},
) {
  const requests: {
    readonly url: string;
    readonly headers: Headers;
    readonly body: string | null;
    readonly credentials: RequestCredentials | undefined;
  }[] = [];
  const store = memoryStore();
  if (tokens.token) store.set("token", tokens.token);
  if (tokens.refreshToken) store.set("refreshToken", tokens.refreshToken);
  const onSignedOut = vi.fn();
  const fakeFetch: typeof fetch = async (input, init) => {
    const url = String(input);
    const time = requests.filter((request) => request.url === url).length;
    requests.push({
      url,
      headers: new Headers(init?.headers),
      body: typeof init?.body === "string" ? init.body : null,
      credentials: init?.credentials,
    });
    const answer = await reply(url, time);
    if (answer instanceof Error) throw answer;
    if (answer instanceof Response) return answer;
    return new Response(JSON.stringify(answer.body), { status: answer.status ?? 200, ...(answer.headers && { headers: answer.headers }) });
  };
  const ended: EndedRequest[] = [];
  let later = 0;
  let base = "/api";
  const api = createApi({
    fetch: fakeFetch,
    store,
    deviceUuid: "device-1",
    language: "es-419",
    base: () => Promise.resolve(base),
    backends: ["/api", otherBackend],
    callBackend: (url) => (base = url ?? base),
    now: () => new Date(now().getTime() + later),
    onSignedOut,
    watch: (request) => void ended.push(request),
  });
  return { api, ended, requests, store, onSignedOut, paths: () => requests.map(({ url }) => url), passes: (ms: number) => (later += ms) };
}

/** The outcome of a call; `unanswered` if it has not settled after all responses. */
async function outcomeOf(call: Promise<unknown>): Promise<unknown> {
  const soon = new Promise((resolve) => setTimeout(() => resolve("unanswered"), 1));
  const outcome = Promise.race([call.catch((error: unknown) => error), soon]);
  await vi.advanceTimersByTimeAsync(1);
  return outcome;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a call", () => {
  test("carries the client, the device and, where the contract says so, the token", async () => {
    const { api, requests } = client(() => ({ body: { entitlements: [] } }), { token: valid });
    await api.call("entitlement");
    expect(requests[0]?.url).toBe("/api/entitlement");
    expect(Object.fromEntries(requests[0]?.headers ?? [])).toEqual({
      "content-type": "application/json",
      "x-client": "parlando-web/5.7.8",
      "x-device-id": "device-1",
      "accept-language": "es-419",
      authorization: `Bearer ${valid}`,
    });
  });

  test("carries no token where the specification says unauthenticated, even when there is one (spec 000 §6, spec 001 §6)", async () => {
    const { api, requests } = client(() => new TypeError("Failed to fetch"), { token: valid });
    const unauthenticated = ["login", "refresh", "forgotPassword", "config", "products", "signup", "confirmEmail"] as const;
    for (const endpoint of unauthenticated) await api.call(endpoint).catch(() => undefined);
    expect(requests.map(({ headers }) => headers.get("authorization"))).toEqual(unauthenticated.map(() => null));
    await api.call("entitlement").catch(() => undefined);
    expect(requests.at(-1)?.headers.get("authorization")).toBe(`Bearer ${valid}`);
  });

  test("to geo leaves the language preference to the browser", async () => {
    const { api, requests } = client(() => new TypeError("Failed to fetch"));
    await api.call("geo").catch(() => undefined);
    expect(requests[0]?.headers.get("accept-language")).toBeNull();
  });

  test("goes out with credentials, and as JSON (spec 000 §7)", async () => {
    const { api, requests } = client(() => new TypeError("Failed to fetch"));
    for (const endpoint of ["geo", "config", "checkEmail", "subscriptionCard"] as const) await api.call(endpoint).catch(() => undefined);
    expect(requests.map(({ credentials, headers }) => [credentials, headers.get("content-type")])).toEqual(
      requests.map(() => ["include", "application/json"]),
    );
    expect(requests).toHaveLength(4);
  });

  test("leaves out undefined query parameters", async () => {
    const { api, paths } = client(() => ({
      body: { uuid: renewed.user.uuid, questionnaireVersion: "76", completed: false, entitlementExists: false },
    }));
    await api.call("config", { query: { version: "v5.7.8", uiLanguage: "es-419", campaignId: undefined } });
    expect(paths()).toEqual(["/api/config?version=v5.7.8&uiLanguage=es-419"]);
  });

  test.each([
    ["2", 2_000],
    ["Wed, 21 Oct 2026 07:28:00 GMT", undefined],
  ])("that is refused says after how long to repeat it: %s", async (header, milliseconds) => {
    const { api } = client(() => ({ status: 503, body: { code: 1503, message: "Not ready." }, headers: { "retry-after": header } }));
    const error: unknown = await api.call("checkEmail", { body: { email: "ana@example.com" } }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ status: 503, retryAfter: milliseconds });
  });

  test("that is refused says status, address and message, with the code as cause (spec 000 §8)", async () => {
    const { api } = client(() => ({ status: 409, body: { code: 1101, message: "The e-mail is registered.", fields: { email: "taken" } } }));
    const error: unknown = await api.call("checkEmail", { body: { email: "ana@example.com" } }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      message: "409 error on /api/check-email: The e-mail is registered.",
      cause: 1101,
      code: 1101,
      fields: { email: "taken" },
    });
  });

  test("with an error body that is not the contract's is an unexpected error", async () => {
    const { api } = client(() => ({ status: 502, body: "<html>" }));
    await expect(api.call("geo")).rejects.toMatchObject({ status: 502, code: 1500 });
  });

  test("that something before the server limits is one too many, although its body is not the contract's", async () => {
    const { api } = client(() => ({ status: 429, body: "<html>", headers: { "retry-after": "30" } }));
    const call = api.call("checkEmail", { body: { email: "ana@example.com" } });
    await expect(call).rejects.toMatchObject({ status: 429, code: 1429, retryAfter: 30_000 });
  });

  test("without a response is a connection error", async () => {
    const { api } = client(() => new TypeError("Failed to fetch"));
    await expect(api.call("geo")).rejects.toBeInstanceOf(ConnectionError);
  });

  test("of somebody in between, such as a café's login page, is a connection error, whatever its status says", async () => {
    const { api } = client(() => new Response("<html>Welcome to our network</html>"));
    await expect(api.call("geo")).rejects.toBeInstanceOf(ConnectionError);
  });

  test("that takes longer than the limit is a connection error", async () => {
    const limit = new AbortController();
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(limit.signal);
    const slow: typeof fetch = (_input, init) =>
      new Promise((_resolve, reject) => init?.signal?.addEventListener("abort", () => reject(new DOMException("", "TimeoutError"))));
    const api = createApi({
      fetch: slow,
      backends: [],
      callBackend: vi.fn(),
      store: memoryStore(),
      deviceUuid: "d-1",
      base: () => "/api",
      now: () => new Date(),
      onSignedOut: vi.fn(),
    });
    const answer = api.call("geo");
    limit.abort();
    await expect(answer).rejects.toBeInstanceOf(ConnectionError);
    expect(timeout).toHaveBeenCalledExactlyOnceWith(callLimit);
    timeout.mockRestore();
  });
});

describe("the back end", () => {
  const config = { uuid: renewed.user.uuid, questionnaireVersion: "76", completed: false, entitlementExists: false };
  const ask = { query: { version: "v5.7.8", uiLanguage: "es-419" } } as const;
  test.each([
    ["login", { body: { email: "ana@example.com", password: "right" } }, { ...renewed, backendUrl: otherBackend }],
    [
      "signup",
      {
        body: {
          uuid: renewed.user.uuid,
          email: "ana@example.com",
          password: "long enough",
          uiLanguage: "es-419",
          questionnaire: "76",
          version: "v5.7.8",
        },
      },
      { backendUrl: otherBackend, user: { uuid: renewed.user.uuid } },
    ],
  ] as const)("that %s names gets the following calls", async (endpoint, input, answer) => {
    const { api, paths } = client((path) => ({ body: path.includes("config") ? config : answer }));
    await api.call(endpoint, input);
    await api.call("config", ask);
    expect(paths()).toEqual([`/api/${endpoint}`, `${otherBackend}/config?version=v5.7.8&uiLanguage=es-419`]);
  });

  test("that is not ours is ignored", async () => {
    const { api, paths } = client((path) => ({
      body: path.includes("config") ? config : { ...renewed, backendUrl: "https://evil.example" },
    }));
    await api.call("login", { body: { email: "ana@example.com", password: "right" } });
    await api.call("config", ask);
    expect(paths()[1]).toContain("/api/config");
  });
});

describe("an expired token", () => {
  const both = { token: expired, refreshToken: "r1" };

  test("is renewed before the call, once for all calls that wait", async () => {
    const { api, paths, store } = client((path) => ({ body: path.endsWith("refresh") ? renewed : { entitlements: [] } }), both);
    await Promise.all([api.call("entitlement"), api.call("entitlement"), api.call("entitlement")]);
    expect(paths().filter((path) => path.endsWith("refresh"))).toHaveLength(1);
    expect(paths().filter((path) => path.endsWith("entitlement"))).toHaveLength(3);
    expect([store.get("token"), store.get("refreshToken")]).toEqual([renewed.token, "r2"]);
  });

  test("is renewed once where the device's clock is ahead: from then on the server's time counts", async () => {
    const issued = (time: string) => {
      const iat = Date.parse(time) / 1000;
      return `h.${btoa(JSON.stringify({ iat, exp: iat + 900 }))}.s`;
    };
    const pairs = [issued("2026-11-20T09:00:00Z"), issued("2026-11-20T09:16:00Z")];
    const { api, paths, store, passes } = client(
      (path, time) => ({
        body: path.endsWith("refresh") ? { ...renewed, token: pairs[time], refreshToken: `r${time}` } : { entitlements: [] },
      }),
      both,
    );
    for (let call = 0; call < 3; call += 1) await api.call("entitlement");
    expect(paths().filter((path) => path.endsWith("refresh"))).toHaveLength(1);
    passes(16 * 60_000);
    await api.call("entitlement");
    expect(paths().filter((path) => path.endsWith("refresh"))).toHaveLength(2);
    expect(store.get("token")).toBe(pairs[1]);
  });

  test("other calls wait 2.5 s for a refresh that takes longer, no more", async () => {
    const { api, paths } = client(
      (path) => (path.endsWith("refresh") ? new Promise<Reply>(() => {}) : { body: { entitlements: [] } }),
      both,
    );
    void api.call("entitlement").catch(() => undefined);
    await vi.advanceTimersByTimeAsync(0);
    void api.call("sendEvent", { body: { events: [] } }).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(refreshWait - 1);
    expect(paths()).toEqual(["/api/refresh"]);
    await vi.advanceTimersByTimeAsync(1);
    expect([refreshWait, paths()]).toEqual([2500, ["/api/refresh", "/api/send-event"]]);
  });

  test.each([1003, 1000, 1403, 1404] as const)(
    "that the server refuses to renew with %i signs out, and the refusal is reported (spec 000 §4, §8)",
    async (code) => {
      const { api, store, onSignedOut } = client(() => refused(code), both);
      await expect(api.call("entitlement")).rejects.toMatchObject({
        message: `${errorCodes[code].status} error on /api/refresh: ${errorCodes[code].message}`,
        cause: code,
      });
      expect([store.get("token"), store.get("refreshToken"), onSignedOut.mock.calls.length]).toEqual([null, null, 1]);
    },
  );

  test.each([
    ["no user", undefined],
    ["no user's uuid", { email: "ana@example.com", firstname: null }],
  ])("that is answered with %s signs out, in the specification's words (spec 000 §4, §5, §8)", async (_what, user) => {
    const { api, store, onSignedOut } = client(() => ({ body: { ...renewed, user } }), both);
    await expect(api.call("entitlement")).rejects.toThrow("No user.uuid found!");
    expect([store.get("token"), store.get("refreshToken"), onSignedOut.mock.calls.length]).toEqual([null, null, 1]);
  });

  test.each([
    [{}, "ended"],
    [{ refreshToken: "proven_elsewhere" }, "provenElsewhere"],
  ])("that is refused with %j says why: the session is over, or the address was proven on another device", async (fields, why) => {
    const { api, onSignedOut } = client(() => ({ status: 401, body: { code: 1003, message: errorCodes[1003].message, fields } }), both);
    await expect(api.call("entitlement")).rejects.toThrow();
    expect(onSignedOut.mock.calls).toEqual([[why]]);
  });

  test("that is refused keeps the account's address for the login, even after another person's address was typed", async () => {
    const { api, store } = client(() => refused(1003), both);
    store.set("config", JSON.stringify({ uuid: "u1" }));
    store.set("questionnaireState", JSON.stringify({ user: { uuid: "u1", email: "ana@example.com" } }));
    store.set("signupEmail", "somebody.else@example.com");
    await expect(api.call("entitlement")).rejects.toThrow();
    expect(store.get("signupEmail")).toBe("ana@example.com");
  });

  test("whose refresh is refused drops the calls that waited for it (spec 000 §6)", async () => {
    const answer = Promise.withResolvers<Reply>();
    const { api, paths, store } = client(() => answer.promise, both);
    const refreshed = expect(api.call("entitlement")).rejects.toThrow();
    void api.call("questionnaireGet", { query: { uuid: "u" } });
    answer.resolve(refused(1003));
    await refreshed;
    await vi.advanceTimersByTimeAsync(refreshWait);
    expect([store.get("token"), paths()]).toEqual([null, ["/api/refresh"]]);
  });

  test("whose refresh is refused delays no event: it is sent without a token", async () => {
    const { api, requests, paths } = client((path) => (path.endsWith("refresh") ? refused(1003) : { body: { accepted: 1 } }), {
      token: expired,
      refreshToken: "r1",
    });
    const renewing = api.call("entitlement").catch(() => "refused");
    expect(await api.call("sendEvent", { body: { eventType: "GetQuestionnaire", payload: {} } })).toEqual({ accepted: 1 });
    expect([await renewing, paths(), requests.at(-1)?.headers.get("authorization")]).toEqual([
      "refused",
      ["/api/refresh", "/api/send-event"],
      null,
    ]);
  });

  test("when renewed, sends later calls to the back end in the response, and stores the account's version (spec 000 §3, §7)", async () => {
    const { api, store, paths } = client(
      (path) => ({ body: path.endsWith("refresh") ? { ...renewed, backendUrl: otherBackend } : { entitlements: [] } }),
      both,
    );
    await api.call("entitlement");
    expect(paths()).toEqual(["/api/refresh", `${otherBackend}/entitlement`]);
    expect(JSON.parse(store.get("config") ?? "")).toMatchObject({ uuid: renewed.user.uuid, questionnaireVersion: "76", completed: false });
  });

  test.each([
    ["a lost connection", () => new TypeError("Failed to fetch")],
    ["a server in trouble", () => refused(1503)],
    ["a server that has too much to do", () => refused(1429)],
  ] as const)("%s does not sign out (decision 035)", async (_name, reply) => {
    const { api, store, onSignedOut } = client(reply, both);
    await expect(api.call("entitlement")).rejects.toThrow();
    expect([store.get("token"), store.get("refreshToken"), onSignedOut.mock.calls.length]).toEqual([expired, "r1", 0]);
  });

  test("is renewed once more, at once, when the answer is lost: later the server would take the used token for a stolen one (decision 031)", async () => {
    const { api, store, paths } = client((path, time) => {
      if (!path.endsWith("refresh")) return { body: { entitlements: [] } };
      return time === 0 ? new TypeError("Failed to fetch") : { body: renewed };
    }, both);
    await expect(api.call("entitlement")).resolves.toEqual({ entitlements: [] });
    expect([paths(), store.get("refreshToken")]).toEqual([["/api/refresh", "/api/refresh", "/api/entitlement"], "r2"]);
  });

  test("is not renewed once more after a long wait, when the server would repeat no answer", async () => {
    const { api, store, paths } = client(async () => {
      await new Promise((resolve) => setTimeout(resolve, refreshRepeat + 1));
      return new TypeError("Failed to fetch");
    }, both);
    const outcome = api.call("entitlement").catch((error: unknown) => error);
    await vi.runAllTimersAsync();
    expect(await outcome).toBeInstanceOf(ConnectionError);
    expect([paths(), store.get("refreshToken")]).toEqual([["/api/refresh"], "r1"]);
  });

  test("is renewed by one and the same attempt until there is an answer, then by another (decision 228)", async () => {
    const { api, store, requests } = client((path, time) => {
      if (!path.endsWith("refresh")) return { body: { entitlements: [] } };
      return time < 2 ? new TypeError("Failed to fetch") : { body: renewed };
    }, both);
    await expect(api.call("entitlement")).rejects.toThrow();
    for (let time = 0; time < 2; time++) {
      await api.call("entitlement");
      store.set("token", expired);
    }
    const names = requests.filter(({ url }) => url.endsWith("refresh")).map(({ body }) => /"attempt":"([\w-]{36})"/.exec(body ?? "")?.[1]);
    const [name] = names;
    expect(name).toBeDefined();
    expect(names.map((each) => each === name)).toEqual([true, true, true, false]);
  });

  test("that another tab renewed is not renewed again, and that tab's tokens stay", async () => {
    const { api, store, onSignedOut } = client((path) => {
      if (!path.endsWith("refresh")) return { body: { entitlements: [] } };
      store.set("token", renewed.token);
      store.set("refreshToken", "r2");
      return refused(1003);
    }, both);
    await expect(api.call("entitlement")).resolves.toEqual({ entitlements: [] });
    expect([store.get("token"), store.get("refreshToken"), onSignedOut.mock.calls.length]).toEqual([renewed.token, "r2", 0]);
  });

  test.each([
    [1003, both],
    [1002, { token: valid, refreshToken: "r1" }],
  ] as const)("that turns out to be over (%i) fails a call that asks quietly, and does not lead to the login", async (code, tokens) => {
    const { api, store, onSignedOut } = client(
      (path) => (path.endsWith("refresh") && code === 1002 ? { body: renewed } : refused(code)),
      tokens,
    );
    await expect(api.call("logout", { body: {}, quietly: true })).rejects.toMatchObject({ code });
    expect([store.get("token"), store.get("refreshToken"), onSignedOut.mock.calls.length]).toEqual([null, null, 0]);
  });

  test.each([
    ["a call that waits for a quiet one's renewal leads to the login", [true, false], "unanswered", 1],
    ["a quiet call that waits for another one's renewal fails", [false, true], expect.objectContaining({ code: 1002 }), 1],
    ["two quiet calls fail", [true, true], expect.objectContaining({ code: 1002 }), 0],
  ] as const)("that turns out to be over: %s", async (_, quiet, outcome, shown) => {
    const { api, store, onSignedOut } = client(() => refused(1003), both);
    const outcomes = quiet.map((quietly) => outcomeOf(api.call("email", { quietly })));
    expect(await Promise.all(outcomes)).toEqual([expect.objectContaining({ code: 1003 }), outcome]);
    expect([store.get("token"), store.get("refreshToken"), onSignedOut.mock.calls.length]).toEqual([null, null, shown]);
  });

  test("that turns out to be over: events that wait for a quiet call's renewal are sent without it, and lead nowhere", async () => {
    const { api, requests, onSignedOut } = client((path) => (path.endsWith("refresh") ? refused(1003) : { body: { accepted: 1 } }), both);
    const quiet = api.call("email", { quietly: true });
    const sent = api.call("sendEvent", { body: { events: [] } });
    await expect(quiet).rejects.toMatchObject({ code: 1003 });
    await expect(sent).resolves.toEqual({ accepted: 1 });
    expect([requests.at(-1)?.headers.get("authorization"), onSignedOut.mock.calls.length]).toEqual([null, 0]);
  });

  test("renewed after a logout does not restore the session", async () => {
    const { api, store, onSignedOut } = client((path) => {
      if (!path.endsWith("refresh")) return refused(1002);
      store.remove("token");
      store.remove("refreshToken");
      return { body: renewed };
    }, both);
    expect(await outcomeOf(api.call("entitlement"))).toBe("unanswered");
    expect([store.get("token"), store.get("refreshToken"), onSignedOut.mock.calls.length]).toEqual([null, null, 0]);
  });

  test("renewed after another login leaves that session and its back end as they are", async () => {
    const { api, store, paths } = client((path) => {
      if (!path.endsWith("refresh")) return { body: { entitlements: [] } };
      store.set("token", valid);
      store.set("refreshToken", "bea's");
      return { body: { ...renewed, backendUrl: otherBackend } };
    }, both);
    await api.call("entitlement");
    expect([store.get("token"), store.get("refreshToken"), paths()]).toEqual([valid, "bea's", ["/api/refresh", "/api/entitlement"]]);
  });

  test("that is refused even after a refresh signs out, without an error on the leaving page (spec 000 §8)", async () => {
    const { api, store, onSignedOut, paths } = client((path) => (path.endsWith("refresh") ? { body: renewed } : refused(1002)), {
      token: valid,
      refreshToken: "r1",
    });
    expect(await outcomeOf(api.call("entitlement"))).toBe("unanswered");
    expect(paths()).toEqual(["/api/entitlement", "/api/refresh", "/api/entitlement"]);
    expect([store.get("token"), store.get("refreshToken"), onSignedOut.mock.calls.length]).toEqual([null, null, 1]);
  });

  test.each([
    ["of any code", { status: 401, body: { code: 1001, message: "" } }],
    ["that is not the contract's", { status: 401, body: "<html>" }],
  ])("is also assumed for any other 401, one %s: tokens are removed, the login is shown, no error (spec 000 §8)", async (_name, reply) => {
    const { api, store, onSignedOut } = client((path) => (path.endsWith("refresh") ? { body: renewed } : reply), {
      token: valid,
      refreshToken: "r1",
    });
    expect(await outcomeOf(api.call("entitlement"))).toBe("unanswered");
    expect([store.get("token"), store.get("refreshToken"), onSignedOut.mock.calls.length]).toEqual([null, null, 1]);
  });

  test.each([
    [{}, "neverIn"],
    [{ token: valid }, "ended"],
    [{ refreshToken: "r1" }, "ended"],
  ])("is also assumed for a 401 with the body %j", async (tokens, why) => {
    const { api, store, onSignedOut } = client((path) => (path.endsWith("refresh") ? { body: renewed } : refused(1002)), tokens);
    expect(await outcomeOf(api.call("entitlement"))).toBe("unanswered");
    expect([store.get("token"), store.get("refreshToken"), onSignedOut.mock.calls]).toEqual([null, null, [[why]]]);
  });

  test("is not assumed for a wrong password, which is an error (decision 035)", async () => {
    const { api, onSignedOut } = client(() => refused(1001), { token: valid, refreshToken: "r1" });
    expect(await outcomeOf(api.call("accountErase", { body: { password: "not mine" } }))).toMatchObject({ code: 1001 });
    expect(onSignedOut).not.toHaveBeenCalled();
  });

  test("is not assumed for a call without a token: its 401 is an error (decision 035)", async () => {
    const { api, onSignedOut } = client(() => ({ status: 401, body: "<html>" }), { token: valid, refreshToken: "r1" });
    expect(await outcomeOf(api.call("checkEmail", { body: { email: "ana@example.com" } }))).toMatchObject({ status: 401 });
    expect(onSignedOut).not.toHaveBeenCalled();
  });

  test("refused after a logout does not sign out a second time", async () => {
    const { api, store, onSignedOut } = client((path) => {
      if (!path.endsWith("refresh")) return refused(1002);
      store.remove("token");
      store.remove("refreshToken");
      return refused(1003);
    }, both);
    await expect(api.call("entitlement")).rejects.toMatchObject({ code: 1003 });
    expect(onSignedOut).not.toHaveBeenCalled();
  });

  test("is renewed by one tab at a time: the next tab uses the new pair", async () => {
    const turns: (() => void)[] = [];
    const store = memoryStore();
    store.set("token", expired);
    store.set("refreshToken", "r1");
    const fetched: string[] = [];
    const tab = () =>
      createApi({
        fetch: (input) => {
          fetched.push(String(input));
          return Promise.resolve(Response.json(String(input).endsWith("refresh") ? renewed : { entitlements: [] }));
        },
        store,
        deviceUuid: "device-1",
        base: () => "/api",
        backends: [],
        callBackend: () => {},
        now,
        alone: async (work) => {
          await new Promise<void>((resolve) => turns.push(resolve));
          return work();
        },
        onSignedOut: () => {},
      });
    const calls = [tab().call("entitlement"), tab().call("entitlement")];
    await vi.advanceTimersByTimeAsync(0);
    turns[0]?.();
    await calls[0];
    turns[1]?.();
    await calls[1];
    expect(fetched).toEqual(["/api/refresh", "/api/entitlement", "/api/entitlement"]);
  });

  test("is renewed also where the browser blocks locks together with storage", async () => {
    const request = () => Promise.reject(new DOMException("The request was denied.", "SecurityError"));
    vi.stubGlobal("navigator", { locks: { request } });
    await expect(aloneAmongTabs(() => Promise.resolve("renewed"))).resolves.toBe("renewed");
    vi.unstubAllGlobals();
  });

  test("that looks valid is renewed after the server's refusal, and the call is repeated", async () => {
    const { api, paths } = client(
      (path, time) => (path.endsWith("refresh") ? { body: renewed } : time === 0 ? refused(1002) : { body: { entitlements: [] } }),
      { token: valid, refreshToken: "r1" },
    );
    await expect(api.call("entitlement")).resolves.toEqual({ entitlements: [] });
    expect(paths()).toEqual(["/api/entitlement", "/api/refresh", "/api/entitlement"]);
  });
});

test("each request is reported with status, duration and error, including refreshes and refused tokens (spec 000 §8)", async () => {
  const replies: readonly Reply[] = [refused(1002), { body: { entitlements: [] } }, { body: { entitlements: "none" } }, new Error("lost")];
  const { api, ended } = client((path, time) => (path.endsWith("refresh") ? { body: renewed } : (replies[time] ?? refused(1500))), {
    token: valid,
    refreshToken: "r1",
  });
  await api.call("entitlement");
  for (let time = 0; time < 3; time += 1) await expect(api.call("entitlement")).rejects.toThrow();
  expect(ended.map(({ endpoint, status, error }) => [endpoint, status, error instanceof Error ? error.message : error])).toEqual([
    ["entitlement", 401, `401 error on /api/entitlement: ${errorCodes[1002].message}`],
    ["refresh", 200, undefined],
    ["entitlement", 200, undefined],
    ["entitlement", 200, expect.stringContaining("Expected Array")],
    ["entitlement", 0, "No answer from /api/entitlement"],
    ["entitlement", 500, `500 error on /api/entitlement: ${errorCodes[1500].message}`],
  ]);
  for (const { duration } of ended) expect(duration).toBeGreaterThanOrEqual(0);
});
