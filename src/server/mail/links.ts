/** Tokens of mailed links: 256 bits, stored as a hash, each with a purpose. */
import { createHash } from "node:crypto";
import { type LinkPurpose, linkLife } from "../base/linkLife.ts";
import type { World } from "../base/world.ts";
import { lockAccounts } from "../store/lockAccounts.ts";
import type { Queries } from "../store/schema.ts";
import { giveTryBack, hasTries, takeTry } from "./codeTries.ts";
import { derivedToken, hashOf, keysFor, tokenWithHash } from "../base/keys.ts";

export interface LinkOwner {
  readonly accountUuid: string;
  readonly email: string;
}
export interface UsedLink extends LinkOwner {
  readonly createdAt: number;
}
/** Links whose mails also have a code: `login` enters anywhere, `confirm` confirms the address where its account was made (decision 224). */
const codePurposes = ["login", "confirm"] as const satisfies readonly LinkPurpose[];
export type CodePurpose = (typeof codePurposes)[number];
/** A code as it was typed. */
export interface GivenCode {
  readonly purpose: CodePurpose;
  readonly email: string;
  /** The account that the code must be of, where it is known. */
  readonly accountUuid?: string;
  readonly code: string;
  /** The device or network that the try comes from. A link requested from there is tried first. */
  readonly askedBy: string;
  readonly byKnownDevice: boolean;
}

export interface Links {
  /**
   * Inserts a token's row in the caller's transaction and returns its id. Earlier links that the same device or network requested stay valid,
   * but their codes do not (decision 101). A link that confirms an address change, or keeps a subscription, replaces earlier ones. It works no
   * longer than `until`, milliseconds since 1970.
   */
  readonly create: (queries: Queries, purpose: LinkPurpose, owner: LinkOwner, askedBy?: string, until?: number) => Promise<string>;
  /** Whether the account has a mailed link of this purpose with at least half of its life left. */
  readonly isWaiting: (queries: Queries, purpose: LinkPurpose, owner: LinkOwner) => Promise<boolean>;
  /**
   * The token for a mail about to be sent; null when its row is gone. It is derived from the id and a secret, so that neither the outbox nor
   * a database dump contains it.
   */
  readonly tokenOf: (queries: Queries, linkId: string) => Promise<string | null>;
  /** Whether a key that is still set has made a link's token. When a key is removed because it was seen, its links end, as access tokens do. */
  readonly isOurs: (linkId: string, token: string) => boolean;
  /** The six-digit code of a link, derived in the same way; null for links without one, and when the account has no tries left. */
  readonly codeOf: (queries: Queries, linkId: string) => Promise<string | null>;
  /** Uses up a token in the caller's transaction; null when it is invalid or used. Of several concurrent calls, one gets the owner. */
  readonly use: (queries: Queries, purpose: LinkPurpose, token: string) => Promise<UsedLink | null>;
  /**
   * Uses up a code in the same way. Each try counts for the code and the account. The fifth wrong try voids the code but not the
   * link.
   */
  readonly useCode: (queries: Queries, given: GivenCode) => Promise<LinkOwner | null>;
  /** The owner of a valid token, and the address it was mailed to. Does not use the token up. */
  readonly ownerOf: (queries: Queries, purpose: LinkPurpose, token: string) => Promise<LinkOwner | null>;
  /** Ends an account's tokens, except those that undo a change or keep a subscription, because its password or address has changed. */
  readonly endAll: (queries: Queries, accountUuid: string, but?: readonly LinkPurpose[]) => Promise<void>;
}

export const codeTries = 5;
const codeDigits = 6;

/** Six digits from a token's bits, uniform to within the precision of 48 bits. */
function codeFrom(token: string): string {
  const number = createHash("sha256").update(`code ${token}`).digest().readUIntBE(0, 6) % 10 ** codeDigits;
  return String(number).padStart(codeDigits, "0");
}

