/** Mails as HTML and text. Rendered through Vite's build, because Node cannot run `.tsx`; tests import this file directly. */
import { calendarFile } from "../calendarFile.ts";
import type { Attachment, RenderedMail, RenderMail } from "#core/mail.ts";
import { type MailData, type MailTemplate, mailSchemas } from "../contents.ts";
import type { MailKey } from "#content/texts/mail.ts";
import type { Locale } from "#core/locales.ts";
import { render, toPlainText } from "@react-email/render";
import type { ReactElement } from "react";
import * as v from "valibot";
import { Cancelled } from "./Cancelled.tsx";
import { ChargeReminder } from "./ChargeReminder.tsx";
import { ConfirmChange } from "./ConfirmChange.tsx";
import { ConfirmEmail } from "./ConfirmEmail.tsx";
import { ContractNotice } from "./ContractNotice.tsx";
import { EmailChange } from "./EmailChange.tsx";
import { EmailChanged } from "./EmailChanged.tsx";
import { EmailIsNew } from "./EmailIsNew.tsx";
import { Erased } from "./Erased.tsx";
import { wear } from "./looks.ts";
import { LoginLink } from "./LoginLink.tsx";
import { LoginUnknown } from "./LoginUnknown.tsx";
import { Alert, alertSubject } from "./Alert.tsx";
import { OperatorLink, operatorLinkSubject } from "./OperatorLink.tsx";
import { OperatorPasskey, operatorPasskeySubject } from "./OperatorPasskey.tsx";
import { PasswordChanged } from "./PasswordChanged.tsx";
import { PayLink } from "./PayLink.tsx";
import { PlanKept } from "./PlanKept.tsx";
import { PlanNews } from "./PlanNews.tsx";
import { Receipt } from "./Receipt.tsx";
import { RenewalReminder } from "./RenewalReminder.tsx";
import { ResetPassword } from "./ResetPassword.tsx";
import { inPlainHyphens, type Say, sayIn } from "./say.ts";

