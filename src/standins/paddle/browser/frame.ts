/** Script of the form inside the provider's frame, sent to the browser as source text with its parts (`source.ts`). */
import type { PaymentMethod } from "#core/paymentMethods.ts";
import type { FormTexts } from "../texts.ts";
import { askBank } from "./frame/bank.ts";
import { createBuyer } from "./frame/buyer.ts";
import { openChannel } from "./frame/channel.ts";
import { buildForm } from "./frame/form.ts";
import { offerMethods } from "./frame/methods.ts";
import { createOutcomes } from "./frame/outcomes.ts";
import { payOnSubmit } from "./frame/payment.ts";
import { sourceOf } from "./source.ts";

const frameParts = { askBank, buildForm, createBuyer, createOutcomes, offerMethods, openChannel, payOnSubmit };

function runFrame(parts: typeof frameParts): void {
  const root = document.querySelector("main");
  if (root === null) return;
  const query = new URLSearchParams(location.search);
  const texts: FormTexts = JSON.parse(root.dataset["texts"] ?? "{}");
  const methods: readonly PaymentMethod[] = JSON.parse(root.dataset["methods"] ?? "[]");
  for (const [name, value] of query) if (name.startsWith("--")) document.documentElement.style.setProperty(name, value);
  let country = query.get("country") ?? "";
  let method = "card";
  let label = texts.payNow;

  const channel = parts.openChannel(root.dataset["base"] ?? "", query.get("_ptxn") ?? "");
  const { call, event } = channel;
  new ResizeObserver(() => channel.height(Math.ceil(root.getBoundingClientRect().height))).observe(root);
  const elements = parts.buildForm(texts);
  const buyer = parts.createBuyer(elements, texts, channel, () => country);
  const outcomes = parts.createOutcomes(root, elements, texts, channel, () => label);
  parts.payOnSubmit({ root, elements, texts, channel, buyer, outcomes, method: () => method, askBank: parts.askBank });

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
    const purchase = { country, currency: data.currency_code, renews: Boolean(item?.billing_cycle) };
    parts.offerMethods(elements, texts, methods, purchase, (id) => (method = id));
    outcomes.busy(false);
    root?.replaceChildren(elements.form);
    event("checkout.loaded", data);
    if (!data.customer.email) return;
    buyer.known(data.customer.email);
    event("checkout.customer.created", data);
    event("checkout.payment.selected", data);
  }
  void start().catch((error: unknown) =>
    event("checkout.error", undefined, { type: "api_error", code: "unknown", detail: String(error), documentation_url: "" }),
  );
}

export const frameScript = `(${runFrame})(${sourceOf(frameParts)});`;
