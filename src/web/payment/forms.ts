/** The inline forms of Paddle Billing and Paddle Classic. Translates their events to the specification's stages. */
import type { BodyInput, Output } from "#core/api.ts";
import type { PurchaseStage } from "#core/events.ts";
import { type Locale, localeTraits } from "#core/locales.ts";
import type { PaymentProviderName, Product } from "#core/products.ts";
import type { Theme } from "#core/questionnaire/definition.ts";
import type { Api } from "../api/client.ts";
import type { ClientConfig } from "../clientConfig.ts";
import type { ClassicLoader } from "./classicScript.ts";
import type { PaddleLoader } from "./paddleScript.ts";

/** An event of either form, in our terms. */
export interface FormEvent {
  readonly stage?: PurchaseStage | undefined;
  readonly error?: string | undefined;
  readonly loaded?: boolean;
}
/** The payment form of either provider. */
export interface PaymentForm {
  readonly open: (product: Product, look: FormLook) => Promise<void>;
  readonly close: () => void;
}
interface FormLook {
  readonly frameTarget: string;
  /** False if the page has closed or reopened the form meanwhile. */
  readonly wanted: () => boolean;
  /** Called with the payment's id for the `paymentStatus` call, even if the form then fails to open. */
  readonly onOrder: (paymentId: string) => void;
}

export interface FormParts {
  readonly api: Api;
  readonly config: Pick<ClientConfig, "paddle" | "paddleClassic">;
  readonly loadPaddle: PaddleLoader;
  readonly loadClassic: ClassicLoader;
  readonly locale: Locale;
  readonly theme: () => Theme;
  /** The coupon that the offer's prices include. */
  readonly couponCode: () => string | undefined;
  /** The buyer's time zone, for the dates in receipts and mails. */
  readonly timeZone: string;
  readonly email: () => string | undefined;
  /** The path that the provider returns to. */
  readonly returnPath: () => string;
  /** Whether this page has `hf`. The buyer then returns from the provider's page with it (spec 001 §2), but not by a mailed link. */
  readonly bare: () => boolean;
}

const frameStyle = "width: 100%; min-width: 312px; background-color: transparent; border: none;";

export function createForm(provider: PaymentProviderName, parts: FormParts, onEvent: (event: FormEvent) => void): PaymentForm {
  return provider === "paddle" ? classicForm(parts, onEvent) : billingForm(parts, onEvent);
}

function billingForm(parts: FormParts, onEvent: (event: FormEvent) => void): PaymentForm {
  const loading = parts.loadPaddle(parts.config.paddle, ({ name, data, detail }) => {
    const stage = name === undefined ? undefined : stageOf[name];
    onEvent({ stage, error: stage === "error" ? (detail ?? name) : undefined, loaded: name === "checkout.loaded" });
    // The form shows the payment methods once it knows the customer.
    if (name === "checkout.customer.created" && data) onEvent({ stage: "payment-selection" });
  });
  loading.catch(() => undefined);
  return {
    async open(product, { frameTarget, wanted, onOrder }) {
      const { transactionId } = await parts.api.call("createTransaction", {
        body: { pricingId: product.productId, couponCode: parts.couponCode(), timeZone: parts.timeZone },
      });
      onOrder(transactionId);
      const paddle = await loading;
      const email = parts.email();
      if (wanted())
        paddle.Checkout.open({
          transactionId,
          ...(email === undefined ? {} : { customer: { email } }),
          settings: {
            displayMode: "inline",
            frameTarget,
            frameInitialHeight: 450,
            frameStyle,
            locale: paddleLocale[parts.locale],
            theme: parts.theme() === "Kosmo" ? "dark" : "light",
            allowLogout: false,
            showAddDiscounts: false,
          },
        });
    },
    close: () => void loading.then((paddle) => paddle.Checkout.close()).catch(() => undefined),
  };
}

function classicForm(parts: FormParts, onEvent: (event: FormEvent) => void): PaymentForm {
  const { paddleClassic: config } = parts.config;
  if (config === null) throw new Error("Paddle Classic is not configured");
  const loading = parts.loadClassic(config, ({ event, eventData }) => {
    const stage = classicStageOf[event];
    const said = eventData?.error;
    onEvent({
      stage,
      error: stage === "error" ? (typeof said === "string" ? said : event) : undefined,
      loaded: event === "Checkout.Loaded",
    });
  });
  loading.catch(() => undefined);
  return {
    async open(product, { frameTarget, wanted, onOrder }) {
      const { url, id, problem } = await payLink(parts, product);
      if (url === "") throw problem;
      onOrder(id);
      const paddle = await loading;
      const email = parts.email();
      if (wanted())
        paddle.Checkout.open({
          override: url,
          method: "inline",
          frameTarget,
          frameInitialHeight: 366,
          frameStyle,
          locale: paddleLocale[parts.locale].slice(0, 2),
          ...(email === undefined ? {} : { email }),
        });
    },
    close: () => void loading.then((paddle) => paddle.Checkout.close()).catch(() => undefined),
  };
}

export function linkBody(parts: FormParts, product: Product): BodyInput<"payLink"> {
  return {
    productId: product.productId,
    returnPath: parts.returnPath(),
    paymentProvider: product.paymentProvider,
    language: parts.locale,
    plan: product.productPlan,
    couponCode: parts.couponCode(),
    timeZone: parts.timeZone,
  };
}

/** The provider's hosted page for our order. On failure url and id are empty (spec 001 §7), and `problem` is the error. */
export async function payLink(parts: FormParts, product: Product): Promise<Output<"payLink"> & { readonly problem?: unknown }> {
  try {
    const returnPath = parts.returnPath() + (parts.bare() ? "?hf" : "");
    return await parts.api.call("payLink", { body: { ...linkBody(parts, product), returnPath } });
  } catch (problem) {
    return { url: "", id: "", problem };
  }
}

/** The specification's stages by Paddle Billing's events. */
const stageOf: Readonly<Record<string, PurchaseStage>> = {
  "checkout.customer.created": "customer-details",
  "checkout.payment.selected": "payment-selected",
  "checkout.payment.failed": "error",
  "checkout.payment.error": "error",
  "checkout.error": "error",
  "checkout.completed": "completed",
};

/** The specification's stages by Paddle Classic's events, which gave them their names. */
const classicStageOf: Readonly<Record<string, PurchaseStage>> = {
  "Checkout.Customer.Details": "customer-details",
  "Checkout.Payment.Selection": "payment-selection",
  "Checkout.Payment.Selected": "payment-selected",
  "Checkout.Failed": "error",
  "Checkout.Error": "error",
  "Checkout.Complete": "completed",
};

/** Paddle's `pt` is European Portuguese. It has no Latin American Spanish. */
const paddleLocale: Readonly<Record<Locale, string>> = {
  "en-US": "en",
  "es-419": "es",
  "es-ES": "es",
  "pt-BR": "pt-BR",
  "it-IT": "it",
  "de-DE": localeTraits["de-DE"].prefix,
};
