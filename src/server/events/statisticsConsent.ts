/** Consent to statistics: only visits with it may be replayed. */
import { sql } from "kysely";
import type { Queries } from "../store/schema.ts";

/** The devices whose latest choice allows statistics. */
export async function allowingStatistics(queries: Queries, devices: readonly string[]): Promise<ReadonlySet<string>> {
  if (devices.length === 0) return new Set();
  const choices = queries
    .selectFrom("consent_records")
    .select(["device_id", "analytics"])
    .select(sql<number>`row_number() OVER (PARTITION BY device_id ORDER BY chosen_at DESC)`.as("place"))
    .where("device_id", "in", devices)
    .as("choices");
  const rows = await queries.selectFrom(choices).select("device_id").where("place", "=", 1).where("analytics", "=", 1).execute();
  return new Set(rows.flatMap(({ device_id: device }) => device ?? []));
}
