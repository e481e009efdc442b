import { mailLink } from "../accounts/mailedLink.ts";
import type { Handler } from "../handler.ts";

/** Mails a link to choose a new password, or says by mail that there is no account: the answer is the same for both. */
export const forgotPassword: Handler<"forgotPassword"> = async ({ body, query, headers }, services) => {
  const { email } = body;
  for (const limit of ["forgot-password.email-minute", "forgot-password.email-hour"] as const)
    if (await services.limits.take(limit, email)) return {};
  const data = { target: query.target ?? null };
  await mailLink(services, { purpose: "reset", template: "resetPassword", email, data, acceptLanguage: headers["accept-language"] });
  return {};
};
