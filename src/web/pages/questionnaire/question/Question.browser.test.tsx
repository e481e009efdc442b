/** The question page: when the visitor can go on, and timed behaviour. */
import { uiTexts } from "#content/texts/ui.ts";
import { compile } from "#core/questionnaire/compile.ts";
import type { QuestionInput } from "#core/questionnaire/definition.ts";
import { buildPath } from "#core/routes.ts";
import type { State } from "#core/questionnaire/state.ts";
import type { Text } from "#core/text.ts";
import { mexico, questionnaire, schedules, smallQuestions } from "#test/questionnaires.ts";
import { mount } from "#test/mount.tsx";
import { resize } from "#test/screen.ts";
import { testSession } from "#test/webSession.ts";
import { type SiteParts, testSite } from "#test/webSite.ts";
import { act } from "react";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { questionPath } from "../../../navigation.ts";
import { type Services, silentServices } from "../../../services.ts";
import { renderedSnapshot } from "../../../session/session.ts";
import { memoryStore } from "../../../device/storage.ts";
import { loadOtherBlocks } from "./blocks.tsx";
import { page } from "./page.tsx";

const go = [{ id: 1, description: "Seguir", followUpQuestion: 3 }];

/** Renders question 2 with these contents and options as after hydration, on a fake clock. */
async function shown(
  change: Partial<QuestionInput>,
  third: Partial<QuestionInput> = {},
  around: Partial<Services> = {},
  answered: Pick<State, "currentQuestionId" | "selectedOptions" | "visitedQuestionIds"> | null = null,
  texts: Pick<SiteParts, "texts" | "loadMoreTexts"> = {},
) {
  const questions = smallQuestions.map((question) =>
    question.id === 2 ? { ...question, options: go, ...change } : question.id === 3 ? { ...question, ...third } : question,
  );
  const pictured = schedules.map((schedule) => ({ ...schedule, picture: "calm" }));
  const compiled = compile(questionnaire(questions, { shortcutQuestion: 80, schedules: pictured }));
  const went = vi.fn();
  const track = vi.fn();
  const rendered = renderedSnapshot(compiled, mexico, "");
  const stored = answered && { ...rendered.state, ...answered };
  const session = testSession(compiled, rendered, { track, goTo: went, stored });
  const site = testSite({ ...texts, session, services: { track, ...around } });
  const params = { version: "76", question: "2" };
  await page.prepare?.(site, params);
  const element = await mount(site, <page.View params={params} />);
  return {
    session,
    went,
    track,
    one: (selector: string) => element.querySelector<HTMLElement>(selector),
    ways: () => [...element.querySelectorAll<HTMLElement>("[data-option-id]")],
    advance: (time: number) => act(() => vi.advanceTimersByTimeAsync(time)),
  };
}

const fails = { type: "moreInfoOf", items: [{ id: "one", text: "Uno" }] };
const blocks = { type: "wait", duration: 3000 };

test("a text names the signed-in account's address on a page that lacks the account's answers, as another version's does", async () => {
  const told = async (token: string | null) => {
    const store = memoryStore();
    if (token !== null) store.set("token", token);
    store.set("signupEmail", "ana@example.com");
    const { one } = await shown({ contents: [{ type: "paragraph", text: ["Va a ", ["arg", "EMAIL"]] }] }, {}, { store });
    return one("[data-block=paragraph]")?.textContent;
  };
  expect([await told("h.p.s"), await told(null)]).toEqual(["Va a ana@example.com", "Va a "]);
});

