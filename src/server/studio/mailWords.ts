/** The name of each mail, as the studio shows it. */
import { isOutboxTemplate, type MailPlanNews, type OutboxTemplate } from "../mail/contents.ts";
import type { MailOutboxTable } from "../store/schema.ts";
import * as v from "valibot";

const mailWords: Readonly<Record<OutboxTemplate, string>> = {
  confirmEmail: "Confirm your address",
  loginLink: "Link to log in",
  loginUnknown: "No account has this address",
  resetPassword: "Link to choose a new password",
  passwordChanged: "Your password was changed",
  emailChanged: "Your address was changed",
  emailChange: "Your address is about to change (with a link that undoes it)",
  receipt: "Receipt",
  cancelled: "You have cancelled",
  planNews: "News of the plan",
  erased: "Your account is erased",
  emailIsNew: "This is your address now",
  payLink: "Link to pay",
  chargeReminder: "The trial ends soon",
  planKept: "Your study plan",
  contractNotice: "A notice that ends a contract has arrived",
  renewalReminder: "The plan renews soon",
  alert: "An alert for operators",
  operatorLink: "Link to the studio",
  operatorPasskey: "A passkey of an operator was added or removed",
};

/** What each mail about the plan says. */
const newsWords: Readonly<Record<MailPlanNews, string>> = {
  begun: "The trial is over, the plan has begun",
  renewed: "The plan was renewed",
  failed: "A payment failed",
  recovered: "The failed payment is paid",
  unpaid: "The plan ended unpaid",
  kept: "The plan goes on",
  pausing: "The plan is going to pause",
  paused: "The plan is paused",
  resumed: "The plan runs again",
  refunded: "A refund that ended the access",
  partRefunded: "A refund that leaves the access as it is",
  returned: "An excess payment was refunded",
};
const newsSchema = v.pipe(v.string(), v.parseJson(), v.object({ news: v.picklist(Object.keys(newsWords) as MailPlanNews[]) }));

/** @param data the mail's data as the outbox stores it, JSON */
export function mailTitle({ template, data }: Pick<MailOutboxTable, "template" | "data">): string {
  if (!isOutboxTemplate(template)) return template;
  const told = template === "planNews" ? v.safeParse(newsSchema, data) : null;
  return told?.success === true ? newsWords[told.output.news] : mailWords[template];
}
