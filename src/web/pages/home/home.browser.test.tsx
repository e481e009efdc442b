/** The first question on the home page, and the answers that it fills in (spec 000 §4). */
import "#ui/tokens.css";
import "#ui/base.css";
import { buildPath } from "#core/routes.ts";
import { compile } from "#core/questionnaire/compile.ts";
import { mexico, smallQuestionnaire } from "#test/questionnaires.ts";
import { mount } from "#test/mount.tsx";
import { resize } from "#test/screen.ts";
import { testSession } from "#test/webSession.ts";
import { testSite } from "#test/webSite.ts";
import { act } from "react";
import { expect, test, vi } from "vitest";
import { memoryStore } from "../../device/storage.ts";
import { questionPath } from "../../navigation.ts";
import { renderedSnapshot } from "../../session/session.ts";
import { page } from "./page.tsx";

const { loaded } = vi.hoisted(() => ({ loaded: vi.fn<(path: string) => void>() }));
vi.mock(import("../../navigation.ts"), async (original) => ({ ...(await original()), goToPath: loaded }));

const compiled = compile(smallQuestionnaire);

/** A session with the answers of its address, on a new device. */
function visit(answers: string) {
  const went: (number | "home")[] = [];
  const session = testSession(compiled, renderedSnapshot(compiled, mexico, answers), {
    goTo: (questionId) => void went.push(questionId),
    goHome: () => void went.push("home"),
  });
  session.arrive();
  return { session, went };
}

test("a tap fills in its option and leads to the next question", async () => {
  const { session, went } = visit("");
  const track = vi.fn();
  const element = await mount(testSite({ session, services: { track } }), <page.View params={{}} />);
  const option = (id: number) => element.querySelector<HTMLElement>(`[data-option-id="${id}"]`);
  expect(option(2)?.getAttribute("href")).toBe(`${questionPath("es-419", "76", 3)}?a=2.2`);
  expect(option(3)?.getAttribute("href")).toBe("/es-latam/");
  await act(async () => option(2)?.click());
  await expect.poll(() => went).toEqual([3]);
  // The version is counted as opened, as by its own pages.
  expect(track.mock.calls).toEqual([[{ eventType: "GetQuestionnaire", payload: {} }]]);
  expect(session.snapshot().state).toMatchObject({
    currentQuestionId: 3,
    visitedQuestionIds: [2],
    selectedOptions: [{ questionId: 2, optionId: 2 }],
  });
});

test("a button without an option fills in the first one, for the visitor to confirm or change", async () => {
  const element = await mount(testSite({ session: visit("").session }), <page.View params={{}} />);
  const [way] = [...element.querySelectorAll<HTMLAnchorElement>("main a")].filter((link) => link.href.includes("/2/"));
  const address = new URL(way?.href ?? "");
  expect(address.pathname).toBe(questionPath("es-419", "76", 2));

  const { session, went } = visit(address.searchParams.get("a") ?? "");
  expect(session.snapshot().state).toMatchObject({ currentQuestionId: 3, selectedOptions: [{ questionId: 2, optionId: 1 }] });
  await session.choose(2, 1);
  expect(went).toEqual([3]);
  await session.choose(2, 2);
  expect(session.snapshot().state.selectedOptions).toEqual([{ questionId: 2, optionId: 2 }]);
});

test("a visitor who has been here continues at their question, and a buyer at their plan's page, which shows whether it still runs", async () => {
  const ways = async (paymentStatus: string) => {
    const session = visit("2.1").session;
    const store = memoryStore();
    store.set("questionnaireState", JSON.stringify(session.snapshot().state));
    store.set("paymentStatus", paymentStatus);
    const element = await mount(testSite({ session, services: { store } }), <page.View params={{}} />);
    const bar = element.querySelector("[data-bar] a");
    // Three links that start a plan for new visitors lead this visitor to the same page as the bar, with the same text.
    const same = [...element.querySelectorAll(`main a[href="${bar?.getAttribute("href")}"]`)];
    expect(same.map(({ textContent }) => textContent?.trim())).toEqual(Array.from({ length: 3 }, () => bar?.textContent));
    return [bar?.textContent, bar?.getAttribute("href")];
  };
  expect(await ways("pending")).toEqual(["Seguir donde me quedé", questionPath("es-419", "76", 3)]);
  // Their plan may be a one-time purchase, so the label names no subscription.
  expect(await ways("completed")).toEqual(["Tu acceso", buildPath("handle-your-subscription", "es-419")]);
});

test("after sign-up a tap leads to where the visitor was: another first answer would erase the account's later ones", async () => {
  const leads = async (paymentStatus: string) => {
    const { session, went } = visit("2.1~3.1~41.1");
    session.adopt({ ...session.snapshot().state, signupDone: true });
    const { state } = session.snapshot();
    const store = memoryStore();
    store.set("questionnaireState", JSON.stringify(state));
    store.set("paymentStatus", paymentStatus);
    const element = await mount(testSite({ session, services: { store } }), <page.View params={{}} />);
    loaded.mockClear();
    for (const id of [1, 2]) await act(async () => element.querySelector<HTMLElement>(`[data-option-id="${id}"]`)?.click());
    expect([session.snapshot().state, went]).toEqual([state, []]);
    return loaded.mock.calls.map(([path]) => path);
  };
  const twice = (path: string) => [path, path];
  expect(await leads("pending")).toEqual(twice(questionPath("es-419", "76", 42)));
  expect(await leads("completed")).toEqual(twice(buildPath("handle-your-subscription", "es-419")));
});

test("an account that has started over answers the first question on the home page, too", async () => {
  const { session, went } = visit("");
  session.adopt({ ...session.snapshot().state, signupDone: true });
  const store = memoryStore();
  store.set("questionnaireState", JSON.stringify(session.snapshot().state));
  const element = await mount(testSite({ session, services: { store } }), <page.View params={{}} />);
  await act(async () => element.querySelector<HTMLElement>('[data-option-id="2"]')?.click());
  await expect.poll(() => went).toEqual([3]);
});

test("where there is no room for the figures, each card leaves space below its link", async () => {
  await resize(320, 640);
  const element = await mount(testSite({ session: visit("").session }), <page.View params={{}} />);
  const cards = [...element.querySelectorAll<HTMLElement>("[class*=cut]")].map((figure) => figure.parentElement);
  expect(cards).toHaveLength(3);
  for (const card of cards) {
    const link = card?.querySelector("a");
    const space = Number(card?.getBoundingClientRect().bottom) - Number(link?.getBoundingClientRect().bottom);
    expect(space, link?.textContent).toBeGreaterThanOrEqual(24);
  }
});

test("a visitor with answers in another version is not told how long this one takes", async () => {
  const session = visit("2.1").session;
  const shown = async (id: string) => {
    const store = memoryStore();
    store.set("questionnaireState", JSON.stringify({ ...session.snapshot().state, id }));
    const element = await mount(testSite({ session, services: { store } }), <page.View params={{}} />);
    const note = element.querySelector("[class*=note]");
    return note?.checkVisibility({ visibilityProperty: true });
  };
  expect(await shown(compiled.definition.id)).toBe(true);
  expect(await shown("78")).toBe(false);
});
