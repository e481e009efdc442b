/** The provider's inline form (spec 001 §4, "Checkout"): its script, its order, and the stages it reports. */
import type { Checkout } from "#blocks/view.ts";
import type { PurchaseStage } from "#core/events.ts";
import { type Locale, localeTraits } from "#core/locales.ts";
import type { Product } from "#core/products.ts";
import type { Theme } from "#core/questionnaire/definition.ts";
import type { Paddle, PaddleEventData } from "@paddle/paddle-js";
import type { Api } from "../api/client.ts";
import type { ClientConfig } from "../clientConfig.ts";
import { idleCheckout } from "./start.ts";

/** How long the provider's script may take before the ways on are shown, ms (spec 001 §9: the loader hides after 15 s at most). */
export const scriptLimit = 15_000;

export type CheckoutSnapshot = Pick<Checkout, "status" | "hostedUrl">;

export interface CheckoutService {
  readonly subscribe: (changed: () => void) => () => void;
  readonly snapshot: () => CheckoutSnapshot;
  readonly open: Checkout["open"];
  readonly close: Checkout["close"];
  readonly openHosted: Checkout["openHosted"];
  readonly mailLink: Checkout["mailLink"];
}

export interface CheckoutParts {
  readonly api: Api;
  readonly config: ClientConfig["paddle"];
  readonly loadPaddle: PaddleLoader;
  readonly locale: Locale;
  readonly theme: () => Theme;
  /** The chosen product, as soon as there is one. */
  readonly product: () => Promise<Product>;
  readonly couponCode: string | undefined;
  readonly email: () => string | undefined;
  /** Path of the page to come back to, and the question's id for a mailed link. */
  readonly returnTo: () => { readonly path: string; readonly questionId: number | null };
  readonly onStage: (stage: PurchaseStage, error?: string) => void;
  readonly onCompleted: () => void;
  readonly leaveTo: (url: string) => void;
}

export type PaddleLoader = (config: ClientConfig["paddle"], onEvent: (event: PaddleEventData) => void) => Promise<Pick<Paddle, "Checkout">>;

export function createCheckout(parts: CheckoutParts): CheckoutService {
  const { api } = parts;
  const listeners = new Set<() => void>();
  let current = idleCheckout;
  let paddle: ReturnType<PaddleLoader> | null = null;
  /** Each opening has a number: what an earlier one still brings is of no interest. */
  let opening = 0;

  function set(change: Partial<CheckoutSnapshot>) {
    current = { ...current, ...change };
    for (const listener of listeners) listener();
  }

  function onEvent({ name, data, detail }: PaddleEventData) {
    const stage = name === undefined ? undefined : stageOf[name];
    if (stage !== undefined) parts.onStage(stage, stage === "error" ? (detail ?? name) : undefined);
    if (name === "checkout.loaded") set({ status: "open" });
    // The methods stand in the form as soon as it knows the customer.
    if (name === "checkout.customer.created" && data) parts.onStage("payment-selection");
    if (name === "checkout.completed") parts.onCompleted();
  }

  async function open(frameTarget: string) {
    const mine = ++opening;
    set({ status: "loading" });
    parts.onStage("opened");
    try {
      paddle ??= parts.loadPaddle(parts.config, onEvent);
      const order = parts
        .product()
        .then((product) => api.call("createTransaction", { body: { pricingId: product.productId, couponCode: parts.couponCode } }));
      const [{ transactionId }, loaded] = await Promise.all([order, paddle]);
      if (mine !== opening) return;
      const email = parts.email();
      loaded.Checkout.open({
        transactionId,
        ...(email === undefined ? {} : { customer: { email } }),
        settings: {
          displayMode: "inline",
          frameTarget,
          frameInitialHeight: 450,
          frameStyle: "width: 100%; min-width: 312px; background-color: transparent; border: none;",
          locale: paddleLocale[parts.locale],
          theme: parts.theme() === "Kosmo" ? "dark" : "light",
          allowLogout: false,
          showAddDiscounts: false,
        },
      });
    } catch (error) {
      if (mine !== opening) return;
      paddle = null;
      parts.onStage("error", String(error));
      set({ status: "failed" });
    }
  }

  return {
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    snapshot: () => current,
    open: (frameTarget) => void open(frameTarget),
    close() {
      opening += 1;
      if (current.status === "open") parts.onStage("closed");
      void paddle?.then((loaded) => loaded.Checkout.close()).catch(() => undefined);
      set({ status: "idle" });
    },
    async openHosted() {
      try {
        const product = await parts.product();
        const { url } = await api.call("payLink", {
          body: {
            productId: product.productId,
            returnPath: parts.returnTo().path,
            paymentProvider: product.paymentProvider,
            language: parts.locale,
            plan: product.productPlan,
            couponCode: parts.couponCode,
          },
        });
        set({ hostedUrl: url });
        parts.leaveTo(url);
      } catch (error) {
        // The other ways on stay where they are.
        parts.onStage("error", String(error));
      }
    },
    async mailLink() {
      const email = parts.email();
      if (email === undefined) return false;
      const { questionId } = parts.returnTo();
      try {
        await api.call("loginLink", {
          body: { email, ...(questionId !== null && questionId < 100 ? { target: String(questionId) } : {}) },
        });
        return true;
      } catch {
        // The block says that it did not go out.
        return false;
      }
    },
  };
}

/** The spec's stages by the provider's events (reference: integrations, "Paddle Billing"). */
const stageOf: Readonly<Record<string, PurchaseStage>> = {
  "checkout.customer.created": "customer-details",
  "checkout.payment.selected": "payment-selected",
  "checkout.payment.failed": "error",
  "checkout.payment.error": "error",
  "checkout.error": "error",
  "checkout.completed": "completed",
};

/** Paddle's `pt` is European Portuguese; Latin American Spanish it does not tell apart. */
const paddleLocale: Readonly<Record<Locale, string>> = {
  "en-US": "en",
  "es-419": "es",
  "es-ES": "es",
  "pt-BR": "pt-BR",
  "it-IT": "it",
  "de-DE": localeTraits["de-DE"].prefix,
};