describe("the button that leads on", () => {
  test("is disabled while a block fails (spec 001 §4)", async () => {
    const { ways, one } = await shown({ contents: [{ type: "title", text: "¿Qué?" }, fails] });
    expect(ways().map((way) => way.hasAttribute("disabled"))).toEqual([true]);
    await act(async () => one("[role=checkbox]")?.click());
    expect(ways().map((way) => way.hasAttribute("disabled"))).toEqual([false]);
  });

  test("several answers are disabled while a block fails, but not the one that leads back", async () => {
    const { ways, one } = await shown({
      contents: [fails],
      options: [...go, { id: 2, description: "Otra", followUpQuestion: 3 }, { id: 3, type: "ToHomePage", description: "Ahora no" }],
    });
    expect(ways().map((way) => way.hasAttribute("disabled"))).toEqual([true, true, false]);
    await act(async () => one("[role=checkbox]")?.click());
    expect(ways().map((way) => way.hasAttribute("disabled"))).toEqual([false, false, false]);
  });

  test("is not replaced by Enter in a sign-up field while another block fails (spec 001 §5)", async () => {
    const { session, one } = await shown({ type: "SignupView", contents: [{ type: "signupName", label: "Nombre" }, fails] });
    const enter = () =>
      act(async () => one("input")?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true })));
    await enter();
    expect(session.snapshot().tried).toBeUndefined();
    await act(async () => one("[role=checkbox]")?.click());
    await enter();
    expect(session.snapshot().tried).toEqual({ questionId: 2, optionId: 1 });
    await act(async () => {
      await expect.poll(() => session.snapshot().errors).toEqual({ firstname: "validator_required" });
    });
  });

  test("is hidden while a block blocks, even if another one fails", async () => {
    const { ways, advance } = await shown({ contents: [fails, blocks] });
    await advance(2999);
    expect(ways()).toEqual([]);
    await advance(1);
    expect(ways().map((way) => way.hasAttribute("disabled"))).toEqual([true]);
  });

  test("the option that leads back is always enabled", async () => {
    const { ways } = await shown({ contents: [blocks], options: [...go, { id: 2, type: "ToHomePage", description: "Ahora no" }] });
    expect(ways().map((way) => way.dataset["optionId"])).toEqual(["2"]);
  });

  test("is the only one at a phone's lower edge, except on a low screen with the cookie banner", async () => {
    const { ways, one } = await shown({
      options: [...go, { id: 2, description: "No me decido", buttonStyle: "link", followUpQuestion: 3 }],
    });
    expect(ways().map((way) => way.closest("[data-bar]") !== null)).toEqual([true, false]);
    onTestFinished(() => resize(390, 844));
    const positionAt = async (width: number, height: number) => {
      await resize(width, height);
      const bar = one("[data-bar]");
      return bar === null ? null : getComputedStyle(bar).position;
    };
    expect([await positionAt(390, 844), await positionAt(360, 640)]).toEqual(["fixed", "fixed"]);
    const banner = document.body.appendChild(document.createElement("section"));
    onTestFinished(() => banner.remove());
    banner.dataset["consent"] = "banner";
    expect([await positionAt(390, 844), await positionAt(360, 640)]).toEqual(["fixed", "static"]);
  });

  test("stays in view on a low laptop screen below long content", async () => {
    onTestFinished(() => resize(390, 844));
    await resize(1280, 600);
    const text = "Una frase larga. ".repeat(200);
    const { ways } = await shown({ contents: [{ type: "paragraph", text }] });
    expect(document.documentElement.scrollHeight).toBeGreaterThan(1000);
    expect(ways()[0]?.getBoundingClientRect().bottom).toBeLessThanOrEqual(600);
  });

  test("stands below the question beside the cookie banner where a large screen shows few lines", async () => {
    onTestFinished(() => resize(390, 844));
    const { one } = await shown({ contents: [] });
    const positionAt = async (height: number) => {
      await resize(1280, height);
      const foot = one("[data-bar]")?.parentElement;
      return foot ? getComputedStyle(foot).position : null;
    };
    expect([await positionAt(800), await positionAt(440)]).toEqual(["sticky", "sticky"]);
    const banner = document.body.appendChild(document.createElement("section"));
    onTestFinished(() => banner.remove());
    banner.dataset["consent"] = "banner";
    expect([await positionAt(800), await positionAt(440)]).toEqual(["sticky", "static"]);
  });

  test("is pressed by a block that ends by itself, once", async () => {
    const { went, advance } = await shown({ contents: [{ type: "preparingProgramSimple", text: "Preparando" }] });
    await advance(2499);
    expect(went).not.toHaveBeenCalled();
    await advance(5000);
    expect(went.mock.calls).toEqual([[3]]);
  });
});

describe("scrolling to the button", () => {
  const scrolls = () => vi.spyOn(Element.prototype, "scrollIntoView").mockReturnValue();

  test("comes 1.5 s after the question with afterDelay (spec 001 §4)", async () => {
    const scroll = scrolls();
    const { advance } = await shown({ contents: [fails], scroll: "afterDelay" });
    await advance(1499);
    expect(scroll).not.toHaveBeenCalled();
    await advance(1);
    expect(scroll).toHaveBeenCalledOnce();
  });

  test("comes with onPass as soon as all blocks pass", async () => {
    const scroll = scrolls();
    const { advance, one } = await shown({ contents: [fails, blocks], scroll: "onPass" });
    await act(async () => one("[role=checkbox]")?.click());
    expect(scroll).not.toHaveBeenCalled();
    await advance(3000);
    expect(scroll).toHaveBeenCalledOnce();
  });

  test("does not come otherwise", async () => {
    const scroll = scrolls();
    const { advance } = await shown({ contents: [blocks], scroll: "off" });
    await advance(10_000);
    expect(scroll).not.toHaveBeenCalled();
  });
});

