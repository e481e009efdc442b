import { countRequestedMail } from "./shared/requestedMail.ts";
import type { Handler } from "./shared/handler.ts";
import { Refusal, refuse } from "../base/refusal.ts";
import { checkoutLink } from "./shared/checkoutLink.ts";

/** Mails the provider's own page for the same order to the account's address. */
export const payLinkMail: Handler<"payLinkMail"> = async (call, services) => {
  const { limits, store, payments } = services;
  const { accountUuid } = call.actor;
  const limited = await limits.take("pay-link-mail.account", accountUuid);
  if (limited !== null) return limited;
  const account = await store.read
    .selectFrom("accounts")
    .select(["email", "email_confirmed_at"])
    .where("uuid", "=", accountUuid)
    .executeTakeFirst();
  if (account === undefined) return refuse("invalidAccessToken");
  const tooManyMails = await countRequestedMail(services, account);
  if (tooManyMails !== null) return tooManyMails;
  const link = await checkoutLink(call, services);
  if (link instanceof Refusal) return link;
  await payments.mailPayLink(accountUuid, link.url, call.body.language);
  return {};
};
