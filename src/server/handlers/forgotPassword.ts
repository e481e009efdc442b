import { mailLink } from "./shared/mailedLink.ts";
import type { Handler } from "./shared/handler.ts";

/** Mails a link to choose a new password, or a mail that there is no account. The answer is the same for both. */
export const forgotPassword: Handler<"forgotPassword"> = async (call, services) => {
  const { email } = call.body;
  const data = { target: call.query.target ?? null };
  return mailLink(services, call, { purpose: "reset", template: "resetPassword", email, data });
};
