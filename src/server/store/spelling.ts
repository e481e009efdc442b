/** One spelling for addresses with an international domain (decision 047). */
import { domainToASCII } from "node:url";
import type { Queries } from "./schema.ts";

/** The address with its domain in ASCII, as mail servers write it. Unchanged when there is no such form. */
export function inOneSpelling(email: string): string {
  const at = email.lastIndexOf("@") + 1;
  const domain = domainToASCII(email.slice(at));
  return domain === "" ? email : `${email.slice(0, at)}${domain}`;
}

/** The migration that introduced one spelling. Addresses stored earlier are respelled in its transaction. */
export const respellingMigration = "20261122100000_known_devices";

/** Respells stored addresses. If two accounts then have the same address, the one that already had the new spelling keeps it. */
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
