/** Exchange rates that an operator imported. Amounts in a currency without a rate are not converted. */
import type { CodeOf } from "#core/errors.ts";
import { readRate } from "./sums.ts";
import { minorUnitsOf } from "#core/formats.ts";
import { refuse, type Refusal } from "../../base/refusal.ts";
import type { Queries } from "../../store/schema.ts";

export interface Rate {
  readonly rate: string;
  readonly day: string;
  readonly source: string;
}

/** The latest rate of each currency on or before a day. */
export async function ratesOn(queries: Queries, base: string, day: string): Promise<ReadonlyMap<string, Rate>> {
  const rows = await queries
    .selectFrom("exchange_rates")
    .innerJoin(
      (eb) =>
        eb
          .selectFrom("exchange_rates")
          .select(["currency as of", (q) => q.fn.max("day").as("latest")])
          .where("base", "=", base)
          .where("day", "<=", day)
          .groupBy("currency")
          .as("newest"),
      (join) => join.onRef("newest.of", "=", "exchange_rates.currency").onRef("newest.latest", "=", "exchange_rates.day"),
    )
    .select(["currency", "day", "rate", "source"])
    .where("base", "=", base)
    .execute();
  const rates = new Map<string, Rate>(rows.map(({ currency, ...rate }) => [currency, rate]));
  return rates.set(base, { rate: "1", day, source: "" });
}

export interface WrittenRate {
  readonly day: string;
  readonly currency: string;
  readonly rate: string;
}

const headings = /^day\s*[,;\t]/i;
const lineFeed = /\r?\n/;

/** Parses lines of `day,currency,rate`. The refusal names the first invalid line. */
export function readRates(csv: string, base: string, today: string): readonly WrittenRate[] | Refusal<CodeOf<"invalidInput">> {
  const rates: WrittenRate[] = [];
  for (const [index, line] of csv.split(lineFeed).entries()) {
    if (line.trim() === "" || (index === 0 && headings.test(line))) continue;
    const [day = "", currency = "", rate = "", ...more] = line.split(/[,;\t]/).map((cell) => cell.trim());
    const isRate = more.every((cell) => cell === "") && isDay(day) && day <= today && isCurrency(currency) && readRate(rate) !== null;
    if (!isRate || currency === base) return refuse("invalidInput", { fields: { csv: `line ${index + 1}` } });
    rates.push({ day, currency, rate });
  }
  return rates.length === 0 ? refuse("invalidInput", { fields: { csv: "line 1" } }) : rates;
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text);
}
function isCurrency(text: string): boolean {
  return /^[A-Z]{3}$/.test(text) && minorUnitsOf(text) > 0;
}
