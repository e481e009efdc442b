import { blockMarkup, readText } from "#test/blockMarkup.tsx";
import { exampleOffer } from "../exampleSite.ts";
import { expect, it } from "vitest";

const [month, quarter] = exampleOffer.products;

it("repeats the chosen plan's struck price, trial, total and next charge unchanged", () => {
  const text = readText(blockMarkup({ type: "payment" }));
  expect(text).toBe(
    [
      "Tu suscripción Parlando, 3 meses antes $999, $747 7 días gratis −$747 Hoy pagas $0 MXN El 27 de noviembre de 2026 pagas $747, si no cancelas antes. Se renueva cada 3 meses hasta que canceles, en tu cuenta o por correo.",
      "Hoy Empiezas sin pagar nada. 25 de noviembre de 2026 Te avisamos por correo que tu prueba está por terminar. 27 de noviembre de 2026 Te cobramos $747, salvo que canceles antes.",
      "Pago cifrado. Puedes pagar con Visa Mastercard American Express PayPal",
    ].join(" "),
  );
});

it("has no trial line for a plan without one, and names the next charge", () => {
  const text = readText(blockMarkup({ type: "payment" }, { site: { offer: { ...exampleOffer, selected: month ?? null } } }));
  expect(text).toBe(
    [
      "Tu suscripción Parlando, 1 mes $349 Hoy pagas $349 MXN El próximo pago, de $349, es el 20 de diciembre de 2026. Se renueva cada mes hasta que canceles, en tu cuenta o por correo.",
      "Hoy Pagas $349 y empiezas. 20 de diciembre de 2026 Es el último día para pedir que te devolvamos tu dinero. Tu suscripción se renueva por $349, salvo que canceles antes.",
      "Pago cifrado. Puedes pagar con Visa Mastercard American Express PayPal",
    ].join(" "),
  );
});

it("shows the configuration's text on how to cancel", () => {
  const configurationOf: typeof exampleOffer.configurationOf = (product) => ({
    ...exampleOffer.configurationOf(product),
    paymentTexts: {
      paymentHeader: "Tu suscripción",
      paymentFooter: [["arg", "ME_TOTAL_FEE"], " cada 3 meses hasta que canceles, en tu cuenta o por correo."],
    },
  });
  expect(readText(blockMarkup({ type: "payment" }, { site: { offer: { ...exampleOffer, configurationOf } } }))).toContain(
    "pagas $747, si no cancelas antes. $747 cada 3 meses hasta que canceles, en tu cuenta o por correo.",
  );
});

it("mentions the renewal even if the configuration does not", () => {
  const configurationOf: typeof exampleOffer.configurationOf = (product) => ({
    ...exampleOffer.configurationOf(product),
    paymentTexts: { paymentHeader: "Tu suscripción" },
  });
  const text = (selected = exampleOffer.selected) =>
    readText(blockMarkup({ type: "payment" }, { site: { offer: { ...exampleOffer, configurationOf, selected } } }));
  expect(text()).toContain(
    "pagas $747 por 3 meses, si no cancelas antes. Después se renueva cada 3 meses al mismo precio hasta que canceles.",
  );
  expect(text(month)).toContain("Se renueva cada mes al mismo precio hasta que canceles; la próxima vez, el 20 de diciembre de 2026.");
});

it("shows a one-time purchase without renewal, with the tax disclaimer in Argentina (spec 001 §9)", () => {
  const selected = quarter === undefined ? null : ({ ...quarter, productType: "onetime", currency: "ARS" } as const);
  const text = readText(blockMarkup({ type: "payment" }, { context: { country: "AR" }, site: { offer: { ...exampleOffer, selected } } }));
  expect(text).toContain("Hoy pagas $747 ARS Pagas $747 una sola vez.");
  expect(text).toContain("percepciones de Argentina");
  expect(text).not.toContain("gratis");
});

it("names the right of withdrawal before the order in the countries whose law gives it, with a link to the terms", () => {
  const markup = (country: string) => blockMarkup({ type: "payment" }, { context: { country } });
  expect(readText(markup("ES"))).toContain("dentro de los 14 días siguientes");
  expect(markup("ES")).toContain('href="/es-latam/legal/terminos-y-condiciones/"');
  expect(readText(markup("AR"))).toContain("dentro de los 10 días siguientes");
  expect(readText(markup("CH"))).not.toContain("revocar");
});

it("reserves its space while the order is loading, and offers a retry", () => {
  expect(readText(blockMarkup({ type: "payment" }, { site: { offer: { ...exampleOffer, status: "loading", selected: null } } }))).toBe(
    "Buscando los precios de tu país…",
  );
  expect(readText(blockMarkup({ type: "payment" }, { site: { offer: { ...exampleOffer, status: "failed", selected: null } } }))).toContain(
    "Intentar de nuevo",
  );
});
