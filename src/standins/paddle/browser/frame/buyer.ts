import type { FormTexts } from "../../texts.ts";
import type { Channel } from "./channel.ts";
import type { PaymentForm } from "./form.ts";

export type Buyer = ReturnType<typeof createBuyer>;

/** Who pays: sent as soon as the e-mail address is there, and before paying. */
export function createBuyer({ email, problem }: PaymentForm, texts: FormTexts, { call, event }: Channel, country: () => string) {
  let customer = "";
  async function send(): Promise<boolean> {
    const given = email.input.value.trim();
    if (given !== "" && given === customer) return true;
    try {
      const data = await call("/buyer", { email: given, countryCode: country() });
      const first = customer === "";
      customer = given;
      event(first ? "checkout.customer.created" : "checkout.customer.updated", data);
      if (first) event("checkout.payment.selected", data);
      return true;
    } catch {
      email.input.setAttribute("aria-invalid", "true");
      problem.textContent = texts.emailError;
      return false;
    }
  }
  email.input.addEventListener("change", () => void send());
  return {
    send,
    /** The checkout knows the address already. */
    known(address: string): void {
      customer = email.input.value = address;
    },
  };
}
