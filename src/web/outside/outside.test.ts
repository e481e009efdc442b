import { allGrants, noGrants } from "#core/consent.ts";
import { describe, expect, test, vi } from "vitest";
import { braze } from "./braze.ts";
import { googleAnalytics } from "./googleAnalytics.ts";
import { calm, calmAfter } from "./outside.ts";
import { tagManager } from "./tagManager.ts";

/** Scripts that load only when the test says so. */
function scripts() {
  const asked: string[] = [];
  const ends: { readonly come: () => void; readonly fail: (error: Error) => void }[] = [];
  const load = (src: string) =>
    new Promise<void>((come, fail) => {
      asked.push(src);
      ends.push({ come, fail });
    });
  return { asked, load, come: () => ends.at(-1)?.come(), fail: () => ends.at(-1)?.fail(new Error("blocked")) };
}
const later = () => new Promise((resolve) => setImmediate(resolve));

test("third-party services wait three seconds, and for an idle page if the browser reports it", async () => {
  vi.useFakeTimers();
  const idle = vi.fn<(tell: () => void) => void>();
  vi.stubGlobal("requestIdleCallback", idle);
  const done = vi.fn();
  void calm().then(done);
  await vi.advanceTimersByTimeAsync(calmAfter - 1 - performance.now());
  expect(idle).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect([idle.mock.calls.length, done.mock.calls.length]).toEqual([1, 0]);
  idle.mock.lastCall?.[0]();
  await vi.advanceTimersByTimeAsync(0);
  expect(done).toHaveBeenCalledOnce();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("the tag manager", () => {
  test("loads only with configuration and consent to statistics or advertising, and once", () => {
    const { asked, load } = scripts();
    tagManager(null, load, vi.fn()).consent(allGrants);
    const push = vi.fn();
    const tags = tagManager("GTM-X", load, push);
    tags.consent(noGrants);
    tags.consent({ ...noGrants, functional: true });
    expect(asked).toEqual([]);
    tags.consent({ ...noGrants, analytics: true });
    tags.consent(allGrants);
    expect([asked, push.mock.calls.length]).toEqual([["https://www.googletagmanager.com/gtm.js?id=GTM-X"], 1]);
  });

  test("that was blocked loads again with the next consent, and says its start once", async () => {
    const { asked, load, fail } = scripts();
    const push = vi.fn();
    const tags = tagManager("GTM-X", load, push);
    tags.consent(allGrants);
    fail();
    await later();
    tags.consent(allGrants);
    expect([asked.length, push.mock.calls.length]).toEqual([2, 1]);
  });
});

describe("the analytics service", () => {
  function measuring(id: string | null, { grants = noGrants, settled = false } = {}) {
    const script = scripts();
    const window = {};
    const deleteCookies = vi.fn();
    const consent = { grants: () => grants, settled: () => settled };
    const service = googleAnalytics(id, {
      load: script.load,
      window,
      consent,
      arrival: new URLSearchParams("token=secret&a=2.1&utm_source=mail&gclid=g1"),
      origin: "https://parlando.example",
      referrer: "https://search.example/?q=who",
      deleteCookies,
    });
    const list: unknown = Reflect.get(window, "analyticsLayer");
    const said = () => (Array.isArray(list) ? list : []).map((command) => Array.from<unknown>(command));
    const off = () => Reflect.get(window, `ga-disable-${id}`);
    const choose = (next: typeof grants) => {
      grants = next;
      settled = true;
      service.consent(next);
    };
    return { ...script, service, said, off, deleteCookies, choose };
  }
  const events = (said: readonly (readonly unknown[])[]) => said.filter(([name]) => name === "event").map(([, event]) => event);

  test("loads only with configuration and consent to statistics", () => {
    const none = measuring(null);
    none.choose(allGrants);
    none.service.push("homepage", { locale: "de-DE" });
    const other = measuring("G-1");
    other.choose({ ...allGrants, analytics: false });
    other.service.push("homepage", { locale: "de-DE" });
    expect([none.asked, other.asked, other.said()]).toEqual([[], [], []]);
  });

  test("starts with consent, denied by default first, and gets earlier events once", () => {
    const { asked, service, said, choose } = measuring("G-1");
    service.push("questionnaire_start", { questionnaire: "76" });
    choose({ ...noGrants, analytics: true });
    choose(allGrants);
    expect(asked).toEqual(["https://www.googletagmanager.com/gtag/js?id=G-1&l=analyticsLayer"]);
    expect(said().map(([name, word]) => (typeof word === "string" ? `${String(name)} ${word}` : name))).toEqual([
      "consent default",
      "consent update",
      "js",
      "config G-1",
      "event questionnaire_start",
      "consent update",
    ]);
    expect(said()[3]).toMatchObject([
      "config",
      "G-1",
      { send_page_view: false, allow_google_signals: false, allow_ad_personalization_signals: false },
    ]);
  });

  test("ends with a withdrawal and deletes its cookies; events after a refusal are never sent", () => {
    const { service, said, off, deleteCookies, choose } = measuring("G-1");
    choose(allGrants);
    expect([off(), deleteCookies.mock.calls]).toEqual([false, []]);
    choose(noGrants);
    service.push("homepage", { locale: "de-DE" });
    expect([off(), deleteCookies.mock.calls, events(said())]).toEqual([true, [["_ga"]], []]);
    choose(allGrants);
    service.push("questionnaire_done", { questionnaire: "76" });
    expect([off(), events(said())]).toEqual([false, ["questionnaire_done"]]);
  });

  test("knows the visitor and the place after a yes that follows a no, but not what happened in between", () => {
    const { service, said, choose } = measuring("G-1");
    service.push("user_id", { user_id: "u1" });
    choose(noGrants);
    service.page("/es-latam/habla-ingles/76/3/");
    const place = { page_location: expect.stringMatching(/\/76\/3\//), page_referrer: "https://search.example/" };
    for (const time of ["first", "again"]) {
      choose(allGrants);
      expect([time, said().at(-1)]).toEqual([time, ["set", { user_id: "u1", ...place }]]);
      service.push("questionnaire_done", { questionnaire: "76" });
      choose(noGrants);
      service.push("homepage", { locale: "de-DE" });
    }
    expect(events(said())).toEqual(["questionnaire_done", "questionnaire_done"]);
  });

  test("gets each page's address without secrets, answers and other query parameters", () => {
    const { service, said, choose } = measuring("G-1");
    choose(allGrants);
    service.page("/es-latam/habla-ingles/76/3/");
    service.page("/es-latam/habla-ingles/76/41/");
    const page = "https://parlando.example/es-latam/habla-ingles/76/";
    const first = { page_location: `${page}3/?utm_source=mail&gclid=g1`, page_referrer: "https://search.example/" };
    const second = { page_location: `${page}41/`, page_referrer: first.page_location };
    expect(said().slice(-4)).toEqual([
      ["set", first],
      ["event", "page_view", first],
      ["set", second],
      ["event", "page_view", second],
    ]);
    // The `js` command has a timestamp, whose digits could match by accident.
    const told = said().filter(([command]) => command !== "js");
    expect(JSON.stringify(told)).not.toMatch(/secret|2\.1|who/);
  });

  test("gets no e-mail in any form, names in its own format, and a purchase as one event", () => {
    const { service, said, choose } = measuring("G-1");
    choose(allGrants);
    service.push("user_id", { user_id: "u1" });
    service.push("me_sign_up", { user_id: "u1", email_sha256: "8e43" });
    service.push("js-exception", { message: "ana@example.com is no number" });
    service.push("exception", { status: 404, endpoint: "token", message: "404 error on /api/token?token=secret: gone" });
    service.push("purchase", { ecommerce: { transaction_id: "o1", value: 49, currency: "MXN", items: [] } });
    expect(said().slice(-5)).toEqual([
      ["set", { user_id: "u1" }],
      ["event", "me_sign_up", { user_id: "u1" }],
      ["event", "js_exception", { message: "… is no number" }],
      ["event", "exception", { status: 404, endpoint: "token", message: "404 error on /api/token: gone" }],
      ["event", "purchase", { transaction_id: "o1", value: 49, currency: "MXN", items: [] }],
    ]);
  });
});

describe("in-app messages", () => {
  function messages(id: string | undefined) {
    const script = scripts();
    const said: unknown[][] = [];
    let shows: (message: unknown) => void = () => {};
    const say =
      (name: string) =>
      (...args: unknown[]) =>
        void said.push([name, ...args]);
    const sdk = {
      ...Object.fromEntries(
        ["initialize", "showInAppMessage", "changeUser", "openSession", "removeSubscription", "disableSDK", "enableSDK", "wipeData"].map(
          (name) => [name, say(name)],
        ),
      ),
      subscribeToInAppMessage: (shown: (message: unknown) => void) => {
        shows = shown;
        return "messages";
      },
    };
    const onMessage = vi.fn();
    const onUser = vi.fn();
    let here = id;
    let changed: () => void = () => {};
    const report = vi.fn();
    const service = braze(
      { key: "k", baseUrl: "sdk.fra-01.braze.eu" },
      { load: script.load, global: () => sdk, userId: () => here, onUser, watchUser: (tell) => void (changed = tell), onMessage, report },
    );
    const becomes = (other: string) => {
      here = other;
      changed();
    };
    return { ...script, service, said, report, onMessage, onUser, becomes, show: (message: unknown) => shows(message) };
  }

  test("start with consent, under the visitor's id or anon-user, and open the session last", async () => {
    for (const id of ["user-1", undefined]) {
      const { service, come, said, asked } = messages(id);
      service.consent({ ...allGrants, functional: false });
      expect(asked).toEqual([]);
      service.consent(allGrants);
      come();
      await later();
      expect(said.map(([name, first]) => [name, first])).toEqual([
        ["enableSDK", undefined],
        ["initialize", "k"],
        ["changeUser", id ?? "anon-user"],
        ["openSession", undefined],
      ]);
    }
  });

  test("use the stored id, and change to the account's id", async () => {
    const { service, come, said, onUser, becomes } = messages("visitor");
    service.consent(allGrants);
    come();
    await later();
    becomes("visitor");
    becomes("account");
    expect(said.filter(([name]) => name === "changeUser")).toEqual([
      ["changeUser", "visitor"],
      ["changeUser", "account"],
    ]);
    expect(onUser.mock.calls).toEqual([["visitor"], ["account"]]);
    service.consent(noGrants);
    await later();
    becomes("somebody");
    expect([said.at(-1), onUser.mock.lastCall]).toEqual([["disableSDK"], [undefined]]);
  });

  test("a message is shown and noted", async () => {
    const { service, come, said, show, onMessage } = messages(undefined);
    service.consent(allGrants);
    come();
    await later();
    show("hello");
    expect([said.at(-1), onMessage.mock.calls.length]).toEqual([["showInAppMessage", "hello"], 1]);
  });

  test("end and delete their data when consent is withdrawn, and return with it", async () => {
    const { service, come, said } = messages(undefined);
    service.consent(allGrants);
    come();
    await later();
    said.length = 0;
    service.consent(noGrants);
    await later();
    service.consent(allGrants);
    await later();
    expect(said.map(([name]) => name)).toEqual([
      "removeSubscription",
      "wipeData",
      "disableSDK",
      "enableSDK",
      "initialize",
      "changeUser",
      "openSession",
    ]);
    expect(said[0]).toEqual(["removeSubscription", "messages"]);
  });

  test("do not begin when consent is withdrawn while the script loads", async () => {
    const { service, come, said, asked, onUser } = messages("visitor");
    service.consent(allGrants);
    service.consent(noGrants);
    come();
    await later();
    expect([asked.length, said, onUser.mock.calls]).toEqual([1, [], []]);
    service.consent(allGrants);
    await later();
    expect(said.map(([name]) => name)).toEqual(["enableSDK", "initialize", "changeUser", "openSession"]);
  });

  test("that do not load are reported and tried again with the next consent", async () => {
    const { service, fail, asked, report } = messages(undefined);
    service.consent(allGrants);
    fail();
    await later();
    service.consent(allGrants);
    expect([asked.length, report.mock.calls.length]).toEqual([2, 1]);
  });
});
