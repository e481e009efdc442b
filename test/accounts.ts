/** For tests: inserts an account directly into the database. */
import type { World } from "#server/base/world.ts";
import type { Store } from "#server/store/store.ts";

/** @param email default: the account's uuid at example.com */
export async function insertAccount(store: Store, world: Pick<World, "uuid">, email?: string): Promise<string> {
  const uuid = world.uuid();
  const row = {
    uuid,
    email: email ?? `${uuid}@example.com`,
    email_confirmed_at: null,
    password_hash: null,
    firstname: "Lucía",
    locale: "de-DE",
    questionnaire_version: "76",
    app_version: "v5.7.8",
    marketing_consent: null,
    created_at: 0,
    updated_at: 0,
  };
  await store.write((queries) => queries.insertInto("accounts").values(row).execute());
  return uuid;
}
