/** Whether a buyer consents to reports to advertising networks, at a given time. */
import { marketingConsentCountries } from "#core/countries.ts";
import type { Queries } from "../store/schema.ts";

/**
 * Whether the buyer has refused at a time later than `at`. If `at` is now, the clock was set back after that refusal. `allows` does not see it, but it
 * still counts.
 */
export async function refusesLater(queries: Queries, accountUuid: string, at: number): Promise<boolean> {
  const devices = queries.selectFrom("event_devices").select("device_id").where("visitor", "=", accountUuid);
  const refusal = await queries
    .selectFrom("consent_records")
    .select("id")
    .where("received_at", ">", at)
    .where("marketing", "=", 0)
    .where((fields) => fields.or([fields("account_uuid", "=", accountUuid), fields("device_id", "in", devices)]))
    .executeTakeFirst();
  return refusal !== undefined;
}

/** The latest choice of an account or a device until a time. Reads only one row, because anybody can send any number of choices. */
const latestOf = (queries: Queries, of: { readonly account_uuid: string } | { readonly device_id: string }, at: number) =>
  queries
    .selectFrom("consent_records")
    .select(["marketing", "received_at"])
    .where(({ and }) => and(of))
    .where("received_at", "<=", at)
    .orderBy("received_at", "desc")
    .limit(1)
    .executeTakeFirst();

/** The consent at a time: the last choice until then of the account or one of its devices. Without a choice, the country's law decides. */
export async function allows(queries: Queries, accountUuid: string, at: number): Promise<boolean> {
  const devices = await queries
    .selectFrom("event_devices")
    .leftJoin("journeys", "journeys.device_id", "event_devices.device_id")
    .select(["event_devices.device_id", "journeys.country", "journeys.version"])
    .where("visitor", "=", accountUuid)
    .execute();
  let last = await latestOf(queries, { account_uuid: accountUuid }, at);
  for (const device_id of new Set(devices.map((row) => row.device_id))) {
    const choice = await latestOf(queries, { device_id }, at);
    if (choice !== undefined && (last === undefined || choice.received_at > last.received_at)) last = choice;
  }
  if (last !== undefined) return last.marketing === 1;
  const where = devices.filter(({ version }) => version !== null);
  return where.length > 0 && where.every(({ country }) => country !== null && !marketingConsentCountries.has(country));
}
