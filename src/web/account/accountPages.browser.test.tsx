/** Login and account pages in a browser, with fake calls (spec 001 §2, §4, §5, §8). */
import type { SubscriptionView } from "#core/api.ts";
import { uiTexts } from "#content/texts/ui.ts";
import { sessionSchema } from "#core/api.ts";
import { reactivateTarget } from "#core/links.ts";
import { compile } from "#core/questionnaire/compile.ts";
import { replayAnswers } from "#core/questionnaire/answer-code.ts";
import type { Questionnaire } from "#core/questionnaire/definition.ts";
import { savedState } from "#core/questionnaire/saved.ts";
import { type State, stateSchema } from "#core/questionnaire/state.ts";
import { initialState } from "#core/questionnaire/step.ts";
import { buildPath, type PageRoute } from "#core/routes.ts";
import { plainText, type Text } from "#core/text.ts";
import { mexico, smallQuestionnaire } from "#test/questionnaires.ts";
import { mount } from "#test/mount.tsx";
import { testSite } from "#test/webSite.ts";
import { act } from "react";
import * as v from "valibot";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { type Api, createApi } from "../api/client.ts";
import { ConnectionError } from "../api/request.ts";
import { defaultClientConfig } from "../clientConfig.ts";
import { loadPageModule } from "../pages.ts";
import { type FakeApi, fakeApi, refusal } from "../session/fakeApi.ts";
import { accountEmail } from "../device/accountAddress.ts";
import { readDevice, saveDevice } from "../device/device.ts";
import { memoryStore, removeTokens, type StorageKey } from "../device/storage.ts";

const went = vi.hoisted(() => vi.fn());
vi.mock(import("../navigation.ts"), async (original) => ({ ...(await original()), goToPath: went, showPage: went }));
beforeEach(() => {
  went.mockReset();
  history.replaceState(null, "");
});
/** Sets the navigation that led to the page. */
const cameBy = (problem?: string, from = "/", emailQuestion?: string) => history.replaceState({ from, problem, emailQuestion }, "");

const compiled = compile(smallQuestionnaire);
const version = "76";
const text = uiTexts("es-419");
const at = {
  question: (id: number) => buildPath("questionnaire/question", "es-419", { version, question: String(id) }),
  page: (name: "reactivate" | "user" | "update-email" | "email-exists" | "verify-email" | "congratulations" | "new-confirm") =>
    buildPath(`questionnaire/${name}`, "es-419", { version }),
  login: (name: "link" | "link-sent" | "expired" | "failed") => buildPath(`login/${name}`, "es-419"),
};
const user = { uuid: "8a0b6c0e-0f55-4d5c-8f0b-1a2b3c4d5e6f", email: "ana@example.com", firstname: "Ana" };
const session = {
  token: "h.p.s",
  refreshToken: "r1",
  backendUrl: defaultClientConfig.backends[0] ?? "",
  user,
  features: { questionnaire: { version, completed: false, entitlementExists: false } },
};
const entitlement = (status: "active" | "deleted") => ({ status, end: "2099-01-01T00:00:00Z" });
const inTheMiddle = v.parse(stateSchema, savedState(replayAnswers(compiled, "2.1~3.1", mexico)));

interface Around {
  readonly query?: string;
  readonly api?: FakeApi;
  /** The real API client instead of the fake one. */
  readonly client?: Api;
  readonly stored?: readonly (readonly [StorageKey, string])[];
  readonly state?: Partial<State>;
  readonly definition?: Questionnaire;
}

async function opened(
  route: PageRoute,
  { query = "", api = fakeApi({}), client = api, stored = [], state = {}, definition = smallQuestionnaire }: Around = {},
) {
  const store = memoryStore();
  for (const [key, value] of stored) store.set(key, value);
  const adopt = vi.fn();
  const callBackend = vi.fn((url: string | null) => {
    const device = readDevice(store);
    if (url !== null && device !== null) saveDevice(store, { ...device, backendUrlWeb: url });
  });
  const report = vi.fn();
  const site = testSite({
    definition,
    state,
    session: { adopt },
    services: { api: client, store, arrival: new URLSearchParams(query), callBackend, report },
  });
  const { page } = await loadPageModule(route);
  const element = await mount(site, <page.View params={{ version }} />);
  const main = element.querySelector("main") ?? element;
  const button = (name: string) =>
    [...element.querySelectorAll("main button")].find((found): found is HTMLButtonElement => found.textContent?.trim() === name);
  const link = (name: string) => [...element.querySelectorAll("main a")].find(({ textContent }) => textContent?.trim() === name);
  return {
    main: () => element.querySelector("main") ?? main,
    store,
    api,
    adopt,
    callBackend,
    report,
    ways: () => went.mock.calls.map(([path]) => path),
    /** The problems that the next pages were given. */
    problems: () => went.mock.calls.map(([, options]) => options?.problem),
    links: () => [...element.querySelectorAll("main a")].map((link) => link.getAttribute("href")),
    field: (type: string) => element.querySelector<HTMLInputElement>(`main input[type=${type}]`),
    button,
    type: (type: string, value: string) => act(() => userEvent.fill(element.querySelector(`main input[type=${type}]`) ?? element, value)),
    press: (name: string) => act(() => userEvent.click(button(name) ?? link(name) ?? element)),
    key: (keys: string) => act(() => userEvent.keyboard(keys)),
  };
}
/** How a call can fail, and the text key that the next page adds for it. */
const failures: readonly (readonly [string, Error, string | undefined])[] = [
  ["refused", refusal(1000), undefined],
  ["refused because of too many", refusal(1429), "problem.tooMany"],
  ["failed by the server", refusal(1500), "problem.unexpected"],
  ["without an answer", new ConnectionError("/api/test", null), "problem.offline"],
];
const failing = (error: Error) => () => {
  throw error;
};
const said = (key: string) => String(Reflect.get(text, key));
/** The server's answer to a link of `user`: a browser that remembers another address has to ask first. */
const othersToken = (input: unknown) => {
  const known: unknown = Reflect.get(Object(input), "knownAddress");
  if (known !== undefined && known !== user.email) throw refusal(1403, { email: user.email });
  return session;
};

test.each([["page.user.ended"], ["page.user.over"]])(
  "the login says why the session has ended (%s), and offers the link",
  async (problem) => {
    cameBy(problem);
    const { links } = await opened("questionnaire/user");
    expect(document.querySelector("main")?.textContent).toContain(said(problem));
    expect(links()).toContain(at.login("link"));
    cameBy();
    expect((await opened("questionnaire/user")).links()).not.toContain(at.login("link"));
  },
);

test.each([
  ["link/undo-email", "undoEmail"],
  ["link/keep-subscription", "keepSubscription"],
] as const)("the button of %s asks the back end that the mail names", async (route, endpoint) => {
  const [backend = ""] = defaultClientConfig.backends;
  const api = fakeApi({ undoEmail: () => ({ email: user.email }), keepSubscription: () => ({}) });
  const { press } = await opened(route, { query: `token=t1&backend-url=${encodeURIComponent(backend)}`, api });
  await press(said(`page.${route.slice("link/".length)}.go`));
  expect(api.calledElsewhere).toEqual([[endpoint, backend]]);
});

test("whoever paid just before the session ended reads at the login that the payment is on its way", async () => {
  cameBy("page.user.ended");
  const { main } = await opened("questionnaire/user", { stored: [["paymentStatus", "pending"]] });
  expect(main().textContent).toContain(said("page.user.endedPaid"));
  expect((await opened("questionnaire/user", { stored: [["paymentStatus", "completed"]] })).main().textContent).toContain(
    said("page.user.ended"),
  );
});

test("whoever confirms on a device that does not know the address finds it filled in at the login that follows", async () => {
  const confirming = async (email?: string) => {
    const page = await opened("link/confirm-email", { query: "confirm_token=c1", api: fakeApi({ confirmEmail: () => ({ email }) }) });
    await page.press(said("page.confirm-email.askGo"));
    return page.store.get("signupEmail");
  };
  expect([await confirming(user.email), await confirming()]).toEqual([user.email, null]);
});

