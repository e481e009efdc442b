/** Which systems are too old for some exercises (spec 000 §5): Android 10 or lower, Apple's 14 or lower, never a desktop. */

import { platformOf } from "../device/device.ts";

/** The last versions that are warned. */
const oldest = { android: 10, apple: 14 } as const;

/** Chromium on Android says "Android 10; K" whatever the version is, so that it tells nothing. */
const frozen = /Android 10; K[;)]/;

/** The part of a browser that tells what it runs on. */
export interface BrowserAgent {
  readonly userAgent: string;
  readonly maxTouchPoints: number;
  readonly userAgentData?: {
    readonly getHighEntropyValues: (hints: readonly string[]) => Promise<{ readonly platform?: string; readonly platformVersion?: string }>;
  };
}

/** Whether the system is known to be old. What does not say its version is not warned: most such systems are new. */
export async function isOldSystem({ userAgent, maxTouchPoints, userAgentData }: BrowserAgent): Promise<boolean> {
  if (platformOf(userAgent, maxTouchPoints) === "apple") {
    // Safari on an iPad calls itself a Macintosh, and has the version of its system.
    const version = / OS (\d+)[_ ]/.exec(userAgent) ?? /Version\/(\d+)/.exec(userAgent);
    return version !== null && Number(version[1]) <= oldest.apple;
  }
  const android = /Android (\d+)/.exec(userAgent);
  if (android === null) return false;
  if (!frozen.test(userAgent)) return Number(android[1]) <= oldest.android;
  const told = await userAgentData?.getHighEntropyValues(["platformVersion"]).catch(() => null);
  const version = Number.parseInt(told?.platformVersion ?? "", 10);
  return told?.platform === "Android" && version <= oldest.android;
}
