/** A place in the browser where blocks stand still, as they look on the site. */
import "#ui/tokens.css";
import "#ui/base.css";
import type { Locale } from "#core/locales.ts";
import { onTestFinished, vi } from "vitest";

declare global {
  var IS_REACT_ACT_ENVIRONMENT: boolean;
}
globalThis.IS_REACT_ACT_ENVIRONMENT = true;

/** An element on the page until the test is over. The clock stands still, so what moves by itself is at its start. */
export function stage(locale: Locale): HTMLElement {
  vi.useFakeTimers();
  document.documentElement.lang = locale;
  const element = document.body.appendChild(document.createElement("div"));
  onTestFinished(() => {
    element.remove();
    vi.useRealTimers();
  });
  return element;
}

/** Moves CSS animations to their end, endless ones to their start. */
export function settle(): void {
  for (const animation of document.getAnimations()) {
    if (animation.effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY) animation.cancel();
    else animation.finish();
  }
}