describe.each(["token-login", "link/login"] as const)("%s", (route) => {
  const asked: readonly (readonly [StorageKey, string])[] = [["signupEmail", user.email]];
  const answers = (state: typeof inTheMiddle | null, entitlements: ReturnType<typeof entitlement>[] = []) =>
    fakeApi({
      token: () => session,
      questionnaireGet: () => ({ state, ...(state === null ? {} : { savedAt: "2026-11-20T10:00:00Z" }) }),
      entitlement: () => ({ entitlements }),
    });

  test("exchanges the token at the back end that the link names, and goes on where the saved state is", async () => {
    const backend = defaultClientConfig.backends[0] ?? "";
    const { ways, store, api, callBackend } = await opened(route, {
      query: `token=t1&backend-url=${encodeURIComponent(backend)}`,
      stored: asked,
      api: answers(inTheMiddle),
    });
    expect(api.calls).toEqual([
      ["token", { token: "t1", knownAddress: user.email }],
      ["questionnaireGet", { uuid: user.uuid }],
      ["entitlement", null],
    ]);
    expect(api.calledElsewhere).toEqual([["token", backend]]);
    // Later calls go to the one that issued the session.
    expect(callBackend.mock.calls).toEqual([[session.backendUrl]]);
    expect([store.get("token"), store.get("refreshToken")]).toEqual(["h.p.s", "r1"]);
    expect(ways()).toEqual([at.question(41)]);
  });

  test("a failed login by link leaves the device's back end as it is", async () => {
    const [backend = ""] = defaultClientConfig.backends;
    const { api, callBackend } = await opened(route, {
      query: `token=t1&backend-url=${encodeURIComponent(backend)}`,
      stored: [...asked, ["parlando", JSON.stringify({ deviceUuid: "d", backendUrlWeb: "https://own.example/api" })]],
      api: fakeApi({ token: failing(refusal(1005)) }),
    });
    expect([api.calledElsewhere, callBackend.mock.calls]).toEqual([[["token", backend]], []]);
  });

  test("goes to the link's target, which has at most two digits", async () => {
    expect((await opened(route, { query: "token=t1&target=3", stored: asked, api: answers(inTheMiddle) })).ways()).toEqual([
      at.question(3),
    ]);
    went.mockReset();
    expect((await opened(route, { query: "token=t1&target=003", stored: asked, api: answers(inTheMiddle) })).ways()).toEqual([
      at.question(41),
    ]);
  });

  test("a link without a target ignores an older link's target, whether the link works or fails; a login for the reactivation page keeps its target", async () => {
    const older: NonNullable<Around["stored"]> = [...asked, ["questionnaireTarget", "3"], ["discount", "VUELVE30"]];
    expect((await opened(route, { query: "token=t1", stored: older, api: answers(inTheMiddle) })).ways()).toEqual([at.question(41)]);
    const fails = (stored: NonNullable<Around["stored"]>, query = "token=t1") =>
      opened(route, { query, stored, api: fakeApi({ token: failing(refusal(1005)) }) }).then(({ store }) => [
        store.get("questionnaireTarget"),
        store.get("discount"),
      ]);
    expect(await fails(older)).toEqual([null, null]);
    expect(await fails(older, "token=t1&target=41")).toEqual(["41", null]);
    const reactivating: NonNullable<Around["stored"]> = [
      ...asked,
      ["questionnaireTarget", String(reactivateTarget)],
      ["discount", "VUELVE30"],
    ];
    expect(await fails(reactivating)).toEqual([String(reactivateTarget), "VUELVE30"]);
    expect(await fails(reactivating, "token=t1&discount=NEW")).toEqual([String(reactivateTarget), "NEW"]);
  });

  test("without a saved state, starts after the sign-up with a fresh state marked as signed up", async () => {
    const { ways, adopt } = await opened(route, { query: "token=t1", stored: asked, api: answers(null) });
    expect(ways()).toEqual([at.question(73)]);
    expect(adopt.mock.calls[0]?.[0]).toMatchObject({ signupDone: true, user, selectedOptions: [] });
  });

  /** The saved state from the server's JSON, through the real API client. */
  const received = (state: unknown) =>
    createApi({
      fetch: async (request) =>
        Response.json(
          String(request).includes("/token") ? session : String(request).includes("/entitlement") ? { entitlements: [] } : { state },
        ),
      store: memoryStore(),
      deviceUuid: user.uuid,
      base: () => "/api",
      backends: [],
      callBackend: () => {},
      now: () => new Date(),
      onSignedOut: () => {},
    });

  test("treats null fields of the saved state as missing, nested ones too (spec 000 §7)", async () => {
    const nulls = { finishedTimestamp: null, schedule: null, studySchedule: null, programEndDate: null, days: null, moreInfoOf: null };
    const state = { ...inTheMiddle, ...nulls, user: { uuid: user.uuid, email: null, firstname: null, uiLanguage: null } };
    const { ways, adopt } = await opened(route, { query: "token=t1", stored: asked, client: received(state) });
    await act(async () => await expect.poll(ways).toEqual([at.question(41)]));
    const [taken] = adopt.mock.calls[0] ?? [];
    expect(taken).toMatchObject({ selectedOptions: inTheMiddle.selectedOptions, days: [], moreInfoOf: [] });
    expect(taken.user).toEqual({ ...user });
    expect(JSON.stringify(taken)).not.toContain("null");
  });

  test("keeps the answers that this device could not save before its session ended", async () => {
    const further = replayAnswers(compiled, "2.1~3.1~41.1", mexico);
    const { adopt } = await opened(route, {
      query: "token=t1",
      stored: [...asked, ["questionnaireState", JSON.stringify({ sync: { synced: 2, unsaved: true } })]],
      state: { ...further, user },
      api: answers(inTheMiddle),
    });
    await act(async () => await expect.poll(() => adopt.mock.calls.length).toBe(1));
    expect(adopt.mock.calls[0]?.[0].selectedOptions).toEqual(further.selectedOptions);
  });

  test("starting over holds, although the session ended before it was saved", async () => {
    const { adopt, ways } = await opened(route, {
      query: "token=t1",
      stored: [...asked, ["questionnaireReset", "1"], ["questionnaireState", JSON.stringify({ sync: { synced: 0, unsaved: true } })]],
      state: { signupDone: true, user },
      api: answers(inTheMiddle),
    });
    await act(async () => await expect.poll(ways).toEqual([at.question(2)]));
    expect(adopt.mock.calls).toMatchObject([[{ selectedOptions: [], signupDone: true, user }, "2026-11-20T10:00:00Z"]]);
  });

  test("an invalid saved state starts at the initial question", async () => {
    const { ways, adopt } = await opened(route, {
      query: "token=t1",
      stored: asked,
      client: received({ ...inTheMiddle, currentQuestionId: "41" }),
    });
    await act(async () => await expect.poll(ways).toEqual([at.question(2)]));
    expect(adopt.mock.calls[0]?.[0]).toMatchObject({ signupDone: true, user, selectedOptions: [] });
  });

  test("only the first entitlement counts: a usable plan is managed, a lapsed one reactivated with the link's discount", async () => {
    const first = await opened(route, {
      query: "token=t1",
      stored: asked,
      api: answers(null, [entitlement("active"), entitlement("deleted")]),
    });
    expect(first.ways()).toEqual([buildPath("handle-your-subscription", "es-419")]);
    went.mockReset();
    const api = answers(null, [entitlement("deleted"), entitlement("active")]);
    const lapsed = await opened(route, { query: "token=t1&discount=VUELVE", stored: asked, api });
    expect(lapsed.ways()).toEqual([`${at.page("reactivate")}?discount=VUELVE`]);
    // Only the customer is one on this device too.
    expect([first, lapsed].map(({ store }) => store.get("paymentStatus"))).toEqual(["completed", null]);
  });

  test.each(failures)("a token's exchange %s keeps target and discount and leads to expired", async (_name, error, problem) => {
    const page = await opened(route, {
      query: "token=t1&target=41&discount=VUELVE30",
      stored: asked,
      api: fakeApi({ token: failing(error) }),
    });
    expect([page.ways(), page.problems()]).toEqual([[at.login("expired")], [problem]]);
    expect((["questionnaireTarget", "discount", "token"] as const).map((key) => page.store.get(key))).toEqual(["41", "VUELVE30", null]);
  });

  test("sends the name and the answer on news that were given here while the session was over, to nobody else's account", async () => {
    const sent = async (uuid: string, consent = "Yes") => {
      const api = fakeApi({
        token: () => ({ ...session, user: { ...user, firstname: null } }),
        questionnaireGet: () => ({ state: inTheMiddle, savedAt: "2026-11-20T10:00:00Z" }),
        entitlement: () => ({ entitlements: [] }),
        updateName: () => ({}),
        marketingConsent: failing(new ConnectionError("/api/marketing-consent", null)),
      });
      const here = { ...inTheMiddle, signupDone: true, user: { uuid, firstname: "Eva" } };
      const { ways, store } = await opened(route, {
        query: "token=t1",
        stored: [...asked, ["questionnaireState", JSON.stringify(savedState(here))], ["marketingConsentDue", consent]],
        api,
      });
      expect(ways()).toEqual([at.question(41)]);
      went.mockReset();
      return [...api.calls.filter(([name]) => name === "updateName" || name === "marketingConsent"), store.get("marketingConsentDue")];
    };
    expect(await sent(user.uuid)).toEqual([["updateName", { firstname: "Eva" }], ["marketingConsent", { consent: true }], null]);
    expect(await sent(user.uuid, "true")).toEqual([["updateName", { firstname: "Eva" }], "true"]);
    expect(await sent("0e1c7b9a-5d0f-4f4e-9b57-6b2f6c1f3a11")).toEqual([null]);
  });

  test("if loading the saved state fails, the retry does not use the token again", async () => {
    let works = false;
    const api = fakeApi({
      token: () => session,
      questionnaireGet: () => {
        if (!works) throw new ConnectionError("/api/questionnaire", null);
        return { state: inTheMiddle, savedAt: "2026-11-20T10:00:00Z" };
      },
      entitlement: () => ({ entitlements: [] }),
    });
    const { ways, press, main } = await opened(route, { query: "token=t1", stored: asked, api });
    expect([ways(), main().querySelector("[role=alert]")?.textContent]).toEqual([[], said("problem.offline")]);
    works = true;
    await press(said("page.link-login.go"));
    expect([ways(), api.calls.filter(([name]) => name === "token").length]).toEqual([[at.question(41)], 1]);
  });

  test.each([
    ["without", { email: user.email, firstname: user.firstname }],
    ["with an empty one for", { ...user, uuid: "" }],
    ["without a user and so without", undefined],
  ])("a response %s a user's uuid is the specification's error, and leads to expired (000 §5)", async (_name, given) => {
    const api = fakeApi({ token: () => v.parse(sessionSchema, JSON.parse(JSON.stringify({ ...session, user: given }))) });
    const { ways, store, report } = await opened(route, { query: "token=t1", stored: asked, api });
    expect(report.mock.calls).toEqual([[expect.objectContaining({ message: "No user.uuid found!" })]]);
    expect([ways(), store.get("token")]).toEqual([[at.login("expired")], null]);
  });

  test("shows a loader while the token is exchanged", async () => {
    const api = fakeApi({});
    const never: FakeApi = { ...api, call: () => new Promise(() => {}) };
    const { main } = await opened(route, { query: "token=t1", stored: asked, api: never });
    expect(main().textContent).toContain(said("page.link-login.loading"));
  });
});

