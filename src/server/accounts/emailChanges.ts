/**
 * Changes of an account's e-mail address (decision 048). A new address is pending until it is confirmed. The old one can be restored for seven days,
 * whatever happens in between.
 */
import { knownLocale } from "#core/locales.ts";
import type { World } from "../base/world.ts";
import type { Queries } from "../store/schema.ts";
import { record } from "../store/audit.ts";
import type { Accounts } from "./accounts.ts";
import { linkLife } from "../base/linkLife.ts";
import { leftByErasures, queueMail } from "../mail/outbox.ts";
import { endWaysIn, type KnownAs, takeOverNotices } from "./ownership.ts";

interface Parts {
  readonly world: World;
  readonly accounts: Accounts;
}

interface Account {
  readonly uuid: string;
  readonly email: string;
  readonly firstname: string | null;
  readonly locale: string;
}

/** The account's row, locked until the caller's transaction ends. */
export const lockedAccount = (queries: Queries, world: World, accountUuid: string) =>
  queries
    .updateTable("accounts")
    .set({ updated_at: world.now() })
    .where("uuid", "=", accountUuid)
    .returning(["uuid", "email", "email_confirmed_at", "firstname", "locale", "trust_epoch"])
    .executeTakeFirst();

/** The pending change, if any. */
export const pendingChange = (queries: Queries, world: World, accountUuid: string) =>
  queries
    .selectFrom("email_changes")
    .select(["id", "from_email", "to_email", "session_id"])
    .where("account_uuid", "=", accountUuid)
    .where("outcome", "is", null)
    .where("expires_at", ">", world.now())
    .executeTakeFirst();

/**
 * Whether an address belongs to another account, or did before a change that can still be undone. Such an address stays reserved: otherwise an
 * intruder could change it, take it with another account, and keep it from its owner.
 */
export async function isTaken(queries: Queries, world: World, email: string, accountUuid: string): Promise<boolean> {
  const another = await queries
    .selectFrom("accounts")
    .select("uuid")
    .where("email", "=", email)
    .where("uuid", "<>", accountUuid)
    .executeTakeFirst();
  return another !== undefined || (await isHeldBack(queries, world, email, accountUuid));
}

export async function isHeldBack(queries: Queries, world: World, email: string, accountUuid: string): Promise<boolean> {
  const change = await queries
    .selectFrom("email_changes")
    .select("id")
    .where("from_email", "=", email)
    .where("account_uuid", "<>", accountUuid)
    .where((fields) => fields.or([fields("outcome", "is", null), fields("outcome", "=", "confirmed")]))
    .where("asked_at", ">", world.now() - linkLife.undo)
    .executeTakeFirst();
  return change !== undefined;
}

/** Ends the pending change. */
export async function endPending(queries: Queries, world: World, accountUuid: string, outcome: "replaced" | "dropped"): Promise<void> {
  await queries
    .updateTable("email_changes")
    .set({ outcome, ended_at: world.now() })
    .where("account_uuid", "=", accountUuid)
    .where("outcome", "is", null)
    .execute();
}

/** Starts a change, or mails its confirmation again. When it starts, the old address gets the link that undoes it. */
export async function askChange(
  queries: Queries,
  { world, accounts: { links } }: Parts,
  account: Account,
  { email, sessionId }: { readonly email: string; readonly sessionId: string },
): Promise<void> {
  const { uuid: accountUuid, firstname } = account;
  const locale = knownLocale(account.locale);
  const waiting = await pendingChange(queries, world, accountUuid);
  let changeId = waiting?.to_email === email ? waiting.id : null;
  if (changeId === null) {
    changeId = world.uuid();
    await endPending(queries, world, accountUuid, "replaced");
    // The link is made before the change is stored, because undoing ends everything requested after this link.
    const undoId = await links.create(queries, "undo", { accountUuid, email: account.email });
    const now = world.now();
    await queries
      .insertInto("email_changes")
      .values({
        id: changeId,
        account_uuid: accountUuid,
        from_email: account.email,
        to_email: email,
        session_id: sessionId,
        asked_at: now,
        expires_at: now + linkLife.change,
        outcome: null,
        ended_at: null,
      })
      .execute();
    await queueMail(queries, world, {
      accountUuid,
      template: "emailChange",
      locale,
      recipient: account.email,
      data: { firstname, linkId: undoId },
    });
    await record(queries, world, accountUuid, "email change asked");
  }
  const linkId = await links.create(queries, "change", { accountUuid, email });
  // The change's id finds this mail when the account is erased.
  await queueMail(queries, world, { accountUuid, template: "confirmEmail", locale, recipient: email, data: { linkId, changeId } });
}

/**
 * Applies a confirmed change; null when it is no longer pending. Throws when the address now belongs to another account. Somebody who confirms on an unknown
 * device may be another person than the one who requested the change. So password, sessions and known devices end, as after a first confirmation.
 */
