import { mailLink } from "./shared/mailedLink.ts";
import type { Handler } from "./shared/handler.ts";

/** Mails a link and a code to log in with, or a mail that there is no account. The answer is the same for both. */
export const loginLink: Handler<"loginLink"> = async (call, services) => {
  const { email, target, discount } = call.body;
  const data = { target: target ?? null, discount: discount ?? null };
  return mailLink(services, call, { purpose: "login", template: "loginLink", email, data });
};
