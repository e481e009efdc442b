/** The money of a period: in each currency, and in the base currency at the rates of one day. */
import { dayOf } from "#core/questionnaire/calendar.ts";
import type { InputOf, OutputOf } from "#studio/contract/call.ts";
import type { moneyCalls, Sums } from "#studio/contract/money.ts";
import type { Queries } from "../../store/schema.ts";
import { entriesIn, type Group, groupsIn, type MoneyFilters } from "./ledger.ts";
import { countsIn } from "./plans.ts";
import { type Rate, ratesOn } from "./rates.ts";
import { add, convertParts, type KindSum, noSums, sumsOf } from "./sums.ts";

type Call = (typeof moneyCalls)["money"];
type Breakdown = InputOf<Call>["by"];
const dayMs = 86_400_000;
const daysFrom = (day: string, days: number) => dayOf(Date.parse(`${day}T00:00:00Z`) + days * dayMs);

/** The number of days, both ends included. NaN when one of them is not a date. */
export const lengthOf = ({ from, to }: Pick<MoneyFilters, "from" | "to">): number => 1 + (Date.parse(to) - Date.parse(from)) / dayMs;

const daysIn = (filters: Pick<MoneyFilters, "from" | "to">): readonly string[] =>
  Array.from({ length: lengthOf(filters) }, (_, index) => daysFrom(filters.from, index));

function keyOf(group: Group, by: Breakdown): string {
  if (by === "day") return group.day;
  if (by === "provider") return group.provider;
  if (by === "product") return group.product ?? "unknown";
  return by === "country" ? (group.country ?? "none") : group.currency;
}

interface Part {
  readonly key: string;
  readonly currency: string;
  readonly sums: Sums;
  readonly inBase: Sums | null;
}

/** Sums by key and currency. Amounts in the base currency add up to the same total for every key. */
export function partsOf<G extends KindSum & { readonly currency: string }>(
  groups: readonly G[],
  key: (group: G) => string,
  base: string,
  rates: ReadonlyMap<string, Rate>,
): readonly Part[] {
  return [...Map.groupBy(groups, ({ currency }) => currency)].flatMap(([currency, own]) => {
    const keyed = [...Map.groupBy(own, key)]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, rows]) => ({ key: name, sums: sumsOf(rows) }));
    const rate = rates.get(currency);
    const sums = keyed.map((part) => part.sums);
    const converted = rate === undefined ? null : convertParts(sums, currency, base, rate.rate);
    return keyed.map((part, index) => ({ ...part, currency, inBase: converted?.[index] ?? null }));
  });
}

const inBase = (parts: readonly Part[]): Sums => add(parts.map((part) => part.inBase ?? noSums));

export async function overview(
  queries: Queries,
  { by, ...filters }: InputOf<Call>,
  { base, now }: { readonly base: string; readonly now: number },
): Promise<OutputOf<Call>> {
  const length = lengthOf(filters);
  const earlier = { ...filters, from: daysFrom(filters.from, -length), to: daysFrom(filters.from, -1) };
  const [groups, groupsBefore, rates, counts, countsBefore, choices, latest] = await Promise.all([
    groupsIn(queries, filters),
    groupsIn(queries, earlier),
    ratesOn(queries, base, filters.to),
    countsIn(queries, filters, now),
    countsIn(queries, earlier, now),
    choicesOf(queries),
    latestOf(queries, filters),
  ]);
  const byCurrency = (group: Group) => group.currency;
  const byDay = Map.groupBy(
    partsOf(groups, ({ day }) => day, base, rates),
    ({ key }) => key,
  );
  const used = [...new Set(groups.map(byCurrency))].filter((currency) => currency !== base);
  const known = used.flatMap((currency) => rates.get(currency) ?? []).toSorted((a, b) => (a.day < b.day ? 1 : -1));
  return {
    base,
    ratesDay: known[0]?.day ?? null,
    ratesSource: known[0]?.source ?? null,
    withoutRate: used.filter((currency) => !rates.has(currency)).toSorted(),
    total: inBase(partsOf(groups, byCurrency, base, rates)),
    counts,
    // Both periods use the same rates, so that a difference comes from the business, not from the market.
    before: { from: earlier.from, to: earlier.to, total: inBase(partsOf(groupsBefore, byCurrency, base, rates)), counts: countsBefore },
    days: daysIn(filters).map((day) => ({ day, sums: inBase(byDay.get(day) ?? []) })),
    groups: partsOf(groups, (group) => keyOf(group, by), base, rates)
      .map((part) => ({ ...part, rate: rates.get(part.currency) ?? null }))
      .toSorted((a, b) => (b.inBase?.net ?? 0) - (a.inBase?.net ?? 0)),
    choices,
    latest,
  };
}

async function choicesOf(queries: Queries) {
  const of = async (rows: Promise<readonly { readonly value: string | null }[]>) =>
    (await rows).flatMap(({ value }) => value ?? []).toSorted();
  const [currencies, products, countries] = await Promise.all([
    of(queries.selectFrom("money_entries").select("currency as value").distinct().execute()),
    of(queries.selectFrom("orders").select("product_id as value").distinct().where("status", "!=", "pending").execute()),
    of(queries.selectFrom("orders").select("country as value").distinct().where("status", "!=", "pending").execute()),
  ]);
  return { currencies, products, countries };
}

async function latestOf(queries: Queries, filters: MoneyFilters): Promise<number | null> {
  const row = await entriesIn(queries, filters)
    .select((eb) => eb.fn.max("e.at").as("at"))
    .executeTakeFirst();
  return row?.at == null ? null : Number(row.at);
}
