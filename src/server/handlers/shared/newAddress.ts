/** Changes an account's address, for its owner or for an operator who helps. */
import type { CodeOf } from "#core/errors.ts";
import { knownLocale } from "#core/locales.ts";
import { askChange, endPending, isTaken, lockedAccount, pendingChange } from "../../accounts/emailChanges.ts";
import { type Refusal, refuse } from "../../base/refusal.ts";
import { queueMail } from "../../mail/outbox.ts";
import { record } from "../../store/audit.ts";
import type { Queries } from "../../store/schema.ts";
import type { Proof } from "./proof.ts";
import type { Services } from "./services.ts";

export interface NewAddress {
  readonly accountUuid: string;
  /** This session stays when the others end. Empty for none. */
  readonly sessionId: string;
  readonly email: string;
}
type Answer = { readonly pending: boolean } | Refusal<CodeOf<"invalidInput" | "invalidAccessToken" | "emailTaken">>;

/** Whether an operator may not replace the address at once: it was confirmed, or the account has an order. */
export async function needsConfirmation(
  queries: Queries,
  account: { readonly uuid: string; readonly email_confirmed_at: number | null },
): Promise<boolean> {
  if (account.email_confirmed_at !== null) return true;
  return (
    (await queries.selectFrom("orders").select("id").where("account_uuid", "=", account.uuid).limit(1).executeTakeFirst()) !== undefined
  );
}

interface Shown {
  /** Null when none is needed: the account already has this address, or a change to it is pending. */
  readonly proof: Proof | null;
  /** True: the old address gets a mail even if it was never confirmed. */
  readonly mailsOldAddress: boolean;
  /** True: an operator makes the change for the owner. */
  readonly byOperator?: boolean;
}

/** Changes the address within one write, by the account's current state. */
export async function changeAddress(
  queries: Queries,
  services: Services,
  { accountUuid, sessionId, email }: NewAddress,
  { proof, mailsOldAddress, byOperator = false }: Shown,
): Promise<Answer> {
  const { world } = services;
  const account = await lockedAccount(queries, world, accountUuid);
  if (!account) return refuse("invalidAccessToken");
  const confirmed = account.email_confirmed_at !== null;
  if (account.email === email && confirmed) return refuse("invalidInput", { fields: { email: "validator_unchanged" } });
  const waits = (await pendingChange(queries, world, accountUuid))?.to_email === email;
  // The proof was chosen before this write. Meanwhile the address was confirmed or the pending change ended, so it does not suffice any more.
  if (!waits && account.email !== email && (proof === null || (confirmed && proof !== "owner")))
    return refuse("invalidInput", { fields: { password: "validator_required" } });
  if (await isTaken(queries, world, email, accountUuid)) return refuse("emailTaken");
  // A change that an operator began for an unconfirmed address stays pending, whoever requests it again.
  const stays = confirmed || waits || (byOperator && account.email !== email && (await needsConfirmation(queries, account)));
  if (stays) await askChange(queries, services, account, { email, sessionId });
  else await replaceAtOnce(queries, services, account, { email, sessionId, mailsOldAddress });
  return { pending: stays };
}

/** Replaces an address that was never confirmed at once: a typing error, which visitors may correct (spec 001 §2, "Update-email"). */
async function replaceAtOnce(
  queries: Queries,
  { world, accounts: { links, sessions } }: Services,
  account: { readonly uuid: string; readonly email: string; readonly firstname: string | null; readonly locale: string },
  { email, sessionId, mailsOldAddress }: { readonly email: string; readonly sessionId: string; readonly mailsOldAddress: boolean },
): Promise<void> {
  const { uuid: accountUuid, firstname } = account;
  const locale = knownLocale(account.locale);
  if (account.email !== email) {
    await queries.updateTable("accounts").set({ email }).where("uuid", "=", accountUuid).execute();
    // Also those that undo a change which an operator began: the old address was never confirmed, so its mailbox may be a stranger's.
    await links.endAll(queries, accountUuid, ["keep"]);
    await endPending(queries, world, accountUuid, "replaced");
    await sessions.endAll(queries, accountUuid, "email", sessionId);
    await record(queries, world, accountUuid, "email changed");
    if (mailsOldAddress)
      await queueMail(queries, world, { accountUuid, template: "emailChanged", locale, recipient: account.email, data: { firstname } });
  }
  const linkId = await links.create(queries, "confirm", { accountUuid, email });
  await queueMail(queries, world, { accountUuid, template: "confirmEmail", locale, recipient: email, data: { linkId, firstname } });
}
