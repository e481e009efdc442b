/** An element in the browser that shows blocks as on the site, without movement. */
import "#ui/tokens.css";
import "#ui/base.css";
import type { Locale } from "#core/locales.ts";
import { onTestFinished, vi } from "vitest";

declare global {
  var IS_REACT_ACT_ENVIRONMENT: boolean;
}
globalThis.IS_REACT_ACT_ENVIRONMENT = true;

/** Adds the element until the test ends. The clock is stopped, so animations stay at their start. */
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

/** Sets finite CSS animations to their end, infinite ones to their start. */
export function settle(): void {
  for (const animation of document.getAnimations()) {
    if (animation.effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY) animation.cancel();
    else animation.finish();
  }
}
