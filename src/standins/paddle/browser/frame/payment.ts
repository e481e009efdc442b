import type { FormTexts } from "../../texts.ts";
import type { askBank } from "./bank.ts";
import type { Buyer } from "./buyer.ts";
import type { Channel } from "./channel.ts";
import type { PaymentForm } from "./form.ts";
import type { Outcomes } from "./outcomes.ts";

interface Parts {
  readonly root: Element;
  readonly elements: PaymentForm;
  readonly texts: FormTexts;
  readonly channel: Channel;
  readonly buyer: Buyer;
  readonly outcomes: Outcomes;
  readonly method: () => string;
  readonly askBank: typeof askBank;
}

/** Pays when the form is sent. A wallet pays at once, as after its own page. */
export function payOnSubmit({ root, elements, texts, channel, buyer, outcomes, method, askBank }: Parts): void {
  const { form, email, number, expiry, cvc, name, problem, button } = elements;
  const { call, event } = channel;

  function challenge(): void {
    form.hidden = true;
    const panel = askBank(root, texts, (approved) => void answer(approved));
    function close(): void {
      panel.remove();
      form.hidden = false;
    }
    async function answer(approved: boolean): Promise<void> {
      try {
        const { result, data } = await call("/challenge", { approved });
        close();
        if (result.status === "completed") outcomes.completed(data);
        else outcomes.declined(data, texts.refused);
      } catch (error) {
        close();
        outcomes.wentWrong(error);
      }
    }
  }

  /** Whether the card can be sent; the first wrong field gets the focus. */
  function isComplete(): boolean {
    const wrong = [number, expiry, cvc, name].find(
      ({ input }) => input.value.trim() === "" || (input === number.input && input.value.replace(/\D/g, "").length < 12),
    );
    wrong?.input.setAttribute("aria-invalid", "true");
    wrong?.input.focus();
    if (wrong !== undefined) problem.textContent = texts.cardError;
    return wrong === undefined;
  }

  async function submit(): Promise<void> {
    if (button.disabled) return;
    outcomes.busy(true);
    if (!(await buyer.send())) {
      outcomes.busy(false);
      return email.input.focus();
    }
    const wallet = method() !== "card";
    if (!wallet && !isComplete()) return outcomes.busy(false);
    try {
      event("checkout.payment.initiated", await call(""));
      const paid = wallet
        ? { number: "4242 4242 4242 4242", expiry: "12 / 49", cvc: "123", name: method() }
        : { number: number.input.value, expiry: expiry.input.value, cvc: cvc.input.value, name: name.input.value };
      const { result, data } = await call("/pay", paid);
      if (result.status === "completed") return outcomes.completed(data);
      if (result.status !== "action_required")
        return outcomes.declined(data, result.code === "invalid_payment_details" ? texts.cardError : texts.declined);
      outcomes.busy(false);
      challenge();
    } catch (error) {
      outcomes.wentWrong(error);
    }
  }
  form.addEventListener("submit", (submitted) => {
    submitted.preventDefault();
    void submit();
  });
}
