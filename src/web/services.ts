/** What pages can ask of the world; on the server it is silent. */
import type { PageEvent } from "./session/event.ts";
import type { Api } from "./api/client.ts";
import type { CheckoutService } from "./payment/checkout.ts";
import type { Payment, PaymentChoice } from "./payment/later.ts";
import type { OfferService } from "./payment/offer.ts";
import { idleCheckout, loadingOffer } from "./payment/snapshots.ts";
import { type KeyValueStore, memoryStore } from "./device/storage.ts";

export interface Services {
  readonly api: Api;
  readonly store: KeyValueStore;
  /** The query this page was opened with; what is secret in it has left the address bar. */
  readonly arrival: URLSearchParams;
  /** Calls go to this back end from now on, if it is one of ours. */
  readonly callBackend: (url: string | null) => void;
  readonly offer: OfferService;
  readonly checkout: CheckoutService;
  /** Another offer than the questionnaire's, with its checkout. */
  readonly paymentFor: (choice: PaymentChoice) => Payment;
  readonly track: (event: PageEvent) => void;
  /** Opens the choice of cookies again; null while the site asks for none. */
  readonly cookieSettings: (() => void) | null;
  /** Refuses advertising, as Global Privacy Control does. */
  readonly doNotSell: () => void;
  /** An error nobody expected, for the operator. */
  readonly report: (error: unknown) => void;
}

const nothing = () => {};
const unsubscribe = () => nothing;

function noProducts(): never {
  throw new Error("No ProductsProvider found!");
}

const silentPayment: Payment = {
  offer: {
    subscribe: unsubscribe,
    snapshot: () => loadingOffer,
    configurationOf: noProducts,
    termsOf: noProducts,
    load: nothing,
    select: nothing,
    retry: nothing,
    chosen: () => Promise.reject(new Error("No product found!")),
    couponCode: () => undefined,
    applyCoupon: () => Promise.resolve("failed"),
  },
  checkout: {
    subscribe: unsubscribe,
    snapshot: () => idleCheckout,
    open: nothing,
    close: nothing,
    openHosted: () => Promise.resolve(false),
    mailLink: () => Promise.resolve(false),
  },
};

/** For rendering on the server: nothing is asked, nothing happens. */
export function silentServices(): Services {
  return {
    api: { call: () => Promise.reject(new Error("No calls while the server renders")) },
    store: memoryStore(),
    arrival: new URLSearchParams(),
    callBackend: nothing,
    ...silentPayment,
    paymentFor: () => silentPayment,
    track: nothing,
    cookieSettings: null,
    doNotSell: nothing,
    report: nothing,
  };
}
