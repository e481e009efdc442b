/** Changing pages: fade out, swap, fade in (spec 001 §4). */
import type { Theme } from "#core/questionnaire/definition.ts";
import { buildPath } from "#core/routes.ts";
import { questionnaire, smallQuestions } from "#test/questionnaires.ts";
import { preferReducedMotion } from "#test/screen.ts";
import { settle, stage } from "#test/stage.ts";
import { testSite } from "#test/webSite.ts";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, onTestFinished, test, vi } from "vitest";
import { App, loadPage } from "./App.tsx";
import { goToPath, questionPath } from "./navigation.ts";

const loadedAnew = vi.hoisted(() => vi.fn());
vi.mock(import("./navigation.ts"), async (original) => ({ ...(await original()), reloadPage: loadedAnew }));
vi.mock(import("./laterPages.ts"), async (original) => ({
  laterPages: {
    ...(await original()).laterPages,
    "questionnaire/verify-email": () => Promise.reject(new TypeError("Failed to fetch dynamically imported module")),
  },
}));

const here = { locale: "es-419", version: "76" } as const;

/** Sets whether the server answers the check before a reload. */
const serverIs = (there: boolean) => {
  const asked = vi
    .spyOn(window, "fetch")
    .mockImplementation(() => (there ? Promise.resolve(new Response()) : Promise.reject(new TypeError("Failed to fetch"))));
  onTestFinished(() => asked.mockRestore());
};

/** Starts the application at question 2, on a fake clock. */
async function started(theme: Theme) {
  const element = stage("es-419");
  const address = location.href;
  const report = vi.fn();
  const site = testSite({ locale: here.locale, definition: questionnaire(smallQuestions, { theme }), services: { report } });
  const path = questionPath(here.locale, here.version, 2);
  history.replaceState(null, "", path);
  const params = { version: here.version, question: "2" };
  const page = await loadPage(site, "questionnaire/question", params);
  // Loaded after hydration, before a visitor needs it. Here no time passes.
  await import("./laterPages.ts");
  const root = createRoot(element);
  await act(() => root.render(<App site={site} first={{ path, route: "questionnaire/question", params, page }} />));
  onTestFinished(async () => {
    await act(() => root.unmount());
    history.replaceState(null, "", address);
  });
  const main = () => {
    const found = element.querySelector("main");
    if (found === null) throw new Error("No page");
    return found;
  };
  return {
    main,
    report,
    store: site.services.store,
    question: () => Number(main().dataset["questionId"]),
    phase: () => element.querySelector<HTMLElement>("[data-phase]")?.dataset["phase"],
    /** Whether the page counts taps. */
    takesTaps: () => element.querySelector<HTMLElement>("[data-phase]")?.dataset["readable"] !== "",
    goTo: (questionId: number) => act(async () => goToPath(questionPath(here.locale, here.version, questionId), here)),
    advance: (time: number) => act(() => vi.advanceTimersByTimeAsync(time)),
  };
}

test("a question fades out in 200 ms, then the next one is there and fades in in 200 ms", async () => {
  const app = await started("parlando");
  await app.goTo(3);
  expect([app.phase(), app.question(), getComputedStyle(app.main()).transitionDuration]).toEqual(["leaving", 2, "0.2s"]);
  await app.advance(199);
  expect(app.question()).toBe(2);
  await app.advance(1);
  expect([app.phase(), app.question(), getComputedStyle(app.main()).animationDuration]).toEqual(["entering", 3, "0.2s"]);
});

test("the dark theme's questions change without a fade", async () => {
  const app = await started("Kosmo");
  await app.goTo(3);
  await app.advance(0);
  expect([app.phase(), app.question()]).toEqual(["still", 3]);
});

test("with reduced motion every theme's questions change without a fade", async () => {
  await preferReducedMotion();
  const app = await started("parlando");
  await app.goTo(3);
  await app.advance(0);
  expect([app.phase(), app.question()]).toEqual(["still", 3]);
});

/** Two animation frames, ms: the first one paints. */
const frames = 40;
/** A fade that ends only when the test calls `settle`. */
const endlessFade = () => {
  document.documentElement.style.setProperty("--fade-between", "1000s");
  onTestFinished(() => void document.documentElement.style.removeProperty("--fade-between"));
};

