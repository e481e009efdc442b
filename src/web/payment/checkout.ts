/** The provider's inline form (spec 001 §4, "Checkout"): its script, its order, and the stages it reports. */
import type { Checkout } from "#blocks/view.ts";
import type { PurchaseStage } from "#core/events.ts";
import { type Locale, localeTraits } from "#core/locales.ts";
import type { BodyInput, Output } from "#core/api.ts";
import type { PaymentProviderName, Product } from "#core/products.ts";
import type { Theme } from "#core/questionnaire/definition.ts";
import type { Paddle, PaddleEventData } from "@paddle/paddle-js";
import { type Api, ApiError } from "../api/client.ts";
import type { ClientConfig } from "../clientConfig.ts";
import type { ClassicEvent, ClassicPaddle } from "./classicScript.ts";
import { idleCheckout } from "./start.ts";

export type CheckoutSnapshot = Pick<Checkout, "status">;

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
  readonly config: Pick<ClientConfig, "paddle" | "paddleClassic">;
  readonly loadPaddle: PaddleLoader;
  readonly loadClassic: ClassicLoader;
  readonly locale: Locale;
  readonly theme: () => Theme;
  /** The chosen product, as soon as there is one. */
  readonly product: () => Promise<Product>;
  /** What was offered is not sold to this person, or not where they are now. */
  readonly onNotSold: () => void;
  /** The one that the offer's prices have. */
  readonly couponCode: () => string | undefined;
  /** The buyer's, in which receipts and mails name days. */
  readonly timeZone: string;
  readonly email: () => string | undefined;
  /** Path of the page to come back to. */
  readonly returnPath: () => string;
  readonly onStage: (stage: PurchaseStage, error?: string) => void;
  /** It is paid: now, or before, which Back and a second tab do not know. */
  readonly onCompleted: () => void;
  readonly leaveTo: (url: string) => void;
}

export type PaddleLoader = (config: ClientConfig["paddle"], onEvent: (event: PaddleEventData) => void) => Promise<Pick<Paddle, "Checkout">>;
export type ClassicLoader = (
  config: NonNullable<ClientConfig["paddleClassic"]>,
  onEvent: (event: ClassicEvent) => void,
) => Promise<ClassicPaddle>;

/** What an event of either generation is to us. */
interface FormEvent {
  readonly stage?: PurchaseStage | undefined;
  readonly error?: string | undefined;
  readonly loaded?: boolean;
}
/** A provider's form, whichever: opened for an order, closed again. */
interface PaymentForm {
  /** @returns the payment's id, which payment-status is asked with */
  readonly open: (product: Product, look: FormLook) => Promise<string>;
  readonly close: () => void;
}
interface FormLook {
  readonly frameTarget: string;
  /** False when the page has closed it or opened it anew meanwhile. */
  readonly wanted: () => boolean;
}

const frameStyle = "width: 100%; min-width: 312px; background-color: transparent; border: none;";

