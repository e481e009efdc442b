/** What every block must do in a browser: hydrate without changes, log no error, and be accessible. */
import { themes } from "#core/questionnaire/definition.ts";
import { pictures } from "#content/media/manifest.ts";
import { uiTexts } from "#content/texts/ui.ts";
import { settle, stage } from "#test/stage.ts";
import axe from "axe-core";
import { act, type ReactNode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { describe, expect, test, vi } from "vitest";
import { LiveExample, shownOf } from "./gallery.tsx";
import { type BlockType, blockTypes } from "./specs.ts";

const locale = "es-419";
const levels = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

function examplesOf(type: BlockType): ReactNode {
  return shownOf(type).map(({ example, site, platform }, index) => (
    <LiveExample
      key={index}
      id={`${type}-${index}`}
      example={example}
      locale={locale}
      texts={uiTexts}
      picture={(name) => pictures[name] ?? null}
      site={site}
      platform={platform}
    />
  ));
}

describe.each(blockTypes)("%s", (type) => {
  test("hydrates without changes", async () => {
    const element = stage(locale);
    element.innerHTML = renderToString(examplesOf(type));
    const differences: unknown[] = [];
    const root = await act(() => hydrateRoot(element, examplesOf(type), { onRecoverableError: (error) => differences.push(error) }));
    expect(differences).toEqual([]);
    expect(element.querySelectorAll(`[data-block="${type}"]`)).toHaveLength(shownOf(type).length);
    await act(() => root.unmount());
  });

  test("is accessible in all themes and fits a phone's width", async () => {
    const element = stage(locale);
    const root = createRoot(element);
    await act(() => root.render(examplesOf(type)));
    vi.useRealTimers();
    // Videos are muted and their files are missing here, so the only rule about videos is disabled: it would wait for them.
    for (const theme of themes) {
      document.documentElement.dataset["theme"] = theme;
      settle();
      const { violations } = await axe.run(element, {
        runOnly: theme === "parlando" ? levels : ["color-contrast"],
        preload: false,
        rules: { "no-autoplay-audio": { enabled: false } },
      });
      const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
      expect(
        serious.map(
          ({ id, nodes }) => `${theme} ${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join("; ")}`,
        ),
      ).toEqual([]);
    }
    expect(element.scrollWidth).toBeLessThanOrEqual(window.innerWidth);
    await act(() => root.unmount());
  });
});
