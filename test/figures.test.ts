/** The figures of visitors' plans: a sample. `test/long` compares five hundred. */
import { describe, it } from "vitest";
import { compareFigures } from "./comparedFigures.ts";
import { paymentBeds } from "./payments.ts";

describe("the figures of a plan", () => {
  const at = paymentBeds("sqlite");

  it("are the same on every page and in the mails, and consistent", () => compareFigures(12, at));
});
