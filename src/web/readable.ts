/** From when on a page that was changed over to counts taps: as soon as it is painted and its fade is over. `taps.ts` asks the attribute. */

/** Another page is on its way: neither this one nor that one takes a tap. */
export function unreadable(app: HTMLElement): void {
  app.dataset["readable"] = "";
}

/** The page counts taps from now on, by the clock of the events themselves. */
export function readableNow(app: HTMLElement): void {
  app.dataset["readable"] = String(new Event("readable").timeStamp);
}

/** Resolves when what was just put on the page has been painted and has faded in. */
export async function painted(app: HTMLElement): Promise<void> {
  await nextFrame();
  // The frame after the one that painted it.
  await nextFrame();
  const fades = app.querySelector("main")?.getAnimations() ?? [];
  await Promise.allSettled(fades.map(({ finished }) => finished));
}

function nextFrame(): Promise<number> {
  return new Promise((resolve) => requestAnimationFrame(resolve));
}
