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

/** The consent at a time: the last choice until then of the account or one of its devices. Without a choice, the country's law decides. */
export async function allows(queries: Queries, accountUuid: string, at: number): Promise<boolean> {
  const devices = queries.selectFrom("event_devices").select("device_id").where("visitor", "=", accountUuid);
  const choice = await queries
    .selectFrom("consent_records")
    .select("marketing")
    .where("received_at", "<=", at)
    .where((fields) => fields.or([fields("account_uuid", "=", accountUuid), fields("device_id", "in", devices)]))
    .orderBy("received_at", "desc")
    .limit(1)
    .executeTakeFirst();
  if (choice !== undefined) return choice.marketing === 1;
  const where = await queries.selectFrom("journeys").select("country").where("device_id", "in", devices).execute();
  return where.length > 0 && where.every(({ country }) => country !== null && !marketingConsentCountries.has(country));
}