const templates: {
  readonly [T in MailTemplate]: {
    readonly subject: MailKey | ((data: unknown) => MailKey | { readonly english: string });
    readonly element: (locale: Locale, say: Say, data: unknown) => ReactElement;
    readonly attachments?: (say: Say, data: unknown) => readonly Attachment[];
  };
} = {
  confirmEmail: {
    subject: "confirm.subject",
    element: (locale, say, data) => <ConfirmEmail locale={locale} say={say} data={v.parse(mailSchemas.confirmEmail, data)} />,
  },
  confirmChange: {
    subject: "confirmChange.subject",
    element: (locale, say, data) => <ConfirmChange locale={locale} say={say} data={v.parse(mailSchemas.confirmChange, data)} />,
  },
  loginLink: {
    subject: "loginLink.subject",
    element: (locale, say, data) => <LoginLink locale={locale} say={say} data={v.parse(mailSchemas.loginLink, data)} />,
  },
  loginUnknown: {
    subject: "loginUnknown.subject",
    element: (locale, say, data) => <LoginUnknown locale={locale} say={say} data={v.parse(mailSchemas.loginUnknown, data)} />,
  },
  resetPassword: {
    subject: "reset.subject",
    element: (locale, say, data) => <ResetPassword locale={locale} say={say} data={v.parse(mailSchemas.resetPassword, data)} />,
  },
  passwordChanged: {
    subject: "passwordChanged.subject",
    element: (locale, say, data) => <PasswordChanged locale={locale} say={say} data={v.parse(mailSchemas.passwordChanged, data)} />,
  },
  emailChanged: {
    subject: "emailChanged.subject",
    element: (locale, say, data) => <EmailChanged locale={locale} say={say} data={v.parse(mailSchemas.emailChanged, data)} />,
  },
  emailChange: {
    subject: "emailChange.subject",
    element: (locale, say, data) => <EmailChange locale={locale} say={say} data={v.parse(mailSchemas.emailChange, data)} />,
  },
  receipt: {
    subject: (data) => (v.parse(mailSchemas.receipt, data).isBack ? "welcome.back.subject" : "welcome.subject"),
    element: (locale, say, data) => <Receipt locale={locale} say={say} data={v.parse(mailSchemas.receipt, data)} />,
  },
  cancelled: {
    subject: (data) => (v.parse(mailSchemas.cancelled, data).withdrawn ? "planNews.unpaid.subject" : "cancelled.subject"),
    element: (locale, say, data) => <Cancelled locale={locale} say={say} data={v.parse(mailSchemas.cancelled, data)} />,
  },
  chargeReminder: {
    subject: "reminder.subject",
    element: (locale, say, data) => <ChargeReminder locale={locale} say={say} data={v.parse(mailSchemas.chargeReminder, data)} />,
  },
  renewalReminder: {
    subject: "renewal.subject",
    element: (locale, say, data) => <RenewalReminder locale={locale} say={say} data={v.parse(mailSchemas.renewalReminder, data)} />,
  },
  contractNotice: {
    subject: (data) => `notice.${v.parse(mailSchemas.contractNotice, data).kind}.subject` as const,
    element: (locale, say, data) => <ContractNotice locale={locale} say={say} data={v.parse(mailSchemas.contractNotice, data)} />,
  },
  planKept: {
    subject: "planKept.subject",
    element: (locale, say, data) => <PlanKept locale={locale} say={say} data={v.parse(mailSchemas.planKept, data)} />,
    attachments: (say, data) => planCalendar(say, v.parse(mailSchemas.planKept, data)),
  },
  planNews: {
    subject: (data) => `planNews.${v.parse(mailSchemas.planNews, data).news}.subject` as const,
    element: (locale, say, data) => <PlanNews locale={locale} say={say} data={v.parse(mailSchemas.planNews, data)} />,
  },
  erased: {
    subject: "erased.subject",
    element: (locale, say, data) => <Erased locale={locale} say={say} data={v.parse(mailSchemas.erased, data)} />,
  },
  emailIsNew: {
    subject: "emailIsNew.subject",
    element: (locale, say, data) => <EmailIsNew locale={locale} say={say} data={v.parse(mailSchemas.emailIsNew, data)} />,
  },
  payLink: {
    subject: "payLink.subject",
    element: (locale, say, data) => <PayLink locale={locale} say={say} data={v.parse(mailSchemas.payLink, data)} />,
  },
  alert: {
    subject: (data) => ({ english: alertSubject(v.parse(mailSchemas.alert, data)) }),
    element: (_locale, say, data) => <Alert say={say} data={v.parse(mailSchemas.alert, data)} />,
  },
  operatorLink: {
    subject: (data) => ({ english: operatorLinkSubject(v.parse(mailSchemas.operatorLink, data)) }),
    element: (_locale, _say, data) => <OperatorLink say={sayIn("en-US")} data={v.parse(mailSchemas.operatorLink, data)} />,
  },
  operatorPasskey: {
    subject: (data) => ({ english: operatorPasskeySubject(v.parse(mailSchemas.operatorPasskey, data)) }),
    element: (_locale, _say, data) => <OperatorPasskey say={sayIn("en-US")} data={v.parse(mailSchemas.operatorPasskey, data)} />,
  },
};

export const renderMail: RenderMail<MailTemplate> = async (template, locale, data, theme = "parlando"): Promise<RenderedMail> => {
  const { subject, element, attachments } = templates[template];
  const say = sayIn(locale);
  const html = wear(await render(element(locale, say, data)), theme);
  const named = typeof subject === "string" ? subject : subject(data);
  return {
    subject: inPlainHyphens(typeof named === "string" ? say(named) : named.english),
    html,
    text: inPlainHyphens(
      toPlainText(html, { selectors: ["h1", "h2"].map((selector) => ({ selector, options: { uppercase: false } })) }).trim(),
    ),
    attachments: attachments?.(say, data) ?? [],
  };
};

function planCalendar(say: Say, { plan, minutes, link }: MailData<"planKept">): readonly Attachment[] {
  const title = say("planKept.event", { MINUTES: minutes ?? 0 });
  const content = plan?.calendar ? calendarFile(plan.calendar, { title, link }) : null;
  return content === null ? [] : [{ filename: "parlando.ics", contentType: "text/calendar; method=PUBLISH; charset=utf-8", content }];
}
