/**
 * Everything that watches a visit: events on their way, errors, the data layer, consent and the services of others. It comes after
 * the page is hydrated; what happened before is handed over.
 */
import { majorUnits } from "#core/formats.ts";
import { type Endpoint, endpoints } from "#core/api.ts";
import { eventBatchSchema } from "#core/events.ts";
import { type OutsideConfig, outsideSchema } from "#core/outside.ts";
import type { Locale } from "#core/locales.ts";
import type { Product } from "#core/products.ts";
import type { State } from "#core/questionnaire/state.ts";
import { buildPath, matchPath } from "#core/routes.ts";
import * as v from "valibot";
import { ApiError, type EndedRequest } from "../api/request.ts";
import { braze } from "../outside/braze.ts";
import { createChat } from "../outside/chat.ts";
import { calm, loadScript, type OutsideService } from "../outside/outside.ts";
import { googleAnalytics } from "../outside/googleAnalytics.ts";
import { tagManager } from "../outside/tagManager.ts";
import type { CountingStore } from "../device/counting.ts";
import type { Device } from "../device/device.ts";
import type { WebSite } from "../siteContext.tsx";
import { goOnWhenConnected } from "./connection.ts";
import { type Consent, createConsent } from "./consent.ts";
import { createDataLayer, type DataLayer, hashedEmail } from "../outside/dataLayer.ts";
import { createErrorReports } from "./errors.ts";
import type { WaitingEvent } from "../session/event.ts";
import { hideMissingPictures } from "./missingPictures.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import { type EventStore, whereAllowed, withEarly } from "./eventStore.ts";
import type { Overlays } from "./Overlays.tsx";
import { type PurchaseParts, tellMove, tellRequest, watchPurchase, watchUser } from "./visit.ts";

export interface AnalyticsParts {
  readonly site: WebSite;
  /** For what only counts. */
  readonly counting: CountingStore;
  readonly device: () => Device;
  readonly setDevice: (change: Partial<Device>) => void;
  /** Those there were when the page was taken over. */
  readonly answersAtStart: State["selectedOptions"];
  /** Resolves when the page's whole style sheets are there. */
  readonly styles: () => Promise<void>;
}

export interface Analytics {
  readonly add: (event: WaitingEvent) => void;
  /** What the server has not said that it has. */
  readonly waiting: () => readonly WaitingEvent[];
  readonly report: (error: unknown) => void;
  readonly request: (ended: EndedRequest) => void;
  /** A call that could not be made: what makes calls did not come. */
  readonly unsent: (endpoint: Endpoint, error: unknown) => void;
  /** What the visitor did changed the session's state. */
  readonly moved: (before: State, after: State) => void;
  /** The path of a page that shows now, or showed. */
  readonly arrived: (path: string) => void;
  /** A product was chosen. */
  readonly product: (product: Product) => void;
  /** Where the visitor is; null for unknown. */
  readonly locate: (country: string | null) => void;
  readonly cookieSettings: () => void;
  readonly doNotSell: () => void;
}

const dataLayerSchema = v.object({ dataLayer: v.custom<unknown[]>((value) => Array.isArray(value)) });

export async function startAnalytics(parts: AnalyticsParts): Promise<Analytics> {
  const { site, counting } = parts;
  const { services, session, client, locale } = site;
  const { api, store } = services;
  const list = dataLayerList();
  const layer = createDataLayer(list);
  const outside = v.parse(outsideSchema, client.outside);

  const { report } = createErrorReports({
    api,
    release: document.querySelector<HTMLScriptElement>("script[type=module][src]")?.src.split("/").at(-1) ?? "",
    version: session.compiled.definition.id,
    address: () => location,
    onReport: (message) => push("js-exception", { message }),
  });

  const eventStore = whereAllowed(() => indexedDB, counting.mayKeep);
  const outbox = startOutbox(parts, eventStore, report);

  /** The data layer and the analytics service, each once. */
  const push: DataLayer["push"] = (event, entry) => {
    layer.push(event, entry);
    measuring.push(event, entry);
  };

  const refuses = Reflect.get(navigator, "globalPrivacyControl") === true;
  const consent = createConsent({ store, api, now: () => new Date(), uuid: () => crypto.randomUUID(), refuses });
  consent.subscribe(layer.consent);
  consent.subscribe(() => {
    counting.settle();
    eventStore.settle();
  });
  const measuring = googleAnalytics(outside.analytics, {
    load: loadScript,
    window,
    consent,
    arrival: services.arrival,
    origin: location.origin,
    referrer: document.referrer,
    forget,
  });
  const manager = tagManager(outside.tagManager, loadScript, (entry) => list.push(entry));
  void obeyConsent([measuring, manager, startBraze(parts, outside.braze, report)], consent);
  void consent.record();

  watchUser(session, push);
  hideMissingPictures();
  watchConnection(site, outbox, consent);
  const overlays = startOverlays(parts, consent, outside.chat);

  function request(ended: EndedRequest) {
    // What reports and counts does not count itself.
    if (ended.endpoint !== endpoints.sendEvent.path && ended.endpoint !== endpoints.reportError.path) tellRequest(ended, push);
  }

  return {
    add(event) {
      outbox.add(event);
      tellEvent(event, push, services.track);
    },
    waiting: outbox.waiting,
    report,
    request,
    unsent: (endpoint, error) => request({ endpoint: endpoints[endpoint].path, status: 0, duration: 0, error }),
    moved: (before, after) => tellMove(before, after, push, hashedEmail),
    arrived(path) {
      measuring.page(path);
      tellPage(path, locale, { api, store: counting, push });
    },
    product: ({ productId, productType, currency, price }) =>
      push("me_web_product", { product_id: productId, product_type: productType, currency, price: majorUnits(price, currency) }),
    locate: consent.locate,
    doNotSell: () => consent.choose({ ...consent.grants(), marketing: false }, "doNotSell"),
    cookieSettings: () => void overlays.then(({ openSettings }) => openSettings()),
  };
}

