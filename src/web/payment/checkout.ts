/** Paying (spec 001 §4, "Checkout"): the provider's form is opened for an order, and what becomes of the order is found out. */
import * as codes from "#core/errorCodes.ts";
import type { Checkout } from "#blocks/view.ts";
import type { PurchaseStage } from "#core/events.ts";
import type { PaymentProviderName, Product } from "#core/products.ts";
import { ApiError } from "../api/request.ts";
import { createListeners } from "../listeners.ts";
import { createForm, type FormEvent, type FormParts, linkBody, payLink, type PaymentForm } from "./forms.ts";
import { type CheckoutSnapshot, idleCheckout } from "./snapshots.ts";

export interface CheckoutService {
  readonly subscribe: (changed: () => void) => () => void;
  readonly snapshot: () => CheckoutSnapshot;
  readonly open: Checkout["open"];
  readonly close: Checkout["close"];
  readonly openHosted: Checkout["openHosted"];
  readonly mailLink: Checkout["mailLink"];
}

export interface CheckoutParts extends FormParts {
  /** The chosen product, as soon as there is one. */
  readonly product: () => Promise<Product>;
  /** What was offered is not sold to this person, or not where they are now. */
  readonly onNotSold: () => void;
  readonly onStage: (stage: PurchaseStage, error?: string) => void;
  /** It is paid: now, or before, which Back and a second tab do not know. */
  readonly onCompleted: () => void;
  readonly leaveTo: (url: string) => void;
}

/** The checkout's status when no order could be opened, by error code. */
const statusOf: Readonly<Partial<Record<number, "limited" | "down">>> = {
  [codes.tooMany]: "limited",
  [codes.providerFailed]: "down",
};

export function createCheckout(parts: CheckoutParts): CheckoutService {
  const { subscribe, tell } = createListeners();
  let current = idleCheckout;
  function set(status: CheckoutSnapshot["status"]) {
    current = { status };
    tell();
  }
  let completed = false;
  function complete() {
    if (completed) return;
    completed = true;
    parts.onCompleted();
  }
  const inline = createInlineForm(parts, {
    status: () => current.status,
    set,
    begin: () => void (completed = false),
    complete,
  });
  return {
    subscribe,
    snapshot: () => current,
    open: (frameTarget) => void inline.open(frameTarget),
    close: inline.close,
    async openHosted() {
      try {
        const product = await parts.product();
        const { url, id, problem } = await payLink(parts, product);
        if (url === "") throw problem;
        const { status } = await parts.api.call("paymentStatus", { body: { paymentId: id, paymentProvider: product.paymentProvider } });
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
        await parts.api.call("payLinkMail", { body: linkBody(parts, await parts.product()) });
        return true;
      } catch {
        // The block says that it did not go out.
        return false;
      }
    },
  };
}

interface Progress {
  readonly status: () => CheckoutSnapshot["status"];
  readonly set: (status: CheckoutSnapshot["status"]) => void;
  readonly begin: () => void;
  readonly complete: () => void;
}

/** The form in the page: one at a time, whichever provider's. */
function createInlineForm(parts: CheckoutParts, { status: statusNow, set, begin, complete }: Progress) {
  const forms = new Map<PaymentProviderName, PaymentForm>();
  /** Each opening has a number: what an earlier one still brings is of no interest. */
  let opening = 0;
  let shown: { readonly form: PaymentForm; paymentId: string; provider: PaymentProviderName } | null = null;
  /** Each is offered anew once. */
  const notSold = new Set<string>();

  /** How our order stands: paid in another tab or before Back, or ended because another plan was opened. */
  async function lookAtOrder(paymentId: string, paymentProvider: PaymentProviderName): Promise<void> {
    const mine = opening;
    const { status } = await parts.api.call("paymentStatus", { body: { paymentId, paymentProvider } });
    if (mine !== opening) return;
    if (status === "completed") complete();
    else if (status === "cancelled" || status === "failed") set("failed");
  }

  function onEvent({ stage, error, loaded }: FormEvent) {
    if (stage !== undefined) parts.onStage(stage, error);
    if (loaded) set("open");
    if (stage === "completed") complete();
    if (stage !== "error" || shown === null) return;
    // A form that reports an error before it is there will not come.
    if (statusNow() === "loading") set("failed");
    void lookAtOrder(shown.paymentId, shown.provider).catch(() => undefined);
  }

  async function openFor(product: Product, frameTarget: string, mine: number): Promise<void> {
    const { paymentProvider: provider } = product;
    const form = forms.get(provider) ?? createForm(provider, parts, onEvent);
    forms.set(provider, form);
    shown = { form, paymentId: "", provider };
    const paymentId = await form.open(product, { frameTarget, wanted: () => mine === opening });
    if (mine !== opening) return;
    shown = { form, paymentId, provider };
    // The form does not wait for it: nearly always the answer is that nothing is paid yet.
    await lookAtOrder(paymentId, provider).catch(() => undefined);
  }

  function fail(error: unknown, product: Product | null) {
    // A script that did not come is fetched again.
    if (product !== null) forms.delete(product.paymentProvider);
    parts.onStage("error", String(error));
    const code = error instanceof ApiError ? error.code : null;
    if (product !== null && code === codes.notSold && !notSold.has(product.productId)) {
      notSold.add(product.productId);
      parts.onNotSold();
    }
    set((code !== null && statusOf[code]) || "failed");
  }

  return {
    async open(frameTarget: string) {
      const mine = ++opening;
      begin();
      set("loading");
      parts.onStage("opened");
      let product: Product | null = null;
      try {
        const chosen = await parts.product();
        if (mine !== opening) return;
        product = chosen;
        await openFor(chosen, frameTarget, mine);
      } catch (error) {
        if (mine === opening) fail(error, product);
      }
    },
    close() {
      opening += 1;
      if (statusNow() === "open") parts.onStage("closed");
      shown?.form.close();
      shown = null;
      set("idle");
    },
  };
}