export function createCheckout(parts: CheckoutParts): CheckoutService {
  const { api } = parts;
  const listeners = new Set<() => void>();
  let current = idleCheckout;
  const forms = new Map<PaymentProviderName, PaymentForm>();
  /** Each opening has a number: what an earlier one still brings is of no interest. */
  let opening = 0;
  let shown: { readonly form: PaymentForm; paymentId: string; provider: PaymentProviderName } | null = null;
  let completed = false;
  /** Each is offered anew once. */
  const notSold = new Set<string>();

  function set(change: Partial<CheckoutSnapshot>) {
    current = { ...current, ...change };
    for (const listener of listeners) listener();
  }

  function complete() {
    if (completed) return;
    completed = true;
    parts.onCompleted();
  }

  /** How our order stands: paid in another tab or before Back, or ended because another plan was opened. */
  async function lookAtOrder(paymentId: string, paymentProvider: PaymentProviderName): Promise<void> {
    const mine = opening;
    const { status } = await api.call("paymentStatus", { body: { paymentId, paymentProvider } });
    if (mine !== opening) return;
    if (status === "completed") complete();
    else if (status === "cancelled" || status === "failed") set({ status: "failed" });
  }

  function onEvent({ stage, error, loaded }: FormEvent) {
    if (stage !== undefined) parts.onStage(stage, error);
    if (loaded) set({ status: "open" });
    if (stage === "completed") complete();
    if (stage !== "error" || shown === null) return;
    // A form that reports an error before it is there will not come.
    if (current.status === "loading") set({ status: "failed" });
    void lookAtOrder(shown.paymentId, shown.provider).catch(() => undefined);
  }

  const appearance = () => (parts.theme() === "Kosmo" ? "dark" : "light");

  function billingForm(): PaymentForm {
    const loading = parts.loadPaddle(parts.config.paddle, ({ name, data, detail }) => {
      const stage = name === undefined ? undefined : stageOf[name];
      onEvent({ stage, error: stage === "error" ? (detail ?? name) : undefined, loaded: name === "checkout.loaded" });
      // The methods stand in the form as soon as it knows the customer.
      if (name === "checkout.customer.created" && data) parts.onStage("payment-selection");
    });
    return {
      async open(product, { frameTarget, wanted }) {
        const order = api.call("createTransaction", {
          body: { pricingId: product.productId, couponCode: parts.couponCode(), timeZone: parts.timeZone },
        });
        const [{ transactionId }, paddle] = await Promise.all([order, loading]);
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
              theme: appearance(),
              allowLogout: false,
              showAddDiscounts: false,
            },
          });
        return transactionId;
      },
      close: () => void loading.then((paddle) => paddle.Checkout.close()).catch(() => undefined),
    };
  }

  function classicForm(): PaymentForm {
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
    return {
      async open(product, { frameTarget, wanted }) {
        const [{ url, id, problem }, paddle] = await Promise.all([payLink(product), loading]);
        if (url === "") throw problem;
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
        return id;
      },
      close: () => void loading.then((paddle) => paddle.Checkout.close()).catch(() => undefined),
    };
  }

  function linkBody(product: Product): BodyInput<"payLink"> {
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

  /** Our order's page at the provider. On failure empty strings are used (spec 001 §7), and the reason stands beside them. */
  async function payLink(product: Product): Promise<Output<"payLink"> & { readonly problem?: unknown }> {
    try {
      return await api.call("payLink", { body: linkBody(product) });
    } catch (problem) {
      return { url: "", id: "", problem };
    }
  }

  async function open(frameTarget: string) {
    const mine = ++opening;
    completed = false;
    set({ status: "loading" });
    parts.onStage("opened");
    let chosen: Product | null = null;
    try {
      const product = await parts.product();
      if (mine !== opening) return;
      chosen = product;
      const provider = product.paymentProvider;
      const form = forms.get(provider) ?? (provider === "paddle" ? classicForm() : billingForm());
      forms.set(provider, form);
      shown = { form, paymentId: "", provider };
      const paymentId = await form.open(product, { frameTarget, wanted: () => mine === opening });
      if (mine !== opening) return;
      shown = { form, paymentId, provider };
      // The form does not wait for it: nearly always the answer is that nothing is paid yet.
      await lookAtOrder(paymentId, provider).catch(() => undefined);
    } catch (error) {
      if (mine !== opening) return;
      // A script that did not come is fetched again.
      if (chosen !== null) forms.delete(chosen.paymentProvider);
      parts.onStage("error", String(error));
      if (chosen !== null && error instanceof ApiError && error.code === 1200 && !notSold.has(chosen.productId)) {
        notSold.add(chosen.productId);
        parts.onNotSold();
      }
      set({ status: (error instanceof ApiError && statusOf[error.code]) || "failed" });
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
      shown?.form.close();
      shown = null;
      set({ status: "idle" });
    },
    async openHosted() {
      try {
        const product = await parts.product();
        const { url, id, problem } = await payLink(product);
        if (url === "") throw problem;
        const { status } = await api.call("paymentStatus", { body: { paymentId: id, paymentProvider: product.paymentProvider } });
        if (status === "completed") complete();
        else parts.leaveTo(url);
        return true;
      } catch (error) {
        // The block says so; the other ways on stay where they are.
        parts.onStage("error", String(error));
        return false;
      }
    },
    async mailLink() {
      try {
        await api.call("payLinkMail", { body: linkBody(await parts.product()) });
        return true;
      } catch {
        // The block says that it did not go out.
        return false;
      }
    },
  };
}

/** What the block says of an order that was not opened, by the error's code. */
const statusOf: Readonly<Partial<Record<number, "limited" | "down">>> = { 1429: "limited", 1202: "down" };

/** The spec's stages by the provider's events. */
const stageOf: Readonly<Record<string, PurchaseStage>> = {
  "checkout.customer.created": "customer-details",
  "checkout.payment.selected": "payment-selected",
  "checkout.payment.failed": "error",
  "checkout.payment.error": "error",
  "checkout.error": "error",
  "checkout.completed": "completed",
};

/** The same by Paddle Classic's, which the spec's names come from. */
const classicStageOf: Readonly<Record<string, PurchaseStage>> = {
  "Checkout.Customer.Details": "customer-details",
  "Checkout.Payment.Selection": "payment-selection",
  "Checkout.Payment.Selected": "payment-selected",
  "Checkout.Failed": "error",
  "Checkout.Error": "error",
  "Checkout.Complete": "completed",
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