/** `window.dataLayer`, made if the page has none. */
function dataLayerList(): unknown[] {
  if (!v.is(dataLayerSchema, window)) Reflect.set(window, "dataLayer", []);
  return v.parse(dataLayerSchema, window).dataLayer;
}

function startOutbox({ site, counting, device }: AnalyticsParts, eventStore: EventStore, report: Analytics["report"]): Outbox {
  return createOutbox({
    eventStore: withEarly(eventStore, counting),
    random: Math.random,
    report,
    isRefusal: (error) => v.isValiError(error) || (error instanceof ApiError && [400, 413, 422].includes(error.status)),
    async send(events) {
      const body = { events, device: device().deviceUuid, sentAt: new Date().toISOString() };
      await site.services.api.call("sendEvent", { body: v.parse(eventBatchSchema, body) });
    },
  });
}

function startBraze(
  { site, device, setDevice }: AnalyticsParts,
  config: OutsideConfig["braze"],
  report: Analytics["report"],
): OutsideService {
  const { session } = site;
  return braze(config, {
    load: loadScript,
    global: () => Reflect.get(window, "braze"),
    // An account's id takes the place of the one under which this device was known before.
    userId: () => session.snapshot().state.user.uuid ?? device().brazeUserId,
    onUser: (brazeUserId) => setDevice({ brazeUserId }),
    watchUser: session.subscribe,
    onMessage: () => setDevice({ brazeInAppMessage: true }),
    report,
  });
}

/** Once the page is calm, each service gets the consent of that moment and every later change. */
async function obeyConsent(services: readonly OutsideService[], consent: Consent): Promise<void> {
  await calm();
  for (const service of services) {
    service.consent(consent.grants());
    consent.subscribe(service.consent);
  }
  performance.mark("calm");
}

/** What could not be sent is sent when the connection is back. */
function watchConnection({ session, services }: WebSite, outbox: Outbox, consent: Consent): void {
  goOnWhenConnected({
    session,
    offer: services.offer,
    online: () => navigator.onLine,
    questionId() {
      const match = matchPath(location.pathname);
      return match.kind === "page" && match.params.question !== undefined ? Number(match.params.question) : null;
    },
    onOnline: (back) => addEventListener("online", back),
  });
  addEventListener("online", () => {
    void outbox.flush();
    void consent.record();
  });
}

function startOverlays(
  { site, answersAtStart, styles }: AnalyticsParts,
  consent: Consent,
  chatConfig: OutsideConfig["chat"],
): Promise<Overlays> {
  const chat = chatConfig === null ? null : createChat(chatConfig, loadScript, window);
  const openChat =
    chat === null
      ? null
      : () => {
          site.services.track({ eventType: "ChatbotOpen", payload: {} });
          const wayOut = () => location.assign(buildPath("handle-your-subscription", site.locale));
          if (consent.grants().functional) chat.open().catch(wayOut);
          else wayOut();
        };
  async function mount() {
    const { mountOverlays } = await import("./Overlays.tsx");
    // The page's own sheets hold what the overlays are painted with.
    await Promise.all([site.moreTexts(), site.laterContents(), styles()]);
    return mountOverlays(site, { consent, openChat, answersAtStart });
  }
  const whenOnline = () => new Promise((resolve) => addEventListener("online", resolve, { once: true }));
  // Who has no line now is asked when it is back.
  const overlays = mount().catch(() => whenOnline().then(mount));
  overlays.catch(() => undefined);
  return overlays;
}

/** The entries of the data layer that an event of ours stands for. */
function tellEvent({ eventType, payload }: WaitingEvent, push: DataLayer["push"], track: WebSite["services"]["track"]): void {
  // The only campaign event there is: the engine's extra tracking.
  if (eventType === "CampaignEvent") push("questionnaire_question_3", { name: String(payload["name"]) });
  if (eventType !== "PurchaseFlow") return;
  const stage = String(payload["stage"]);
  const productId = payload["productId"];
  push("me_web_checkout", { stage, ...(typeof productId === "string" ? { product_id: productId } : {}) });
  if (stage === "payment-selected")
    track({ eventType: "PaymentMethodSelected", payload: typeof productId === "string" ? { productId } : {} });
  if (stage === "error") push("purchase_fail", { message: String(payload["error"] ?? "") });
}

/** The entries of the data layer that a page stands for. */
function tellPage(path: string, locale: Locale, purchase: PurchaseParts): void {
  const match = matchPath(path);
  if (match.kind === "root" || (match.kind === "page" && match.route === "home")) purchase.push("homepage", { locale });
  const thanked = match.kind === "page" && match.route === "questionnaire/thank-you";
  // Whoever reactivated goes to the level test without the thank-you page, so their purchase is reported there (decision 067).
  const cameBack =
    match.kind === "page" && match.route === "questionnaire/start-level-test" && purchase.store.get("questionnaireSkip") === "reactivate";
  if (thanked || cameBack) void watchPurchase(purchase);
}

/** Takes this host's cookies away that begin so. */
function forget(prefix: string): void {
  for (const cookie of document.cookie.split("; ")) {
    const [name = ""] = cookie.split("=");
    if (name.startsWith(prefix)) document.cookie = `${name}=; path=/; max-age=0`;
  }
}
