/** Both halves of paying, as the browser runs them. */
import { createCheckout, type CheckoutParts } from "./checkout.ts";
import type { Payment } from "./later.ts";
import { createOffer, type OfferParts } from "./offer.ts";
import { loadClassic } from "./classicScript.ts";
import { loadPaddle } from "./paddleScript.ts";

export interface PaymentParts {
  readonly offer: OfferParts;
  readonly checkout: (offer: Payment["offer"]) => Omit<CheckoutParts, "product" | "onNotSold" | "loadPaddle" | "loadClassic">;
}

export function createPayment(parts: PaymentParts): Payment {
  const offer = createOffer(parts.offer);
  return {
    offer,
    checkout: createCheckout({ ...parts.checkout(offer), product: offer.chosen, onNotSold: offer.retry, loadPaddle, loadClassic }),
  };
}
