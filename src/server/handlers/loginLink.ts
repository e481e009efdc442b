import { mailLink } from "../accounts/mailedLink.ts";
import type { Handler } from "../handler.ts";

/** Mails a link and a code to log in with, or says by mail that there is no account: the answer is the same for both. */
export const loginLink: Handler<"loginLink"> = async ({ body, headers }, services) => {
  const { email, target, discount } = body;
  for (const limit of ["login-link.email-minute", "login-link.email-hour"] as const)
    if (await services.limits.take(limit, email)) return {};
  const data = { target: target ?? null, discount: discount ?? null };
  await mailLink(services, { purpose: "login", template: "loginLink", email, data, acceptLanguage: headers["accept-language"] });
  return {};
};
