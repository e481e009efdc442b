/** Interaction with a question page (spec 001 §2, §4, §9), on a fake clock. */
import { questionnaireFor } from "#content/questionnaires/index.ts";
import { compile } from "#core/questionnaire/compile.ts";
import { matchPath } from "#core/routes.ts";
import { testSession } from "#test/webSession.ts";
import { testSite } from "#test/webSite.ts";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { App, loadPage } from "./App.tsx";
import { fade } from "./page.ts";
import { goToPath, questionPath } from "./navigation.ts";
import { loadOtherBlocks } from "./pages/questionnaire/question/blocks.tsx";
import { readingTime } from "./pages/questionnaire/question/Reward.tsx";
import { renderedSnapshot, type Session } from "./session/session.ts";

const context = { locale: "es-419", country: "MX", platform: "other", requiresMarketingConsent: false, today: "2026-11-20" } as const;
const address = location.href;
const compiled = { "76": compile(questionnaireFor("76", "es-419")), "88": compile(questionnaireFor("88", "es-419")) };
let root: Root;
let session: Session;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
});
afterEach(async () => {
  await act(async () => root.unmount());
  document.body.replaceChildren();
  history.replaceState(null, "", address);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function open(questionId: number, version: "76" | "88" = "76") {
  const here = { locale: "es-419", version } as const;
  const path = questionPath("es-419", version, questionId);
  history.replaceState(null, "", path);
  const go = (id: number) => goToPath(questionPath("es-419", version, id), here);
  session = testSession(compiled[version], renderedSnapshot(compiled[version], context, ""), { goTo: go, now: () => new Date() });
  const site = testSite({ session, client: { publicUrl: "https://parlando.example" } });
  const match = matchPath(path);
  if (match.kind !== "page") throw new Error(`${path} is no page`);
  const page = await loadPage(site, match.route, match.params);
  // On a real clock they load while the visitor reads the first question.
  await loadOtherBlocks(site);
  const element = document.createElement("div");
  document.body.append(element);
  root = createRoot(element);
  await act(async () => root.render(<App site={site} first={{ path, route: match.route, params: match.params, page }} />));
}

const wait = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));
const shown = () => Number(document.querySelector("main")?.dataset["questionId"]);
const phase = () => document.querySelector<HTMLElement>("[data-phase]")?.dataset["phase"];
const option = (id: number) => document.querySelector<HTMLElement>(`main [data-option-id="${id}"]`);
const press = (key: string, target: EventTarget = document.activeElement ?? document.body) =>
  act(async () => void target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })));
const click = (element: Element | null, init: MouseEventInit = {}) =>
  act(async () => void element?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ...init })));

describe("choosing", () => {
  test("shows the choice at once, fades out for 200 ms, then shows the next question with its heading focused", async () => {
    await open(2);
    await click(option(1));
    expect([option(1)?.getAttribute("aria-current"), phase(), shown()]).toEqual(["true", "leaving", 2]);
    await wait(fade - 1);
    expect([fade, shown()]).toEqual([200, 2]);
    await wait(1);
    expect([shown(), phase(), document.activeElement?.tagName]).toEqual([3, "entering", "H1"]);
    expect(document.title).toBe("¿Cuántos años tienes? · Parlando");
  });

  test("has no fade in the dark theme", async () => {
    await open(2, "88");
    await click(option(1));
    await wait(0);
    expect([shown() === 2, phase()]).toEqual([false, "still"]);
  });

  test.each([
    ["b", 2],
    ["B", 2],
    ["3", 3],
  ] as const)("the key %s chooses option %i", async (key, id) => {
    await open(2);
    await press(key);
    expect(session.snapshot().state.selectedOptions).toEqual([{ questionId: 2, optionId: id }]);
  });

  test("arrow keys move the focus without choosing, Space presses", async () => {
    await open(2);
    option(1)?.focus();
    await press("ArrowDown");
    await press("ArrowRight");
    await press("ArrowUp");
    expect([document.activeElement, session.snapshot().state.selectedOptions]).toEqual([option(2), []]);
    await press("ArrowUp");
    await press("ArrowUp");
    expect(document.activeElement).toBe(option(6));
    await press(" ");
    expect(session.snapshot().state.selectedOptions).toEqual([{ questionId: 2, optionId: 6 }]);
  });

  test("a click for a new tab is left to the browser", async () => {
    await open(2);
    const event = new MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey: true });
    const taken = vi.fn();
    addEventListener(
      "click",
      (late) => {
        taken(late.defaultPrevented);
        late.preventDefault();
      },
      { once: true },
    );
    await act(async () => void option(1)?.dispatchEvent(event));
    expect([taken.mock.calls, session.snapshot().state.selectedOptions]).toEqual([[[false]], []]);
  });

  test("a second tap while the first is being submitted changes nothing", async () => {
    await open(20);
    await click(option(2));
    await click(option(3));
    await wait(fade);
    expect(session.snapshot().state.selectedOptions).toEqual([{ questionId: 20, optionId: 2 }]);
  });
});

