interface Tap {
  /** The kind of pointer, or the key. */
  readonly what: string;
  readonly x: number;
  readonly y: number;
  /** On the clock of the page's events, ms. */
  readonly at: number;
}

/**
 * One tap, one answer: judges every tap and every key that could answer; what does not count reaches nothing on the page (decision 097).
 * Its source stands in the head of each page (`document.ts`), so that it is there before anything is painted: it names nothing from outside.
 */
export function oneTapOneAnswer(): void {
  /** A second tap at the place of the last one belongs to it for so long, ms, */
  const again = 350;
  /** and for so long when another page has come meanwhile: nobody has read that yet. */
  const againOnNext = 600;
  /** About the same place, px. */
  const near = 24;
  /** A time further from now is not believed, ms: some devices' clocks stand while they sleep. */
  const believed = 10_000;
  const storageKey = "last-tap";
  const typed = "input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]";

  /** Undefined until it is asked for: the first paint does not wait for storage. */
  let last: Tap | null | undefined;
  /** The press that a click ends. */
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
  // The finger went on to scroll.
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
      // A click that comes without a press of its own is an aid's: it is judged by itself.
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
      // Any other key ends a double press: whoever went on by Tab means what they press there.
      if (!mayAnswer(event.key, event.target)) return void (last = event.repeat ? last : made);
      if (event.repeat) return refuse(event);
      if (counts(made, event.target)) return;
      refusedKey = event.key;
      refuse(event);
    },
    true,
  );
  // Space presses a button when it comes up.
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
      // A browser that keeps nothing: the next page knows of no tap before it.
    }
  });
  addEventListener("pageshow", (event) => {
    if (event.persisted) last = undefined;
  });

  function counts(tap: Tap, target: EventTarget | null): boolean {
    const before = lastTap();
    last = tap;
    if (!isReadable(tap.at, target)) return false;
    if (before === null || before.what !== tap.what || Math.hypot(tap.x - before.x, tap.y - before.y) > near) return true;
    return tap.at - before.at >= (before.at < readableSince() ? againOnNext : again);
  }

  /** What is around the page (header, dialogs) stays as it is when the page changes. */
  function isReadable(at: number, target: EventTarget | null): boolean {
    const inPage = !(target instanceof Element) || target === document.body || target.closest("main") !== null;
    return !inPage || at >= readableSince();
  }

  /** `App` says it of the pages that it changes over to (`readable.ts`), the browser of the one that was served. */
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

  /** Asks for a new tab, a browser's command, or the shortcut of whoever tries the funnel. */
  function isModified(event: MouseEvent | KeyboardEvent): boolean {
    return event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && event instanceof MouseEvent);
  }

  function timeOf(event: Event): number {
    const now = new Event("now").timeStamp;
    return Math.abs(now - event.timeStamp) < believed ? event.timeStamp : now;
  }

  function refuse(event: Event): void {
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  function lastTap(): Tap | null {
    if (last === undefined) last = lastOfPageBefore();
    return last;
  }

  function lastOfPageBefore(): Tap | null {
    try {
      const tap: Tap | null = JSON.parse(sessionStorage.getItem(storageKey) ?? "null");
      return tap && { ...tap, at: tap.at - performance.timeOrigin };
    } catch {
      return null;
    }
  }
}
