import type { Handler } from "./shared/handler.ts";
import { Refusal } from "../base/refusal.ts";
import { checkoutLink } from "./shared/checkoutLink.ts";

/** Mails the provider's own page for the same order to the account's address. */
export const payLinkMail: Handler<"payLinkMail"> = async (call, services) => {
  const limited = await services.limits.take("pay-link-mail.account", call.actor.accountUuid);
  if (limited !== null) return limited;
  const link = await checkoutLink(call, services);
  if (link instanceof Refusal) return link;
  await services.payments.mailLink(call.actor.accountUuid, link.url, call.body.language);
  return {};
};
