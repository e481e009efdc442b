/** Loads offer and checkout when a question needs them. Most visits end before. */
import { createListeners } from "../listeners.ts";
import type { CheckoutService } from "./checkout.ts";
import type { OfferService } from "./offer.ts";
import { type CheckoutSnapshot, idleCheckout, loadingOffer, type OfferSnapshot } from "./snapshots.ts";

export interface PaymentChoice {
  readonly couponCode: string | undefined;
  /** The offer for a returning customer. */
  readonly reactivate: boolean;
}

export interface Payment {
  readonly offer: OfferService;
  readonly checkout: CheckoutService;
}

const failedOffer: OfferSnapshot = { ...loadingOffer, status: "failed" };
const failedCheckout: CheckoutSnapshot = { status: "failed" };

/** A stand-in until offer and checkout have loaded. It passes earlier calls on to them. After a failure the next call loads again. */
export function lazyPayment(load: () => Promise<Payment>, report: (error: unknown) => void): Payment {
  const { subscribe, notify } = createListeners();
  let real: Payment | null = null;
  let loading: Promise<Payment> | null = null;
  /** The last load failed. Shown like a failed offer, which has a button to try again. */
  let lost = false;

  function ready(): Promise<Payment> {
    if (lost) {
      lost = false;
      notify();
    }
    loading ??= load().then((payment) => {
      real = payment;
      payment.offer.subscribe(notify);
      payment.checkout.subscribe(notify);
      return payment;
    });
    loading.catch(() => {
      loading = null;
      lost = true;
      notify();
    });
    return loading;
  }
  const then = (act: (payment: Payment) => void) => void ready().then(act, report);
  const reportFailure = (error: unknown) => {
    report(error);
    return false;
  };

  return {
    offer: {
      subscribe,
      snapshot: () => real?.offer.snapshot() ?? (lost ? failedOffer : loadingOffer),
      configurationOf(product) {
        if (real === null) throw new Error("No ProductsProvider found!");
        return real.offer.configurationOf(product);
      },
      termsOf(product) {
        if (real === null) throw new Error("No ProductsProvider found!");
        return real.offer.termsOf(product);
      },
      load: () => then(({ offer }) => offer.load()),
      select: (productId) => then(({ offer }) => offer.select(productId)),
      retry: () => then(({ offer }) => offer.retry()),
      chosen: async () => (await ready()).offer.chosen(),
      couponCode: () => real?.offer.couponCode(),
      applyCoupon: (code) =>
        ready().then(
          ({ offer }) => offer.applyCoupon(code),
          (error: unknown) => {
            report(error);
            return "failed";
          },
        ),
    },
    checkout: {
      subscribe,
      snapshot: () => real?.checkout.snapshot() ?? (lost ? failedCheckout : idleCheckout),
      open: (frameTarget) => then(({ checkout }) => checkout.open(frameTarget)),
      close: () => real?.checkout.close(),
      openHosted: () => ready().then(({ checkout }) => checkout.openHosted(), reportFailure),
      mailLink: () => ready().then(({ checkout }) => checkout.mailLink(), reportFailure),
    },
  };
}
