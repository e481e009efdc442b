/** Ties the session to this browser: storage, clock, network, address bar. */
import { planOf } from "#core/money.ts";
import { marketingConsentCountries } from "#core/countries.ts";
import { localeCookieName } from "#core/page.ts";
import type { CompiledQuestionnaire } from "#core/questionnaire/compile.ts";
import type { Context } from "#core/questionnaire/context.ts";
import { buildPath, matchPath, questionIdAt } from "#core/routes.ts";
import type { Analytics } from "./analytics/analytics.ts";
import type { PageEvent, WaitingEvent } from "./analytics/event.ts";
import type { Api } from "./api/client.ts";
import type { ClientConfig } from "./clientConfig.ts";
import { addressTaken, goToPath, loadAnew, questionPath, showPage, watchPath } from "./navigation.ts";
import { needed } from "./olderBuild.ts";
import { laterPayment } from "./payment/later.ts";
import type { PaymentChoice, Services } from "./services.ts";
import { keepEarly } from "./session/early.ts";
import { type Device, localDate, localTimeZone, openDevice, platformOf, readDevice, saveDevice } from "./session/device.ts";
import { createSession, readState, type Session, type Snapshot } from "./session/session.ts";
import { deviceStore, isSignedIn } from "./session/storage.ts";
import type { WebSite } from "./siteContext.tsx";

/** The API at this site, for when `/geo.json` does not say where it is. */
const defaultBase = "/api";
/** How long a call waits for `/geo.json`, ms. */
const geoPatience = 15_000;
/** Where `/dev/generate` keeps a visitor's country, for as long as the tab is open. */
export const developerCountry = "developer-country";
/** What one call takes (core/events.ts, which is not here yet). */
const beaconLimit = 100;
/** How long the chosen language is remembered, seconds. */
const localeMemory = 365 * 24 * 60 * 60;

export interface Browser {
  readonly session: Session;
  readonly services: Services;
  /** To be called once the page is hydrated. */
  readonly afterHydration: (site: WebSite) => void;
  /** Fetches what watches the visit; for a page that does not come to life. */
  readonly watch: (site: WebSite) => Promise<void>;
}

