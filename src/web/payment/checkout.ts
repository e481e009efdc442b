/** The checkout (spec 001 §4, "Checkout"): opens the provider's form for an order and follows the order's status. */
import * as codes from "#core/errorCodes.ts";
import type { Output } from "#core/api.ts";
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
  /** Resolves with the chosen product. */
  readonly product: () => Promise<Product>;
  /** Called when the server refuses to sell the product to this visitor or in this country. */
  readonly onNotSold: () => void;
  readonly onStage: (stage: PurchaseStage, error?: string) => void;
  /** Called when the order is paid, whatever the amount: now, in another tab, or before the visitor pressed Back. */
  readonly onCompleted: () => void;
  readonly leaveTo: (url: string) => void;
}

/** The checkout's status after a failed order, by error code. */
const statusOf: Readonly<Partial<Record<number, "limited" | "down">>> = {
  [codes.tooMany]: "limited",
  [codes.providerFailed]: "down",
};

/** Whether an order is paid; `failed`: with another amount (decision 086). */
const isPaid = (status: Output<"paymentStatus">["status"] | undefined) => status === "completed" || status === "failed";

export function createCheckout(parts: CheckoutParts): CheckoutService {
  const { subscribe, notify } = createListeners();
  let current = idleCheckout;
  function set(status: CheckoutSnapshot["status"]) {
    current = { status };
    notify();
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
    isComplete: () => completed,
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
        if (isPaid(status)) complete();
        else parts.leaveTo(url);
        return true;
      } catch (error) {
        // The block shows the failure. The other ways to pay remain.
        parts.onStage("error", String(error));
        return false;
      }
    },
    async mailLink() {
      try {
        await parts.api.call("payLinkMail", { body: linkBody(parts, await parts.product()) });
        return true;
      } catch {
        // The block shows the failure.
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
  readonly isComplete: () => boolean;
}

/** The inline payment form: one at a time, of either provider. */
function createInlineForm(parts: CheckoutParts, { status: statusNow, set, begin, complete, isComplete }: Progress) {
  const forms = new Map<PaymentProviderName, PaymentForm>();
  /** The number of the current opening. Late results of earlier ones are ignored. */
  let opening = 0;
  let shown: { readonly form: PaymentForm; paymentId: string; provider: PaymentProviderName } | null = null;
  /** Products that were refused. Each refusal reloads the offer only once. */
  const notSold = new Set<string>();

  /** Checks the order: paid in another tab or before Back, or cancelled for another plan. */
  async function checkOrder(): Promise<void> {
    if (shown === null || shown.paymentId === "") return;
    const thisOpening = opening;
    const body = { paymentId: shown.paymentId, paymentProvider: shown.provider };
    const answer = await parts.api.call("paymentStatus", { body }).catch(() => null);
    if (thisOpening !== opening) return;
    if (isPaid(answer?.status)) complete();
    else if (answer?.status === "cancelled") set("failed");
  }

  function onEvent({ stage, error, loaded }: FormEvent) {
    if (stage !== undefined) parts.onStage(stage, error);
    if (loaded) set("open");
    if (stage === "completed") complete();
    if (stage !== "error" || shown === null) return;
    // A form that fails while loading will not appear.
    if (statusNow() === "loading") set("failed");
    void checkOrder();
  }

  async function openFor(product: Product, frameTarget: string, thisOpening: number): Promise<void> {
    const { paymentProvider: provider } = product;
    const form = forms.get(provider) ?? createForm(provider, parts, onEvent);
    forms.set(provider, form);
    shown = { form, paymentId: "", provider };
    const wanted = () => thisOpening === opening;
    const onOrder = (paymentId: string) => void (wanted() && (shown = { form, paymentId, provider }));
    await form.open(product, { frameTarget, wanted, onOrder });
    // Checked after the form opens, because the order is nearly always unpaid.
    if (wanted()) await checkOrder();
  }

  function fail(error: unknown, product: Product | null) {
    // The next try loads the provider's script again.
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
      const thisOpening = ++opening;
      begin();
      set("loading");
      parts.onStage("opened");
      let product: Product | null = null;
      try {
        const chosen = await parts.product();
        if (thisOpening !== opening) return;
        product = chosen;
        await openFor(chosen, frameTarget, thisOpening);
      } catch (error) {
        // A form that does not come says nothing about its order, which may be paid by the mailed link.
        if (thisOpening === opening) await checkOrder();
        if (thisOpening === opening && !isComplete()) fail(error, product);
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
