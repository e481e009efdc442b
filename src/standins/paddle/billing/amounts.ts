/** What a purchase comes to: discount, tax, total, and Paddle's fee. */
import { minorUnitsOf } from "#core/formats.ts";
import type { CurrencyCode, ITransactionResponse } from "@paddle/paddle-node-sdk";
import { newId } from "./ids.ts";
import type { StandinDiscount, StandinPrice } from "./prices.ts";

/** @param taxOnTop percent */
export function totalsOf(
  items: readonly { readonly price: StandinPrice; readonly quantity: number }[],
  discount: StandinDiscount | undefined,
  trial: boolean,
  taxOnTop: number,
) {
  const lines = items.map(({ price, quantity }) => {
    const subtotal = trial && price.trialDays > 0 ? 0 : price.amount * quantity;
    const reduced = discount !== undefined && (discount.prices?.includes(price.id) ?? true);
    const off = reduced ? subtotal - Math.round((subtotal * (100 - discount.percentage)) / 100) : 0;
    const net = subtotal - off;
    const tax = Math.round((net * taxOnTop) / 100);
    const totals = { subtotal: String(subtotal), discount: String(off), tax: String(tax), total: String(net + tax) };
    return { price, quantity, totals };
  });
  const sum = (field: "subtotal" | "discount" | "tax" | "total") =>
    String(lines.reduce((total, line) => total + Number(line.totals[field]), 0));
  return { lines, subtotal: sum("subtotal"), discount: sum("discount"), tax: sum("tax"), total: sum("total") };
}

export function detailsOf(currencyCode: CurrencyCode, totals: ReturnType<typeof totalsOf>): NonNullable<ITransactionResponse["details"]> {
  const { subtotal, discount, tax, total } = totals;
  return {
    tax_rates_used: [{ tax_rate: "0", totals: { subtotal, discount, tax, total } }],
    totals: {
      subtotal,
      discount,
      tax,
      total,
      credit: "0",
      credit_to_balance: "0",
      balance: total,
      grand_total: total,
      grand_total_tax: tax,
      fee: null,
      earnings: null,
      currency_code: currencyCode,
    },
    adjusted_totals: null,
    payout_totals: null,
    adjusted_payout_totals: null,
    line_items: totals.lines.map((line) => ({
      id: newId("txnitm"),
      price_id: line.price.id,
      quantity: line.quantity,
      proration: null,
      tax_rate: "0",
      unit_totals: line.totals,
      totals: line.totals,
      product: null,
    })),
  };
}

/** Paddle's fee: 5 % of the charge plus half a unit, reported once the transaction is completed. */
export function withFee({ details, currency_code: code }: ITransactionResponse): Pick<ITransactionResponse, "details"> {
  if (details?.totals == null) return { details: details ?? null };
  const total = Number(details.totals.total);
  const fee = total === 0 ? 0 : Math.min(total, Math.round(total / 20) + minorUnitsOf(code) / 2);
  const earnings = total - Number(details.totals.tax) - fee;
  return { details: { ...details, totals: { ...details.totals, fee: String(Math.round(fee)), earnings: String(Math.round(earnings)) } } };
}
