/** Where the visitor is and where calls go: what the device remembers of both, and what `/geo.json` says. */
import { localeCookieName } from "#core/page.ts";
import type { Locale } from "#core/locales.ts";
import type { Output } from "#core/api.ts";
import { buildPath } from "#core/routes.ts";
import { type Device, openDevice, readDevice, saveDevice } from "../device/device.ts";
import { isSignedIn, type KeyValueStore } from "../device/storage.ts";

/** The API at this site, for when `/geo.json` does not say where it is. */
const defaultBase = "/api";
/** How long a call waits for `/geo.json`, ms. */
const geoPatience = 15_000;
/** Where `/dev/generate` keeps a visitor's country, for as long as the tab is open. */
export const developerCountry = "developer-country";

export interface WhereaboutsParts {
  readonly store: KeyValueStore;
  readonly locale: Locale;
  /** The query this page was opened with. */
  readonly arrival: URLSearchParams;
  readonly askGeo: () => Promise<Output<"geo">>;
  /** The visitor's country as the server knows it, null when it does not. */
  readonly onPlace: (country: string | null) => void;
  readonly onCountry: (country: string) => void;
}

export interface Whereabouts {
  readonly device: () => Device;
  readonly keepDevice: (change: Partial<Device>) => void;
  /** The back end that the device heard of last, else this site's own. */
  readonly nearestBackend: () => string;
  readonly backend: () => Promise<string>;
  readonly callBackend: (url: string | null) => void;
  /** Resolves when geo has answered. */
  readonly located: () => Promise<void>;
}

export function createWhereabouts({ store, locale, arrival, askGeo, onPlace, onCountry }: WhereaboutsParts): Whereabouts {
  const storedLocale = readDevice(store)?.locale;
  const atRoot = location.pathname === "/" && !document.cookie.includes(localeCookieName);
  const choosesByGeo = atRoot && storedLocale === undefined;
  // The root answers in the stored locale: in the device's own store when the cookie is gone (spec 000 §2).
  if (atRoot && storedLocale !== undefined && storedLocale !== locale) location.replace(buildPath("home", storedLocale) + location.search);
  let device = openDevice(store, locale, arrival, () => crypto.randomUUID());
  let leaving = pageLeft();
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) leaving = pageLeft();
  });

  /** Another tab may have come in meanwhile: its back end stays with its tokens. */
  function keepDevice(change: Partial<Device>) {
    device = { ...device, ...readDevice(store), ...change };
    saveDevice(store, device);
  }

  const knownBackend = () => readDevice(store)?.backendUrlWeb;
  const nearestBackend = () => knownBackend() ?? defaultBase;

  /** Ends once for the whole visit: later calls do not wait for a geo that hangs. */
  let patience: Promise<void> | undefined;
  /**
   * Where calls go (spec 000 §7): to the back end that gave the tokens, else to the one that geo names. When geo does not say, and for
   * a page that goes away before, to the one it named last; a device that never heard of any has only this site's own.
   */
  async function backend(): Promise<string> {
    patience ??= new Promise((resolve) => setTimeout(resolve, geoPatience));
    if (!isSignedIn(store) || knownBackend() === undefined) await Promise.race([located().catch(() => undefined), patience, leaving]);
    return nearestBackend();
  }

  let isPlaceTold = false;
  let locating: Promise<void> | null = null;
  function located(): Promise<void> {
    locating ??= locate();
    // An answer that did not come is asked for again; until then nobody knows where this is, and cookies are asked about.
    locating.catch(() => {
      locating = null;
      if (!isPlaceTold) onPlace(null);
    });
    return locating;
  }

  async function locate() {
    const geo = await askGeo();
    // A visitor made by the developer page stays in the country it was made in.
    const country = madeIn() ?? geo.country;
    isPlaceTold = true;
    onPlace(geo.countryKnown || country !== geo.country ? country : null);
    // Tokens go to the back end that gave them, and nowhere else.
    keepDevice({ country, ...(isSignedIn(store) && knownBackend() !== undefined ? {} : { backendUrlWeb: geo.backendUrlWeb }) });
    // The server answers the root as geo does; where it could not know what geo knows, this does (spec 000 §2).
    if (choosesByGeo && geo.locale !== locale && location.pathname === "/")
      location.replace(buildPath("home", geo.locale) + location.search);
    onCountry(country);
  }

  return {
    device: () => device,
    keepDevice,
    nearestBackend,
    backend,
    callBackend: (url) => void (url !== null && keepDevice({ backendUrlWeb: url })),
    located,
  };
}

/** Resolves when this page goes away. */
function pageLeft(): Promise<void> {
  return new Promise((resolve) => addEventListener("pagehide", () => resolve(), { once: true }));
}

/** The country that a developer made this tab's visitor in; null for everybody else. */
function madeIn(): string | null {
  try {
    return sessionStorage.getItem(developerCountry);
  } catch {
    // A browser that keeps nothing has none.
    return null;
  }
}
