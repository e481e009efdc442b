import type { PaymentMethod } from "#core/paymentMethods.ts";
import type { FormTexts } from "../../texts.ts";
import type { PaymentForm } from "./form.ts";

interface Purchase {
  readonly country: string;
  readonly currency: string;
  readonly renews: boolean;
}

/** The payment methods that Paddle would offer in this browser for this transaction. */
export function offerMethods(
  { choice, cards, problem }: PaymentForm,
  texts: FormTexts,
  methods: readonly PaymentMethod[],
  { country, currency, renews }: Purchase,
  choose: (method: string) => void,
): void {
  const platform = /iphone|ipad/i.test(navigator.userAgent) ? "apple" : /android/i.test(navigator.userAgent) ? "android" : "other";
  const offered = methods.filter(
    (one) =>
      (one.only === undefined || one.only === country) &&
      !one.notIn?.includes(country) &&
      (one.currency === undefined || one.currency === currency) &&
      !one.notCurrencies?.includes(currency) &&
      (one.platform === undefined || one.platform === platform) &&
      !(one.onceOnly && renews),
  );
  choice.hidden = offered.length < 2;
  for (const { id, marks } of offered) {
    const wrapper = document.createElement("label");
    const input = document.createElement("input");
    input.type = "radio";
    input.name = "method";
    input.value = id;
    input.checked = id === "card";
    input.addEventListener("change", () => {
      choose(id);
      cards.hidden = id !== "card";
      problem.textContent = "";
    });
    wrapper.append(input, id === "card" ? texts.card : (marks[0] ?? id));
    choice.append(wrapper);
  }
}