describe("the account page", () => {
  const running: SubscriptionView = {
    status: "active",
    end: "2027-02-20T12:00:00.000Z",
    productType: "subscription",
    productPlan: "3M",
    currency: "MXN",
    price: 74_700,
    trialing: false,
    nextCharge: "2027-02-20T12:00:00.000Z",
    change: null,
    actions: [],
    timeZone: "UTC",
  };
  test.each([
    ["with a plan that runs", running, true],
    ["with a paused one", { ...running, status: "paused" as const }, true],
    ["with one that ended", { ...running, status: "deleted" as const, nextCharge: null }, false],
    ["with one that ended, with a charge still to come", { ...running, status: "deleted" as const }, true],
    ["without one", null, false],
  ])("erasing %s says what happens to it, before and after", async (_, subscription, isTold) => {
    const { main, button, adopt, store } = await opened("handle-your-subscription/account", {
      api: fakeApi({ accountErase: () => ({}), subscription: () => ({ subscription }) }),
      stored: [["token", "t"]],
    });
    expect(main().textContent.includes(said("page.account.erase.plan"))).toBe(isTold);
    const press = (name: Text) => act(async () => button(String(name))?.click());
    await press(text["page.account.erase"]);
    await press(text["page.account.erase.sure"]);
    expect(main().textContent).toContain(said(isTold ? "page.account.erased.plan" : "page.account.erased.text"));
    // The page's answers are gone too: a save under way would store them again.
    expect([store.get("token"), adopt.mock.calls.map(([{ selectedOptions, user }]) => [selectedOptions, user])]).toEqual([
      null,
      [[[], {}]],
    ]);
  });

  test("erasing moves the focus: to the password when asked, to the heading when cancelled, to the result when done", async () => {
    const { main, button } = await opened("handle-your-subscription/account", {
      api: fakeApi({ accountErase: () => ({}) }),
      stored: [["token", "t"]],
    });
    const press = (name: Text) => act(async () => button(String(name))?.click());
    await press(text["page.account.erase"]);
    expect(document.activeElement?.getAttribute("type")).toBe("password");
    await press(text["page.account.erase.keep"]);
    expect([document.activeElement?.tagName, document.activeElement?.textContent]).toEqual(["H2", text["page.account.erase"]]);
    await press(text["page.account.erase"]);
    await press(text["page.account.erase.sure"]);
    expect([document.activeElement, document.activeElement?.textContent]).toEqual([
      main().querySelector("h1"),
      text["page.account.erased"],
    ]);
  });
  test("erasing with the password left blank asks for the password, and says how to erase without one", async () => {
    const { main, press } = await opened("handle-your-subscription/account", {
      api: fakeApi({ accountErase: failing(refusal(1000, { password: "validator_required" })) }),
      stored: [["token", "t"]],
    });
    await press(said("page.account.erase"));
    await press(said("page.account.erase.sure"));
    const words = main().textContent;
    expect(words).toContain(said("validator_required"));
    expect(words).not.toContain(said("page.update-email.wrong"));
    expect(words).toMatch(/15 minutos/);
  });
});

describe("the account's sessions", () => {
  const time = "2026-11-20T12:00:00.000Z";
  const list = [
    { id: "1", browser: "Firefox · Windows", startedAt: time, usedAt: time, current: true },
    { id: "2", browser: "", startedAt: time, usedAt: time, current: false },
  ];
  const accountPage = (answers: Parameters<typeof fakeApi>[0]) =>
    opened("handle-your-subscription/account", { api: fakeApi(answers), stored: [["token", "t"]] });

  test("are shown with their browser, and one that is ended leaves the list", async () => {
    const page = await accountPage({
      sessions: (_, time) => ({ sessions: time === 0 ? list : list.slice(0, 1) }),
      endSessions: () => ({}),
    });
    for (const words of ["Firefox · Windows", said("page.account.sessions.unknown"), said("page.account.sessions.here")])
      expect(page.main().textContent).toContain(words);
    await page.press(said("page.account.sessions.end"));
    expect(page.api.calls).toContainEqual(["endSessions", { id: "2" }]);
    expect(page.main().textContent).not.toContain(said("page.account.sessions.unknown"));
  });

  test("end on an unknown device with the password, which is asked for when the server wants it", async () => {
    const page = await accountPage({
      sessions: () => ({ sessions: list }),
      endSessions: (_, time) => {
        if (time === 0) throw refusal(1000, { password: "validator_required" });
        if (time === 1) throw refusal(1001);
        return {};
      },
    });
    expect(page.field("password")).toBeNull();
    await page.press(said("page.account.sessions.others"));
    expect(document.activeElement).toBe(page.field("password"));
    await page.type("password", "wrong horse");
    await page.press(said("page.account.sessions.others"));
    expect(page.main().textContent).toContain(said("page.update-email.wrong"));
    await page.type("password", "correct horse");
    await page.press(said("page.account.sessions.others"));
    expect(page.api.calls.filter(([name]) => name === "endSessions").map(([, body]) => body)).toEqual([
      {},
      { password: "wrong horse" },
      { password: "correct horse" },
    ]);
    expect(page.field("password")).toBeNull();
  });
});

