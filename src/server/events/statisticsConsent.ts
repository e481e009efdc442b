/** Consent to statistics: only visits with it may be replayed. */
import type { Queries } from "../store/schema.ts";

/** The devices whose latest choice allows statistics. Reads one choice of each: anybody can send any number for a device. */
export async function allowingStatistics(queries: Queries, devices: readonly string[]): Promise<ReadonlySet<string>> {
  const allowing = new Set<string>();
  for (const device of new Set(devices)) {
    const choice = await queries
      .selectFrom("consent_records")
      .select("analytics")
      .where("device_id", "=", device)
      .orderBy("chosen_at", "desc")
      .limit(1)
      .executeTakeFirst();
    if (choice?.analytics === 1) allowing.add(device);
  }
  return allowing;
}
