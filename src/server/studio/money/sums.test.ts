import { minorUnitsOf } from "#core/formats.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Group } from "./ledger.ts";
import { partsOf } from "./overview.ts";
import { add, convert, sumsOf } from "./sums.ts";

const currencies = ["EUR", "MXN", "JPY", "KWD", "COP", "CLP"] as const;
// At the smallest rate, the sum of sixty rows stays below 2^53, so it is exact.
const group = fc.record({
  day: fc.constantFrom("2026-11-01", "2026-11-02", "2026-11-03"),
  currency: fc.constantFrom(...currencies),
  product: fc.constantFrom("a", "b", null),
  country: fc.constantFrom("MX", "DE", null),
  provider: fc.constantFrom("paddle", "paddlebilling"),
  kind: fc.constantFrom("payment", "refund", "chargeback", "reversal"),
  n: fc.integer({ min: 1, max: 9 }),
  gross: fc.integer({ min: 0, max: 10 ** 8 }),
  tax: fc.integer({ min: 0, max: 10 ** 7 }),
  fee: fc.integer({ min: 0, max: 10 ** 7 }),
  untold: fc.integer({ min: 0, max: 3 }),
}) satisfies fc.Arbitrary<Group>;
const rateText = fc
  .tuple(fc.integer({ min: 0, max: 99_999 }), fc.integer({ min: 1_000, max: 999_999 }))
  .map(([whole, part]) => `${whole}.${String(part).padStart(6, "0")}`);
const keys: readonly ((group: Group) => string)[] = [
  ({ day }) => day,
  ({ currency }) => currency,
  ({ product }) => product ?? "",
  ({ country }) => country ?? "",
  ({ provider }) => provider,
];

describe("sums of money", () => {
  it("add up to the minor unit over any rows, in every currency and in the base currency", () => {
    fc.assert(
      fc.property(
        fc.array(group, { maxLength: 60 }),
        fc.tuple(...currencies.map(() => rateText)),
        fc.constantFrom(...currencies),
        (rows, rates, base) => {
          const table = new Map(
            currencies.map((currency, index) => [currency as string, { rate: rates[index] ?? "1", day: "2026-11-03", source: "test" }]),
          );
          table.set(base, { rate: "1", day: "2026-11-03", source: "" });
          const inBase = keys.map((key) => add(partsOf(rows, key, base, table).flatMap((part) => part.inBase ?? [])));
          for (const total of inBase) expect(total).toEqual(inBase[0]);
          for (const currency of currencies) {
            const own = rows.filter((row) => row.currency === currency);
            const whole = sumsOf(own);
            for (const key of keys) expect(add(partsOf(own, key, base, table).map((part) => part.sums))).toEqual(whole);
            expect(add(own.map((row) => sumsOf([row])))).toEqual(whole);
            expect(whole.net).toBe(whole.gross - whole.tax - whole.fees - whole.refunds - whole.chargebacks);
            // The converted parts add up to the converted total.
            const converted = add(partsOf(own, ({ day }) => day, base, table).flatMap((part) => part.inBase ?? []));
            expect(converted.gross).toBe(convert(whole.gross, currency, base, table.get(currency)?.rate ?? "1"));
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it.each([
    [1_000, "JPY", "EUR", "160", 625],
    [1_000, "KWD", "EUR", "0.33", 303],
    [100, "EUR", "KWD", "3", 333],
    [1, "EUR", "JPY", "0.006", 2],
    [-5, "MXN", "EUR", "10", -1],
    [5, "MXN", "EUR", "10", 1],
    [-4, "MXN", "EUR", "10", 0],
  ])("converts %d of %s to %s at %s exactly, halves away from zero", (amount, currency, base, rate, expected) => {
    expect(convert(amount, currency, base, rate) + 0).toBe(expected);
  });

  it("knows currencies with no decimals and with three", () => {
    expect([minorUnitsOf("JPY"), minorUnitsOf("KWD"), minorUnitsOf("EUR")]).toEqual([1, 1_000, 100]);
  });
});
