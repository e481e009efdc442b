/** Exchange rates that an operator imported. Amounts in a currency without a rate are not converted. */
import type { CodeOf } from "#core/errors.ts";
import { readRate } from "./sums.ts";
import { minorUnitsOf } from "#core/formats.ts";
import { memoize } from "#core/memoize.ts";
import { refuse, type Refusal } from "../../base/refusal.ts";
import { sql } from "kysely";
import type { Queries } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";

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

/**
 * Stores rates within the caller's write. Of two rates for a day, the last one counts. One statement reads them all from a list: a file may have tens of
 * thousands, and on SQLite the process does nothing else meanwhile. @returns how many replaced another rate
 */
export async function keepRates(
  queries: Queries,
  dialect: Store["dialect"],
  { base, source, rates }: { readonly base: string; readonly source: string; readonly rates: readonly WrittenRate[] },
): Promise<number> {
  const list = JSON.stringify([...new Map(rates.map((rate) => [`${rate.day} ${rate.currency}`, rate])).values()]);
  const given =
    dialect === "sqlite"
      ? sql`(SELECT value ->> 'currency' AS currency, value ->> 'day' AS day, value ->> 'rate' AS rate FROM json_each(${list}))`
      : sql`(SELECT currency, day, rate FROM json_to_recordset(CAST(${list} AS json)) AS listed (currency text, day text, rate text))`;
  const { rows } = await sql<{ n: number | string }>`
    SELECT COUNT(*) AS n FROM ${given} AS given JOIN exchange_rates known
      ON known.base = ${base} AND known.currency = given.currency AND known.day = given.day AND known.rate <> given.rate`.execute(queries);
  await sql`
    INSERT INTO exchange_rates (base, currency, day, rate, source)
      SELECT ${base}, given.currency, given.day, given.rate, ${source} FROM ${given} AS given WHERE 1 = 1
      ON CONFLICT (base, currency, day) DO UPDATE SET rate = excluded.rate, source = excluded.source`.execute(queries);
  return Number(rows[0]?.n ?? 0);
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text);
}
const isCurrency = (text: string): boolean => /^[A-Z]{3}$/.test(text) && unitsOf(text).minor > 0;
/** Kept, because each answer takes a number format. */
const unitsOf = memoize((currency: string) => ({ minor: minorUnitsOf(currency) }));