describe("confirming an address", () => {
  test("exchanges and confirms at the back end that the link names; later calls go to the one that issued the session", async () => {
    const [named = ""] = defaultClientConfig.backends;
    const { api, store } = await opened("link/confirm-email", {
      query: `token=t1&confirm_token=c1&backend-url=${encodeURIComponent(named)}`,
      stored: [
        ["signupEmail", user.email],
        ["parlando", JSON.stringify({ deviceUuid: "d", backendUrlWeb: "https://own.example/api" })],
      ],
      api: fakeApi({ token: () => session, confirmEmail: () => ({}) }),
    });
    expect(api.calledElsewhere).toEqual([
      ["token", named],
      ["confirmEmail", named],
    ]);
    expect(readDevice(store)?.backendUrlWeb).toBe(session.backendUrl);
  });

  test("exchanges the token, posts the confirmation's, shows the tick, and goes on", async () => {
    const api = fakeApi({
      token: () => session,
      confirmEmail: () => ({}),
      questionnaireGet: () => ({ state: inTheMiddle, savedAt: "2026-11-20T10:00:00Z" }),
      entitlement: () => ({ entitlements: [] }),
    });
    const page = await opened("link/confirm-email", { query: "token=t1&confirm_token=c1", stored: [["signupEmail", user.email]], api });
    expect(api.calls).toEqual([
      ["token", { token: "t1", knownAddress: user.email }],
      ["confirmEmail", { confirmToken: "c1" }],
    ]);
    expect(page.main().querySelector("h1")?.textContent).toBe(said("page.confirm-email.title"));
    expect(page.main().querySelector("[data-tick]")).not.toBeNull();
    await page.press(said("page.link-login.go"));
    expect(page.ways()).toEqual([at.question(41)]);
  });

  test.each([
    ["the server has ended it", { email: user.email, passwordEnded: true }, true],
    ["this browser is one that the account knows", { email: user.email, passwordEnded: false }, false],
    ["the address was confirmed before", {}, false],
  ])("says that the password of the sign-up no longer works only if it does not: %s", async (_name, answer, isSaid) => {
    const page = await opened("link/confirm-email", { query: "confirm_token=c1", api: fakeApi({ confirmEmail: () => answer }) });
    await page.press(said("page.confirm-email.askGo"));
    const told = page.main().textContent ?? "";
    expect([said("page.confirm-email.elsewhere"), said("page.confirm-email.text")].map((text) => told.includes(text))).toEqual([
      isSaid,
      !isSaid,
    ]);
  });

  test("asks before logging in to another account, so that nobody is lured into an attacker's account", async () => {
    const api = fakeApi({ token: othersToken, logout: () => ({}), confirmEmail: () => ({}) });
    const stored: Around["stored"] = [
      ["signupEmail", "victim@example.com"],
      ["token", "victim's"],
      ["refreshToken", "victim's too"],
      ["signupName", "Victoria"],
      ["paymentStatus", "completed"],
      ["consent", "all"],
    ];
    const page = await opened("link/confirm-email", { query: "token=t1&confirm_token=c1", stored, api });
    expect(page.main().textContent).toContain(user.email);
    expect([page.store.get("token"), page.store.get("signupEmail")]).toEqual(["victim's", "victim@example.com"]);
    expect(api.calls).toEqual([["token", { token: "t1", refreshToken: "victim's too", knownAddress: "victim@example.com" }]]);
    await page.press(said("page.link-login.go"));
    expect([page.store.get("token"), page.store.get("signupEmail")]).toEqual(["h.p.s", user.email]);
    // The first account's session on this device ends.
    expect(api.calls.slice(1)).toEqual([
      ["token", { token: "t1", refreshToken: "victim's too" }],
      ["logout", { refreshToken: "victim's too" }],
      ["confirmEmail", { confirmToken: "c1" }],
    ]);
    // And nothing of its visit counts for this account.
    expect(["signupName", "paymentStatus", "consent"].map((key) => page.store.get(key as "consent"))).toEqual([
      session.user.firstname ?? null,
      null,
      null,
    ]);
  });

  test("in the browser that asked for a new address, knows it at once as the account's", async () => {
    const changed = { ...session, user: { ...user, email: "nueva@example.com" } };
    const api = fakeApi({ confirmEmail: () => ({}), refresh: () => changed });
    const { main, store, button } = await opened("link/confirm-email", {
      query: "confirm_token=c1",
      stored: [
        ["signupEmail", user.email],
        ["token", "h.p.s"],
        ["refreshToken", "r1"],
        ["config", JSON.stringify({ uuid: user.uuid, email: user.email })],
      ],
      api,
    });
    expect(main().querySelector("h1")?.textContent).toBe(said("page.confirm-email.title"));
    expect(button(said("page.link-login.go"))).toBeDefined();
    expect(accountEmail(store)).toBe("nueva@example.com");
  });

  test("in another browser of the account, says that the change has logged it out, and the login has the new address filled in", async () => {
    const api = fakeApi({ confirmEmail: () => ({ email: "nueva@example.com" }), refresh: failing(refusal(1003)) });
    const page = await opened("link/confirm-email", {
      query: "confirm_token=c1",
      stored: [
        ["signupEmail", user.email],
        ["token", "h.p.s"],
        ["refreshToken", "ended"],
      ],
      api,
    });
    expect(page.main().textContent).toContain(said("page.confirm-email.signedOut"));
    expect(page.links()).toEqual([at.login("link")]);
    expect(page.store.get("signupEmail")).toBe("nueva@example.com");
  });

  test("goes to the login without tokens when the stored session has ended (spec 000 §4)", async () => {
    const stored: Around["stored"] = [
      ["signupEmail", user.email],
      ["token", "h.p.s"],
      ["refreshToken", "ended"],
    ];
    const api = fakeApi({ confirmEmail: () => ({}), refresh: failing(refusal(1003)) });
    const page = await opened("link/confirm-email", { query: "confirm_token=c1", stored, api });
    expect(api.calls.at(-1)).toEqual(["refresh", { refreshToken: "ended", attempt: expect.any(String) }]);
    expect(page.links()).toEqual([at.login("link")]);
    expect([page.store.get("token"), page.store.get("refreshToken")]).toEqual([null, null]);
  });

  test("in a browser without a sign-up, says before and after the tap that the password ends, and leads to a new one", async () => {
    const api = fakeApi({ token: () => session, confirmEmail: () => ({}) });
    const page = await opened("link/confirm-email", { query: "token=t1&confirm_token=c1", api });
    expect(page.main().textContent).toContain(said("page.confirm-email.askElsewhere"));
    expect(page.main().textContent).not.toContain(said("page.confirm-email.askCode"));
    await page.press(said("page.confirm-email.askGo"));
    expect(page.main().textContent).toContain(said("page.confirm-email.elsewhere"));
    expect(page.links()).toContain(buildPath("forgot-password", "es-419"));
  });

  test("whose mail has a code too, says before the tap that the code there keeps the session", async () => {
    const page = await opened("link/confirm-email", { query: "confirm_token=c1&with_code=on", api: fakeApi({}) });
    expect(page.main().textContent).toContain(said("page.confirm-email.askCode"));
  });

  test("in a browser that only knows the address, says that the password has ended when the server says so", async () => {
    const stored: Around["stored"] = [["signupEmail", user.email]];
    const after = async (passwordEnded: boolean) => {
      const api = fakeApi({ confirmEmail: () => ({ email: user.email, passwordEnded }) });
      return opened("link/confirm-email", { query: "confirm_token=c1", stored, api });
    };
    const ended = await after(true);
    expect(ended.main().textContent).toContain(said("page.confirm-email.elsewhere"));
    expect(ended.links()).toContain(buildPath("forgot-password", "es-419"));
    cameBy();
    const kept = await after(false);
    expect(kept.main().textContent).not.toContain(said("page.confirm-email.elsewhere"));
  });

  test("says once more that the password has ended when it is reloaded, but not to whoever has logged in since", async () => {
    const confirmEmail = (_: unknown, time: number) => (time === 0 ? { email: user.email, passwordEnded: true } : {});
    const api = fakeApi({ confirmEmail, refresh: () => session });
    const page = await opened("link/confirm-email", { query: "confirm_token=c1", api });
    await page.press(said("page.confirm-email.askGo"));
    const reloaded = async (...more: readonly (readonly [StorageKey, string])[]) => {
      const stored: Around["stored"] = [["signupEmail", page.store.get("signupEmail") ?? ""], ...more];
      return (await opened("link/confirm-email", { query: "confirm_token=c1", api, stored })).main().textContent;
    };
    for (let time = 0; time < 2; time++) expect(await reloaded()).toContain(said("page.confirm-email.elsewhere"));
    expect(await reloaded(["token", "h.p.s"], ["refreshToken", "r1"])).not.toContain(said("page.confirm-email.elsewhere"));
  });

  test("with a login only, waits for a tap in a browser without a stored address", async () => {
    const api = fakeApi({ token: () => session, confirmEmail: failing(refusal(1005)) });
    const page = await opened("link/confirm-email", { query: "token=t1", api });
    expect([api.calls, page.store.get("token")]).toEqual([[], null]);
    await page.press(said("page.confirm-email.askGo"));
    expect(api.calls[0]).toEqual(["token", { token: "t1" }]);
  });

  test.each(failures)(
    "whose token's exchange is %s keeps target and discount, leads to expired, and confirms nothing",
    async (_name, error, problem) => {
      const page = await opened("link/confirm-email", {
        query: "token=t1&confirm_token=c1&target=41&discount=VUELVE30",
        stored: [["signupEmail", user.email]],
        api: fakeApi({ token: failing(error) }),
      });
      expect([page.ways(), page.problems()]).toEqual([[at.login("expired")], [problem]]);
      expect([page.store.get("questionnaireTarget"), page.store.get("discount")]).toEqual(["41", "VUELVE30"]);
      expect(page.api.calls).toEqual([["token", { token: "t1", knownAddress: user.email }]]);
    },
  );

  test.each([
    [1005, "page.confirm-email.failed"],
    [1101, "page.confirm-email.taken"],
  ] as const)("that is refused (%s) says why", async (code, words) => {
    const { main, links } = await opened("link/confirm-email", {
      query: "confirm_token=c1",
      stored: [["signupEmail", user.email]],
      api: fakeApi({ confirmEmail: failing(refusal(code)) }),
    });
    expect([main().querySelector("h1")?.textContent, links()]).toEqual([said(words), [at.login("link")]]);
  });

  test("that no longer works tells whoever is signed in and confirmed that it is not needed, and goes on to its target", async () => {
    const stored: readonly (readonly [StorageKey, string])[] = [
      ["signupEmail", user.email],
      ["token", "h.p.s"],
    ];
    const calls = { confirmEmail: failing(refusal(1005)), refresh: () => session, entitlement: () => ({ entitlements: [] }) };
    const address = { email: user.email, confirmed: true, pending: null, needsPassword: false };
    const query = "confirm_token=c1&target=3";
    const saved = () => ({ state: inTheMiddle, savedAt: "2026-11-20T10:00:00Z" });
    const page = await opened("link/confirm-email", {
      query,
      stored,
      api: fakeApi({ ...calls, email: () => address, questionnaireGet: saved }),
    });
    expect(page.main().querySelector("h1")?.textContent).toBe(said("page.verify-email.confirmedTitle"));
    expect(page.main().textContent).toContain(user.email);
    await page.press(said("page.link-login.go"));
    expect(page.ways()).toEqual([at.question(3)]);
    const api = fakeApi({ ...calls, email: () => ({ ...address, confirmed: false }) });
    // The link's address names no version: the page has the locale's default, and leads to the visitor's own.
    const unconfirmed = await opened("link/confirm-email", { query, stored: [...stored, ["questionnaireVersion", "83"]], api });
    expect(unconfirmed.main().querySelector("h1")?.textContent).toBe(said("page.confirm-email.failed"));
    expect(unconfirmed.links()).toEqual([buildPath("questionnaire/verify-email", "es-419", { version: "83" })]);
  });

  test("keeps target and discount through the login by link, which replaces the ended password", async () => {
    const { links, store } = await opened("link/confirm-email", {
      query: "confirm_token=c1&target=41&discount=VUELVE30",
      stored: [["signupEmail", user.email]],
      api: fakeApi({ confirmEmail: () => ({}) }),
    });
    expect([links(), store.get("questionnaireTarget"), store.get("discount")]).toEqual([[at.login("link")], "41", "VUELVE30"]);
  });
});

describe("going on after a confirmed address", () => {
  const confirmed = (saved: () => { state: typeof inTheMiddle; savedAt: string }) =>
    opened("link/confirm-email", {
      query: "token=t1&confirm_token=c1&target=41&discount=VUELVE30",
      stored: [["signupEmail", user.email]],
      api: fakeApi({ token: () => session, confirmEmail: () => ({}), questionnaireGet: saved, entitlement: () => ({ entitlements: [] }) }),
    });
  const go = said("page.link-login.go");

  test.each(failures.filter(([, , problem]) => problem !== undefined))(
    "that is %s says so in the visitor's language, and the same button goes on (spec 001 §4)",
    async (_name, error, problem = "") => {
      const saved = vi.fn(() => ({ state: inTheMiddle, savedAt: "2026-11-20T10:00:00Z" })).mockImplementationOnce(failing(error));
      const { main, press, button, ways } = await confirmed(saved);
      await press(go);
      expect([main().querySelector("[role=alert]")?.textContent, ways()]).toEqual([said(problem), []]);
      expect(button(go)?.disabled).toBe(false);
      await press(go);
      expect([main().querySelector("[role=alert]"), ways()]).toEqual([null, [at.question(41)]]);
    },
  );

  test("that is refused leads to the login, with target and discount kept", async () => {
    const { press, ways, store } = await confirmed(failing(refusal(1403)));
    await press(go);
    expect([ways(), store.get("questionnaireTarget"), store.get("discount")]).toEqual([[at.login("link")], "41", "VUELVE30"]);
  });

  test("that fails unexpectedly is reported, and leads to the login", async () => {
    const { press, ways, report } = await confirmed(failing(new Error("not planned")));
    await press(go);
    expect([ways(), report.mock.calls]).toEqual([[at.login("link")], [[new Error("not planned")]]]);
  });
});

describe("the link that keeps a subscription", () => {
  const go = said("page.keep-subscription.go");
  const opening = (keepSubscription: NonNullable<Parameters<typeof fakeApi>[0]["keepSubscription"]>) =>
    opened("link/keep-subscription", { query: "token=k1", api: fakeApi({ keepSubscription }) });
  test("does nothing until the button is pressed; then it says that the subscription goes on", async () => {
    const { api, main, press, links } = await opening(() => ({}));
    expect([api.calls, main().querySelector("h1")?.textContent]).toEqual([[], said("page.keep-subscription.title")]);
    await press(go);
    expect(api.calls).toEqual([["keepSubscription", { token: "k1" }]]);
    expect([main().querySelector("h1")?.textContent, links()]).toEqual([
      said("page.keep-subscription.done"),
      [buildPath("handle-your-subscription", "es-419")],
    ]);
  });
  test("says that it is invalid, with a contact", async () => {
    const { press, main } = await opening(failing(refusal(1004)));
    await press(go);
    expect(main().querySelector("h1")?.textContent).toBe(said("page.keep-subscription.failed"));
    expect(main().textContent).toContain("@");
  });
  test("can be pressed again after the provider failed", async () => {
    const { press, main, button } = await opening(failing(refusal(1202)));
    await press(go);
    expect([main().querySelector("[role=alert]") !== null, button(go)?.disabled]).toEqual([true, false]);
  });
});

