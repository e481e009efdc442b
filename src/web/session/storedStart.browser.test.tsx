/** One page stores where a device began its questionnaire, another one reads it (spec 001 §4, "Password login"). */
import { uiTexts } from "#content/texts/ui.ts";
import { compile } from "#core/questionnaire/compile.ts";
import { initialState } from "#core/questionnaire/step.ts";
import { buildPath } from "#core/routes.ts";
import { mount } from "#test/mount.tsx";
import { mexico, questionnaire, smallQuestions } from "#test/questionnaires.ts";
import { act } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { startBrowser } from "../browser.ts";
import { defaultClientConfig } from "../clientConfig.ts";
import { loadPageModule } from "../pages.ts";
import { webSite } from "../siteContext.tsx";
import { renderedSnapshot } from "./session.ts";
import { storageKeys } from "../device/storage.ts";

const uuid = "8a0b6c0e-0f55-4d5c-8f0b-1a2b3c4d5e6f";
const email = "ana@example.com";
const first = { id: 1, contents: [], options: [{ id: 1, description: "On", followUpQuestion: 2 }] };
const compiled = compile(questionnaire([first, ...smallQuestions]));
const address = location.href;
const params = { version: "76" };
const question = (id: number) => buildPath("questionnaire/question", "es-419", { ...params, question: String(id) });

afterEach(() => {
  vi.unstubAllGlobals();
  history.replaceState(null, "", address);
  for (const key of storageKeys) localStorage.removeItem(key);
});

test("after login a saved state before the stored start starts over, another one goes on", async () => {
  let currentQuestionId = 3;
  const answers: Readonly<Record<string, () => unknown>> = {
    "/login": () => ({
      token: "h.p.s",
      refreshToken: "r1",
      backendUrl: "/api",
      user: { uuid, email, firstname: null },
      features: { questionnaire: { ...params, completed: false, entitlementExists: false } },
    }),
    "/entitlement": () => ({ entitlements: [] }),
    "/questionnaire": () => ({
      state: { ...initialState(compiled), currentQuestionId, signupDone: true, user: { uuid } },
      savedAt: "2026-11-20T10:00:00Z",
    }),
  };
  vi.stubGlobal("fetch", async (url: string) => {
    const answer = Object.entries(answers).find(([path]) => new URL(url, location.href).pathname.endsWith(path));
    if (answer === undefined) throw new TypeError("Failed to fetch");
    return Response.json(answer[1]());
  });
  for (const key of storageKeys) localStorage.removeItem(key);
  const { session, services } = startBrowser({
    compiled,
    rendered: renderedSnapshot(compiled, mexico, ""),
    client: defaultClientConfig,
    release: "0123456789ab",
    stored: null,
  });
  session.dispatch({ type: "answer", questionId: 2, optionId: 1 });
  expect(localStorage.getItem("questionnaireRoot")).toBe("2");

  const texts = uiTexts("es-419");
  const loadMoreTexts = async () => texts;
  const loadLaterContents = async () => null;
  const site = webSite({
    locale: "es-419",
    texts,
    loadMoreTexts,
    loadLaterContents,
    session,
    services,
    client: defaultClientConfig,
    bare: false,
  });
  const { page } = await loadPageModule("questionnaire/user");
  async function logIn() {
    const path = buildPath("questionnaire/user", "es-419", params);
    history.replaceState(null, "", path);
    const element = await mount(site, <page.View params={params} />);
    const field = (type: string) => element.querySelector(`main input[type=${type}]`) ?? element;
    await act(() => userEvent.fill(field("email"), email));
    await act(() => userEvent.fill(field("password"), "secret-1"));
    await act(async () => {
      await userEvent.keyboard("{Enter}");
      await expect.poll(() => location.pathname).not.toBe(path);
    });
    return location.pathname;
  }
  localStorage.setItem("theme", "Kosmo");
  expect(await logIn()).toBe(question(3));
  // An account's pages use its own version's theme, whatever version was looked at here.
  expect(localStorage.getItem("theme")).toBe("HablaIngles");
  currentQuestionId = 1;
  expect(await logIn()).toBe(question(2));
  expect(session.snapshot().state).toMatchObject({ currentQuestionId: 2, signupDone: true, selectedOptions: [] });
});