/** Marks one open row as used. The condition lets only one caller win. */
async function take(queries: Queries, world: World, linkId: string): Promise<UsedLink | null> {
  const row = await queries
    .updateTable("link_tokens")
    .set({ used_at: world.now() })
    .where("id", "=", linkId)
    .where("used_at", "is", null)
    .returning(["account_uuid", "email", "created_at"])
    .executeTakeFirst();
  return row ? { accountUuid: row.account_uuid, email: row.email, createdAt: row.created_at } : null;
}
/** Open links to the account's current address, and those for changing or restoring it. */
const openLinks = (queries: Queries, world: World, purpose: LinkPurpose) =>
  queries
    .selectFrom("link_tokens")
    .innerJoin("accounts", (join) =>
      join
        .onRef("accounts.uuid", "=", "link_tokens.account_uuid")
        .on((on) => on.or([on("link_tokens.purpose", "in", ["change", "undo"]), on("accounts.email", "=", on.ref("link_tokens.email"))])),
    )
    .select("link_tokens.id")
    .where("purpose", "=", purpose)
    .where("used_at", "is", null)
    .where("expires_at", ">", world.now());
/** Links that live longer than an old key stays set, and with which nobody can enter. */
const givesNoAccess: readonly LinkPurpose[] = ["undo", "keep"];

/** The open link of a token. Without a key that made it, it gives no access. */
async function openByToken(
  queries: Queries,
  { world, isOurs }: { readonly world: World } & Pick<Links, "isOurs">,
  purpose: LinkPurpose,
  token: string,
) {
  const row = await openLinks(queries, world, purpose)
    .select(["link_tokens.email", "link_tokens.account_uuid"])
    .where("token_hash", "=", hashOf(token))
    .executeTakeFirst();
  return row !== undefined && (givesNoAccess.includes(purpose) || isOurs(row.id, token)) ? row : undefined;
}

function hasCode(purpose: string): purpose is CodePurpose {
  return codePurposes.some((one) => one === purpose);
}

/** Inserts a link's row. Voids earlier codes of the same asker, and earlier links that confirm a change. */
async function insertLink(
  queries: Queries,
  world: World,
  purpose: LinkPurpose,
  { accountUuid, email }: { readonly accountUuid: string; readonly email: string },
  link: { readonly id: string; readonly token_hash: string; readonly asked_by: string; readonly until: number },
): Promise<void> {
  const { id, token_hash, asked_by, until } = link;
  const now = world.now();
  if (hasCode(purpose))
    await queries
      .updateTable("link_tokens")
      .set({ code_tries: codeTries })
      .where("account_uuid", "=", accountUuid)
      .where("purpose", "=", purpose)
      .where("asked_by", "=", asked_by)
      .execute();
  if (purpose === "change" || purpose === "keep")
    await queries.deleteFrom("link_tokens").where("account_uuid", "=", accountUuid).where("purpose", "=", purpose).execute();
  await queries
    .insertInto("link_tokens")
    .values({
      id,
      token_hash,
      purpose,
      account_uuid: accountUuid,
      email,
      created_at: now,
      expires_at: Math.min(until, now + linkLife[purpose]),
      used_at: null,
      code_tries: 0,
      asked_by,
    })
    .execute();
}

/**
 * The open link with whose code a try is compared: the asker's own if there is one, else the newest. Null also when that code's tries are used up, so
 * that strangers who go on guessing lock nothing.
 */
async function linkToTry(
  queries: Queries,
  world: World,
  { purpose, email, accountUuid }: GivenCode,
  asker: string,
): Promise<(LinkOwner & { readonly id: string }) | null> {
  const rows = await openLinks(queries, world, purpose)
    .select(["asked_by", "account_uuid", "code_tries"])
    .where("link_tokens.email", "=", email)
    .orderBy("link_tokens.created_at", "desc")
    .orderBy("link_tokens.code_tries")
    .execute();
  const row = rows.find(({ asked_by }) => asked_by === asker) ?? rows[0];
  if (!row || row.code_tries >= codeTries || (accountUuid !== undefined && row.account_uuid !== accountUuid)) return null;
  return { id: row.id, accountUuid: row.account_uuid, email };
}