describe("the link that restores an address", () => {
  const go = said("page.undo-email.go");
  const opening = (undoEmail: NonNullable<Parameters<typeof fakeApi>[0]["undoEmail"]>, stored: Around["stored"] = []) =>
    opened("link/undo-email", { query: "token=u1", api: fakeApi({ undoEmail }), stored });
  test("does nothing until the button is pressed, on a known device too; then it says what to do next", async () => {
    const { api, main, press, links, store } = await opening(
      () => ({ email: user.email }),
      [
        ["signupEmail", "thief@example.com"],
        ["token", "h.p.s"],
        ["refreshToken", "r1"],
      ],
    );
    expect([api.calls, main().querySelector("h1")?.textContent]).toEqual([[], said("page.undo-email.title")]);
    await press(go);
    expect(api.calls).toEqual([["undoEmail", { token: "u1" }]]);
    expect(main().textContent).toContain(user.email);
    expect(links()).toEqual([buildPath("forgot-password", "es-419")]);
    expect([store.get("signupEmail"), store.get("token"), store.get("refreshToken")]).toEqual([user.email, null, null]);
  });
  test.each([1004, 1101] as const)("says that it is invalid (%s), with a contact", async (code) => {
    const { press, main, links, report } = await opening(failing(refusal(code)));
    await press(go);
    expect(main().querySelector("h1")?.textContent).toBe(said("page.undo-email.failed"));
    expect([main().textContent, links()]).toEqual([expect.stringContaining("@"), [at.login("link")]]);
    expect(report).toHaveBeenCalledTimes(code === 1101 ? 1 : 0);
  });
  test.each(failures.slice(1))("that is %s can be pressed again", async (_name, error) => {
    const { press, main, button } = await opening(failing(error));
    await press(go);
    expect([main().querySelector("[role=alert]") !== null, button(go)?.disabled]).toEqual([true, false]);
  });
});

describe("login by link", () => {
  const go = said("page.login.go");
  test("fills in the stored or the link's address, and has links to sign-up and password login", async () => {
    expect((await opened("login/link", { stored: [["signupEmail", "kept@example.com"]] })).field("email")?.value).toBe("kept@example.com");
    const { field, links, main } = await opened("login/link", { query: "label_email=named%40example.com" });
    expect(field("email")?.value).toBe("named@example.com");
    const plain = await opened("login/link", { query: "label_email=ana+news@example.com" });
    expect(plain.field("email")?.value).toBe("ana+news@example.com");
    const raffle = buildPath("questionnaire/raffle", "es-419");
    expect(links()).toEqual([raffle, at.page("user")]);
    // An address typed in place of the link's is there again.
    const forgot = await opened("forgot-password", {
      query: "label_email=named%40example.com",
      api: fakeApi({ forgotPassword: () => ({}) }),
    });
    await forgot.type("email", "typed@example.com");
    await forgot.press(go);
    await forgot.press(said("page.link-sent.other"));
    expect(forgot.field("email")?.value).toBe("typed@example.com");
    expect((await opened("login/link", { stored: [["questionnaireVersion", version]] })).links()).toEqual([
      at.question(2),
      at.page("user"),
    ]);
    // The visitor's id alone begins no questionnaire.
    const onlyId: NonNullable<Around["stored"]> = [
      ["questionnaireState", JSON.stringify(savedState({ ...initialState(compiled), id: "73", user: { uuid: user.uuid } }))],
    ];
    for (const route of ["login/link", "login/failed"] as const)
      expect((await opened(route, { stored: onlyId })).links(), route).toContain(raffle);
    // Between the button and the alternatives.
    const words = [...main().querySelectorAll("p, button, a")].map(({ textContent }) => textContent);
    expect(words.slice(-4)).toEqual([go, said("page.login.or"), said("page.login.create"), said("page.login.password")]);
  });

  test("the button waits for a valid address", async () => {
    const { button, type } = await opened("login/link");
    expect(button(go)?.disabled).toBe(true);
    await type("email", "ana@");
    expect(button(go)?.disabled).toBe(true);
    await type("email", "ana@example.com");
    expect(button(go)?.disabled).toBe(false);
  });

  const known: readonly (readonly [StorageKey, string])[] = [
    ["signupEmail", user.email],
    ["questionnaireTarget", "41"],
    ["discount", "VUELVE30"],
  ];
  test("a typed address is kept for the login with the password; half an address is not", async () => {
    const { main, press, store, type } = await opened("login/link", { stored: [["signupEmail", "before@example.com"]] });
    // The test's own page stays.
    main().addEventListener("click", (click) => click.preventDefault());
    for (const [typed, kept] of [
      ["ana@", "before@example.com"],
      ["ana@example.com", "ana@example.com"],
    ] as const) {
      await type("email", typed);
      await press(said("page.login.password"));
      expect(store.get("signupEmail")).toBe(kept);
    }
  });
  test.each(["login/link", "login/account-exists"] as const)("%s sends the link with the stored target and discount", async (route) => {
    const sent = await opened(route, { stored: known, api: fakeApi({ loginLink: () => ({}) }) });
    await sent.press(go);
    expect(sent.api.calls).toEqual([["loginLink", { email: user.email, target: "41", discount: "VUELVE30" }]]);
    expect(sent.ways()).toEqual([at.login("link-sent")]);
  });

  test.each(failures)("a mail that is %s leads to failed, with address and target kept", async (_name, error, problem) => {
    for (const route of ["login/link", "login/account-exists"] as const) {
      went.mockReset();
      const failed = await opened(route, { stored: known.slice(1), state: { user }, api: fakeApi({ loginLink: failing(error) }) });
      await failed.type("email", user.email);
      await failed.press(go);
      expect([failed.ways(), failed.problems()], route).toEqual([[at.login("failed")], [problem]]);
      expect([failed.store.get("signupEmail"), failed.store.get("questionnaireTarget")], route).toEqual([user.email, "41"]);
    }
  });

  test.each(["login/link-sent", "forgot-password"] as const)(
    "sent again from %s too often, says that perhaps no other mail went out",
    async (route) => {
      vi.useFakeTimers();
      onTestFinished(() => void vi.useRealTimers());
      const start = Date.now();
      let asked = 0;
      // Only on the page for a forgotten password, the first mail is already requested there, so there is one request more.
      const answer = () => ((asked += 1) > (route === "forgot-password" ? 2 : 1) ? ({ many: true } as const) : {});
      const page = await opened(route, { stored: known, api: fakeApi({ loginLink: answer, forgotPassword: answer }) });
      const press = (name: string) => act(async () => page.button(name)?.click());
      if (route === "forgot-password") await press(go);
      const told = async (minutes: number) => {
        vi.setSystemTime(start + minutes * 60_000);
        await press(said("page.verify-email.resend"));
        return page.main().querySelector("[role=status]")?.textContent;
      };
      expect(await told(1)).toBe(said(route === "forgot-password" ? "page.link-sent.resent" : "page.link-sent.resentCode"));
      expect(await told(2)).toBe(said("page.link-sent.many"));
    },
  );

  test("asked for too often at the login, the page for the mail says that perhaps none went out", async () => {
    cameBy("page.link-sent.many");
    const { main } = await opened("login/link-sent", { stored: known });
    expect(main().textContent).toContain(said("page.link-sent.many"));
    const { press, problems } = await opened("login/link", { stored: known, api: fakeApi({ loginLink: () => ({ many: true }) }) });
    await press(said("page.login.go"));
    expect(problems()).toEqual(["page.link-sent.many"]);
  });

  test.each(["login/link-sent", "forgot-password"] as const)(
    "can be sent again from %s after a minute, and a failure leads to the failed page",
    async (route) => {
      const call = route === "forgot-password" ? "forgotPassword" : "loginLink";
      let fails = false;
      const answer = () => {
        if (fails) throw refusal(1429);
        return {};
      };
      vi.useFakeTimers();
      onTestFinished(() => void vi.useRealTimers());
      const start = Date.now();
      const isAfter = (ms: number) => vi.setSystemTime(start + ms);
      const page = await opened(route, { stored: known, api: fakeApi({ loginLink: answer, forgotPassword: answer }) });
      const press = (name: string) => act(async () => page.button(name)?.click());
      if (route === "forgot-password") await press(go);
      const sent = () => page.api.calls.filter(([name]) => name === call).length;
      const before = sent();
      const status = () => page.main().querySelector("[role=status]")?.textContent;
      const again = said("page.verify-email.resend");
      isAfter(59_999);
      await press(again);
      expect([sent(), status()]).toEqual([before, said("page.link-sent.wait")]);
      isAfter(60_000);
      await press(again);
      const [ofEarlier, life] =
        route === "forgot-password" ? (["page.link-sent.resent", 1_800_000] as const) : (["page.link-sent.resentCode", 600_000] as const);
      expect([sent(), status()]).toEqual([before + 1, said(ofEarlier)]);
      isAfter(119_999);
      await press(again);
      expect([sent(), status()]).toEqual([before + 1, said("page.link-sent.wait")]);
      isAfter(60_000 + life - 1);
      await press(again);
      expect([sent(), status()]).toEqual([before + 2, said(ofEarlier)]);
      // The earlier mail's link has expired.
      isAfter(60_000 + 2 * life - 1);
      await press(again);
      expect([sent(), status()]).toEqual([before + 3, said("page.verify-email.resent")]);
      isAfter(3 * life);
      fails = true;
      await press(again);
      expect([page.ways(), page.problems()]).toEqual([[buildPath("login/failed", "es-419")], ["problem.tooMany"]]);
      expect(page.api.calls.at(-1)).toEqual(
        call === "loginLink" ? [call, { email: user.email, target: "41", discount: "VUELVE30" }] : [call, { email: user.email }],
      );
    },
  );

  test("link sent, failed and expired name the address and have the specification's texts", async () => {
    const stored: readonly (readonly [StorageKey, string])[] = [["signupEmail", user.email]];
    expect((await opened("login/link-sent", { stored })).main().textContent).toContain(user.email);
    const failed = await opened("login/failed", { stored });
    expect(failed.main().textContent).toContain(user.email);
    expect(failed.main().textContent).toContain(plainText(text["email_error_body"], { EMAIL: user.email }, "es-MX"));
    for (const key of ["email_error_title", "email_error_button1", "email_error_button2"])
      expect(failed.main().textContent).toContain(said(key));
    expect(failed.links()).toEqual([at.login("link"), buildPath("questionnaire/raffle", "es-419")]);
    const forgot = buildPath("forgot-password", "es-419");
    // The Latin American pages have an address without a prefix, too.
    for (const from of [forgot, forgot.replace("/es-latam", "")]) {
      cameBy("problem.offline", from);
      expect((await opened("login/failed", { stored })).links()[0]).toBe(from);
    }
    const expired = await opened("login/expired");
    for (const key of ["login_link_expired_title", "login_link_expired_body", "login_link_expired_button"])
      expect(expired.main().textContent).toContain(said(key));
    expect(expired.links()).toEqual([at.login("link")]);
  });
});

