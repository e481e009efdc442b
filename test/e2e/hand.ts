/** Taps with a timestamp of their own, which stays right even when a busy machine delivers them late. */
import type { CDPSession, Page } from "@playwright/test";

export type Way = "finger" | "mouse" | "key";
export const ways: readonly Way[] = ["finger", "mouse", "key"];

export interface Target {
  readonly x: number;
  readonly y: number;
  /** The key that chooses it. */
  readonly letter: string;
}

export interface Hand {
  /** Taps once. @returns its time, ms */
  readonly tap: (way: Way, target: Target) => Promise<number>;
  /**
   * Taps once with an earlier timestamp.
   * @returns whether the page accepts that timestamp. A busy machine may deliver the tap too late (`taps.ts`).
   */
  readonly tapAt: (way: Way, target: Target, time: number) => Promise<boolean>;
  /** Holds a key down: the first press and its repeats. */
  readonly hold: (letter: string, times: number) => Promise<void>;
}

/** A tap that is delivered later than this counts as too late, ms. `taps.ts` accepts 10,000 ms; the browser needs the difference. */
const believed = 9_000;

export async function handOn(page: Page): Promise<Hand> {
  const cdp = await page.context().newCDPSession(page);
  const tapAt: Hand["tapAt"] = async (way, { x, y, letter }, time) => {
    while (Date.now() < time) await page.waitForTimeout(Math.max(1, time - Date.now()));
    const timestamp = time / 1000;
    if (way === "finger") {
      await cdp.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }], timestamp });
      await cdp.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [], timestamp });
    } else if (way === "mouse") {
      const button = { x, y, button: "left", clickCount: 1, timestamp } as const;
      await cdp.send("Input.dispatchMouseEvent", { ...button, type: "mousePressed" });
      await cdp.send("Input.dispatchMouseEvent", { ...button, type: "mouseReleased" });
    } else {
      await press(cdp, letter, { timestamp });
      await release(cdp, letter);
    }
    return Date.now() - time < believed;
  };
  return {
    tapAt,
    async tap(way, target) {
      const time = Date.now();
      await tapAt(way, target, time);
      return time;
    },
    async hold(letter, times) {
      for (let time = 0; time < times; time += 1) await press(cdp, letter, { autoRepeat: time > 0 });
      await release(cdp, letter);
    },
  };
}

const keyOf = (letter: string) =>
  letter === "Enter"
    ? { key: "Enter", code: "Enter", windowsVirtualKeyCode: 13, text: "\r" }
    : { key: letter, code: `Key${letter.toUpperCase()}`, windowsVirtualKeyCode: letter.toUpperCase().charCodeAt(0), text: letter };

const press = (cdp: CDPSession, letter: string, more: { readonly timestamp?: number; readonly autoRepeat?: boolean }) =>
  cdp.send("Input.dispatchKeyEvent", { type: "keyDown", ...keyOf(letter), ...more });
const release = (cdp: CDPSession, letter: string) => cdp.send("Input.dispatchKeyEvent", { type: "keyUp", ...keyOf(letter) });
