import { isTaken, pendingChange } from "../accounts/emailChanges.ts";
import { countRequestedMail } from "./shared/requestedMail.ts";
import { missingProof, type Proof, stillHolds } from "./shared/proof.ts";
import type { Handler } from "./shared/handler.ts";
import type { CodeOf } from "#core/errors.ts";
import { type Refusal, refuse } from "../base/refusal.ts";
import type { Services } from "./shared/services.ts";
import { changeAddress } from "./shared/newAddress.ts";
import { floodableMailboxOf } from "../payments/mailboxes.ts";
import { isUniqueViolation } from "../store/store.ts";

/**
 * Changes the account's address. An unconfirmed address is corrected at once. A confirmed one stays until the new address is confirmed, and gets a
 * mail whose link undoes the change. Requesting the same change again only sends its confirmation again.
 */
export const updateEmail: Handler<"updateEmail"> = async (call, services) => {
  const { email, password } = call.body;
  const { limits, store, world, mail } = services;
  const { accountUuid } = call.actor;
  const account = await store.read
    .selectFrom("accounts")
    .select(["uuid", "email", "email_confirmed_at", "password_hash", "trust_epoch", "created_at"])
    .where("uuid", "=", accountUuid)
    .executeTakeFirst();
  if (!account) return refuse("invalidAccessToken");
  const again = account.email === email || (await pendingChange(store.read, world, accountUuid))?.to_email === email;
  const proof: Proof = account.email_confirmed_at === null ? "device" : "owner";
  const missing = again ? null : await missingProof(call, account, { proof, password }, services);
  if (missing) return missing;
  const tooMany = (await limits.take("update-email.account", accountUuid)) ?? (await tooManyHere(call.network, account, services));
  if (tooMany) return tooMany;
  // Checked before counting, so that a refused request does not use up the address owner's mails.
  if (await isTaken(store.read, world, email, accountUuid)) return refuse("emailTaken");
  const tooManyMails = again
    ? await limits.take("update-email.again", account.email === email ? email : `${accountUuid} ${email}`)
    : await limits.take("update-email.email", floodableMailboxOf(email));
  if (tooManyMails) return tooManyMails;
  const unconfirmed = account.email_confirmed_at === null;
  const tooManyAsked = unconfirmed ? await countRequestedMail(services, { ...account, email }) : null;
  if (tooManyAsked) return tooManyAsked;
  // An unconfirmed old address may be a stranger's, so the limit on mails to it applies.
  const mailsOldAddress = !unconfirmed || again || (await countRequestedMail(services, account)) === null;
  try {
    const answer = await store.write(async (queries) =>
      (await stillHolds(queries, call.actor, account))
        ? changeAddress(queries, services, { ...call.actor, email }, { proof: again ? null : proof, mailsOldAddress })
        : refuse("invalidAccessToken"),
    );
    mail.wake();
    return answer;
  } catch (error) {
    if (isUniqueViolation(error)) return refuse("emailTaken");
    throw error;
  }
};

/** A sign-up is new for this long, ms. */
const newFor = 60 * 60_000;

/** Counts a change for the network from which it is asked. Above the limit, customers and new sign-ups still have changes of their own. */
async function tooManyHere(
  network: string,
  account: { readonly uuid: string; readonly created_at: number },
  { limits, payments, world }: Pick<Services, "limits" | "payments" | "world">,
): Promise<Refusal<CodeOf<"tooMany">> | null> {
  const tooMany = await limits.take("update-email.network", network);
  if (tooMany === null || (await payments.entitlementExists(account.uuid))) return null;
  if (world.now() - account.created_at >= newFor) return tooMany;
  return (await limits.take("update-email.new", account.uuid)) === null ? null : tooMany;
}
