/**
 * The browser side of Paddle Classic: sets `window.Paddle` as its script does. The function's source text is sent to the browser, so it may not use
 * anything outside itself.
 */
import { addPageColours } from "./pageColours.ts";
import { ownFolder } from "./source.ts";

interface ClassicOpening {
  readonly override: string;
  readonly method?: string;
  readonly frameTarget?: string;
  readonly frameInitialHeight?: number;
  readonly frameStyle?: string;
  readonly email?: string;
  readonly locale?: string;
}

/**
 * @param base URL of the Classic stand-in, such as `http://localhost:3000/standins/paddle/classic`
 * @param addColours the function `addPageColours`, whose source text is sent to the browser together with this one's
 */
function installClassic(base: string, addColours: (query: URLSearchParams) => void): void {
  let callback: (event: object) => void = () => undefined;
  let frame: HTMLIFrameElement | null = null;
  let opened: ClassicOpening | null = null;
  let checkoutId = "";

  /** Classic's names for the form's events. */
  const names: Readonly<Record<string, readonly string[]>> = {
    "checkout.loaded": ["Checkout.Loaded"],
    "checkout.customer.created": ["Checkout.Customer.Details", "Checkout.Payment.Selection"],
    "checkout.payment.selected": ["Checkout.Payment.Selected"],
    "checkout.payment.failed": ["Checkout.Failed"],
    "checkout.payment.error": ["Checkout.Error"],
    "checkout.error": ["Checkout.Error"],
    "checkout.completed": ["Checkout.PaymentComplete", "Checkout.Complete"],
  };
  const tell = (event: string, more: object = {}) =>
    callback({ event, eventData: { checkout: { id: checkoutId }, ...more }, checkoutData: { checkout: { id: checkoutId } } });

  function listen(message: MessageEvent): void {
    if (frame === null || message.source !== frame.contentWindow || message.origin !== new URL(base).origin) return;
    const { kind, event, height } = message.data;
    if (kind === "height") frame.style.height = `${height}px`;
    if (kind !== "event") return;
    for (const name of names[event.name] ?? []) tell(name, { error: event.detail ?? null });
  }

  function close(): void {
    opened = null;
    window.removeEventListener("message", listen);
    const was = frame !== null;
    frame?.remove();
    frame = null;
    if (was) tell("Checkout.Close");
  }

  async function open(input: ClassicOpening): Promise<void> {
    close();
    opened = input;
    const target = document.getElementsByClassName(input.frameTarget ?? "")[0];
    if (target === undefined) throw new Error(`[PADDLE] no element with the class ${input.frameTarget}`);
    const response = await fetch(`${base}/checkout-of-link`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ url: input.override, email: input.email ?? null }),
    });
    const answer = await response.json();
    // Another open or close came first.
    if (opened !== input) return;
    if (!response.ok) return tell("Checkout.Error", { error: answer.error?.detail ?? "not found" });
    checkoutId = answer.checkoutId;
    const query = new URLSearchParams({ _ptxn: answer.transactionId, locale: input.locale ?? navigator.language, theme: "light" });
    addColours(query);
    frame = document.createElement("iframe");
    frame.src = `${base}/frame?${query}`;
    frame.title = "Paddle";
    frame.name = "pf_classic";
    frame.allow = "payment";
    frame.style.cssText = input.frameStyle ?? "width: 100%; min-width: 312px; background-color: transparent; border: none;";
    frame.style.height = `${input.frameInitialHeight ?? 366}px`;
    window.addEventListener("message", listen);
    target.replaceChildren(frame);
  }

  Object.assign(window, {
    Paddle: {
      Environment: { set: () => undefined },
      Setup: (options: { readonly eventCallback?: (event: object) => void }) => {
        callback = options.eventCallback ?? callback;
      },
      Checkout: {
        open: (input: ClassicOpening) => void open(input).catch((error: unknown) => tell("Checkout.Error", { error: String(error) })),
        close,
      },
    },
  });
}

export const classicScript = `(${installClassic})(${ownFolder}, ${addPageColours});`;
