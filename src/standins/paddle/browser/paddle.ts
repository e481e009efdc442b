/**
 * The browser side: sets `window.PaddleBillingV1` as Paddle's own script does. The real loader of `@paddle/paddle-js`
 * finds it and adds no script tag. Sent to the browser as source text with its parts (`source.ts`).
 */
import type { CheckoutOpenOptions, CheckoutSettings, Paddle, PaddleSetupOptions } from "@paddle/paddle-js";
import { addPageColours } from "./pageColours.ts";
import { askCheckout, errorEventOf } from "./paddle/checkout.ts";
import { createFrameHost } from "./paddle/frame.ts";
import { previewOf } from "./paddle/prices.ts";
import { ownFolder, sourceOf } from "./source.ts";

/** Every way to open a checkout, in one type. */
type Opening = {
  readonly [K in "transactionId" | "items" | "discountId" | "discountCode" | "customData" | "customer"]?: CheckoutOpenOptions[K];
} & { readonly settings?: CheckoutSettings };

type Part = Pick<Paddle, "Checkout" | "Environment" | "Initialized" | "Initialize" | "Update" | "Status" | "Version"> & {
  readonly PricePreview: (params: {
    readonly items: readonly { readonly priceId: string; readonly quantity: number }[];
  }) => Promise<object>;
};

const paddleParts = { addPageColours, askCheckout, createFrameHost, errorEventOf, previewOf };

/** @param base URL of the stand-in, such as `http://localhost:3000/standins/paddle` */
function installPaddle(base: string, parts: typeof paddleParts): void {
  let options: Partial<Pick<PaddleSetupOptions, "eventCallback" | "checkout">> = {};
  let opened: Opening | null = null;

  // Sends events in wire format. Paddle's own names are enums that a page cannot import from a script.
  const tell = (event: object) => options.eventCallback?.(event);

  const failed = (error: unknown) => tell(parts.errorEventOf(error));

  const host = parts.createFrameHost(base, {
    told: (event) => {
      tell(event);
      const next = opened?.settings?.successUrl ?? options.checkout?.settings.successUrl;
      if (event.name === "checkout.completed" && next) window.location.assign(next);
    },
    closed: close,
  });

  function close(): void {
    if (host.remove()) tell({ name: "checkout.closed", data: {} });
  }

  async function open(input: Opening): Promise<void> {
    host.remove();
    opened = input;
    const settings = { ...options.checkout?.settings, ...input.settings };
    const inline = settings.displayMode === "inline";
    const target = inline ? document.getElementsByClassName(settings.frameTarget ?? "")[0] : document.body;
    if (target === undefined) throw new Error(`[PADDLE BILLING] no element with the class ${settings.frameTarget}`);
    const data = await parts.askCheckout(base, "/open", { ...input, settings });
    // Another open or close came first.
    if (opened !== input) return;
    const id = "transaction_id" in data ? String(data.transaction_id) : "";
    const query = new URLSearchParams({
      _ptxn: id,
      locale: settings.locale ?? navigator.language,
      theme: settings.theme ?? "light",
      country: input.customer?.address?.countryCode ?? "",
    });
    parts.addPageColours(query);
    host.show(target, query, settings);
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
      const found = await parts.askCheckout(base, `/prices/preview?ids=${items.map((item) => item.priceId).join(",")}`);
      return parts.previewOf(items, found);
    },
  };
  Object.assign(window, { PaddleBillingV1: paddle });
}

export const paddleScript = `(${installPaddle})(${ownFolder}, ${sourceOf(paddleParts)});`;
