/** Mails wait in the database until they are sent. */
import type { Locale } from "#core/locales.ts";
import type { World } from "../base/world.ts";
import type { Queries } from "../store/schema.ts";
import type { OutboxTemplate } from "./contents.ts";

export interface OutboxMail {
  /** The account that the mail is about; null for an address without an account. */
  readonly accountUuid: string | null;
  readonly template: OutboxTemplate;
  readonly locale: Locale;
  readonly recipient: string;
  /** In the format of `outboxSchemas`. */
  readonly data: Readonly<Record<string, unknown>>;
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
    })
    .execute();
}
