/** Whether a buyer allows advertising networks to hear of them, at one moment. */
import { marketingConsentCountries } from "#core/countries.ts";
import type { Queries } from "../store/schema.ts";

/** Whether a refusal comes after a moment, by a clock that went back since: it holds all the same. */
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

/** What held at a moment: the last choice of the account or one of its devices until then; without any, what the country's law says. */
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