export function startBrowser(compiled: CompiledQuestionnaire, rendered: Snapshot, client: ClientConfig): Browser {
  const { locale } = rendered.context;
  const { definition } = compiled;
  const here = { locale, version: definition.id };
  const now = () => new Date();
  const uuid = () => crypto.randomUUID();
  const store = deviceStore(() => localStorage);
  const storedLocale = readDevice(store)?.locale;
  const choosesByGeo = location.pathname === "/" && storedLocale === undefined && !document.cookie.includes(localeCookieName);
  // The root answers in the stored locale: in the device's own store when the cookie is gone (spec 000 §2).
  if (location.pathname === "/" && storedLocale !== undefined && storedLocale !== locale && !document.cookie.includes(localeCookieName))
    location.replace(buildPath("home", storedLocale) + location.search);
  const arrival = new URLSearchParams(location.search);
  hideSecrets(arrival);
  let device: Device = openDevice(store, locale, arrival, uuid);
  const timeZone = localTimeZone();
  const context: Context = {
    locale,
    country: device.country ?? rendered.context.country,
    platform: platformOf(navigator.userAgent, navigator.maxTouchPoints),
    requiresMarketingConsent: marketingConsentCountries.has(device.country ?? ""),
    today: localDate(now()),
  };

  // The contract comes after the first question is on the page: showing it takes no call.
  let calling: Promise<Api> | null = null;
  const api: Api = {
    async call(endpoint, input) {
      calling ??= needed(import("./api/client.ts")).then(({ aloneAmongTabs, createApi }) =>
        createApi({
          fetch: (...request) => fetch(...request),
          store,
          deviceUuid: device.deviceUuid,
          language: locale,
          base: backend,
          backends: client.backends,
          callBackend,
          now,
          alone: aloneAmongTabs,
          onSignedOut: () => goToPath(buildPath("questionnaire/user", locale, { version: definition.id }), here),
          watch: (ended) => tell((there) => there.request(ended)),
        }),
      );
      calling.catch((error: unknown) => {
        // A module that did not come is asked for again.
        calling = null;
        tell((there) => there.unsent(endpoint, error));
      });
      return (await calling).call(endpoint, input);
    },
  };
  // What watches the visit comes after the page is hydrated; until then what it is told waits, in its order.
  let analytics: Analytics | null = null;
  let watching: Promise<Analytics> | null = null;
  /** The visitor's country as the server knows it, null when it does not. */
  let place: string | null | undefined;
  const untold: ((there: Analytics) => void)[] = [];
  /** Those among it that go by themselves when the page is left before. */
  const early: WaitingEvent[] = [];
  let leaving = pageLeft();
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) leaving = pageLeft();
  });

  function tell(what: (there: Analytics) => void) {
    if (analytics === null) untold.push(what);
    else what(analytics);
  }

  /** Every event carries where and for whom it happened. */
  function track({ eventType, payload }: PageEvent) {
    const { uuid: visitor } = session.snapshot().state.user;
    const match = matchPath(location.pathname);
    const questionId = match.kind === "page" ? questionIdAt(match.route, match.params) : undefined;
    const about = {
      ...(visitor === undefined ? {} : { uuid: visitor }),
      questionnaire: definition.id,
      locale,
      country: session.snapshot().context.country,
      platform: context.platform,
      theme: definition.theme,
      // Events that happen at a question, or at a page after the funnel, say at which.
      ...(questionId === undefined ? {} : { questionId }),
      campaignId: device.cid,
      versionId: device.vid,
      advertisementId: device.adid,
    };
    const sequence = (Number(store.get("eventSequence")) || 0) + 1;
    store.set("eventSequence", String(sequence));
    const event = { eventType, payload: { ...about, ...payload }, id: uuid(), at: now().toISOString(), sequence };
    if (analytics === null) {
      early.push(event);
      // A page that is closed without a line would take it along.
      keepEarly(store, event);
    }
    tell((there) => there.add(event));
  }

  /** The page goes away: what the server may not have goes without waiting. It stays kept too, and counts once. */
  function sendLeaving() {
    const events = (analytics?.waiting() ?? early).slice(0, beaconLimit);
    if (events.length === 0) return;
    const body = JSON.stringify({ events, device: device.deviceUuid, sentAt: now().toISOString() });
    navigator.sendBeacon(`${knownBackend() ?? defaultBase}/send-event`, new Blob([body], { type: "application/json" }));
  }

  function report(error: unknown) {
    tell((there) => there.report(error));
  }

  const session = createSession(compiled, rendered, {
    store,
    api,
    track,
    moved: (before, after) => tell((there) => there.moved(before, after)),
    now,
    context,
    submitting: () => needed(import("./session/submit.ts")),
    saving: () => import("./account/saving.ts"),
    goTo: (questionId) => goToPath(questionPath(locale, definition.id, questionId), here),
    goHome: () => goToPath(buildPath("home", locale), here),
    report,
    leaveTo(outcome) {
      if ("questionId" in outcome) goToPath(questionPath(locale, definition.id, outcome.questionId), here);
      else if ("route" in outcome) {
        const query = outcome.query === undefined ? "" : `?${new URLSearchParams(outcome.query)}`;
        const address = buildPath(outcome.route, locale, { version: definition.id }) + query;
        // In place, also where the address names no version: it leads back to this one's question, for another address.
        if (outcome.route === "questionnaire/user" || outcome.route === "login/account-exists")
          showPage(address, outcome.taken === false ? {} : { problem: addressTaken });
        else goToPath(address, here);
      }
    },
  });
  const opened = matchPath(location.pathname);
  // What is seen of a funnel is what its visitor knows us by; a page of no version takes it from here (`look.ts`).
  if (store.get("theme") === null || (opened.kind === "page" && opened.params.version === definition.id))
    store.set("theme", definition.theme);
  if (opened.kind === "page" && opened.route.startsWith("questionnaire/")) track({ eventType: "GetQuestionnaire", payload: {} });
  session.arrive();
  const answersAtStart = session.snapshot().state.selectedOptions;
  const arrived = () => {
    const path = location.pathname;
    tell((there) => there.arrived(path));
  };
  arrived();
  watchPath(arrived);
  const leave = () => {
    void session.flush(true);
    sendLeaving();
  };
  addEventListener("pagehide", leave);
  // On phones this is often the last that a page hears.
  addEventListener("visibilitychange", () => document.visibilityState === "hidden" && leave());
  addEventListener("error", (event) => report(event.error ?? event.message));
  addEventListener("unhandledrejection", (event) => report(event.reason));
  /** Offer and checkout for a visitor of the funnel, or for one who comes back. */
  const paymentFor = ({ couponCode, reactivate }: PaymentChoice) => {
    // Whoever tries again pays what was offered.
    const query = reactivate && couponCode !== undefined ? `?${new URLSearchParams({ discount: couponCode })}` : "";
    return laterPayment(async () => {
      const { createPayment } = await needed(import("./payment/payment.ts"));
      return createPayment({
        offer: {
          api,
          store,
          compiled,
          // What is sold depends on the country: a device on its first page waits for the answer.
          async context() {
            if (device.country === undefined) await located().catch(() => undefined);
            return session.snapshot().context;
          },
          now,
          timeZone,
          plan: () => planOf(session.snapshot().state.studySchedule?.months),
          couponCode,
          reactivate,
          onSelected: (product) => tell((there) => there.product(product)),
          warn: (message) => console.warn(message),
        },
        checkout: (products) => ({
          api,
          config: client,
          locale,
          theme: () => definition.theme,
          couponCode: products.couponCode,
          timeZone,
          email: () => session.snapshot().state.user.email,
          returnPath: () => location.pathname,
          onStage(stage, error) {
            const productId = products.snapshot().selected?.productId;
            track({
              eventType: "PurchaseFlow",
              payload: {
                stage,
                ...(error === undefined ? {} : { error: error.slice(0, 2000) }),
                ...(productId === undefined ? {} : { productId }),
              },
            });
            if (stage !== "opened") return;
            store.set("paymentRetryUrl", location.pathname + query);
            // Where a payment leads to afterwards, also by the provider's own page.
            if (reactivate) store.set("questionnaireSkip", "reactivate");
            else store.remove("questionnaireSkip");
          },
          onCompleted() {
            const provider = products.snapshot().selected?.paymentProvider;
            if (provider !== undefined) store.set("paymentProvider", provider);
            store.set("paymentStatus", "pending");
            // A code that was typed was for this order.
            store.remove("coupon");
            // Back must not lead to a form that charges again.
            goToPath(buildPath("questionnaire/post-purchase", locale, { version: definition.id }), here, { replace: true });
          },
          leaveTo: (url) => location.assign(url),
        }),
      });
    }, report);
  };
  const { offer, checkout } = paymentFor({ couponCode: definition.coupon?.code, reactivate: false });

  function callBackend(url: string | null) {
    if (url !== null) keepDevice({ backendUrlWeb: url });
  }

  /** Another tab may have come in meanwhile: its back end stays with its tokens. */
  function keepDevice(change: Partial<Device>) {
    device = { ...device, ...readDevice(store), ...change };
    saveDevice(store, device);
  }

  function knownBackend(): string | undefined {
    return readDevice(store)?.backendUrlWeb;
  }

  /** Ends once for the whole visit: later calls do not wait for a geo that hangs. */
  let patience: Promise<void> | undefined;
  /**
   * Where calls go (spec 000 §7): to the back end that gave the tokens, else to the one that geo names. When geo does not say, and for
   * a page that goes away before, to the one it named last; a device that never heard of any has only this site's own.
   */
  async function backend(): Promise<string> {
    patience ??= new Promise((resolve) => setTimeout(resolve, geoPatience));
    if (!isSignedIn(store) || knownBackend() === undefined) await Promise.race([located().catch(() => undefined), patience, leaving]);
    return knownBackend() ?? defaultBase;
  }

  /** Fetches what watches the visit, and hands over what happened before; what did not come is asked for again when there is a connection. */
  async function watch(site: WebSite) {
    try {
      watching ??= import("./analytics/analytics.ts").then(({ startAnalytics }) =>
        startAnalytics({
          site,
          device: () => device,
          setDevice: keepDevice,
          answersAtStart,
        }),
      );
      analytics = await watching;
      for (const what of untold.splice(0)) what(analytics);
      early.length = 0;
      if (place !== undefined) analytics.locate(place);
    } catch {
      watching = null;
    }
  }

  let locating: Promise<void> | null = null;
  function located(): Promise<void> {
    locating ??= locate();
    // An answer that did not come is asked for again; until then nobody knows where this is, and cookies are asked about.
    locating.catch(() => {
      locating = null;
      place ??= null;
      analytics?.locate(place);
    });
    return locating;
  }

  async function locate() {
    const geo = await api.call("geo");
    // A visitor made by the developer page stays in the country it was made in.
    const country = madeIn() ?? geo.country;
    place = geo.countryKnown || country !== geo.country ? country : null;
    analytics?.locate(place);
    // Tokens go to the back end that gave them, and nowhere else.
    keepDevice({ country, ...(isSignedIn(store) && knownBackend() !== undefined ? {} : { backendUrlWeb: geo.backendUrlWeb }) });
    // The server answers the root as geo does; where it could not know what geo knows, this does (spec 000 §2).
    if (choosesByGeo && geo.locale !== locale && location.pathname === "/")
      location.replace(buildPath("home", geo.locale) + location.search);
    session.setContext({ country, requiresMarketingConsent: marketingConsentCountries.has(country) });
  }

  async function findOutWhere() {
    try {
      await located();
      // Signing up must not find its module gone with an older build: what was typed would go with the page.
      const [{ fetchConfig }] = await Promise.all([import("./session/config.ts"), import("./session/submit.ts")]);
      const config = await fetchConfig(api, store, { locale });
      // An account has its own.
      if (!isSignedIn(store) && session.snapshot().state.user.uuid === undefined)
        session.dispatch({ type: "setUser", user: { uuid: config.uuid } });
    } catch {
      // No connection: the defaults serve, and signing up asks again.
    }
  }

  return {
    session,
    watch,
    services: {
      api,
      store,
      arrival,
      callBackend,
      offer,
      checkout,
      paymentFor,
      track,
      cookieSettings: () => tell((there) => there.cookieSettings()),
      report,
    },
    afterHydration(site) {
      const query = new URLSearchParams(location.search);
      const answered = query.has("a");
      if (answered) {
        // The answers are in the session now; the address is free of them.
        query.delete("a");
        history.replaceState(history.state, "", location.pathname + (query.size > 0 ? `?${query}` : ""));
      }
      document.cookie = `${localeCookieName}=${locale}; path=/; max-age=${localeMemory}; samesite=lax`;
      document.documentElement.dataset["ready"] = "true";
      addEventListener("online", () => {
        void session.flush(false);
        void watch(site);
      });
      // Logged out in another tab: nothing personal may be kept or shown here any longer.
      addEventListener("storage", ({ key, newValue }) => {
        if (key === "token" && newValue === null) location.replace(buildPath("login/link", locale));
        // Started over there: what this page still has would be kept again.
        else if (key === "questionnaireState" && newValue === null && !session.snapshot().state.signupDone) loadAnew();
      });
      addEventListener("pageshow", ({ persisted }) => {
        const { uuid: visitor } = session.snapshot().state.user;
        if (persisted && visitor !== undefined && readState(store)?.user.uuid !== visitor) loadAnew();
      });
      void watch(site);
      void findOutWhere();
      const match = matchPath(location.pathname);
      // The root leads to its first question (spec 001 §2); with answers in the link, from there to the question that follows them.
      const { currentQuestionId } = session.snapshot().state;
      const first = questionPath(locale, definition.id, definition.initialQuestion);
      if (answered && wasSentOn() && location.pathname === first)
        goToPath(questionPath(locale, definition.id, currentQuestionId), here, { replace: true });
      if (!isSignedIn(store) || match.kind !== "page" || !match.route.startsWith("questionnaire/")) return;
      // Another device is followed from where this one was, not from a question that is looked at.
      const follows = match.params.question === String(currentQuestionId) || store.get("questionnaireTarget") !== null;
      session.catchUp(match.route === "questionnaire/question" && follows).catch(() => undefined);
    },
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

/** Whether this page was reached by a redirect, and not by Back or a reload. */
function wasSentOn(): boolean {
  const [entry] = performance.getEntriesByType("navigation");
  return entry instanceof PerformanceNavigationTiming && entry.type === "navigate" && entry.redirectCount > 0;
}

/** What opens something leaves the address bar before anything else runs: no report, tag or Referer sees it. */
function hideSecrets(query: URLSearchParams): void {
  const shown = new URLSearchParams(query);
  for (const name of ["token", "confirm_token", "backend-url"]) shown.delete(name);
  if (shown.size < query.size) history.replaceState(history.state, "", location.pathname + (shown.size > 0 ? `?${shown}` : ""));
}
