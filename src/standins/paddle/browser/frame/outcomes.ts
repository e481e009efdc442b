import type { FormTexts } from "../../texts.ts";
import type { Channel } from "./channel.ts";
import type { PaymentForm } from "./form.ts";

export type Outcomes = ReturnType<typeof createOutcomes>;

/** How the form shows that it works on a payment, and how that ended. `label` is what the button says otherwise. */
export function createOutcomes(root: Element, { button, problem }: PaymentForm, texts: FormTexts, { event }: Channel, label: () => string) {
  function busy(is: boolean): void {
    button.disabled = is;
    button.textContent = is ? texts.paying : label();
  }
  return {
    busy,
    completed(data: unknown): void {
      const done = document.createElement("p");
      done.className = "done";
      done.setAttribute("role", "status");
      done.textContent = texts.done;
      root.replaceChildren(done);
      event("checkout.completed", data);
    },
    declined(data: unknown, text: string): void {
      event("checkout.payment.failed", data);
      busy(false);
      problem.textContent = text;
      event("checkout.payment.selected", data);
    },
    wentWrong(error: unknown): void {
      busy(false);
      problem.textContent = texts.failed;
      const details = error instanceof Error && "problem" in error && typeof error.problem === "object" ? error.problem : {};
      event("checkout.payment.error", undefined, {
        type: "api_error",
        code: "unknown",
        detail: String(error),
        documentation_url: "",
        ...details,
      });
    },
  };
}
