/** The session in a real browser with its storage, address and events, and a fake network. */
import { compile } from "#core/questionnaire/compile.ts";
import { provenElsewhere } from "#core/errorBody.ts";
import { errorCodes } from "#core/errors.ts";
import type { Locale } from "#core/locales.ts";
import { buildPath } from "#core/routes.ts";
import { replayAnswers } from "#core/questionnaire/answer-code.ts";
import { savedState } from "#core/questionnaire/saved.ts";
import { mexico, smallQuestionnaire } from "#test/questionnaires.ts";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { uiTexts } from "#content/texts/ui.ts";
import { spendToken } from "./device/arrival.ts";
import { startBrowser } from "./browser.ts";
import { defaultClientConfig } from "./clientConfig.ts";
import { readDevice } from "./device/device.ts";
import { readState } from "./device/readState.ts";
import { renderedSnapshot } from "./session/session.ts";
import { deviceStore, storageKeys } from "./device/storage.ts";
import { forgetVisit } from "./shell/logOut.ts";
import { webSite } from "./siteContext.tsx";

const compiled = compile(smallQuestionnaire);
const rendered = renderedSnapshot(
  compiled,
  { locale: "es-419", country: "MX", platform: "other", requiresMarketingConsent: false, today: "2026-11-20" },
  "",
);
const address = location.href;
const uuid = "8a0b6c0e-0f55-4d5c-8f0b-1a2b3c4d5e6f";
const backend = "https://eu.parlando.example/api";

/** The server's responses by the address's ending. Other addresses give a lost connection. */
const answers: Readonly<Record<string, () => Response>> = {
  "/geo.json": () => Response.json({ backendUrlWeb: backend, locale: "es-419", country: "DE" }),
  "/config": () => Response.json({ uuid, questionnaireVersion: "76", completed: false, entitlementExists: false }),
  "/refresh": () => Response.json({ code: 1003, message: errorCodes[1003].message }, { status: 401 }),
  "/report-error": () => Response.json({}, { status: 202 }),
  "/send-event": () => Response.json({ accepted: 1 }, { status: 202 }),
};
const firstVisit = { compiled, rendered, client: defaultClientConfig, release: "0123456789ab", stored: null };
/** Starts and hydrates like `entry-client.tsx`. */
function start(answers = "", locale: Locale = "es-419", servedPath = location.pathname) {
  const browser = startBrowser({
    ...firstVisit,
    rendered: renderedSnapshot(compiled, { ...rendered.context, locale }, answers),
    stored: readState(deviceStore(() => localStorage)),
  });
  const { session, services } = browser;
  const texts = uiTexts(locale);
  const hydrated = browser.afterHydration(
    webSite({
      locale,
      texts,
      loadMoreTexts: async () => texts,
      loadLaterContents: async () => null,
      session,
      services,
      client: defaultClientConfig,
      bare: false,
    }),
    servedPath,
  );
  return { ...browser, hydrated };
}
/** The data layer's entries with these names. */
function layer(...names: readonly string[]): readonly Record<string, unknown>[] {
  const list: unknown = Reflect.get(window, "dataLayer");
  return (Array.isArray(list) ? list : []).filter((entry: { readonly event?: string }) => names.includes(entry.event ?? ""));
}
let asked: { readonly url: string; readonly body: unknown }[];
/** The calls with which a visit begins. Late events of another test's visit may come between them. */
const begun = () => asked.flatMap(({ url }) => url.split("?")[0] ?? []).filter((path) => /\/(?:geo\.json|config)$/.test(path));
/** The events of a type that were sent to the server. */
const sent = (type: string) =>
  asked
    .filter(({ url }) => url.endsWith("/send-event"))
    .flatMap(({ body }) => (typeof body === "object" && body !== null && "events" in body && Array.isArray(body.events) ? body.events : []))
    .filter(({ eventType }) => eventType === type);

beforeEach(() => {
  asked = [];
  Reflect.set(window, "dataLayer", []);
  for (const key of storageKeys) localStorage.removeItem(key);
  vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
    asked.push({ url, body: typeof init?.body === "string" ? JSON.parse(init.body) : null });
    const answer = Object.entries(answers).find(([path]) => new URL(url, location.href).pathname.endsWith(path));
    if (answer === undefined) throw new TypeError("Failed to fetch");
    return answer[1]();
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  history.replaceState(null, "", address);
  for (const key of storageKeys) localStorage.removeItem(key);
});

