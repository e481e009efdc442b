import type { CodeOf } from "#core/errors.ts";
import { floodableMailboxOf } from "../../payments/mailboxes.ts";
import type { Refusal } from "../../base/refusal.ts";
import type { Services } from "./services.ts";

interface Recipient {
  readonly email: string;
  readonly email_confirmed_at: number | null;
}

/**
 * Counts a requested mail to an unconfirmed address. Nobody has proven yet that the address is theirs, so its mailbox gets few mails of any kind, for
 * any account or spelling. Mails to a confirmed address are not counted.
 */
export async function countRequestedMail({ limits }: Pick<Services, "limits">, to: Recipient): Promise<Refusal<CodeOf<"tooMany">> | null> {
  return to.email_confirmed_at === null ? limits.take("unconfirmed.mail", floodableMailboxOf(to.email)) : null;
}
