/** What visitors read of their plan: a sample; `test/long` walks five hundred. */
import { describe, it } from "vitest";
import { compareFigures } from "./comparedFigures.ts";
import { paymentBeds } from "./payments.ts";

describe("the figures of a plan", () => {
  const at = paymentBeds("sqlite");

  it("are the same on every page and in the mails, and fit each other", () => compareFigures(12, at));
});
