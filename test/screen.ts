/** Changes the visitor's screen or preferences. Each function resolves when the page has rendered the change. */
import { act } from "react";
import { onTestFinished } from "vitest";
import { cdp, page } from "vitest/browser";

// The browser's real function, in case a test uses a fake clock.
const nextFrame = requestAnimationFrame;

/** Waits for the next frame, because only then a media query notifies its listeners. Otherwise the page would be rendered later, outside of `act`. */
async function change(make: () => Promise<unknown>): Promise<void> {
  await act(async () => {
    await make();
    await new Promise((resolve) => nextFrame(resolve));
  });
}

export async function resize(width: number, height: number): Promise<void> {
  await change(() => page.viewport(width, height));
}

/** Sets a preference that pages read by a media query, until the test ends. */
async function preference(name: string, value: string): Promise<void> {
  const ask = (wanted: string) => change(() => cdp().send("Emulation.setEmulatedMedia", { features: [{ name, value: wanted }] }));
  await ask(value);
  onTestFinished(() => ask(""));
}

export const preferReducedMotion = () => preference("prefers-reduced-motion", "reduce");
/** High contrast: the visitor's colours replace ours. */
export const forceColors = () => preference("forced-colors", "active");

/** Moves the pointer off the page, where another test may have left it. */
export const takePointerAway = () => change(() => cdp().send("Input.dispatchMouseEvent", { type: "mouseMoved", x: -1, y: -1 }));
