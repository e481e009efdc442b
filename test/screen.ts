/** What the visitor's screen is like. A change has reached everything on the page when these return. */
import { act } from "react";
import { onTestFinished } from "vitest";
import { cdp, page } from "vitest/browser";

// The browser's own: a test may have put a clock that stands still in its place.
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

/** A wish of the visitor's that pages learn from a media query, until the test is over. */
async function wish(name: string, value: string): Promise<void> {
  const ask = (wanted: string) => change(() => cdp().send("Emulation.setEmulatedMedia", { features: [{ name, value: wanted }] }));
  await ask(value);
  onTestFinished(() => ask(""));
}

export const preferReducedMotion = () => wish("prefers-reduced-motion", "reduce");
/** High contrast: the visitor's colours in place of ours. */
export const forceColors = () => wish("forced-colors", "active");

/** Puts the pointer, which may lie where another test left it, on nothing. */
export const takePointerAway = () => change(() => cdp().send("Input.dispatchMouseEvent", { type: "mouseMoved", x: -1, y: -1 }));
