/** Detects systems that are too old for some exercises: Android 10 or lower, Apple 14 or lower, never desktops (spec 000 §5). */

import { platformOf } from "../device/device.ts";

/** The newest versions that get the warning. */
export const oldest = { android: 10, apple: 14 } as const;

/** Chromium always says "Android 10; K", whatever the version. */
export const frozenAndroid = /Android 10; K[;)]/;

/**
 * On an iPad the user agent says Macintosh, and the version of Safari equals the system's. Other browsers there have an invented one: Chrome's latest
 * says `CriOS/142 Version/11.1.1 Safari/605.1.15`.
 */
const ofSafari = /^Mozilla\/5\.0 \([^)]*\) AppleWebKit\/[\d.]+(?: \(KHTML, like Gecko\))? Version\/(\d+)(?:\.\d+)* Safari\/[\d.]+$/;

/** They find the version of an Apple phone or tablet. */
export const appleVersions = [/ OS (\d+)[_ ]/, ofSafari] as const;

export const androidVersion = /Android (\d+)/;

/** The part of `navigator` that describes the system. */
export interface BrowserAgent {
  readonly userAgent: string;
  readonly maxTouchPoints: number;
  readonly userAgentData?: {
    readonly getHighEntropyValues: (hints: readonly string[]) => Promise<{ readonly platform?: string; readonly platformVersion?: string }>;
  };
}

/** Whether the system is known to be old. Systems that hide their version count as new, as most of them are. */
export async function isOldSystem({ userAgent, maxTouchPoints, userAgentData }: BrowserAgent): Promise<boolean> {
  if (platformOf(userAgent, maxTouchPoints) === "apple") {
    const [version] = appleVersions.flatMap((pattern) => pattern.exec(userAgent)?.[1] ?? []);
    return version !== undefined && Number(version) <= oldest.apple;
  }
  const android = androidVersion.exec(userAgent);
  if (android === null) return false;
  if (!frozenAndroid.test(userAgent)) return Number(android[1]) <= oldest.android;
  const told = await userAgentData?.getHighEntropyValues(["platformVersion"]).catch(() => null);
  const version = Number.parseInt(told?.platformVersion ?? "", 10);
  return told?.platform === "Android" && version <= oldest.android;
}
