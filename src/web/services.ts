/** The services that pages use. On the server they do nothing. */
import type { PageEvent } from "./session/event.ts";
import type { Api } from "./api/client.ts";
import type { CheckoutService } from "./payment/checkout.ts";
import type { Payment, PaymentChoice } from "./payment/lazyPayment.ts";
import type { OfferService } from "./payment/offer.ts";
import { idleCheckout, loadingOffer } from "./payment/snapshots.ts";
import { type KeyValueStore, memoryStore } from "./device/storage.ts";

export interface Services {
  readonly api: Api;
  readonly store: KeyValueStore;
  /** The query that the page was opened with. Its secret parameters are gone from the address bar. */
  readonly arrival: URLSearchParams;
  /** Sends further calls to this back end, if it is one of ours. */
  readonly callBackend: (url: string | null) => void;
  readonly offer: OfferService;
  readonly checkout: CheckoutService;
  /** An offer other than the questionnaire's own, with its checkout. */
  readonly paymentFor: (choice: PaymentChoice) => Payment;
  readonly track: (event: PageEvent) => void;
  /** Reopens the cookie settings; null while the server renders. */
  readonly cookieSettings: (() => void) | null;
  /** Opts out of advertising, like Global Privacy Control. */
  readonly doNotSell: () => void;
  /** Reports an unexpected error to the operator. */
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

/** The services for rendering on the server: no calls, no effects. */
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
