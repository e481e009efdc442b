/** Single-use sign-in links. The token is derived from the row's id and a secret, so neither outbox nor database contains it. */
import { derivedToken, hashOf, keysFor, tokenWithHash } from "../../base/keys.ts";
import type { World } from "../../base/world.ts";
import { queueMail } from "../../mail/outbox.ts";
import type { Queries } from "../../store/schema.ts";

const minute = 60_000;
export type OperatorLinkPurpose = "first" | "invitation" | "sign-in";
/** Lifetimes, ms. The mails mention them. */
export const operatorLinkLife = { first: 24 * 60 * minute, invitation: 3 * 24 * 60 * minute, "sign-in": 15 * minute } as const;

/** The most open sign-in links of an operator. Further requests by anybody close the oldest, so each link stays open for at least three minutes. */
const mostOpen = 3;
/** The shortest time between two mails to an operator, ms. */
const leastBetweenMails = minute;

/** A link with less time left does not count as open, ms. */
const leastLeft = 5 * minute;

export interface OperatorLink {
  readonly id: string;
  readonly purpose: OperatorLinkPurpose;
  readonly operatorId: string | null;
}

const isPurpose = (purpose: string): purpose is OperatorLinkPurpose => Object.hasOwn(operatorLinkLife, purpose);

/** The token is in the fragment, which proxies and logs do not see. */
export const addressOfLink = (publicUrl: string, token: string): string => `${publicUrl}/studio/enter#${token}`;

export function operatorTokens(secrets: readonly string[]) {
  const keys = keysFor("operator", secrets);
  const [current] = keys;
  if (current === undefined) throw new Error("No secret key is configured: operators' links cannot be made");
  return {
    /** The token of a link, by the current key. */
    of: (linkId: string) => derivedToken(current, linkId),
    /** The token of a row, by whichever key made it; null when no key that is still set did. */
    ofRow: (row: { readonly id: string; readonly token_hash: string }) => tokenWithHash(keys, row.id, row.token_hash),
  };
}

/**
 * Ends the links that a new link replaces. A new invitation ends every earlier one. The latest sign-in links stay open: anybody may request such a link, and must
 * not end the operator's own.
 */
async function endReplaced(
  queries: Queries,
  now: number,
  { purpose, operatorId }: { readonly purpose: OperatorLinkPurpose; readonly operatorId: string | null },
): Promise<void> {
  const earlier = await queries
    .selectFrom("operator_links")
    .select("id")
    .where("purpose", "=", purpose)
    .where("operator_id", operatorId === null ? "is" : "=", operatorId)
    .where("used_at", "is", null)
    .orderBy("created_at", "desc")
    .execute();
  const replaced = earlier.slice(purpose === "sign-in" ? mostOpen - 1 : 0).map(({ id }) => id);
  if (replaced.length > 0) await queries.updateTable("operator_links").set({ used_at: now }).where("id", "in", replaced).execute();
}

/** Creates a link within the caller's write and ends those that it replaces. Returns its id and token. */
export async function createOperatorLink(
  queries: Queries,
  world: World,
  secrets: readonly string[],
  link: { readonly purpose: OperatorLinkPurpose; readonly operatorId: string | null },
): Promise<{ readonly id: string; readonly token: string }> {
  const now = world.now();
  const id = world.uuid();
  const token = operatorTokens(secrets).of(id);
  await endReplaced(queries, now, link);
  await queries
    .insertInto("operator_links")
    .values({
      id,
      token_hash: hashOf(token),
      purpose: link.purpose,
      operator_id: link.operatorId,
      created_at: now,
      expires_at: now + operatorLinkLife[link.purpose],
      used_at: null,
    })
    .execute();
  return { id, token };
}

/** The valid link of a token. Does not use it up. A link ends with the key that made it. */
export async function openLinkOf(queries: Queries, world: World, secrets: readonly string[], token: string): Promise<OperatorLink | null> {
  const row = await queries
    .selectFrom("operator_links")
    .select(["id", "token_hash", "purpose", "operator_id"])
    .where("token_hash", "=", hashOf(token))
    .where("used_at", "is", null)
    .where("expires_at", ">", world.now())
    .executeTakeFirst();
  if (row === undefined || !isPurpose(row.purpose) || operatorTokens(secrets).ofRow(row) === null) return null;
  return { id: row.id, purpose: row.purpose, operatorId: row.operator_id };
}

/** Whether an operator has an open sign-in link with enough time left. */
export async function hasSignInLink(queries: Queries, world: World, operatorId: string): Promise<boolean> {
  const row = await queries
    .selectFrom("operator_links")
    .select("id")
    .where("operator_id", "=", operatorId)
    .where("purpose", "=", "sign-in")
    .where("used_at", "is", null)
    .where("expires_at", ">", world.now() + leastLeft)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Whether a sign-in link was mailed to an operator in the last minute. Locks the operator, so that each of several simultaneous requests sees the
 * links of the earlier ones.
 */
export async function wasJustMailed(queries: Queries, world: World, operatorId: string): Promise<boolean> {
  const now = world.now();
  await queries
    .updateTable("operators")
    .set(({ ref }) => ({ role: ref("role") }))
    .where("id", "=", operatorId)
    .execute();
  const row = await queries
    .selectFrom("operator_links")
    .select("id")
    .where("operator_id", "=", operatorId)
    .where("purpose", "=", "sign-in")
    .where("created_at", ">", now - leastBetweenMails)
    // Ignores links from before the clock was set back.
    .where("created_at", "<=", now)
    .executeTakeFirst();
  return row !== undefined;
}

/** Uses up a link within the caller's write, and ends the operator's other links of its kind. Of several simultaneous attempts, one succeeds. */
export async function takeLink(queries: Queries, world: World, link: OperatorLink): Promise<boolean> {
  const unused = queries.updateTable("operator_links").set({ used_at: world.now() }).where("used_at", "is", null);
  const { numUpdatedRows } = await unused.where("id", "=", link.id).executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  if (link.operatorId !== null) await unused.where("operator_id", "=", link.operatorId).where("purpose", "=", link.purpose).execute();
  return true;
}

/** Puts the mail with a link into the outbox within the caller's write. */
export async function mailOperatorLink(
  queries: Queries,
  world: World,
  mail: {
    readonly linkId: string;
    readonly purpose: "invitation" | "sign-in";
    readonly recipient: string;
    readonly invitedBy: string | null;
  },
): Promise<void> {
  await queueMail(queries, world, {
    accountUuid: null,
    template: "operatorLink",
    locale: "en-US",
    recipient: mail.recipient,
    data: { linkId: mail.linkId, purpose: mail.purpose, invitedBy: mail.invitedBy },
  });
}

/** For the mailer: the address of a link that is still open. */
export function mailedOperatorLinks(secrets: readonly string[], publicUrl: string) {
  const tokens = operatorTokens(secrets);
  return {
    studioAddressOf: async (queries: Queries, linkId: string): Promise<string | null> => {
      const row = await queries
        .selectFrom("operator_links")
        .select(["id", "token_hash"])
        .where("id", "=", linkId)
        .where("used_at", "is", null)
        .executeTakeFirst();
      const token = row === undefined ? null : tokens.ofRow(row);
      return token === null ? null : addressOfLink(publicUrl, token);
    },
  };
}
