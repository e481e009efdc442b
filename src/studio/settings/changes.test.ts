import { describe, expect, it } from "vitest";
import { changeInWords } from "./changes.ts";

describe("an audit row's changes", () => {
  it.each([
    [{ transaction: "txn_1", amount: 6540, currency: "EUR", andEnd: false }, "transaction txn_1, amount €65.40, the plan goes on"],
    [
      { transaction: "txn_1", amount: "all that is left", andEnd: true },
      "transaction txn_1, amount all that is left, the plan ends as well",
    ],
    [{ amount: 5000, currency: "CLP" }, "amount CLP 5,000"],
    // Older audit rows have no currency.
    [{ amount: 6540, andEnd: true }, "amount 6,540 in minor units, the plan ends as well"],
    [{ active: true, threshold: null }, "active yes, threshold none"],
    [{ "76": 50, "83": 50 }, "76 50, 83 50"],
    [
      { differences: [{ state: "differs", here: { amount: -100, currency: "EUR" }, there: null }] },
      "differences (state differs, here (amount −€1.00), there none)",
    ],
    [{ differences: [] }, "differences none"],
    [null, ""],
  ])("are formatted as text: %j", (change, words) => expect(changeInWords(change).replaceAll("\u00a0", " ")).toBe(words));
});
