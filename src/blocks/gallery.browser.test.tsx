/**
 * Compares the whole gallery with its reference pictures. After an intended change `npm run gallery:record` records new ones: look at the changed
 * files before committing them.
 */
import { themes } from "#core/questionnaire/definition.ts";
import { pictures } from "#content/media/manifest.ts";
import { uiTexts } from "#content/texts/ui.ts";
import { differenceFromKept, tolerated } from "#test/screenshot.ts";
import { resize } from "#test/screen.ts";
import { stage } from "#test/stage.ts";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { describe, expect, inject, onTestFinished, test, vi } from "vitest";
import { Gallery } from "./gallery.tsx";
import { blockTypes } from "./specs.ts";

async function gallery(query: Readonly<Record<string, string>>): Promise<HTMLElement> {
  const element = stage("es-419");
  const root = createRoot(element);
  await act(() => root.render(<Gallery query={new URLSearchParams(query)} texts={uiTexts} picture={(name) => pictures[name] ?? null} />));
  onTestFinished(() => act(() => root.unmount()));
  return element;
}

declare module "vitest" {
  interface ProvidedContext {
    /** True: each block in every theme. False: each in one theme. */
    readonly allPictures: boolean;
  }
}

describe.each(themes.map((theme, place) => ({ theme, place })))("in the theme $theme", ({ theme, place }) => {
  const types = inject("allPictures") ? blockTypes : blockTypes.filter((_, n) => n % themes.length === place);
  test.each(types)("%s looks as in its reference picture", async (type) => {
    document.documentElement.dataset["theme"] = theme;
    await resize(390, 844);
    const element = await gallery({ theme, type, frame: "" });
    vi.useRealTimers();
    expect(await differenceFromKept(element, `test/screenshots/${theme}/${type}`)).toBeLessThanOrEqual(tolerated);
  });
});

test("any theme, language, width and block can be chosen, and unknown values fall back to the defaults", async () => {
  const chosen = (element: HTMLElement) => [...element.querySelectorAll("select")].map(({ name, value }) => [name, value]);
  expect(chosen(await gallery({ theme: "Kosmo", locale: "de-DE", width: "768", type: "table" }))).toEqual([
    ["type", "table"],
    ["theme", "Kosmo"],
    ["locale", "de-DE"],
    ["width", "768"],
  ]);
  expect(chosen(await gallery({ theme: "Nosuch", locale: "xx-XX", width: "1" }))).toEqual([
    ["type", ""],
    ["theme", "parlando"],
    ["locale", "es-419"],
    ["width", "390"],
  ]);
});

test("every example shows whether it passes, fails or blocks, and is interactive", async () => {
  const element = await gallery({ type: "moreInfoOf", frame: "" });
  const [example] = element.querySelectorAll<HTMLElement>("[data-example]");
  expect(example?.dataset["status"]).toBe("fail");
  await act(async () => example?.querySelector<HTMLElement>("[role=checkbox]")?.click());
  expect(example?.dataset["status"]).toBe("pass");
});
