/** Ties the session to this browser: storage, clock, network, address bar. */
import { marketingConsentCountries } from "#core/countries.ts";
import type { CompiledQuestionnaire } from "#core/questionnaire/compile.ts";
import type { Locale } from "#core/locales.ts";
import { secretParameters } from "#core/page.ts";
import type { Product } from "#core/products.ts";
import { buildPath, matchPath, questionIdAt } from "#core/routes.ts";
import { releaseParameter } from "#core/release.ts";
import type { PageEvent } from "./session/event.ts";
import { laterApi } from "./api/later.ts";
import { startHydrated } from "./browser/hydrated.ts";
import { createVisitWatch, type VisitWatch } from "./browser/visitWatch.ts";
import { createWhereabouts, type Whereabouts } from "./browser/whereabouts.ts";
import type { Api } from "./api/client.ts";
import type { ClientConfig } from "./clientConfig.ts";
import { addressTaken, goToPath, questionPath, showPage, watchPath } from "./navigation.ts";
import { laterStyles } from "./laterStyles.ts";
import { importOrReload } from "./olderBuild.ts";
import { laterPayment } from "./payment/later.ts";
import type { PaymentChoice } from "./payment/later.ts";
import { contextOf } from "./session/deviceContext.ts";
import type { Services } from "./services.ts";
import { countingStore } from "./device/counting.ts";
import type { Device } from "./device/device.ts";
import { asRelease } from "./session/ownRelease.ts";
import { createSession, type Session, type SessionParts, type Snapshot } from "./session/session.ts";
import { deviceStore, type KeyValueStore } from "./device/storage.ts";
import type { WebSite } from "./siteContext.tsx";

export interface Browser {
  readonly session: Session;
  readonly services: Services;
  /** To be called once the page is hydrated. */
  readonly afterHydration: (site: WebSite) => void;
  /** Fetches what watches the visit; for a page that does not come to life. */
  readonly watch: (site: WebSite) => Promise<void>;
}

export function startBrowser(compiled: CompiledQuestionnaire, rendered: Snapshot, client: ClientConfig, release: string): Browser {
  const { locale } = rendered.context;
  const { definition } = compiled;
  const store = deviceStore(() => localStorage);
  const counting = countingStore(store);
  const arrival = new URLSearchParams(location.search);
  hideSecrets(arrival);
  const whereabouts = createWhereabouts({
    store,
    locale,
    arrival,
    askGeo: () => api.call("geo"),
    onPlace: (country) => [counting, visit].forEach((part) => part.locate(country)),
    onCountry: (country) => session.setContext({ country, requiresMarketingConsent: marketingConsentCountries.has(country) }),
  });
  const { device, located } = whereabouts;

  let site: WebSite;
  const visit = createVisitWatch({
    store: counting,
    about: () => whereAndWho(session, device(), release),
    deviceUuid: () => device().deviceUuid,
    backend: whereabouts.nearestBackend,
    load: async () => {
      const { startAnalytics } = await import("./analytics/analytics.ts");
      return startAnalytics({ site, counting, device, setDevice: whereabouts.keepDevice, answersAtStart, styles: laterStyles });
    },
  });
  const { tell, track, report } = visit;
  const watch = (now: WebSite) => {
    site = now;
    return visit.start();
  };

  const here = { locale, version: definition.id };
  const api = openApi({ store, client, here, whereabouts, visit });
  const session = createSession(compiled, rendered, {
    store,
    api,
    track,
    report,
    moved: (before, after) => tell((there) => there.moved(before, after)),
    now: () => new Date(),
    context: contextOf(rendered, device()),
    submitting: () => importOrReload(import("./session/submit.ts")),
    saving: () => import("./session/saving.ts"),
    release,
    ...waysOf(here),
  });
  arrive(session, store, track);
  const answersAtStart = session.snapshot().state.selectedOptions;
  watchPage(session, visit);

  const onProduct = (product: Product) => tell((there) => there.product(product));
  const paymentFor = (choice: PaymentChoice) =>
    laterPayment(async () => {
      const { createPayment } = await importOrReload(import("./payment/payment.ts"));
      // What is sold depends on the country: a device on its first page waits for the answer.
      const countryKnown = async () => void (device().country ?? (await located().catch(() => undefined)));
      return createPayment({ api, store, client, session, countryKnown, onProduct, track }, choice);
    }, report);

  return {
    session,
    watch,
    services: {
      api,
      store,
      arrival,
      callBackend: whereabouts.callBackend,
      ...paymentFor({ couponCode: definition.coupon?.code, reactivate: false }),
      paymentFor,
      track,
      cookieSettings: () => tell((there) => there.cookieSettings()),
      doNotSell: () => tell((there) => there.doNotSell()),
      report,
    },
    afterHydration: (site) => startHydrated({ session, store, api, located, watch: () => watch(site) }),
  };
}

