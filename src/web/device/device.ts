/** The device store: the device's id, country, locale and campaign (spec 000 §3, "Device store"). */
import { isLocale, type Locale } from "#core/locales.ts";
import type { Platform } from "#core/questionnaire/context.ts";
import { isTimeZone } from "#core/questionnaire/calendar.ts";
import { type KeyValueStore, storedFields } from "./storage.ts";

export interface Device {
  readonly backendUrlWeb?: string | undefined;
  readonly country?: string | undefined;
  readonly locale?: Locale | undefined;
  readonly deviceUuid: string;
  /** Version, campaign and advertisement ids of the campaign link. */
  readonly vid?: string | undefined;
  readonly cid?: string | undefined;
  readonly adid?: string | undefined;
  readonly brazeUserId?: string | undefined;
  readonly brazeInAppMessage?: boolean | undefined;
}

const isText = (value: unknown) => typeof value === "string";
/** Plain code, because a validator would make every first page larger. */
const isValid: Readonly<Record<keyof Device, (value: unknown) => boolean>> = {
  backendUrlWeb: isText,
  country: isText,
  locale: isLocale,
  deviceUuid: isText,
  vid: isText,
  cid: isText,
  adid: isText,
  brazeUserId: isText,
  brazeInAppMessage: (value) => typeof value === "boolean",
};

/** The stored device, without invalid fields; null if it has no id. */
export function readDevice(store: KeyValueStore): Device | null {
  const fields = Object.entries(storedFields(store, "parlando"));
  const device: Partial<Device> = Object.fromEntries(
    fields.filter(([name, value]) => Object.hasOwn(isValid, name) && isValid[name as keyof Device](value)),
  );
  const { deviceUuid } = device;
  return deviceUuid === undefined ? null : { ...device, deviceUuid };
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
