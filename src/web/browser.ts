/** Connects the session to this browser: storage, clock, network and address bar. */
import { marketingConsentCountries } from "#core/countries.ts";
import type { CompiledQuestionnaire } from "#core/questionnaire/compile.ts";
import type { Product } from "#core/products.ts";
import { buildPath, matchPath, questionIdAt } from "#core/routes.ts";
import type { State } from "#core/questionnaire/state.ts";
import type { PageEvent } from "./session/event.ts";
import { takeArrival } from "./device/arrival.ts";
import { lazyApi } from "./api/lazyApi.ts";
import { createLazyAnalytics, type LazyAnalytics } from "./browser/lazyAnalytics.ts";
import { createGeo, type Geo } from "./browser/geo.ts";
import type { Api } from "./api/client.ts";
import type { ClientConfig } from "./clientConfig.ts";
import {
  addressTaken,
  addressWith,
  asRelease,
  goToPath,
  type Here,
  lastStep,
  questionPath,
  sessionEnded,
  showPage,
  watchPath,
} from "./navigation.ts";
import { laterStyles } from "./laterStyles.ts";
import { importOrReload } from "./newBuild.ts";
import { lazyPayment } from "./payment/lazyPayment.ts";
import type { PaymentChoice } from "./payment/lazyPayment.ts";
import { persistently } from "./persistently.ts";
import { contextOf } from "./session/deviceContext.ts";
import type { Services } from "./services.ts";
import { countingStore } from "./device/counting.ts";
import type { Device } from "./device/device.ts";
import { createSession, type Session, type SessionParts, type Snapshot } from "./session/session.ts";
import { deviceStore, type KeyValueStore } from "./device/storage.ts";
import { storedVersion } from "./device/storedVersion.ts";
import type { WebSite } from "./siteContext.tsx";

export interface Browser {
  readonly session: Session;
  readonly services: Services;
  /** To be called once the page is hydrated. */
  readonly afterHydration: (site: WebSite, servedPath: string) => Promise<void>;
  /** Loads analytics for a page that fails to hydrate. */
  readonly loadAnalytics: (site: WebSite) => Promise<void>;
}

export interface Visit {
  readonly compiled: CompiledQuestionnaire;
  readonly rendered: Snapshot;
  readonly client: ClientConfig;
  readonly release: string;
  /** The state that the device has stored; null on a first visit. */
  readonly stored: State | null;
  /** See `SessionParts`. */
  readonly laterAnswers?: SessionParts["laterAnswers"];
}