export function createLinks(secrets: readonly string[], world: World): Links {
  const keys = keysFor("link", secrets);
  const current = keys[0];
  if (!current) throw new Error("No secret key is configured: link tokens cannot be derived");

  const isOurs: Links["isOurs"] = (linkId, token) => tokenWithHash(keys, linkId, hashOf(token)) !== null;
  async function tokenOf(queries: Queries, linkId: string): Promise<string | null> {
    const row = await queries.selectFrom("link_tokens").select("token_hash").where("id", "=", linkId).executeTakeFirst();
    // Tries all keys: the key may have been rotated since the row was written.
    return row === undefined ? null : tokenWithHash(keys, linkId, row.token_hash);
  }
  async function codeOf(queries: Queries, linkId: string): Promise<string | null> {
    const token = await tokenOf(queries, linkId);
    if (token === null) return null;
    const { purpose, account_uuid: accountUuid } = await queries
      .selectFrom("link_tokens")
      .select(["purpose", "account_uuid"])
      .where("id", "=", linkId)
      .executeTakeFirstOrThrow();
    if (!hasCode(purpose)) return null;
    return (await hasTries(queries, world, { accountUuid, byKnownDevice: purpose === "confirm" })) ? codeFrom(token) : null;
  }
  /** The stored form of the asker, so that a database dump reveals no address. */
  const hashOfAsker = (askedBy: string): string => (askedBy === "" ? "" : derivedToken(current, `asked by ${askedBy}`));
  return {
    create: async (queries, purpose, account, askedBy = "", until = Infinity) => {
      const id = world.uuid();
      const link = { id, token_hash: hashOf(derivedToken(current, id)), asked_by: hashOfAsker(askedBy), until };
      await insertLink(queries, world, purpose, account, link);
      return id;
    },
    isWaiting: async (queries, purpose, { accountUuid }) =>
      (await openLinks(queries, world, purpose)
        .where("link_tokens.account_uuid", "=", accountUuid)
        .where("expires_at", ">", world.now() + linkLife[purpose] / 2)
        .executeTakeFirst()) !== undefined,
    tokenOf,
    codeOf,
    isOurs,
    use: async (queries, purpose, token) => {
      const row = await openByToken(queries, { world, isOurs }, purpose, token);
      if (!row) return null;
      await lockAccounts(queries).where("uuid", "=", row.account_uuid).execute();
      return take(queries, world, row.id);
    },
    useCode: async (queries, given) => {
      const link = await linkToTry(queries, world, given, hashOfAsker(given.askedBy));
      if (link === null) return null;
      const { id, accountUuid } = link;
      await lockAccounts(queries).where("uuid", "=", accountUuid).execute();
      // Counted before the comparison, so that concurrent tries cannot all be the fifth.
      const counted = await queries
        .updateTable("link_tokens")
        .set((fields) => ({ code_tries: fields("code_tries", "+", 1) }))
        .where("id", "=", id)
        .where("code_tries", "<", codeTries)
        .executeTakeFirst();
      const tries = { accountUuid, byKnownDevice: given.byKnownDevice };
      if (counted.numUpdatedRows === 0n || !(await takeTry(queries, world, tries))) return null;
      const token = await tokenOf(queries, id);
      if (token === null || codeFrom(token) !== given.code) return null;
      await giveTryBack(queries, world, tries);
      return take(queries, world, id);
    },
    ownerOf: async (queries, purpose, token) => {
      const row = await openByToken(queries, { world, isOurs }, purpose, token);
      return row ? { accountUuid: row.account_uuid, email: row.email } : null;
    },
    endAll: async (queries, accountUuid, but = ["undo", "keep"]) => {
      await queries.deleteFrom("link_tokens").where("account_uuid", "=", accountUuid).where("purpose", "not in", but).execute();
    },
  };
}