test("a question shown in place after a page with another funnel's theme has its own, and it is kept", async () => {
  const app = await started("HablaIngles");
  const { dataset } = document.documentElement;
  dataset["theme"] = "parlando";
  onTestFinished(() => void delete dataset["theme"]);
  await app.goTo(3);
  await app.advance(200);
  expect(app.question()).toBe(3);
  expect(dataset["theme"]).toBe("HablaIngles");
  expect(app.store.get("theme")).toBe("HablaIngles");
});

test("a question counts taps once it is painted and faded in; until then neither it nor the previous one does", async () => {
  endlessFade();
  const app = await started("parlando");
  expect(app.takesTaps()).toBe(true);
  await app.goTo(3);
  expect([app.takesTaps(), getComputedStyle(app.main()).pointerEvents]).toEqual([false, "none"]);
  await app.advance(200);
  await app.advance(frames);
  expect([app.question(), app.takesTaps()]).toEqual([3, false]);
  await act(async () => settle());
  expect([app.takesTaps(), getComputedStyle(app.main()).pointerEvents]).toEqual([true, "auto"]);
});

test("without a fade a question counts taps once it is painted", async () => {
  const app = await started("Kosmo");
  await app.goTo(3);
  await app.advance(0);
  expect([app.question(), app.takesTaps()]).toEqual([3, false]);
  await app.advance(frames);
  expect(app.takesTaps()).toBe(true);
});

test("going back during a fade keeps the current question, which counts taps", async () => {
  const app = await started("parlando");
  await app.goTo(3);
  await app.advance(100);
  await app.goTo(2);
  await app.advance(400);
  expect([app.question(), app.phase(), app.takesTaps()]).toEqual([2, "still", true]);
});

test("after two quick changes only the last question counts taps", async () => {
  endlessFade();
  const app = await started("parlando");
  await app.goTo(3);
  await app.advance(200);
  await app.goTo(1);
  await act(async () => settle());
  await app.advance(frames);
  expect([app.question(), app.takesTaps()]).toEqual([3, false]);
});

test("a page whose module does not load, or of another version, is loaded from the server (spec 000 §8)", async () => {
  loadedAnew.mockReset();
  serverIs(true);
  const app = await started("parlando");
  await act(async () => goToPath(buildPath("questionnaire/verify-email", here.locale, { version: here.version }), here));
  await app.advance(200);
  expect([loadedAnew.mock.calls.length, app.question()]).toEqual([1, 2]);
  await act(async () => {
    history.pushState(null, "", questionPath(here.locale, "83", 3));
    dispatchEvent(new PopStateEvent("popstate"));
  });
  expect([loadedAnew.mock.calls.length, app.question()]).toEqual([2, 2]);
});

test("a module that does not load even after a reload leads to an error message", async () => {
  loadedAnew.mockReset();
  serverIs(true);
  const app = await started("parlando");
  // React logs the error that the boundary catches.
  const log = console.error;
  console.error = () => {};
  await act(async () => {
    history.replaceState({ anew: true }, "", buildPath("questionnaire/verify-email", here.locale, { version: here.version }));
    dispatchEvent(new PopStateEvent("popstate"));
  });
  await app.advance(200);
  expect([loadedAnew.mock.calls.length, document.querySelector("[role=alert] h1, main h1")?.textContent]).toEqual([
    0,
    "Algo falló de nuestro lado",
  ]);
  expect(app.report.mock.calls).toEqual([[new TypeError("Failed to fetch dynamically imported module")]]);
  console.error = log;
});

test("while the server is away the page stays; it continues with the browser's online event or after a delay", async () => {
  for (const back of [() => void dispatchEvent(new Event("online")), () => {}]) {
    loadedAnew.mockReset();
    serverIs(false);
    const app = await started("parlando");
    await act(async () => goToPath(buildPath("questionnaire/verify-email", here.locale, { version: here.version }), here));
    await app.advance(200);
    expect([loadedAnew.mock.calls.length, app.phase(), app.question(), app.takesTaps()]).toEqual([0, "still", 2, true]);
    serverIs(true);
    await act(async () => back());
    await app.advance(200);
    await app.advance(5000);
    await app.advance(200);
    expect(loadedAnew.mock.calls.length).toBe(1);
  }
});