export function startBrowser({ compiled, rendered, client, release, stored, laterAnswers = [] }: Visit): Browser {
  const { locale } = rendered.context;
  const { definition } = compiled;
  const store = deviceStore(() => localStorage);
  const counting = countingStore(store);
  const arrival = takeArrival();
  const geo = createGeo({
    store,
    locale,
    backends: client.backends,
    arrival,
    askGeo: () => api.call("geo"),
    onLookup: (country) => [counting, lazyAnalytics].forEach((part) => part.locate(country)),
    onCountry: (country) => session.setContext({ country, requiresMarketingConsent: marketingConsentCountries.has(country) }),
  });
  const { device, located } = geo;

  let site: WebSite;
  const lazyAnalytics = createLazyAnalytics({
    store: counting,
    commonPayload: () => commonPayload(session, device(), release),
    deviceUuid: () => device().deviceUuid,
    backend: geo.nearestBackend,
    load: async () => {
      const { startAnalytics } = await persistently(() => import("./analytics/analytics.ts"));
      return startAnalytics({ site, counting, device, setDevice: geo.keepDevice, answersAtStart, styles: laterStyles });
    },
  });
  const { whenLoaded, track, report } = lazyAnalytics;
  const loadAnalytics = (now: WebSite) => {
    site = now;
    return lazyAnalytics.start();
  };

  const here = { locale, version: definition.id };
  const api = openApi({ store, client, here, geo, lazyAnalytics, onSignedOut: () => session.interrupted() });
  const session = createSession(compiled, rendered, {
    store,
    stored,
    laterAnswers,
    api,
    track,
    report,
    moved: (before, after) => whenLoaded((analytics) => analytics.moved(before, after)),
    now: () => new Date(),
    context: contextOf(rendered, device()),
    submitting: () => importOrReload(import("./session/submit.ts")),
    saving: () => import("./session/saving.ts"),
    release,
    isOfVersion: () => isOfVersion(definition.id),
    ...navigationOf(here, arrival),
  });
  arrive(session, store, track);
  const answersAtStart = lastStep().from === null ? session.snapshot().state.selectedOptions : null;
  watchPage(session, lazyAnalytics);

  const paymentFor = paymentsOf({ api, store, client, session, geo, lazyAnalytics });

  return {
    session,
    loadAnalytics,
    services: {
      api,
      store,
      arrival,
      callBackend: geo.callBackend,
      ...paymentFor({ couponCode: definition.coupon?.code, reactivate: false }),
      paymentFor,
      track,
      cookieSettings: () => whenLoaded((analytics) => analytics.cookieSettings()),
      doNotSell: () => whenLoaded((analytics) => analytics.doNotSell()),
      report,
    },
    async afterHydration(site, servedPath) {
      const { runAfterHydration } = await importAfterHydration();
      const loadLaterPages = () => import("./laterPages.ts");
      runAfterHydration({ session, store, api, arrival, servedPath, located, loadLaterPages, loadAnalytics: () => loadAnalytics(site) });
    },
  };
}

/** Only the first failure reloads the page: later ones would do so again on every question, if the file is missing for good. */
function importAfterHydration() {
  const load = () => import("./browser/afterHydration.ts");
  return importOrReload(load()).catch(() => persistently(load));
}

interface PaymentsAround {
  readonly api: Api;
  readonly store: KeyValueStore;
  readonly client: ClientConfig;
  readonly session: Session;
  readonly geo: Geo;
  readonly lazyAnalytics: LazyAnalytics;
}

function paymentsOf({ geo, lazyAnalytics, ...parts }: PaymentsAround) {
  const { whenLoaded, track, report } = lazyAnalytics;
  const onProduct = (product: Product) => whenLoaded((analytics) => analytics.product(product));
  // The products depend on the country. On a device's first page, payment waits for geo to answer.
  const countryKnown = async () => void (geo.device().country ?? (await geo.located().catch(() => undefined)));
  return (choice: PaymentChoice) =>
    lazyPayment(async () => {
      const { createPayment } = await importOrReload(import("./payment/payment.ts"));
      return createPayment({ ...parts, countryKnown, onProduct, track }, choice);
    }, report);
}

interface ApiAround {
  readonly store: KeyValueStore;
  readonly client: ClientConfig;
  readonly here: Here;
  readonly geo: Geo;
  readonly lazyAnalytics: LazyAnalytics;
  readonly onSignedOut: () => void;
}

function openApi({ store, client, here, geo, lazyAnalytics, onSignedOut }: ApiAround): Api {
  const { backend, callBackend, device } = geo;
  return lazyApi(
    async () => {
      const { aloneAmongTabs, createApi } = await importOrReload(import("./api/client.ts"));
      return createApi({
        fetch: (...request) => fetch(...request),
        store,
        deviceUuid: device().deviceUuid,
        language: here.locale,
        base: backend,
        backends: client.backends,
        callBackend,
        now: () => new Date(),
        alone: aloneAmongTabs,
        onSignedOut(why) {
          // A page without a version is rendered with the locale's default, which need not be the visitor's (decision 098).
          const version = (isOfVersion(here.version) ? null : storedVersion(store)) ?? here.version;
          const login = buildPath("questionnaire/user", here.locale, { version });
          if (why === "neverIn") goToPath(login, here);
          else showPage(login, { problem: sessionEnded[why], replace: login === location.pathname });
          onSignedOut();
        },
        watch: (ended) => lazyAnalytics.whenLoaded((analytics) => analytics.request(ended)),
      });
    },
    (endpoint, error) => lazyAnalytics.whenLoaded((analytics) => analytics.unsent(endpoint, error)),
  );
}

