/** Script of the hosted page: opens the form for the transaction in the URL. Sent to the browser as source text. */
import type { Paddle } from "@paddle/paddle-js";

export function runHosted(usualReturn: string): void {
  const paddle: Pick<Paddle, "Initialize" | "Checkout"> | undefined = window.PaddleBillingV1;
  const query = new URLSearchParams(location.search);
  const transactionId = query.get("_ptxn");
  if (paddle === undefined || transactionId === null) return;
  const wanted = query.get("return");
  const returnUrl = wanted !== null && URL.canParse(wanted) && new URL(wanted).origin === location.origin ? wanted : usualReturn;
  const page = document.documentElement;
  paddle.Initialize({
    token: "stand-in",
    eventCallback: (event) => {
      if (event.data?.currency_code !== undefined) {
        const money = new Intl.NumberFormat(page.lang, { style: "currency", currency: event.data.currency_code });
        const [item] = event.data.items;
        const name = document.querySelector("[data-name]");
        const today = document.querySelector("[data-today]");
        if (name) name.textContent = item?.price_name ?? item?.product.name ?? "";
        if (today) today.textContent = money.format(event.data.totals.total);
      }
      if (String(event.name) === "checkout.completed") location.assign(returnUrl);
      if (String(event.name) === "checkout.error") location.assign(returnUrl);
    },
  });
  paddle.Checkout.open({
    transactionId,
    settings: { displayMode: "inline", frameTarget: "frame", frameInitialHeight: 450, locale: page.lang },
  });
}
