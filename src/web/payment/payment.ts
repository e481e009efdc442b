/** Connects offer and checkout to session, store and API. */
import { discountQuery } from "#core/links.ts";
import { planLabel } from "#core/money.ts";
import type { PurchaseStage } from "#core/events.ts";
import type { Product } from "#core/products.ts";
import { wishedProductType } from "#core/questionnaire/wishedProduct.ts";
import { buildPath } from "#core/routes.ts";
import type { ClientConfig } from "../clientConfig.ts";
import type { PageEvent } from "../session/event.ts";
import type { Api } from "../api/client.ts";
import { accountEmail } from "../device/accountAddress.ts";
import { goToPath } from "../navigation.ts";
import { localTimeZone } from "../device/device.ts";
import type { KeyValueStore } from "../device/storage.ts";
import type { Session } from "../session/session.ts";
import { createCheckout, type CheckoutParts } from "./checkout.ts";
import { loadClassic } from "./classicScript.ts";
import type { Payment, PaymentChoice } from "./lazyPayment.ts";
import { createOffer, type OfferParts, type OfferService } from "./offer.ts";
import { loadPaddle } from "./paddleScript.ts";

export interface PaymentParts {
  readonly api: Api;
  readonly store: KeyValueStore;
  readonly client: ClientConfig;
  readonly session: Session;
  /** Resolves once the country is known or the lookup has failed. */
  readonly countryKnown: () => Promise<void>;
  /** Called when a product is chosen. */
  readonly onProduct: (product: Product) => void;
  readonly track: (event: PageEvent) => void;
}

/** Offer and checkout for a visitor of the funnel or a returning customer. */
export function createPayment(parts: PaymentParts, choice: PaymentChoice): Payment {
  const offer = createOffer(offerParts(parts, choice));
  return { offer, checkout: createCheckout(checkoutParts(parts, choice, offer)) };
}

function offerParts({ api, store, session, countryKnown, onProduct }: PaymentParts, { couponCode, reactivate }: PaymentChoice): OfferParts {
  return {
    api,
    store,
    compiled: session.compiled,
    async context() {
      await countryKnown();
      return session.snapshot().context;
    },
    now: () => new Date(),
    timeZone: localTimeZone(),
    plan: () => planLabel(session.snapshot().state.studySchedule?.months),
    wish: () => wishedProductType(session.compiled, session.snapshot().state),
    couponCode,
    reactivate,
    onSelected: onProduct,
    warn: (message) => console.warn(message),
  };
}

function checkoutParts(
  { api, store, client, session, track }: PaymentParts,
  { couponCode, reactivate }: PaymentChoice,
  offer: OfferService,
): CheckoutParts {
  const { definition } = session.compiled;
  const { locale } = session.snapshot().context;
  // A second try keeps the offered discount.
  const query = reactivate ? discountQuery(couponCode ?? null) : "";
  return {
    api,
    config: client,
    loadPaddle,
    loadClassic,
    locale,
    theme: () => definition.theme,
    product: offer.chosen,
    onNotSold: offer.retry,
    couponCode: offer.couponCode,
    timeZone: localTimeZone(),
    // A page of another version than the account's has not taken over its state.
    email: () => session.snapshot().state.user.email ?? accountEmail(store) ?? undefined,
    returnPath: () => location.pathname,
    bare: () => new URLSearchParams(location.search).has("hf"),
    onStage(stage, error) {
      track({ eventType: "PurchaseFlow", payload: purchaseFlow(stage, error, offer) });
      if (stage !== "opened") return;
      store.set("paymentRetryUrl", location.pathname + query);
      // The page after the payment. It is stored, because the provider's hosted page replaces this one.
      if (reactivate) store.set("questionnaireSkip", "reactivate");
      else store.remove("questionnaireSkip");
    },
    onCompleted() {
      const provider = offer.snapshot().selected?.paymentProvider;
      if (provider !== undefined) store.set("paymentProvider", provider);
      store.set("paymentStatus", "pending");
      // A typed coupon is for one order only.
      store.remove("coupon");
      const version = definition.id;
      // Replaced in the history, so that Back does not lead to a form that charges again.
      goToPath(buildPath("questionnaire/post-purchase", locale, { version }), { locale, version }, { replace: true });
    },
    leaveTo: (url) => location.assign(url),
  };
}

function purchaseFlow(stage: PurchaseStage, error: string | undefined, offer: OfferService): PageEvent["payload"] {
  const productId = offer.snapshot().selected?.productId;
  return {
    stage,
    ...(error === undefined ? {} : { error: error.slice(0, 2000) }),
    ...(productId === undefined ? {} : { productId }),
  };
}
