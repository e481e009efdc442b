/**
 * How one can pay at the provider, besides what the operator turns off there. From Paddle's own pages, one a method
 * (developer.paddle.com/concepts/payment-methods/<method>, read in November 2026), for Paddle Classic from
 * developer.paddle.com/reference/1ee1d29c64a53-payment-methods; where the two differ, the narrower holds. OXXO, SPEI and boleto are not among them: Paddle does not take them.
 */
import type { Product } from "./products.ts";
import type { Context } from "./questionnaire/context.ts";

interface Method {
  readonly id: string;
  /** Names of brands, the same in every language. */
  readonly marks: readonly string[];
  /** ISO 3166 alpha-2; without it everywhere but in `notIn`. */
  readonly only?: string;
  readonly notIn?: readonly string[];
  readonly currency?: string;
  readonly notCurrencies?: readonly string[];
  /** The device that has it; a computer may have either or none, so neither is promised there. */
  readonly platform?: Context["platform"];
  /** For what is paid once; it cannot be charged again. */
  readonly onceOnly?: true;
  /** Paddle Classic does not have it. */
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

/** What takes this product where the visitor is, on their device; cards always. */
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
