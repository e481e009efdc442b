import { knownLocale } from "#core/locales.ts";
import { record } from "../store/audit.ts";
import { askChange, isTaken, lockedAccount, pendingChange } from "../accounts/emailChanges.ts";
import { queueMail } from "../mail/outbox.ts";
import { countAskedMail } from "./shared/askedMail.ts";
import { missingProof, type Proof, stillHolds } from "./shared/proof.ts";
import type { Call, Handler } from "./shared/handler.ts";
import { type Refusal, refuse } from "../base/refusal.ts";
import type { Services } from "./shared/services.ts";
import { mailboxOf } from "../payments/mailboxes.ts";
import type { Queries } from "../store/schema.ts";
import { isUniqueViolation } from "../store/store.ts";

type Answer = { readonly pending: boolean } | Refusal<1000 | 1002 | 1101>;

/**
 * Another address for the account. One that was never confirmed is corrected at once. A confirmed one stays until the new one is
 * confirmed, and gets a mail that undoes the change. The same address once more only has its confirmation sent again.
 */
export const updateEmail: Handler<"updateEmail"> = async (call, services) => {
  const { email, password } = call.body;
  const { limits, store, world, mail } = services;
  const { accountUuid } = call.actor;
  const account = await store.read
    .selectFrom("accounts")
    .select(["uuid", "email", "email_confirmed_at", "password_hash", "trust_epoch"])
    .where("uuid", "=", accountUuid)
    .executeTakeFirst();
  if (!account) return refuse(1002);
  const again = account.email === email || (await pendingChange(store.read, world, accountUuid))?.to_email === email;
  const proof: Proof = account.email_confirmed_at === null ? "device" : "owner";
  const missing = again ? null : await missingProof(call, account, { proof, password }, services);
  if (missing) return missing;
  const tooMany = await limits.take("update-email.account", accountUuid);
  if (tooMany) return tooMany;
  // Before it is counted: whom it is refused to uses up no mail of whose it is.
  if (await isTaken(store.read, world, email, accountUuid)) return refuse(1101);
  const tooManyMails = again
    ? await limits.take("update-email.again", account.email === email ? email : `${accountUuid} ${email}`)
    : await limits.take("update-email.email", mailboxOf(email));
  if (tooManyMails) return tooManyMails;
  const unconfirmed = account.email_confirmed_at === null;
  const tooManyAsked = unconfirmed ? await countAskedMail(services, { ...account, email }) : null;
  if (tooManyAsked) return tooManyAsked;
  // The old address may be a stranger's, who is spared more mails than that.
  const tellsOld = !unconfirmed || again || (await countAskedMail(services, account)) === null;
  try {
    const answer = await store.write(async (queries) =>
      (await stillHolds(queries, call.actor, account))
        ? change(queries, services, call, { proof: again ? null : proof, tellsOld })
        : refuse(1002),
    );
    mail.wake();
    return answer;
  } catch (error) {
    if (isUniqueViolation(error)) return refuse(1101);
    throw error;
  }
};

/** Within one write, by what the account is then. `proof` is what was shown; null for an address that it has or waits for. `tellsOld`: an
 * address that was never confirmed is told, too. */
async function change(
  queries: Queries,
  services: Services,
  { body: { email }, actor: { accountUuid, sessionId } }: Pick<Call<"updateEmail">, "body" | "actor">,
  { proof, tellsOld }: { readonly proof: Proof | null; readonly tellsOld: boolean },
): Promise<Answer> {
  const { world } = services;
  const account = await lockedAccount(queries, world, accountUuid);
  if (!account) return refuse(1002);
  const confirmed = account.email_confirmed_at !== null;
  if (account.email === email && confirmed) return refuse(1000, { fields: { email: "validator_unchanged" } });
  const waits = (await pendingChange(queries, world, accountUuid))?.to_email === email;
  // It was confirmed, or the change that waited has ended, since the proof was asked for.
  if (!waits && account.email !== email && (proof === null || (confirmed && proof !== "owner")))
    return refuse(1000, { fields: { password: "validator_required" } });
  if (await isTaken(queries, world, email, accountUuid)) return refuse(1101);
  if (confirmed) await askChange(queries, services, account, { email, sessionId });
  else await correct(queries, services, account, { email, sessionId, tellsOld });
  return { pending: confirmed };
}

/** An address that was never confirmed: a slip of the finger, which the funnel lets one mend (spec 001 §2, "Update-email"). */
async function correct(
  queries: Queries,
  { world, accounts: { links, sessions } }: Services,
  account: { readonly uuid: string; readonly email: string; readonly firstname: string | null; readonly locale: string },
  { email, sessionId, tellsOld }: { readonly email: string; readonly sessionId: string; readonly tellsOld: boolean },
): Promise<void> {
  const { uuid: accountUuid, firstname } = account;
  const locale = knownLocale(account.locale);
  if (account.email !== email) {
    await queries.updateTable("accounts").set({ email }).where("uuid", "=", accountUuid).execute();
    await links.endAll(queries, accountUuid);
    await sessions.endAll(queries, accountUuid, "email", sessionId);
    await record(queries, world, accountUuid, "email changed");
    if (tellsOld)
      await queueMail(queries, world, { accountUuid, template: "emailChanged", locale, recipient: account.email, data: { firstname } });
  }
  const linkId = await links.create(queries, "confirm", { accountUuid, email });
  await queueMail(queries, world, { accountUuid, template: "confirmEmail", locale, recipient: email, data: { linkId, firstname } });
}
