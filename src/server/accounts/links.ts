/** Tokens that go out by mail: 256 bits, stored hashed, with a purpose. */
import { createHash } from "node:crypto";
import { type LinkPurpose, linkLife } from "../base/linkLife.ts";
import type { World } from "../base/world.ts";
import type { Queries } from "../store/schema.ts";
import { giveTryBack, hasTries, takeTry } from "./codeTries.ts";
import { derivedToken, hashOf, keysFor } from "../base/keys.ts";

export interface LinkOwner {
  readonly accountUuid: string;
  readonly email: string;
}
export interface UsedLink extends LinkOwner {
  readonly createdAt: number;
}
/** A code as somebody typed it. */
export interface GivenCode {
  readonly email: string;
  readonly code: string;
  /** The device or network that it comes from: its own link's code is meant, if there is one. */
  readonly askedBy: string;
  readonly byKnownDevice: boolean;
}

export interface Links {
  /**
   * Makes a token's row in the caller's write; gives its id. Links that the same device or network asked for before stay open, the
   * codes beside them do not (decision 101); a link that confirms a change ends the earlier ones.
   */
  readonly create: (queries: Queries, purpose: LinkPurpose, owner: LinkOwner, askedBy?: string) => Promise<string>;
  /** Whether a link of this purpose was mailed to the account that is open for half of its life at least. */
  readonly isWaiting: (queries: Queries, purpose: LinkPurpose, owner: LinkOwner) => Promise<boolean>;
  /**
   * The token itself, for the mail about to be sent; null when its row is gone. Derived from the id and a secret, so
   * that neither the outbox nor a dump of the database holds it.
   */
  readonly tokenOf: (queries: Queries, linkId: string) => Promise<string | null>;
  /** The six digits that stand beside a login link, derived in the same way; null also when the account has no more tries of them. */
  readonly codeOf: (queries: Queries, linkId: string) => Promise<string | null>;
  /** Uses a token up within the caller's write; null when it opens nothing (any more). Of many at once, one gets its owner. */
  readonly use: (queries: Queries, purpose: LinkPurpose, token: string) => Promise<UsedLink | null>;
  /** The same for the code of an address's login link. Each try counts, for this code and for its account; the fifth wrong one ends the code, and the link stays. */
  readonly useCode: (queries: Queries, given: GivenCode) => Promise<LinkOwner | null>;
  /** The address that a token went to, if it would be taken now; without using it up. */
  readonly addressOf: (queries: Queries, purpose: LinkPurpose, token: string) => Promise<string | null>;
  /** Ends an account's tokens, but for those that undo: its password or its address has changed. */
  readonly endAll: (queries: Queries, accountUuid: string, but?: readonly LinkPurpose[]) => Promise<void>;
}

export const codeTries = 5;
const codeDigits = 6;

/** Six digits out of a token's bits; every code as likely as any other, as near as 48 bits come to it. */
function codeFrom(token: string): string {
  const number = createHash("sha256").update(`code ${token}`).digest().readUIntBE(0, 6) % 10 ** codeDigits;
  return String(number).padStart(codeDigits, "0");
}

