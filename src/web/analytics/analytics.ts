/**
 * Analytics: event outbox, error reports, data layer, consent and third-party services. It loads after hydration; `lazyAnalytics.ts` hands over
 * what happened before.
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
import { type Chat, createChat } from "../outside/chat.ts";
import { calm, loadScript, noService, type OutsideService } from "../outside/outside.ts";
import { googleAnalytics } from "../outside/googleAnalytics.ts";
import { tagManager } from "../outside/tagManager.ts";
import type { CountingStore } from "../device/counting.ts";
import type { Device } from "../device/device.ts";
import type { WebSite } from "../siteContext.tsx";
import { goToPath } from "../navigation.ts";
import { goOnWhenConnected } from "./connection.ts";
import { type Consent, createConsent } from "./consent.ts";
import { createDataLayer, type DataLayer, hashedEmail } from "../outside/dataLayer.ts";
import { createErrorReports } from "./errors.ts";
import type { WaitingEvent } from "../session/event.ts";
import { type Answered, watchAnswers } from "../shell/answered.ts";
import { hideMissingPictures } from "./missingPictures.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import { type EventStore, whereAllowed, withEarly } from "./eventStore.ts";
import type { Overlays } from "./Overlays.tsx";
import { type PurchaseParts, pushMove, pushRequest, pushPurchase, watchUser } from "./visit.ts";

export interface AnalyticsParts {
  readonly site: WebSite;
  /** The store for entries that only serve counting. */
  readonly counting: CountingStore;
  readonly device: () => Device;
  readonly setDevice: (change: Partial<Device>) => void;
  /** The answers when the session started; null if a tap on a page of ours led here. */
  readonly answersAtStart: State["selectedOptions"] | null;
  /** Resolves when the page's full style sheets have loaded. */
  readonly styles: () => Promise<void>;
}

export interface Analytics {
  readonly add: (event: WaitingEvent) => void;
  /** The events that the server has not confirmed. */
  readonly waiting: () => readonly WaitingEvent[];
  readonly report: (error: unknown) => void;
  readonly request: (ended: EndedRequest) => void;
  /** Reports a call that could not be sent because the API client did not load. */
  readonly unsent: (endpoint: Endpoint, error: unknown) => void;
  /** To be called when the visitor's action has changed the state. */
  readonly moved: (before: State, after: State) => void;
  /** To be called with the path of each shown page. */
  readonly arrived: (path: string) => void;
  /** To be called when a product is chosen. */
  readonly product: (product: Product) => void;
  /** Sets the visitor's country; null if unknown. */
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

  const refuses = Reflect.get(navigator, "globalPrivacyControl") === true;
  const consent = createConsent({ store, api, now: () => new Date(), uuid: () => crypto.randomUUID(), refuses });
  const eventStore = whereAllowed(counting.mayKeep);
  const outbox = startOutbox(parts, eventStore, report);

  /** Pushes an entry to the data layer and to Google Analytics. */
  const push: DataLayer["push"] = (event, entry) => {
    layer.push(event, entry);
    measuring.push(event, entry);
  };

  followConsent(consent, layer, [counting, eventStore]);
  const measuring = googleAnalytics(outside.analytics, {
    load: loadScript,
    window,
    consent,
    arrival: services.arrival,
    origin: location.origin,
    referrer: document.referrer,
    deleteCookies,
  });
  const manager = tagManager(outside.tagManager, loadScript, (entry) => list.push(entry));
  const chat = outside.chat === null ? null : createChat(outside.chat, loadScript, window);
  void applyConsent([measuring, manager, startBraze(parts, outside.braze, report), chat ?? noService], consent);
  void consent.record();

  watchUser(session, push);
  hideMissingPictures();
  watchConnection(site, outbox, consent);
  const answers = watchAnswers(cameFromUs() ? null : parts.answersAtStart);
  const overlays = startOverlays(parts, consent, answers, chat);

  function request(ended: EndedRequest) {
    // Calls that send events or error reports are not counted themselves.
    if (ended.endpoint !== endpoints.sendEvent.path && ended.endpoint !== endpoints.reportError.path) pushRequest(ended, push);
  }

  return {
    add(event) {
      outbox.add(event);
      pushEvent(event, push, services.track);
    },
    waiting: outbox.waiting,
    report,
    request,
    unsent: (endpoint, error) => request({ endpoint: endpoints[endpoint].path, status: 0, duration: 0, error }),
    moved(before, after) {
      pushMove(before, after, push, hashedEmail);
      answers.moved(before, after);
    },
    arrived: oncePerPage((path) => {
      measuring.page(path);
      pushPage(path, locale, { api, store: counting, push });
    }),
    product: ({ productId, productType, currency, price }) =>
      push("me_web_product", { product_id: productId, product_type: productType, currency, price: majorUnits(price, currency) }),
    locate: consent.locate,
    doNotSell: () => consent.choose({ ...consent.grants(), marketing: false }, "doNotSell"),
    cookieSettings: () => void overlays.then(({ openSettings }) => openSettings()),
  };
}

