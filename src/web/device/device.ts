/** The device store: the device's id, country, locale and campaign (spec 000 §3, "Device store"). */
import { type Locale, locales } from "#core/locales.ts";
import type { Platform } from "#core/questionnaire/context.ts";
import { isTimeZone } from "#core/questionnaire/calendar.ts";
import * as v from "valibot";
import type { KeyValueStore } from "./storage.ts";

const deviceSchema = v.object({
  backendUrlWeb: v.optional(v.string()),
  country: v.optional(v.string()),
  locale: v.optional(v.picklist(locales)),
  deviceUuid: v.string(),
  /** Version, campaign and advertisement ids of the campaign link. */
  vid: v.optional(v.string()),
  cid: v.optional(v.string()),
  adid: v.optional(v.string()),
  brazeUserId: v.optional(v.string()),
  brazeInAppMessage: v.optional(v.boolean()),
});
export type Device = v.InferOutput<typeof deviceSchema>;

/** The stored device, or null. */
export function readDevice(store: KeyValueStore): Device | null {
  const stored = v.safeParse(v.pipe(v.string(), v.parseJson(), deviceSchema), store.get("parlando"));
  return stored.success ? stored.output : null;
}

/** The stored device or a new one. Campaign ids in the query replace stored ones. */
export function openDevice(store: KeyValueStore, locale: Locale, query: URLSearchParams, uuid: () => string): Device {
  const fromLink = (name: "vid" | "cid" | "adid") => {
    const value = query.get(name)?.slice(0, 255);
    return value ? { [name]: value } : {};
  };
  const kept = readDevice(store) ?? { deviceUuid: uuid() };
  const device = { ...kept, ...fromLink("vid"), ...fromLink("cid"), ...fromLink("adid"), locale };
  saveDevice(store, device);
  return device;
}

export function saveDevice(store: KeyValueStore, device: Device): void {
  store.set("parlando", JSON.stringify(device));
}

/** Android, Apple phone or tablet, or other. An iPad's user agent says Macintosh, but it has touch points. */
export function platformOf(userAgent: string, touchPoints: number): Platform {
  if (/android/i.test(userAgent)) return "android";
  return /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes("Macintosh") && touchPoints > 1) ? "apple" : "other";
}

/** YYYY-MM-DD in the device's time zone. */
export function localDate(now: Date): string {
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

/** The name of the device's time zone; UTC if it has no standard name. */
export function localTimeZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return isTimeZone(timeZone) ? timeZone : "UTC";
}
