import type { CodeOf } from "#core/errors.ts";
import { mailboxOf } from "../../payments/mailboxes.ts";
import type { Refusal } from "../../base/refusal.ts";
import type { Services } from "./services.ts";

interface Recipient {
  readonly email: string;
  readonly email_confirmed_at: number | null;
}

/**
 * Counts a mail that somebody asks for. Nobody has shown yet that an unconfirmed address is theirs: whatever is asked for and whichever
 * account or spelling it is for, one mailbox gets few of them. A confirmed address costs nothing.
 */
export async function countAskedMail({ limits }: Pick<Services, "limits">, to: Recipient): Promise<Refusal<CodeOf<"tooMany">> | null> {
  return to.email_confirmed_at === null ? limits.take("unconfirmed.mail", mailboxOf(to.email)) : null;
}
