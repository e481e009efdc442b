/** The two start pages that request a version: the raffle and starting over (spec 001 §2). */
import { replayAnswers } from "#core/questionnaire/answer-code.ts";
import { compile } from "#core/questionnaire/compile.ts";
import { savedState } from "#core/questionnaire/saved.ts";
import { buildPath, type PageRoute } from "#core/routes.ts";
import { mexico, smallQuestionnaire } from "#test/questionnaires.ts";
import { mount } from "#test/mount.tsx";
import { testSite } from "#test/webSite.ts";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ConnectionError } from "../api/request.ts";
import { loadPageModule } from "../pages.ts";
import { fakeApi } from "../session/fakeApi.ts";
import { deviceStore, memoryStore } from "../device/storage.ts";

const went = vi.hoisted(() => vi.fn());
const track = vi.fn();
vi.mock(import("../navigation.ts"), async (original) => ({ ...(await original()), goToPath: went }));

const compiled = compile(smallQuestionnaire);
const offline = () => {
  throw new ConnectionError("/api/config", null);
};
const drawn = (questionnaireVersion: string) => () => ({
  uuid: "8a0b6c0e-0f55-4d5c-8f0b-1a2b3c4d5e6f",
  questionnaireVersion,
  completed: false,
  entitlementExists: false,
});

/** Opens a page with a stored state. @returns where it leads */
async function comeIn(route: PageRoute, config: Parameters<typeof fakeApi>[0]["config"], kept?: string) {
  went.mockReset();
  track.mockReset();
  const store = memoryStore();
  if (kept !== undefined) {
    const user = { firstname: "Lucía", email: "lucia@ejemplo.mx" };
    store.set("questionnaireState", JSON.stringify(savedState({ ...replayAnswers(compiled, "2.1~3.1", mexico), id: kept, user })));
    store.set("signupName", "Lucía");
    store.set("signupEmail", "lucia@ejemplo.mx");
  }
  const adopt = vi.fn();
  const site = testSite({ session: { adopt }, services: { store, track, api: fakeApi(config === undefined ? {} : { config }) } });
  const { page } = await loadPageModule(route);
  await mount(site, <page.View params={{}} />);
  const left = (["questionnaireState", "signupName", "signupEmail"] as const).filter((key) => store.get(key) !== null);
  return {
    ways: went.mock.calls.map(([path]) => path),
    left,
    inMemory: adopt.mock.calls.map(([state]) => [state.user, state.selectedOptions]),
  };
}

const question = (id: number) => buildPath("questionnaire/question", "es-419", { version: "76", question: String(id) });
const rootOf = (version: string) => buildPath("questionnaire/root", "es-419", { version });

describe("the raffle", () => {
  test("leads to the drawn version's start, or to the visitor's question in it", async () => {
    expect((await comeIn("questionnaire/raffle", drawn("83"))).ways).toEqual([rootOf("83")]);
    expect((await comeIn("questionnaire/raffle", drawn("76"))).ways).toEqual([question(2)]);
    expect((await comeIn("questionnaire/raffle", drawn("76"), "76")).ways).toEqual([question(41)]);
    expect((await comeIn("questionnaire/raffle", drawn("83"), "83")).ways).toEqual([`${rootOf("83")}?a=2.1~3.1`]);
  });
  test("takes the campaign's parameters to a version with its own site", async () => {
    const address = location.href;
    onTestFinished(() => history.replaceState(null, "", address));
    history.replaceState(null, "", "?utm_source=ad&cid=spring");
    expect((await comeIn("questionnaire/raffle", drawn("aimx"))).ways).toEqual([`${rootOf("aimx")}?utm_source=ad&cid=spring`]);
    expect((await comeIn("home-redirect", drawn("aimx"))).ways).toEqual([`${rootOf("aimx")}?utm_source=ad&cid=spring`]);
  });
  test("takes the source of the visit to another version, which reports it", async () => {
    const address = location.href;
    onTestFinished(() => history.replaceState(null, "", address));
    history.replaceState(null, "", "?utm_source=ad&cid=spring&gclid=g1&a=2.2");
    expect((await comeIn("questionnaire/raffle", drawn("83"))).ways).toEqual([`${rootOf("83")}?utm_source=ad&gclid=g1`]);
    expect((await comeIn("questionnaire/raffle", drawn("83"), "83")).ways).toEqual([`${rootOf("83")}?a=2.1~3.1&utm_source=ad&gclid=g1`]);
    expect((await comeIn("home-redirect", drawn("83"), "83")).ways).toEqual([`${rootOf("83")}?utm_source=ad&gclid=g1`]);
  });
  test("leads to the default version instead of an unknown one (spec 000 §5)", async () => {
    expect((await comeIn("questionnaire/raffle", drawn("77"))).ways).toEqual([question(2)]);
    expect((await comeIn("home-redirect", drawn("77"))).ways).toEqual([rootOf("76")]);
  });
  test("counts its visitor for the default version only when that is drawn", async () => {
    await comeIn("questionnaire/raffle", drawn("83"));
    expect(track).not.toHaveBeenCalled();
    await comeIn("questionnaire/raffle", drawn("76"));
    expect(track.mock.calls).toEqual([[{ eventType: "GetQuestionnaire", payload: {} }]]);
  });
  test("leads to the default version if the call fails", async () => {
    expect((await comeIn("questionnaire/raffle", offline)).ways).toEqual([question(2)]);
  });
});

describe("starting over", () => {
  test("clears answers, name and address, and begins the drawn version", async () => {
    const address = location.href;
    onTestFinished(() => history.replaceState(null, "", address));
    history.replaceState(null, "", location.pathname);
    expect(await comeIn("home-redirect", drawn("76"), "76")).toEqual({ ways: [rootOf("76")], left: [], inMemory: [[{}, []]] });
    expect((await comeIn("home-redirect", drawn("aimx"), "76")).ways).toEqual([rootOf("aimx")]);
    expect(await comeIn("home-redirect", offline, "76")).toEqual({ ways: [rootOf("76")], left: [], inMemory: [[{}, []]] });
  });
});

// Last: from here on, this file's browser counts as one that blocks its storage.
describe("where the browser blocks its storage", () => {
  test("the raffle takes the campaign's ids to another version, too: that page knows no device", async () => {
    deviceStore(() => {
      throw new Error("blocked");
    });
    const address = location.href;
    onTestFinished(() => history.replaceState(null, "", address));
    history.replaceState(null, "", "?cid=spring&vid=83&adid=a1&utm_source=ad&a=2.2");
    expect((await comeIn("questionnaire/raffle", drawn("83"))).ways).toEqual([`${rootOf("83")}?cid=spring&vid=83&adid=a1&utm_source=ad`]);
  });
});
