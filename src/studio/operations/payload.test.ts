import { expect, test } from "vitest";
import { payloadRows } from "./payload.ts";

const rowsOf = (value: unknown) =>
  Object.fromEntries(payloadRows(JSON.stringify(value)).rows.map(({ label, value: says }) => [label, says]));

test("a mail's data reads as labelled rows, with amounts in their currency", () => {
  expect(rowsOf({ linkId: "•••", firstname: null, orderId: "1a", price: 2490, currency: "EUR", isBack: false, trialDays: 7 })).toEqual({
    "Link id": "•••",
    "First name": "–",
    "Order id": "1a",
    Price: "€24.90",
    Currency: "EUR",
    "Is back": "no",
    "Trial days": "7",
  });
});

test("nested fields name their path, times are moments, lists are numbered", () => {
  expect(
    rowsOf({
      data: { billing_period: { ends_at: "2026-11-20T10:30:00.000Z" }, tags: ["a", "b"], items: [{ quantity: 1 }, { quantity: 2 }] },
    }),
  ).toEqual({
    "Data › billing period › ends at": expect.stringMatching(/^(?:Nov 20|20 Nov), 10:30 UTC$/),
    "Data › tags": "a, b",
    "Data › items › 1 › quantity": "1",
    "Data › items › 2 › quantity": "2",
  });
  expect(rowsOf({ at: 1_795_000_000_000 })["At"]).toMatch(/UTC$/);
});

test("text that is no JSON is one row, and a long payload says how much is left out", () => {
  expect(payloadRows("cancelled by its owner")).toEqual({
    rows: [{ label: "Content", value: "cancelled by its owner" }],
    more: 0,
    isJson: false,
  });
  expect(payloadRows("")).toMatchObject({ rows: [] });
  expect(payloadRows(JSON.stringify(Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`f${n}`, n]))))).toMatchObject({ more: 10 });
});
