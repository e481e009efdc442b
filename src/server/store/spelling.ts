/** One spelling for an address whose domain has letters of its own (decision 047). */
import { domainToASCII } from "node:url";
import type { Queries } from "./schema.ts";

/** The address with its domain as mail servers write it; as it is when that has none. */
export function inOneSpelling(email: string): string {
  const at = email.lastIndexOf("@") + 1;
  const domain = domainToASCII(email.slice(at));
  return domain === "" ? email : `${email.slice(0, at)}${domain}`;
}

/** The migration that gave addresses one spelling; what was stored before it is respelled in the same transaction. */
export const respellingMigration = "20261122100000_known_devices";

/** Of two accounts that are one address now, the one in the new spelling keeps it. */
export async function respellStored(queries: Queries): Promise<void> {
  const accounts = await queries.selectFrom("accounts").select(["uuid", "email"]).execute();
  const known = new Set(accounts.map(({ email }) => email));
  for (const { uuid, email } of accounts) {
    const spelled = inOneSpelling(email);
    if (known.has(spelled)) continue;
    known.add(spelled);
    await queries.updateTable("accounts").set({ email: spelled }).where("uuid", "=", uuid).execute();
    await queries.updateTable("link_tokens").set({ email: spelled }).where("account_uuid", "=", uuid).where("email", "=", email).execute();
  }
}