test("a used login link tells whoever is signed in so, and goes on to where it would have led, unless it may work later", async () => {
  const around: Around = {
    query: "token=t1",
    stored: [
      ["token", "h.p.s"],
      ["signupEmail", user.email],
      ["questionnaireTarget", "3"],
    ],
    api: fakeApi({
      refresh: () => session,
      entitlement: () => ({ entitlements: [] }),
      questionnaireGet: () => ({ state: inTheMiddle, savedAt: "2026-11-20T10:00:00Z" }),
    }),
  };
  const { main, press, links, ways } = await opened("login/expired", around);
  expect(main().querySelector("h1")?.textContent).toBe(said("page.login-expired.needless"));
  expect([main().textContent.includes(user.email), links()]).toEqual([true, [at.login("link")]]);
  await press(said("page.link-login.go"));
  expect(ways()).toEqual([at.question(3)]);
  cameBy("problem.offline");
  expect((await opened("login/expired", around)).button(said("page.login-expired.again"))).toBeDefined();
});

test("a link of another account than the one signed in here is used up only once its reader agrees to switch, so its page can be opened again", async () => {
  const stored: Around["stored"] = [
    ["token", "bea's"],
    ["refreshToken", "bea's too"],
    ["signupEmail", "bea@example.com"],
  ];
  const api = fakeApi({
    token: othersToken,
    logout: () => ({}),
    questionnaireGet: () => ({ state: inTheMiddle }),
    entitlement: () => ({ entitlements: [] }),
  });
  for (let time = 0; time < 2; time++) {
    const { main, store, ways } = await opened("link/login", { query: "token=t1", stored, api });
    expect(main().textContent).toContain(user.email);
    expect([ways(), store.get("token")]).toEqual([[], "bea's"]);
  }
  expect(api.calls.map(([, input]) => Reflect.get(Object(input), "knownAddress"))).toEqual(["bea@example.com", "bea@example.com"]);
  const { press, ways, store } = await opened("link/login", { query: "token=t1", stored, api });
  await press(said("page.link-login.go"));
  expect(api.calls[3]).toEqual(["token", { token: "t1", refreshToken: "bea's too" }]);
  expect([ways(), store.get("token")]).toEqual([[at.question(41)], session.token]);
  // Only such a refusal asks.
  const { ways: failed } = await opened("link/login", { query: "token=t1", stored, api: fakeApi({ token: failing(refusal(1403)) }) });
  expect(failed().at(-1)).toBe(at.login("expired"));
});

test("a server of the previous release, which does not compare the addresses, signs nobody in to another account unasked", async () => {
  const api = fakeApi({ token: () => session });
  const stored: Around["stored"] = [["signupEmail", "bea@example.com"]];
  const { main, store } = await opened("link/login", { query: "token=t1", stored, api });
  expect([main().textContent.includes(user.email), store.get("token")]).toEqual([true, null]);
});

test.each(["link/login", "login/link-sent"] as const)(
  "%s ends another account's session on this device, if this account's address was typed here (decision 214)",
  async (route) => {
    const token = `h.${btoa(JSON.stringify({ sub: "bea" }))}.s`;
    const api = fakeApi({
      token: () => session,
      logout: () => ({}),
      questionnaireGet: () => ({ state: null }),
      entitlement: () => ({ entitlements: [] }),
    });
    const stored: Around["stored"] = [
      ["signupEmail", user.email],
      ["token", token],
      ["refreshToken", "bea's"],
      ["paymentStatus", "completed"],
    ];
    const { press, store } = await opened(route, { query: "token=t1", stored, api });
    const code = document.querySelector("main input");
    if (code !== null) {
      await act(() => userEvent.fill(code, "123456"));
      await press(said("page.link-sent.go"));
    }
    expect(api.calls.map(([name, input]) => [name, Reflect.get(input ?? {}, "refreshToken")]).slice(0, 2)).toEqual([
      ["token", "bea's"],
      ["logout", "bea's"],
    ]);
    expect([store.get("token"), store.get("paymentStatus")]).toEqual([session.token, null]);
  },
);

describe("login with the password", () => {
  test("waits for both fields, and has a link for a forgotten password", async () => {
    const { button, type, links } = await opened("questionnaire/user");
    const go = said("page.user.go");
    expect(button(go)?.disabled).toBe(true);
    await type("email", "ana@example.com");
    expect(button(go)?.disabled).toBe(true);
    await type("password", "seven77");
    expect(button(go)?.disabled).toBe(true);
    await type("password", "eight888");
    expect(button(go)?.disabled).toBe(false);
    await type("email", "ana@");
    expect(button(go)?.disabled).toBe(true);
    expect(links()).toContain(buildPath("recover-password", "es-419"));
  });

  async function logInWith(state: typeof inTheMiddle | null, stored: Around["stored"] = []) {
    const api = fakeApi({ login: () => session, questionnaireGet: () => ({ state }), entitlement: () => ({ entitlements: [] }) });
    const page = await opened("questionnaire/user", { api, stored });
    await page.type("email", user.email);
    await page.type("password", "seven77 and more");
    await page.press(said("page.user.go"));
    return page;
  }

  /** What a visit has left on the device. */
  const visitOf = (uuid: string, more: Partial<State>): NonNullable<Around["stored"]> => [
    ["questionnaireState", JSON.stringify({ ...inTheMiddle, user: { uuid, firstname: "Bea" }, ...more })],
    ["signupName", "Bea"],
    ["paymentStatus", "completed"],
    ["product", "subscription-3m-mxn"],
    ["consent", "all"],
  ];
  const left = (store: { readonly get: (key: StorageKey) => string | null }) =>
    (["questionnaireState", "signupName", "paymentStatus", "product", "consent"] as const).map((key) => store.get(key));
  const tokenOf = (sub: string) => `h.${btoa(JSON.stringify({ sub }))}.s`;

  test.each([
    ["that is signed in", visitOf("bea", {}), tokenOf("bea")],
    ["whose session has ended", visitOf("bea", { signupDone: true }), null],
  ])("as another account than the one %s takes over nothing of its visit (spec 000 §4)", async (_name, visit, token) => {
    const { adopt, store, ways } = await logInWith(null, [...visit, ...(token === null ? [] : [["token", token] as const])]);
    // The first state is nobody's: Back may show a question before the account's answers have come.
    expect(adopt.mock.calls.map(([state]) => [state.user.uuid, state.signupDone, state.selectedOptions])).toEqual([
      [undefined, false, []],
      [user.uuid, true, []],
    ]);
    expect([left(store), ways()]).toEqual([[null, user.firstname, null, null, null], [at.question(2)]]);
  });

  test.each([
    ["before a sign-up", visitOf("visitor", {}), null],
    ["as this account", visitOf(user.uuid, { signupDone: true }), tokenOf(user.uuid)],
  ])("takes over what was answered %s", async (_name, visit, token) => {
    const { adopt, store } = await logInWith(null, [...visit, ...(token === null ? [] : [["token", token] as const])]);
    expect(adopt.mock.calls[0]?.[0]).toMatchObject({ user, selectedOptions: inTheMiddle.selectedOptions });
    expect(left(store).slice(1)).toEqual([user.firstname, "completed", "subscription-3m-mxn", "all"]);
  });

  test("goes to the target that an expired link stored, once", async () => {
    const { ways, store } = await logInWith(inTheMiddle, [
      ["questionnaireTarget", "3"],
      ["discount", "VUELVE30"],
    ]);
    expect([ways(), store.get("questionnaireTarget"), store.get("discount")]).toEqual([[at.question(3)], null, null]);
  });

  test("starts the questions without a saved state, and with a saved question before the stored start", async () => {
    const logIn = async (state: typeof inTheMiddle | null) => {
      went.mockReset();
      return (await logInWith(state, [["questionnaireRoot", "42"]])).ways();
    };
    expect(await logIn(null)).toEqual([at.question(2)]);
    expect(await logIn(inTheMiddle)).toEqual([at.question(2)]);
    expect(await logIn({ ...inTheMiddle, currentQuestionId: 42 })).toEqual([at.question(42)]);
    went.mockReset();
    // Without a stored start, the first question counts as the start.
    expect((await logInWith({ ...inTheMiddle, currentQuestionId: 1 }, [])).ways()).toEqual([at.question(2)]);
  });

  test("shows a field's error when it loses focus, even empty, and then with every key; Enter sends only valid fields", async () => {
    const api = fakeApi({});
    const { type } = await opened("questionnaire/user", { api });
    const field = (kind: string) => document.querySelector<HTMLInputElement>(`main input[type=${kind}]`);
    const told = () => document.querySelector("main")?.textContent ?? "";
    await type("email", "ana@");
    expect(told()).not.toContain(said("validator_invalid_email"));
    await act(async () => (field("email")?.focus(), field("password")?.focus()));
    expect(told()).toContain(said("validator_invalid_email"));
    await act(async () => field("email")?.focus());
    expect(told()).toContain(said("validator_required"));
    await type("password", "seven77");
    expect(told()).toContain(said("validator_at_least_8"));
    await act(async () => field("password")?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true })));
    expect([api.calls, document.activeElement]).toEqual([[], field("email")]);
  });

  test.each([
    [1001, "error.1001"],
    [1000, undefined],
    [1403, undefined],
  ] as const)("that is refused with %s leads to the password-recovery page", async (code, problem) => {
    const api = fakeApi({
      login: () => {
        throw refusal(code);
      },
    });
    const { type, press, ways, problems, store } = await opened("questionnaire/user", { api });
    await type("email", "ana@example.com");
    await type("password", "not mine");
    await press(said("page.user.go"));
    expect([ways(), problems()]).toEqual([[buildPath("recover-password", "es-419")], [problem]]);
    expect(store.get("signupEmail")).toBe("ana@example.com");
  });

  test("whose saved state is refused stays and says so", async () => {
    const api = fakeApi({
      login: () => session,
      questionnaireGet: () => {
        throw refusal(1403);
      },
      entitlement: () => ({ entitlements: [] }),
    });
    const { type, press, ways, main } = await opened("questionnaire/user", { api });
    await type("email", user.email);
    await type("password", "correct horse");
    await press(said("page.user.go"));
    expect(ways()).toEqual([]);
    expect(main().textContent).toContain(said("problem.unexpected"));
  });

  test("forgotten password shows no error and keeps the typed address", async () => {
    const { type, press, ways, problems, store } = await opened("questionnaire/user");
    await press(said("page.user.forgot"));
    expect([ways(), problems(), store.get("signupEmail")]).toEqual([[buildPath("recover-password", "es-419")], [undefined], null]);
    await type("email", "ana@example.com");
    await press(said("page.user.forgot"));
    expect(store.get("signupEmail")).toBe("ana@example.com");
  });

  test("after a sign-up with a taken address says so, and leads back to the e-mail question", async () => {
    const stored: readonly (readonly [StorageKey, string])[] = [["signupEmail", user.email]];
    const other = said("page.email-exists.go");
    // A page without a version that is loaded again has the locale's default, which need not be the visitor's.
    const question = buildPath("questionnaire/question", "es-419", { version: "83", question: "67" });
    cameBy("error.1101", at.question(66), question);
    const taken = await opened("questionnaire/user", { stored });
    expect(taken.main().textContent).toContain(plainText(text["page.user.taken"], { EMAIL: user.email }, "es-MX"));
    await taken.press(other);
    expect(taken.ways()).toEqual([question]);
    expect((await opened("login/account-exists", { stored })).links()).toEqual([question]);
    cameBy();
    for (const route of ["questionnaire/user", "login/account-exists"] as const)
      expect((await opened(route, { stored })).main().textContent, route).not.toContain(other);
  });
});

