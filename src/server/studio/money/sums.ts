/** Exact sums of money entries in minor units. Converted parts add up to the converted total. */
import { minorUnitsOf } from "#core/formats.ts";
import type { Sums } from "#studio/contract/money.ts";

export interface Amounts {
  readonly gross: number;
  readonly tax: number;
  readonly fees: number;
  readonly refunds: number;
  readonly chargebacks: number;
}
const components = ["gross", "tax", "fees", "refunds", "chargebacks"] as const satisfies readonly (keyof Amounts)[];
const counted = ["payments", "refunded", "untold"] as const satisfies readonly (keyof Sums)[];

export const noSums: Sums = { gross: 0, tax: 0, fees: 0, refunds: 0, chargebacks: 0, net: 0, payments: 0, refunded: 0, untold: 0 };

/** Net = gross − tax − fees − refunds − chargebacks. */
const withNet = (sums: Omit<Sums, "net">): Sums => ({ ...sums, net: sums.gross - sums.tax - sums.fees - sums.refunds - sums.chargebacks });

export function add(all: readonly Sums[]): Sums {
  const total: Record<keyof Sums, number> = { ...noSums };
  for (const sums of all) for (const field of [...components, ...counted]) total[field] += sums[field];
  return withNet(total);
}

/** The database's sums of entries of one kind. */
export interface KindSum {
  readonly kind: string;
  readonly n: number;
  readonly gross: number;
  readonly tax: number;
  readonly fee: number;
  readonly untold: number;
}

export function sumsOf(rows: readonly KindSum[]): Sums {
  return add(
    rows.map(({ kind, n, gross, tax, fee, untold }) => {
      // A refund returns its tax and fee; a reversal restores what a chargeback took.
      const sign = kind === "payment" || kind === "reversal" ? 1 : -1;
      const one = { ...noSums, tax: sign * tax, fees: sign * fee, untold };
      if (kind === "payment") return { ...one, gross, payments: n };
      if (kind === "refund") return { ...one, refunds: gross, refunded: n };
      return { ...one, chargebacks: -sign * gross };
    }),
  );
}

const decimal = /^(\d{1,12})(?:\.(\d{1,12}))?$/;

/** Parses a decimal rate into a fraction; null when it is invalid. */
export function readRate(text: string): { readonly numerator: bigint; readonly denominator: bigint } | null {
  const [, whole, fraction = ""] = decimal.exec(text) ?? [];
  if (whole === undefined) return null;
  const numerator = BigInt(whole + fraction);
  return numerator === 0n ? null : { numerator, denominator: 10n ** BigInt(fraction.length) };
}

/** Rounds to the nearest whole number, halves away from zero. */
function divide(dividend: bigint, divisor: bigint): bigint {
  const sign = dividend < 0n ? -1n : 1n;
  return (sign * (2n * sign * dividend + divisor)) / (2n * divisor);
}

const units = new Map<string, bigint>();
function unitOf(currency: string): bigint {
  const unit = units.get(currency) ?? BigInt(minorUnitsOf(currency));
  units.set(currency, unit);
  return unit;
}

/** Converts an amount. @param rate how much of `currency` one unit of `base` buys */
export function convert(amount: number, currency: string, base: string, rate: string): number {
  const fraction = readRate(rate);
  if (fraction === null) throw new Error(`${rate} is not an exchange rate`);
  const dividend = BigInt(amount) * unitOf(base) * fraction.denominator;
  return Number(divide(dividend, unitOf(currency) * fraction.numerator));
}

/**
 * Converts the parts of one currency's total. Each converted part is the growth of the converted running sum, so the parts add up to the converted
 * total, to the minor unit.
 */
export function convertParts(parts: readonly Sums[], currency: string, base: string, rate: string): readonly Sums[] {
  const soFar: Record<keyof Amounts, number> = { gross: 0, tax: 0, fees: 0, refunds: 0, chargebacks: 0 };
  return parts.map((part) => {
    const converted = { ...part };
    for (const field of components) {
      const before = convert(soFar[field], currency, base, rate);
      soFar[field] += part[field];
      converted[field] = convert(soFar[field], currency, base, rate) - before;
    }
    return withNet(converted);
  });
}
