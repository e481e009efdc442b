/** Mails wait in the database until they are sent. */
import type { Locale } from "#core/locales.ts";
import type { World } from "../base/world.ts";
import type { Queries } from "../store/schema.ts";
import type { OutboxTemplate } from "./contents.ts";

/** The mailer sends a mail of an earlier lane first, because strangers can fill only the later ones (decision 220). */
export const mailLanes = {
  /** To an operator, or to an address that is an account's and confirmed. */
  known: 0,
  /** About an account with an unconfirmed address. */
  account: 1,
  /** The question whether an address is its account's: everybody who signs up causes one. */
  confirmation: 2,
  /** To an address without an account: everybody can cause it, for any address. */
  stranger: 3,
} as const;

export const toOperators: readonly OutboxTemplate[] = ["operatorLink", "operatorPasskey", "alert"];

/** What an erasure leaves: its own confirmation, and mails to operators. Anybody can sign up with an operator's address, and erase that account. */
export const leftByErasures: readonly OutboxTemplate[] = ["erased", ...toOperators];

export interface OutboxMail {
  /** The account that the mail is about; null for an address without an account. */
  readonly accountUuid: string | null;
  readonly template: OutboxTemplate;
  readonly locale: Locale;
  readonly recipient: string;
  /** In the format of `outboxSchemas`. */
  readonly data: Readonly<Record<string, unknown>>;
}

async function laneOf(queries: Queries, { accountUuid, template, recipient }: OutboxMail): Promise<number> {
  if (toOperators.includes(template)) return mailLanes.known;
  const owner = await queries.selectFrom("accounts").select("email_confirmed_at").where("email", "=", recipient).executeTakeFirst();
  if (owner !== undefined && owner.email_confirmed_at !== null) return mailLanes.known;
  if (template === "confirmEmail") return mailLanes.confirmation;
  return accountUuid === null ? mailLanes.stranger : mailLanes.account;
}

/** Queues a mail within the caller's write: it is sent if and only if that write is committed. */
export async function queueMail(queries: Queries, world: World, mail: OutboxMail): Promise<void> {
  const now = world.now();
  await queries
    .insertInto("mail_outbox")
    .values({
      id: world.uuid(),
      account_uuid: mail.accountUuid,
      template: mail.template,
      locale: mail.locale,
      recipient: mail.recipient,
      data: JSON.stringify(mail.data),
      created_at: now,
      sent_at: null,
      attempts: 0,
      next_attempt_at: now,
      error: null,
      lane: await laneOf(queries, mail),
    })
    .execute();
}
