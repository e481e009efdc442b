/**
 * The browser side: sets `window.PaddleBillingV1` as Paddle's own script does. The real loader of `@paddle/paddle-js`
 * finds it and adds no script tag.
 *
 * The function's source text is sent to the browser (Node has stripped the types), so it may not use anything outside itself.
 */
import type { CheckoutOpenOptions, CheckoutSettings, Paddle, PaddleSetupOptions } from "@paddle/paddle-js";

/** Every way to open a checkout, in one type. */
type Opening = {
  readonly [K in "transactionId" | "items" | "discountId" | "discountCode" | "customData" | "customer"]?: CheckoutOpenOptions[K];
} & { readonly settings?: CheckoutSettings };

type Part = Pick<Paddle, "Checkout" | "Environment" | "Initialized" | "Initialize" | "Update" | "Status" | "Version"> & {
  readonly PricePreview: (params: {
    readonly items: readonly { readonly priceId: string; readonly quantity: number }[];
  }) => Promise<object>;
};

/**
 * @param base URL of the stand-in, such as `http://localhost:3000/standins/paddle`
 * @param addColours `addPageColours`, as source text
 */
export function installPaddle(base: string, addColours: (query: URLSearchParams) => void): void {
  let options: Partial<Pick<PaddleSetupOptions, "eventCallback" | "checkout">> = {};
  let opened: Opening | null = null;
  let frame: HTMLIFrameElement | null = null;
  let backdrop: HTMLElement | null = null;

  // Sends events in wire format. Paddle's own names are enums that a page cannot import from a script.
  const tell = (event: object) => options.eventCallback?.(event);

  async function ask(path: string, body?: object): Promise<object> {
    const response = await fetch(
      `${base}/checkout${path}`,
      body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
    );
    const answer: unknown = await response.json();
    const data = typeof answer === "object" && answer !== null ? answer : {};
    if (response.ok) return data;
    const problem = "error" in data && typeof data.error === "object" && data.error !== null ? data.error : {};
    throw Object.assign(new Error("detail" in problem ? String(problem.detail) : "request failed"), { problem });
  }

  function failed(error: unknown): void {
    const problem = error instanceof Error && "problem" in error && typeof error.problem === "object" ? error.problem : {};
    tell({
      name: "checkout.error",
      type: "front_end_error",
      code: "unknown_error",
      detail: String(error),
      documentation_url: "",
      ...problem,
    });
  }

  function listen(message: MessageEvent): void {
    if (frame === null || message.source !== frame.contentWindow || message.origin !== new URL(base).origin) return;
    const { kind, event, height } = message.data;
    if (kind === "height") frame.style.height = `${height}px`;
    if (kind === "close") close();
    if (kind !== "event") return;
    tell(event);
    const next = opened?.settings?.successUrl ?? options.checkout?.settings.successUrl;
    if (event.name === "checkout.completed" && next) window.location.assign(next);
  }

  function remove(): void {
    window.removeEventListener("message", listen);
    frame?.remove();
    backdrop?.remove();
    frame = null;
    backdrop = null;
  }

  function close(): void {
    const was = frame !== null;
    remove();
    if (was) tell({ name: "checkout.closed", data: {} });
  }

  async function open(input: Opening): Promise<void> {
    remove();
    opened = input;
    const settings = { ...options.checkout?.settings, ...input.settings };
    const inline = settings.displayMode === "inline";
    const target = inline ? document.getElementsByClassName(settings.frameTarget ?? "")[0] : document.body;
    if (target === undefined) throw new Error(`[PADDLE BILLING] no element with the class ${settings.frameTarget}`);
    const data = await ask("/open", { ...input, settings });
    // Another open or close came first.
    if (opened !== input) return;
    const id = "transaction_id" in data ? String(data.transaction_id) : "";
    const query = new URLSearchParams({
      _ptxn: id,
      locale: settings.locale ?? navigator.language,
      theme: settings.theme ?? "light",
      country: input.customer?.address?.countryCode ?? "",
    });
    addColours(query);
    frame = document.createElement("iframe");
    frame.src = `${base}/frame?${query}`;
    frame.title = "Paddle";
    frame.name = inline ? "paddle_frame" : "paddle_overlay";
    frame.allow = "payment";
    frame.style.cssText = settings.frameStyle ?? "width: 100%; min-width: 312px; background-color: transparent; border: none;";
    frame.style.height = `${settings.frameInitialHeight ?? 450}px`;
    window.addEventListener("message", listen);
    if (!inline) {
      backdrop = document.createElement("div");
      backdrop.style.cssText =
        "position: fixed; inset: 0; z-index: 9999; display: grid; place-items: center; background: rgb(0 0 0 / 60%); padding: 16px;";
      frame.style.maxWidth = "440px";
      backdrop.append(frame);
      target.append(backdrop);
    } else target.replaceChildren(frame);
  }

  /** Other items mean another transaction; all other settings stay. */
  const again = (change: Opening) => {
    const { transactionId: _transactionId, ...before } = opened ?? {};
    if (before.items !== undefined || change.items !== undefined) void open({ ...before, ...change }).catch(failed);
  };

  const paddle: Part = {
    Initialized: false,
    Version: "v1",
    Status: { libraryVersion: "stand-in" },
    Environment: { set: () => undefined },
    Initialize: (given) => {
      options = given;
      paddle.Initialized = true;
    },
    Update: (given) => {
      options = { ...options, ...given };
    },
    Checkout: {
      open: (input) => void open(input).catch(failed),
      close: () => {
        opened = null;
        close();
      },
      updateCheckout: again,
      updateItems: (items) => again({ items }),
    },
    PricePreview: async ({ items }) => {
      const found = await ask(`/prices/preview?ids=${items.map((item) => item.priceId).join(",")}`);
      const list = Array.isArray(found) ? found : [];
      return {
        data: {
          currencyCode: list[0]?.price.unit_price.currency_code,
          details: {
            lineItems: list.map(({ price }, index) => ({
              price,
              quantity: items[index]?.quantity ?? 1,
              totals: { subtotal: price.unit_price.amount, discount: "0", tax: "0", total: price.unit_price.amount },
            })),
          },
        },
      };
    },
  };
  Object.assign(window, { PaddleBillingV1: paddle });
}
