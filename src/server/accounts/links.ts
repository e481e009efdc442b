/** Tokens that go out by mail: 256 bits, stored hashed, with a purpose, the newest ending older ones (reference/security.md, "Accounts"). */
import type { Locale } from "#core/locales.ts";
import type { World } from "../parts.ts";
import type { Queries } from "../store/schema.ts";
import { derivedToken, hashOf, keysFor } from "./keys.ts";

const minute = 60_000;
const hour = 60 * minute;
export const linkLife = { login: 10 * minute, reset: 30 * minute, confirm: 24 * hour } as const;
export type LinkPurpose = keyof typeof linkLife;

export interface LinkOwner {
  readonly accountUuid: string;
  readonly email: string;
}

export interface Links {
  /** Makes a token's row in the caller's write and ends older ones of the same purpose; gives the row's id. */
  readonly create: (queries: Queries, purpose: LinkPurpose, owner: LinkOwner) => Promise<string>;
  /**
   * The token itself, for the mail about to be sent; null when its row is gone. Derived from the id and a secret, so
   * that neither the outbox nor a dump of the database holds it.
   */
  readonly tokenOf: (queries: Queries, linkId: string) => Promise<string | null>;
}

export function createLinks(secrets: readonly string[], world: World): Links {
  const keys = keysFor("link", secrets);
  const current = keys[0];
  if (!current) throw new Error("There is no key to derive link tokens with");
  return {
    create: async (queries, purpose, { accountUuid, email }) => {
      const id = world.uuid();
      const now = world.now();
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
        })
        .execute();
      return id;
    },
    tokenOf: async (queries, linkId) => {
      const row = await queries.selectFrom("link_tokens").select("token_hash").where("id", "=", linkId).executeTakeFirst();
      // A key that was replaced between the row and the mail still derives it.
      const token = keys.map((key) => derivedToken(key, linkId)).find((candidate) => hashOf(candidate) === row?.token_hash);
      return token ?? null;
    },
  };
}

export interface OutboxMail {
  readonly template: string;
  readonly locale: Locale;
  readonly recipient: string;
  readonly data: Readonly<Record<string, string | number | boolean | null>>;
}

/** Puts a mail into the outbox within the caller's write: it goes out if and only if the write is kept. */
export async function queueMail(queries: Queries, world: World, mail: OutboxMail): Promise<void> {
  const now = world.now();
  await queries
    .insertInto("mail_outbox")
    .values({
      id: world.uuid(),
      template: mail.template,
      locale: mail.locale,
      recipient: mail.recipient,
      data: JSON.stringify(mail.data),
      created_at: now,
      sent_at: null,
      attempts: 0,
      next_attempt_at: now,
      error: null,
    })
    .execute();
}