describe("a forgotten password", () => {
  const recover = (stored: Around["stored"] = []) => opened("recover-password", { stored, api: fakeApi({ loginLink: () => ({}) }) });
  const login = (version: string) => buildPath("questionnaire/user", "es-419", { version });
  test("has three options: a login link, a new password, another try", async () => {
    const { main, links, press, ways } = await recover();
    expect(main().querySelector("h1")?.textContent).toBe(said("page.forgot-password.title"));
    expect(links()).toEqual([at.login("link"), buildPath("forgot-password", "es-419"), at.page("user")]);
    await press(said("page.login.password"));
    expect(ways()).toEqual([at.page("user")]);
  });
  test("shows a wrong password with its address; another try comes first and leads to the previous login", async () => {
    cameBy("error.1001", login("85"));
    const { main, links } = await recover([
      ["signupEmail", user.email],
      ["questionnaireVersion", "84"],
    ]);
    expect(main().querySelector("h1")?.textContent).toBe(said("page.recover-password.title"));
    expect(main().textContent).toContain(plainText(text["page.recover-password.wrong"], { EMAIL: user.email }, "es-MX"));
    expect(links()).toEqual([login("85"), at.login("link"), buildPath("forgot-password", "es-419")]);
    cameBy("error.1001");
    expect((await recover([["questionnaireVersion", "84"]])).links()[0]).toBe(login("84"));
  });
  test("sends the link to a known address with one tap", async () => {
    const { press, api, ways } = await recover([["signupEmail", user.email]]);
    await press(said("page.recover-password.send"));
    expect([api.calls, ways()]).toEqual([[["loginLink", { email: user.email }]], [at.login("link-sent")]]);
  });
  const inVersion84 = (route: Parameters<typeof opened>[0], isSignedIn: boolean) =>
    opened(route, {
      stored: [
        ...(isSignedIn ? ([["token", "t"]] as const) : []),
        ["questionnaireVersion", "84"],
        ["questionnaireState", JSON.stringify({ ...inTheMiddle, id: "84", signupDone: isSignedIn })],
      ],
    });
  test.each([
    ["login/link", 2, false],
    ["login/failed", 1, true],
    ["handle-your-subscription/account", 1, true],
  ] as const)("leaves the visitor in their version at %s", async (route, ways, isSignedIn) => {
    const { links } = await inVersion84(route, isSignedIn);
    expect(links().filter((link) => link?.includes("/84/"))).toHaveLength(ways);
    expect(links().some((link) => link?.includes(`/${version}/`))).toBe(false);
  });
  test("leads whoever is signed in, and wants another account, to start over: their questions skip the sign-up", async () => {
    const { links } = await inVersion84("login/link", true);
    expect(links()).toEqual([buildPath("home-redirect", "es-419"), buildPath("questionnaire/user", "es-419", { version: "84" })]);
  });
  test("asks who is signed in for another password, not whether it was forgotten", async () => {
    const heading = async (...stored: readonly (readonly ["token", string])[]) =>
      (await opened("forgot-password", { stored })).main().querySelector("h1")?.textContent;
    expect(await heading(["token", "t"])).toBe(said("page.recover-password.reset"));
    expect(await heading()).toBe(said("page.forgot-password.title"));
  });
  test("shows an invalid address at the field and sends nothing", async () => {
    for (const byEnter of [false, true]) {
      const { type, press, key, field, main, api } = await opened("forgot-password");
      await type("email", "ana@");
      expect(main().textContent).not.toContain(said("validator_invalid_email"));
      await (byEnter ? key("{Enter}") : press(said("page.login.go")));
      expect(main().textContent).toContain(said("validator_invalid_email"));
      expect([document.activeElement, api.calls]).toEqual([field("email"), []]);
    }
  });
  test.each(failures)("whose mail is %s leads to failed, with the address kept", async (_name, error, problem) => {
    const { type, press, ways, problems, store } = await opened("forgot-password", { api: fakeApi({ forgotPassword: failing(error) }) });
    await type("email", user.email);
    await press(said("page.login.go"));
    expect([ways(), problems(), store.get("signupEmail")]).toEqual([[at.login("failed")], [problem], user.email]);
  });
});