describe("a visit in the browser", () => {
  test("goes to the login when the server refuses to renew its token (spec 000 §4, §8)", async () => {
    localStorage.setItem("token", `h.${btoa(JSON.stringify({ exp: 1 }))}.s`);
    localStorage.setItem("refreshToken", "r1");
    const { services } = startBrowser(firstVisit);
    await expect(services.api.call("entitlement")).rejects.toThrow(`401 error on ${backend}/refresh`);
    expect(location.pathname).toBe(buildPath("questionnaire/user", "es-419", { version: "76" }));
    expect([localStorage.getItem("token"), localStorage.getItem("refreshToken")]).toEqual([null, null]);
  });

  test.each([
    ["73", buildPath("handle-your-subscription", "es-419")],
    ["76", buildPath("questionnaire/thank-you", "es-419", { version: "76" })],
  ])("goes to the login of version %s when the session ends at %s: of the page's version, else of the visitor's", async (version, path) => {
    // Shown in place. After other refusals the login is loaded, which would end the test.
    const fields = { refreshToken: provenElsewhere };
    vi.stubGlobal("fetch", async () => Response.json({ code: 1003, message: errorCodes[1003].message, fields }, { status: 401 }));
    localStorage.setItem("token", `h.${btoa(JSON.stringify({ exp: 1 }))}.s`);
    localStorage.setItem("refreshToken", "r1");
    history.replaceState(null, "", path);
    const { services } = startBrowser(firstVisit);
    localStorage.setItem("questionnaireVersion", "73");
    await expect(services.api.call("entitlement")).rejects.toThrow("401 error");
    expect(location.pathname).toBe(buildPath("questionnaire/user", "es-419", { version }));
  });

  test("an answer in another tab counts that is given before this page listens", async () => {
    const keep = (answered: string) =>
      localStorage.setItem("questionnaireState", JSON.stringify(savedState(replayAnswers(compiled, answered, mexico))));
    history.replaceState(null, "", buildPath("questionnaire/question", "es-419", { version: "76", question: "3" }));
    keep("2.1");
    const { session, hydrated } = start();
    keep("2.1~3.1");
    await hydrated;
    expect(session.snapshot().state.selectedOptions).toEqual([
      { questionId: 2, optionId: 1 },
      { questionId: 3, optionId: 1 },
    ]);
    await expect.poll(() => session.snapshot().state.user.uuid).toBe(uuid);
  });

  test("a question that the answers do not lead to stays where nobody answered meanwhile", async () => {
    const path = buildPath("questionnaire/question", "es-419", { version: "76", question: "41" });
    history.replaceState(null, "", path);
    localStorage.setItem("questionnaireState", JSON.stringify(savedState(replayAnswers(compiled, "2.1", mexico))));
    const { session, hydrated } = start();
    await hydrated;
    expect(location.pathname).toBe(path);
    await expect.poll(() => session.snapshot().state.user.uuid).toBe(uuid);
  });

  test("the data layer begins with the consent's default, before any entry that a tag manager could take for allowed (spec 000 §7)", async () => {
    history.replaceState(null, "", buildPath("home", "es-419"));
    const { session, hydrated } = start();
    await hydrated;
    await expect.poll(() => layer("homepage").length).toBeGreaterThan(0);
    const list: unknown = Reflect.get(window, "dataLayer");
    const isConsent = (entry: object) => Object.values(entry).slice(0, 2).join(" ") === "consent default";
    const [first] = Array.isArray(list) ? list.filter((entry) => isConsent(entry) || entry.event === "homepage") : [];
    expect(isConsent(first)).toBe(true);
    await expect.poll(() => session.snapshot().state.user.uuid).toBe(uuid);
  });

  test("calls wait for geo to name the back end, except when the page is left (spec 000 §7)", async () => {
    const known = Promise.withResolvers<void>();
    const fetchNow = fetch;
    vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
      if (url.endsWith("/geo.json")) await known.promise;
      return fetchNow(url, init);
    });
    const listen = vi.spyOn(window, "addEventListener");
    const { services } = startBrowser(firstVisit);
    const config = () => services.api.call("config", { query: { version: "v5.7.8", uiLanguage: "es-419" } });
    const early = config();
    await vi.dynamicImportSettled();
    expect(begun()).toEqual([]);
    known.resolve();
    await early;
    expect(begun()).toEqual(["/geo.json", `${backend}/config`]);

    asked = [];
    localStorage.removeItem("parlando");
    vi.stubGlobal("fetch", async (url: string, init?: RequestInit) =>
      url.endsWith("/geo.json") ? new Promise(() => {}) : fetchNow(url, init),
    );
    const leaving = startBrowser(firstVisit).services.api.call("config");
    // The API client listens for this event after it has loaded.
    await vi.dynamicImportSettled();
    for (const [type, listener] of listen.mock.calls)
      if (type === "pagehide" && typeof listener === "function") listener.call(window, new PageTransitionEvent("pagehide"));
    await leaving;
    expect(begun()).toEqual(["/api/config"]);
  });

  test("asks this origin for geo, stores the response, and sends all further calls to the back end in it (spec 000 §7)", async () => {
    const { session } = start();
    await expect.poll(() => session.snapshot().state.user.uuid).toBe(uuid);
    expect(begun()).toEqual(["/geo.json", `${backend}/config`]);
    expect(readDevice(deviceStore(() => localStorage))).toMatchObject({ backendUrlWeb: backend, country: "DE" });
    expect(session.snapshot().context).toMatchObject({ country: "DE", requiresMarketingConsent: true });
  });

  test.each([
    ["https://gone.example/api", backend],
    [defaultClientConfig.backends[0], defaultClientConfig.backends[0]],
  ])(
    "with a session of %s the calls go to %s: geo's back end if the session's is no longer one of ours (spec 000 §7)",
    async (known, called) => {
      localStorage.setItem("token", `h.${btoa(JSON.stringify({ exp: 4_000_000_000 }))}.s`);
      localStorage.setItem("parlando", JSON.stringify({ deviceUuid: uuid, backendUrlWeb: known }));
      const { services } = startBrowser(firstVisit);
      await services.api.call("entitlement").catch(() => undefined);
      expect(asked.map(({ url }) => url).filter((url) => url.endsWith("/entitlement"))).toEqual([`${called}/entitlement`]);
    },
  );

  test("the login after a sign-up goes to the back end that made the account, also if geo answers only then", async () => {
    const [own = ""] = defaultClientConfig.backends;
    const fetchNow = fetch;
    vi.stubGlobal("fetch", (url: string, init?: RequestInit) => {
      if (url.endsWith("/geo.json") && !begun().includes(url)) asked.push({ url, body: null });
      else if (!url.endsWith("/signup")) return fetchNow(url, init);
      else return Response.json({ backendUrl: own, user: { uuid } });
      throw new TypeError("Failed to fetch");
    });
    const { services } = startBrowser(firstVisit);
    const account = { email: "ana@example.com", password: "hablo-con-todos-9" };
    await services.api.call("signup", {
      body: { ...account, uuid, uiLanguage: "es-419", questionnaire: "76", version: "v5.7.8" },
    });
    await services.api.call("login", { body: account }).catch(() => undefined);
    expect(asked.map(({ url }) => url).filter((url) => url.endsWith("/login"))).toEqual([`${own}/login`]);
    // The offer asks geo again for the country.
    services.paymentFor({ couponCode: undefined, reactivate: false }).offer.load();
    const device = () => readDevice(deviceStore(() => localStorage));
    await expect.poll(() => device()?.country).toBe("DE");
    expect(device()?.backendUrlWeb).toBe(own);
  });

  test("recognises a country that geo names in lower case, as another back end may", async () => {
    const fetchNow = fetch;
    vi.stubGlobal("fetch", async (url: string, init?: RequestInit) =>
      url.endsWith("/geo.json")
        ? Response.json({ backendUrlWeb: backend, locale: "es-419", country: "de", countryKnown: true })
        : fetchNow(url, init),
    );
    const { session } = start();
    await expect.poll(() => session.snapshot().state.user.uuid).toBe(uuid);
    expect(readDevice(deviceStore(() => localStorage))).toMatchObject({ country: "DE" });
    expect(session.snapshot().context).toMatchObject({ country: "DE", requiresMarketingConsent: true });
  });

  test.each([undefined, null, "", "XX", "Mexico"])("takes a country that geo does not name for MX: %j (spec 000 §7)", async (country) => {
    const fetchNow = fetch;
    vi.stubGlobal("fetch", async (url: string, init?: RequestInit) =>
      url.endsWith("/geo.json") ? Response.json({ backendUrlWeb: backend, locale: "es-419", country }) : fetchNow(url, init),
    );
    const { session } = start();
    await expect.poll(() => session.snapshot().state.user.uuid).toBe(uuid);
    expect(readDevice(deviceStore(() => localStorage))).toMatchObject({ backendUrlWeb: backend, country: "MX" });
  });

  test.each([undefined, null, "", "fr-FR", "es-MX"])(
    "takes country and back end from a geo that names none of our locales: %j (spec 000 §7)",
    async (language) => {
      const fetchNow = fetch;
      vi.stubGlobal("fetch", async (url: string, init?: RequestInit) =>
        url.endsWith("/geo.json") ? Response.json({ backendUrlWeb: backend, locale: language, country: "DE" }) : fetchNow(url, init),
      );
      const { session } = start();
      await expect.poll(() => session.snapshot().state.user.uuid).toBe(uuid);
      expect(readDevice(deviceStore(() => localStorage))).toMatchObject({ backendUrlWeb: backend, country: "DE", locale: "es-419" });
    },
  );

  test("geo's answer does not bring back the former visitor's id for in-app messages after starting over (spec 001 §2)", async () => {
    localStorage.setItem("parlando", JSON.stringify({ deviceUuid: uuid, brazeUserId: "former" }));
    const { session, services } = start();
    forgetVisit({ session, services });
    await expect.poll(() => session.snapshot().state.user.uuid).toBe(uuid);
    expect(readDevice(services.store)).toEqual({ deviceUuid: uuid, locale: "es-419", country: "DE", backendUrlWeb: backend });
  });

  test("the page of a mailed link still has its token after a reload, until it is used; no other page keeps one", () => {
    const arrive = () => Object.fromEntries(startBrowser(firstVisit).services.arrival);
    const secrets = { token: "t", confirm_token: "c" };
    const visit = { ...secrets, platform: "web" };
    const confirmPath = buildPath("link/confirm-email", "es-419");
    history.replaceState(null, "", `${confirmPath}?${new URLSearchParams(visit)}`);
    const { arrival } = startBrowser(firstVisit).services;
    expect([Object.fromEntries(arrival), location.search]).toEqual([visit, "?platform=web"]);
    expect([arrive(), location.search]).toEqual([visit, "?platform=web"]);
    spendToken(arrival);
    expect(arrive()).toEqual({ platform: "web", confirm_token: "c" });
    history.replaceState(history.state, "", buildPath("home", "es-419"));
    expect(arrive()).toEqual({});
    history.replaceState(null, "", `${buildPath("home", "es-419")}?token=t`);
    expect([arrive(), arrive(), location.search, JSON.stringify(history.state)]).toEqual([{ token: "t" }, {}, "", "{}"]);
  });

  test("a page without a version in its address stores the visitor's id but no version; a version's page stores it at once (spec 000 §3)", async () => {
    const stored = () => [localStorage.getItem("questionnaireVersion"), localStorage.getItem("questionnaireRoot")];
    for (const route of ["home", "login/link", "questionnaire/raffle"] as const) {
      localStorage.removeItem("questionnaireState");
      history.replaceState(null, "", buildPath(route, "es-419"));
      start();
      await expect.poll(() => localStorage.getItem("questionnaireState")).toContain(uuid);
      expect(stored(), route).toEqual([null, null]);
    }
    history.replaceState(null, "", buildPath("questionnaire/question", "es-419", { version: "76", question: "2" }));
    startBrowser(firstVisit);
    expect(stored()).toEqual(["76", "2"]);
  });

  test("a version whose question the raffle's page shows in place is stored instead of an earlier one (spec 000 §3)", async () => {
    localStorage.setItem("questionnaireVersion", "84");
    history.replaceState(null, "", buildPath("questionnaire/raffle", "es-419"));
    const { session } = start();
    await expect.poll(() => session.snapshot().state.user.uuid).toBe(uuid);
    expect(localStorage.getItem("questionnaireVersion")).toBe("84");
    history.replaceState(null, "", buildPath("questionnaire/question", "es-419", { version: "76", question: "2" }));
    session.shown(2);
    expect([localStorage.getItem("questionnaireVersion"), localStorage.getItem("questionnaireRoot")]).toEqual(["76", "2"]);
  });

  test("waits 15 s for a hanging geo, once per visit", async () => {
    const fetchNow = fetch;
    vi.stubGlobal("fetch", (url: string, init?: RequestInit) => (url.endsWith("/geo.json") ? new Promise(() => {}) : fetchNow(url, init)));
    const later = setTimeout;
    const waiting: (() => void)[] = [];
    vi.stubGlobal("setTimeout", (work: () => void, ms: number) => (ms === 15_000 ? waiting.push(work) : later(work, ms)));
    const { services } = startBrowser(firstVisit);
    const first = services.api.call("config");
    await expect.poll(() => waiting.length).toBe(1);
    expect(asked).toEqual([]);
    waiting[0]?.();
    await first;
    await services.api.call("config");
    expect([asked.map(({ url }) => url), waiting.length]).toEqual([["/api/config", "/api/config"], 1]);
  });

  test("the offer waits for the country and uses the program's plan, else 3M (spec 001 §7, §9)", async () => {
    const known = Promise.withResolvers<void>();
    const fetchNow = fetch;
    vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
      if (url.endsWith("/geo.json")) await known.promise;
      return fetchNow(url, init);
    });
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    const { services, session } = start();
    services.offer.load();
    await vi.dynamicImportSettled();
    known.resolve();
    // The fake network has no products, which is logged as a warning.
    await expect.poll(() => warn.mock.calls.length).toBeGreaterThan(0);
    const asksFor = () => asked.filter(({ url }) => url.endsWith("/feature/course-fee")).map(({ body }) => body);
    expect(asksFor()).toMatchObject([{ attributes: { country: "DE", plan: "3M" } }]);
    session.dispatch({ type: "chooseSchedule", scheduleId: 2 });
    services.offer.retry();
    await expect.poll(asksFor).toHaveLength(2);
    expect(asksFor()[1]).toMatchObject({ attributes: { plan: "6M" } });
    await expect.poll(() => services.offer.snapshot().status).toBe("failed");
  });

  test("reports window errors and unhandled rejections, with its version (spec 001 §8)", async () => {
    const listen = vi.spyOn(window, "addEventListener");
    start();
    const happens = (name: string, event: object) => {
      const [, listener] = listen.mock.calls.find(([type]) => type === name) ?? [];
      if (typeof listener === "function") listener(Object.assign(new Event(name), event));
    };
    happens("error", { error: new Error("no such button") });
    happens("unhandledrejection", { reason: "nobody waited" });
    const reports = () => asked.filter(({ url }) => url.endsWith("/report-error")).map(({ body }) => body);
    await expect.poll(reports).toHaveLength(2);
    expect(reports()).toMatchObject([
      {
        message: "no such button",
        url: location.origin + location.pathname,
        appVersion: "5.7.8",
        stack: expect.stringContaining("no such button"),
      },
      { message: "nobody waited", url: location.origin + location.pathname, appVersion: "5.7.8" },
    ]);
  });

  test("calls that ended before analytics loaded reach the data layer, with their errors (spec 000 §7, §8)", async () => {
    const { services } = start();
    // Analytics has not loaded yet.
    expect(layer("homepage", "me_web_request")).toEqual([]);
    await Promise.all([
      services.api.call("geo"),
      services.api.call("checkEmail", { body: { email: "a@example.com" } }).catch(() => undefined),
    ]);
    await expect
      .poll(() => layer("me_web_request"))
      .toEqual(
        expect.arrayContaining([
          { event: "me_web_request", endpoint: "/geo.json", status: 200 },
          { event: "me_web_request", endpoint: "check-email", status: 0 },
        ]),
      );
    expect(layer("me_web_request_duration").length).toBe(layer("me_web_request").length);
    expect(layer("exception")).toContainEqual({
      event: "exception",
      status: 0,
      endpoint: "check-email",
      message: expect.stringContaining("No answer from"),
    });
  });

  test("events at a page after the funnel carry the page's own id (spec 001 §9)", async () => {
    history.replaceState(null, "", buildPath("questionnaire/reactivate", "es-419", { version: "76" }));
    const { services } = start();
    services.track({ eventType: "PurchaseFlow", payload: { stage: "opened" } });
    // Other pages of the device may send the event too. It counts once.
    await expect.poll(() => sent("PurchaseFlow")[0]).toMatchObject({ payload: { stage: "opened", questionId: 1008 } });
  });

  test("answers in the address start the questionnaire and count once: not after a reload or with the same address", async () => {
    const answers = () => sent("QuestionnaireAnswer");
    const answered = () => answers().map(({ payload }) => payload.questionId);
    start("2.1");
    await expect.poll(answered).toContain(2);
    expect(answers()[0].payload).toMatchObject({ questionnaire: "76", questionId: 2, optionId: 1 });
    expect(layer("questionnaire_start")).toEqual([{ event: "questionnaire_start", questionnaire: "76" }]);
    start();
    const { session } = start("2.1");
    expect(session.snapshot().state.selectedOptions).toEqual([{ questionId: 2, optionId: 1 }]);
    // Once the next answer has arrived, a second count of the first one would have arrived too.
    await session.choose(3, 1);
    await expect.poll(answered).toContain(3);
    expect(new Set(answers().map(({ id }) => id)).size).toBe(2);
    expect(layer("questionnaire_start")).toHaveLength(1);
  });

  test("the pages of a version count their visitor, the raffle's page counts nobody before the draw (spec 000 §7)", () => {
    localStorage.setItem("consent", '{"analytics":true}');
    const counted = (path: string) => {
      history.replaceState(null, "", path);
      localStorage.removeItem("earlyEvents");
      startBrowser(firstVisit);
      return localStorage.getItem("earlyEvents")?.match(/GetQuestionnaire/g)?.length ?? 0;
    };
    expect(counted(buildPath("questionnaire/raffle", "es-419"))).toBe(0);
    expect(counted(buildPath("questionnaire/question", "es-419", { version: "76", question: "2" }))).toBe(1);
  });

  test("a tap on the cookie settings before they load opens them when they have loaded", async () => {
    start().services.cookieSettings?.();
    expect(document.querySelector("[data-consent=settings]")).toBeNull();
    await expect.poll(() => document.querySelector("[data-consent=settings]")).not.toBeNull();
    document.querySelector("[data-consent=settings]")?.closest("body > div")?.remove();
  });

  test("the notice about an old system follows an option that the visitor chooses, not answers that a login takes over (spec 001 §4)", async () => {
    vi.spyOn(navigator, "userAgent", "get").mockReturnValue("Mozilla/5.0 (iPhone; CPU iPhone OS 14_8 like Mac OS X)");
    const warnings = () => sent("QuestionnairePopupShown").map(({ payload }) => [payload.popupId, payload.questionId]);
    // Overlays of other tests' visits stay on the page.
    const banners = () => document.querySelectorAll("[data-consent=banner]").length;
    const before = banners();
    const { session, hydrated } = start();
    await hydrated;
    await expect.poll(banners).toBeGreaterThan(before);
    session.adopt({ ...replayAnswers(compiled, "2.1~3.1", mexico), user: { uuid } });
    await vi.dynamicImportSettled();
    await session.choose(41, 1);
    dispatchEvent(new Event("online"));
    await expect.poll(warnings).toEqual([["OldOS", 42]]);
  });

  test("the questionnaire's root leads to its first question, and with answers to the question after them (spec 001 §2)", async () => {
    const question = (id: number) => buildPath("questionnaire/question", "es-419", { version: "76", question: String(id) });
    localStorage.setItem("questionnaireState", JSON.stringify(savedState(renderedSnapshot(compiled, rendered.context, "2.1~3.1").state)));
    const entry = performance.getEntriesByType("navigation")[0];
    const arrive = async (query: string, redirectCount: number, type = "navigate") => {
      const sentOn = Object.create(entry ?? null, { redirectCount: { value: redirectCount }, type: { value: type } });
      const entries = vi.spyOn(performance, "getEntriesByType").mockReturnValue([sentOn]);
      history.replaceState(null, "", question(2) + query);
      await start().hydrated;
      entries.mockRestore();
      return location.pathname;
    };
    expect(await arrive("", 1)).toBe(question(2));
    expect(await arrive("?a=2.1~3.1", 1)).toBe(question(41));
    expect(await arrive("?a=2.1", 0)).toBe(question(2));
    expect(await arrive("?a=2.1", 1, "back_forward")).toBe(question(2));
  });

  test("a question to which the visitor's answers have not led stays when it is opened by its address, but not when Back led to it", async () => {
    const question = (id: number) => buildPath("questionnaire/question", "es-419", { version: "76", question: String(id) });
    localStorage.setItem("questionnaireState", JSON.stringify(savedState(renderedSnapshot(compiled, rendered.context, "2.1~3.1").state)));
    const entry = performance.getEntriesByType("navigation")[0];
    const arrive = async (type: string, served: number) => {
      const entries = vi.spyOn(performance, "getEntriesByType").mockReturnValue([Object.create(entry ?? null, { type: { value: type } })]);
      history.replaceState(null, "", question(43));
      await start("", "es-419", question(served)).hydrated;
      entries.mockRestore();
      return location.pathname;
    };
    expect([await arrive("navigate", 43), await arrive("reload", 43)]).toEqual([question(43), question(43)]);
    // By a page load, and in place on a reloaded page before its script ran.
    expect([await arrive("back_forward", 43), await arrive("reload", 41)]).toEqual([question(41), question(41)]);
  });

  test("follows the answers of another tab, and those given since the page was left, and goes on from the latest", async () => {
    const question = (id: number) => buildPath("questionnaire/question", "es-419", { version: "76", question: String(id) });
    const stored = (code: string) => {
      const { state } = renderedSnapshot(compiled, rendered.context, code);
      localStorage.setItem("questionnaireState", JSON.stringify(savedState({ ...state, user: { uuid } })));
    };
    stored("2.1~3.1");
    history.replaceState(null, "", question(41));
    const { session, hydrated } = start();
    await hydrated;
    const answered = () => session.snapshot().state.selectedOptions.map(({ questionId }) => questionId);
    stored("2.1~3.1~41.1~42.1");
    dispatchEvent(new StorageEvent("storage", { key: "questionnaireState", newValue: "{}" }));
    expect([answered(), location.pathname]).toEqual([[2, 3, 41, 42], question(41)]);
    stored("2.2~3.1");
    dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    expect([answered(), location.pathname]).toEqual([[2, 3], question(41)]);
    // Here it has become a question to which no answer leads.
    stored("2.1");
    dispatchEvent(new StorageEvent("storage", { key: "questionnaireState", newValue: "{}" }));
    expect([answered(), location.pathname]).toEqual([[2], question(3)]);
  });

  test("keeps the hf parameter when a plain link to one of our pages is followed (spec 001 §2)", async () => {
    await start().hydrated;
    const box = document.createElement("div");
    document.body.append(box);
    const stay = (event: Event) => event.preventDefault();
    addEventListener("click", stay);
    onTestFinished(() => {
      removeEventListener("click", stay);
      box.remove();
    });
    const followed = (href: string) => {
      box.innerHTML = `<a href="${href}"><span>go</span></a>`;
      box.querySelector("span")?.click();
      return box.querySelector("a")?.getAttribute("href");
    };
    const verify = buildPath("questionnaire/verify-email", "es-419", { version: "76" });
    expect(followed(verify)).toBe(verify);
    history.replaceState(null, "", "?hf=1");
    expect(followed(verify)).toBe(`${location.origin}${verify}?hf=`);
    expect(followed(`${verify}?a=2.1#top`)).toBe(`${location.origin}${verify}?a=2.1&hf=#top`);
    for (const other of ["#steps", `${verify}?hf`, "/media/hero.webp", "https://elsewhere.example/es/", "mailto:info@parlando.example"])
      expect(followed(other)).toBe(other);
  });

  test("stores the language for the site's root, and removes the answers from the address (spec 000 §2)", async () => {
    for (const locale of ["es-419", "de-DE"] as const) {
      history.replaceState(null, "", "?a=2.1&hf");
      await start("", locale).hydrated;
      expect([document.cookie, location.search]).toEqual([expect.stringContaining(`parlando-locale=${locale}`), "?hf="]);
      expect(readDevice(deviceStore(() => localStorage))?.locale).toBe(locale);
    }
    document.cookie = "parlando-locale=; path=/; max-age=0";
  });
});
