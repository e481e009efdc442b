import type { FormTexts } from "../../texts.ts";

export type PaymentForm = ReturnType<typeof buildForm>;

/** The form's elements. Number and date are grouped while they are typed. */
export function buildForm(texts: FormTexts) {
  function field(name: string, label: string, attributes: Readonly<Record<string, string>>) {
    const wrapper = document.createElement("label");
    const caption = document.createElement("span");
    const input = document.createElement("input");
    caption.textContent = label;
    input.name = name;
    for (const [key, value] of Object.entries(attributes)) input.setAttribute(key, value);
    wrapper.append(caption, input);
    return { wrapper, input };
  }

  const form = document.createElement("form");
  form.noValidate = true;
  const email = field("email", texts.email, { type: "email", autocomplete: "email", inputmode: "email" });
  const number = field("number", texts.number, {
    inputmode: "numeric",
    autocomplete: "cc-number",
    placeholder: "1234 1234 1234 1234",
    maxlength: "23",
  });
  const expiry = field("expiry", texts.expiry, {
    inputmode: "numeric",
    autocomplete: "cc-exp",
    placeholder: texts.expiryPlaceholder,
    maxlength: "7",
  });
  const cvc = field("cvc", texts.cvc, { inputmode: "numeric", autocomplete: "cc-csc", placeholder: "123", maxlength: "4" });
  const name = field("name", texts.name, { autocomplete: "cc-name", placeholder: texts.namePlaceholder });
  const two = document.createElement("div");
  two.className = "two";
  two.append(expiry.wrapper, cvc.wrapper);
  const problem = document.createElement("p");
  problem.className = "problem";
  problem.setAttribute("role", "alert");
  const button = document.createElement("button");
  const note = document.createElement("p");
  note.className = "note";
  note.textContent = texts.testMode;
  const choice = document.createElement("fieldset");
  choice.className = "methods";
  choice.setAttribute("aria-label", texts.title);
  const cards = document.createElement("div");
  cards.className = "cards";
  cards.append(number.wrapper, two, name.wrapper);
  form.append(choice, email.wrapper, cards, problem, button, note);

  number.input.addEventListener("input", () => {
    const digits = number.input.value.replace(/\D/g, "").slice(0, 19);
    number.input.value = digits.replace(/(.{4})(?=.)/g, "$1 ");
  });
  expiry.input.addEventListener("input", (change) => {
    const digits = expiry.input.value.replace(/\D/g, "").slice(0, 4);
    const erasing = change instanceof InputEvent && change.inputType.startsWith("delete");
    expiry.input.value = digits.length > 2 || (digits.length === 2 && !erasing) ? `${digits.slice(0, 2)} / ${digits.slice(2)}` : digits;
  });
  form.addEventListener("input", (change) => {
    problem.textContent = "";
    if (change.target instanceof Element) change.target.removeAttribute("aria-invalid");
  });
  return { form, email, number, expiry, cvc, name, problem, button, choice, cards };
}
