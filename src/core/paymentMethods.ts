/**
 * Payment methods of the provider; the operator can turn some off there. Source: Paddle's documentation, one page per method
 * (developer.paddle.com/concepts/payment-methods/<method>, read in November 2026), and for Paddle Classic
 * developer.paddle.com/reference/1ee1d29c64a53-payment-methods. Where the two differ, the stricter one holds. OXXO, SPEI and boleto are missing
 * because Paddle does not support them.
 */
import type { Product } from "./products.ts";
import type { Context } from "./questionnaire/context.ts";

interface Method {
  readonly id: string;
  /** Brand names, the same in every language. */
  readonly marks: readonly string[];
  /** The only country that has it, ISO 3166 alpha-2; without it every country except those in `notIn`. */
  readonly only?: string;
  readonly notIn?: readonly string[];
  readonly currency?: string;
  readonly notCurrencies?: readonly string[];
  /** The only platform that has it. A computer may or may not have it, so it is not offered there. */
  readonly platform?: Context["platform"];
  /** For one-time purchases only: it cannot be charged a second time. */
  readonly onceOnly?: true;
  /** Paddle Classic does not support it. */
  readonly billingOnly?: true;
}

export const paymentMethods = [
  { id: "card", marks: ["Visa", "Mastercard", "American Express"] },
  { id: "apple_pay", marks: ["Apple Pay"], notIn: ["IN", "BR"], platform: "apple" },
  { id: "google_pay", marks: ["Google Pay"], notIn: ["IN", "BR"], platform: "android" },
  { id: "paypal", marks: ["PayPal"], notCurrencies: ["ARS", "COP", "INR", "KRW", "TRY", "TWD", "UAH", "VND", "ZAR"] },
  { id: "pix", marks: ["Pix"], only: "BR", currency: "BRL", onceOnly: true, billingOnly: true },
  { id: "ideal", marks: ["iDEAL | Wero"], only: "NL", currency: "EUR", onceOnly: true },
  { id: "bancontact", marks: ["Bancontact"], only: "BE", currency: "EUR", onceOnly: true },
] as const satisfies readonly Method[];
export type PaymentMethod = Method & { readonly id: (typeof paymentMethods)[number]["id"] };

/** The methods that can pay for this product in the visitor's country and on their device. Cards always can. */
export function paymentMethodsFor(
  product: Pick<Product, "currency" | "productType" | "paymentProvider">,
  { country, platform }: Pick<Context, "country" | "platform">,
): readonly PaymentMethod[] {
  return paymentMethods.filter(
    (method: Method) =>
      (method.only === undefined || method.only === country) &&
      !method.notIn?.includes(country) &&
      (method.currency === undefined || method.currency === product.currency) &&
      !method.notCurrencies?.includes(product.currency) &&
      (method.platform === undefined || method.platform === platform) &&
      (!method.onceOnly || product.productType === "onetime") &&
      (!method.billingOnly || product.paymentProvider === "paddlebilling"),
  );
}
