/** A person's mails: shows them as they were sent, and sends one again. */
import { isLocale, knownLocale } from "#core/locales.ts";
import { queueMail } from "../../mail/outbox.ts";
import { isOutboxTemplate, type OutboxTemplate } from "../../mail/contents.ts";
import { queueLinkMail } from "../../handlers/shared/mailedLink.ts";
import type { Services } from "../../handlers/shared/services.ts";
import type { MailOutboxTable, Queries } from "../../store/schema.ts";

/** Mails about another address, or about no account, are not sent again. */
const never: ReadonlySet<OutboxTemplate> = new Set([
  "emailChange",
  "emailChanged",
  "emailIsNew",
  "erased",
  "loginUnknown",
  "contractNotice",
  "operatorLink",
  "operatorPasskey",
]);

export function canSendAgain({ template, data }: Pick<MailOutboxTable, "template" | "data">): boolean {
  return isOutboxTemplate(template) && !never.has(template) && !(template === "confirmEmail" && data.includes('"changeId"'));
}

export const mailOf = (queries: Queries, accountUuid: string, id: string) =>
  queries.selectFrom("mail_outbox").selectAll().where("id", "=", id).where("account_uuid", "=", accountUuid).executeTakeFirst();

interface Account {
  readonly uuid: string;
  readonly email: string;
  readonly firstname: string | null;
  readonly locale: string;
}

/** Queues the mail again within the caller's write, to the account's current address and with a new link. */
export async function sendAgain(
  queries: Queries,
  { world, accounts: { links } }: Pick<Services, "world" | "accounts">,
  account: Account,
  row: MailOutboxTable,
  askedBy: string,
): Promise<void> {
  if (row.template === "loginLink" || row.template === "resetPassword") {
    const purpose = row.template === "loginLink" ? "login" : "reset";
    const { linkId: _link, firstname: _name, ...data }: Record<string, string | null> = JSON.parse(row.data);
    return queueLinkMail(queries, { world, links }, account, { purpose, template: row.template, data, askedBy });
  }
  const to = {
    accountUuid: account.uuid,
    locale: isLocale(row.locale) ? row.locale : knownLocale(account.locale),
    recipient: account.email,
  };
  if (row.template === "confirmEmail") {
    const linkId = await links.create(queries, "confirm", { accountUuid: account.uuid, email: account.email });
    return queueMail(queries, world, { ...to, template: "confirmEmail", data: { linkId, firstname: account.firstname } });
  }
  if (isOutboxTemplate(row.template)) await queueMail(queries, world, { ...to, template: row.template, data: JSON.parse(row.data) });
}