/** Addresses of the prefetched pictures, after the other blocks have loaded. */
async function fetchedAhead(): Promise<string[]> {
  await loadOtherBlocks(testSite());
  const fetched: string[] = [];
  vi.stubGlobal(
    "Image",
    class {
      set src(url: string) {
        fetched.push(url);
      }
    },
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  return fetched;
}

test("pictures of possible next questions are prefetched 250 ms after a question shows (spec 001 §9)", async () => {
  const fetched = await fetchedAhead();
  const following = async (second: Partial<QuestionInput>, third: Partial<QuestionInput>) => {
    fetched.length = 0;
    const { advance } = await shown(second, third);
    await advance(249);
    expect(fetched).toEqual([]);
    await advance(1);
    return fetched.map((url) => url.replace(/@2x/, "")).toSorted();
  };
  expect(await following({ contents: [] }, { contents: [{ type: "image", image: "dance", alt: "" }] })).toEqual(["/media/dance.webp"]);
  // Includes pictures that only the block knows, and the figure of the reward.
  expect(await following({ contents: [] }, { contents: [{ type: "chatbot", messages: [{ from: "guide", text: "Hola" }] }] })).toEqual([
    "/media/guide.webp",
  ]);
  const slideshowOptions = { items: [{ image: "run", text: "Corre" }] };
  expect(await following({ contents: [] }, { contents: [{ type: "slideshow", slideshowOptions }] })).toEqual(["/media/run-desktop.webp"]);
  expect(await following({ contents: [] }, { contents: [{ type: "studySchedule" }] })).toEqual(["/media/calm.webp"]);
  const options = [{ id: 1, description: "Sí", followUpQuestion: 3, reward: { title: "Bien", text: "Muy bien", figure: "wave" } }];
  expect(await following({ contents: [], options }, {})).toEqual(["/media/wave.webp"]);
});

test.each([
  [767, "/media/dance.webp"],
  [768, "/media/dance-tablet.webp"],
  [991, "/media/dance-tablet.webp"],
  [992, "/media/dance-desktop.webp"],
])("on a screen of %i px %s is prefetched (spec 001 §9)", async (width, url) => {
  await resize(width, 800);
  onTestFinished(() => resize(390, 844));
  const fetched = await fetchedAhead();
  const { advance } = await shown({ contents: [] }, { contents: [{ type: "image", image: "dance", alt: "" }] });
  await advance(250);
  expect(fetched.map((address) => address.replace("@2x", ""))).toEqual([url]);
});

test("six shift-clicks on the header picture jump to the shortcut question (spec 001 §9)", async () => {
  const { went, one } = await shown({ contents: [], header: { media: "guide", alt: "La guía" } });
  const click = (shiftKey: boolean) =>
    act(async () => void one(".header, [class*=header] img")?.dispatchEvent(new MouseEvent("click", { bubbles: true, shiftKey })));
  await click(false);
  for (let clicks = 0; clicks < 5; clicks += 1) await click(true);
  expect(went).not.toHaveBeenCalled();
  await click(true);
  expect(went.mock.calls).toEqual([[80]]);
});

describe("on the first question", () => {
  const accessOf = ({ one }: Awaited<ReturnType<typeof shown>>) => one(`main a[href="${buildPath("handle-your-subscription", "es-419")}"]`);
  const left = { currentQuestionId: 3, selectedOptions: [{ questionId: 2, optionId: 1 }], visitedQuestionIds: [2] };
  const onward = ({ one }: Awaited<ReturnType<typeof shown>>) => one(`a[href="${questionPath("es-419", "76", 3)}"]:not([data-option-id])`);

  test("whoever comes back with answers finds the way to where they left", async () => {
    expect(onward(await shown({}, {}, {}, left))?.textContent).toBe("Seguir donde me quedé");
  });

  test("a visitor who answers the question now does not find that way", async () => {
    const first = await shown({});
    expect(onward(first)).toBeNull();
    await act(async () => first.ways()[0]?.click());
    await expect.poll(() => first.session.snapshot().state.currentQuestionId).toBe(3);
    expect(onward(first)).toBeNull();
  });

  test("a customer finds the way to their plan, on a device without its answers too", async () => {
    const store = memoryStore();
    store.set("paymentStatus", "completed");
    for (const answered of [left, null]) {
      const customer = await shown({}, {}, { store }, answered);
      expect(onward(customer)).toBeNull();
      // Who paid once has no subscription to manage.
      expect(accessOf(customer)?.textContent).toBe("Tu acceso");
    }
  });

  describe("a customer's way on, whose text a first visit does not load,", () => {
    const { "subscription.title": access, ...texts } = uiTexts("es-419");
    const customer = (loadMoreTexts: SiteParts["loadMoreTexts"] & {}) => {
      const store = memoryStore();
      store.set("paymentStatus", "completed");
      return shown({}, {}, { store }, left, { texts, loadMoreTexts });
    };

    test("comes with the text", async () => {
      const more = Promise.withResolvers<Record<string, Text>>();
      const waits = await customer(() => more.promise);
      expect(accessOf(waits)).toBeNull();
      await act(async () => more.resolve({ "subscription.title": access }));
      expect(accessOf(waits)?.textContent).toBe("Tu acceso");
    });

    test("stays away when the text does not load", async () => {
      expect(accessOf(await customer(() => Promise.reject(new Error("offline"))))).toBeNull();
    });
  });
});

test("showing a question is tracked once", async () => {
  const { track, advance } = await shown({ contents: [] });
  await advance(1000);
  expect(track.mock.calls).toEqual([[{ eventType: "QuestionnaireQuestionShown", payload: { questionId: 2 } }]]);
});

test("no checkout starts for a visitor who has paid and is redirected to the thank-you page", async () => {
  const address = location.href;
  onTestFinished(() => history.replaceState(null, "", address));
  history.replaceState(null, "", questionPath("es-419", "76", 2));
  const { checkout, offer } = silentServices();
  const pays = async (paymentStatus: string) => {
    const store = memoryStore();
    store.set("token", "token");
    store.set("paymentStatus", paymentStatus);
    const open = vi.fn();
    const load = vi.fn();
    const { track } = await shown(
      { contents: [{ type: "paddle" }] },
      {},
      { store, checkout: { ...checkout, open }, offer: { ...offer, load } },
    );
    return { opened: open.mock.calls.length, loaded: load.mock.calls.length, shown: track.mock.calls.length, path: location.pathname };
  };
  expect(await pays("pending")).toEqual({ opened: 1, loaded: 1, shown: 1, path: questionPath("es-419", "76", 2) });
  expect(await pays("completed")).toEqual({
    opened: 0,
    loaded: 0,
    shown: 0,
    path: buildPath("questionnaire/thank-you", "es-419", { version: "76" }),
  });
});

test("the days question leads to the schedule question if no schedule is chosen yet and the schedule says how many days there are", async () => {
  const address = location.href;
  onTestFinished(() => history.replaceState(null, "", address));
  const leadsTo = async (days: number | "schedule") => {
    history.replaceState(null, "", questionPath("es-419", "76", 2));
    await shown({ contents: [{ type: "daySelection", daySelectionOptions: { days } }] });
    return location.pathname;
  };
  expect(await leadsTo(5)).toBe(questionPath("es-419", "76", 2));
  expect(await leadsTo("schedule")).toBe(questionPath("es-419", "76", 60));
});

test("whoever opens the plans without a session comes back to them after the login", async () => {
  const store = memoryStore();
  const { one } = await shown({ contents: [{ type: "paddle" }] }, {}, { store });
  await act(async () => {
    const login = one("main a");
    // The page stays.
    login?.addEventListener("click", (event) => event.preventDefault());
    login?.click();
  });
  expect(store.get("questionnaireTarget")).toBe("2");
});

test("a letter answers the question, but not behind an open dialog", async () => {
  const options = ["Uno", "Dos"].map((description, index) => ({ id: index + 1, description, followUpQuestion: 3 }));
  const { session, advance } = await shown({ contents: [], options });
  const dialog = document.body.appendChild(document.createElement("dialog"));
  onTestFinished(() => dialog.remove());
  const press = async (at: Element) => {
    await act(async () => at.dispatchEvent(new KeyboardEvent("keydown", { key: "a", bubbles: true, cancelable: true })));
    await advance(2000);
    return session.snapshot().state.selectedOptions;
  };
  dialog.showModal();
  expect(await press(dialog)).toEqual([]);
  dialog.close();
  expect(await press(document.body)).toMatchObject([{ questionId: 2, optionId: 1 }]);
});
