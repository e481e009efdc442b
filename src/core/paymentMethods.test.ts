import { describe, expect, it } from "vitest";
import { paymentMethodsFor } from "./paymentMethods.ts";

const monthly = { currency: "EUR", productType: "subscription", paymentProvider: "paddlebilling" } as const;
const ids = (product: Parameters<typeof paymentMethodsFor>[0], country: string, platform: "android" | "apple" | "other" = "other") =>
  paymentMethodsFor(product, { country, platform }).map(({ id }) => id);

describe("the ways to pay", () => {
  it("are cards and PayPal on a computer, and the phone's own wallet on a phone", () => {
    expect(ids(monthly, "DE")).toEqual(["card", "paypal"]);
    expect(ids(monthly, "DE", "apple")).toEqual(["card", "apple_pay", "paypal"]);
    expect(ids(monthly, "DE", "android")).toEqual(["card", "google_pay", "paypal"]);
    expect(ids({ ...monthly, currency: "BRL" }, "BR", "apple")).not.toContain("apple_pay");
  });

  it("leave out PayPal in a currency that it does not support", () => {
    expect(ids({ ...monthly, currency: "COP" }, "CO")).toEqual(["card"]);
    expect(ids({ ...monthly, currency: "ARS" }, "AR")).toEqual(["card"]);
    expect(ids({ ...monthly, currency: "MXN" }, "MX")).toEqual(["card", "paypal"]);
  });

  it("include Pix, iDEAL and Bancontact only in their own country and currency, for one-time purchases", () => {
    const once = { ...monthly, productType: "onetime" } as const;
    expect(ids({ ...once, currency: "BRL" }, "BR")).toEqual(["card", "paypal", "pix"]);
    expect(ids({ ...monthly, currency: "BRL" }, "BR")).not.toContain("pix");
    expect(ids({ ...once, currency: "USD" }, "BR")).not.toContain("pix");
    expect(ids({ ...once, currency: "BRL", paymentProvider: "paddle" }, "BR")).not.toContain("pix");
    expect(ids(once, "NL")).toEqual(["card", "paypal", "ideal"]);
    expect(ids(once, "BE")).toEqual(["card", "paypal", "bancontact"]);
    expect(ids(once, "DE")).toEqual(["card", "paypal"]);
  });
});
