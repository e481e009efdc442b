interface Tap {
  /** The kind of pointer, or the key. */
  readonly what: string;
  readonly x: number;
  readonly y: number;
  /** Time on the clock of the page's events, ms. */
  readonly at: number;
}

/**
 * One tap, one answer: stops repeated and premature taps and keys before they reach the page (decision 097). The function is inlined in
 * each page and runs before the first paint (`document.ts`), so it must not use outer names.
 */
export function filterTaps(): void {
  /** A second tap at the same place within this time is part of a double tap, ms. */
  const doubleTap = 350;
  /** The same limit if the page has changed in between: nobody has read the new page yet, ms. */
  const doubleTapOnNextPage = 600;
  /** Taps within this distance are at the same place, px. */
  const sameSpot = 24;
  /** An event time further from now is ignored, ms: some devices' clocks stop while they sleep. */
  const clockTolerance = 10_000;
  const storageKey = "last-tap";
  const typed = "input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]";

  /** Undefined until the first tap: reading storage would delay the first paint. */
  let last: Tap | null | undefined;
  /** The press that the next click completes. */
  let press: { readonly counts: boolean; readonly before: Tap | null } | null = null;
  let refusedKey: string | null = null;

  addEventListener(
    "pointerdown",
    (event) => {
      if (event.button !== 0 || isModified(event)) return void (press = null);
      const before = lastTap();
      const { pointerType: what, clientX: x, clientY: y } = event;
      press = { counts: counts({ what, x, y, at: timeOf(event) }, event.target), before };
    },
    true,
  );
  // The press became a scroll.
  addEventListener(
    "pointercancel",
    () => {
      last = press === null ? last : press.before;
    },
    true,
  );
  addEventListener(
    "click",
    (event) => {
      if (isModified(event) || isTyped(event.target)) return;
      const taken = event.detail > 0 && press !== null ? press.counts : isReadable(timeOf(event), event.target);
      // A click without a press comes from assistive technology and is judged on its own.
      press = null;
      if (!taken) refuse(event);
    },
    true,
  );
  addEventListener(
    "keydown",
    (event) => {
      if (isModified(event) || event.isComposing) return;
      const made = { what: event.key.toLowerCase(), x: 0, y: 0, at: timeOf(event) };
      // Any other key ends a double press: after Tab, the next key is meant for the new focus.
      if (!mayAnswer(event.key, event.target)) return void (last = event.repeat ? last : made);
      if (event.repeat) return refuse(event);
      if (counts(made, event.target)) return;
      refusedKey = event.key;
      refuse(event);
    },
    true,
  );
  // Space activates a button on keyup.
  addEventListener(
    "keyup",
    (event) => {
      if (event.key === refusedKey) event.preventDefault();
      refusedKey = null;
    },
    true,
  );
  addEventListener("pagehide", () => {
    try {
      if (last) sessionStorage.setItem(storageKey, JSON.stringify({ ...last, at: last.at + performance.timeOrigin }));
    } catch {
      // No storage: the next page does not know of this tap.
    }
  });
  addEventListener("pageshow", (event) => {
    if (event.persisted) last = undefined;
  });

  function counts(tap: Tap, target: EventTarget | null): boolean {
    const before = lastTap();
    last = tap;
    if (!isReadable(tap.at, target)) return false;
    if (before === null || before.what !== tap.what || Math.hypot(tap.x - before.x, tap.y - before.y) > sameSpot) return true;
    return tap.at - before.at >= (before.at < readableSince() ? doubleTapOnNextPage : doubleTap);
  }

  /** Only the page itself becomes unreadable during a change; header and dialogs stay usable. */
  function isReadable(at: number, target: EventTarget | null): boolean {
    const inPage = !(target instanceof Element) || target === document.body || target.closest("main") !== null;
    return !inPage || at >= readableSince();
  }

  /** The time since which the page can be read. `App` sets it after a change of pages (`readable.ts`); else it is the first paint. */
  function readableSince(): number {
    const said = document.querySelector<HTMLElement>("[data-readable]");
    if (said !== null) return said.dataset["readable"] === "" ? Number.POSITIVE_INFINITY : Number(said.dataset["readable"]);
    const [paint] = performance.getEntriesByName("first-contentful-paint");
    return paint === undefined ? 0 : paint.startTime;
  }

  function mayAnswer(key: string, target: EventTarget | null): boolean {
    if (isTyped(target)) return key === "Enter" && target instanceof HTMLInputElement;
    if (key === " ") return target instanceof Element && target.closest("a, button, summary, input") !== null;
    return key === "Enter" || key.length === 1;
  }

  function isTyped(target: EventTarget | null): boolean {
    return target instanceof Element && target.closest(typed) !== null;
  }

  /** A modified click or key means a new tab, a browser command or the tester's shortcut. */
  function isModified(event: MouseEvent | KeyboardEvent): boolean {
    return event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && event instanceof MouseEvent);
  }

  function timeOf(event: Event): number {
    const now = new Event("now").timeStamp;
    return Math.abs(now - event.timeStamp) < clockTolerance ? event.timeStamp : now;
  }

  function refuse(event: Event): void {
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  function lastTap(): Tap | null {
    if (last === undefined) last = lastTapOfPreviousPage();
    return last;
  }

  function lastTapOfPreviousPage(): Tap | null {
    try {
      const tap: Tap | null = JSON.parse(sessionStorage.getItem(storageKey) ?? "null");
      return tap && { ...tap, at: tap.at - performance.timeOrigin };
    } catch {
      return null;
    }
  }
}