export function createLinks(secrets: readonly string[], world: World): Links {
  const keys = keysFor("link", secrets);
  const current = keys[0];
  if (!current) throw new Error("There is no key to derive link tokens with");

  async function tokenOf(queries: Queries, linkId: string): Promise<string | null> {
    const row = await queries.selectFrom("link_tokens").select("token_hash").where("id", "=", linkId).executeTakeFirst();
    // A key that was replaced between the row and the mail still derives it.
    const token = keys.map((key) => derivedToken(key, linkId)).find((candidate) => hashOf(candidate) === row?.token_hash);
    return token ?? null;
  }
  async function codeOf(queries: Queries, linkId: string): Promise<string | null> {
    const token = await tokenOf(queries, linkId);
    if (token === null) return null;
    const { account_uuid } = await queries
      .selectFrom("link_tokens")
      .select("account_uuid")
      .where("id", "=", linkId)
      .executeTakeFirstOrThrow();
    return (await hasTries(queries, world, account_uuid)) ? codeFrom(token) : null;
  }
  /** What is kept of who asked: nobody reads an address out of a dump. */
  const hashOfAsker = (askedBy: string): string => (askedBy === "" ? "" : derivedToken(current, `asked by ${askedBy}`));
  /** Marks one row as used if it still is open: the condition picks the one winner. */
  async function take(queries: Queries, linkId: string): Promise<UsedLink | null> {
    const row = await queries
      .updateTable("link_tokens")
      .set({ used_at: world.now() })
      .where("id", "=", linkId)
      .where("used_at", "is", null)
      .returning(["account_uuid", "email", "created_at"])
      .executeTakeFirst();
    return row ? { accountUuid: row.account_uuid, email: row.email, createdAt: row.created_at } : null;
  }
  /** Links of an account's address as it is, and those that are about another one of the same account. */
  const open = (queries: Queries, purpose: LinkPurpose) =>
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
  const openByToken = (queries: Queries, purpose: LinkPurpose, token: string) =>
    open(queries, purpose).select("link_tokens.email").where("token_hash", "=", hashOf(token)).executeTakeFirst();

  return {
    create: async (queries, purpose, { accountUuid, email }, askedBy = "") => {
      const id = world.uuid();
      const now = world.now();
      const asked_by = hashOfAsker(askedBy);
      if (purpose === "login")
        await queries
          .updateTable("link_tokens")
          .set({ code_tries: codeTries })
          .where("account_uuid", "=", accountUuid)
          .where("purpose", "=", purpose)
          .where("asked_by", "=", asked_by)
          .execute();
      if (purpose === "change")
        await queries.deleteFrom("link_tokens").where("account_uuid", "=", accountUuid).where("purpose", "=", purpose).execute();
      await queries
        .insertInto("link_tokens")
        .values({
          id,
          token_hash: hashOf(derivedToken(current, id)),
          purpose,
          account_uuid: accountUuid,
          email,
          created_at: now,
          expires_at: now + linkLife[purpose],
          used_at: null,
          code_tries: 0,
          asked_by,
        })
        .execute();
      return id;
    },
    isWaiting: async (queries, purpose, { accountUuid }) =>
      (await open(queries, purpose)
        .where("link_tokens.account_uuid", "=", accountUuid)
        .where("expires_at", ">", world.now() + linkLife[purpose] / 2)
        .executeTakeFirst()) !== undefined,
    tokenOf,
    codeOf,
    use: async (queries, purpose, token) => {
      const row = await openByToken(queries, purpose, token);
      return row ? take(queries, row.id) : null;
    },
    useCode: async (queries, { email, code, askedBy, byKnownDevice }) => {
      const rows = await open(queries, "login")
        .select(["asked_by", "account_uuid"])
        .where("link_tokens.email", "=", email)
        .orderBy("link_tokens.created_at", "desc")
        .orderBy("link_tokens.code_tries")
        .execute();
      // One code a try, however many are out: the asker's own, or else the newest.
      const asker = hashOfAsker(askedBy);
      const row = rows.find(({ asked_by }) => asked_by === asker) ?? rows[0];
      if (!row) return null;
      // Counted before it is compared, so that tries at the same moment cannot all be the fifth.
      const counted = await queries
        .updateTable("link_tokens")
        .set((fields) => ({ code_tries: fields("code_tries", "+", 1) }))
        .where("id", "=", row.id)
        .where("code_tries", "<", codeTries)
        .executeTakeFirst();
      const tries = { accountUuid: row.account_uuid, byKnownDevice };
      if (counted.numUpdatedRows === 0n || !(await takeTry(queries, world, tries))) return null;
      const token = await tokenOf(queries, row.id);
      if (token === null || codeFrom(token) !== code) return null;
      await giveTryBack(queries, world, tries);
      return take(queries, row.id);
    },
    addressOf: async (queries, purpose, token) => (await openByToken(queries, purpose, token))?.email ?? null,
    endAll: async (queries, accountUuid, but = ["undo"]) => {
      await queries.deleteFrom("link_tokens").where("account_uuid", "=", accountUuid).where("purpose", "not in", but).execute();
    },
  };
}
