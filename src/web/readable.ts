/** After a change of pages, the new page counts taps once it is painted and faded in. `taps.ts` reads the attribute. */

/** Ignores taps while the page changes. */
export function markUnreadable(app: HTMLElement): void {
  app.dataset["readable"] = "";
}

/** Counts taps from now on. The time is on the events' clock. */
export function markReadable(app: HTMLElement): void {
  app.dataset["readable"] = String(new Event("readable").timeStamp);
}

/** Resolves when the new page has been painted and has faded in. */
export async function painted(app: HTMLElement): Promise<void> {
  await nextFrame();
  // The second frame begins after the first one was painted.
  await nextFrame();
  const fades = app.querySelector("main")?.getAnimations() ?? [];
  await Promise.allSettled(fades.map(({ finished }) => finished));
}

function nextFrame(): Promise<number> {
  return new Promise((resolve) => requestAnimationFrame(resolve));
}
