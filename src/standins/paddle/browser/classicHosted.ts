/** Script of the pay link's page: opens the form, and leads back after payment. Sent to the browser as source text. */
interface ClassicWindow {
  readonly Setup: (options: {
    readonly eventCallback: (event: { readonly event: string; readonly eventData: { readonly checkout: { readonly id: string } } }) => void;
  }) => void;
  readonly Checkout: {
    readonly open: (input: {
      readonly override: string;
      readonly method: string;
      readonly frameTarget: string;
      readonly locale: string;
    }) => void;
  };
}

export function runClassicHosted(returnUrl: string): void {
  const isClassic = (value: unknown): value is ClassicWindow => typeof value === "object" && value !== null && "Setup" in value;
  const paddle: unknown = Reflect.get(window, "Paddle");
  if (!isClassic(paddle)) return;
  paddle.Setup({
    eventCallback: ({ event, eventData }) => {
      if (event === "Checkout.Complete") location.assign(returnUrl.replace("{checkout_hash}", eventData.checkout.id));
    },
  });
  paddle.Checkout.open({ override: location.href, method: "inline", frameTarget: "frame", locale: document.documentElement.lang });
}
