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

/** The visitor asks for less motion, until the test is over. */
export async function preferReducedMotion(): Promise<void> {
  const ask = (value: "reduce" | "") =>
    change(() => cdp().send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-reduced-motion", value }] }));
  await ask("reduce");
  onTestFinished(() => ask(""));
}
