/** The figures of five hundred visitors' plans. */
import { compareFigures } from "#test/comparedFigures.ts";
import { paymentBeds } from "#test/payments.ts";
import { describe, it } from "vitest";

describe("the figures of a plan", () => {
  const at = paymentBeds("sqlite");

  it("are the same on every page and in the mails, and consistent, for five hundred visitors", () => compareFigures(500, at));
});
