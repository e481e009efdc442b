import type { CheckoutSettings } from "@paddle/paddle-js";

interface Listeners {
  /** The form reports an event. */
  readonly told: (event: { readonly name: string }) => void;
  /** The form asks to be closed. */
  readonly closed: () => void;
}

/** The form's frame on the page: in its place there, or over everything. */
export function createFrameHost(base: string, { told, closed }: Listeners) {
  let frame: HTMLIFrameElement | null = null;
  let backdrop: HTMLElement | null = null;

  function listen(message: MessageEvent): void {
    if (frame === null || message.source !== frame.contentWindow || message.origin !== new URL(base).origin) return;
    const { kind, event, height } = message.data;
    if (kind === "height") frame.style.height = `${height}px`;
    if (kind === "close") closed();
    if (kind === "event") told(event);
  }

  return {
    show(target: Element, query: URLSearchParams, settings: Partial<CheckoutSettings>): void {
      const inline = settings.displayMode === "inline";
      frame = document.createElement("iframe");
      frame.src = `${base}/frame?${query}`;
      frame.title = "Paddle";
      frame.name = inline ? "paddle_frame" : "paddle_overlay";
      frame.allow = "payment";
      frame.style.cssText = settings.frameStyle ?? "width: 100%; min-width: 312px; background-color: transparent; border: none;";
      frame.style.height = `${settings.frameInitialHeight ?? 450}px`;
      window.addEventListener("message", listen);
      if (inline) return target.replaceChildren(frame);
      backdrop = document.createElement("div");
      backdrop.style.cssText =
        "position: fixed; inset: 0; z-index: 9999; display: grid; place-items: center; background: rgb(0 0 0 / 60%); padding: 16px;";
      frame.style.maxWidth = "440px";
      backdrop.append(frame);
      target.append(backdrop);
    },
    /** @returns whether there was one */
    remove(): boolean {
      const was = frame !== null;
      window.removeEventListener("message", listen);
      frame?.remove();
      backdrop?.remove();
      frame = null;
      backdrop = null;
      return was;
    },
  };
}