/** Whether a link on a page of ours loaded this page. */
const cameFromUs = () => document.referrer.startsWith(`${location.origin}/`);

/** Follows the visitor's choice, on this page and in other tabs. */
function followConsent(consent: Consent, layer: DataLayer, stores: readonly { readonly settle: () => void }[]): void {
  addEventListener("storage", ({ key }) => key === "consent" && consent.chosenElsewhere());
  consent.subscribe(layer.consent);
  consent.subscribe(() => stores.forEach((store) => store.settle()));
}

/** `window.dataLayer`, created if missing. */
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
    // An account's id replaces the device's earlier id.
    userId: () => session.snapshot().state.user.uuid ?? device().brazeUserId,
    onUser: (brazeUserId) => setDevice({ brazeUserId }),
    watchUser: session.subscribe,
    onMessage: () => setDevice({ brazeInAppMessage: true }),
    report,
  });
}

/** Once the page is idle, gives each service the current consent and every later change. */
async function applyConsent(services: readonly OutsideService[], consent: Consent): Promise<void> {
  await calm();
  for (const service of services) {
    service.consent(consent.grants());
    consent.subscribe(service.consent);
  }
  performance.mark("calm");
}

/** Sends pending data when the connection is back. */
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

function startOverlays({ site, styles }: AnalyticsParts, consent: Consent, answered: Answered, chat: Chat | null): Promise<Overlays> {
  const openChat =
    chat === null
      ? null
      : () => {
          site.services.track({ eventType: "ChatbotOpen", payload: {} });
          const help = buildPath("handle-your-subscription", site.locale);
          const wayOut = () => goToPath(help, { locale: site.locale, version: site.session.compiled.definition.id });
          if (consent.grants().functional) chat.open().catch(wayOut);
          else wayOut();
        };
  async function mount() {
    const { mountOverlays } = await import("./Overlays.tsx");
    // The full style sheets contain the overlays' rules.
    await Promise.all([site.moreTexts(), site.laterContents(), styles()]);
    return mountOverlays(site, { consent, openChat, answered });
  }
  const whenOnline = () => new Promise((resolve) => addEventListener("online", resolve, { once: true }));
  // Without a connection, the overlays are mounted when it is back.
  const overlays = mount().catch(() => whenOnline().then(mount));
  overlays.catch(() => undefined);
  return overlays;
}

/** Pushes the data-layer entries that belong to an event. */
function pushEvent({ eventType, payload }: WaitingEvent, push: DataLayer["push"], track: WebSite["services"]["track"]): void {
  // The only campaign event is the engine's extra tracking.
  if (eventType === "CampaignEvent") push("questionnaire_question_3", { name: String(payload["name"]) });
  if (eventType !== "PurchaseFlow") return;
  const stage = String(payload["stage"]);
  const productId = payload["productId"];
  push("me_web_checkout", { stage, ...(typeof productId === "string" ? { product_id: productId } : {}) });
  if (stage === "payment-selected")
    track({ eventType: "PaymentMethodSelected", payload: typeof productId === "string" ? { productId } : {} });
  if (stage === "error") push("purchase_fail", { message: String(payload["error"] ?? "") });
}

/** A link to a part of a page shows no other page, although the browser then tells of a change. */
function oncePerPage(report: Analytics["arrived"]): Analytics["arrived"] {
  let last: string | null = null;
  return (path) => {
    if (path !== last) report(path);
    last = path;
  };
}

/** Pushes the data-layer entries that belong to a page. */
function pushPage(path: string, locale: Locale, purchase: PurchaseParts): void {
  const match = matchPath(path);
  if (match.kind === "root" || (match.kind === "page" && match.route === "home")) purchase.push("homepage", { locale });
  const thanked = match.kind === "page" && match.route === "questionnaire/thank-you";
  // A reactivation skips the thank-you page and goes to the level test, so its purchase is reported there (decision 067).
  const isReactivation =
    match.kind === "page" && match.route === "questionnaire/start-level-test" && purchase.store.get("questionnaireSkip") === "reactivate";
  if (thanked || isReactivation) void pushPurchase(purchase);
}

/** Deletes this host's cookies whose names begin with the prefix. */
function deleteCookies(prefix: string): void {
  for (const cookie of document.cookie.split("; ")) {
    const [name = ""] = cookie.split("=");
    if (name.startsWith(prefix)) document.cookie = `${name}=; path=/; max-age=0`;
  }
}
