/** Changes the visitor's screen. When these resolve, the change has reached everything on the page. */
import { act } from "react";
import { onTestFinished } from "vitest";
import { cdp, page } from "vitest/browser";

// The browser's own: a test may have replaced it with a clock that stands still.
const nextFrame = requestAnimationFrame;

/**
 * Media queries tell their listeners with the next frame, not with the change: without waiting for it, whatever is on the
 * page would be rendered anew at some later moment, outside of `act`.
 */
async function change(make: () => Promise<unknown>): Promise<void> {
  await act(async () => {
    await make();
    await new Promise((resolve) => nextFrame(resolve));
  });
}

export async function resize(width: number, height: number): Promise<void> {
  await change(() => page.viewport(width, height));
}

/** A preference of the visitor that pages read from a media query, until the test ends. */
async function preference(name: string, value: string): Promise<void> {
  const ask = (wanted: string) => change(() => cdp().send("Emulation.setEmulatedMedia", { features: [{ name, value: wanted }] }));
  await ask(value);
  onTestFinished(() => ask(""));
}

export const preferReducedMotion = () => preference("prefers-reduced-motion", "reduce");
/** High contrast: the visitor's colours in place of ours. */
export const forceColors = () => preference("forced-colors", "active");

/** Moves the pointer off the page: it may be where another test left it. */
export const takePointerAway = () => change(() => cdp().send("Input.dispatchMouseEvent", { type: "mouseMoved", x: -1, y: -1 }));