describe("another address", () => {
  const saving = (updateEmail: NonNullable<Parameters<typeof fakeApi>[0]["updateEmail"]>) =>
    opened("questionnaire/update-email", { api: fakeApi({ updateEmail }), state: { user } });
  test("waits for a valid address, saves it, and has it confirmed", async () => {
    const { button, type, press, ways, api } = await saving(() => ({ pending: false }));
    const go = said("page.update-email.go");
    await type("email", "new@");
    expect(button(go)?.disabled).toBe(true);
    await type("email", "new@example.com");
    await press(go);
    expect(api.calls).toEqual([["updateEmail", { email: "new@example.com" }]]);
    expect(ways()).toEqual([at.page("verify-email")]);
  });
  test("that is taken is stored, and shown on a page that leads back", async () => {
    const { type, press, ways, store } = await saving(() => {
      throw refusal(1101);
    });
    await type("email", "taken@example.com");
    await press(said("page.update-email.go"));
    expect([ways(), store.get("signupEmail")]).toEqual([[at.page("email-exists")], "taken@example.com"]);
    const exists = await opened("questionnaire/email-exists", { stored: [["signupEmail", "taken@example.com"]] });
    expect(exists.main().textContent).toContain("taken@example.com");
    expect(exists.links()[0]).toBe(at.page("update-email"));
  });
  test("is confirmed by mail: leads to congratulations or to another address", async () => {
    const { main, links, button } = await opened("questionnaire/verify-email", { state: { user } });
    expect(main().textContent).toContain(user.email);
    expect(links()).toEqual([at.page("congratulations"), at.page("update-email")]);
    // Without a session there is no address to send it to, nor a code for it.
    expect(button(resend)).toBeUndefined();
    expect([takesCode(main()), main().textContent]).toEqual([false, expect.not.stringContaining(said("page.verify-email.here"))]);
  });
  test("is not asked for once the session is over: the page cannot know whether it was confirmed, and offers the login", async () => {
    const { main, links } = await opened("questionnaire/verify-email", {
      state: { user, signupDone: true },
      stored: [["paymentStatus", "completed"]],
    });
    expect(links()).toEqual([at.page("user"), at.page("congratulations"), at.page("update-email")]);
    expect(main().textContent).toContain(said("page.user.over"));
    for (const untold of ["page.verify-email.title", "page.verify-email.hint", "after.paid"] as const)
      expect(main().textContent).not.toContain(said(untold));
  });
  const takesCode = (main: Element) => main.querySelector("input[autocomplete=one-time-code]") !== null;
  const unconfirmed = { email: user.email, confirmed: false, pending: null, needsPassword: false };
  test("is confirmed by the mail's code where it waits: Enter sends it, an error keeps it, and the page then shows a confirmed address", async () => {
    const errors = [refusal(1004), refusal(1429), new ConnectionError("/api/test", null)];
    const api = fakeApi({
      email: () => unconfirmed,
      confirmByCode: (_, time) => {
        const error = errors[time];
        if (error) throw error;
        return {};
      },
    });
    const { main, button, key, press } = await opened("questionnaire/verify-email", { ...signedIn, api });
    // A confirmation elsewhere ends this session and the password, so the page says so before.
    expect(main().textContent).toContain(said("page.verify-email.here"));
    const field = main().querySelector<HTMLInputElement>("input[autocomplete=one-time-code]");
    const go = said("page.verify-email.code");
    expect([field?.inputMode, button(go)?.disabled]).toEqual(["numeric", true]);
    const hasBar = () => main().querySelector("[data-bar]") !== null;
    expect(hasBar()).toBe(true);
    await act(() => userEvent.fill(field ?? main(), "042 917 8"));
    // The bar would cover the code's button.
    expect(hasBar()).toBe(false);
    await key("{Enter}");
    for (const told of ["error.1004", "problem.tooMany", "problem.offline"]) {
      expect([main().textContent, field?.value, field?.ariaInvalid]).toEqual([expect.stringContaining(said(told)), "042917", "true"]);
      await press(go);
    }
    expect(api.calls.filter(([name]) => name === "confirmByCode")).toEqual(
      Array.from({ length: 4 }, () => ["confirmByCode", { code: "042917" }]),
    );
    expect([takesCode(main()), hasBar()]).toEqual([false, true]);
    expect(document.activeElement?.textContent).toBe(said("page.verify-email.confirmedTitle"));
    expect(main().textContent).toContain(plainText(text["page.verify-email.confirmed"], { EMAIL: user.email }, "es-MX"));
    expect(main().textContent).toContain(said("after.confirmed"));
  });
  test.each([
    ["is unknown to the account", { ...unconfirmed, needsPassword: true }],
    ["waits for a changed address", { ...unconfirmed, confirmed: true, pending: "new@example.com" }],
    ["has a confirmed one", { ...unconfirmed, confirmed: true }],
  ])("asks for no code on a device that %s", async (_name, shown) => {
    const { main } = await opened("questionnaire/verify-email", { ...signedIn, api: fakeApi({ email: () => shown }) });
    expect([takesCode(main()), main().textContent]).toEqual([false, expect.not.stringContaining(said("page.verify-email.here"))]);
  });
  const resend = said("page.verify-email.resend");
  const signedIn = { state: { user }, stored: [["token", "h.p.s"]] } as const;
  test("says nothing more about a wrong code once another mail is sent", async () => {
    const { main, press } = await opened("questionnaire/verify-email", {
      ...signedIn,
      api: fakeApi({ email: () => unconfirmed, confirmByCode: failing(refusal(1004)), updateEmail: () => ({ pending: false }) }),
    });
    const field = () => main().querySelector<HTMLInputElement>("input[autocomplete=one-time-code]");
    await act(() => userEvent.fill(field() ?? main(), "123456"));
    await press(said("page.verify-email.code"));
    expect(field()?.ariaInvalid).toBe("true");
    await press(resend);
    expect([field()?.value, field()?.ariaInvalid]).toEqual(["", "false"]);
    expect(main().textContent).toContain(said("page.verify-email.resent"));
  });
  test("can have its confirmation sent again, and says so", async () => {
    const { main, press, button, api } = await opened("questionnaire/verify-email", {
      ...signedIn,
      api: fakeApi({ updateEmail: () => ({ pending: false }) }),
    });
    await press(resend);
    expect(api.calls.filter(([name]) => name === "updateEmail")).toEqual([["updateEmail", { email: user.email }]]);
    expect(main().querySelector("[role=status]")?.textContent).toBe(said("page.verify-email.resent"));
    expect(button(resend)).toBeUndefined();
  });
  test("shows the rate limit, and can be tried again", async () => {
    const { main, press, button } = await opened("questionnaire/verify-email", {
      ...signedIn,
      api: fakeApi({
        updateEmail: () => {
          throw refusal(1429);
        },
      }),
    });
    await press(resend);
    expect(main().querySelector("[role=status]")?.textContent).toBe(said("problem.tooMany"));
    expect(button(resend)).toBeDefined();
  });
  const account = { email: user.email, confirmed: true, pending: null, needsPassword: true };
  const go = said("page.update-email.go");
  const changing = (updateEmail: NonNullable<Parameters<typeof fakeApi>[0]["updateEmail"]>) =>
    opened("questionnaire/update-email", { ...signedIn, api: fakeApi({ email: () => account, updateEmail }) });
  test("starts with an empty field, and refuses the current address", async () => {
    const { field, type, button, main, key, api } = await changing(() => ({ pending: true }));
    expect(field("email")?.value).toBe("");
    await type("email", user.email.toUpperCase());
    await key("{Tab}");
    expect(main().textContent).toContain(said("validator_unchanged"));
    expect([button(go)?.disabled, api.calls]).toEqual([true, [["email", null]]]);
  });
  test("of a confirmed account needs the password; the old address stays until the new one is confirmed", async () => {
    const { field, type, press, ways, store, api, main } = await changing(() => ({ pending: true }));
    await type("email", "new@example.com");
    await press(go);
    expect([main().textContent, api.calls.length]).toEqual([expect.stringContaining(said("validator_required")), 1]);
    await type("password", "correct horse");
    await press(go);
    expect(api.calls.at(-1)).toEqual(["updateEmail", { email: "new@example.com", password: "correct horse" }]);
    expect([ways(), store.get("signupEmail"), field("password")?.autocomplete]).toEqual([
      [at.page("verify-email")],
      user.email,
      "current-password",
    ]);
    const waiting = fakeApi({ email: () => ({ ...account, pending: "new@example.com" }), updateEmail: () => ({ pending: true }) });
    const verify = await opened("questionnaire/verify-email", { ...signedIn, api: waiting });
    expect(verify.main().textContent).toContain(plainText(text["page.verify-email.text"], { EMAIL: "new@example.com" }, "es-MX"));
    expect(verify.main().textContent).toContain(plainText(text["page.verify-email.pending"], { EMAIL: user.email }, "es-MX"));
    expect(verify.main().textContent).not.toContain(said("page.verify-email.here"));
    await verify.press(resend);
    expect(waiting.calls.at(-1)).toEqual(["updateEmail", { email: "new@example.com" }]);
    const own = await opened("handle-your-subscription/account", { ...signedIn, api: waiting });
    expect(own.main().textContent).toContain(plainText(text["page.account.text"], { EMAIL: user.email }, "es-MX"));
    expect(own.main().textContent).toContain(plainText(text["page.account.email.pending"], { EMAIL: "new@example.com" }, "es-MX"));
    expect(own.links()).toContain(at.page("update-email"));
  });
  test("is sent by Enter in the password field, the form’s last one", async () => {
    const { type, key, api, ways } = await changing(() => ({ pending: true }));
    await type("email", "new@example.com");
    await type("password", "correct horse");
    await key("{Enter}");
    expect(api.calls.at(-1)).toEqual(["updateEmail", { email: "new@example.com", password: "correct horse" }]);
    expect(ways()).toEqual([at.page("verify-email")]);
  });
  test.each([
    ["wrong", refusal(1001), "page.update-email.wrong"],
    ["missing", refusal(1000, { password: "validator_required" }), "validator_required"],
  ])("whose password is %s shows the error at the password field", async (_name, error, words) => {
    const { type, press, field, main, ways } = await opened("questionnaire/update-email", {
      ...signedIn,
      api: fakeApi({ email: () => ({ ...account, needsPassword: words !== "validator_required" }), updateEmail: failing(error) }),
    });
    await type("email", "new@example.com");
    if (words !== "validator_required") await type("password", "not mine");
    await press(go);
    expect([ways(), field("password")?.ariaInvalid]).toEqual([[], "true"]);
    expect(main().textContent).toContain(said(words));
  });
  test("that the server finds unchanged shows the error at its field", async () => {
    const { type, press, main, ways } = await saving(failing(refusal(1000, { email: "validator_unchanged" })));
    await type("email", "new@example.com");
    await press(go);
    expect([ways(), main().textContent]).toEqual([[], expect.stringContaining(said("validator_unchanged"))]);
  });
  test("whose session turns out to be over is not called taken: the login is shown", async () => {
    const { type, press, ways, store } = await opened("questionnaire/update-email", {
      ...signedIn,
      api: fakeApi({
        email: () => ({ ...account, needsPassword: false }),
        updateEmail: () => {
          removeTokens(store);
          throw refusal(1003);
        },
      }),
    });
    await type("email", "new@example.com");
    await press(go);
    expect([ways(), store.get("signupEmail")]).toEqual([[], null]);
  });
  test("without a session leads to the login", async () => {
    const { type, press, ways } = await saving(() => {
      throw refusal(1002);
    });
    await type("email", "new@example.com");
    await press(said("page.update-email.go"));
    expect(ways()).toEqual([at.login("link")]);
  });
});

describe("reactivating an ended plan", () => {
  const begin = said("page.reactivate-or-new.new");
  test("leads to reactivation, or with the choice of new to the question after the answers, with the questionnaire reopened", async () => {
    const finished = { finished: true, finishedTimestamp: "2026-11-20T10:00:00Z" };
    const { links, press, ways, store, adopt } = await opened("questionnaire/reactivate-or-new", {
      state: { ...replayAnswers(compiled, "2.1~3.1", mexico), ...finished, user },
      stored: [["paymentStatus", "completed"]],
    });
    expect(links()).toEqual([at.page("reactivate")]);
    await press(begin);
    expect(ways()).toEqual([at.question(41)]);
    expect([store.get("questionnaireReset"), store.get("paymentStatus")]).toEqual(["1", null]);
    expect(adopt.mock.calls[0]?.[0]).toMatchObject({ finished: false, currentQuestionId: 41, user });
    expect(adopt.mock.calls[0]?.[0].selectedOptions).toHaveLength(2);
  });
  test("whoever bought with all questions answered confirms a new start: no question follows, and the checkout would sell the former plan", async () => {
    const checkout = 80;
    const questions = smallQuestionnaire.questions.map((one) => (one.id === checkout ? { ...one, contents: [{ type: "paddle" }] } : one));
    const { press, ways, store, adopt } = await opened("questionnaire/reactivate-or-new", {
      definition: { ...smallQuestionnaire, questions },
      state: { ...replayAnswers(compiled, "2.1~3.1", mexico), currentQuestionId: checkout, finished: true, user },
    });
    await press(begin);
    expect([ways(), store.get("questionnaireReset"), adopt.mock.calls]).toEqual([[at.page("new-confirm")], "asked", []]);
  });
  test("without answers asks for confirmation: yes starts anew, no goes back", async () => {
    const { press, ways, store } = await opened("questionnaire/reactivate-or-new");
    await press(begin);
    expect([ways(), store.get("questionnaireReset")]).toEqual([[at.page("new-confirm")], "asked"]);
    went.mockReset();
    const confirm = await opened("questionnaire/new-confirm", {
      state: { ...replayAnswers(compiled, "2.1~3.1", mexico), user },
      stored: [["token", "t"]],
    });
    expect(confirm.links()).toEqual([buildPath("questionnaire/reactivate-or-new", "es-419", { version })]);
    await confirm.press(said("page.new-confirm.yes"));
    expect([confirm.ways(), confirm.store.get("questionnaireReset")]).toEqual([[at.question(2)], "1"]);
    expect(confirm.adopt.mock.calls).toEqual([[expect.objectContaining({ selectedOptions: [], signupDone: true, user })]]);
  });
  test("starting anew marks only somebody with an account as signed up", async () => {
    const adopted = async (signupDone: boolean) => {
      const { press, adopt } = await opened("questionnaire/new-confirm", { state: { ...initialState(compiled), signupDone } });
      await press(said("page.new-confirm.yes"));
      return adopt.mock.calls[0]?.[0].signupDone;
    };
    expect([await adopted(false), await adopted(true)]).toEqual([false, true]);
  });
});