export async function applyChange(
  queries: Queries,
  { world, accounts: { links, sessions } }: Parts,
  { accountUuid, email }: { readonly accountUuid: string; readonly email: string },
  knownAs: KnownAs,
): Promise<{ readonly passwordEnded: boolean } | null> {
  const account = await lockedAccount(queries, world, accountUuid);
  const change = await pendingChange(queries, world, accountUuid);
  if (!account || change?.to_email !== email || change.from_email !== account.email)
    return account?.email === email ? { passwordEnded: false } : null;
  const now = world.now();
  await queries.updateTable("accounts").set({ email, email_confirmed_at: now }).where("uuid", "=", accountUuid).execute();
  await takeOverNotices(queries, accountUuid);
  await queries.updateTable("email_changes").set({ outcome: "confirmed", ended_at: now }).where("id", "=", change.id).execute();
  // Links that undo a change to this address or confirm another one are obsolete. An unconfirmed old address cannot undo the change: it may be a
  // typing error, and its mailbox a stranger's.
  await links.endAll(queries, accountUuid, account.email_confirmed_at === null ? ["change"] : ["undo", "change"]);
  await endLaterUndos(queries, world, { accountUuid, email });
  await mailBothAddresses(queries, world, { ...account, to: email }, knownAs(account) !== null);
  await record(queries, world, accountUuid, "email changed");
  const passwordEnded = knownAs(account) === null;
  if (!passwordEnded) await sessions.endAll(queries, accountUuid, "email", change.session_id);
  else {
    await endWaysIn(queries, { world, sessions }, accountUuid, "email");
    await record(queries, world, accountUuid, "address proven by another device");
  }
  return { passwordEnded };
}

/**
 * Mails the old and the new address. The mail to the new one has the owner's name only if the device is known, because another person may read that
 * mailbox.
 */
async function mailBothAddresses(
  queries: Queries,
  world: World,
  { uuid: accountUuid, email, firstname, locale: kept, to }: Account & { readonly to: string },
  isKnown: boolean,
): Promise<void> {
  const locale = knownLocale(kept);
  await queueMail(queries, world, { accountUuid, template: "emailChanged", locale, recipient: email, data: { firstname } });
  const data = { firstname: isKnown ? firstname : null };
  await queueMail(queries, world, { accountUuid, template: "emailIsNew", locale, recipient: to, data });
}

/**
 * For an account that changes back to an earlier address: ends the undo links of the addresses after it. Following that earlier address's own undo link would
 * do the same, and the mailbox has just been proven.
 */
async function endLaterUndos(
  queries: Queries,
  world: World,
  { accountUuid, email }: { readonly accountUuid: string; readonly email: string },
): Promise<void> {
  const own = await queries
    .selectFrom("link_tokens")
    .select("created_at")
    .where("account_uuid", "=", accountUuid)
    .where("purpose", "=", "undo")
    .where("email", "=", email)
    .where("used_at", "is", null)
    .where("expires_at", ">", world.now())
    .orderBy("created_at")
    .executeTakeFirst();
  if (!own) return;
  await queries
    .deleteFrom("link_tokens")
    .where("account_uuid", "=", accountUuid)
    .where("purpose", "=", "undo")
    .where("email", "<>", email)
    .where("created_at", ">=", own.created_at)
    .execute();
}

/**
 * Restores the address to which the link was mailed. Ends everything that gives an intruder access: password, sessions, devices, links, and the links
 * that would undo this. Returns the address; null for an invalid or used link.
 */
export async function undoChange(queries: Queries, { world, accounts: { links, sessions } }: Parts, token: string): Promise<string | null> {
  const link = await links.use(queries, "undo", token);
  if (link === null) return null;
  const { accountUuid, email, createdAt } = link;
  const account = await lockedAccount(queries, world, accountUuid);
  const now = world.now();
  await queries.updateTable("accounts").set({ email, email_confirmed_at: now }).where("uuid", "=", accountUuid).execute();
  await endWaysIn(queries, { world, sessions }, accountUuid, "undone");
  await queries
    .updateTable("email_changes")
    .set({ outcome: "undone", ended_at: now })
    .where("account_uuid", "=", accountUuid)
    .where((fields) => fields.or([fields("asked_at", ">=", createdAt), fields("outcome", "is", null)]))
    .execute();
  await links.endAll(queries, accountUuid);
  await queries
    .deleteFrom("link_tokens")
    .where("account_uuid", "=", accountUuid)
    .where("created_at", ">=", createdAt)
    .where("used_at", "is", null)
    .execute();
  await record(queries, world, accountUuid, "email change undone");
  if (account !== undefined && account.email !== email) {
    const { firstname } = account;
    await queueMail(queries, world, {
      accountUuid,
      template: "emailChanged",
      locale: knownLocale(account.locale),
      recipient: account.email,
      data: { firstname },
    });
  }
  return email;
}

/**
 * Deletes an account's changes: none can be confirmed or undone any more, and the addresses are free. Deletes its mails to earlier and pending
 * addresses; other accounts' mails to those addresses stay.
 */
export async function forgetChanges(queries: Queries, accountUuid: string): Promise<void> {
  const changes = await queries
    .selectFrom("email_changes")
    .select(["id", "from_email", "to_email"])
    .where("account_uuid", "=", accountUuid)
    .execute();
  for (const { id, from_email, to_email } of changes) {
    // Looked up by the address: `not in` would read every account's, and the write holds up all others meanwhile.
    const another = queries.selectFrom("accounts").select("uuid").where("email", "=", from_email).where("uuid", "<>", accountUuid);
    await queries
      .deleteFrom("mail_outbox")
      .where("recipient", "=", from_email)
      // A pending change begins at the address that the account had until now.
      .where("template", "not in", leftByErasures)
      .where(({ not, exists }) => not(exists(another)))
      .execute();
    await queries.deleteFrom("mail_outbox").where("recipient", "=", to_email).where("data", "like", `%"${id}"%`).execute();
  }
  await queries.deleteFrom("email_changes").where("account_uuid", "=", accountUuid).execute();
  await queries.deleteFrom("link_tokens").where("account_uuid", "=", accountUuid).where("purpose", "in", ["change", "undo"]).execute();
}
