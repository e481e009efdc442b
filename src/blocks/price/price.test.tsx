import { blockMarkup, readText } from "#test/blockMarkup.tsx";
import type { Product } from "#core/products.ts";
import type { ProductConfiguration } from "#core/questionnaire/definition.ts";
import { exampleOffer } from "../exampleSite.ts";
import type { Offer } from "../view.ts";
import { describe, expect, it } from "vitest";

const product: Product = {
  productId: "sub-3M",
  productType: "subscription",
  productPlan: "3M",
  currency: "MXN",
  price: 74_700,
  listPrice: 99_900,
  frequency: 3,
  trialDays: 7,
  paymentProvider: "paddlebilling",
};
const configuration: ProductConfiguration = {
  productType: "subscription",
  productPlan: "3M",
  selectionTexts: { header: "3 meses", price: [["arg", "ME_FEE_PER_MONTH"], " al mes"] },
  paymentTexts: { paymentHeader: "Tu suscripción" },
};

function drawn(
  change: Partial<Product> = {},
  texts: Partial<ProductConfiguration> = {},
  around: Parameters<typeof blockMarkup>[1] = {},
): string {
  const one = { ...product, ...change };
  const offer: Offer = { ...exampleOffer, products: [one], selected: one, configurationOf: () => ({ ...configuration, ...texts }) };
  return readText(blockMarkup({ type: "price" }, { ...around, site: { offer, ...around.site } }));
}

describe("the plans", () => {
  it("have the offer's selection, and each its monthly price and the list price struck out", () => {
    const markup = blockMarkup({ type: "price" });
    expect(markup.match(/role="radio" aria-checked="(true|false)"/g)).toEqual(
      ["false", "true", "false"].map((on) => `role="radio" aria-checked="${on}"`),
    );
    expect(markup).toContain('<s aria-hidden="true">$333</s>');
    expect(readText(markup)).toContain("$249 antes $333,");
    expect(readText(markup)).not.toContain("$349 antes");
  });

  it("show the configured price text without repeating the amount", () => {
    expect(drawn()).toContain("$249 antes $333, al mes");
  });

  it("tell a visitor without free days that they pay today, not that they had some: a refunded buyer of a program never did", () => {
    const said = "En tu caso, esta oferta no incluye días gratis: hoy pagas $747.";
    expect(drawn({ trialDays: 0, trialUsed: true })).toContain(said);
    expect(drawn({ trialDays: 0 })).not.toContain("días gratis");
  });

  it("show the charge after the trial, and without a trial the renewal", () => {
    const trial = {
      ...configuration.selectionTexts,
      trial: [["arg", "TRIAL_DAYS"], " días gratis, luego ", ["arg", "ME_TOTAL_FEE"]],
      footer: "Se renueva sola",
    } as const;
    expect(drawn({}, { selectionTexts: trial })).toContain("7 días gratis, luego $747");
    expect(drawn({ trialDays: 0 }, { selectionTexts: trial })).toContain("Se renueva sola");
    expect(drawn({ trialDays: 0 })).toContain("$747, se renueva cada 3 meses");
  });

  it("have the configured tag, else the discount as their tag", () => {
    const discounts = [{ currency: "MXN", percentage: 25 }];
    expect(drawn({}, { discounts, tag: "Nuestra recomendación" })).toMatch(/^Nuestra recomendación 3 meses/);
    expect(drawn({}, { discounts })).toMatch(/^−25\s?%/);
    expect(drawn({ currency: "USD" }, { discounts })).toMatch(/^3 meses/);
  });

  it("show weekly plans per week and one-time purchases as a total", () => {
    const texts = { selectionTexts: { header: "Plan" } };
    expect(drawn({ productPlan: "1W", price: 14_900, listPrice: 14_900, trialDays: 0 }, texts)).toContain("$149 por semana");
    expect(drawn({ productType: "onetime" }, texts)).toContain("$747 antes $999, un solo pago");
  });
});

describe("the amount due", () => {
  it("is 0 today during a trial, followed by the charge, its date and the renewal", () => {
    expect(drawn()).toContain(
      "Hoy pagas $0 MXN El 27 de noviembre de 2026 pagas $747 por 3 meses, si no cancelas antes. Después se renueva cada 3 meses al mismo precio hasta que canceles.",
    );
  });

  it("is the price without a trial, and the next charge has a date", () => {
    expect(drawn({ trialDays: 0 })).toContain("Hoy pagas $747 MXN");
    expect(drawn({ trialDays: 0 })).toContain("la próxima vez, el 20 de febrero de 2027.");
  });

  it("never mentions renewal for a one-time purchase", () => {
    expect(drawn({ productType: "onetime" })).toContain("Pagas $747 una sola vez, por 3 meses. No se renueva.");
  });

  it("calls twelve months a year", () => {
    expect(drawn({ productPlan: "12M" })).toContain("por 12 meses, si no cancelas antes. Después se renueva cada año");
  });

  it("has the currency code unless the sign is unambiguous, and the included tax in Europe", () => {
    expect(drawn({ currency: "EUR" })).not.toContain("EUR");
    expect(drawn({ currency: "EUR" })).toContain("impuestos incluidos");
    expect(drawn({ currency: "CHF" })).toContain("Hoy pagas 0 CHF");
    expect(drawn()).not.toContain("impuestos");
  });

  it("has a tax note in Argentina only (spec 001 §9)", () => {
    expect(drawn({ currency: "ARS" }, {}, { context: { country: "AR" } })).toContain("percepciones de Argentina");
    expect(drawn({ currency: "ARS" }, {}, { context: { country: "UY" } })).not.toContain("Argentina");
  });
});

describe("before there are prices", () => {
  it("reserves their space, shows that they are loading, and offers a retry when they fail", () => {
    const loading = blockMarkup(
      { type: "price" },
      { site: { offer: { ...exampleOffer, status: "loading", products: [], selected: null } } },
    );
    expect(loading).toContain('role="status"');
    expect(readText(loading)).toBe("Buscando los precios de tu país…");
    expect(
      readText(blockMarkup({ type: "price" }, { site: { offer: { ...exampleOffer, status: "failed", products: [], selected: null } } })),
    ).toContain("Intentar de nuevo");
  });
});

it("a code that holds for some plans only is not said to be in all prices", () => {
  const text = readText(blockMarkup({ type: "price" }, { site: { offer: { ...exampleOffer, coupon: "VUELVE30" } } }));
  expect(text).toContain("El código VUELVE30 ya está aplicado en las ofertas para las que sirve.");
  expect(text).toContain("¿Tienes otro código?");
});
