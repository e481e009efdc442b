/** What visitors can be told apart by. */
import type { funnelCalls } from "#studio/contract/funnel.ts";
import type { OutputOf } from "#studio/contract/call.ts";
import type { Queries } from "../../store/schema.ts";
import { unknownValue } from "./asked.ts";

type Filters = OutputOf<(typeof funnelCalls)["funnelFilters"]>;
type Occurring = Omit<Filters, "versions"> & { readonly versions: Omit<Filters["versions"][number], "hypothesis">[] };

export async function occurring(queries: Queries): Promise<Occurring> {
  const by = async (column: "locale" | "country" | "platform" | "campaign") => {
    const rows = await queries
      .selectFrom("journeys")
      .select((fields) => [column, fields.fn.countAll().as("visitors")])
      .groupBy(column)
      .execute();
    return rows
      .map((row) => ({ value: row[column] ?? unknownValue, visitors: Number(row.visitors) }))
      .toSorted((a, b) => b.visitors - a.visitors);
  };
  const versions = await queries
    .selectFrom("journeys")
    .select(({ fn }) => ["version", fn.countAll().as("visitors"), fn.min("started_at").as("first")])
    .groupBy("version")
    .execute();
  const first = versions.reduce((least, row) => Math.min(least, Number(row.first)), Number.POSITIVE_INFINITY);
  return {
    versions: versions
      .map(({ version, visitors }) => ({ version, visitors: Number(visitors) }))
      .toSorted((a, b) => b.visitors - a.visitors),
    locale: await by("locale"),
    country: await by("country"),
    platform: await by("platform"),
    campaign: await by("campaign"),
    firstDay: Number.isFinite(first) ? new Date(first).toISOString().slice(0, 10) : null,
  };
}
