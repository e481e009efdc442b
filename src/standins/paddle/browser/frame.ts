/** Script of the form inside the provider's frame. Sent to the browser as source text, so it may not use anything outside itself. */
import type { PaymentMethod } from "#core/paymentMethods.ts";
import type { FormTexts } from "../texts.ts";

export function runFrame(): void {
  const root = document.querySelector("main");
  if (root === null) return;
  const query = new URLSearchParams(location.search);
  const id = query.get("_ptxn") ?? "";
  let country = query.get("country") ?? "";
  const texts: FormTexts = JSON.parse(root.dataset["texts"] ?? "{}");
  const methods: readonly PaymentMethod[] = JSON.parse(root.dataset["methods"] ?? "[]");
  const base = root.dataset["base"] ?? "";
  for (const [name, value] of query) if (name.startsWith("--")) document.documentElement.style.setProperty(name, value);

  const say = (message: object) => parent.postMessage(message, location.origin);
  const event = (name: string, data: unknown, more: object = {}) => say({ kind: "event", event: { name, data, ...more } });
  new ResizeObserver(() => say({ kind: "height", height: Math.ceil(root.getBoundingClientRect().height) })).observe(root);

  async function call(path: string, body?: object) {
    const response = await fetch(
      `${base}/checkout/${id}${path}`,
      body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
    );
    const answer = await response.json();
    if (!response.ok) throw Object.assign(new Error(answer.error?.detail), { problem: answer.error });
    return answer;
  }

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

  let method = "card";
  /** Payment methods that Paddle would offer for this transaction here. A wallet pays at once, as after its own page. */
  function offerMethods(currency: string, renews: boolean): void {
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
      input.checked = id === method;
      input.addEventListener("change", () => {
        method = id;
        cards.hidden = id !== "card";
        problem.textContent = "";
      });
      wrapper.append(input, id === "card" ? texts.card : (marks[0] ?? id));
      choice.append(wrapper);
    }
  }
  let label = texts.payNow;

  number.input.addEventListener("input", () => {
    const digits = number.input.value.replace(/\D/g, "").slice(0, 19);
    number.input.value = digits.replace(/(.{4})(?=.)/g, "$1 ");
  });
  expiry.input.addEventListener("input", (change) => {
    const digits = expiry.input.value.replace(/\D/g, "").slice(0, 4);
    const erasing = change instanceof InputEvent && change.inputType.startsWith("delete");
    expiry.input.value = digits.length > 2 || (digits.length === 2 && !erasing) ? `${digits.slice(0, 2)} / ${digits.slice(2)}` : digits;
  });

  let customer = "";
  async function sendBuyer(): Promise<boolean> {
    const given = email.input.value.trim();
    if (given !== "" && given === customer) return true;
    try {
      const data = await call("/buyer", { email: given, countryCode: country });
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
  email.input.addEventListener("change", () => void sendBuyer());
  form.addEventListener("input", (change) => {
    problem.textContent = "";
    if (change.target instanceof Element) change.target.removeAttribute("aria-invalid");
  });

  function busy(is: boolean): void {
    button.disabled = is;
    button.textContent = is ? texts.paying : label;
  }

  function ended(data: unknown): void {
    const done = document.createElement("p");
    done.className = "done";
    done.setAttribute("role", "status");
    done.textContent = texts.done;
    root?.replaceChildren(done);
    event("checkout.completed", data);
  }

  function declined(data: unknown, text: string): void {
    event("checkout.payment.failed", data);
    busy(false);
    problem.textContent = text;
    event("checkout.payment.selected", data);
  }

  function challenge(): void {
    const panel = document.createElement("div");
    panel.className = "challenge";
    const title = document.createElement("h2");
    const text = document.createElement("p");
    const approve = document.createElement("button");
    const reject = document.createElement("button");
    title.textContent = texts.challengeTitle;
    text.textContent = texts.challengeText;
    approve.textContent = texts.approve;
    reject.textContent = texts.reject;
    approve.type = reject.type = "button";
    reject.className = "quiet";
    panel.append(title, text, approve, reject);
    form.hidden = true;
    root?.append(panel);
    approve.focus();
    const answer = (approved: boolean) => async () => {
      approve.disabled = reject.disabled = true;
      try {
        const { result, data } = await call("/challenge", { approved });
        panel.remove();
        form.hidden = false;
        if (result.status === "completed") ended(data);
        else declined(data, texts.refused);
      } catch (error) {
        panel.remove();
        form.hidden = false;
        wentWrong(error);
      }
    };
    approve.addEventListener("click", () => void answer(true)());
    reject.addEventListener("click", () => void answer(false)());
  }

  function wentWrong(error: unknown): void {
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
  }

  async function submit(): Promise<void> {
    if (button.disabled) return;
    busy(true);
    if (!(await sendBuyer())) {
      busy(false);
      email.input.focus();
      return;
    }
    const wallet = method !== "card";
    const wrong = (wallet ? [] : [number, expiry, cvc, name]).find(
      ({ input }) => input.value.trim() === "" || (input === number.input && input.value.replace(/\D/g, "").length < 12),
    );
    if (wrong !== undefined) {
      busy(false);
      wrong.input.setAttribute("aria-invalid", "true");
      wrong.input.focus();
      problem.textContent = texts.cardError;
      return;
    }
    try {
      event("checkout.payment.initiated", await call(""));
      const paid = wallet
        ? { number: "4242 4242 4242 4242", expiry: "12 / 49", cvc: "123", name: method }
        : { number: number.input.value, expiry: expiry.input.value, cvc: cvc.input.value, name: name.input.value };
      const { result, data } = await call("/pay", paid);
      if (result.status === "completed") ended(data);
      else if (result.status === "action_required") {
        busy(false);
        challenge();
      } else declined(data, result.code === "invalid_payment_details" ? texts.cardError : texts.declined);
    } catch (error) {
      wentWrong(error);
    }
  }
  form.addEventListener("submit", (submitted) => {
    submitted.preventDefault();
    void submit();
  });

  /** Without a country from the page, Paddle takes it from the buyer's network; this site does the same. */
  async function findCountry(): Promise<string> {
    try {
      const { country: found } = await (await fetch("/geo.json")).json();
      return found ?? "MX";
    } catch {
      return "MX";
    }
  }

  async function start(): Promise<void> {
    const data = await call("");
    if (country === "") country = await findCountry();
    const [item] = data.items;
    label = item?.trial_period ? texts.startTrial : item?.billing_cycle ? texts.subscribe : texts.payNow;
    offerMethods(data.currency_code, Boolean(item?.billing_cycle));
    busy(false);
    root?.replaceChildren(form);
    event("checkout.loaded", data);
    if (!data.customer.email) return;
    customer = email.input.value = data.customer.email;
    event("checkout.customer.created", data);
    event("checkout.payment.selected", data);
  }
  void start().catch((error: unknown) =>
    event("checkout.error", undefined, { type: "api_error", code: "unknown", detail: String(error), documentation_url: "" }),
  );
}
