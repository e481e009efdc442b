/** The visitor's country and the back end for calls: from the device store and from `/geo.json`. */
import { localeCookieName } from "#core/page.ts";
import type { Locale } from "#core/locales.ts";
import type { Output } from "#core/api.ts";
import { buildPath } from "#core/routes.ts";
import { type Device, openDevice, readDevice, saveDevice } from "../device/device.ts";
import { isSignedIn, type KeyValueStore } from "../device/storage.ts";

/** This site's API, used until `/geo.json` names a back end. */
const defaultBase = "/api";
/** The longest wait of a call for `/geo.json`, ms. */
const geoTimeout = 15_000;
/** Session storage key for the country of a visitor from `/dev/generate`. */
export const developerCountry = "developer-country";

export interface GeoParts {
  readonly store: KeyValueStore;
  readonly locale: Locale;
  /** All back ends. */
  readonly backends: readonly string[];
  /** The query that the page was opened with. */
  readonly arrival: URLSearchParams;
  readonly askGeo: () => Promise<Output<"geo">>;
  /** Called with the visitor's country; null if the server does not know it. */
  readonly onLookup: (country: string | null) => void;
  readonly onCountry: (country: string) => void;
}

export interface Geo {
  readonly device: () => Device;
  readonly keepDevice: (change: Partial<Device>) => void;
  /** The back end in the device store, else this site's own. */
  readonly nearestBackend: () => string;
  readonly backend: () => Promise<string>;
  readonly callBackend: (url: string | null) => void;
  /** Resolves when geo has answered. */
  readonly located: () => Promise<void>;
}

export function createGeo({ store, locale, backends, arrival, askGeo, onLookup, onCountry }: GeoParts): Geo {
  const storedLocale = readDevice(store)?.locale;
  const atRoot = location.pathname === "/" && !document.cookie.includes(localeCookieName);
  const choosesByGeo = atRoot && storedLocale === undefined;
  // The root shows the stored locale. If the cookie is gone, the device store still has it (spec 000 §2).
  if (atRoot && storedLocale !== undefined && storedLocale !== locale) location.replace(buildPath("home", storedLocale) + location.search);
  let device = openDevice(store, locale, arrival, () => crypto.randomUUID());
  let leaving = pageHidden();
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) leaving = pageHidden();
  });

  /** Changes the stored device: another tab may have stored its session's back end, and starting over clears the former visitor's id. */
  function keepDevice(change: Partial<Device>) {
    device = { ...(readDevice(store) ?? device), ...change };
    saveDevice(store, device);
  }

  const nearestBackend = () => readDevice(store)?.backendUrlWeb ?? defaultBase;
  /** Whether a sign-up or login has named the back end on this page. Between the two there are no tokens, and no other back end knows the account. */
  let isNamed = false;
  /** Whether this back end knows the visitor's account and is still one of ours. A back end that is gone would answer nothing, so the session would never end. */
  const knowsAccount = () => isNamed || (isSignedIn(store) && backends.includes(nearestBackend()));

  /** One timeout for the whole visit, so that later calls do not wait for a hanging `/geo.json` again. */
  let patience: Promise<void> | undefined;
  /**
   * The back end for calls (spec 000 §7): the one that knows the account, else the one that geo names. If geo does not answer, or the page
   * is left first, it is the last known one, else this site's own.
   */
  async function backend(): Promise<string> {
    patience ??= new Promise((resolve) => setTimeout(resolve, geoTimeout));
    if (!knowsAccount()) await Promise.race([located().catch(() => undefined), patience, leaving]);
    return nearestBackend();
  }

  let isPlaceTold = false;
  let locating: Promise<void> | null = null;
  function located(): Promise<void> {
    locating ??= locate();
    // After a failure the next call asks again. Until then the country is unknown, so the cookie banner is shown.
    locating.catch(() => {
      locating = null;
      if (!isPlaceTold) onLookup(null);
    });
    return locating;
  }

  async function locate() {
    const geo = await askGeo();
    // A visitor from the developer page keeps the chosen country.
    const country = developersCountry() ?? geo.country;
    isPlaceTold = true;
    onLookup(geo.countryKnown || country !== geo.country ? country : null);
    // Tokens are sent only to the back end that issued them.
    keepDevice({ country, ...(knowsAccount() ? {} : { backendUrlWeb: geo.backendUrlWeb }) });
    // The server picks the root's locale by geo. If it could not, the browser does it here (spec 000 §2).
    if (choosesByGeo && geo.locale && geo.locale !== locale && location.pathname === "/")
      location.replace(buildPath("home", geo.locale) + location.search);
    onCountry(country);
  }

  return {
    device: () => device,
    keepDevice,
    nearestBackend,
    backend,
    callBackend(url) {
      if (url === null) return;
      isNamed = true;
      keepDevice({ backendUrlWeb: url });
    },
    located,
  };
}

/** Resolves when the visitor leaves the page. */
function pageHidden(): Promise<void> {
  return new Promise((resolve) => addEventListener("pagehide", () => resolve(), { once: true }));
}

/** The country that a developer chose for this tab's visitor; null for everybody else. */
function developersCountry(): string | null {
  try {
    return sessionStorage.getItem(developerCountry);
  } catch {
    // No storage, no chosen country.
    return null;
  }
}