/** Carries out the session's navigation effects. */
function navigationOf(here: Here, arrival: URLSearchParams): Pick<SessionParts, "goTo" | "goHome" | "leaveTo" | "leaveFor"> {
  const { locale, version } = here;
  const goTo = (questionId: number) => goToPath(questionPath(locale, version, questionId), here);
  return {
    goTo,
    goHome: () => goToPath(buildPath("home", locale), here),
    leaveFor({ id, currentQuestionId }, release) {
      const path = questionPath(locale, id, currentQuestionId);
      goToPath(release === undefined ? path : asRelease(path, release), here);
    },
    leaveTo(outcome) {
      if ("questionId" in outcome) goTo(outcome.questionId);
      else if ("route" in outcome) {
        const path = buildPath(outcome.route, locale, { version: outcome.version ?? version });
        // Shown in place even if the address names no version, and leads back to this version's e-mail question.
        if (outcome.route === "questionnaire/user" || outcome.route === "login/account-exists") {
          const question = outcome.emailQuestion;
          const emailQuestion = question === undefined ? undefined : questionPath(locale, version, question);
          showPage(path, outcome.taken === false ? {} : { problem: addressTaken, emailQuestion });
        } else goToPath(addressWith(path, outcome.query ?? {}, { here, arrival }), here);
      }
    },
  };
}

/** The payload that every event carries: visitor, version, place and campaign. */
function commonPayload({ compiled: { definition }, snapshot }: Session, device: Device, release: string): PageEvent["payload"] {
  const { state, context } = snapshot();
  const { uuid } = state.user;
  const match = matchPath(location.pathname);
  const questionId = match.kind === "page" ? questionIdAt(match.route, match.params) : undefined;
  return {
    ...(uuid === undefined ? {} : { uuid }),
    questionnaire: definition.id,
    release,
    locale: context.locale,
    country: context.country,
    platform: context.platform,
    theme: definition.theme,
    // Events at a question, or at a page after the funnel, name the question.
    ...(questionId === undefined ? {} : { questionId }),
    campaignId: device.cid,
    versionId: device.vid,
    advertisementId: device.adid,
  };
}

/** Whether the page's address names this version. */
function isOfVersion(version: string): boolean {
  const opened = matchPath(location.pathname);
  return opened.kind === "page" && opened.params.version === version;
}

function arrive(session: Session, store: KeyValueStore, track: LazyAnalytics["track"]) {
  const { definition } = session.compiled;
  const ofVersion = isOfVersion(definition.id);
  // Pages without a version use the theme of the last visited funnel (`storedTheme.ts` reads it).
  if (store.get("theme") === null || ofVersion) store.set("theme", definition.theme);
  // The raffle's page has the default version until one is drawn (`raffle/page.tsx`).
  if (ofVersion) track({ eventType: "GetQuestionnaire", payload: {} });
  session.arrive();
}

/** Reports page views and uncaught errors. Sends unsaved answers and events when the visitor leaves the page. */
function watchPage(session: Session, { whenLoaded, report, sendLeaving }: LazyAnalytics) {
  const arrived = () => {
    const path = location.pathname;
    whenLoaded((analytics) => analytics.arrived(path));
  };
  arrived();
  watchPath(arrived);
  const leave = () => {
    void session.flush(true);
    sendLeaving();
  };
  addEventListener("pagehide", leave);
  // On phones this is often the last event that a page receives.
  addEventListener("visibilitychange", () => document.visibilityState === "hidden" && leave());
  addEventListener("error", (event) => report(event.error ?? event.message));
  addEventListener("unhandledrejection", (event) => report(event.reason));
}