describe("the reward", () => {
  test("stays for its time, then the next question comes", async () => {
    await open(20);
    await click(option(2));
    expect(document.querySelector("main [role=status]")?.textContent).toContain("Ya tienes la mitad.");
    const [title, text] = ["strong", "p"].map((name) => document.querySelector(`main [role=status] ${name}`)?.textContent);
    const time = readingTime(`${title} ${text}`);
    expect(time).toBeGreaterThan(3000);
    await wait(time - 1);
    expect(session.snapshot().state.selectedOptions).toEqual([]);
    await wait(1);
    expect(session.snapshot().state.selectedOptions).toEqual([{ questionId: 20, optionId: 2 }]);
  });

  test("is shown for 3 to 7 seconds, depending on its length", () => {
    expect([10, 80, 200].map((length) => readingTime("x".repeat(length)))).toEqual([3000, 4600, 7000]);
  });

  test.each([
    ["a tap", () => click(document.body)],
    ["Enter", () => press("Enter")],
  ] as const)("%s skips it", async (_name, skip) => {
    await open(20);
    await click(option(2));
    await skip();
    expect(session.snapshot().state.selectedOptions).toHaveLength(1);
  });
});

describe("looking back", () => {
  test("the browser's Back shows the question as it was answered and changes nothing", async () => {
    await open(2);
    await click(option(1));
    await wait(fade);
    const before = session.snapshot().state;
    const popped = new Promise((resolve) => addEventListener("popstate", resolve, { once: true }));
    history.back();
    await act(async () => void (await popped));
    await wait(fade);
    expect([shown(), option(1)?.getAttribute("aria-current"), session.snapshot().state]).toEqual([2, "true", before]);
  });
});

describe("around the question", () => {
  test("six shift-clicks on the header picture jump to the shortcut question; plain clicks do not", async () => {
    await open(40);
    const picture = document.querySelector("main picture");
    for (let time = 0; time < 10; time += 1) await click(picture);
    for (let time = 0; time < 5; time += 1) await click(picture, { shiftKey: true });
    await wait(fade);
    expect(shown()).toBe(40);
    await click(picture, { shiftKey: true });
    await wait(fade);
    expect(shown()).toBe(compiled["76"].definition.shortcutQuestion);
  });

  test("pictures of the questions that can follow are fetched after 250 ms", async () => {
    const fetched: string[] = [];
    vi.stubGlobal(
      "Image",
      class {
        set src(value: string) {
          fetched.push(value);
        }
      },
    );
    await open(11);
    await wait(249);
    expect(fetched).toEqual([]);
    await wait(1);
    expect(fetched.length).toBeGreaterThan(0);
    expect(fetched.every((url) => /^\/media\/[a-z0-9-]+(@2x)?\.webp$/.test(url))).toBe(true);
  });

  test("the button is disabled while a block fails and hidden while one blocks", async () => {
    await open(60);
    expect(option(1)?.hasAttribute("disabled")).toBe(true);
    await act(async () => session.dispatch({ type: "chooseSchedule", scheduleId: 2 }));
    expect(option(1)?.hasAttribute("disabled")).toBe(false);
    await act(async () => root.unmount());
    document.body.replaceChildren();
    await open(39);
    expect(option(1)).toBeNull();
  });
});