interface Here {
  readonly locale: Locale;
  readonly version: string;
}
interface ApiAround {
  readonly store: KeyValueStore;
  readonly client: ClientConfig;
  readonly here: Here;
  readonly whereabouts: Whereabouts;
  readonly visit: VisitWatch;
}

function openApi({ store, client, here, whereabouts, visit }: ApiAround): Api {
  const { backend, callBackend, device } = whereabouts;
  return laterApi(
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
        onSignedOut: () => goToPath(buildPath("questionnaire/user", here.locale, here), here),
        watch: (ended) => visit.tell((there) => there.request(ended)),
      });
    },
    (endpoint, error) => visit.tell((there) => there.unsent(endpoint, error)),
  );
}

/** Where the session's effects lead. */
function waysOf(here: Here): Pick<SessionParts, "goTo" | "goHome" | "leaveTo" | "leaveForRelease"> {
  const { locale, version } = here;
  const goTo = (questionId: number) => goToPath(questionPath(locale, version, questionId), here);
  return {
    goTo,
    goHome: () => goToPath(buildPath("home", locale), here),
    leaveForRelease: (questionId, name) => location.assign(asRelease(questionPath(locale, version, questionId), name)),
    leaveTo(outcome) {
      if ("questionId" in outcome) goTo(outcome.questionId);
      else if ("route" in outcome) {
        const query = outcome.query === undefined ? "" : `?${new URLSearchParams(outcome.query)}`;
        const address = buildPath(outcome.route, locale, { version }) + query;
        // In place, also where the address names no version: it leads back to this one's question, for another address.
        if (outcome.route === "questionnaire/user" || outcome.route === "login/account-exists")
          showPage(address, outcome.taken === false ? {} : { problem: addressTaken });
        else goToPath(address, here);
      }
    },
  };
}

/** Where and for whom an event happens. */
function whereAndWho({ compiled: { definition }, snapshot }: Session, device: Device, release: string): PageEvent["payload"] {
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
    // Events that happen at a question, or at a page after the funnel, say at which.
    ...(questionId === undefined ? {} : { questionId }),
    campaignId: device.cid,
    versionId: device.vid,
    advertisementId: device.adid,
  };
}

function arrive(session: Session, store: KeyValueStore, track: VisitWatch["track"]) {
  const { definition } = session.compiled;
  const opened = matchPath(location.pathname);
  // Pages without a version wear the theme of the funnel seen last (`look.ts` reads it).
  if (store.get("theme") === null || (opened.kind === "page" && opened.params.version === definition.id))
    store.set("theme", definition.theme);
  if (opened.kind === "page" && opened.route.startsWith("questionnaire/")) track({ eventType: "GetQuestionnaire", payload: {} });
  session.arrive();
}

/** Tells of each page that shows, of what nobody caught, and sends what is left when the page is left. */
function watchPage(session: Session, { tell, report, sendLeaving }: VisitWatch) {
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
}

/** What opens something, or is nobody else's, leaves the address bar before anything else runs: no report, tag or Referer sees it. */
function hideSecrets(query: URLSearchParams): void {
  const shown = new URLSearchParams(query);
  for (const name of [...secretParameters, "backend-url", releaseParameter]) shown.delete(name);
  if (shown.size < query.size) history.replaceState(history.state, "", location.pathname + (shown.size > 0 ? `?${shown}` : ""));
}
